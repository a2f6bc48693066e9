/** A document that is edited while it is served: what is waited for, what is taken, what is said. */
import assert from "node:assert/strict";
import {
  appendFileSync,
  copyFileSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { followEdits } from "../../src/cli/edits.ts";
import { paintFor } from "../../src/cli/paint.ts";
import { readyOf } from "../../src/cli/ready.ts";
import { lookAt, watchFiles } from "../../src/cli/watch.ts";
import { CannotServe, type NextDocument, type Running } from "../../src/serve/index.ts";
import { until } from "../serve/calls/shop.ts";
import { folder } from "./world.ts";

const todo = join(import.meta.dirname, "../../examples/todo/spec.md");

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

test("a file that was changed after the look at it and before it is watched is told of", async (t) => {
  const file = join(folder(t), "a.md");
  writeFileSync(file, "one");
  const watched = lookAt([file]);
  writeFileSync(file, "one and two");
  let told = 0;
  t.after(watchFiles(watched, () => told++));
  await until(() => told > 0);
});

test("a file is told of when it has come to rest: not while it is gone, empty or being written", async (t) => {
  const file = join(folder(t), "a.md");
  writeFileSync(file, "one");
  let told = 0;
  t.after(watchFiles(lookAt([file]), () => told++));
  await pause(400);
  assert.equal(told, 0);
  rmSync(file);
  await pause(400);
  writeFileSync(file, "");
  await pause(400);
  assert.equal(told, 0, "gone, then empty");
  for (let i = 0; i < 8; i++) {
    appendFileSync(file, "two ");
    await pause(50);
  }
  assert.equal(told, 0, "being written");
  await until(() => told === 1);
  writeFileSync(`${file}.tmp`, "three");
  renameSync(`${file}.tmp`, file);
  await until(() => told === 2);
  await pause(400);
  assert.equal(told, 2);
});

test("an edit is taken or refused, each said; SIGHUP asks for it", async (t) => {
  const file = join(folder(t), "spec.md");
  copyFileSync(todo, file);
  let said = "";
  const err = (text: string): void => {
    said += text;
  };
  const lines = () => ({ write: () => {}, lost: 0, end: async () => {} });
  const plain = { env: {}, isTerminal: false, isErrTerminal: false, columns: 100 };
  const io = {
    ...plain,
    out: () => {},
    err,
    lines,
    outWhenRoom: async () => {},
    chunks: async function* () {},
    stdin: async () => new Uint8Array(),
  };
  const errPaint = paintFor(io, false, false);
  const wanted = { file, assume: undefined, rows: undefined };
  const served = await readyOf({ io, errPaint }, wanted);
  assert.ok(typeof served !== "number");
  const taken: NextDocument[] = [];
  const running = {
    take: async (next: NextDocument) => {
      taken.push(next);
      if (taken.length > 1) throw new CannotServe(["No."]);
    },
  } as Running;
  const edits = followEdits({ io, errPaint }, running, {
    ...{ wanted, served, watched: undefined, isAlone: true },
    tell: (event, text) => err(`${event}: ${text}\n`),
  });
  t.after(() => edits.stop());
  const ask = async (edit: (text: string) => string): Promise<string> => {
    said = "";
    writeFileSync(file, edit(readFileSync(file, "utf8")));
    process.kill(process.pid, "SIGHUP");
    await until(() => / it is now\n$| served on\n$/.test(said));
    return said.replaceAll(file, "FILE");
  };
  const moved = await ask((text) => text.replaceAll("/todos", "/things"));
  assert.equal(moved, "taken: FILE is served as it is now\n");
  assert.deepEqual(
    taken.map(({ plan }) => plan.endpoints.length),
    [served.plan.endpoints.length],
  );
  const refused = await ask((text) => text.replaceAll("/things", "/others"));
  assert.equal(
    refused,
    "refused: No.\nrefused: FILE is not taken: what was served before is served on\n",
  );
  const bad = await ask((text) => `${text}\n- Bad\n`);
  assert.match(bad, /^refused: FILE:\d+:3 unknown-bullet .*\n[^]*FILE is not taken[^]*$/);
  assert.equal(taken.length, 2);
  edits.stop();
  const several = followEdits({ io, errPaint }, running, {
    ...{ wanted, served, watched: undefined, isAlone: false },
    tell: (event, text) => err(`${event}: ${text}\n`),
  });
  t.after(() => several.stop());
  said = "";
  process.kill(process.pid, "SIGHUP");
  await until(() => said !== "");
  assert.equal(said, "refused: several documents are served: they are read again by a new start\n");
  assert.equal(taken.length, 2);
});
