/**
 * A document is changed and served again on the rows that it kept: each value is read as it was
 * written, or the start is refused with the lines of both documents.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import Database from "better-sqlite3";
import type { Plan } from "../../src/plan/index.ts";
import { CannotServe, type Running, type ServeOptions, serve } from "../../src/serve/index.ts";
import { document as frame } from "../run/document.ts";
import { document } from "../serve/document.ts";

const TEAMS = `### \`Team\`, many \`teams\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`name\` | string | required | no | yes | key; unique, else \`taken\` |`;

const base = frame({
  resources: `### \`Item\`, many \`items\`

- Missing \`team\`: \`gone\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`id\` | id \`it_\` | no | no | yes | none |
| \`title\` | string | required | no | yes | 1 to 40 characters |
| \`price\` | decimal 2 | required | no | yes | none |
| \`size\` | integer | required | no | yes | \`0\` to \`9\` |
| \`kind\` | one of \`a\`, \`b\` | required | no | yes | none |
| \`team\` | \`Team\` | required | no | yes | deleted with it |
| \`note\` | string or null | required | no | yes | none |
| \`tags\` | list of string | required | no | yes | none |
| \`box\` | \`Box\` | required | no | yes | none |
| \`at\` | timestamp | required | no | yes | none |
| \`key\` | secret | required | no | no | kept as SHA-256 |
| \`Note\` | string | required | no | yes | none |
| \`step\` | state | no | no | yes | none |

${TEAMS}

### \`Box\`, a part

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`wide\` | integer | required | no | yes | none |
| \`deep\` | decimal 1 or null | required | no | yes | none |`,
  states: `- No states: \`Team\`

### \`Item\`

- Held in: \`step\`
- States: \`open\` (initial), \`done\` (final)
- Any other transition: refused with \`refused\`

| Transition | From | To | On | When | Then |
|---|---|---|---|---|---|
| \`finish\` | \`open\` | \`done\` | step | none | none |`,
  endpoints: `### \`POST /teams\`

- Body: new \`Team\`

1. Create a \`Team\` as \`team\` from \`body\`.
2. Respond \`201\` with \`Team\` of \`team\`.

### \`POST /items\`

- Body: new \`Item\`

1. Create an \`Item\` as \`item\` from \`body\`.
2. Respond \`201\` with \`Item\` of \`item\`.

### \`POST /items/{id}/finish\`

- Body: none
- Path \`id\`: \`item\`, the \`Item\` by \`id\`, else \`gone\`

1. Fire \`finish\` on \`item\`.
2. Respond \`204\` with no body.

### \`GET /items\`

1. Respond \`200\` with list of \`Item\` of \`items\`.

### \`GET /items/with/{tag}\`

| Input | In | Type | Needed | Rules |
|---|---|---|---|---|
| \`tag\` | path | string | yes | none |

1. Respond \`200\` with list of \`Item\` of \`items.filter(i, path.tag in i.tags)\`.`,
});

const ITEM = {
  ...{ title: "tea", price: 4.57, size: 7, kind: "b", team: "red", note: null, tags: ["x", "y"] },
  ...{ box: { wide: 3, deep: null }, at: "2026-01-02T03:04:05Z", key: "k", Note: "big" },
};

/** Plain replacements of a text that stands once. */
type Edit = readonly (readonly [from: string, to: string])[];

function edited(edit: Edit): string {
  return edit.reduce((text, [from, to]) => {
    assert.equal(text.split(from).length, 2, `${from} stands once`);
    return text.replace(from, () => to);
  }, base);
}

type Row = Record<string, unknown>;

interface Kept {
  readonly file: string;
  readonly rows: readonly Row[];
}

async function ask(address: string, path: string, body?: unknown): Promise<unknown> {
  const headers = { "Content-Type": "application/json" };
  const given = body === "" ? {} : { headers, body: JSON.stringify(body) };
  const sent = body === undefined ? {} : { method: "POST", ...given };
  const answer = await fetch(address + path, sent);
  const text = await answer.text();
  assert.ok(answer.status < 300, `${path}: ${answer.status} ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}

async function serving(t: TestContext, plan: Plan, options: ServeOptions): Promise<Running> {
  const running = await serve(plan, options);
  t.after(() => running.stop());
  return running;
}

/** A store in which the document has kept rows. */
async function kept(t: TestContext): Promise<Kept> {
  const folder = mkdtempSync(join(tmpdir(), "lacuna-change-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "a.sqlite");
  const { plan, origins } = document(base);
  const { address, stop } = await serving(t, plan, { origins, file, inline: true });
  await ask(address, "/teams", { name: "red" });
  await ask(address, "/items", ITEM);
  const other = { ...ITEM, title: "soap", box: { wide: -1, deep: 2.5 }, note: "n" };
  const { id } = (await ask(address, "/items", other)) as { id: string };
  await ask(address, `/items/${id}/finish`, "");
  const rows = (await ask(address, "/items")) as Row[];
  await stop();
  assert.equal(rows.length, 2);
  return { file, rows };
}

const field = (name: string, type: string, rules: string): string =>
  `| \`${name}\` | ${type} | optional | no | yes | ${rules} |`;
const before = (line: string, ...lines: readonly string[]): Edit => [
  [line, [...lines, line].join("\n")],
];

const SIZE = "| `size` | integer | required | no | yes | `0` to `9` |";
const PRICE = "| `price` | decimal 2 | required | no | yes | none |";
const DEEP = "| `deep` | decimal 1 or null | required | no | yes | none |";
const NOTE = "| `note` | string or null | required | no | yes | none |";
const BIG = "| `Note` | string | required | no | yes | none |";

/** Edits by which each value is read as it was written, and what rows have more, if anything. */
const TAKEN: Readonly<Record<string, readonly [edit: Edit, more?: Row]>> = {
  "another order of fields": [
    [
      [`${PRICE}\n`, ""],
      [SIZE, `${SIZE}\n${PRICE}`],
    ],
  ],
  "another order of names that differ in case alone": [
    [
      [NOTE, "| `x` |"],
      [BIG, NOTE],
      ["| `x` |", BIG],
    ],
  ],
  "a field that starts": [before(SIZE, field("rank", "integer", "starts `5`")), { rank: 5 }],
  "a field that starts with a list": [
    before(SIZE, field("marks", "list of string", 'starts `["m"]`')),
    { marks: ["m"] },
  ],
  "a field with null": [before(SIZE, field("mark", "string or null", "none")), { mark: null }],
  "a field that may be absent": [before(SIZE, field("mark", "string or absent", "none"))],
  "a value": [[["one of `a`, `b`", "one of `c`, `b`, `a`"]]],
  null: [[["| `title` | string |", "| `title` | string or null |"]]],
  absent: [[["| `title` | string | required", "| `title` | string or absent | optional"]]],
  "a looser rule": [[["1 to 40 characters", "1 to 80 characters"]]],
  "a rule gone": [[["1 to 40 characters", "none"]]],
  "a bound gone": [[["`0` to `9`", "none"]]],
  "a member of a part": [before(DEEP, field("high", "integer or absent", "none"))],
  "another order of members": [
    [
      [`\n${DEEP}`, ""],
      ["| `wide` |", `${DEEP}\n| \`wide\` |`],
    ],
  ],
  "a resource": [
    [
      [TEAMS, `${TEAMS}\n\n${TEAMS.replaceAll("Team", "Club").replaceAll("teams", "clubs")}`],
      ["- No states: `Team`", "- No states: `Team`, `Club`"],
    ],
  ],
  "a state": [[["`open` (initial), `done`", "`open` (initial), `held` (final), `done`"]]],
  "rows that are never deleted": [before("- Missing `team`: `gone`", "- Deleted: never")],
  "an endpoint": [
    before("### `GET /items`\n", "### `GET /now`\n\n1. Respond `204` with no body.\n"),
  ],
  "what clients may send": [[[SIZE, SIZE.replace("required", "optional").replace("none", "yes")]]],
};

/** Edits by which a value would be another, or may be none of those that are stated. */
const REFUSED: Readonly<Record<string, readonly [edit: Edit, told: RegExp]>> = {
  "more places": [[["decimal 2", "decimal 4"]], /`Item.price` was decimal 2, and is decimal 4/],
  "fewer places": [[["decimal 2", "decimal 0"]], /decimal 0/],
  "a decimal as an integer": [[["decimal 2", "integer"]], /is integer/],
  "an integer as a string": [
    [[SIZE, field("size", "string", "none")]],
    /`Item.size` was integer, and is string/,
  ],
  "a string as an integer": [
    [
      ["| `title` | string |", "| `title` | integer |"],
      ["1 to 40 characters", "none"],
    ],
    /is integer/,
  ],
  "a string as json": [
    [
      ["| `title` | string |", "| `title` | json |"],
      ["1 to 40 characters", "none"],
    ],
    /is json/,
  ],
  "a string as an email": [[["| `title` | string |", "| `title` | email |"]], /is email/],
  "a timestamp as a date": [[["| `at` | timestamp |", "| `at` | date |"]], /is date/],
  "another secret": [[["kept as SHA-256", "kept as it is"]], /`kept as` of `Item.key` is another/],
  "a value gone": [[["one of `a`, `b`", "one of `a`, `c`"]], /one of `a`, `b`.*one of `a`, `c`/],
  "null gone": [[[NOTE, NOTE.replace(" or null", "")]], /`Item.note` was string or null/],
  "a field renamed": [[["| `price` |", "| `cost` |"]], /no `price` any more/],
  "a field gone": [[[`${PRICE}\n`, ""]], /no `price` any more/],
  "a field without a value": [
    before(SIZE, "| `rank` | integer | required | no | yes | none |"),
    /`Item.rank` is new, which/,
  ],
  "a field with the moment": [
    before(SIZE, "| `made` | timestamp | no | no | yes | set to `now` on create |"),
    /`Item.made` is new, which/,
  ],
  "a tighter rule": [
    [["1 to 40 characters", "4 to 40 characters"]],
    /`characters` of `Item.title`/,
  ],
  "a new rule": [
    [
      [
        "| `title` | string | required | no | yes | 1 to",
        "| `title` | string | required | no | yes | trimmed; 1 to",
      ],
    ],
    /`trimmed`/,
  ],
  "a tighter bound": [[["`0` to `9`", "`0` to `8`"]], /`range` of `Item.size`/],
  "a new unique": [[[SIZE, SIZE.replace("`9`", "`9`; unique, else `taken`")]], /`unique`/],
  "a new invariant": [
    before("- Missing `team`: `gone`", "- Always: `it.size < 3`, else `bad`"),
    /`Always`/,
  ],
  "a member of a part retyped": [
    [["decimal 1 or null", "decimal 2 or null"]],
    /`Item.box`|`Box` of `Item.box`/,
  ],
  "a member of a part renamed": [[["| `wide` |", "| `width` |"]], /`Item.box`/],
  "another prefix": [[["id `it_`", "id `item_`"]], /id `it_`, and is id `item_`/],
  "a state renamed": [
    [
      ["`done` (final)", "`over` (final)"],
      ["| `open` | `done` |", "| `open` | `over` |"],
    ],
    /The states of `Item` were `open`, `done`/,
  ],
  "another key": [
    [
      [
        "| `name` | string | required | no | yes | key; unique, else `taken` |",
        "| `name` | string | required | no | yes | none |\n| `code` | id | no | no | yes | none |",
      ],
    ],
    /`key` of `Team.name`|named by another field/,
  ],
};

for (const [what, [edit, more = {}]] of Object.entries(TAKEN)) {
  test(`taken: ${what}`, async (t) => {
    const { file, rows } = await kept(t);
    const { plan, origins } = document(edited(edit));
    const said: string[] = [];
    for (let start = 0; start < 2; start++) {
      const log = (line: string): void => void said.push(line);
      const options = { origins, file, inline: start === 0, log };
      const { address, stop } = await serving(t, plan, options);
      const now = (await ask(address, "/items")) as Row[];
      const found = (await ask(address, "/items/with/y")) as Row[];
      await stop();
      assert.deepEqual(
        now,
        rows.map((row) => ({ ...row, ...more })),
      );
      assert.deepEqual(found, now);
    }
    assert.ok(
      said.every((line) => line.startsWith("changed: ")),
      said.join("\n"),
    );
    assert.equal(new Set(said).size, said.length, "said once");
  });
}

for (const [what, [edit, told]] of Object.entries(REFUSED)) {
  test(`refused: ${what}`, async (t) => {
    const { file, rows } = await kept(t);
    const other = document(edited(edit));
    for (const inline of [true, false]) {
      await assert.rejects(serve(other.plan, { origins: other.origins, file, inline }), (fault) => {
        assert.ok(fault instanceof CannotServe, String(fault));
        assert.match(fault.message, told);
        assert.match(fault.message, /\((before|now): spec\.md:\d+:\d+/);
        return true;
      });
    }
    const { plan, origins } = document(base);
    const { address, stop } = await serving(t, plan, { origins, file, inline: true });
    assert.deepEqual(await ask(address, "/items"), rows);
    await stop();
  });
}

test("without rows every change is taken", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "lacuna-change-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "a.sqlite");
  const first = await serve(document(base).plan, { file, inline: true });
  await first.stop();
  for (const [edit] of Object.values(REFUSED)) {
    const running = await serve(document(edited(edit)).plan, { file, inline: true });
    await running.stop();
  }
});

test("what the store keeps of a document holds no row of it, and tells other rows from them", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "lacuna-change-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "a.sqlite");
  const rows = (town: string): string =>
    edited([
      [
        TEAMS,
        `${TEAMS.replace("`teams`", "`teams`, fixed").replace("\n\n", "\n\n- Rows at the start: block `teams`\n\n")}

\`\`\`json rows teams
[{"name": "${town}"}]
\`\`\``,
      ],
      [
        "### `POST /teams`\n\n- Body: new `Team`\n\n1. Create a `Team` as `team` from `body`.\n2. Respond `201` with `Team` of `team`.\n\n",
        "",
      ],
    ]);
  const first = await serving(t, document(rows("hidden-town")).plan, { file, inline: true });
  await ask(first.address, "/items", { ...ITEM, team: "hidden-town" });
  await first.stop();
  const { plan } = document(rows("hidden-town"));
  await (await serving(t, plan, { file, inline: true })).stop();
  await assert.rejects(
    serve(document(rows("another")).plan, { file, inline: true }),
    /The rows of `Team`, which stand in the document, are others/,
  );
  const db = new Database(file, { readonly: true });
  const noted = db.prepare("SELECT value FROM meta").pluck(true).all().join("\n");
  db.close();
  assert.match(noted, /"Team"/);
  assert.doesNotMatch(noted, /hidden-town/);
});
