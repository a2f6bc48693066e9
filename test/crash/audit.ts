/** Compares a file with what clients were told, and with what the document states. */
import Database from "better-sqlite3";
import type { Ledger, Write } from "./ledger.ts";

type Cells = Readonly<Record<string, string | number | null>>;

interface Held {
  readonly accounts: ReadonlyMap<unknown, Cells>;
  readonly transfers: ReadonlyMap<unknown, Cells>;
  readonly hits: ReadonlyMap<unknown, Cells>;
  readonly tasks: ReadonlyMap<unknown, Cells>;
  readonly claims: ReadonlyMap<unknown, Cells>;
  readonly counters: readonly Cells[];
  readonly firings: readonly Cells[];
  /** Name of the event and tag of the row that it is about. */
  readonly events: readonly { readonly event: string; readonly tag: string | null }[];
}

/** Rows of all tables at one moment; rows that clients wrote by their tag. */
function readAll(file: string): Held {
  const db = new Database(file, { readonly: true });
  try {
    db.exec("BEGIN");
    const rows = (table: string): Cells[] =>
      db.prepare(`SELECT * FROM "r_${table}"`).all() as Cells[];
    const byTag = (table: string): Map<unknown, Cells> =>
      new Map(rows(table).map((row) => [row.f_tag, row]));
    const tasks = byTag("Task");
    const claims = new Map(
      [...tasks.values()].flatMap((row) =>
        row.f_claimedBy === null ? [] : [[row.f_claimedBy, row] as const],
      ),
    );
    return {
      accounts: byTag("Account"),
      transfers: byTag("Transfer"),
      hits: byTag("Hit"),
      tasks,
      claims,
      counters: rows("Counter"),
      firings: rows("Firing"),
      events: db
        .prepare(`SELECT event, json_extract(content, '$.data.tag') AS tag FROM outbox`)
        .all() as Held["events"],
    };
  } finally {
    db.close();
  }
}

/**
 * What is wrong with the file: one sentence for each fault; empty where all is well. What was
 * acknowledged and is not there begins with `lost`.
 */
export function audit(file: string, ledger: Ledger): string[] {
  const held = readAll(file);
  return [
    ...lost(held, ledger),
    ...kept(held, ledger),
    ...sums(held),
    ...counts(held),
    ...timers(held),
    ...events(held),
    ...twice(
      "the name",
      [...held.accounts.values()].map((row) => row.f_name),
    ),
    ...ledger.odd.splice(0).map((text) => `an answer that is not stated: ${text}`),
  ];
}

function placeOf({ what }: { readonly what: Write["what"] }, held: Held) {
  const places = {
    account: held.accounts,
    transfer: held.transfers,
    hit: held.hits,
    task: held.tasks,
    claim: held.claims,
  };
  return places[what];
}

/** Acknowledged writes that are not there, or are there otherwise. */
function lost(held: Held, { acknowledged }: Ledger): string[] {
  const keys = new Map([...held.accounts.values()].map((row) => [row.f_id, row._key]));
  return acknowledged.flatMap((write) => {
    const row = placeOf(write, held).get(write.tag);
    if (row === undefined) return [`lost: ${write.what} ${write.tag}`];
    const same =
      (write.what !== "account" || row.f_name === write.name) &&
      (write.what !== "claim" || row.f_id === write.task) &&
      (write.what !== "transfer" ||
        (row.f_amount === write.amount &&
          row.f_from === keys.get(write.from ?? "") &&
          row.f_to === keys.get(write.to ?? "")));
    return same ? [] : [`changed: ${write.what} ${write.tag} is ${JSON.stringify(row)}`];
  });
}

/** Refused writes of which something was kept. */
function kept(held: Held, { refused }: Ledger): string[] {
  return refused.flatMap((one) =>
    placeOf(one, held).has(one.tag) ? [`kept though refused: ${one.what} ${one.tag}`] : [],
  );
}

/** Each account has what its transfers leave of the first thousand, and never less than nothing. */
function sums({ accounts, transfers }: Held): string[] {
  const moved = new Map<unknown, number>();
  for (const { f_from, f_to, f_amount } of transfers.values()) {
    moved.set(f_from, (moved.get(f_from) ?? 0) - Number(f_amount));
    moved.set(f_to, (moved.get(f_to) ?? 0) + Number(f_amount));
  }
  return [...accounts.values()].flatMap((row) => {
    const due = 1000 + (moved.get(row._key) ?? 0);
    const balance = Number(row.f_balance);
    if (balance === due && balance >= 0) return [];
    return [`half applied: ${row.f_id} has ${balance} where its transfers leave ${due}`];
  });
}

function counts({ counters, hits }: Held): string[] {
  const numbers = new Map<unknown, Set<unknown>>();
  const all = [...hits.values()];
  for (const { f_counter, f_number } of all) {
    const known = numbers.get(f_counter) ?? new Set();
    numbers.set(f_counter, known.add(f_number));
  }
  return counters.flatMap(({ _key, f_name, f_value }) => {
    const count = all.filter((row) => row.f_counter === _key).length;
    if (f_value !== count)
      return [`the invariant of ${f_name} is broken: ${f_value}, ${count} hits`];
    const different = numbers.get(_key)?.size ?? 0;
    return different === count ? [] : [`hits of ${f_name}: ${different} numbers, ${count} rows`];
  });
}

/** A task has finished once and left one row that says so, or has not finished and left none. */
function timers({ tasks, firings }: Held): string[] {
  const fired = new Map<unknown, number>();
  for (const { f_task } of firings) fired.set(f_task, (fired.get(f_task) ?? 0) + 1);
  return [...tasks.values()].flatMap((row) => {
    const expected = row.f_status === "finished" ? 1 : 0;
    const count = fired.get(row._key) ?? 0;
    if (count === expected && row.f_fired === expected && row.f_status !== "failed") return [];
    return [`timer of ${row.f_id} (${row.f_status}): ${row.f_fired} times, ${count} rows`];
  });
}

/** Every cause has its event, once, and there is no event without a cause. */
function events({ accounts, transfers, tasks, events: found }: Held): string[] {
  const finished = [...tasks.values()].filter((row) => row.f_status === "finished");
  const causes = [
    ...[...accounts.keys()].map((tag) => `account.opened ${String(tag)}`),
    ...[...transfers.keys()].map((tag) => `transfer.done ${String(tag)}`),
    ...finished.map((row) => `task.finished ${row.f_tag}`),
  ];
  const left = new Set(found.map(({ event, tag }) => `${event} ${tag}`));
  const faults = twice(
    "the event",
    found.map(({ event, tag }) => `${event} ${tag}`),
  );
  for (const cause of causes) if (!left.delete(cause)) faults.push(`no event of ${cause}`);
  return [...faults, ...[...left].map((event) => `event without a cause: ${event}`)];
}

function twice(what: string, values: readonly unknown[]): string[] {
  const seen = new Set<unknown>();
  return values.flatMap((value) => {
    if (seen.has(value)) return [`${what} ${String(value)} is there twice`];
    seen.add(value);
    return [];
  });
}

/** Tasks whose time has come and that have not finished. */
export function waitingTasks(file: string): number {
  const db = new Database(file, { readonly: true });
  try {
    const row = db.prepare(`SELECT count(*) AS n FROM "r_Task" WHERE f_status <> 'finished'`).get();
    return (row as { n: number }).n;
  } finally {
    db.close();
  }
}

/** Tasks whose time came within one of the spans, in milliseconds since 1970. */
export function dueBetween(file: string, spans: readonly (readonly [number, number])[]): number {
  const db = new Database(file, { readonly: true });
  try {
    const count = db
      .prepare(`SELECT count(*) FROM "r_Task"
      WHERE f_dueAt BETWEEN ? AND ?`)
      .pluck();
    return spans.reduce(
      (sum, [from, until]) => sum + Number(count.get(from * 1000, until * 1000)),
      0,
    );
  } finally {
    db.close();
  }
}
