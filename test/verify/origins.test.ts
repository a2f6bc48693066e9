/** The line `Cross-origin`: what services tell pages of other origins, in right manners and wrong. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { serve } from "../../src/serve/index.ts";
import { Random } from "../../src/verify/generate/random.ts";
import { Client, replayAgain, Session, verify } from "../../src/verify/index.ts";
import { probeOrigins } from "../../src/verify/probe/origins.ts";
import type { Answer, Request } from "../../src/verify/world/message.ts";
import { folder } from "../cli/world.ts";
import { proxied } from "../peers/proxied.ts";
import { ROOT } from "../peers/served.ts";
import { compiled } from "./clauses/trial.ts";

const TEXT = readFileSync(join(ROOT, "test/served/items/cross-listed.md"), "utf8");
const PUT = `### \`PUT /notes\`: again

- Body: none

1. Respond \`200\` with \`{"notes": notes.map(n, n.text)}\`.

## Authentication`;

const LINE = "service/cross-origin";
const [FIRST, SECOND] = ["https://a.example", "http://localhost:3000"] as const;
const LISTED =
  `from \`${FIRST}\`, \`${SECOND}\`, headers \`Content-Type\`, \`X-Trace\`, ` +
  "with credentials, showing `ETag`, `Link`, kept 1 h";
const EVERY = "from every origin, headers `Content-Type`, `X-Trace`, showing `ETag`, kept 10 min";
const BARE = "from every origin";
const STATED = ["content-type", "x-trace"];

/** The document with another line. */
function textWith(line: string): string {
  return TEXT.replace(/^- Cross-origin: .*/m, `- Cross-origin: ${line}`)
    .replace(/^```http[\s\S]*?^```$/m, "")
    .replace("## Authentication", PUT);
}

const documentOf = (line: string) =>
  compiled(textWith(line)) ?? assert.fail("the document has errors");

/** What a page asks. */
interface Asked {
  readonly origin: string;
  readonly isPreflight: boolean;
  /** Those of a preflight. */
  readonly headers: readonly string[];
  readonly isFound: boolean;
}

/** What a page is told. */
interface Told {
  /** Of the answer to a preflight. Default: 204. */
  readonly status?: number;
  readonly origin?: string | undefined;
  readonly credentials?: string | undefined;
  readonly methods?: string | undefined;
  readonly headers?: string | undefined;
  readonly age?: string | undefined;
  readonly shown?: string | undefined;
}

type Manner = (asked: Asked) => Told;

/** Answers a request as the document states it, but for what it tells a page. */
function answerOf({ method, target, headers }: Request, manner: Manner): Omit<Answer, "sent"> {
  const of = (wanted: string): string | undefined =>
    headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
  const origin = of("origin");
  const isPreflight = method === "OPTIONS";
  const isFound = target.split("?")[0] === "/notes";
  const asked = { isPreflight, isFound };
  const names = of("access-control-request-headers")?.split(",") ?? [];
  const told = origin === undefined ? {} : manner({ origin, headers: names, ...asked });
  const fields = [
    ["access-control-allow-origin", told.origin],
    ["access-control-allow-credentials", told.credentials],
    ["access-control-allow-methods", told.methods],
    ["access-control-allow-headers", told.headers],
    ["access-control-max-age", told.age],
    ["access-control-expose-headers", told.shown],
  ] as const;
  const own = fields.flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  const { status = 204 } = told;
  const received = 0n;
  if (isPreflight) return { status, headers: own, body: status === 200 ? "ok" : "", received };
  const json = ["Content-Type", "application/json"] as const;
  const body = isFound ? '{"notes":[]}' : '{"error":"gone","field":null}';
  return { status: isFound ? 200 : 404, headers: [json, ...own], body, received };
}

/** Probes a service that speaks in a manner; gives what was found. */
async function probed(line: string, manner: Manner): Promise<Session> {
  const { plan, occurring } = documentOf(line);
  const now = BigInt(Date.now()) * 1000n;
  const tag = "vtagaa";
  const session = new Session(plan, { tag, occurring, now });
  const { world } = session.judge;
  const random = new Random(1);
  await probeOrigins({
    session,
    patienceMs: 0,
    isOver: false,
    requestsLeft: 100,
    making: () => ({ plan, world, random, tag, wrong: 0, before: [], now }),
    send: async (request) => {
      const sent = BigInt(Date.now()) * 1000n;
      return session.judged(request, { ...answerOf(request, manner), sent, received: sent });
    },
    follow: async () => undefined,
  });
  return session;
}

/** As `lacuna serve` does it. */
const listed: Manner = ({ origin }) =>
  origin === FIRST || origin === SECOND
    ? {
        origin,
        credentials: "true",
        methods: "GET, POST, PUT, HEAD, OPTIONS",
        headers: "Content-Type, X-Trace",
        age: "3600",
        shown: "ETag, Link",
      }
    : {};

const every: Manner = () => ({
  origin: "*",
  methods: "PUT",
  headers: "Content-Type, X-Trace",
  age: "600",
  shown: "ETag",
});

const bare: Manner = () => ({ origin: "*", methods: "PUT" });

/** The same, and whoever may ask is told something else. */
const but =
  (manner: Manner, other: Told | ((asked: Asked) => Told)): Manner =>
  (asked) => {
    const told = manner(asked);
    const change = typeof other === "function" ? other(asked) : other;
    return told.origin === undefined ? told : { ...told, ...change };
  };

const isBeyond = ({ headers }: Asked): boolean => headers.some((one) => !STATED.includes(one));
const isStranger = (asked: Asked): boolean => listed(asked).origin === undefined;
const echoed = ({ headers }: Asked): string =>
  headers.filter((one) => STATED.includes(one)).join(",");

type Case = readonly [name: string, line: string, manner: Manner];

const right: readonly Case[] = [
  ["fixed lists", LISTED, listed],
  [
    "what is asked for alone, in lower case; no simple methods; status 200 with a body",
    LISTED,
    but(listed, (asked) => ({ status: 200, methods: "DELETE,PUT", headers: echoed(asked) })),
  ],
  [
    "shown headers in another order, and some that all may read",
    LISTED,
    but(listed, { shown: "content-length,link,etag" }),
  ],
  [
    "strangers are told what pages may do, but not that they may",
    LISTED,
    (asked) => ({ ...listed({ ...asked, origin: FIRST }), origin: listed(asked).origin }),
  ],
  [
    "strangers are told `null`",
    LISTED,
    (asked) => (isStranger(asked) ? { origin: "null" } : listed(asked)),
  ],
  [
    "strangers are told another origin",
    LISTED,
    (asked) => listed({ ...asked, origin: asked.origin === SECOND ? SECOND : FIRST }),
  ],
  [
    "preflights that may fail are refused",
    LISTED,
    (asked) => (isStranger(asked) || isBeyond(asked) ? { status: 403 } : listed(asked)),
  ],
  [
    "a preflight that may fail is told nothing",
    LISTED,
    (asked) => (isBeyond(asked) ? {} : listed(asked)),
  ],
  [
    "a preflight that may fail is told no headers",
    LISTED,
    but(listed, (asked) => (isBeyond(asked) ? { headers: undefined } : {})),
  ],
  ["an asterisk", EVERY, every],
  ["the origin itself", EVERY, but(every, ({ origin }) => ({ origin }))],
  ["every method", EVERY, but(every, { methods: "*" })],
  ["credentials that are not permitted", EVERY, but(every, { credentials: "false" })],
  [
    "every header that is asked for is stated",
    BARE,
    but(bare, (asked) => ({ headers: isBeyond(asked) ? undefined : "*" })),
  ],
  ["a time that is not stated", BARE, but(bare, { age: "86400" })],
  ["nothing is stated of pages", "none", () => ({})],
  ["nothing is stated of pages, and much is told", "none", listed],
];

const wrong: readonly Case[] = [
  ["nothing is told", LISTED, () => ({})],
  ["an asterisk for named origins", LISTED, but(listed, { origin: "*" })],
  ["one of two origins", LISTED, (asked) => (asked.origin === SECOND ? {} : listed(asked))],
  [
    "any origin",
    LISTED,
    ({ origin, ...asked }) => ({ ...listed({ ...asked, origin: FIRST }), origin }),
  ],
  [
    "whatever begins so",
    LISTED,
    (asked) =>
      asked.origin.startsWith(FIRST)
        ? { ...listed({ ...asked, origin: FIRST }), origin: asked.origin }
        : listed(asked),
  ],
  [
    "whatever ends so",
    LISTED,
    (asked) =>
      asked.origin.endsWith("a.example")
        ? { ...listed({ ...asked, origin: FIRST }), origin: asked.origin }
        : listed(asked),
  ],
  [
    "an asterisk for strangers",
    LISTED,
    (asked) => (isStranger(asked) ? { origin: "*" } : listed(asked)),
  ],
  ["two origins at once", LISTED, but(listed, { origin: `${FIRST}, ${SECOND}` })],
  ["no credentials", LISTED, but(listed, { credentials: undefined })],
  ["credentials in another form", LISTED, but(listed, { credentials: "True" })],
  ["credentials that are not stated", EVERY, but(every, { credentials: "true" })],
  ["a method is missing", LISTED, but(listed, { methods: "GET, POST" })],
  ["an asterisk for methods, with credentials", LISTED, but(listed, { methods: "*" })],
  ["a header is missing", LISTED, but(listed, { headers: "Content-Type" })],
  [
    "every header that is asked for",
    LISTED,
    but(listed, ({ headers }) => ({ headers: headers.join() })),
  ],
  ["one header more", LISTED, but(listed, { headers: "Content-Type, X-Trace, X-More" })],
  ["an asterisk for headers", EVERY, but(every, { headers: "*" })],
  ["a header though none is stated", BARE, but(bare, { headers: "Content-Type" })],
  ["another time", LISTED, but(listed, { age: "3601" })],
  ["no time", EVERY, but(every, { age: undefined })],
  ["no whole seconds", EVERY, but(every, { age: "600.0" })],
  ["another shown header", LISTED, but(listed, { shown: "ETag, X-Link" })],
  ["one shown header more", EVERY, but(every, { shown: "ETag, Link" })],
  ["an asterisk for shown headers", EVERY, but(every, { shown: "*" })],
  ["no shown header", EVERY, but(every, { shown: undefined })],
  ["a shown header though none is stated", BARE, but(bare, { shown: "ETag" })],
  ["refusals tell nothing", EVERY, (asked) => (asked.isFound ? every(asked) : {})],
  ["answers tell nothing", EVERY, (asked) => (asked.isPreflight ? every(asked) : {})],
  ["preflights are refused", EVERY, but(every, { status: 405 })],
  [
    "one page alone",
    EVERY,
    (asked) => (asked.isPreflight ? { ...every(asked), origin: FIRST } : every(asked)),
  ],
];

describe("what pages are told", () => {
  for (const [name, line, manner] of right) {
    test(`no alarm: ${name}`, async () => {
      const session = await probed(line, manner);
      assert.deepEqual(session.breaks, []);
      if (line === "none") assert.equal(session.requests, 0);
      else assert.equal(session.verdicts.of(LINE).verdict, "held");
      assert.ok(session.requests <= 14, String(session.requests));
    });
  }
  for (const [name, line, manner] of wrong) {
    test(`found and named: ${name}`, async () => {
      const { breaks } = await probed(line, manner);
      assert.ok(breaks.length > 0);
      for (const { items } of breaks) assert.deepEqual(items, [LINE]);
    });
  }
});

/** Judges one exchange by the document with the line. */
function judged(line: string, request: Partial<Request>, manner: Manner) {
  const { plan, occurring } = documentOf(line);
  const now = BigInt(Date.now()) * 1000n;
  const session = new Session(plan, { tag: "vtagaa", occurring, now });
  const whole = { method: "GET", target: "/notes", headers: [], ...request };
  const judgement = session.judged(whole, { ...answerOf(whole, manner), sent: now, received: now });
  return { session, judgement };
}

const PAGE = [["Origin", FIRST]] as const;

test("what no line states of pages is not judged", () => {
  const { judgement, session } = judged("not shown", { headers: PAGE }, () => ({ origin: "*" }));
  assert.equal(judgement.is, "unstated");
  assert.equal(session.verdicts.of(LINE).verdict, "unstated");
  assert.equal(session.gapsMet.size, 0);
  const others = judged("not shown", {}, () => ({})).judgement;
  assert.equal(others.is, "as stated");
  // A path that nothing is at, OPTIONS that asks for nothing, HEAD: these are of the host.
  const asks = ["Access-Control-Request-Method", "PUT"] as const;
  for (const request of [
    { method: "OPTIONS", target: "/nowhere", headers: [...PAGE, asks] },
    { method: "OPTIONS", headers: PAGE },
    { method: "OPTIONS" },
    { method: "HEAD", headers: PAGE },
  ]) {
    assert.notEqual(judged(LISTED, request, () => ({ status: 404 })).judgement.is, "broken");
  }
  const own = { method: "OPTIONS", headers: [...PAGE, asks] };
  assert.equal(judged(LISTED, own, () => ({ status: 404 })).judgement.is, "broken");
  const unknown = { method: "OPTIONS", headers: [PAGE[0], [asks[0], "PATCH"] as const] };
  assert.equal(judged(LISTED, unknown, () => ({ status: 403 })).judgement.is, "as stated");
});

const LIMITS = `Size limits, time-outs and quotas: none.

- Sent with every answer: none

| Limit | Counts | Per | Amount | Window | When passed |
|---|---|---|---|---|---|
| \`few\` | requests | everyone | 6 | 500 ms, fixed | \`fault\` |
`;

/** Serves a document, and verifies it by another. */
async function verified(of: string, by: string, more: { readonly shrinkMax?: number } = {}) {
  const [served, { plan, occurring }] = [of, by].map(
    (text) => compiled(text) ?? assert.fail("the document has errors"),
  ) as [ReturnType<typeof documentOf>, ReturnType<typeof documentOf>];
  const running = await serve(served.plan, { memory: true, inline: true });
  try {
    const bounds = { requestsMax: 50, secondsMax: 20, breaksMax: 25, shrinkMax: 0, ...more };
    const options = { seed: 1, tag: "vtagaa", patienceMs: 1_000, occurring, ...bounds };
    const found = await verify(plan, new URL(running.address), options);
    const again = found.shrunk.flatMap((one) => ("replay" in one ? [one.replay] : []));
    const client = new Client(new URL(running.address));
    const replayed = await Promise.all(again.map((one) => replayAgain(one, client, { tag: "vb" })));
    client.close();
    return { ...found, replays: again, replayed };
  } finally {
    await running.stop();
  }
}

describe("services that are served", () => {
  const limited = textWith(LISTED)
    .replace(/^Rate limits, .*\n/m, LIMITS)
    .replace("1. Check the inputs.", "1. Check the limits.")
    .replace("2. Check the paths.", "2. Check the inputs.");
  const all = { every: textWith(EVERY), listed: textWith(LISTED), bare: textWith(BARE), limited };
  for (const [name, text] of Object.entries(all)) {
    test(`no alarm: ${name}`, async () => {
      const { session } = await verified(text, text);
      assert.deepEqual(session.breaks, []);
      const { verdict, by } = session.verdicts.of(LINE);
      assert.equal(verdict, "held");
      assert.ok(by.length > 3);
    });
  }

  test("a wrong line is found, and shown again by one request", async () => {
    const other = textWith(LISTED.replace("1 h", "2 h"));
    const found = await verified(other, textWith(LISTED), { shrinkMax: 60 });
    assert.deepEqual([...new Set(found.session.breaks.flatMap(({ items }) => items))], [LINE]);
    const [replay] = found.replays;
    const names = replay?.requests.map(({ headers }) => headers.map(([name]) => name));
    assert.deepEqual(names, [["Origin", "Access-Control-Request-Method"]]);
    assert.deepEqual(replay?.differs, [
      { in: "header", at: "Access-Control-Max-Age", expected: "3600", seen: "7200" },
    ]);
    assert.deepEqual(
      found.replayed.map(({ is }) => is),
      ["still broken"],
    );
  });

  test("pages that ask through the proxy are judged", async (t) => {
    const file = join(folder(t), "listed.md");
    writeFileSync(file, textWith(LISTED));
    const service = await proxied({ args: [file] }, false);
    const ask = (method: string, headers: Readonly<Record<string, string>>) =>
      fetch(`${service.address}/notes`, { method, headers }).then((one) => one.arrayBuffer());
    await ask("OPTIONS", { Origin: FIRST, "Access-Control-Request-Method": "PUT" });
    await ask("GET", { Origin: FIRST });
    await ask("GET", { Origin: service.address });
    const { broken, items, tally } = await service.found();
    assert.deepEqual(broken, []);
    assert.match(tally, /^3 exchanges: 3 as stated/);
    assert.equal(items.find(({ id }) => id === LINE)?.verdict, "held");
  });
});
