/**
 * A conversation with a service of a document: on both stores its answers are those that the test
 * says, and the reference interpreter, given the same requests, gives the same answers and rows.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { answersOf, type Wait } from "./both.ts";

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

const isTurn = (one: Turn | Wait): one is Turn => "send" in one;

/** Makes a test: `turns` may make use of nothing that the service makes at random. */
export function conversation(
  name: string,
  document: string,
  turns: readonly (Turn | Wait)[],
): void {
  test(name, async () => {
    const asks = turns.map((turn) =>
      isTurn(turn)
        ? { of: turn.send, body: turn.body, headers: Object.entries(turn.headers ?? {}) }
        : turn,
    );
    const answers = await answersOf(document, asks);
    for (const [i, turn] of turns.filter(isTurn).entries()) {
      const answer = answers[i] ?? assert.fail(turn.send);
      const told = `${turn.send} ${JSON.stringify(turn.body) ?? ""}: ${answer.text}`;
      assert.equal(answer.status, turn.status, told);
      if (turn.json !== undefined) assert.deepEqual(answer.json, turn.json, told);
    }
  });
}
