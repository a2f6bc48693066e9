/** Versions of a document side by side over one store: who answers, what is shared, what is not. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import {
  CannotServe,
  type MovableClock,
  movableClock,
  type Running,
  type ServeOptions,
  serve,
} from "../../src/serve/index.ts";
import { parseExample } from "../../src/spec/index.ts";
import { HOUR, listen } from "../change/base.ts";
import { bell } from "../change/served.ts";
import { compiledExample } from "../served/example.ts";
import { runBeside } from "./beside.ts";
import { document } from "./document.ts";
import { ADDED, type Version, version } from "./versions.ts";

const DAY = 24n * HOUR;
const START = 1_800_000_000_000_000n;

/** A document of its own name, so that lines can be told apart. */
function named(name: string, of: Version) {
  const { plan, origins } = document(version(of));
  const all = Object.entries(origins).map(([item, place]) => [item, { ...place, file: name }]);
  return { plan, origins: Object.fromEntries(all) as typeof origins };
}

type Options = Partial<ServeOptions>;

function start(one: Version, two: Version, options: Options): Promise<Running> {
  const { plan, origins } = named("v2.md", two);
  return serve(plan, { origins, older: [named("v1.md", one)], ...options });
}

function folder(t: TestContext): string {
  const made = mkdtempSync(join(tmpdir(), "lacuna-versions-"));
  t.after(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

type Headers = Record<string, string>;

async function ask(
  running: Running,
  target: string,
  body?: object,
  headers: Headers = {},
): Promise<{ status: number; body: unknown; headers: globalThis.Headers }> {
  const [method = "", path = ""] = target.split(" ");
  const given = body && { body: JSON.stringify(body) };
  const all = { ...(body && { "Content-Type": "application/json" }), ...headers };
  const answer = await fetch(`${running.address}${path}`, { method, headers: all, ...given });
  const text = await answer.text();
  return {
    status: answer.status,
    body: text === "" ? undefined : JSON.parse(text),
    headers: answer.headers,
  };
}

const BY_PATH: readonly [Version, Version] = [
  { versioning: "- This version: `1`\n- Chosen by: path `/v1`", basePath: "/v1" },
  { versioning: "- This version: `2`\n- Chosen by: path `/v2`", basePath: "/v2", ...ADDED },
];

function by(choice: string, more = "", failures = ""): readonly [Version, Version] {
  const versioning = (text: string): string =>
    `- This version: \`${text}\`\n- Chosen by: ${choice}${more}`;
  const rows = `| unknown version | \`refused\` |\n| no version | \`bad\` |\n${failures}`;
  return [
    { versioning: versioning("1"), failures: rows },
    { versioning: versioning("2"), failures: rows, ...ADDED },
  ];
}

test("by path: both write, both read; what one document adds is made as it states", async (t) => {
  const file = join(folder(t), "a.sqlite");
  const clock = movableClock(START);
  const hear = await bell();
  t.after(() => hear.close());
  const options: Options = { file, clock, allowPrivateReceivers: true };
  let running = await start(...BY_PATH, options);
  assert.equal((await ask(running, "POST /v1/hooks", { url: hear.address })).status, 201);
  const streams = [1, 2].map((one) => listen(running.address, 2, undefined, `/v${one}/feed`));
  await new Promise((resolve) => setTimeout(resolve, 100));
  const a = await ask(running, "POST /v1/items", { title: "a" });
  const { id } = a.body as { id: string };
  assert.deepEqual(a.body, { id, title: "a", number: 1, step: "open" });
  const b = await ask(running, "POST /v2/items", { title: "b", note: "n", rank: 7 });
  const { name, number } = b.body as { name: string; number: number };
  assert.deepEqual([name, number], ["b", 2]);
  const told = (await Promise.all(streams)).map((all) => all.map(({ data }) => data));
  assert.deepEqual(told, [
    [{ number: 1 }, { number: 2 }],
    [{ number: 1 }, { number: 2 }],
  ]);
  assert.deepEqual((await ask(running, "GET /v2/whole")).body, [
    { name: "a", note: null, rank: 5, isTouched: false, tags: 0 },
    { name: "b", note: "n", rank: 7, isTouched: false, tags: 0 },
  ]);
  const titles = async (): Promise<unknown> =>
    ((await ask(running, "GET /v1/items")).body as { title: string }[]).map(({ title }) => title);
  assert.deepEqual(await titles(), ["a", "b"]);
  // What the older document does not name is unknown to it, though rows have it.
  const strange = await ask(running, "POST /v1/items", { title: "c", note: "n" });
  assert.deepEqual([strange.status, strange.body], [400, { error: "bad", field: "note" }]);
  assert.equal((await ask(running, "POST /v1/items", { title: "b" })).status, 409);
  assert.equal((await ask(running, "GET /v1/whole")).status, 404);
  assert.equal((await ask(running, "GET /v3/items")).status, 404);
  // A change by the older document leaves what it does not name, and what sets itself is set.
  const { id: other } = b.body as { id: string };
  assert.equal((await ask(running, `PUT /v1/items/${other}`, { title: "bb" })).status, 200);
  assert.equal((await ask(running, "POST /v2/tags", { word: "w", item: id })).status, 201);
  assert.equal((await ask(running, `DELETE /v1/items/${id}`)).status, 204);
  assert.deepEqual((await ask(running, "GET /v2/tags")).body, []);
  // Two items that were made, and one that was tagged.
  await hear.until(3);
  await running.stop();

  running = await start(...BY_PATH, options);
  t.after(() => running.stop());
  assert.deepEqual((await ask(running, "GET /v2/whole")).body, [
    { name: "bb", note: "n", rank: 7, isTouched: true, tags: 0 },
  ]);
  clock.move(11n * HOUR);
  await hear.until(4);
  const steps = (await ask(running, "GET /v1/items")).body as { step: string }[];
  assert.deepEqual(
    steps.map(({ step }) => step),
    ["faded"],
  );
  assert.deepEqual([...hear.got.values()], [1, 1, 1, 1]);
});

for (const [choice, name] of [
  ["header `Api-Version`", (one: string) => ["/items", { "Api-Version": one }] as const],
  ["query parameter `v`", (one: string) => [`/items?v=${one}`, {}] as const],
] as const) {
  test(`by ${choice}: the text of a version chooses its document, and nothing else does`, async (t) => {
    const running = await start(...by(choice), { memory: true });
    t.after(() => running.stop());
    const made = async (one: string, body: object, key?: string) => {
      const [path, headers] = name(one);
      const keyed: Headers = key === undefined ? {} : { "Idempotency-Key": key };
      return await ask(running, `POST ${path}`, body, { ...headers, ...keyed });
    };
    assert.equal(((await made("1", { title: "a" }, "k")).body as { title: string }).title, "a");
    assert.equal(((await made("2", { title: "b" })).body as { name: string }).name, "b");
    // A retry under the other version has no second effect: keys are kept by method and path.
    const again = await made(choice.startsWith("header") ? "2" : "1", { title: "a" }, "k");
    assert.deepEqual([again.status, (again.body as { number: number }).number], [201, 1]);
    assert.equal((await made("3", { title: "c" })).status, 422);
    assert.equal((await ask(running, "GET /items")).status, 400);
    const [path, headers] = name("1");
    const all = (await ask(running, `GET ${path}`, undefined, headers)).body as { title: string }[];
    assert.deepEqual(
      all.map(({ title }) => title),
      ["a", "b"],
    );
  });
}

test("an old version is served for its time, by the clock, forth and over a restart", async (t) => {
  const file = join(folder(t), "a.sqlite");
  const clock: MovableClock = movableClock(START);
  const options = { file, inline: true };
  const kept = "\n- Old versions: kept 30 days after the next";
  const [one, two] = by("header `Api-Version`", kept);
  const asked = async (running: Running, text: string): Promise<number> =>
    (await ask(running, "GET /items", undefined, { "Api-Version": text })).status;
  let running = await start(one, two, { ...options, clock });
  assert.deepEqual([await asked(running, "1"), await asked(running, "2")], [200, 200]);
  clock.move(29n * DAY);
  assert.equal(await asked(running, "1"), 200);
  await running.stop();
  running = await start(one, two, { ...options, clock });
  assert.equal(await asked(running, "1"), 200);
  clock.move(DAY);
  // It is what the newest document says of a version that is not there.
  assert.deepEqual([await asked(running, "1"), await asked(running, "2")], [422, 200]);
  await running.stop();
  running = await start(one, two, { ...options, clock });
  assert.deepEqual([await asked(running, "1"), await asked(running, "2")], [422, 200]);
  await running.stop();
  // A clock that was put back does not take from the time.
  running = await start(one, two, { ...options, clock: movableClock(START - 5n * DAY) });
  assert.equal(await asked(running, "1"), 200);
  await running.stop();
});

for (const name of ["orders", "bank"]) {
  test(`the example ${name} answers beside a newer version as it does alone`, async () => {
    const { plan } = compiledExample(name, readFileSync);
    for (const { text } of plan.examples)
      await runBeside(plan, parseExample(text), { memory: true });
  });
}

test("of three versions each is followed by the next one: its time ends first", async (t) => {
  const clock = movableClock(START);
  const file = join(folder(t), "a.sqlite");
  const kept = "\n- Old versions: kept 30 days after the next";
  const [one, two] = by("header `Api-Version`", kept);
  const third: Version = { ...two, versioning: two.versioning.replace("`2`", "`3`") };
  const all = [named("v1.md", one), named("v2.md", two), named("v3.md", third)] as const;
  const options = { file, clock, inline: true };
  const asked = async (running: Running): Promise<number[]> => {
    const found: number[] = [];
    for (const text of ["1", "2", "3"]) {
      found.push((await ask(running, "GET /items", undefined, { "Api-Version": text })).status);
    }
    return found;
  };
  const [first, second, newest] = all;
  const before = await serve(second.plan, { ...second, ...options, older: [first] });
  await before.stop();
  clock.move(20n * DAY);
  const running = await serve(newest.plan, { ...newest, ...options, older: [first, second] });
  t.after(() => running.stop());
  assert.deepEqual(await asked(running), [200, 200, 200]);
  clock.move(10n * DAY);
  assert.deepEqual(await asked(running), [422, 200, 200]);
  clock.move(20n * DAY);
  assert.deepEqual(await asked(running), [422, 422, 200]);
});

/** The document without what it says of idempotency keys. */
const keyless = (text: string): string =>
  text
    .replace(/- Idempotency key[^]*?\n\n\|[^]*?\n\n/, "")
    .replace("3. Check the idempotency key.\n4. Check the paths.", "3. Check the paths.");

test("what the older document alone keeps stays in the store, also where it is not served", async (t) => {
  const options = { file: join(folder(t), "a.sqlite"), inline: true };
  const newest: Version = { ...SECOND, edit: keyless };
  const { plan } = named("v2.md", newest);
  const alone = async (): Promise<void> => (await serve(plan, options)).stop();
  const retried = async (): Promise<unknown> => {
    const running = await start(FIRST, newest, options);
    const made = await ask(running, "POST /v1/items", { title: "a" }, { "Idempotency-Key": "k" });
    await running.stop();
    return [made.status, (made.body as { number: number }).number];
  };
  assert.ok(plan.endpoints.every(({ idempotency }) => idempotency === undefined));
  await alone();
  assert.deepEqual(await retried(), [201, 1]);
  await alone();
  assert.deepEqual(await retried(), [201, 1]);
});

const TELLS = "\n- Sent with deprecated endpoints: Deprecation and Sunset";
const GOES = `

| Item | Deprecated on | Removed on | Instead |
|---|---|---|---|
| \`GET /items\` | 2027-01-20 | 2028-01-01 | none |
| \`feed\` | 2027-01-20 | none | none |`;

test("answers of an old version tell when it goes, and those of what is deprecated", async (t) => {
  const clock = movableClock(START);
  const kept = "\n- Old versions: kept 30 days after the next";
  const [one, two] = by("header `Api-Version`", `${kept}${TELLS}${GOES}`);
  const running = await start(one, two, { memory: true, clock });
  t.after(() => running.stop());
  const told = async (target: string, of: string, body?: object): Promise<unknown[]> => {
    const { headers } = await ask(running, target, body, { "Api-Version": of });
    return ["Deprecation", "Sunset"].map((name) => headers.get(name));
  };
  const end = new Date(Number((START + 30n * DAY) / 1000n)).toUTCString();
  const later = "Sat, 01 Jan 2028 00:00:00 GMT";
  const since = `@${Date.UTC(2027, 0, 20) / 1000}`;
  assert.deepEqual(await told("GET /items", "1"), [since, end]);
  assert.deepEqual(await told("GET /items", "2"), [since, later]);
  assert.deepEqual(await told("GET /items", "3"), [since, later]);
  // Refused or not: it is the endpoint's answer.
  assert.deepEqual(await told("POST /items", "1", { title: "x".repeat(30) }), [null, end]);
  assert.deepEqual(await told("POST /items", "2", { title: "a" }), [null, null]);
  assert.deepEqual(await told("GET /nowhere", "2"), [null, null]);
  const stream = await fetch(`${running.address}/feed`, { headers: { "Api-Version": "2" } });
  assert.equal(stream.headers.get("Deprecation"), since);
  await stream.body?.cancel();
});

test("a day that is to be told and is not shown is a gap of its endpoint", async (t) => {
  const hidden = `${TELLS}${GOES.replace("2027-01-20", "not shown")}`;
  const { plan, origins } = named("v1.md", {
    versioning: `${FIRST.versioning}${hidden}`,
    basePath: "/v1",
  });
  const running = await serve(plan, { origins, memory: true });
  t.after(() => running.stop());
  const met = await ask(running, "GET /v1/items");
  assert.equal(met.status, 501);
  assert.match(JSON.stringify(met.body), /Deprecated on/);
  assert.equal((await ask(running, "POST /v1/items", { title: "a" })).status, 201);
});

const LIMITS = "Rate limits: none.\n\nSize limits: none.\n\nTime-outs and quotas: none.\n";

function limited(amount: number, window: string): string {
  return `${LIMITS.replace("Rate limits: none.\n\n", "")}
- Sent with every answer: none

| Limit | Counts | Per | Amount | Window | When passed |
|---|---|---|---|---|---|
| \`few\` | requests to \`GET /items\` | everyone | ${amount} | ${window} | \`refused\` |`;
}

test("a limit counts under its name, whichever version is asked; limits of one name count alike", async (t) => {
  const one = { ...FIRST, limits: limited(3, "1 h, sliding") };
  const two = { ...SECOND, limits: limited(2, "1 h, sliding") };
  const running = await start(one, two, { memory: true });
  t.after(() => running.stop());
  const statuses: number[] = [];
  for (const base of ["/v2", "/v1", "/v2", "/v1", "/v1"]) {
    statuses.push((await ask(running, `GET ${base}/items`)).status);
  }
  assert.deepEqual(statuses, [200, 200, 422, 200, 422]);
  const other = { ...SECOND, limits: limited(2, "2 h, sliding") };
  await assert.rejects(
    start(one, other, { memory: true }),
    /What the limit `few` counts is not the same\. \(v1\.md:\d+:\d+; v2\.md:\d+:\d+\)/,
  );
});

test("where it is not shown how long old versions are kept, the old one meets that gap", async (t) => {
  const [one, two] = by("header `Api-Version`", "\n- Old versions: not shown");
  const running = await start(one, two, { memory: true });
  t.after(() => running.stop());
  const { status, body } = await ask(running, "GET /items", undefined, { "Api-Version": "1" });
  assert.equal(status, 501);
  assert.match(JSON.stringify(body), /v1\.md:\d+/);
  const newest = await ask(running, "GET /items", undefined, { "Api-Version": "2" });
  assert.equal(newest.status, 200);
});

/** Replaces text that stands once. */
const put =
  (from: string, to: string) =>
  (text: string): string => {
    assert.equal(text.split(from).length, 2, `${from} stands once`);
    return text.replace(from, to);
  };

const [FIRST, SECOND] = BY_PATH;
const REFUSED: readonly [what: string, one: Version, two: Version, says: RegExp][] = [
  [
    "a choice that is not the same",
    { ...by("header `A`")[0] },
    { ...by("query parameter `A`")[1] },
    /chosen by header `a` \(v1\.md:\d+:\d+\), and by query parameter `A` \(v2\.md:\d+:\d+\)/,
  ],
  [
    "no choice",
    { versioning: "- This version: `1`\n- Chosen by: none" },
    SECOND,
    /not stated how a request chooses a version \(v1\.md:\d+:\d+\)/,
  ],
  [
    "one prefix inside the other",
    { versioning: "- This version: `1`\n- Chosen by: path `/v2/old`", basePath: "/v2/old" },
    SECOND,
    /`\/v2\/old` and `\/v2` \(v1\.md:\d+:\d+; v2\.md:\d+:\d+\)/,
  ],
  [
    "the newest first",
    { ...by("header `A`")[0], versioning: "- This version: `1.10`\n- Chosen by: header `A`" },
    { ...by("header `A`")[1], versioning: "- This version: `1.9`\n- Chosen by: header `A`" },
    /`1\.9` \(v2\.md:\d+:\d+\) is named behind `1\.10` \(v1\.md:\d+:\d+\)/,
  ],
  [
    "two times for old versions",
    { ...FIRST, versioning: `${FIRST.versioning}\n- Old versions: kept 30 days after the next` },
    { ...SECOND, versioning: `${SECOND.versioning}\n- Old versions: kept 60 days after the next` },
    /kept 30 days \(v1\.md:\d+:\d+\), and 60 days \(v2\.md:\d+:\d+\)/,
  ],
  [
    "no old version is kept",
    FIRST,
    { ...SECOND, versioning: `${SECOND.versioning}\n- Old versions: none` },
    /none is kept \(v2\.md:\d+:\d+\)/,
  ],
  [
    "a field that is gone",
    { ...FIRST, fields: "| `gone` | string or null | no | no | no | starts `null` |" },
    SECOND,
    /`Item` has no `gone` any more\. \(v1\.md:\d+:\d+; v2\.md\)/,
  ],
  [
    "a wider rule",
    FIRST,
    { ...SECOND, edit: put("1 to 20 characters", "1 to 30 characters") },
    /The rule `characters` of `Item\.title` is not the same\. \(v1\.md:\d+:\d+; v2\.md:\d+:\d+\)/,
  ],
  [
    "a further state",
    FIRST,
    { ...SECOND, edit: put("`faded` (final)", "`faded` (final), `lost` (final)") },
    /The states of `Item` were `open`, `faded`, and are `open`, `faded`, `lost`/,
  ],
  [
    "a field without a first value",
    FIRST,
    {
      ...SECOND,
      fields: "| `code` | string | required | no | no | none |",
      endpoints: "",
      resources: "",
      events: "",
      webhooks: "",
    },
    /`Item\.code` is new, which rows that are there have no stated value of/,
  ],
  [
    "another time",
    FIRST,
    { ...SECOND, edit: put("by itself within 10 h", "by itself within 12 h") },
    /happens by itself to rows of `Item` is not the same: `fade`\. \(v1\.md:\d+:\d+; v2\.md:\d+:\d+\)/,
  ],
  [
    "an event that shows something else",
    FIRST,
    {
      ...SECOND,
      edit: put(
        "| `number` | integer | `it.number` |\n\n## States",
        "| `number` | integer | `it.number + 1` |\n\n## States",
      ),
    },
    /The event `item\.made` is not the same\. \(v1\.md:\d+:\d+; v2\.md:\d+:\d+\)/,
  ],
  [
    "another webhook",
    FIRST,
    { ...SECOND, edit: put("any 2xx within 15 s", "any 2xx within 10 s") },
    /The webhook `calls` is not the same/,
  ],
];

for (const [what, one, two, says] of REFUSED) {
  test(`refused, with the lines of both documents: ${what}`, async () => {
    await assert.rejects(start(one, two, { memory: true }), (fault: unknown) => {
      assert.ok(fault instanceof CannotServe, String(fault));
      assert.match(fault.message, /^v1\.md, v2\.md are not served side by side:\n- /);
      assert.match(fault.message, says);
      return true;
    });
  });
}
