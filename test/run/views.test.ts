import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { check, plan } from "../../src/check/index.ts";
import type { Plan } from "../../src/plan/index.ts";
import { read } from "../../src/read/index.ts";
import type { Query, Session } from "../../src/run/index.ts";
import type { SqliteSession } from "../../src/store/index.ts";
import { type Reply, Service } from "./service.ts";

/** The RealWorld example with the assumptions that its suites make. */
function conduit(): Plan {
  const folder = new URL("../../examples/conduit/", import.meta.url);
  const of = (name: string) => read(readFileSync(new URL(name, folder)));
  const made = plan(check(of("spec.md"), of("assumptions.md")));
  assert.ok(made);
  return made.plan;
}

const folder = mkdtempSync(join(tmpdir(), "lacuna-views-"));
const service = new Service(conduit(), {
  store: { file: join(folder, "store.db") },
  settings: new Map([["jwt_key", "k"]]),
  hooks: { hash: (_, text) => text, verify: (a, b) => a === b, issue: (_, subject) => subject },
});
after(() => {
  service.close();
  rmSync(folder, { recursive: true });
});

interface Statement {
  readonly what: string;
  readonly query: Query | undefined;
}

/** Notes every call of the session that asks the database for something. */
function watch(session: Session): Statement[] {
  const seen: Statement[] = [];
  const noted = ["rows", "columns", "count", "exists", "get", "getMany", "all"] as const;
  for (const what of noted) {
    const run = session[what].bind(session) as (...args: unknown[]) => unknown;
    Object.defineProperty(session, what, {
      value: (...args: unknown[]) => {
        seen.push({
          what,
          query:
            what === "rows" || what === "columns" || what === "count" || what === "exists"
              ? (args[0] as Query)
              : undefined,
        });
        return run(...args);
      },
    });
  }
  return seen;
}

function call(method: string, path: string, who?: string, body?: unknown): Reply {
  const presented =
    who === undefined ? undefined : [{ is: "token" as const, claims: new Map([["sub", who]]) }];
  const reply = service.request(method, `/api${path}`, {
    presented,
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  assert.equal(reply.outcome.effects.fault, undefined);
  return reply;
}

const USERS = 12;
const ids: string[] = [];
for (let i = 0; i < USERS; i++) {
  const user = { username: `user${i}`, email: `u${i}@x.example`, password: "longenough" };
  const made = call("POST", "/users", undefined, { user });
  assert.equal(made.status, 201, made.text);
  ids.push((made.json as { user: { token: string } }).user.token);
}
for (let i = 0; i < 40; i++) {
  const article = {
    title: `Title ${i}`,
    description: "d",
    body: "b",
    tagList: [`t${i % 3}`, "all"],
  };
  assert.equal(call("POST", "/articles", ids[i % USERS], { article }).status, 201);
  call("POST", `/articles/title-${i}-${i + 1}/favorite`, ids[0]);
}
for (let i = 1; i < USERS; i += 2) call("POST", `/profiles/user${i}/follow`, ids[0]);

const seen = watch(service.store.session);

/** Statements of one request. */
function statements(path: string, who?: string): { reply: Reply; made: readonly Statement[] } {
  seen.length = 0;
  const reply = call("GET", path, who);
  assert.equal(reply.status, 200, reply.text);
  return { reply, made: [...seen] };
}

const LISTS = [
  "/articles",
  "/articles?tag=t1",
  "/articles?author=user3",
  "/articles/feed",
  "/articles?favorited=user0",
  "/articles?tag=all&author=user3&favorited=user0",
];

for (const path of LISTS) {
  test(`${path}: as many statements for two rows as for twenty`, () => {
    const join = path.includes("?") ? "&" : "?";
    const few = statements(`${path}${join}limit=2`, ids[0]);
    const many = statements(`${path}${join}limit=20`, ids[0]);
    const { articles } = many.reply.json as { articles: { author: object; favorited: boolean }[] };
    assert.ok(articles.length >= 3, "the list is long enough to tell");
    assert.equal(many.made.length, few.made.length);
    assert.ok(many.made.length <= 8, many.made.map((one) => one.what).join(", "));
    assert.ok(!many.made.some((one) => one.what === "all"), "no whole table is read");
    assert.ok(
      articles.every((one) => one.favorited),
      "columns read ahead are right",
    );
  });

  test(`${path}: no query scans a table`, () => {
    const session = service.store.session as SqliteSession;
    for (const { query, what } of statements(path, ids[0]).made) {
      if (query === undefined || what === "count") continue;
      for (const line of session.explain(query) ?? ["SCAN: not pushed down"]) {
        const isScan = /^SCAN (?!json_each)/.test(line) && !/USING (COVERING )?INDEX/.test(line);
        assert.ok(!isScan, `${line} in ${JSON.stringify(session.explain(query))}`);
      }
    }
  });
}

test("a list shows what each article alone shows", () => {
  const { articles } = call("GET", "/articles?limit=40", ids[0]).json as {
    articles: ({ slug: string } & object)[];
  };
  assert.equal(articles.length, 40);
  for (const line of articles.slice(0, 10)) {
    const { article } = call("GET", `/articles/${line.slug}`, ids[0]).json as {
      article: { body?: string };
    };
    const { body, ...rest } = article;
    assert.equal(body, "b");
    assert.deepEqual(line, rest);
  }
});

test("guards around queries: without a caller nothing is followed and nothing fails", () => {
  const { articles } = statements("/articles").reply.json as {
    articles: { favorited: boolean; favoritesCount: number; author: { following: boolean } }[];
  };
  assert.ok(
    articles.every((one) => !one.favorited && one.favoritesCount === 1 && !one.author.following),
  );
});

test("tags are read off their index", () => {
  const { reply, made } = statements("/tags");
  assert.deepEqual(reply.json, { tags: ["all", "t0", "t1", "t2"] });
  assert.deepEqual(
    made.map((one) => one.what),
    [],
  );
});
