/** For every rule of the table: how it is written, on what it stands, and what fits it. */
import { rules } from "../../src/language/rules.ts";
import type { Columns, SlotOf } from "./slot.ts";
import { type Right, type TypeSample, typeSamples, type Wrong } from "./types.ts";

export interface RuleSample {
  readonly text: string;
  readonly type: TypeSample;
  readonly columns?: Columns;
  readonly of?: Partial<SlotOf>;
}

const typed = (id: string, at = 0): TypeSample => {
  const found = typeSamples[id]?.[at];
  if (found === undefined) throw new Error(`no type ${id}`);
  return found;
};

interface More {
  readonly right?: readonly string[];
  readonly rights?: readonly Right[];
  readonly wrong?: readonly Wrong[];
  readonly columns?: Columns;
  readonly of?: Partial<SlotOf>;
  /** Which of the samples of the type. */
  readonly at?: number;
}

/** Types whose JSON is a literal: what a rule lets pass is with what a value starts. */
const LITERALS = new Set(["string", "integer", "decimal", "list", "map"]);

/** A rule on a type, with values of its own. */
function rule(text: string, id: string, more: More = {}): RuleSample {
  const base = typed(id, more.at);
  const right = more.rights ?? more.right?.map((json) => ({ json })) ?? base.right;
  const wrong = [
    ...(more.wrong ?? []),
    ...base.wrong.filter(([, condition]) => condition === "wrong type").slice(0, 2),
  ];
  const own = more.right?.[0] ?? more.rights?.[0]?.json;
  const literal =
    own === undefined || base.literal === undefined || !LITERALS.has(id)
      ? base.literal
      : { expression: own, shown: more.rights?.[0]?.shown ?? own };
  return {
    text,
    type: { ...base, right, wrong, ...(literal === undefined ? {} : { literal }) },
    ...(more.columns === undefined ? {} : { columns: more.columns }),
    ...(more.of === undefined ? {} : { of: more.of }),
  };
}

const MADE: Columns = { create: "no", update: "no", read: "yes" };
const OPTIONAL: Columns = { create: "optional", update: "optional", read: "yes" };
const HIDDEN: Columns = { create: "required", update: "optional", read: "no" };
const ONCE: Columns = { create: "no", update: "no", read: "on create" };
/** A number that counts up has 64 bits. */
const COUNTS: More = { right: ["12", "0", "9223372036854775000"] };
const NULLED = { tail: { orNull: true, orAbsent: false } };
const LEFT_OUT = { tail: { orNull: false, orAbsent: true } };
const made = (text: string, id: string, more: More = {}): RuleSample =>
  rule(text, id, { columns: MADE, of: { isMade: true, isFilled: true }, ...more });

/** The place of a rule's form in the table names its samples; the last of some stands where it cannot. */
export const ruleSamples: Readonly<Record<string, readonly RuleSample[]>> = {
  "characters between": [
    rule("2 to 3 characters", "string", {
      right: ['"ab"', '"𝔘é𝔘"'],
      wrong: [
        ['"a"', "too short"],
        ['"abcd"', "too long"],
      ],
    }),
    rule("2 to 3 characters", "secret", {
      right: ['"abc"', '"xy"'],
      wrong: [['"a"', "too short"]],
      columns: HIDDEN,
    }),
    rule("2 to 3 characters", "integer"),
  ],
  "characters least": [
    rule("at least 2 characters", "string", {
      right: ['"ab"', '"abc"'],
      wrong: [['"𝔘"', "too short"]],
    }),
  ],
  "characters most": [
    rule("at most 1 character", "string", { right: ['""', '"𝔘"'], wrong: [['"ab"', "too long"]] }),
  ],
  "characters exact": [
    rule("exactly 2 characters", "string", {
      right: ['"ab"', '"éé"'],
      wrong: [
        ['"a"', "too short"],
        ['"abc"', "too long"],
      ],
    }),
  ],
  "items between": [
    rule("1 to 2 items", "list", {
      right: ['["a"]', '["b","a"]'],
      wrong: [
        ["[]", "too few items"],
        ['["a","b","c"]', "too many items"],
      ],
    }),
    rule("1 to 2 items", "map", {
      right: ['{"a":1}', '{"b":1,"c":2}'],
      wrong: [
        ["{}", "too few items"],
        ['{"a":1,"b":1,"c":1}', "too many items"],
      ],
    }),
    rule("1 to 2 items", "string"),
  ],
  "items least": [
    rule("at least 1 item", "list", {
      right: ['["a"]', '["b","a"]'],
      wrong: [["[]", "too few items"]],
    }),
  ],
  "items most": [
    rule("at most 1 item", "list", {
      right: ['["a"]', "[]"],
      wrong: [['["a","b"]', "too many items"]],
    }),
  ],
  "items exact": [
    rule("exactly 1 item", "list", {
      right: ['["a"]', '["b"]'],
      wrong: [
        ["[]", "too few items"],
        ['["a","b"]', "too many items"],
      ],
    }),
  ],
  "one member": [
    rule("at least one member", "map", {
      right: ['{"a":1}', '{"b":1}'],
      wrong: [["{}", "no member given"]],
    }),
  ],
  range: [
    rule("1 to 9", "integer", {
      right: ["1", "9"],
      wrong: [
        ["0", "too small"],
        ["10", "too large"],
      ],
    }),
    rule("1 to 9", "integer string", { right: ['"1"', '"9"'], wrong: [['"0"', "too small"]] }),
    rule("`-0.50` to 9.99", "decimal", {
      rights: [{ json: "-0.5", shown: "-0.50" }, { json: "9.99" }],
      wrong: [
        ["-0.51", "too small"],
        ["10", "too large"],
      ],
    }),
    rule("`-1e0` to `3e0`", "number", {
      right: ["-1", "3"],
      wrong: [
        ["-1.5", "too small"],
        ["3.5", "too large"],
      ],
    }),
    rule('`date("2024-01-01")` to `date("2024-12-31")`', "date", {
      right: ['"2024-01-01"', '"2024-12-31"'],
      wrong: [['"2023-12-31"', "too small"]],
    }),
    rule('`duration("1s")` to `duration("1h")`', "duration", {
      right: ['"PT1S"', '"PT3600S"'],
      wrong: [['"PT0S"', "too small"]],
    }),
    rule("1 to 9", "string"),
  ],
  least: [
    rule("at least 1", "integer", { right: ["1", "2"], wrong: [["0", "too small"]] }),
    rule("at least `0.01`", "decimal", { right: ["0.01", "7.00"], wrong: [["0", "too small"]] }),
  ],
  most: [rule("at most 5", "integer", { right: ["5", "-9"], wrong: [["6", "too large"]] })],
  matches: [
    rule("matches `[A-Z]{2}`", "string", {
      right: ['"AB"', '"ZZ"'],
      wrong: [
        ['"ABC"', "not matching"],
        ['"ab"', "not matching"],
      ],
    }),
    rule("matches `[A-Z]{2}`", "integer"),
  ],
  scheme: [
    rule("scheme `https`, `urn`", "uri", {
      right: ['"HTTPS://a.example/"', '"urn:isbn:1"'],
      wrong: [['"http://a.example/"', "not matching"]],
    }),
    rule("scheme `https`", "string"),
  ],
  "different items": [
    rule("different items", "list", {
      right: ['["a","b"]', "[]"],
      wrong: [['["a","a"]', "repeated item"]],
    }),
    rule("different items", "string"),
  ],
  "not empty": [
    rule("not empty", "string", { right: ['"a"', '" "'], wrong: [['""', "empty"]] }),
    rule("not empty", "list", { right: ['["a"]', '["b"]'], wrong: [["[]", "empty"]] }),
    rule("not empty", "map", { right: ['{"a":1}', '{"b":1}'], wrong: [["{}", "empty"]] }),
    rule("not empty", "integer"),
  ],
  "empty null": [
    rule("empty becomes null", "string", {
      rights: [{ json: '"a"' }, { json: '""', shown: "null" }],
      of: NULLED,
    }),
    rule("empty becomes null", "integer", {
      rights: [{ json: "1" }, { json: '""', shown: "null" }],
      of: NULLED,
    }),
    rule("empty becomes null", "string", { right: ['"a"', '"b"'], wrong: [['""', "null"]] }),
  ],
  "empty absent": [
    rule("empty means absent", "string", {
      right: ['"a"', '"b"'],
      of: LEFT_OUT,
      columns: OPTIONAL,
    }),
    rule("empty means absent", "string", { right: ['"a"', '"b"'], wrong: [['""', "absent"]] }),
  ],
  trimmed: [
    rule("trimmed", "string", {
      rights: [
        { json: '" a "', shown: '"a"' },
        { json: '"\\t\\n"', shown: '""' },
      ],
    }),
    rule("trimmed; not empty", "string", {
      rights: [{ json: '" a "', shown: '"a"' }, { json: '"b"' }],
      wrong: [['"  "', "empty"]],
    }),
    rule("trimmed", "email", {
      rights: [{ json: '" a@b.example "', shown: '"a@b.example"' }, { json: '"c@d.example"' }],
    }),
    rule("trimmed", "integer"),
  ],
  "absent means": [
    rule('absent means `"none"`', "string", { columns: OPTIONAL, of: { isFilled: true } }),
    rule("absent means `7`", "integer", { columns: OPTIONAL, of: { isFilled: true } }),
    rule("absent means `null`", "string", { columns: OPTIONAL, of: { isFilled: true, ...NULLED } }),
    rule('absent means `["x"]`', "list", { columns: OPTIONAL, of: { isFilled: true } }),
    rule("absent means `{}`", "map", { columns: OPTIONAL, of: { isFilled: true } }),
    rule("absent means `{}`", "json", { columns: OPTIONAL, of: { isFilled: true } }),
    rule('absent means `"none"`', "string", { columns: { ...OPTIONAL, create: "required" } }),
  ],
  holds: [
    rule('holds `value != "no"`, else `taken`', "string", { right: ['"a"', '"b"'] }),
    rule("holds `value > 3`, else `taken` on `v`", "integer", { right: ["4", "5"] }),
    rule('holds `!("no" in value)`, else `taken`', "list", { right: ['["a"]', "[]"] }),
  ],
  starts: [
    rule('starts `"new"`', "string", { columns: OPTIONAL, of: { isFilled: true } }),
    rule("starts `null`", "string", { columns: OPTIONAL, of: { isFilled: true, ...NULLED } }),
    made("starts `3`", "integer"),
    made("starts `now`", "timestamp"),
    made("starts `{}`", "json"),
    made("starts `[]`", "list"),
    made('starts `{"x": 1}`', "named", { at: 1 }),
    rule('starts `"new"`', "secret", {
      columns: { ...OPTIONAL, read: "no" },
      of: { isFilled: true },
    }),
  ],
  "set create update": [made("set to `now` on create and on update", "timestamp")],
  "set create": [
    made("set to `now` on create", "timestamp"),
    made('set to `"word"` on create', "string"),
  ],
  "set update": [
    made("starts `null`; set to `now` on update", "timestamp", {
      of: { isMade: true, isFilled: true, ...NULLED },
    }),
    made("set to `now` on update", "timestamp", {
      of: { isMade: true, isFilled: true, ...LEFT_OUT },
    }),
  ],
  "set when": [
    made('set to `has(it.k) ? string(it.k) : "-"` when `k` changes', "string"),
    made("set to `now` when `k` changes", "timestamp"),
  ],
  "counts up change": [made("counts up from 1 on every change", "integer", COUNTS)],
  "counts up within": [made("counts up from 1 within `k`", "integer", COUNTS)],
  "counts up": [
    made("counts up from 5", "integer", COUNTS),
    made("counts up from 5", "integer string", { right: ['"12"', '"0"'] }),
    made("counts up from 5", "string"),
  ],
  "unique within": [
    rule("unique within `k`, else `taken` on `v`", "string", { of: LEFT_OUT, columns: OPTIONAL }),
    rule("unique within `k`, else `taken` on `v`", "string"),
  ],
  unique: [
    rule("unique, else `taken` on `v`", "string", { of: LEFT_OUT, columns: OPTIONAL }),
    rule("unique, else `taken` on `v`", "string", { of: NULLED }),
    rule("unique, else `taken` on `v`", "string"),
    rule("unique, else `taken` on `v`", "integer"),
    rule("unique, else `taken` on `v`", "decimal"),
    rule("unique, else `taken` on `v`", "timestamp"),
    rule("unique, else `taken` on `v`", "number"),
    rule("unique, else `taken` on `v`", "list"),
    rule("unique, else `taken` on `v`", "json"),
    rule("unique, else `taken` on `v`", "named"),
  ],
  "kept argon2id": [
    rule("kept as Argon2id with 19456 KiB, 2 passes and 1 lanes", "secret", { columns: HIDDEN }),
    rule("kept as Argon2id with 19456 KiB, 2 passes and 1 lanes", "string"),
  ],
  "kept scrypt": [rule("kept as scrypt with N 16384, r 8 and p 1", "secret", { columns: HIDDEN })],
  "kept sha256": [
    rule("kept as SHA-256", "secret", { columns: HIDDEN }),
    rule("kept as SHA-256", "string"),
  ],
  "kept plain": [rule("kept as it is", "secret", { columns: HIDDEN })],
  random: [
    made("16 random bytes as hex after `k_`; kept as SHA-256", "secret", { columns: ONCE }),
    made("16 random bytes as base64url; kept as it is", "secret", {
      columns: { ...MADE, read: "no" },
    }),
    made("16 random bytes as base64", "string"),
  ],
  "random uuid": [made("random UUID", "string"), made("random UUID", "uuid")],
  key: [rule("key", "string"), rule("key; unique, else `taken`", "string")],
  "gone with": [
    rule("deleted with it", "named"),
    rule("deleted with it", "string"),
    rule("deleted with it", "named", { of: { wrap: "list" } }),
  ],
  "gone null": [
    rule("set to null when it is deleted", "named", { of: NULLED }),
    rule("set to null when it is deleted", "named"),
    rule("set to null when it is deleted", "named", { of: { ...NULLED, wrap: "list" } }),
    rule("set to null when it is deleted", "named", { of: { ...NULLED, wrap: "map" } }),
  ],
  "gone out": [
    rule("taken out when it is deleted", "named", { of: { wrap: "list" } }),
    rule("taken out when it is deleted", "named", { of: { wrap: "map" } }),
    rule("taken out when it is deleted", "named", { of: { wrap: "map of lists" } }),
    rule("taken out when it is deleted", "named"),
    rule("taken out when it is deleted", "string"),
  ],
  "gone refused": [
    rule("its deletion is refused, else `in_use`", "named"),
    rule("its deletion is refused, else `in_use`", "named", { of: { wrap: "list" } }),
    rule("its deletion is refused, else `in_use`", "named", { of: { wrap: "map" } }),
  ],
  "order given": [rule("in the order given", "list"), rule("in the order given", "string")],
  "order sorted": [
    rule("in ascending order", "list", {
      rights: [{ json: '["b","a"]', shown: '["a","b"]' }, { json: '["c"]' }],
    }),
    rule("in descending order", "list", {
      rights: [{ json: '["a","b"]', shown: '["b","a"]' }, { json: '["c"]' }],
    }),
    rule("in ascending order", "map"),
  ],
  "order free": [rule("in any order", "list", { right: ['["a"]', "[]"] })],
};

/** Rules of the table without a sample: one added later fails the test at once. */
export function rulesWithoutSample(): readonly string[] {
  return rules.filter(({ id }) => (ruleSamples[id] ?? []).length === 0).map(({ id }) => id);
}
