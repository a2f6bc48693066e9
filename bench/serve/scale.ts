/**
 * `npm run bench:scale`: Conduit with 100,000 articles, 10,000 users and 1,000,000 favourites: the
 * 99th percentile of the first page of each list with one client, and the database's query plans.
 * `--keep FOLDER` keeps the store there and takes one that is there.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { check, plan } from "../../src/check/index.ts";
import type { Plan } from "../../src/plan/index.ts";
import { read } from "../../src/read/index.ts";
import { barLine, seedOf, table } from "./figures.ts";
import type { Asked } from "./scale-plans.ts";
import { trace } from "./scale-plans.ts";
import type { Sizes } from "./scale-rows.ts";
import { fill } from "./scale-rows.ts";
import type { Server } from "./servers.ts";
import { lacuna, lacunaNode, load, start } from "./servers.ts";

const SEED = seedOf(20261121);
const SIZES: Sizes = {
  users: 10_000,
  articles: 100_000,
  favorites: 1_000_000,
  follows: 200_000,
  comments: 100_000,
  tags: 200,
};
const P99_MOST_MS = 15;
const DURATION_MS = 3000;
const DOCUMENT = "examples/conduit/spec.md";
const ASSUMPTIONS = "examples/conduit/assumptions.md";
const TABLE_SCAN = /^SCAN (?!.*USING (COVERING )?INDEX)(?!json_each|.*VIRTUAL)/;

interface List {
  readonly name: string;
  readonly path: string;
  readonly query?: string;
  readonly signedIn?: boolean;
}

const LISTS: readonly List[] = [
  { name: "newest articles", path: "/api/articles" },
  { name: "newest articles, signed in", path: "/api/articles", signedIn: true },
  { name: "articles with a common tag", path: "/api/articles", query: "tag=tag0" },
  { name: "articles with a rare tag", path: "/api/articles", query: "tag=tag199" },
  { name: "articles by an author", path: "/api/articles", query: "author=user10" },
  { name: "favourites of a user", path: "/api/articles", query: "favorited=user10" },
  { name: "the feed", path: "/api/articles/feed", signedIn: true },
  { name: "comments on an article", path: "/api/articles/{slug}/comments" },
  { name: "tags", path: "/api/tags" },
];

function conduit(): Plan {
  const checked = check(read(readFileSync(DOCUMENT)), read(readFileSync(ASSUMPTIONS)));
  const planned = plan(checked);
  if (planned === undefined) throw new Error(`${DOCUMENT} has errors`);
  return planned.plan;
}

/** Signs somebody up who follows fifty people; gives the token. */
async function signUp(server: Server): Promise<string> {
  const api = `http://127.0.0.1:${server.port}/api`;
  const user = { username: "reader", email: "reader@example.com", password: "correct horse" };
  const ask = (path: string, body: unknown, headers = {}): Promise<Response> =>
    fetch(api + path, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json", ...headers },
    });
  let answer = await ask("/users", { user });
  if (answer.status === 409) answer = await ask("/users/login", { user });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`signing up: ${answer.status} ${text}`);
  const { token } = (JSON.parse(text) as { user: { token: string } }).user;
  for (let i = 0; i < 50; i++) {
    const headers = { authorization: `Token ${token}` };
    const path = `/profiles/user${i * 7}/follow`;
    const followed = await fetch(api + path, { method: "POST", headers });
    if (!followed.ok) throw new Error(`following: ${followed.status} ${await followed.text()}`);
    await followed.arrayBuffer();
  }
  return token;
}

const subjectOf = (token: string): string =>
  (JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as { sub: string })
    .sub;

async function firstSlug(server: Server): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${server.port}/api/articles?limit=1&offset=99990`);
  const { articles } = (await answer.json()) as { articles: { slug: string }[] };
  return articles[0]?.slug ?? "";
}

function request(target: string, token: string | undefined): string {
  const credentials = token === undefined ? "" : `Authorization: Token ${token}\r\n`;
  return `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\n${credentials}\r\n`;
}

function printPlans(served: Plan, file: string, name: string, asked: Asked): number {
  const { status, queries } = trace(served, file, asked);
  console.log(`\n${name} (${status})`);
  let scans = 0;
  for (const [of = "", ...lines] of queries) {
    const scanned = lines.some((one) => TABLE_SCAN.test(one) || one === "whole table");
    if (scanned) scans += 1;
    console.log(`  ${of}${scanned ? "   TABLE SCAN" : ""}`);
    for (const line of lines) console.log(`    ${line}`);
  }
  return scans;
}

async function measure(server: Server, served: Plan, file: string): Promise<void> {
  const token = await signUp(server);
  const slug = await firstSlug(server);
  const rows: (readonly string[])[] = [
    ["first page of", "status", "count", "p50 ms", "p99 ms", "wanted", ""],
  ];
  const scans: (readonly string[])[] = [];
  for (const list of LISTS) {
    const path = list.path.replace("{slug}", slug);
    const target = list.query === undefined ? path : `${path}?${list.query}`;
    const requests = [request(target, list.signedIn === true ? token : undefined)];
    const order = { port: server.port, connections: 1, requests };
    await load({ ...order, durationMs: 500 });
    const found = await load({ ...order, durationMs: DURATION_MS });
    const bar = barLine({ name: list.name, measured: found.p99Ms, unit: " ms", most: P99_MOST_MS });
    rows.push([
      list.name,
      Object.keys(found.statuses).join(" "),
      String(found.count),
      found.p50Ms.toFixed(2),
      found.p99Ms.toFixed(2),
      bar[2] ?? "",
      bar[3] ?? "",
    ]);
    const query = new Map<string, unknown>([
      ["limit", 20n],
      ["offset", 0n],
      ...new URLSearchParams(list.query),
    ]);
    const subject = list.signedIn === true ? subjectOf(token) : undefined;
    scans.push([list.name, String(printPlans(served, file, list.name, { path, query, subject }))]);
  }
  console.log(`\n${table(rows)}\n\n${table([["table scans in", "queries"], ...scans])}`);
}

const keepAt = process.argv.indexOf("--keep");
const kept = keepAt < 0 ? undefined : process.argv[keepAt + 1];
const folder = kept ?? mkdtempSync(join(tmpdir(), "lacuna-bench-"));
try {
  const node = await lacunaNode();
  const served = conduit();
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "conduit.sqlite");
  const startMs = performance.now();
  if (!existsSync(file)) fill(served, file, SIZES, SEED);
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
  console.log(
    `Node ${process.version}; seed ${SEED}; ${JSON.stringify(SIZES)}; filled in ` +
      `${seconds} s; one client, ${DURATION_MS / 1000} s each.`,
  );
  const command = lacuna(DOCUMENT, ["--assume", ASSUMPTIONS, "--data", file], "/api/tags");
  const env = { ...command.env, LACUNA_SETTING_JWT_KEY: "k".repeat(32) };
  const server = await start({ ...command, env, node });
  try {
    await measure(server, served, file);
  } finally {
    await server.stop();
  }
} finally {
  if (kept === undefined) rmSync(folder, { recursive: true, force: true });
}
