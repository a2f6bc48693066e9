/** The machine's clock is followed, and a wrong one costs nothing that the true time would not. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { movableClock, serve } from "../../src/serve/index.ts";
import { systemClock } from "../../src/serve/time/clock.ts";
import { document } from "../run/document.ts";
import { planOf } from "../run/service.ts";

const SECOND = 1_000_000n;
const YEARS = 10n * 365n * 86_400n * SECOND;
const START = 1_800_000_000n * SECOND;

/** A machine whose clock can be set; both of its clocks run by `pass`. */
function machine() {
  let [wall, steady] = [START, 0n];
  const told: string[] = [];
  let moves = 0;
  const clock = systemClock((text) => void told.push(text), {
    wall: () => wall,
    steady: () => steady,
  });
  clock.watch(() => {
    moves++;
  });
  return {
    told,
    now: () => clock.now() - START,
    moves: () => moves,
    set: (by: bigint) => {
      wall += by;
    },
    pass: (micros: bigint) => {
      wall += micros;
      steady += micros;
    },
  };
}

test("the machine's clock is followed while it runs, and where it is corrected a little", () => {
  const { now, pass, set, told } = machine();
  pass(3n * SECOND);
  assert.equal(now(), 3n * SECOND);
  set(SECOND / 2n);
  assert.equal(now(), (7n * SECOND) / 2n);
  set(-SECOND / 2n);
  assert.equal(now(), (7n * SECOND) / 2n, "it stands still");
  pass(SECOND / 4n);
  assert.equal(now(), (7n * SECOND) / 2n);
  pass(SECOND);
  assert.equal(now(), (17n * SECOND) / 4n);
  assert.deepEqual(told, []);
});

test("it never goes back where a jump ends a little behind", () => {
  const { now, pass, set } = machine();
  pass(SECOND);
  now();
  set(YEARS);
  pass(2n * SECOND);
  assert.equal(now(), 3n * SECOND);
  set(-YEARS - SECOND / 2n);
  assert.equal(now(), 3n * SECOND);
  pass(SECOND);
  assert.equal(now(), (7n * SECOND) / 2n);
});

for (const jump of [YEARS, -YEARS, 3600n * SECOND, -3600n * SECOND]) {
  test(`a jump by ${jump / SECOND} s for a moment is not followed`, () => {
    const { now, pass, set, told } = machine();
    pass(SECOND);
    now();
    set(jump);
    for (let i = 0; i < 20; i++) {
      pass(SECOND / 5n);
      assert.equal(now(), SECOND + (BigInt(i + 1) * SECOND) / 5n);
    }
    set(-jump);
    pass(60n * SECOND);
    assert.equal(now(), 65n * SECOND);
    assert.deepEqual(told, []);
  });

  test(`a jump by ${jump / SECOND} s that stands is followed, and told once`, () => {
    const { now, pass, set, told, moves } = machine();
    pass(SECOND);
    now();
    set(jump);
    now();
    pass(5n * SECOND);
    assert.equal(now(), 6n * SECOND + jump);
    pass(SECOND);
    assert.equal(now(), 7n * SECOND + jump);
    assert.equal(told.length, 1);
    assert.match(told[0] ?? "", /was set by/);
    assert.equal(moves(), 1);
  });
}

const plan = planOf(
  document({
    resources: `### \`Thing\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`id\` | id | no | no | yes | none |`,
    states: "- No states: `Thing`",
    every: "- Who: none\n\n1. Check the limits.\n2. Check the inputs.\n3. Check the paths.",
    endpoints: `### \`GET /things/{id}\`: look

- Path \`id\`: \`thing\`, the \`Thing\` by \`id\`, else \`gone\`

1. Respond \`200\` with \`Thing\` of \`thing\`.`,
    limits: `- Sent with every answer: none

| Limit | Counts | Per | Amount | Window | When passed |
|---|---|---|---|---|---|
| \`pace\` | requests | everyone | 3 | 2 s, sliding | \`refused\` |`,
  }),
);

test("what was counted while the clock was wrong does not count when it is right", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "lacuna-clock-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "a.sqlite");
  const asked = async (at: bigint): Promise<number[]> => {
    const running = await serve(plan, { file, inline: true, clock: movableClock(at) });
    const statuses: number[] = [];
    for (let i = 0; i < 4; i++) {
      statuses.push((await fetch(`${running.address}/things/x`)).status);
    }
    await running.stop();
    return statuses;
  };
  assert.deepEqual(await asked(START + YEARS), [404, 404, 404, 422]);
  assert.deepEqual(await asked(START), [404, 404, 404, 422]);
  assert.deepEqual(await asked(START + 3n * SECOND), [404, 404, 404, 422]);
});

test("a clock that is put right while the service runs frees the limits", async (t) => {
  let at = START + YEARS;
  const clock = { now: () => at, watch: () => {} };
  const { address, stop } = await serve(plan, { memory: true, clock });
  t.after(stop);
  const ask = async (): Promise<number> => (await fetch(`${address}/things/x`)).status;
  assert.deepEqual([await ask(), await ask(), await ask(), await ask()], [404, 404, 404, 422]);
  at = START;
  assert.deepEqual([await ask(), await ask(), await ask(), await ask()], [404, 404, 404, 422]);
});
