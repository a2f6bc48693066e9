/** Who listens may lose that by the time alone, while a request is under way. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { Subscription } from "../../../src/verify/streams/subscription.ts";
import { StreamWatch } from "../../../src/verify/streams/watch.ts";
import { nowMicros } from "../../../src/verify/talk/client.ts";
import { edited, sessionOf } from "../edited.ts";

const SECOND = 1_000_000n;
const TEXT = readFileSync(join(import.meta.dirname, "spec.md"), "utf8");
const MATCHES = "`password_matches(it.key, credential)`";
const NO_ROWS = "- Rows at the start: none\n";
const ROWS = `- Rows at the start: block \`people\`

\`\`\`json rows people
[{"id": "person_1", "key": "good"}]
\`\`\`
`;

/**
 * Why a stream is over that was opened ten seconds ago, as it is seen behind a request that was sent
 * a second ago. `until`: from now, when the credential ends with which it was opened. `target`: of
 * the request.
 */
function overWhy(until: bigint, target = "/people"): string | undefined {
  const now = nowMicros();
  const ends = new Date(Number((now + until) / 1_000n)).toISOString();
  const inTime = `${MATCHES.slice(0, -1)} && now < timestamp("${ends}")\``;
  const text = edited(TEXT, [
    [NO_ROWS, ROWS],
    [MATCHES, inTime],
  ]);
  const document = { name: "rooms", text, rows: undefined, settings: {} };
  const { judge } = sessionOf(document, text, now - 60n * SECOND);
  const watch = new StreamWatch(judge);
  const headers = [["Authorization", "Bearer good"]] as const;
  const opening = watch.listening.openingOf({ method: "GET", target: "/mine", headers });
  assert.ok(opening !== undefined);
  const listener = watch.listening.listener(opening, undefined, judge.timeAt(now - 10n * SECOND));
  assert.ok(listener !== undefined);
  const incoming = new IncomingMessage(new Socket());
  const one = new Subscription({ opening, listener, number: 1, place: 0 }, incoming);
  watch.add(one);
  const request = { method: "POST", target, headers };
  judge.world.begin();
  const ran = judge.world.run(request, { now: judge.timeAt(now - SECOND) });
  judge.world.keep();
  watch.after(
    {
      ...{ number: 2, request, judgement: { is: "as stated", ran } },
      answer: { status: 201, sent: now - SECOND, received: now },
    },
    { ran, loose: undefined },
  );
  one.leave();
  return one.over?.why;
}

test("a credential that ends while a request is under way: the time ends the stream", () => {
  assert.equal(overWhy(-SECOND / 2n), "the time");
});

test("a caller who may do nothing behind the request", () => {
  assert.equal(overWhy(60n * SECOND, "/me/rest"), "the caller");
});

test("a credential that is good still", () => {
  assert.equal(overWhy(60n * SECOND), undefined);
});
