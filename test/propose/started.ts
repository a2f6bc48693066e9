/** A document with assumptions, served on a free port for one test. */
import type { TestContext } from "node:test";
import { check, plan } from "../../src/check/index.ts";
import { read } from "../../src/read/index.ts";
import { serve } from "../../src/serve/index.ts";

/** Asks for a path: the status, and the body where it is JSON. */
type Ask = (method: string, path: string, body?: object) => Promise<[number, unknown]>;

/** Serves `document` with `assumed` in memory until the test ends. */
export async function started(
  t: Pick<TestContext, "after">,
  document: string,
  assumed: string,
): Promise<Ask> {
  const checked = check(read(Buffer.from(document)), read(Buffer.from(assumed)));
  const planned = plan(checked);
  if (planned === undefined) throw new Error("the document has errors");
  const running = await serve(planned.plan, { memory: true, log: () => {} });
  t.after(() => running.stop());
  return async (method, path, body) => {
    const sent =
      body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } };
    const answer = await fetch(`${running.address}${path}`, { method, ...sent });
    const text = await answer.text();
    const isJson = answer.headers.get("content-type")?.includes("json") === true && text !== "";
    return [answer.status, isJson ? JSON.parse(text) : undefined];
  };
}
