/** Makes right documents at random: resources, promises, machines, endpoints, limits of all kinds. */
import { type AccessText, accessText, ownerEndpoints, ownerText } from "./features/access.ts";
import type { Feature } from "./features/feature.ts";
import { flow } from "./features/flow.ts";
import { jobs } from "./features/jobs.ts";
import { kits } from "./features/kits.ts";
import { places } from "./features/places.ts";
import { zoo } from "./features/zoo.ts";
import type { Random } from "./random.ts";

const FEATURES = [flow, jobs, kits, places, zoo];

interface Made {
  readonly name: string;
  readonly many: string;
  readonly word: string;
  readonly machine: boolean;
  readonly tagged: boolean;
  readonly tenant: boolean;
  readonly refers: string | undefined;
  readonly self: boolean;
}

interface Choice {
  readonly random: Random;
  readonly caller: boolean;
  readonly base: string;
  readonly features: readonly Feature[];
  readonly access: AccessText | undefined;
}

/** Field rows that any resource may have: name -> the row. */
const FIELDS: Readonly<Record<string, string>> = {
  title: "| `title` | string | required | optional | yes | trimmed; 1 to 12 characters |",
  note: "| `note` | string or null | optional | optional | yes | empty becomes null; at most 8 characters; starts `null` |",
  nick: "| `nick` | string or absent | optional | optional | yes | empty means absent; matches `[a-z]{1,4}` |",
  amount: "| `amount` | decimal 2 as string | required | optional | yes | 0.00 to 100.00 |",
  rate: "| `rate` | decimal 3 | optional | optional | yes | at least `-1.000`; starts `0.500` |",
  big: "| `big` | integer as string | optional | optional | yes | starts `9007199254740993` |",
  size: "| `size` | integer | required | optional | yes | 1 to 9 |",
  weight: "| `weight` | number | optional | optional | yes | at most 10.5; starts `0e0` |",
  day: "| `day` | date or null | optional | optional | yes | 1900-01-01 to 2100-01-01; starts `null` |",
  span: "| `span` | duration | optional | optional | yes | at most `duration(\"3h\")`; starts `duration(\"90s\")` |",
  on: "| `on` | boolean | optional | optional | yes | starts `false` |",
  kind: "| `kind` | one of `red`, `green`, `blue` | required | optional | yes | none |",
  tags: "| `tags` | list of string | optional | optional | yes | at most 3 items; different items; in ascending order; starts `[]` |",
  marks: "| `marks` | list of integer | optional | optional | yes | in the order given; starts `[]` |",
  spots: "| `spots` | list of `Spot` | optional | no | yes | at most 4 items; in the order given; starts `[]` |",
  score: "| `score` | map of integer | optional | merged | yes | starts `{}` |",
  extra: "| `extra` | json or absent | optional | merged | yes | none |",
  mail: "| `mail` | email or null | optional | optional | yes | trimmed; starts `null` |",
  link: "| `link` | uri or null | optional | optional | yes | scheme `https`; starts `null` |",
  seen: "| `seen` | timestamp or null | optional | optional | yes | starts `null` |",
  unix: "| `unix` | timestamp as unix seconds | optional | optional | yes | starts `now` |",
  count: "| `count` | integer | no | no | yes | counts up from 3 |",
  version: "| `version` | integer | no | no | yes | counts up from 1 on every change |",
  madeAt: "| `madeAt` | timestamp | no | no | yes | set to `now` on create |",
  touchedAt: "| `touchedAt` | timestamp | no | no | yes | set to `now` on create and on update |",
  slug: "| `slug` | string | no | no | yes | set to `slug(it.title)` when `title` changes |",
  double: "| `double` | integer | no | no | yes | set to `it.size * 2` when `size` changes |",
};

const CONDITIONS = [
  "it.size > 3", "it.kind == \"red\"", "it.kind in [\"red\", \"blue\"]", "it.on && it.size < 5",
  "!it.on || it.kind != \"green\"", "it.amount * 2 > 40.00", "it.title.startsWith(\"t\")",
  "size(it.tags) > 0", "\"tea\" in it.tags", "it.tags.exists(t, t.contains(\"a\"))",
  "it.note == null || size(it.note) > 2", "it.title < \"b\"", "it.marks.all(m, m >= 0)",
  "sum(it.marks) % 2 == 0", "it.size / 2 == 1", "has(it.nick) && it.nick == \"abx\"",
  "lower(it.title).endsWith(\"a\")", "it.title.contains(\"%\") || it.title.contains(\"_\")",
  "it.big > 9007199254740992", "it.rate >= 0.5", "it.title + \"x\" == \"teax\"",
  "it.seen != null && it.seen > now", "it.day == null || it.day > date(\"2000-01-01\")",
  "it.span >= duration(\"1m\")", "(it.kind == \"red\" ? it.size : 0) > 2", "it.score.exists(k, it.score[k] > 1)",
  "it.weight > 1.25e0", "10 / (it.size - 5) > 1 || it.size == 5",
];
const ORDERS = ["it.size", "it.title", "it.kind", "it.amount", "it.note", "it.big", "it.day", "it.rate",
  "-it.size", "size(it.tags)", "it.weight", "it.span", "it.title + it.kind"];

/** An order that the request chooses. */
const ASKED = "has(query.kind) ? it.size : -it.size";

/** Fields that conditions and orders read: every resource has them. */
const ALWAYS = ["title", "note", "nick", "amount", "rate", "big", "size", "weight", "day", "span", "on",
  "kind", "tags", "marks", "score", "seen"];
const SOMETIMES = ["spots", "extra", "mail", "link", "unix", "count", "madeAt", "touchedAt", "slug", "double"];

const NAMES = ["Apple", "Brick", "Cloud", "Drum"];

function choose(random: Random, words: readonly string[], chance: number): readonly string[] {
  return words.filter(() => random.chance(chance));
}

function makeAll(random: Random, count: number, caller: boolean): readonly Made[] {
  return NAMES.slice(0, count).map((name, i) => ({
    name, many: `${name.toLowerCase()}s`, word: name.toLowerCase(),
    machine: random.chance(0.6),
    tagged: random.chance(0.4),
    tenant: caller && random.chance(0.5),
    refers: i > 0 ? NAMES[random.below(i)] : undefined,
    self: random.chance(0.3),
  }));
}

function resourceText({ random }: Choice, made: Made): string {
  const { name, many, tagged, tenant, machine, refers, self } = made;
  const low = name.toLowerCase();
  const bullets: string[] = [];
  if (tenant) bullets.push("- Rows: only those where `it.owner == caller`; any other is as if not there");
  if (refers !== undefined) bullets.push(`- Missing \`parent\`: \`missing\` on \`parent\``);
  if (self) bullets.push("- Missing `friend`: `missing` on `friend`");
  if (tagged) bullets.push(`- Version tag: \`version\`, ${random.pick(["strong", "strong", "weak"])}; none sent: \`tag_needed\`; another sent: \`changed\``);
  if (random.chance(0.4)) bullets.push("- Always: `it.kind != \"blue\" || it.size > 2`, else `broken_promise` on `kind`");
  if (random.chance(0.2)) bullets.push("- Always: `size(it.marks) < 3 || it.on`");
  if (random.chance(0.4)) {
    bullets.push(random.pick([
      `- Unique: \`title\` and \`kind\`, else \`taken\` on \`title\``,
      `- Unique: \`title\` where \`!it.on\`, else \`taken\` on \`title\``,
      "- Unique: `note`, else `taken` on `note`",
    ]));
  }
  if (random.chance(0.25)) bullets.push("- Deleted: refused while `it.size == 9`, else `in_use`");
  if (random.chance(0.2)) bullets.push("- Kept: 2 h after `seen`");
  const rows = [`| \`id\` | id \`${low}_\` | no | no | yes | none |`,
    ...ALWAYS.map((one) => FIELDS[one]), ...choose(random, SOMETIMES, 0.4).map((one) => FIELDS[one])];
  if (tagged) rows.push(FIELDS["version"]);
  if (tenant) rows.push("| `owner` | `Owner` | no | no | no | deleted with it |");
  if (machine) {
    rows.push("| `state` | state | no | no | yes | none |",
      "| `dueAt` | timestamp or null | optional | optional | yes | starts `null` |",
      "| `why` | error name or null | no | no | yes | starts `null` |",
      "| `turns` | integer | no | no | yes | starts `0` |");
  }
  if (refers !== undefined) {
    const gone = random.pick(["deleted with it", "its deletion is refused, else `in_use`"]);
    rows.push(`| \`parent\` | \`${refers}\` | required | optional | yes | ${gone} |`);
  }
  if (self) {
    rows.push(`| \`friend\` | \`${name}\` or null | optional | optional | yes | set to null when it is deleted; starts \`null\` |`);
  }
  if (random.chance(0.4)) rows.push("| `code` | string or null | optional | no | yes | unique, else `taken` on `code`; at most 3 characters; starts `null` |");
  return `### \`${name}\`, many \`${many}\`\n\n${bullets.map((one) => `${one}\n`).join("")}${bullets.length > 0 ? "\n" : ""}` +
    `| Field | Type | Create | Update | Read | Rules |\n|---|---|---|---|---|---|\n${rows.join("\n")}\n`;
}

function viewText({ random, caller }: Choice, { name, many, refers }: Made, all: readonly Made[]): string {
  const children = all.filter((one) => one.refers === name);
  const rows = ["| `box.size` | integer | `it.size` |", "| `box.first` | boolean | `it.size < 3` |"];
  for (const child of children) {
    rows.push(`| \`${child.many}\` | integer | \`size(${child.many}.filter(c, c.parent == it))\` |`,
      `| \`any${child.name}\` | boolean | \`${child.many}.exists(c, c.parent == it && c.on)\` |`);
  }
  if (refers !== undefined) {
    rows.push("| `parentTitle` | string | `it.parent.title` |", `| \`parent\` | \`${refers}\` as \`${refers}\` | \`it.parent\` |`);
  }
  rows.push(`| \`alike\` | integer | \`size(${many}.filter(o, o.kind == it.kind && o != it))\` |`);
  if (caller) {
    rows.push("| `known` | boolean | `caller != null` |",
      `| \`others\` | integer | \`caller == null ? 0 : size(${many}.filter(o, o.size == it.size))\` |`);
  }
  const fields = random.chance(0.5) ? "- Fields: `id`, `title`, `kind`" : "- Fields: all but `note`, `parent`".replace(", `parent`", refers === undefined ? "" : ", `parent`");
  return `### \`${name}Card\`, a view of \`${name}\`\n\n${fields}\n\n| Field | Type | Value |\n|---|---|---|\n${rows.join("\n")}\n`;
}

function machineText({ random }: Choice, { name }: Made): string {
  const guard = random.chance(0.3) ? "`it.size > 1`" : "none";
  const rows = [
    `| \`start\` | \`new\` | \`live\` | step | ${guard} | set \`it.turns\` = \`it.turns + 1\` |`,
    "| `stop` | `live` | `done` | step | none | emit `done.it` of `it` |".replace("done.it", `${name.toLowerCase()}.done`),
    "| `back` | `live`, `late` | `new` | step | none | none |",
    `| \`lapse\` | \`new\`, \`live\` | \`late\` | time \`dueAt\` | none | ${random.pick(["none", "set `it.turns` = `it.turns + 10`", "do `strict` with `row` = `it`".replace("strict", `strict${name}`)])} |`,
    "| `miss` | `new`, `live` | `failed` | `lapse` refused | none | set `it.why` = `error.name` |",
  ];
  const together = random.pick(["`it.size` descending, then `it.id` ascending", "`it.dueAt` ascending, then `it.id` ascending"]);
  return `### \`${name}\`

- Held in: \`state\`
- States: \`new\` (initial), \`live\`, \`late\`, \`done\` (final), \`failed\` (final)
- Any other transition: refused with \`wrong_state\`
- Clock: no later than 5 s after
- At the same time: in order of ${together}

| Transition | From | To | On | When | Then |
|---|---|---|---|---|---|
${rows.join("\n")}

### \`strict${name}\`, steps

- Given \`row\`: \`${name}\`

1. Require \`row.size < 8\`, else \`in_use\`.
2. Set \`row.note\` = \`"late"\`.
`;
}

function listEndpoint({ random, base }: Choice, made: Made, who: string): string {
  const { name, word, refers } = made;
  const conditions = Array.from({ length: 1 + random.below(3) }, () => `   - \`${random.pick(CONDITIONS)}\``);
  const further = ["   - `!has(query.kind) || it.kind == query.kind`", "   - `!has(query.part) || it.title.contains(query.part)`"];
  if (refers !== undefined) further.push("   - `it.parent.size > 0`");
  const keys = [...new Set(Array.from({ length: random.below(3) }, () => random.pick([...ORDERS, ASKED])))]
    .map((key) => `\`${key}\` ${random.pick(["ascending", "descending"])}`);
  const cursor = random.chance(0.4);
  const page = cursor
    ? `3. Let \`page\` be \`found\` after \`query.after\`, at most \`query.limit\`, else \`bad_cursor\` on \`after\`.`
    : "3. Let `page` be `found` from `query.offset`, at most `query.limit`.";
  const input = cursor ? "| `after` | query | string or null | no | absent means `null` |"
    : "| `offset` | query | integer | no | at least 0; absent means `0` |";
  void base;
  return `### \`GET /${made.many}\`: some ${word}s

${who}
| Input | In | Type | Needed | Rules |
|---|---|---|---|---|
| \`kind\` | query | one of \`red\`, \`green\`, \`blue\` | no | none |
| \`part\` | query | string | no | none |
| \`limit\` | query | integer | no | 1 to 5; absent means \`3\` |
${input}

1. Let \`found\` be every \`${name}\` where all of:
${(random.chance(0.3) ? further : [...further, ...conditions]).join("\n")}
2. Order \`found\` by ${[...keys, "`it.id` ascending"].join(", then ")}.
${page}
4. Respond \`200\` with list of \`${random.pick([name, `${name}Card`])}\` of \`page\`.
`;
}

function ownerOf({ tenant }: Made): string {
  return tenant ? " with `owner` = `caller`" : "";
}

function writeEndpoints(choice: Choice, made: Made, who: string): string {
  const { random, base, caller } = choice;
  const { name, many, word } = made;
  const path = `- Path \`id\`: \`${word}\`, the \`${name}\` by \`id\`${random.chance(0.2) ? " where `it.size < 9`" : ""}, else \`not_found\``;
  const tag = made.tagged ? `1. Check the tag of \`${word}\`.\n` : "";
  const at = (step: number): number => step + (made.tagged ? 1 : 0);
  const keyed = random.chance(0.6) ? `- Idempotency key: header \`Idempotency-Key\`
- Key kept: 1 h
- Key per: ${random.pick(caller ? ["everyone", "address", "caller"] : ["everyone", "address"])}
- Same key and same body: first answer again
- Same key and other body: \`key_reused\`
- Same key while the first runs: waits for it
- Answers kept under a key: ${random.pick(["every answer", "2xx answers", "2xx and 4xx answers"])}
- Bodies are the same when: their ${random.pick(["values", "bytes"])} are the same
` : "";
  const input = keyed === "" ? "" : `
| Input | In | Type | Needed | Rules |
|---|---|---|---|---|
| \`Idempotency-Key\` | header | string | ${random.pick(["yes", "no"])} | 1 to 20 characters |
`;
  const unless = random.chance(0.15) && !made.tenant;
  return `### \`POST /${many}\`: make one

${who}- Body: new \`${name}\`
${keyed}${input}
1. Create ${/^[AEIOU]/.test(name) ? "an" : "a"} \`${name}\` as \`${word}\` from \`body\`${ownerOf(made)}${unless ? ", unless one is there" : ""}.
2. When \`${word}.size == 7\`, refuse with \`in_use\`${random.chance(0.5) ? ", keeping what was done" : ""}.
3. Respond \`201\` with \`${name}\` of \`${word}\`, header \`Location\` = \`"${base}/${many}/" + ${word}.id\`.

### \`GET /${many}/{id}\`: look at one

${who}${path}

1. Respond \`200\` with \`${random.pick([name, `${name}Card`])}\` of \`${word}\`.

### \`PATCH /${many}/{id}\`: change one

${who}- Body: changed \`${name}\`${random.chance(0.5) ? "; at least one member" : ""}
${path}

${tag}${at(1)}. Set \`${word}\` from \`body\`, given members only.
${at(2)}. Respond \`200\` with \`${name}\` of \`${word}\`.

### \`DELETE /${many}/{id}\`: away with one

${who}${path}

1. Delete \`${word}\`.
2. Respond \`204\` with no body.
`;
}

function otherEndpoints({ random }: Choice, made: Made, who: string): string {
  const { name, many, word, machine } = made;
  const path = `- Path \`id\`: \`${word}\`, the \`${name}\` by \`id\`, else \`not_found\``;
  const moves = machine ? `
### \`POST /${many}/{id}/moves\`: move one

${who}${path}

| Input | In | Type | Needed | Rules |
|---|---|---|---|---|
| \`move\` | body | one of \`start\`, \`stop\`, \`back\` | yes | none |
| \`dueIn\` | body | integer | no | 1 to 600; absent means \`60\` |

1. When \`body.move == "start"\`:
   1. Require that \`${word}\` may \`start\`.
   2. Set \`${word}.dueAt\` = \`now + duration("1m")\`.
2. By \`body.move\`:
   - \`"start"\`: fire \`start\` on \`${word}\`.
   - \`"stop"\`: fire \`stop\` on \`${word}\`, else \`in_use\` on \`move\`.
   - \`"back"\`: fire \`back\` on \`${word}\`.
3. Respond \`200\` with \`${name}\` of \`${word}\`.
` : "";
  return `${moves}
### \`POST /${many}/batch\`: many at once

${who}
| Input | In | Type | Needed | Rules |
|---|---|---|---|---|
| \`ids\` | body | list of string | yes | 1 to 4 items |
| \`size\` | body | integer | yes | 1 to 9 |

1. For each \`one\` in \`body.ids\`, each on its own, into \`results\`:
   1. Let \`${word}\` be the \`${name}\` where \`it.id == one\`, else \`not_found\`.
   2. Set \`${word}.size\` = \`body.size\`.
   3. Require \`${word}.kind != "green"\`, else \`in_use\`.
2. Let \`good\` be \`results.filter(r, r.done)\`.
3. Respond \`200\` with \`{"good": size(good), "all": size(results)}\`.

### \`DELETE /${many}\`: away with some

${who}
1. Delete every \`${name}\` where \`${random.pick(CONDITIONS)}\`.
2. Let \`rest\` be every \`${name}\`.
3. Let \`kinds\` be the different values of \`kind\` in \`rest\`.
4. Respond \`200\` with \`{"left": size(rest), "kinds": size(kinds)}\`.
`;
}

const ERRORS: readonly (readonly [string, number])[] = [["invalid", 400], ["bad_cursor", 400],
  ["unauthorized", 401], ["forbidden", 403], ["not_found", 404], ["no_method", 405], ["taken", 409],
  ["in_use", 409], ["wrong_state", 409], ["broken_promise", 409], ["changed", 412], ["too_large", 413],
  ["other_type", 415], ["missing", 422], ["key_reused", 422], ["tag_needed", 428], ["slow_down", 429], ["broken", 500]];

const ON_NAME = ["repeated member", "unknown member", "not settable", "absent", "null", "wrong type", "too short",
  "too long", "too small", "too large", "too few items", "too many items", "not matching", "not one of",
  "repeated item", "empty", "unknown query parameter", "repeated query parameter"];

/** Which failures say what: most name the member, some are ignored, a few are not shown. */
function failureRows({ random, caller }: Choice): readonly string[] {
  return ["| unknown path | `not_found` |", "| unknown method | `no_method` |", "| other media type | `other_type` |",
    "| body absent | `invalid` |", `| body not expected | ${random.pick(["`invalid`", "ignored"])} |`, "| malformed body | `invalid` |",
    ...ON_NAME.map((one) => {
      const ignorable = ["unknown member", "not settable", "unknown query parameter"].includes(one);
      const shown = random.chance(0.02) ? "not shown" : "`invalid` on its name";
      return `| ${one} | ${ignorable && random.chance(0.3) ? "ignored" : shown} |`;
    }),
    "| no member given | `invalid` |", "| malformed query | `invalid` |", "| fault inside | `broken` |",
    ...(caller ? ["| no credentials | `unauthorized` |", "| bad credentials | `unauthorized` |",
      `| bad credentials where optional | ${random.pick(["`unauthorized`", "ignored"])} |`, "| not permitted | `forbidden` |"] : [])];
}

function limitsText({ random, features, caller }: Choice, isApple: boolean): string {
  const apples = ["| `apples` | requests to `POST /apples` | everyone | 3 | 10 min, fixed | `slow_down` with `Retry-After` |",
    "| `made` | requests to `POST /apples` answered `201` | address | 3 | day in `\"Europe/Berlin\"` | `slow_down` |",
    "| `kept` | `Apple` kept | everyone | 3 | none | `in_use` |"];
  const limits = [...choose(random, [
    `| \`pace\` | requests | address | ${random.pick([12, 40])} | 1 min, sliding | \`slow_down\` with \`Retry-After\` |`,
    "| `body` | request body bytes | request | 250 | none | `too_large` |",
  ], 0.5), ...choose(random, [...(isApple ? apples : []),
    ...(caller ? ["| `each` | requests | caller | 9 | 2 min, sliding | `slow_down` |"] : []),
    "| `path` | request path bytes | request | 60 | none | `too_large` |",
    "| `head` | request header bytes | request | 110 | none | `too_large` |",
  ], 0.3), ...features.flatMap((one) => one.limits ?? [])];
  if (limits.length === 0) return "Rate limits, size limits, time-outs and quotas: none.";
  const facets: readonly (readonly [string, (row: string) => boolean])[] = [["Rate limits", (row) => row.includes("| requests") && !row.includes("day in")],
    ["Size limits", (row) => row.includes("bytes |")], ["Time-outs", () => false],
    ["Quotas", (row) => row.includes("kept |") || row.includes("sum of") || row.includes("day in")]];
  return `${facets.filter(([, is]) => !limits.some(is)).map(([name]) => `${name}: none.\n`).join("\n")}
${limits.some((row) => row.includes("| requests")) ? `- Sent with every answer: ${random.pick(["none", "`RateLimit`, `RateLimit-Policy`", "`RateLimit`"])}` : ""}

| Limit | Counts | Per | Amount | Window | When passed |
|---|---|---|---|---|---|
${limits.join("\n")}`;
}

function edgeText(choice: Choice, isApple: boolean): string {
  const { random, access } = choice;
  const all = random.chance(0.5);
  const status = (stated: number): string => (random.chance(0.02) ? "not shown" : String(stated));
  return `## Authentication

${access?.scheme ?? "Authentication scheme, credentials, headers and token handling: none.\n"}
## Events

EVENTS

## Errors

- Failures reported: ${all ? "all" : "first"}

| Error | Status | \`title\` | header \`X-Hint\` | Body |
|---|---|---|---|---|
${ERRORS.map(([name, code]) => `| \`${name}\` | ${status(code)} | \`It is ${name}\` | ${random.chance(0.1) ? "`a hint`" : "none"} | ${random.chance(0.05) ? "none" : "`Problem`"} |`).join("\n")}

| Failure | Error |
|---|---|
${failureRows(choice).join("\n")}

### \`Problem\`, a shape

- Content type: \`application/problem+json\`

| Field | Type | Value |
|---|---|---|
| \`name\` | string | \`error.name\` |
| \`status\` | integer | \`error.status\` |
| \`title\` | string | \`error.title\` |
| \`field\` | string or null | \`field\` |
| \`all\` | map of list of string | \`failures.group(f, f.field, f.condition)\` |

## Limits

${limitsText(choice, isApple)}

## Versioning

- This version: \`1.0.0\`
- Chosen by: none

Compatibility rules: none.
`;
}

/** Some refusals are not shown. */
function withGaps(random: Random, text: string): string {
  return text.replace(/, else `[a-z_]+`(?: on `[a-z]+`)?(?=\.|\n|;| \|)/g, (tail) =>
    (random.chance(0.015) ? ", else not shown" : tail));
}

/** A whole document. */
export function documentText(random: Random): string {
  const caller = random.chance(0.5);
  const isFeatured = random.chance(0.6);
  const who = (tenant: boolean): string => (!caller ? ""
    : `- Who: ${tenant ? random.pick(["`owner`", "`boss`", "`boss` or `owner`"])
      : random.pick(["`owner`", "`anyone`", "`owner` or `anyone`"])}\n`);
  const chosen = FEATURES.filter(() => isFeatured && random.chance(0.4));
  const features = chosen.map((make) => make({ random, caller, who: who(false) }));
  const isBare = features.every((one) => one.stateless === undefined && one.machines === undefined);
  const all = makeAll(random, isFeatured && !isBare ? random.below(2) : isFeatured ? 1 : 2 + random.below(2), caller);
  const access = caller ? accessText(random) : undefined;
  const choice: Choice = { random, caller, base: random.pick(["", "/v1"]), features, access };
  return withGaps(random, textOf(choice, all, who));
}

function textOf(choice: Choice, all: readonly Made[], who: (tenant: boolean) => string): string {
  const { random, caller, base, features, access } = choice;
  const stateless = [...all.filter((one) => !one.machine).map((one) => one.name), ...(caller ? ["Owner"] : []),
    ...features.flatMap((one) => one.stateless ?? [])];
  const machines = all.filter((one) => one.machine);
  const events = [...machines.map(({ name }) => `| \`${name.toLowerCase()}.done\` | \`${name}\` | \`${name}\` of \`it\` | none |`),
    ...features.flatMap((one) => one.events ?? [])];
  const endpoints = all.map((made) => {
    const asks = who(made.tenant);
    return [writeEndpoints(choice, made, asks), listEndpoint(choice, made, asks), otherEndpoints(choice, made, asks)].join("\n");
  });
  const parts = (of: (feature: Feature) => string | undefined): string =>
    features.map((one) => of(one) ?? "").filter((one) => one !== "").join("\n");
  const checks = [...(caller ? ["caller"] : []), ...random.pick([["limits", "inputs", "idempotency key", "paths"],
    ["inputs", "limits", "paths", "idempotency key"], ["idempotency key", "paths", "limits", "inputs"]])];
  const machined = [...machines.map((made) => machineText(choice, made)), parts((one) => one.machines)].filter((one) => one !== "");
  return `# Made up

## What the service does

It is made up.

- Base path: ${base === "" ? "none" : `\`${base}\``}
- Body format: \`application/json\`
- One request: all or nothing, as if alone
- Timestamps: in ${random.pick(["seconds", "milliseconds", "microseconds"])}
- Cross-origin: none
${[...(access?.about ?? []), ...features.flatMap((one) => one.about ?? [])].join("\n")}

## Resources and their fields

### Every resource

- Rows at the start: none

${access === undefined ? "" : ownerText(access)}${all.map((made) => resourceText(choice, made)).join("\n")}
### \`Spot\`, a part

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`x\` | integer | required | no | yes | 0 to 9 |
| \`label\` | string or absent | optional | optional | yes | 1 to 3 characters |

${all.map((made) => viewText(choice, made, all)).join("\n")}
${parts((one) => one.resources)}
## States and transitions

${stateless.length === 0 ? "" : `- No states: ${stateless.map((one) => `\`${one}\``).join(", ")}\n`}${machined.length === 0 ? "\nStates and transitions: none.\n" : ""}
${machined.join("\n")}
## Endpoints

### Every endpoint

${caller ? "" : "- Who: none\n\n"}${checks.map((one, i) => `${i + 1}. Check the ${one}.`).join("\n")}

${access === undefined ? "" : ownerEndpoints(access)}${endpoints.join("\n")}
${parts((one) => one.endpoints)}
${edgeText(choice, all.some((one) => one.name === "Apple")).replace("EVENTS", events.length === 0 ? "Events, notifications and callbacks: none."
    : `Notifications and callbacks: none.\n\n| Event | About | Data | Sent to |\n|---|---|---|---|\n${events.join("\n")}`)}`;
}
