/** What the model of a service keeps is what it would find anew: versions of rows, what is due. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Value } from "../../src/run/index.ts";
import { type Exploring, makingOf } from "../../src/verify/generate/explore.ts";
import { mended, type Tried } from "../../src/verify/generate/mending.ts";
import { Random } from "../../src/verify/generate/random.ts";
import { requestTo } from "../../src/verify/generate/requests.ts";
import { Session } from "../../src/verify/session.ts";
import { DueTimes } from "../../src/verify/world/due.ts";
import type { Request } from "../../src/verify/world/message.ts";
import { compiled, documentOf, tagOf, toldOf } from "./clauses/trial.ts";

const STEPS = 1_000;
/** The chance that a request is mended, so that it is mostly taken. */
const MENDED = 0.5;
const SECOND = 1_000_000n;
const BEGAN = 1_767_225_600n * SECOND;

const textOf = (values: readonly Value[]): string =>
  JSON.stringify(values, (_, value: unknown) =>
    typeof value === "bigint"
      ? `${value}n`
      : value instanceof Map
        ? [...(value as ReadonlyMap<string, unknown>)]
        : value,
  );

for (const name of ["orders", "lobby", "ci"]) {
  test(`rows of one version are the same, and what is due is kept by it: ${name}`, () => {
    const document = documentOf(name);
    const judged = compiled(document.text);
    assert.ok(judged !== undefined);
    const { plan, occurring } = judged;
    const told = toldOf(document, plan);
    const [tag, random] = [tagOf(1), new Random(1)];
    let now = BEGAN;
    const common = { tag, occurring, settings: told.settings, given: told.rows };
    const { judge, gapsMet } = new Session(plan, { ...common, now });
    const { world } = judge;
    const exploring: Exploring = {
      ...{ judge, random, tag, gapsMet, before: [], seen: new Set(), taken: new Map() },
      ...{ clock: () => now, features: () => [] },
    };
    const times = new DueTimes(world.program);
    const known = new Map<number, string>();
    const counts = { versions: 0, again: 0, due: 0 };
    let depth = 0;
    for (let i = 0; i < STEPS; i++) {
      const which = random.below(6);
      if (which === 0 && depth < 3) {
        world.begin();
        depth += 1;
      } else if (which === 1 && depth > 0) {
        if (random.chance(0.3)) world.keep();
        else world.undo();
        depth -= 1;
      } else {
        if (which === 2) now += BigInt(random.below(3_600)) * SECOND;
        const making = { ...makingOf(exploring), wrong: 0, now };
        const endpoint = random.pick(plan.endpoints);
        const first = requestTo(making, endpoint);
        const run = (request: Request): Tried => {
          world.begin();
          const ran = world.run(request, { now });
          world.undo();
          return { request, ran, wrong: world.wrong };
        };
        const tried = random.chance(MENDED) ? mended(making, { endpoint, first }, run) : undefined;
        world.begin();
        world.run(tried?.request ?? first, { now });
        world.keep();
      }
      const { version } = world.session;
      const all = plan.resources.flatMap((one) => world.session.all(one.name));
      const rows = all.map(({ key, values }) => `${key} ${textOf(values)}`).join("\n");
      if (known.has(version)) counts.again += 1;
      else counts.versions += 1;
      assert.equal(known.get(version) ?? rows, rows, `version ${version}, step ${i}`);
      known.set(version, rows);
      for (const by of [0n, SECOND, 3_600n * SECOND, -SECOND, 400n * 86_400n * SECOND]) {
        const expected = world.program.anyDue(world.session, now + by);
        if (expected) counts.due += 1;
        const found = times.isDue(world.session, version, now + by);
        assert.equal(found, expected, `what is due in version ${version}, step ${i}, in ${by} µs`);
      }
    }
    // Each of the three has happened.
    assert.ok(Math.min(counts.versions, counts.again, counts.due) > 0, JSON.stringify(counts));
  });
}
