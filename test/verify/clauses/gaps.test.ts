/** A clause that is a gap leaves more open: what the whole document allows is never broken then. */
import { deepEqual, ok } from "node:assert/strict";
import { test } from "node:test";
import { read } from "../../../src/read/index.ts";
import { clausesOf } from "../../gaps/clauses.ts";
import { sampled } from "../../whole.ts";
import { judgedAgain, recordedOf } from "./again.ts";
import { compiled, documentOf } from "./trial.ts";

/** In `npm test` one of so many clauses is made a gap. */
const EACH = 64;
const BOUNDS = { seed: 1, requests: 70, seconds: 20 };
const FEW = 15;

/** Of a large document those that stand before a token is issued. */
const CHOSEN: Readonly<Record<string, RegExp>> = {
  todo: /./,
  "todo-backend": /./,
  grid: /^Limits, `logins`/,
};

for (const [name, where] of Object.entries(CHOSEN)) {
  test(`${name}: what was answered as stated is not broken by one clause less`, async () => {
    const document = documentOf(name);
    const whole = compiled(document.text);
    if (whole === undefined) throw new Error(`${name} has errors`);
    const isLarge = name === "grid";
    const bounds = isLarge ? { ...BOUNDS, requests: FEW } : BOUNDS;
    const recorded = await recordedOf(document, whole, bounds);
    ok(recorded.exchanges.length > FEW / 2, `${recorded.exchanges.length} requests`);
    const clauses = clausesOf(read(Buffer.from(document.text)).spec).filter(
      (one) => one.kind !== "answer" && where.test(one.where),
    );
    const tried = sampled(clauses, isLarge ? 8 : EACH);
    const broken = tried.flatMap(({ line, before, text }) => {
      const judged = compiled(text);
      if (judged === undefined) return [];
      const { breaks } = judgedAgain(document, judged, { seed: BOUNDS.seed, recorded });
      return breaks.map(({ request, answer: { status } }) => ({ line, before, request, status }));
    });
    deepEqual(broken, []);
  });
}
