/** What passes between threads arrives as it was. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Job, Reply } from "../../src/serve/jobs/job.ts";
import { packJob, packReply, unpackJob, unpackReply } from "../../src/serve/threads/packing.ts";

const job: Job = {
  id: "r-1",
  endpoint: 3,
  path: "/a//",
  params: ["a", ""],
  query: "b=%20",
  headers: ["x", undefined],
  body: null,
  bodyBytes: 7,
  bodyHash: "00",
  presented: [{ is: "none" }],
  pathBytes: 9,
  headerBytes: 20,
  address: "::1",
  now: 2n ** 61n,
  number: 4,
  turn: new Int32Array([1]),
  begunMs: 0.5,
};
const reply: Reply = {
  status: 201,
  headers: ["A", "b"],
  body: "{}",
  binary: true,
  notes: [{ what: "gap", text: "g" }],
  behind: "w",
  opening: {
    stream: "s",
    path: [["id", "a"]],
    caller: { resource: "R", key: 1 },
    shown: { headers: [["cookie", "a=b"]], query: "", address: "::1", hashed: [] },
    lastEventId: undefined,
  },
};

/** Members that say nothing are as good as none. */
function said(value: object): unknown {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined));
}

test("a job and a reply are the same on the other side", () => {
  assert.deepEqual(said(unpackJob(structuredClone(packJob(job)))), said(job));
  assert.deepEqual(said(unpackReply(structuredClone(packReply(reply)))), said(reply));
});

test("what is left out stays out", () => {
  const { number: _, turn: __, begunMs: ___, presented: ____, bodyHash: _____, ...least } = job;
  assert.deepEqual(said(unpackJob(structuredClone(packJob(least)))), said(least));
  const plain: Reply = { status: 204, headers: [], body: undefined };
  assert.deepEqual(said(unpackReply(structuredClone(packReply(plain)))), {
    status: 204,
    headers: [],
  });
});
