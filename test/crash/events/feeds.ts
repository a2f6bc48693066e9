/** Compares what readers of streams saw with the events of a file. */
import Database from "better-sqlite3";
import { EventNames } from "../../../src/serve/streams/names.ts";
import type { Reader } from "./readers.ts";

/** By number: name and tag of an event, and the amount of a transfer. */
export type Happened = ReadonlyMap<number, { readonly name: string; readonly amount: number }>;

/** All events of the file, in their order. */
export function readHappened(file: string): Happened {
  const db = new Database(file, { readonly: true });
  try {
    const rows = db
      .prepare(`SELECT number, event || ' ' || json_extract(content, '$.data.tag')
      AS name, json_extract(content, '$.data.amount') AS amount FROM outbox ORDER BY number`)
      .all() as { number: number; name: string; amount: number | null }[];
    return new Map(rows.map(({ number, name, amount }) => [number, { name, amount: amount ?? 0 }]));
  } finally {
    db.close();
  }
}

/** The names that events of the file have on streams. */
export function namesIn(file: string): EventNames {
  const db = new Database(file, { readonly: true });
  try {
    const text = db.prepare("SELECT value FROM meta WHERE name = 'secret'").pluck().get();
    return new EventNames(Buffer.from(String(text), "base64"));
  } finally {
    db.close();
  }
}

const AMOUNT_SEEN = 40;

/** Numbers of the events that a stream sends. */
export function sentOn(stream: string, happened: Happened): number[] {
  return [...happened]
    .filter(
      ([, { name, amount }]) =>
        stream === "feed" || (name.startsWith("transfer.done ") && amount > AMOUNT_SEEN),
    )
    .map(([number]) => number);
}

/** Each event once, in order, none left out before the last one that was seen. */
export function misread({ stream, habit, seen, odd }: Reader, happened: Happened): string[] {
  const who = `the ${habit} reader of ${stream}`;
  const faults = odd.map((text) => `${who}: ${text}`);
  let last = 0;
  for (const { number, event, tag } of seen) {
    if (number <= last) faults.push(`${who} got ${number} after ${last}`);
    last = Math.max(last, number);
    const is = happened.get(number)?.name ?? "nothing";
    if (is !== `${event} ${tag}`) faults.push(`${who} got ${number} ${event} ${tag}, is ${is}`);
  }
  const numbers = new Set(seen.map(({ number }) => number));
  const sent = sentOn(stream, happened).filter((number) => number <= last);
  const missed = sent.filter((number) => !numbers.has(number));
  if (missed.length > 0) faults.push(`lost: ${who} never got ${missed.slice(0, 5).join(", ")}`);
  if (numbers.size > sent.length) faults.push(`${who} got what it may not see`);
  return faults;
}

/** Whether a reader has seen all there is. */
export function isUpToDate({ stream, seen }: Reader, happened: Happened): boolean {
  return (seen.at(-1)?.number ?? 0) >= (sentOn(stream, happened).at(-1) ?? 0);
}
