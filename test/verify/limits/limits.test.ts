/** A sample of `npm run test:limits`: what is probed on purpose is found, and its line named. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { tried, wrongs } from "./wrong.ts";

const BOUNDS = { seed: 1, requests: 600, seconds: 60 };

const sample = ["bytes of a body: | 601 |", "last day: | 2027-03-31 |", "Retry-After is too long"];

describe("limits, sizes, versions and times", () => {
  for (const wrong of wrongs.filter(({ name }) => sample.includes(name))) {
    test(`found and named: ${wrong.name}`, async () => {
      const { session, lines, wanted } = await tried(wrong, BOUNDS);
      const isNamed = wanted.some((line) => lines.includes(line));
      assert.ok(isNamed, String(session.breaks[0]?.items));
    });
  }
});
