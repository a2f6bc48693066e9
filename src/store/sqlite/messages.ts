/** Messages for the receivers of webhooks in a SQLite database; knows neither plan nor network. */
import type Database from "better-sqlite3";
import type { Message, Messages, Receiver } from "../../run/index.ts";
import { Prepared } from "./prepared.ts";

const COLUMNS = "number, webhook, receiver, name, body, attempts, due";

type MessageColumns = Record<"number" | "receiver" | "attempts" | "due", bigint> &
  Record<"webhook" | "name" | "body", string>;

function messageOf({
  number,
  receiver,
  attempts,
  due,
  webhook,
  name,
  body,
}: MessageColumns): Message {
  const small = { number: Number(number), receiver: Number(receiver), attempts: Number(attempts) };
  return { ...small, webhook, name, body, due };
}

/** The messages of one connection. */
export class SqliteMessages implements Messages {
  readonly #sql: Prepared;

  constructor(db: Database.Database) {
    this.#sql = new Prepared(db);
  }

  add({ webhook, receiver, name, body, attempts, due }: Omit<Message, "number">): void {
    this.#sql.run(
      "INSERT INTO messages (webhook, receiver, name, body, attempts, due) " +
        "VALUES (?, ?, ?, ?, ?, ?)",
      (one) => one.run(webhook, receiver, name, body, attempts, due),
    );
  }

  put({ number, webhook, receiver, name, body, attempts, due }: Message): void {
    this.#sql.run(
      `INSERT INTO messages (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?) ` +
        "ON CONFLICT (number) DO UPDATE SET attempts = excluded.attempts, due = excluded.due",
      (one) => one.run(number, webhook, receiver, name, body, attempts, due),
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

  nextReceiver(after: Receiver | undefined, until: bigint): Receiver | undefined {
    let at = this.#receiverAfter(after ?? { webhook: "", receiver: 0 });
    while (at !== undefined && !this.#isDue(at, until)) at = this.#receiverAfter(at);
    return at;
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
