/** Counters, sums and kept answers in PostgreSQL. */
import type { Counters, KeptAnswers } from "../../run/index.ts";
import { type Change, type Depends, where } from "./depends.ts";
import { fromKept, toKept } from "./text.ts";
import type { PgTransaction } from "./transaction.ts";

const TALLIES = { table: "tallies" } satisfies Change & Depends;
const ANSWERS = { table: "answers" } satisfies Change & Depends;

/** A group of what is counted under a name, as a value by which it is found. */
const groupOf = (name: string, group: number): string => `${group} ${name}`;

function ofGroup(name: string, group: number): Change {
  const is = () => groupOf(name, group);
  return { ...TALLIES, now: is, was: is };
}

function inGroup(name: string, group: number): Depends {
  return { ...TALLIES, only: [where("group", groupOf(name, group))] };
}

/** The last instant that there is. */
const LAST = 2n ** 63n - 1n;

export class PgCounters implements Counters {
  readonly #tx: PgTransaction;

  constructor(tx: PgTransaction) {
    this.#tx = tx;
  }

  next(counter: string): bigint {
    return this.#tx.sequences.count(counter);
  }

  atLeast(counter: string, last: bigint): void {
    this.#tx.sequences.countAtLeast(counter, last);
  }

  tally(name: string, group: number, { at, amount }: { at: bigint; amount: bigint }): void {
    this.#tx.write(
      "INSERT INTO tallies (name, grp, at, amount) " +
        "VALUES ($1, $2::bigint, $3::bigint, $4::numeric)",
      [toKept(name), String(group), String(at), String(amount)],
      { ...ofGroup(name, group), counts: { at, amount } },
    );
  }

  tallied(name: string, group: number, from: bigint, until = LAST): bigint {
    const [row] = this.#tx.ask(
      "SELECT coalesce(sum(amount), 0) FROM tallies " +
        "WHERE name = $1 AND grp = $2::bigint AND at BETWEEN $3::bigint AND $4::bigint",
      [toKept(name), String(group), String(from), String(until)],
      {
        ...inGroup(name, group),
        behind: ({ counts }, [sum]) => {
          if (counts === undefined) return undefined;
          const isIn = counts.at >= from && counts.at <= until;
          return [[String(BigInt(sum?.[0] ?? 0) + (isIn ? counts.amount : 0n))]];
        },
      },
    );
    return BigInt(row?.[0] ?? 0);
  }

  tallies(name: string, group: number, from: bigint, until = LAST): readonly bigint[] {
    const found = this.#tx.ask(
      "SELECT at FROM tallies WHERE name = $1 AND grp = $2::bigint " +
        "AND at BETWEEN $3::bigint AND $4::bigint ORDER BY at",
      [toKept(name), String(group), String(from), String(until)],
      // Whoever counts remembers what was counted: the first of them asks.
      { ...inGroup(name, group), once: `tallies ${group} ${name}` },
    );
    return found.map(([at]) => BigInt(at ?? 0));
  }

  forget(name: string, group: number, from: bigint): void {
    this.#tx.write(
      "DELETE FROM tallies WHERE name = $1 AND grp = $2::bigint AND at < $3::bigint",
      [toKept(name), String(group), String(from)],
      ofGroup(name, group),
    );
  }

  prune(name: string, after: number | undefined, from: bigint): number | undefined {
    if (this.#tx.isLooking) return undefined;
    const [row] = this.#tx.ask(
      "SELECT grp FROM tallies WHERE name = $1 AND grp > $2::bigint ORDER BY grp LIMIT 1",
      [toKept(name), String(after ?? -1)],
      TALLIES,
    );
    if (row === undefined) return undefined;
    const group = Number(row[0]);
    this.forget(name, group, from);
    return group;
  }
}

export class PgAnswers implements KeptAnswers {
  readonly #tx: PgTransaction;

  constructor(tx: PgTransaction) {
    this.#tx = tx;
  }

  kept(name: string, from: bigint): string | undefined {
    const [row] = this.#tx.ask(
      "SELECT content FROM answers WHERE name = $1 AND at >= $2::bigint",
      [toKept(name), String(from)],
      { ...ANSWERS, only: [where("name", name)] },
    );
    return row === undefined ? undefined : fromKept(row[0] ?? "");
  }

  keep(name: string, at: bigint, content: string): void {
    this.#tx.write(
      "INSERT INTO answers (name, at, content) VALUES ($1, $2::bigint, $3) " +
        "ON CONFLICT (name) DO UPDATE SET at = excluded.at, content = excluded.content",
      [toKept(name), String(at), toKept(content)],
      { ...ANSWERS, now: () => name, was: () => name },
    );
  }

  forget(from: bigint): void {
    this.#tx.write("DELETE FROM answers WHERE at < $1::bigint", [String(from)], ANSWERS);
  }
}
