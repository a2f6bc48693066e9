/** Resources, views and machines of a document made at random. */
import { type Choice, choose, type Made } from "./choice.ts";

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
  span: '| `span` | duration | optional | optional | yes | at most `duration("3h")`; starts `duration("90s")` |',
  on: "| `on` | boolean | optional | optional | yes | starts `false` |",
  kind: "| `kind` | one of `red`, `green`, `blue` | required | optional | yes | none |",
  tags: "| `tags` | list of string | optional | optional | yes | at most 3 items; different items; in ascending order; starts `[]` |",
  marks:
    "| `marks` | list of integer | optional | optional | yes | in the order given; starts `[]` |",
  spots:
    "| `spots` | list of `Spot` | optional | no | yes | at most 4 items; in the order given; starts `[]` |",
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
  odd: '| `odd`, sent as `@odd one` | string | optional | optional | yes | at most 4 characters; starts `"o"` |',
  double: "| `double` | integer | no | no | yes | set to `it.size * 2` when `size` changes |",
};

/** Fields that conditions and orders read: every resource has them. */
const ALWAYS = [
  "title",
  "note",
  "nick",
  "amount",
  "rate",
  "big",
  "size",
  "weight",
  "day",
  "span",
  "on",
  "kind",
  "tags",
  "marks",
  "score",
  "seen",
];
const SOMETIMES = [
  "spots",
  "extra",
  "mail",
  "link",
  "unix",
  "count",
  "madeAt",
  "touchedAt",
  "slug",
  "odd",
  "double",
];

/** A resource with its invariants and fields. */
export function resourceText({ random }: Choice, made: Made): string {
  const { name, many, tagged, tenant, machine, refers, self } = made;
  const low = name.toLowerCase();
  const bullets: string[] = [];
  if (tenant)
    bullets.push("- Rows: only those where `it.owner == caller`; any other is as if not there");
  if (refers !== undefined) bullets.push(`- Missing \`parent\`: \`missing\` on \`parent\``);
  if (self) bullets.push("- Missing `friend`: `missing` on `friend`");
  if (tagged)
    bullets.push(
      `- Version tag: \`version\`, ${random.pick(["strong", "strong", "weak"])}; none sent: \`tag_needed\`; another sent: \`changed\``,
    );
  if (random.chance(0.4))
    bullets.push('- Always: `it.kind != "blue" || it.size > 2`, else `broken_invariant` on `kind`');
  if (random.chance(0.2)) bullets.push("- Always: `size(it.marks) < 3 || it.on`");
  if (random.chance(0.4)) {
    bullets.push(
      random.pick([
        `- Unique: \`title\` and \`kind\`, else \`taken\` on \`title\``,
        `- Unique: \`title\` where \`!it.on\`, else \`taken\` on \`title\``,
        "- Unique: `note`, else `taken` on `note`",
      ]),
    );
  }
  if (random.chance(0.25)) bullets.push("- Deleted: refused while `it.size == 9`, else `in_use`");
  if (random.chance(0.2)) bullets.push("- Kept: 2 h after `seen`");
  const rows = [
    `| \`id\` | id \`${low}_\` | no | no | yes | none |`,
    ...ALWAYS.map((one) => FIELDS[one]),
    ...choose(random, SOMETIMES, 0.4).map((one) => FIELDS[one]),
  ];
  if (tagged) rows.push(FIELDS["version"]);
  if (tenant) rows.push("| `owner` | `Owner` | no | no | no | deleted with it |");
  if (machine) {
    rows.push(
      "| `state` | state | no | no | yes | none |",
      "| `dueAt` | timestamp or null | optional | optional | yes | starts `null` |",
      "| `why` | error name or null | no | no | yes | starts `null` |",
      "| `turns` | integer | no | no | yes | starts `0` |",
    );
  }
  if (refers !== undefined) {
    const gone = random.pick(["deleted with it", "its deletion is refused, else `in_use`"]);
    rows.push(`| \`parent\` | \`${refers}\` | required | optional | yes | ${gone} |`);
  }
  if (self) {
    rows.push(
      `| \`friend\` | \`${name}\` or null | optional | optional | yes | set to null when it is deleted; starts \`null\` |`,
    );
  }
  if (random.chance(0.4))
    rows.push(
      "| `code` | string or null | optional | no | yes | unique, else `taken` on `code`; at most 3 characters; starts `null` |",
    );
  return (
    `### \`${name}\`, many \`${many}\`\n\n${bullets.map((one) => `${one}\n`).join("")}${bullets.length > 0 ? "\n" : ""}` +
    `| Field | Type | Create | Update | Read | Rules |\n|---|---|---|---|---|---|\n${rows.join("\n")}\n`
  );
}

/** A view of a resource. */
export function viewText(
  { random, caller, wishes }: Choice,
  { name, many, refers }: Made,
  all: readonly Made[],
): string {
  const children = all.filter((one) => one.refers === name);
  const rows = [
    "| `box.size` | integer | `it.size` |",
    "| `box.left` | string or absent | `it.note`, left out when null |",
    "| `box.huge` | integer or absent | `it.size`, when `it.size > 5` |",
    "| `box.first`, sent as `$first` | boolean | `it.size < 3` |",
  ];
  for (const child of children) {
    rows.push(
      `| \`${child.many}\` | integer | \`size(${child.many}.filter(c, c.parent == it))\` |`,
      `| \`any${child.name}\` | boolean | \`${child.many}.exists(c, c.parent == it && c.on)\` |`,
    );
  }
  if (refers !== undefined) {
    rows.push(
      "| `parentTitle` | string | `it.parent.title` |",
      `| \`parent\` | \`${refers}\` as \`${refers}\` | \`it.parent\` |`,
    );
  }
  rows.push(`| \`alike\` | integer | \`size(${many}.filter(o, o.kind == it.kind && o != it))\` |`);
  if (wishes) {
    rows.push(
      "| `box.wish` | string | `it.title`, when `has(query.wish)` |",
      "| `box.wish` | integer | `it.size`, otherwise |",
    );
  }
  if (caller) {
    rows.push(
      "| `known` | boolean | `caller != null` |",
      `| \`others\` | integer | \`caller == null ? 0 : size(${many}.filter(o, o.size == it.size))\` |`,
    );
  }
  const fields = random.chance(0.5)
    ? "- Fields: `id`, `title`, `kind`"
    : "- Fields: all but `note`, `parent`".replace(
        ", `parent`",
        refers === undefined ? "" : ", `parent`",
      );
  return `### \`${name}Card\`, a view of \`${name}\`\n\n${fields}\n\n| Field | Type | Value |\n|---|---|---|\n${rows.join("\n")}\n`;
}

/** The states of a resource, and steps that a transition does. */
export function machineText({ random }: Choice, { name }: Made): string {
  const guard = random.chance(0.3) ? "`it.size > 1`" : "none";
  const rows = [
    `| \`start\` | \`new\` | \`live\` | step | ${guard} | set \`it.turns\` = \`it.turns + 1\` |`,
    "| `stop` | `live` | `done` | step | none | emit `done.it` of `it` |".replace(
      "done.it",
      `${name.toLowerCase()}.done`,
    ),
    "| `back` | `live`, `late` | `new` | step | none | none |",
    `| \`lapse\` | \`new\`, \`live\` | \`late\` | time \`dueAt\` | none | ${random.pick(["none", "set `it.turns` = `it.turns + 10`", "do `strict` with `row` = `it`".replace("strict", `strict${name}`)])} |`,
    "| `miss` | `new`, `live` | `failed` | `lapse` refused | none | set `it.why` = `error.name` |",
  ];
  const together = random.pick([
    "`it.size` descending, then `it.id` ascending",
    "`it.dueAt` ascending, then `it.id` ascending",
  ]);
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
