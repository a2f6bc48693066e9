/** Makes conditions over a Thing and the names of a request, in the whole language or what CEL has. */
import { expressionOf, type Leaves } from "../../histories/expressions.ts";
import type { Random } from "../../histories/random.ts";

const LEAVES: Leaves = {
  i: ["it.big", "it.small", "number", "size(it.tags)", "size(it.marks)", "it.small", "1", "2"],
  d: ["it.price", "price"],
  f: ["it.rate", "rate"],
  s: [
    "it.name",
    "text",
    "it.owner.name",
    '(it.note == null ? "" : it.note)',
    "it.kind",
    '"%"',
    '"a"',
  ],
  b: [
    "it.flag",
    "flag",
    "it.note == null",
    "it.note == text",
    "it.note != maybe",
    "has(it.extra)",
    "(has(it.extra) && it.extra == null)",
    "(has(it.extra) && it.extra != null && it.extra == text)",
    "(has(it.extra) ? it.extra != text : it.flag)",
    'it.kind == "a"',
    'it.kind in ["b", "c"]',
    "(it.note != null && it.note.contains(text))",
    "text in it.tags",
    "it.name in texts",
    "it.rank == n",
    "(it.rank != null && it.rank > number)",
    "it.small in numbers",
  ],
  at: ["it.when", "moment", "(it.seen == null ? it.when : it.seen)"],
  day: ["it.day"],
  span: ["it.span"],
  zone: ["it.area"],
  xs: ["it.marks", "numbers"],
  ss: ["it.tags", "texts"],
  n: ["it.rank", "n"],
};

/** Conditions on rows, which CEL does not know. */
const ROWS: readonly string[] = [
  "it.owner == who",
  "it.owner != who",
  "it.parent == null",
  "it.parent == someone",
  "(it.parent != null && it.parent.name == text)",
  "it.parent == it.owner",
  "it.owner.boss == it.parent",
  "(it.owner.boss != null && it.owner.boss.name < it.name)",
  "people.exists(p, p.name == it.name)",
  "people.exists(p, p == it.owner && p.boss == someone)",
  "people.all(p, p.boss != it.owner)",
  "people.exists_one(p, p.name == it.name)",
  "size(people.filter(p, p.boss == it.owner)) > 1",
  "size(things.filter(t, t.owner == it.owner && t.rank == it.rank)) == 1",
  "it.cost == null",
  "things.exists(t, t != it && t.name == it.name && t.big > it.big)",
  "(it.cost != null && it.cost > 1.5)",
  "things.exists(t, t.parent == it.parent && text in t.tags)",
  "who.name == it.name",
  "it.owner in people",
  "people.map(p, p.name).exists(m, m == it.name)",
  "(someone != null && someone.name == it.owner.name)",
];

/** In parentheses, so that they can stand anywhere. */
function closed(leaves: Leaves): Leaves {
  return { ...leaves, b: leaves.b?.map((one) => `(${one})`) };
}

export function conditionOf(random: Random): string {
  const rows = random.chance(0.35);
  const leaves = rows ? { ...LEAVES, b: [...(LEAVES.b ?? []), ...ROWS, ...ROWS] } : LEAVES;
  return expressionOf(random, "b", 1 + random.below(3), { leaves: closed(leaves) });
}

/** Leaves that are plain values of `it` and the names, as CEL has them. */
const CEL_LEAVES: Leaves = {
  i: ["it.big", "it.small", "number", "1", "2"],
  f: ["it.rate", "rate"],
  s: ["it.name", "text", "it.kind", "it.owner.name"],
  b: [
    "it.flag",
    "flag",
    "it.note == null",
    "it.note == text",
    "it.note != maybe",
    "text in it.tags",
    "it.name in texts",
    "it.small in it.marks",
  ],
  xs: ["it.marks", "numbers"],
  ss: ["it.tags", "texts"],
};

export function celConditionOf(random: Random): string {
  return expressionOf(random, "b", 1 + random.below(3), { leaves: closed(CEL_LEAVES), cel: true });
}

/** An expression by which rows can be ordered. */
export function orderOf(random: Random): string {
  const leaves: Leaves = {
    ...LEAVES,
    s: [...(LEAVES.s ?? []), '(it.parent == null ? "" : it.parent.name)'],
  };
  const nulls = ["it.note", "it.rank", "it.seen", "it.cost"];
  if (random.chance(0.2)) return random.pick(nulls);
  return expressionOf(
    random,
    random.pick(["i", "d", "f", "s", "at", "day", "span"] as const),
    random.below(2),
    { leaves },
  );
}
