/** The machine's clock is followed, and a jump of it only when it has stood. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "../../src/serve/time/clock.ts";

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
