/** Credentials that settings stand for, which the operator tells. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { compiled, trial } from "./clauses/trial.ts";

const SETTINGS = { worker_key: "the key of workers", producer_key: "the key of producers" };
const JOBS = {
  name: "jobs",
  text: readFileSync(join(import.meta.dirname, "../unseen/jobs.md"), "utf8"),
  rows: undefined,
  settings: SETTINGS,
};

test("a key that stands in a setting lets in whom it stands for", async () => {
  const judged = compiled(JOBS.text);
  assert.ok(judged !== undefined);
  const bounds = { seed: 1, requests: 40, seconds: 10 };
  const { session } = (await trial(JOBS, { served: judged, judged }, bounds)) ?? {};
  assert.deepEqual(session?.breaks, []);
  for (const key of Object.values(SETTINGS)) {
    const taken = session?.exchanges.filter(({ request, answer }) => {
      return answer.status < 300 && JSON.stringify(request.headers).includes(key);
    });
    assert.ok((taken?.length ?? 0) > 0, key);
  }
});
