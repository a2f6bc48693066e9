/**
 * Of which document a store is: its plan is kept with the rows, so that a changed document is
 * compared with the one by which they were written.
 */
import { createHash } from "node:crypto";
import type Database from "better-sqlite3";
import { type KeptChange, keptChanges } from "../../change/index.ts";
import { type ItemId, isStated, type Plan, withClocks } from "../../plan/index.ts";
import { type Schema, schemaOf } from "../schema/schema.ts";
import { StorageFault } from "./fault.ts";
import { type FirstValue, isKept, widen } from "./widen.ts";

/** A plan, and where its items stand: JSON text of places by item. */
export interface Document {
  readonly plan: Plan;
  readonly places: string;
}

interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** What is noted of the store under a name; undefined: nothing. */
export function readMeta(db: Database.Database, name: string): string | undefined {
  const found = db.prepare("SELECT value FROM meta WHERE name = ?").get(name);
  return (found as { value: string } | undefined)?.value;
}

/** Notes something of the store under a name. */
export function putMeta(db: Database.Database, name: string, value: string): void {
  db.prepare(
    "INSERT INTO meta (name, value) VALUES (?, ?) " +
      "ON CONFLICT (name) DO UPDATE SET value = excluded.value",
  ).run(name, value);
}

/**
 * The plan as it is kept: examples and rows at the start may hold secrets. Of rows a digest is
 * left, by which others are told from them.
 */
function bare(plan: Plan): Plan {
  const resources = plan.resources.map((one) => {
    const { startRows } = one;
    if (!isStated(startRows) || startRows.value.is !== "block") return one;
    const { rows } = startRows.value;
    const block = createHash("sha256").update(JSON.stringify(rows)).digest("hex");
    return {
      ...one,
      startRows: { ...startRows, value: { is: "block", block, rows: [] } as const },
    };
  });
  return { ...plan, examples: [], resources };
}

/** Notes of which document the store is. */
export function keepDocument(db: Database.Database, { plan, places }: Document): void {
  putMeta(db, "plan", JSON.stringify(bare(plan)));
  putMeta(db, "places", places);
}

/** Whether the store is of the very document. */
export function isOf(db: Database.Database, { plan }: Document): boolean {
  return readMeta(db, "plan") === JSON.stringify(bare(plan));
}

function placeIn(places: string, item: ItemId | undefined): string | undefined {
  const at = (JSON.parse(places) as Readonly<Record<string, Place>>)[item ?? ""];
  return at && `${at.file}:${at.line}:${at.column}`;
}

/** A change in words, with the place in each document. */
function told({ text, before, now }: KeptChange, was: string, is: string): string {
  const [old, own] = [placeIn(was, before), placeIn(is, now)];
  const places = [old && `before: ${old}`, own && `now: ${own}`].filter((one) => one);
  return places.length === 0 ? text : `${text} (${places.join("; ")})`;
}

export interface Taken {
  /** What is new, in words. */
  readonly said: readonly string[];
  /** Resources that the store did not have. */
  readonly added: readonly string[];
}

/**
 * Makes the store one of the document: rows are taken over where each value is read as it was
 * written. To be called in a transaction. Throws `StorageFault` where a value would not be.
 */
export function takeDocument(
  db: Database.Database,
  now: Document & { readonly schema: Schema; readonly first: FirstValue; readonly file: string },
): Taken {
  const plan = JSON.parse(readMeta(db, "plan") ?? "{}") as Plan;
  const places = readMeta(db, "places") ?? "{}";
  const clocked = withClocks(plan);
  const schema = schemaOf(clocked, { indexed: false });
  const changes = keptChanges(plan, bare(now.plan));
  const refused = changes.filter(
    ({ relation, resource }) =>
      relation !== "wider" && resource !== undefined && isKept(db, schema, resource),
  );
  const words = (all: readonly KeptChange[]): string[] =>
    all.map((one) => told(one, places, now.places));
  if (refused.length > 0) {
    throw new StorageFault(
      "SCHEMA",
      [
        `${now.file} holds rows that were written by another document:`,
        ...words(refused).map((one) => `- ${one}`),
        "Serve the document that it was made for, or name another file.",
      ].join("\n"),
    );
  }
  const added = widen(
    db,
    { plan: clocked, schema },
    { plan: withClocks(now.plan), schema: now.schema, first: now.first },
  );
  keepDocument(db, now);
  return { said: words(changes), added };
}
