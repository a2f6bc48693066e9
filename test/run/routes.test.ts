import assert from "node:assert/strict";
import { test } from "node:test";
import type { Endpoint, PathSegment, Plan } from "../../src/plan/index.ts";
import { compileRoutes } from "../../src/run/program/routes.ts";

function endpoint(text: string): Endpoint {
  const [method = "", path = ""] = text.split(" ");
  const segments = path
    .slice(1)
    .split("/")
    .map(
      (one): PathSegment => (one.startsWith("{") ? { param: one.slice(1, -1) } : { literal: one }),
    );
  return { method, path: path === "/" ? [] : segments } as unknown as Endpoint;
}

const ENDPOINTS = [
  "GET /a/{x}",
  "GET /a/feed",
  "POST /a/{x}",
  "GET /a/{x}/c/{y}",
  "GET /a/feed/c",
  "DELETE /{z}/feed",
  "HEAD /b",
];
const plan = {
  about: { basePath: { is: "stated", id: "b", value: "/v1" } },
  endpoints: ENDPOINTS.map(endpoint),
  streams: [],
} as unknown as Plan;
const match = compileRoutes(plan);

/** What a request finds, in one line. */
function found(method: string, path: string): string {
  const made = match(method, path);
  if (made.is !== "endpoint") return "allow" in made ? `${made.is}: ${made.allow.join()}` : made.is;
  const params = [...made.params].map(([name, value]) => `${name}=${value}`).join();
  return [ENDPOINTS[made.endpoint], params, made.head ? "(head)" : ""].filter(Boolean).join(" ");
}

const CASES: readonly (readonly [string, string, string])[] = [
  ["GET", "/v1/a/1", "GET /a/{x} x=1"],
  ["GET", "/v1/a/feed", "GET /a/feed"],
  ["POST", "/v1/a/feed", "POST /a/{x} x=feed"],
  ["DELETE", "/v1/a/feed", "DELETE /{z}/feed z=a"],
  ["GET", "/v1/a/feed/c", "GET /a/feed/c"],
  ["GET", "/v1/a/feed/c/2", "GET /a/{x}/c/{y} x=feed,y=2"],
  ["HEAD", "/v1/a/1", "GET /a/{x} x=1 (head)"],
  ["HEAD", "/v1/b", "HEAD /b (head)"],
  ["GET", "/v1/b", "unknown method: HEAD,OPTIONS"],
  ["PUT", "/v1/a/1", "unknown method: GET,POST,HEAD,OPTIONS"],
  ["OPTIONS", "/v1/a/1", "options: GET,POST,HEAD,OPTIONS"],
  ["OPTIONS", "/v1/none", "unknown path"],
  ["GET", "/a/1", "unknown path"],
  ["GET", "/v1/a", "unknown path"],
  ["GET", "/v1/a/", "unknown path"],
  ["GET", "/v1/a/feed/", "unknown path"],
  ["GET", "/v1//a/1", "unknown path"],
  ["GET", "/v1/a/./1", "unknown path"],
  ["GET", "/v1/x/../a/1", "unknown path"],
  ["GET", "/v1/a/..", "GET /a/{x} x=.."],
  ["GET", "/v1/%61/%31%2F2", "GET /a/{x} x=1/2"],
  ["GET", "/v1/a/%C3%A4", "GET /a/{x} x=ä"],
  ["GET", "/v1/a/%ff", "unknown path"],
  ["GET", "/v1/a/%", "unknown path"],
  ["GET", "v1/a/1", "unknown path"],
  ["get", "/v1/a/1", "unknown method: GET,POST,HEAD,OPTIONS"],
  ["GET", `/v1${"/a".repeat(10_000)}`, "unknown path"],
];

for (const [method, path, expected] of CASES) {
  test(`${method} ${path.slice(0, 40)}: ${expected}`, () => {
    assert.equal(found(method, path), expected);
  });
}
