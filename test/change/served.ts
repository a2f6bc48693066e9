/** Serves an edited document on what was kept, and compares what is read with what was written. */
import assert from "node:assert/strict";
import { copyFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Plan } from "../../src/plan/index.ts";
import {
  CannotServe,
  type MovableClock,
  movableClock,
  type Running,
  serve,
} from "../../src/serve/index.ts";
import { document } from "../serve/document.ts";
import { ask, base, HOUR, ITEM, type Kept, listen, type Row } from "./base.ts";

/** Where messages go: it counts them by the name of the delivery. */
export interface Bell {
  readonly address: string;
  readonly got: Map<string, number>;
  /** Resolves when so many different ones have come. */
  until(count: number): Promise<void>;
  close(): void;
}

export async function bell(): Promise<Bell> {
  const got = new Map<string, number>();
  let heard = (): void => {};
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (text: Buffer) => {
      body += text.toString();
    });
    request.on("end", () => {
      const { delivery } = JSON.parse(body) as { delivery: string };
      got.set(delivery, (got.get(delivery) ?? 0) + 1);
      response.writeHead(204).end();
      heard();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}/`,
    got,
    until: (count) =>
      new Promise((resolve, reject) => {
        const late = setTimeout(() => reject(new Error(`${got.size} of ${count} messages`)), 8000);
        heard = () => {
          if (got.size < count) return;
          clearTimeout(late);
          resolve();
        };
        heard();
      }),
    close: () => void server.close(),
  };
}

/** What is otherwise than after a start with the same document. */
export interface Otherwise {
  /** Members of each item that are more, or others. */
  readonly more?: Row;
  /** The endpoint of the kept answer, the stream or the webhook is gone. */
  readonly gone?: "retry" | "stream" | "messages";
  /** Path of the stream. */
  readonly feed?: string;
  /** Jobs are not compared: their transitions are others. */
  readonly jobs?: false;
}

/** What became of a start. */
export type Became =
  | { readonly is: "taken"; readonly said: readonly string[] }
  | { readonly is: "refused"; readonly why: string };

/** Two hours and ten minutes later: what was kept of times has come. */
const LATER = 2n * HOUR + HOUR / 6n;

interface Served {
  readonly plan: Plan;
  readonly origins: object;
}

async function retried(address: string, { first }: Kept, other: Otherwise): Promise<void> {
  if (other.gone === "retry") {
    const headers = { "Content-Type": "application/json", "Idempotency-Key": "k1" };
    const sent = { method: "POST", headers, body: JSON.stringify(ITEM) };
    const { status } = await fetch(`${address}/items`, sent);
    assert.ok(status >= 400, `a retry has an effect: ${status}`);
    return;
  }
  assert.deepEqual(await ask(address, "/items", ITEM, "k1"), first, "the retry");
}

/** Everything that is read of what was kept. */
async function compared(
  address: string,
  kept: Kept,
  jobs: unknown,
  other: Otherwise,
): Promise<void> {
  await retried(address, kept, other);
  const now = await ask(address, "/items");
  const rows = kept.rows.map((row) => ({ ...row, ...other.more }));
  assert.deepEqual(now, rows, "the rows");
  assert.deepEqual(await ask(address, "/items/with/y"), now, "rows by an item of a list");
  if (other.jobs !== false) {
    const own = (all: unknown): unknown =>
      (all as Row[]).map(({ number, beats, run, begins }) => ({ number, beats, run, begins }));
    assert.deepEqual(own(await ask(address, "/jobs")), own(jobs), "what was due");
  }
  if (other.gone === "stream") return;
  const [first, second] = kept.told;
  const told = await listen(address, 1, first?.id, other.feed);
  assert.deepEqual(told, [second], "the stream");
}

/** The jobs as they are after a start with the same document, later. */
export async function jobsLater(kept: Kept, file: string): Promise<unknown> {
  copyFileSync(kept.file, file);
  const clock = movableClock(kept.now + LATER);
  const { address, stop } = await serve(document(base).plan, { file, inline: true, clock });
  const jobs = await ask(address, "/jobs");
  await stop();
  return jobs;
}

interface Start {
  readonly kept: Kept;
  readonly file: string;
  readonly jobs: unknown;
  readonly bell: Bell;
}

/** Serves with an edited document on a copy of what was kept, twice. */
export async function started(
  { kept, file, jobs, bell: rung }: Start,
  { plan, origins }: Served,
  other: Otherwise,
): Promise<Became> {
  copyFileSync(kept.file, file);
  rung.got.clear();
  const said: string[] = [];
  for (const _ of [1, 2]) {
    const log = (line: string): void => void said.push(line);
    let running: Running;
    try {
      running = await serve(plan, {
        origins: JSON.stringify(origins),
        ...{ file, log, inline: true, allowPrivateReceivers: true },
        clock: movableClock(kept.now + LATER),
      });
    } catch (fault) {
      assert.ok(fault instanceof CannotServe, String(fault));
      await unchanged(kept, file);
      return { is: "refused", why: fault.message };
    }
    try {
      await compared(running.address, kept, jobs, other);
      if (other.gone !== "messages") await rung.until(2);
    } finally {
      await running.stop();
    }
  }
  assert.ok(
    [...rung.got.values()].every((count) => count === 1),
    "a message came twice",
  );
  return { is: "taken", said: said.filter((one) => one.startsWith("changed: ")) };
}

/** What was refused is as it was: the document that wrote it serves it. */
async function unchanged(kept: Kept, file: string): Promise<void> {
  const clock = movableClock(kept.now);
  const { address, stop } = await serve(document(base).plan, { file, inline: true, clock });
  const rows = await ask(address, "/items");
  await stop();
  assert.deepEqual(rows, kept.rows, "rows behind a refusal");
}

/** All that was kept, two hours later: rows, the retry, what was due, the stream, each message once. */
async function afterwards(
  { address }: Pick<Running, "address">,
  clock: MovableClock,
  { kept, jobs, bell: rung }: Start,
  other: Otherwise,
): Promise<void> {
  clock.move(LATER);
  await compared(address, kept, jobs, other);
  if (other.gone !== "messages") await rung.until(2);
  const counts = [...rung.got.values()];
  assert.ok(
    counts.every((count) => count === 1),
    "a message came twice",
  );
}

/** Gives an edited document to a service that runs; then what was kept is due. */
export async function whileRunning(
  start: Start,
  { plan, origins }: Served,
  other: Otherwise,
): Promise<Became> {
  const { kept, file, bell: rung } = start;
  copyFileSync(kept.file, file);
  rung.got.clear();
  const own = document(base);
  const said: string[] = [];
  const clock = movableClock(kept.now);
  const running = await serve(own.plan, {
    ...{ file, log: (line: string) => void said.push(line), clock, allowPrivateReceivers: true },
    origins: JSON.stringify(own.origins),
  });
  const { address } = running;
  try {
    const refused = await running
      .take({ plan, origins: JSON.stringify(origins), startRows: undefined })
      .then(
        () => undefined,
        (fault: unknown) => fault,
      );
    if (refused !== undefined) {
      assert.ok(refused instanceof CannotServe, String(refused));
      assert.deepEqual(await ask(address, "/items"), kept.rows, "it serves on as before");
      await afterwards(running, clock, start, {});
      return { is: "refused", why: refused.message };
    }
    const rows = kept.rows.map((row) => ({ ...row, ...other.more }));
    assert.deepEqual(await ask(address, "/items"), rows, "rows of a service that runs");
    await retried(address, kept, other);
    await afterwards(running, clock, start, other);
    return { is: "taken", said };
  } finally {
    await running.stop();
  }
}
