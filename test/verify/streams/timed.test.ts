/** What falls due by itself may have happened before a stream was opened, or behind that. */
import assert from "node:assert/strict";
import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { test } from "node:test";
import { Subscription } from "../../../src/verify/streams/subscription.ts";
import { StreamWatch } from "../../../src/verify/streams/watch.ts";
import { nowMicros } from "../../../src/verify/talk/client.ts";
import { documentOf } from "../clauses/trial.ts";
import { edited, sessionOf } from "../edited.ts";

const TODO = documentOf("todo");
const SECOND = 1_000_000n;
const EDITS = [
  [
    "Authentication scheme, credentials, headers and token handling: none.",
    "Scheme, credentials, headers and token handling: none.\n\n| Actor | Holds when |\n|---|---|\n| `anyone` | always |",
  ],
  ["| `due` | date or null |", "| `due` | timestamp or null |"],
  [
    "- Any other transition: refused with `already_done`",
    "- Any other transition: refused with `already_done`\n- Clock: no later than 5 s after\n- At the same time: free",
  ],
  [
    "| `finish` | `open` | `done` | step | none | set `it.doneAt` = `now` |",
    "| `finish` | `open` | `done` | step | none | set `it.doneAt` = `now` |\n| `end` | `open` | `done` | time `due` | none | emit `ended` of `it` |",
  ],
  [
    "Events, notifications and callbacks: none.",
    "Callbacks: none.\n\n| Event | About | Data | Sent to |\n|---|---|---|---|\n| `ended` | `Todo` | `Todo` of `it` | stream `feed` |\n\n### `feed`, a stream\n\n- Path: `GET /feed`\n- Who: `anyone`\n- Sees: `true`\n- Resume: none\n- Ends: none\n- Heartbeat: none",
  ],
] as const;

const text = edited(TODO.text, EDITS);

/** What a stream is to send of an event that fell due a second ago, opened so long ago. */
function expected(opened: bigint): readonly string[] {
  const now = nowMicros();
  const { judge } = sessionOf(TODO, text, now);
  const watch = new StreamWatch(judge);
  const due = new Date(Number((now - SECOND) / 1_000n)).toISOString();
  const headers = [["Content-Type", "application/json"]] as const;
  judge.world.begin();
  judge.world.run(
    { method: "POST", target: "/todos", headers, body: JSON.stringify({ title: "v", due }) },
    { now: now - 60n * SECOND },
  );
  judge.world.keep();
  const request = { method: "GET", target: "/feed", headers: [] };
  const opening = watch.listening.openingOf(request);
  const listener = opening && watch.listening.listener(opening);
  assert.ok(opening !== undefined && listener !== undefined);
  const one = new Subscription(
    { opening, listener, number: 1, place: 0 },
    new IncomingMessage(new Socket()),
  );
  Object.defineProperty(one, "at", { value: now - opened });
  watch.add(one);
  watch.addTimed(judge.world.fire(judge.timeAt(nowMicros())));
  one.leave();
  return [...one.expected.values()];
}

test("opened while it fell due: it may come", () => {
  assert.deepEqual(expected(0n), ["may"]);
});

test("opened long before: it must", () => {
  assert.deepEqual(expected(30n * SECOND), ["must"]);
});
