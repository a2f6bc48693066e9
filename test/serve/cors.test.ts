import assert from "node:assert/strict";
import { test } from "node:test";
import type { About } from "../../src/plan/index.ts";
import { makeCrossOrigin } from "../../src/serve/http/cors.ts";
import { serve } from "../../src/serve/index.ts";
import { none, plan, stated } from "../run/read/plans.ts";
import { example } from "./document.ts";

const about = (crossOrigin: About["crossOrigin"]): About => ({ ...plan().about, crossOrigin });

test("every origin, or only those that are listed", () => {
  const all = makeCrossOrigin(about(stated({ origins: ["*"], headers: [] })));
  assert.deepEqual(all?.headers("https://a.example"), [
    "Access-Control-Allow-Origin",
    "*",
    "Vary",
    "Origin",
  ]);
  assert.deepEqual(all?.headers(undefined), ["Vary", "Origin"]);
  const listed = makeCrossOrigin(
    about(stated({ origins: ["https://a.example"], headers: ["X-A", "X-B"], kept: "10 min" })),
  );
  assert.deepEqual(listed?.headers("https://a.example"), [
    "Access-Control-Allow-Origin",
    "https://a.example",
    "Vary",
    "Origin",
  ]);
  assert.deepEqual(listed?.headers("https://b.example"), ["Vary", "Origin"]);
  assert.deepEqual(listed?.preflight("https://a.example", ["GET", "PUT"]), [
    "Access-Control-Allow-Methods",
    "GET, PUT",
    "Access-Control-Allow-Headers",
    "X-A, X-B",
    "Access-Control-Max-Age",
    "600",
  ]);
  assert.deepEqual(listed?.preflight("https://b.example", ["GET"]), []);
  const open = makeCrossOrigin(
    about(
      stated({
        origins: ["https://a.example"],
        headers: [],
        credentials: true,
        shown: ["ETag", "Link"],
      }),
    ),
  );
  assert.deepEqual(open?.headers("https://a.example"), [
    "Access-Control-Allow-Origin",
    "https://a.example",
    "Access-Control-Allow-Credentials",
    "true",
    "Access-Control-Expose-Headers",
    "ETag, Link",
    "Vary",
    "Origin",
  ]);
  assert.deepEqual(open?.headers("https://b.example"), ["Vary", "Origin"]);
  assert.equal(makeCrossOrigin(about(none)), undefined);
});

test("a preflight is answered as stated; errors carry the headers too", async (t) => {
  const stating = example("todo", (text) =>
    text.replace(
      "- Cross-origin: none",
      "- Cross-origin: from every origin, headers `Content-Type`, kept 1 h",
    ),
  );
  const running = await serve(stating.plan, { memory: true });
  t.after(() => running.stop());
  const headers = { Origin: "https://a.example", "Access-Control-Request-Method": "POST" };
  const preflight = await fetch(`${running.address}/todos`, { method: "OPTIONS", headers });
  assert.equal(preflight.status, 204);
  assert.match(preflight.headers.get("access-control-allow-methods") ?? "", /\bPOST\b/);
  assert.equal(preflight.headers.get("access-control-allow-headers"), "Content-Type");
  assert.equal(preflight.headers.get("access-control-max-age"), "3600");
  const wrong = await fetch(`${running.address}/nowhere`, { headers });
  assert.equal(wrong.status, 404);
  assert.equal(wrong.headers.get("access-control-allow-origin"), "*");
});
