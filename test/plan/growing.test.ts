/**
 * What the plan tells of reads that grow with the rows is what a store does: each condition, in each
 * use, over few rows and over many. The store's own steps are counted, one for 32 rows.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { type Growth, growingReads } from "../../src/plan/index.ts";
import type { Members } from "../../src/run/index.ts";
import { document } from "../run/document.ts";
import { planOf, Service } from "../run/service.ts";

const FEW = 200;
const MANY = 1_600;
/** Steps of a read that the document bounds: no more than 100 rows, whichever are counted. */
const BOUNDED = 12;

/** Conditions over `it`: of what is searched for, hardly any row is there, or half of all are. */
const conditions = {
  none: "",
  key: "it.id == query.text",
  unique: "it.name == query.text",
  "unique in any case": "lower(it.name) == lower(query.text)",
  "a unique set": "it.kind == query.kind && it.number == 7",
  "a unique field and what is computed": 'it.name == query.text && it.name + "x" == "x"',
  equal: "it.kind == query.kind",
  "two equal": "it.kind == query.kind && it.flag == true",
  "a reference": "it.owner == owner",
  "of some": 'it.kind in ["a", "b"]',
  "behind a reference": 'it.owner.name == "o0"',
  "behind a reference in any case": 'lower(it.owner.name) == "o0"',
  "in any case": "lower(it.label) == query.kind",
  range: "it.size > -1",
  "two ranges": "it.size > -1 && it.rank < -1",
  "left out": "!has(query.rest) || it.kind == query.rest",
  "left out, and equal": "it.flag == true && (!has(query.rest) || it.kind == query.rest)",
  "an item": "query.kind in it.tags",
  "two ways": "it.size == -1 || it.rank == -1",
  unequal: "it.kind != query.kind && it.size != -1 && it.rank < it.size",
  contains: "it.name.contains(query.text)",
  computed: 'it.name + "x" == query.text',
  "other rows": "owners.exists(o, o.name == it.name)",
} as const;

type Name = keyof typeof conditions;

/** Where a query stands: the steps, without their numbers. */
const uses: Readonly<Record<string, (where: string) => readonly string[]>> = {
  list: (where) => [...every(where), shown("found")],
  count: (where) => [...every(where), 'Respond `200` with `{"x": size(found)}`.'],
  exists: (where) => [
    ...owner(where),
    `Respond \`200\` with \`{"x": things.exists(t, ${about(where)})}\`.`,
  ],
  all: (where) => [
    ...owner(where),
    `Respond \`200\` with \`{"x": things.all(t, ${about(where)})}\`.`,
  ],
  page: (where) => [...every(where), page("from `0`"), shown("page")],
  "page in order": (where) => ordered(where, "`it.size` ascending"),
  "page in order in any case": (where) => ordered(where, "`lower(it.label)` ascending"),
  "page in order down": (where) => ordered(where, "`it.size` descending"),
  "page in two orders": (where) => ordered(where, "`it.size` descending, then `it.rank` ascending"),
  "page from far": (where) => [...every(where), page("from `query.from`"), shown("page")],
  "page of any length": (where) => [
    ...every(where),
    "Let `page` be `found` from `0`, at most `query.from`.",
    shown("page"),
  ],
  "page after": (where) => [
    ...every(where),
    "Order `found` by `it.size` ascending.",
    "Let `page` be `found` after `query.after`, at most `10`, else `gone`.",
    shown("page"),
  ],
};

const owner = (where: string): readonly string[] =>
  where.includes("== owner")
    ? ['Let `owner` be the `Owner` where `it.name == "o0"`, else `gone`.']
    : [];
const every = (where: string): readonly string[] => [
  ...owner(where),
  `Let \`found\` be every \`Thing\`${where === "" ? "" : ` where \`${where}\``}.`,
];
const about = (where: string): string => (where || "true").replaceAll(/\bit\b/g, "t");
const page = (from: string): string => `Let \`page\` be \`found\` ${from}, at most \`10\`.`;
const shown = (name: string): string => `Respond \`200\` with \`{"x": ${name}.map(f, f.size)}\`.`;
const ordered = (where: string, order: string): readonly string[] => [
  ...every(where),
  `Order \`found\` by ${order}.`,
  page("from `0`"),
  shown("page"),
];
const numbered = (steps: readonly string[]): string =>
  steps.map((one, i) => `${i + 1}. ${one}`).join("\n");

const cases = Object.keys(uses).flatMap((use) =>
  (Object.keys(conditions) as Name[]).map((name, i) => ({
    use,
    name,
    path: `/${use.replaceAll(" ", "-")}/${i}`,
  })),
);

const text = document({
  resources: `### \`Owner\`, many \`owners\`

- Rows at the start: given when the service starts

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`name\` | string | required | no | yes | key |

### \`Thing\`, many \`things\`

- Rows at the start: given when the service starts
- Unique: \`kind\` and \`number\`, else \`taken\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`id\` | string | required | no | yes | key |
| \`name\` | string | required | no | yes | unique in any case, else \`taken\` |
| \`label\` | string | required | no | yes | none |
| \`kind\` | one of \`a\`, \`b\` | required | no | yes | none |
| \`number\` | integer | required | no | yes | none |
| \`flag\` | boolean | required | no | yes | none |
| \`size\` | integer | required | no | yes | none |
| \`rank\` | integer | required | no | yes | none |
| \`owner\` | \`Owner\` | required | no | yes | deleted with it |
| \`tags\` | list of string | required | no | yes | none |`,
  endpoints: cases
    .map(
      ({ use, name, path }) => `### \`GET ${path}\`

- Body: none

| Input | In | Type | Needed | Rules |
|---|---|---|---|---|
| \`text\` | query | string | yes | none |
| \`kind\` | query | one of \`a\`, \`b\` | yes | none |
| \`rest\` | query | string | no | none |
| \`from\` | query | integer | yes | at least 0 |
| \`after\` | query | string | yes | none |

${numbered(uses[use]?.(conditions[name]) ?? [])}`,
    )
    .join("\n\n"),
});

/** Half of the things are alike in each field that is searched. */
function thing(i: number): Members {
  const kind = i % 2 === 0 ? "a" : "b";
  return new Map<string, unknown>([
    ["id", `t${i}`],
    ["name", `n${i}`],
    ["label", kind.toUpperCase()],
    ["kind", kind],
    ["number", BigInt(i)],
    ["flag", i % 4 < 2],
    ["size", BigInt(i)],
    ["rank", BigInt(i)],
    ["owner", `o${i % 2}`],
    ["tags", [kind]],
  ]) as Members;
}

const planned = planOf(text);

/** A service with so many things, and how many steps the store has made. */
function serviceWith(count: number): { service: Service; steps: () => number } {
  const folder = mkdtempSync(join(tmpdir(), "lacuna-growing-"));
  const things = Array.from({ length: count }, (_, i): Members => thing(i));
  const service = new Service(planned, {
    store: { file: join(folder, "store.db") },
    rows: new Map([
      ["Owner", [new Map([["name", "o0"]]), new Map([["name", "o1"]])]],
      ["Thing", things],
    ]),
  });
  after(() => {
    service.close();
    rmSync(folder, { recursive: true });
  });
  let steps = 0;
  service.store.watch(() => {
    steps += 1;
  }, 0);
  return { service, steps: () => steps };
}

const few = serviceWith(FEW);
const many = serviceWith(MANY);
const judged = new Map<string, Growth[]>();
for (const { at, why } of growingReads(many.service.plan)) {
  const path = at[0] ?? "";
  judged.set(path, [...(judged.get(path) ?? []), why]);
}

/** The steps of one request, the second of its kind: the first one is compiled. */
function stepsOf({ service, steps }: ReturnType<typeof serviceWith>, path: string, size: number) {
  const last = size - 1;
  const target = `${path}?text=n${last}&kind=a&from=${size - 20}&after=t${last - 20}`;
  const { status } = service.request("GET", target);
  // The row behind which a page is to begin need not be in the list.
  assert.ok(status === 200 || (status === 404 && path.startsWith("/page-after")), target);
  const before = steps();
  service.request("GET", target);
  return steps() - before;
}

const told = cases.map(({ use, name, path }) => {
  const [first] = judged.get(`endpoints/GET ${path}`) ?? [];
  const [a, b] = [stepsOf(few, path, FEW), stepsOf(many, path, MANY)];
  return { name: `${use}: ${name}`, why: first?.is, few: a, many: b };
});

test("what the plan bounds goes through as many rows, however many there are", () => {
  const bounded = told.filter(({ why }) => why === undefined);
  assert.ok(bounded.length > 30, `${bounded.length} bounded`);
  assert.deepEqual(
    bounded.filter((one) => one.many > BOUNDED),
    [],
  );
});

test("what takes longer with these rows is told, with each reason that there is", () => {
  const growing = told.filter((one) => one.many > BOUNDED && one.many > 2 * one.few);
  assert.ok(growing.length > 80, `${growing.length} grow`);
  const reasons = new Set(growing.map(({ why }) => why));
  const all: Readonly<Record<Growth["is"], true>> = {
    "all read": true,
    "all counted": true,
    searched: true,
    computed: true,
    sorted: true,
    "far page": true,
    "long page": true,
    "page after": true,
  };
  assert.deepEqual([...reasons].toSorted(), Object.keys(all).toSorted());
});
