/** What is to happen outside, in PostgreSQL: events, messages for receivers, calls. */
import type {
  Called,
  Calls,
  Events,
  GivenRow,
  Message,
  Messages,
  NewMessage,
  Receiver,
  Recorded,
} from "../../run/index.ts";
import type { Change } from "./depends.ts";
import { fromKept, toKept } from "./text.ts";
import type { PgTransaction } from "./transaction.ts";
import type { HeldRow } from "./wire.ts";

/** Events taken out in one go, so that no transaction waits long for it. */
const FORGOTTEN_AT_ONCE = 1_024;
const EVENTS: Change = { table: "outbox" };
const MESSAGES: Change = { table: "messages" };
/** Messages that one statement adds. */
const ADDED_AT_ONCE = 500;

const text = (held: HeldRow, at: number): string => fromKept(held[at] ?? "");
const whole = (held: HeldRow, at: number): bigint => BigInt(held[at] ?? 0);

export class PgEvents implements Events {
  readonly #tx: PgTransaction;

  constructor(tx: PgTransaction) {
    this.#tx = tx;
  }

  record(event: string, at: bigint, content: string): void {
    const number = this.#tx.sequences.take("outbox");
    this.#tx.write(
      "INSERT INTO outbox (number, event, at, content) VALUES ($1::bigint, $2, $3::bigint, $4)",
      [String(number), toKept(event), String(at), toKept(content)],
      EVENTS,
    );
  }

  after(number: number, countMax: number): readonly Recorded[] {
    const found = this.#tx.ask(
      "SELECT number, event, at, content FROM outbox " +
        "WHERE number > $1::bigint ORDER BY number LIMIT $2::bigint",
      [String(number), String(countMax)],
    );
    return found.map((held) => ({
      number: Number(held[0]),
      event: text(held, 1),
      at: whole(held, 2),
      content: text(held, 3),
    }));
  }

  last(): number {
    const [row] = this.#tx.ask("SELECT max(number) FROM outbox");
    return Number(row?.[0] ?? 0);
  }

  forget(from: bigint): void {
    this.#tx.write(
      "DELETE FROM outbox WHERE number IN (SELECT number FROM " +
        "(SELECT number, at FROM outbox ORDER BY number LIMIT $1::bigint) o WHERE at < $2::bigint)",
      [String(FORGOTTEN_AT_ONCE), String(from)],
      EVENTS,
    );
  }
}

const MESSAGE = "number, webhook, receiver, name, body, attempts, due, event, sent";

function messageOf(held: HeldRow): Message {
  return {
    number: Number(held[0]),
    webhook: text(held, 1),
    receiver: Number(held[2]),
    name: text(held, 3),
    body: text(held, 4),
    attempts: Number(held[5]),
    due: whole(held, 6),
    event: text(held, 7),
    sent: whole(held, 8),
  };
}

function receiverAfter(webhook: string, receiver: string): string {
  return (
    "SELECT webhook, receiver FROM messages " +
    `WHERE (webhook, receiver) > (${webhook}, ${receiver}) ORDER BY webhook, receiver LIMIT 1`
  );
}

/** A seek for each receiver, however many messages wait for one. */
const RECEIVERS =
  `WITH RECURSIVE each AS ((${receiverAfter("$1", "$2::bigint")}) UNION ALL ` +
  "SELECT n.webhook, n.receiver FROM each CROSS JOIN LATERAL " +
  `(${receiverAfter("each.webhook", "each.receiver")}) n) ` +
  "SELECT webhook, receiver FROM each WHERE EXISTS (SELECT 1 FROM messages m " +
  "WHERE m.webhook = each.webhook AND m.receiver = each.receiver AND m.due <= $3::bigint) " +
  "LIMIT $4::bigint";

export class PgMessages implements Messages {
  readonly #tx: PgTransaction;

  constructor(tx: PgTransaction) {
    this.#tx = tx;
  }

  add(messages: readonly NewMessage[], sent: bigint): void {
    for (let from = 0; from < messages.length; from += ADDED_AT_ONCE) {
      const some = messages.slice(from, from + ADDED_AT_ONCE);
      const first = this.#tx.sequences.take("messages", some.length);
      const all = some.map(({ webhook, receiver, name, body, event }) => {
        return [webhook, receiver, name, body, event].map((one) =>
          typeof one === "string" ? toKept(one) : one,
        );
      });
      this.#tx.write(
        `INSERT INTO messages (${MESSAGE}) ` +
          "SELECT $1::bigint + at - 1, m ->> 0, (m ->> 1)::bigint, m ->> 2, m ->> 3, 0, " +
          "$2::bigint, m ->> 4, $2::bigint FROM json_array_elements($3::json) " +
          "WITH ORDINALITY AS each (m, at)",
        [String(first), String(sent), JSON.stringify(all)],
        MESSAGES,
      );
    }
  }

  put({ number, webhook, receiver, name, body, attempts, due, event, sent }: Message): void {
    this.#tx.write(
      `INSERT INTO messages (${MESSAGE}) VALUES ($1::bigint, $2, $3::bigint, $4, $5, ` +
        "$6::bigint, $7::bigint, $8, $9::bigint) " +
        "ON CONFLICT (number) DO UPDATE SET attempts = excluded.attempts, due = excluded.due",
      [
        String(number),
        toKept(webhook),
        String(receiver),
        toKept(name),
        toKept(body),
        String(attempts),
        String(due),
        toKept(event),
        String(sent),
      ],
    );
  }

  remove(number: number): void {
    this.#tx.write("DELETE FROM messages WHERE number = $1::bigint", [String(number)]);
  }

  due({ webhook, receiver }: Receiver, until: bigint, countMax: number): readonly Message[] {
    const found = this.#tx.ask(
      `SELECT ${MESSAGE} FROM messages WHERE webhook = $1 AND receiver = $2::bigint ` +
        "AND due <= $3::bigint ORDER BY due, number LIMIT $4::bigint",
      [toKept(webhook), String(receiver), String(until), String(countMax)],
    );
    return found.map(messageOf);
  }

  first({ webhook, receiver }: Receiver): Message | undefined {
    const [held] = this.#tx.ask(
      `SELECT ${MESSAGE} FROM messages WHERE webhook = $1 AND receiver = $2::bigint ` +
        "ORDER BY number LIMIT 1",
      [toKept(webhook), String(receiver)],
    );
    return held && messageOf(held);
  }

  receivers(after: Receiver | undefined, until: bigint, countMax: number): readonly Receiver[] {
    const { webhook, receiver } = after ?? { webhook: "", receiver: 0 };
    const found = this.#tx.ask(RECEIVERS, [
      toKept(webhook),
      String(receiver),
      String(until),
      String(countMax),
    ]);
    return found.map((held) => ({ webhook: text(held, 0), receiver: Number(held[1]) }));
  }

  nextDue(after: bigint): bigint | undefined {
    const [held] = this.#tx.ask("SELECT min(due) FROM messages WHERE due > $1::bigint", [
      String(after),
    ]);
    return typeof held?.[0] === "string" ? BigInt(held[0]) : undefined;
  }

  count(most: number): number {
    const [held] = this.#tx.ask(
      "SELECT count(*) FROM (SELECT 1 FROM messages LIMIT $1::bigint) m",
      [String(most)],
    );
    return Number(held?.[0] ?? 0);
  }
}

const CALL = "key, work, call, given, rows, state, undoes, since, due, attempts";

function calledOf(held: HeldRow): Called {
  return {
    key: text(held, 0),
    work: text(held, 1),
    call: text(held, 2),
    given: text(held, 3),
    rows: JSON.parse(text(held, 4)) as GivenRow[],
    state: text(held, 5) as Called["state"],
    undoes: held[6] === null ? undefined : text(held, 6),
    since: whole(held, 7),
    due: whole(held, 8),
    attempts: Number(held[9]),
  };
}

export class PgCalls implements Calls {
  readonly #tx: PgTransaction;

  constructor(tx: PgTransaction) {
    this.#tx = tx;
  }

  put({ key, work, call, given, rows, state, undoes, since, due, attempts }: Called): void {
    const others = CALL.split(", ").slice(1);
    this.#tx.write(
      `INSERT INTO calls (${CALL}) VALUES ($1, $2, $3, $4, $5, $6, $7, ` +
        "$8::bigint, $9::bigint, $10::bigint) ON CONFLICT (key) DO UPDATE SET " +
        others.map((one) => `${one} = excluded.${one}`).join(", "),
      [
        toKept(key),
        toKept(work),
        toKept(call),
        toKept(given),
        JSON.stringify(rows),
        state,
        undoes === undefined ? null : toKept(undoes),
        String(since),
        String(due),
        String(attempts),
      ],
    );
  }

  get(key: string): Called | undefined {
    const [held] = this.#tx.ask(`SELECT ${CALL} FROM calls WHERE key = $1`, [toKept(key)]);
    return held && calledOf(held);
  }

  remove(key: string): void {
    this.#tx.write("DELETE FROM calls WHERE key = $1", [toKept(key)]);
  }

  asked(work?: string): readonly Called[] {
    const which = work === undefined ? "" : " AND work = $1";
    const values = work === undefined ? [] : [toKept(work)];
    const order = 'ORDER BY since, key COLLATE "C"';
    return this.#tx
      .ask(`SELECT ${CALL} FROM calls WHERE state = 'asked'${which} ${order}`, values)
      .map(calledOf);
  }

  due(state: "undo" | "long", until: bigint, countMax: number): readonly Called[] {
    const found = this.#tx.ask(
      `SELECT ${CALL} FROM calls WHERE state = $1 AND due <= $2::bigint ` +
        "ORDER BY due LIMIT $3::bigint",
      [state, String(until), String(countMax)],
    );
    return found.map(calledOf);
  }

  nextDue(after: bigint): bigint | undefined {
    const [held] = this.#tx.ask(
      "SELECT min(due) FROM calls WHERE state <> 'asked' AND due > $1::bigint",
      [String(after)],
    );
    return typeof held?.[0] === "string" ? BigInt(held[0]) : undefined;
  }
}
