/** What stays due is never done without end, and keeps nothing else from being done. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { test } from "node:test";
import type { Running } from "../../src/serve/index.ts";
import { movableClock, serve } from "../../src/serve/index.ts";
import { Alarm } from "../../src/serve/time/alarm.ts";
import { document } from "./document.ts";
import { startFake } from "./fake.ts";

const START = 1_700_000_000_000_000n;
const SECOND = 1_000_000n;

const notation = readFileSync(join(import.meta.dirname, "../../docs/first-document.md"), "utf8");
const NOTES = notation.match(/^````markdown spec\n([\s\S]*?)^````/m)?.[1] ?? "";

const FIELDS = `| \`writtenAt\` | timestamp | no | no | yes | set to \`now\` on create |`;
const NO_STATES = "States and transitions: none.\n\n- No states: `Note`";

/** The notes of the reference with further fields, promises and a machine. */
function notes(fields: readonly string[], promises: string, machine: string): string {
  return NOTES.replace(FIELDS, [FIELDS, ...fields].join("\n"))
    .replace("- Rows at the start: none", `- Rows at the start: none\n${promises}`)
    .replace(NO_STATES, machine === "" ? NO_STATES : machine);
}

const MACHINE = `### \`Note\`

- Held in: \`state\`
- States: \`red\` (initial), \`blue\`
- At the same time: free
- Clock: no later than 5 s after
- Any other transition: refused with \`not_found\`

| Transition | From | To | On | When | Then |
|---|---|---|---|---|---|
`;
const COUNTED = [
  '| `due` | timestamp | no | no | yes | set to `now + duration("1s")` on create |',
  "| `count` | integer | no | no | yes | starts `0` |",
  "| `state` | state | no | no | yes | none |",
];
const COUNT = "set `it.count` = `it.count + 1`";
const ITSELF = `| \`tick\` | \`red\`, \`blue\` | \`red\` | time \`due\` | none | ${COUNT} |`;
const ROUND =
  `| \`go\` | \`red\` | \`blue\` | time \`due\` | none | ${COUNT} |\n` +
  `| \`back\` | \`blue\` | \`red\` | time \`due\` | none | ${COUNT} |`;

interface Note {
  readonly id: string;
  readonly count: number;
}

async function write(address: string, text: string): Promise<Note> {
  const answer = await fetch(`${address}/v1/notes`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ text }),
  });
  assert.equal(answer.status, 201);
  return (await answer.json()) as Note;
}

async function all(address: string): Promise<readonly Note[]> {
  return (await (await fetch(`${address}/v1/notes`)).json()) as readonly Note[];
}

async function served(
  t: TestContext,
  text: string,
  where: "memory" | "inline" | "thread",
): Promise<{ running: Running; move: (micros: bigint) => void; lines: string[] }> {
  const clock = movableClock(START);
  const lines: string[] = [];
  const folder = mkdtempSync(join(tmpdir(), "lacuna-due-"));
  const running = await serve(document(text).plan, {
    ...(where === "memory" ? { memory: true } : { file: join(folder, "a.sqlite") }),
    inline: where === "inline",
    clock,
    log: (line) => lines.push(line),
  });
  t.after(async () => {
    await running.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return { running, move: (micros) => clock.move(micros), lines };
}

for (const where of ["memory", "inline", "thread"] as const) {
  for (const [what, table, count] of [
    ["to its own state", ITSELF, 1],
    ["there and back", ROUND, 2],
  ] as const) {
    test(`a transition on time that leads ${what} happens once (${where})`, async (t) => {
      const text = notes(COUNTED, "", MACHINE + table);
      const { running, move, lines } = await served(t, text, where);
      await write(running.address, "a");
      move(2n * SECOND);
      assert.deepEqual(
        (await all(running.address)).map((one) => one.count),
        [count],
      );
      await write(running.address, "b");
      move(2n * SECOND);
      const counts = (await all(running.address)).map((one) => one.count);
      assert.deepEqual(counts, [count, count]);
      assert.equal(lines.filter((one) => one.includes("for the same time again")).length, 2);
    });
  }
}

const KEPT =
  "- Kept: 1 s after `writtenAt`\n" +
  '- Deleted: refused while `notes.exists(n, n.text == "hold")`, else `not_found`';

test("a row whose deletion is refused stays until nothing refuses it, and holds up no other", async (t) => {
  const text = notes([], KEPT, "");
  const { running, move, lines } = await served(t, text, "memory");
  for (let i = 0; i < 150; i++) await write(running.address, `note ${i}`);
  move(2n * SECOND);
  assert.equal((await all(running.address)).length, 0, "all go where none holds them");
  for (let i = 0; i < 150; i++) await write(running.address, i === 149 ? "hold" : "kept");
  move(2n * SECOND);
  const staying = await fetch(`${running.address}/v1/notes`);
  assert.equal(staying.status, 200);
  assert.equal(((await staying.json()) as unknown[]).length, 50);
  assert.deepEqual(lines, []);
});

test("a hundred rows that cannot go do not keep the next one from going", async (t) => {
  const kept = KEPT.replace(`notes.exists(n, n.text == "hold")`, `it.text == "hold"`);
  const { running, move } = await served(t, notes([], kept, ""), "memory");
  for (let i = 0; i < 250; i++) await write(running.address, "hold");
  for (let i = 0; i < 5; i++) await write(running.address, "free");
  move(2n * SECOND);
  const texts = ((await all(running.address)) as unknown as { text: string }[]).map((n) => n.text);
  assert.deepEqual(new Set(texts), new Set(["hold"]));
});

test("an alarm whose time stays past rings once in a turn, and never within itself", async () => {
  let depth = 0;
  let rings = 0;
  const alarm: Alarm = new Alarm(movableClock(START), () => {
    assert.equal(depth++, 0, "it rings within itself");
    rings++;
    alarm.set(START - 1n);
    depth--;
  });
  alarm.set(START - 1n);
  assert.equal(rings, 1);
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
  assert.ok(rings >= 3 && rings <= 7, `${rings} times at first and in five turns`);
  alarm.stop();
  const before = rings;
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(rings, before, "a stopped alarm is silent");
});

test("a store that cannot be written is tried again after a while, not at once", async (t) => {
  const clock = movableClock(START);
  const { running, record } = await startFake({}, { clock, timed: true });
  t.after(() => running.stop());
  record.due = START + SECOND;
  await fetch(`${running.address}/items`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: `{"text":"a"}`,
  });
  record.failing = true;
  record.log.length = 0;
  clock.move(2n * SECOND);
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
  const tries = record.log.filter((one) => one === "write").length;
  assert.equal(tries, 1);
  record.due = START + SECOND;
  clock.move(2n * SECOND);
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(record.due, undefined, "it is done when the store can be written again");
});
