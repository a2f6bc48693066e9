/** Messages for the receivers of webhooks in a SQLite database; knows neither plan nor network. */
import type Database from "better-sqlite3";
import type { Message, Messages, NewMessage, Receiver } from "../../run/index.ts";
import { Prepared } from "./prepared.ts";

const COLUMNS = "number, webhook, receiver, name, body, attempts, due, event, sent";

const SAME_MAX = 500;

type MessageColumns = Record<"number" | "receiver" | "attempts" | "due" | "sent", bigint> &
  Record<"webhook" | "name" | "body" | "event", string>;

function messageOf({ number, receiver, attempts, ...rest }: MessageColumns): Message {
  const small = { number: Number(number), receiver: Number(receiver), attempts: Number(attempts) };
  return { ...rest, ...small };
}

/** Those that follow with the same webhook, event and body, as many as one statement adds. */
function sameFrom(messages: readonly NewMessage[], from: number): readonly NewMessage[] {
  const first = messages[from];
  let to = from + 1;
  while (to < messages.length && to - from < SAME_MAX) {
    const next = messages[to];
    if (next?.webhook !== first?.webhook || next?.event !== first?.event) break;
    if (next?.body !== first?.body) break;
    to++;
  }
  return messages.slice(from, to);
}

/** The messages of one connection. */
export class SqliteMessages implements Messages {
  readonly #sql: Prepared;

  constructor(db: Database.Database) {
    this.#sql = new Prepared(db);
  }

  add(messages: readonly NewMessage[], sent: bigint): void {
    for (let from = 0; from < messages.length; ) {
      const same = sameFrom(messages, from);
      this.#addSame(same, sent);
      from += same.length;
    }
  }

  /** One statement for many of a webhook with one body: half the time of a statement for each. */
  #addSame(messages: readonly NewMessage[], sent: bigint): void {
    const [first] = messages;
    if (first === undefined) return;
    const { webhook, body, event } = first;
    const each = JSON.stringify(messages.map(({ receiver, name }) => [receiver, name]));
    this.#sql.run(
      "INSERT INTO messages (webhook, receiver, name, body, attempts, due, event, sent) " +
        "SELECT @webhook, value ->> 0, value ->> 1, @body, 0, @sent, @event, @sent " +
        "FROM json_each(@each)",
      (one) => one.run({ webhook, body, event, sent, each }),
    );
  }

  put({ number, webhook, receiver, name, body, attempts, due, event, sent }: Message): void {
    this.#sql.run(
      `INSERT INTO messages (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ` +
        "ON CONFLICT (number) DO UPDATE SET attempts = excluded.attempts, due = excluded.due",
      (one) => one.run(number, webhook, receiver, name, body, attempts, due, event, sent),
    );
  }

  remove(number: number): void {
    this.#sql.run("DELETE FROM messages WHERE number = ?", (one) => one.run(number));
  }

  due({ webhook, receiver }: Receiver, until: bigint, countMax: number): readonly Message[] {
    return this.#sql.run(
      `SELECT ${COLUMNS} FROM messages WHERE webhook = ? AND receiver = ? ` +
        "AND due <= ? ORDER BY due, number LIMIT ?",
      (one) => (one.all(webhook, receiver, until, countMax) as MessageColumns[]).map(messageOf),
    );
  }

  first({ webhook, receiver }: Receiver): Message | undefined {
    return this.#sql.run(
      `SELECT ${COLUMNS} FROM messages WHERE webhook = ? AND receiver = ? ` +
        "ORDER BY number LIMIT 1",
      (one) => {
        const held = one.get(webhook, receiver) as MessageColumns | undefined;
        return held && messageOf(held);
      },
    );
  }

  receivers(after: Receiver | undefined, until: bigint, countMax: number): readonly Receiver[] {
    const found: Receiver[] = [];
    let at = this.#receiverAfter(after ?? { webhook: "", receiver: 0 });
    for (; at !== undefined && found.length < countMax; at = this.#receiverAfter(at)) {
      if (this.#isDue(at, until)) found.push(at);
    }
    return found;
  }

  /** A seek, however many messages wait for one receiver. */
  #receiverAfter({ webhook, receiver }: Receiver): Receiver | undefined {
    return this.#sql.run(
      "SELECT webhook, receiver FROM messages " +
        "WHERE (webhook, receiver) > (?, ?) ORDER BY webhook, receiver LIMIT 1",
      (one) => {
        const held = one.get(webhook, receiver) as MessageColumns | undefined;
        return held && { webhook: held.webhook, receiver: Number(held.receiver) };
      },
    );
  }

  #isDue({ webhook, receiver }: Receiver, until: bigint): boolean {
    return this.#sql.run(
      "SELECT 1 FROM messages WHERE webhook = ? AND receiver = ? AND due <= ? " + "LIMIT 1",
      (one) => one.get(webhook, receiver, until) !== undefined,
    );
  }

  nextDue(after: bigint): bigint | undefined {
    return this.#sql.run(
      "SELECT min(due) AS due FROM messages WHERE due > ?",
      (one) => (one.get(after) as { due: bigint | null }).due ?? undefined,
    );
  }

  count(most: number): number {
    return this.#sql.run("SELECT count(*) AS n FROM (SELECT 1 FROM messages LIMIT ?)", (one) =>
      Number((one.get(most) as { n: bigint }).n),
    );
  }
}
