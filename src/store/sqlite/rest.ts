/** Gives what a store keeps besides rows the names that a migration states. */
import type Database from "better-sqlite3";
import type { Plan } from "../../plan/index.ts";
import type { Decisions } from "./decisions.ts";
import type { Passage } from "./inherit.ts";

interface Names {
  /** What is dropped with the name goes, unless it is only told of it. */
  readonly isTold?: true;
  readonly table: string;
  readonly column: string;
  readonly is: "webhook" | "call" | "event";
  readonly of: (plan: Plan) => readonly { readonly name: string }[];
}

const NAMED: readonly Names[] = [
  { table: "messages", column: "webhook", is: "webhook", of: ({ webhooks }) => webhooks },
  { table: "messages", column: "event", is: "event", of: ({ events }) => events, isTold: true },
  { table: "calls", column: "call", is: "call", of: ({ calls }) => calls },
  { table: "outbox", column: "event", is: "event", of: ({ events }) => events },
];

/** What waits under a name, or has happened under it, gets the name that this is now. */
function renameNamed(db: Database.Database, { before, renames }: Passage, one: Names): void {
  const put = db.prepare(`UPDATE ${one.table} SET ${one.column} = ? WHERE ${one.column} = ?`);
  const changed = one
    .of(before)
    .map(({ name }) => [name, renames.nameNow(one.is, name)] as const)
    .filter(([name, now]) => name !== now);
  // Two names may be exchanged: none is given while another still has it.
  for (const [name] of changed) put.run(`#${name}`, name);
  for (const [name, now] of changed) put.run(now, `#${name}`);
}

/** Counters are named by resource, field and what numbers are counted within. */
function renameCounters(db: Database.Database, { before, now, renames }: Passage): void {
  const all = db.prepare("SELECT name, last FROM counters").all() as {
    name: string;
    last: number;
  }[];
  const fields = new Map(
    now.resources.flatMap(({ name, fields: own }) =>
      own.map((one) => [
        JSON.stringify([renames.resource(name), renames.field(name, one.name)]),
        [name, one.name] as const,
      ]),
    ),
  );
  const known = new Set(before.resources.map(({ name }) => name));
  const drop = db.prepare("DELETE FROM counters WHERE name = ?");
  const put = db.prepare("INSERT OR REPLACE INTO counters (name, last) VALUES (?, ?)");
  const moved = all.flatMap(({ name, last }) => {
    if (!name.startsWith("[")) return [];
    const [resource, field, ...within] = JSON.parse(name) as string[];
    const to = known.has(resource ?? "")
      ? fields.get(JSON.stringify([resource, field]))
      : undefined;
    const renamed = to && JSON.stringify([...to, ...within]);
    return renamed === undefined || renamed === name ? [] : [{ name, renamed, last }];
  });
  for (const { name } of moved) drop.run(name);
  for (const { renamed, last } of moved) put.run(renamed, last);
}

/** Rows that a call was given are named by their resource. */
function renameGivenRows(db: Database.Database, { renames }: Passage): void {
  const all = db.prepare("SELECT key, rows FROM calls").all() as { key: string; rows: string }[];
  const put = db.prepare("UPDATE calls SET rows = ? WHERE key = ?");
  for (const { key, rows } of all) {
    const given = JSON.parse(rows) as { resource: string }[];
    const now = JSON.stringify(
      given.map((one) => ({ ...one, resource: renames.resourceNow(one.resource) })),
    );
    if (now !== rows) put.run(now, key);
  }
}

/** To be called in the transaction that takes the rows over. */
export function renameRest(db: Database.Database, passage: Passage, decisions: Decisions): void {
  const isThere = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = ?");
  for (const one of NAMED) {
    if (isThere.get(one.table) === undefined) continue;
    for (const { is, ...subject } of decisions.dropped) {
      if (is !== one.is || one.isTold || !("name" in subject)) continue;
      db.prepare(`DELETE FROM ${one.table} WHERE ${one.column} = ?`).run(subject.name);
    }
    renameNamed(db, passage, one);
  }
  if (isThere.get("calls") !== undefined) renameGivenRows(db, passage);
  renameCounters(db, passage);
}
