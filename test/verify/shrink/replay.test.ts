/** A fault is shrunk to the fewest requests, told as a story, as a script and as a file. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { folder, lacuna } from "../../cli/world.ts";
import { freePort, ROOT, served } from "../../peers/served.ts";

const TODO = join(ROOT, "examples/todo/spec.md");
const CLAUSE = 'Require `todo.status == "open"`, else `already_done`';
const schema = readFileSync(join(ROOT, "docs/schema/replay.schema.json"), "utf8");
const isReplay = new Ajv2020({ strict: true }).compile<object>(JSON.parse(schema));

/** The exit code of a script. */
function shell(file: string, ...args: readonly string[]): Promise<number> {
  return new Promise((done) => {
    execFile("sh", [file, ...args], (error) => done(error === null ? 0 : Number(error.code)));
  });
}

test("a broken answer is shown in its fewest requests, and what became of it is told", async (t) => {
  const place = folder(t);
  const other = join(place, "other.md");
  writeFileSync(other, readFileSync(TODO, "utf8").replace(CLAUSE, "Let `x` be `1`"));
  const replays = join(place, "replays");
  const wrong = await served({ args: [other] });
  const right = await served({ args: [TODO] });
  try {
    const { code, out } = await lacuna([
      ...["verify", TODO, wrong.address, "--breaks", "1", "--replays", replays],
    ]);
    assert.equal(code, 1);
    assert.match(out, /1\. broken in 3 requests[^\n]*\n[\s\S]*spec\.md:67:4\n/);
    assert.match(out, /1 {2}POST \/todos\n[\s\S]*2 {2}POST \/todos\/todo_\{id1\}\/finish/);
    const names = readdirSync(replays);
    assert.deepEqual(names, ["1-patch-todos-id.json", "1-patch-todos-id.sh"]);
    const [file = "", script = ""] = names.map((name) => join(replays, name));
    const replay = JSON.parse(readFileSync(file, "utf8"));
    const isRight: boolean = isReplay(replay);
    assert.ok(isRight, JSON.stringify(isReplay.errors));
    assert.equal(replay.requests.length, 3);

    assert.equal((await lacuna(["replay", file])).code, 1);
    assert.equal((await lacuna(["replay", file, "--spec", TODO])).code, 1);
    assert.match((await lacuna(["replay", file, right.address])).out, /^fixed/);
    assert.equal((await lacuna(["replay", file, right.address, "--spec", TODO])).code, 0);
    const changed = await lacuna(["replay", file, "--spec", other]);
    assert.match(changed.out, /^fixed[\s\S]*The document has changed since/);
    const blank = join(ROOT, "examples/blank/spec.md");
    const open = await lacuna(["replay", file, "--spec", blank]);
    assert.match(open.out, /^unstated/);
    assert.equal(open.code, 3);
    const drifted = {
      ...replay,
      differs: [{ in: "status", at: "", expected: "409", seen: "418" }],
    };
    writeFileSync(file, JSON.stringify({ ...drifted, seen: { status: 418, body: null } }));
    const json = await lacuna(["replay", file, "--format", "json"]);
    assert.equal(JSON.parse(json.out).verdict, "drifted");
    const nobody = `http://127.0.0.1:${await freePort()}`;
    assert.equal((await lacuna(["replay", file, nobody])).code, 3);

    assert.equal(await shell(script), 1);
    assert.equal(await shell(script, right.address), 0);
    assert.equal(await shell(script, nobody), 2);
  } finally {
    await wrong.stop();
    await right.stop();
  }
});

const wrong: readonly [text: string, says: RegExp][] = [
  ["{", /it is no JSON at offset/],
  ["[]", /it is no replay: `` is not an object/],
  ['{"lacuna":{"replay":2}}', /it has the version 2, and 1 is known here/],
  ['{"lacuna":{"replay":1},"document":{},"requests":[]}', /`\/seen`|no request|not/],
];

for (const [text, says] of wrong) {
  test(`no replay: ${text}`, async () => {
    const { code, err } = await lacuna(["replay", "-"], { stdin: text });
    assert.equal(code, 2);
    assert.match(err, says);
  });
}

test("a replay with a path that cannot be sent is told so", async () => {
  const request = { method: "GET", target: "/ä b", headers: [], answered: 200, learns: [] };
  const text = JSON.stringify({
    lacuna: { replay: 1 },
    ...{ document: { file: "a.md", title: "A", sha256: "0" }, url: "http://127.0.0.1:1" },
    ...{ broken: [], fresh: [], requests: [request], differs: [] },
    ...{ seen: { status: 200 }, expected: { status: 404 } },
  });
  const { code, out, err } = await lacuna(["replay", "-"], { stdin: text });
  assert.equal(code, 3);
  assert.match(out + err, /the request cannot be sent: .*unescaped/);
  assert.doesNotMatch(err, /\bat .*:\d+:\d+/);
});
