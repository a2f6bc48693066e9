/**
 * Of which document a store is: its plan is kept with the rows, so that a changed document is
 * compared with the one by which they were written.
 */
import { createHash } from "node:crypto";
import type Database from "better-sqlite3";
import { type KeptChange, keptChanges } from "../../change/index.ts";
import { type ItemId, isStated, type Plan, withClocks } from "../../plan/index.ts";
import type { KeptJudges } from "../../run/index.ts";
import { type Schema, schemaOf } from "../schema/schema.ts";
import { StorageFault } from "./fault.ts";
import { refreshIndexes } from "./indexes.ts";
import type { FirstValue } from "./inherit.ts";
import { type Found, judgeRows, judgeValues } from "./judge.ts";
import { hasRows } from "./kept-rows.ts";
import { SqliteSession } from "./session.ts";
import { type Retell, retellEvents } from "./told.ts";
import { widen } from "./widen.ts";

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

type Places = Readonly<Record<ItemId, Place>>;

function placeIn(places: Places, item: ItemId | undefined): string | undefined {
  const at = places[item ?? ""];
  return at && `${at.file}:${at.line}:${at.column}`;
}

/** A change in words, with the place in each document. */
function told({ text, before, now }: KeptChange, was: Places, is: Places): string {
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

/** A document that is to be served on what a store keeps. */
export interface Heir extends Document {
  readonly schema: Schema;
  readonly file: string;
  readonly first: FirstValue;
  readonly retell: Retell;
  /** Not given: nothing tells whether a row fits a narrower document. */
  readonly judges: KeptJudges | undefined;
}

/** How many messages or calls wait that the change is about. */
function waitingOf(db: Database.Database, { waiting }: KeptChange): number {
  if (waiting === undefined) return 0;
  const table = waiting.is === "messages" ? "messages" : "calls";
  const isThere = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = ?").get(table);
  if (isThere === undefined) return 0;
  const column = waiting.is === "messages" ? "webhook" : "call";
  return db
    .prepare(`SELECT count(*) FROM ${table} WHERE ${column} = ?`)
    .pluck(true)
    .get(waiting.name) as number;
}

/**
 * Makes the store one of the document: rows are taken over where each value is read as it was
 * written, and fits. To be called in a transaction. Throws `StorageFault` where that is not so.
 */
export function takeDocument(db: Database.Database, now: Heir): Taken {
  const plan = JSON.parse(readMeta(db, "plan") ?? "{}") as Plan;
  const was = JSON.parse(readMeta(db, "places") ?? "{}") as Places;
  const is = JSON.parse(now.places) as Places;
  const clocked = withClocks(plan);
  const before = { plan: clocked, schema: schemaOf(clocked, { indexed: false }) };
  const heir = { ...now, plan: withClocks(now.plan) };
  const changes = keptChanges(plan, bare(now.plan));
  const words = (one: KeptChange): string => told(one, was, is);
  const refuse = (lines: readonly string[]): void => {
    if (lines.length === 0) return;
    throw new StorageFault(
      "SCHEMA",
      [
        `${now.file} holds what was written by another document:`,
        ...lines.map((one) => `- ${one}`),
        "Serve the document that it was made for, migrate it, or name another file.",
      ].join("\n"),
    );
  };
  const { judges } = now;
  const kept = new Set(
    [...before.schema.tables].filter(([, one]) => hasRows(db, one)).map(([name]) => name),
  );
  const isKept = ({ resource }: KeptChange): boolean => kept.has(resource ?? "");
  const others = changes.filter((one) => {
    const isJudged = one.relation === "narrower" && judges !== undefined;
    return one.relation !== "wider" && !isJudged && isKept(one);
  });
  const waiting = changes.flatMap((one) => {
    const count = waitingOf(db, one);
    return count === 0 ? [] : [`${words(one)} ${count} of its ${one.waiting?.is} wait.`];
  });
  const misfits = (found: Found): string[] =>
    [...found].map(
      ([one, { text }]) => `${words(one)} It does not fit ${text} of ${one.resource}.`,
    );
  const early =
    judges === undefined
      ? new Map()
      : judgeValues(
          db,
          { ...before, session: new SqliteSession(db, before.schema) },
          { ...heir, judges },
          // What is another cannot be made of the rows, and is told first.
          changes.filter(({ resource }) => others.every((one) => one.resource !== resource)),
        );
  refuse([...others.map(words), ...waiting, ...misfits(early)]);
  const added = widen(db, before, heir);
  const changed = changes.flatMap(({ relation, resource }) =>
    relation === "other" && resource !== undefined ? [resource] : [],
  );
  const lost = retellEvents(db, clocked, heir, new Set(changed));
  if (judges !== undefined && changes.some((one) => one.relation === "narrower")) {
    refreshIndexes(db, now.schema);
    const session = new SqliteSession(db, now.schema);
    refuse(misfits(judgeRows(db, { ...heir, session, judges }, changes)));
  }
  keepDocument(db, now);
  const said = changes.map((one) =>
    one.relation === "narrower" && isKept(one) ? `${words(one)} All rows fit.` : words(one),
  );
  const events = `${lost} events are told nobody again: what they are about is another.`;
  return { said: lost === 0 ? said : [...said, events], added };
}
