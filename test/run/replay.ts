/**
 * A conversation with a service of a document: on both stores its answers are those that the test
 * says, and the reference interpreter, given the same requests, gives the same answers and rows.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { EngineSide } from "../histories/engine.ts";
import { runHistory, START } from "../histories/history.ts";
import type { Step } from "../histories/requests.ts";
import { planOfText, subjectOf } from "../histories/subjects.ts";

export interface Turn {
  /** Method and target. */
  readonly send: string;
  /** Sent as JSON where it is no text; a text goes as it is. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
  /** The body of the answer; left out: not judged. */
  readonly json?: unknown;
}

const STORES = ["memory", "sqlite"] as const;

function requestOf({ send, body, headers = {} }: Turn) {
  const [method = "", target = ""] = send.split(" ");
  const text = body === undefined || typeof body === "string" ? (body ?? "") : JSON.stringify(body);
  const typed = text === "" ? {} : { "Content-Type": "application/json" };
  return {
    method,
    target,
    headers: Object.entries({ ...typed, ...headers }),
    body: Buffer.from(text, "utf8").toString("latin1"),
  };
}

/** Numbers are compared by their digits. */
function read(text: string): unknown {
  return text === "" ? undefined : JSON.parse(text);
}

/** Makes a test for each store: `turns` may make use of nothing that the service makes at random. */
export function conversation(name: string, document: string, turns: readonly Turn[]): void {
  for (const store of STORES) {
    test(`${name} (${store})`, async () => {
      const subject = subjectOf(name, planOfText(document));
      const steps = turns.map(
        (turn, seed): Step => ({ is: "request", seed, request: requestOf(turn) }),
      );
      const engine = await EngineSide.open({
        plan: subject.plan,
        start: START,
        settings: subject.settings,
        store,
        random: (count) => new Uint8Array(count),
        startRows: undefined,
      });
      try {
        for (const turn of turns) {
          const answer = await engine.ask(requestOf(turn));
          const told = `${turn.send} ${JSON.stringify(turn.body) ?? ""}: ${answer.body}`;
          assert.equal(answer.status, turn.status, told);
          if (turn.json !== undefined) assert.deepEqual(read(answer.body), turn.json, told);
        }
      } finally {
        await engine.close();
      }
      const { difference } = await runHistory(subject, steps, store);
      assert.equal(difference?.what, undefined, turns[difference?.at ?? 0]?.send);
    });
  }
}
