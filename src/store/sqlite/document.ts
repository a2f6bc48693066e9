/**
 * Of which document a store is: its plan is kept with the rows, so that a changed document is
 * compared with the one by which they were written.
 */
import { createHash } from "node:crypto";
import type Database from "better-sqlite3";
import { type KeptChange, keptChanges, Renames } from "../../change/index.ts";
import { type ItemId, isStated, type Plan, withClocks } from "../../plan/index.ts";
import type { KeptJudges, Session } from "../../run/index.ts";
import { type Schema, STORAGE_FORMAT, schemaOf } from "../schema/schema.ts";
import { type Decisions, isDecided, isField, UNDECIDED } from "./decisions.ts";
import { StorageFault } from "./fault.ts";
import { refreshIndexes } from "./indexes.ts";
import type { Decided, FirstValue, Passage } from "./inherit.ts";
import { type Found, judgeRows, judgeValues } from "./judge.ts";
import { countRows } from "./kept-rows.ts";
import { renameRest } from "./rest.ts";
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
    // A plan that was kept has a digest already.
    if (rows.length === 0) return one;
    const block = createHash("sha256").update(JSON.stringify(rows)).digest("hex");
    return {
      ...one,
      startRows: { ...startRows, value: { is: "block", block, rows: [] } as const },
    };
  });
  return { ...plan, examples: [], resources };
}

/** The text under which a plan is kept. */
export function bareText(plan: Plan): string {
  return JSON.stringify(bare(plan));
}

/** Notes of which document the store is. Its format grows with that of the plan. */
export function keepDocument(db: Database.Database, { plan, places }: Document): void {
  putMeta(db, "storage", String(STORAGE_FORMAT));
  putMeta(db, "plan", bareText(plan));
  putMeta(db, "places", places);
}

/** The plan by which the rows were written; one of format 1 says the same as one of format 2. */
function planIn(db: Database.Database): Plan {
  const plan = JSON.parse(readMeta(db, "plan") ?? "{}") as Omit<Plan, "formatVersion">;
  return { ...plan, formatVersion: 2 };
}

/** The document that the store notes. */
export function documentIn(db: Database.Database): Document {
  return { plan: planIn(db), places: readMeta(db, "places") ?? "{}" };
}

/** Whether the store is of the very document. */
export function isOf(db: Database.Database, { plan }: Document): boolean {
  return readMeta(db, "plan") === bareText(plan);
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
  /** What is decided of what cannot be known. Default: nothing. */
  readonly decisions?: Decisions | undefined;
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

/** A change, and what is kept that it is about. */
export interface Weighed {
  readonly change: KeptChange;
  /** The change with the lines of both documents. */
  readonly text: string;
  /** Rows, messages or calls. */
  readonly count: number;
  /** Whether it keeps the store from being taken over. */
  readonly isOpen: boolean;
}

/** Everything that is needed to take a store over. */
class Takeover {
  readonly #db: Database.Database;
  readonly #heir: Heir;
  readonly #passage: Passage;
  readonly #schema: Schema;
  readonly #session: Session;
  readonly weighed: readonly Weighed[];

  constructor(db: Database.Database, heir: Heir) {
    const { decisions = UNDECIDED } = heir;
    const plan = planIn(db);
    const renames = new Renames(plan, heir.plan, decisions.renamed);
    this.#db = db;
    this.#heir = heir;
    const before = withClocks(plan);
    this.#schema = schemaOf(before, { indexed: false });
    this.#session = new SqliteSession(db, this.#schema);
    const now = withClocks(heir.plan);
    const decided: Decided = (resource, field) =>
      decisions.values.find((one) => isField(now, one.subject, resource, field))?.value;
    this.#passage = { before, now, first: heir.first, renames, decided };
    const was = JSON.parse(readMeta(db, "places") ?? "{}") as Places;
    const is = JSON.parse(heir.places) as Places;
    this.weighed = keptChanges(renames.plan(plan), bare(heir.plan)).map((change) => {
      const count = this.#countOf(change);
      const isJudged = change.relation === "narrower" && heir.judges !== undefined;
      const isBad = change.relation !== "wider" && !isJudged;
      const isOpen = isBad && count > 0 && !isDecided(decisions, change);
      return { change, text: told(change, was, is), count, isOpen };
    });
  }

  #countOf(change: KeptChange): number {
    if (change.waiting !== undefined) return waitingOf(this.#db, change);
    const { resource } = change;
    const table = this.#schema.tables.get(this.#passage.renames.resource(resource ?? ""));
    return resource === undefined ? 0 : countRows(this.#db, table);
  }

  /** What keeps the store from being taken over, whatever its rows are. */
  open(): readonly string[] {
    return this.weighed
      .filter(({ isOpen }) => isOpen)
      .map(({ change: { waiting }, text, count }) =>
        waiting === undefined ? text : `${text} ${count} of its ${waiting.is} wait.`,
      );
  }

  /** Rows that do not fit as they are, as `run` has them. */
  early(): readonly string[] {
    const { judges } = this.#heir;
    const before = { schema: this.#schema, session: this.#session };
    const found =
      judges && judgeValues(this.#db, this.#passage, { ...before, judges }, this.#judged());
    return found === undefined ? [] : this.#failed(found).misfits;
  }

  /** Changes that rows are to be judged by. */
  #judged(): readonly KeptChange[] {
    const { decisions = UNDECIDED } = this.#heir;
    return this.weighed
      .map(({ change }) => change)
      .filter((one) => !(one.relation === "narrower" && isDecided(decisions, one, "clock")));
  }

  /** Rows that do not fit, each change with the first of them; empty: all fit. */
  run(): { readonly misfits: readonly string[]; readonly taken: Taken } {
    const { judges, retell, schema } = this.#heir;
    const { decisions = UNDECIDED } = this.#heir;
    const [db, passage] = [this.#db, this.#passage];
    const before = { schema: this.#schema, session: this.#session };
    const judged = this.#judged();
    const early = judges && judgeValues(db, passage, { ...before, judges }, judged);
    if (early !== undefined && early.size > 0) return this.#failed(early);
    const lost = retellEvents(db, passage, { ...before, retell }, this.#others());
    const added = widen(db, passage, { before: this.#schema, now: schema });
    renameRest(db, passage, decisions);
    refreshIndexes(db, schema);
    const session = new SqliteSession(db, schema);
    const late = judges && judgeRows(db, { plan: passage.now, schema, session, judges }, judged);
    if (late !== undefined && late.size > 0) return this.#failed(late);
    keepDocument(db, this.#heir);
    const said = this.weighed.map(({ change, text, count }) =>
      change.relation === "narrower" && count > 0 ? `${text} All rows fit.` : text,
    );
    const events = `${lost} events are told nobody again: what they are about is another.`;
    return { misfits: [], taken: { said: lost === 0 ? said : [...said, events], added } };
  }

  #failed(found: Found): { readonly misfits: readonly string[]; readonly taken: Taken } {
    const misfits = this.weighed.flatMap(({ change, text }) => {
      const one = found.get(change);
      return one === undefined
        ? []
        : [`${text} It does not fit ${one.text} of ${change.resource}.`];
    });
    return { misfits, taken: { said: [], added: [] } };
  }

  /** Resources of which a value would be read as another, and nothing is decided. */
  #others(): ReadonlySet<string> {
    const { decisions = UNDECIDED } = this.#heir;
    return new Set(
      this.weighed.flatMap(({ change }) => {
        const isOther = change.relation === "other" && !isDecided(decisions, change);
        return isOther && change.resource !== undefined ? [change.resource] : [];
      }),
    );
  }
}

/** What has changed between the document that wrote the store and another. */
export function weigh(db: Database.Database, heir: Heir): readonly Weighed[] {
  return new Takeover(db, heir).weighed;
}

/** What refuses a store that another document has written. */
function refuse(file: string, lines: readonly string[]): void {
  if (lines.length === 0) return;
  throw new StorageFault(
    "SCHEMA",
    [
      `${file} holds what was written by another document:`,
      ...lines.map((one) => `- ${one}`),
      "Serve the document that it was made for, migrate it, or name another file.",
    ].join("\n"),
  );
}

/**
 * Compares the store with the document, as far as that needs no writing. Throws `StorageFault`
 * where the document is refused for that.
 */
export function judgeDocument(db: Database.Database, heir: Heir): void {
  const takeover = new Takeover(db, heir);
  refuse(heir.file, takeover.open());
  refuse(heir.file, takeover.early());
}

/**
 * Makes the store one of the document: rows are taken over where each value is read as it was
 * written, and fits. To be called in a transaction. Throws `StorageFault` where that is not so.
 */
export function takeDocument(db: Database.Database, heir: Heir): Taken {
  const takeover = new Takeover(db, heir);
  refuse(heir.file, takeover.open());
  const { misfits, taken } = takeover.run();
  refuse(heir.file, misfits);
  return taken;
}

/** Texts of the host, under names of their own. */
export function notesOf(db: Database.Database): {
  read(name: string): string | undefined;
  keep(name: string, text: string): void;
} {
  return {
    read: (name) => readMeta(db, `note ${name}`),
    keep: (name, text) => putMeta(db, `note ${name}`, text),
  };
}
