/** Compares the rules of schemas: bounds, patterns, formats, lists of values, and what is said. */
import type { ChangeName } from "../../language/index.ts";
import { type MapNode, type Node, textAt } from "../tree/index.ts";
import { add, both, RULES, spotOf, type Views, WRITTEN } from "./facts.ts";
import type { Pair } from "./graph.ts";
import type { Said, View } from "./view.ts";
import { formOf, isSameValue, shown } from "./world.ts";

/** Compares one keyword of two schemas. */
type Keyword = (pair: Pair, views: Views, key: string) => void;

type Tighter = keyof typeof RULES;

function numberIn({ node }: Said): number | undefined {
  return node.kind === "scalar" && typeof node.value === "number" ? node.value : undefined;
}

/** The member that says the greatest or the least number. */
function extreme(all: readonly Said[], sign: 1 | -1): Said | undefined {
  const numbers = all.filter((each) => numberIn(each) !== undefined);
  return numbers.toSorted((a, b) => sign * ((numberIn(b) ?? 0) - (numberIn(a) ?? 0)))[0];
}

/** A length or a number of things; `open` is what holds where nothing is said. */
function amount(sign: 1 | -1, open: number): Keyword {
  return (pair, views, key) => {
    const [before, now] = [views.before, views.now].map((view) => extreme(view.get(key), sign));
    const [old, own] = [before, now].map((each) => (each && numberIn(each)) ?? open);
    if (old === own || old === undefined || own === undefined) return;
    const kinds = sign * (own - old) > 0 ? RULES.stricter : RULES.looser;
    add(pair, kinds, { what: key, ...words(before, now) }, spotOf(views, before, now));
  };
}

function words(before: Said | undefined, now: Said | undefined): { was: string; is: string } {
  return { was: shown(before?.node), is: shown(now?.node) };
}

interface Bound {
  readonly value: number;
  readonly isOpen: boolean;
  readonly said?: Said;
}

/** The bound that a schema sets; `exclusive…` is a number, or says so of the other keyword. */
function boundOf(view: View, key: "maximum" | "minimum", sign: 1 | -1): Bound {
  const exclusive = key === "maximum" ? "exclusiveMaximum" : "exclusiveMinimum";
  let found: Bound = { value: -sign * Infinity, isOpen: false };
  const take = (value: number, isOpen: boolean, said: Said): void => {
    const isTighter = sign * (value - found.value) > 0 || (value === found.value && isOpen);
    if (isTighter) found = { value, isOpen, said };
  };
  for (const said of view.get(key)) {
    const flag = said.part.map.get(exclusive);
    const value = numberIn(said);
    if (value === undefined) continue;
    take(value, flag?.kind === "scalar" && flag.value === true, said);
  }
  for (const said of view.get(exclusive)) {
    const value = numberIn(said);
    if (value !== undefined) take(value, true, said);
  }
  return found;
}

function boundWords({ value, isOpen, said }: Bound): string {
  if (said === undefined) return "none";
  return isOpen ? `${value}, exclusive` : String(value);
}

/** What is written otherwise and means the same: `exclusiveMaximum` without a maximum. */
function ofNoMeaning(pair: Pair, views: Views, name: "maximum" | "minimum"): void {
  annotation(pair, views, name === "maximum" ? "exclusiveMaximum" : "exclusiveMinimum");
}

const bound: Keyword = (pair, views, key) => {
  const name = /max/i.test(key) ? "maximum" : "minimum";
  const sign = name === "maximum" ? -1 : 1;
  const [old, own] = [views.before, views.now].map((view) => boundOf(view, name, sign));
  if (old === undefined || own === undefined) return;
  if (old.value === own.value && old.isOpen === own.isOpen) {
    ofNoMeaning(pair, views, name);
    return;
  }
  const isTighter = old.value === own.value ? own.isOpen : sign * (own.value - old.value) > 0;
  const said = { what: name, was: boundWords(old), is: boundWords(own) };
  add(pair, isTighter ? RULES.stricter : RULES.looser, said, spotOf(views, old.said, own.said));
};

/** Formats of which the first is a part of the second. */
const WIDER: ReadonlySet<string> = new Set(["int32 int64", "float double", "date-time date"]);

function tighter(key: string, before: Node, now: Node): Tighter {
  if (before.kind !== "scalar" || now.kind !== "scalar") return "other";
  const [old, own] = [before.value, now.value];
  if (key === "format" && WIDER.has(`${old} ${own}`)) return "looser";
  if (key === "format" && WIDER.has(`${own} ${old}`)) return "stricter";
  if (typeof old === "number" && typeof own === "number" && old > 0 && own > 0) {
    if (isWhole(own / old)) return "stricter";
    if (isWhole(old / own)) return "looser";
  }
  return "other";
}

const isWhole = (value: number): boolean => Math.abs(value - Math.round(value)) < 1e-9;

/** Something that is a rule where it is said. */
const rule: Keyword = (pair, views, key) => {
  const [before, now] = [views.before.get(key)[0], views.now.get(key)[0]];
  if (isSameValue(before?.node, now?.node)) return;
  const how =
    before === undefined
      ? "stricter"
      : now === undefined
        ? "looser"
        : tighter(key, before.node, now.node);
  add(pair, RULES[how], { what: key, ...words(before, now) }, spotOf(views, before, now));
};

/** Something that is a rule where it is true. */
const flag: Keyword = (pair, views, key) => {
  const isTrue = ({ node }: Said): boolean => node.kind === "scalar" && node.value === true;
  const [before, now] = [views.before.get(key), views.now.get(key)];
  if (before.some(isTrue) === now.some(isTrue)) return;
  const kinds = now.some(isTrue) ? RULES.stricter : RULES.looser;
  add(pair, kinds, { what: key, ...words(before[0], now[0]) }, spotOf(views, before[0], now[0]));
};

/** Something of which any difference is one kind of change. */
function told(kinds: { readonly in?: ChangeName; readonly out?: ChangeName }): Keyword {
  return (pair, views, key) => {
    const [before, now] = [views.before.get(key)[0], views.now.get(key)[0]];
    if (isSameValue(before?.node, now?.node)) return;
    add(pair, kinds, { what: key, ...words(before, now) }, spotOf(views, before, now));
  };
}

const deprecated: Keyword = (pair, views, key) => {
  const isTrue = ({ node }: Said): boolean => node.kind === "scalar" && node.value === true;
  const [before, now] = [views.before.get(key), views.now.get(key)];
  if (before.some(isTrue) === now.some(isTrue)) return;
  const kind = now.some(isTrue) ? "marked as deprecated" : "no longer marked as deprecated";
  add(pair, both(kind), spotOf(views, before[0], now[0]));
};

/** The values that a schema lets in by name, each as text. */
function valuesOf(view: View): Map<string, Said> | undefined {
  const lists = [
    ...view
      .get("enum")
      .flatMap((said) => (said.node.kind === "list" ? [[said, said.node.items] as const] : [])),
    ...view.get("const").map((said) => [said, [said.node]] as const),
  ];
  let found: Map<string, Said> | undefined;
  for (const [said, items] of lists) {
    const own = new Map(items.map((each) => [formOf(each), { ...said, node: each }] as const));
    found = found === undefined ? own : new Map([...found].filter(([text]) => own.has(text)));
  }
  return found;
}

const values: Keyword = (pair, views) => {
  const [old, own] = [valuesOf(views.before), valuesOf(views.now)];
  const list = (view: View): Said | undefined => view.get("enum")[0] ?? view.get("const")[0];
  const spot = spotOf(views, list(views.before), list(views.now));
  if (old === undefined || own === undefined) {
    if (old === own) return;
    const kinds = old === undefined ? RULES.stricter : RULES.looser;
    const what = (list(views.now) ?? list(views.before))?.key ?? "enum";
    add(pair, kinds, { what, ...words(list(views.before), list(views.now)) }, spot);
    return;
  }
  for (const [text, said] of own) {
    if (old.has(text)) continue;
    const kinds = { in: "value added to an input", out: "value added to an answer" } as const;
    add(pair, kinds, { what: cut(text) }, spot, { now: said.node });
  }
  for (const [text, said] of old) {
    if (own.has(text)) continue;
    const kinds = {
      in: "value removed from an input",
      out: "value removed from an answer",
    } as const;
    add(pair, kinds, { what: cut(text) }, spot, { before: said.node });
  }
};

const cut = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

/** The names of alternatives that a discriminator states. */
export function mappingOf(discriminator: Node | undefined): MapNode | undefined {
  const found = discriminator?.kind === "map" ? discriminator.get("mapping") : undefined;
  return found?.kind === "map" ? found : undefined;
}

/** A text in Swagger, an object from OpenAPI 3.0 on. */
const discriminator: Keyword = (pair, views, key) => {
  const [before, now] = [views.before.get(key)[0], views.now.get(key)[0]];
  const nameOf = (said: Said | undefined): string | undefined =>
    said?.node.kind === "scalar" ? String(said.node.value) : textAt(said?.node, "propertyName");
  const [old, own] = [mappingOf(before?.node), mappingOf(now?.node)];
  const names = (mapping: MapNode | undefined): string =>
    (mapping?.keys ?? []).toSorted().join("\n");
  // What the names stand for is compared as alternatives are.
  if (nameOf(before) === nameOf(now) && names(old) === names(own)) return;
  add(pair, both("discriminator changed"), words(before, now), spotOf(views, before, now));
};

const wording = told(both("wording changed"));
const annotation = told(both("annotation changed"));
const ignored: Keyword = () => {};

/** Keywords whose values are compared elsewhere, or that say nothing of values. */
const ELSEWHERE =
  "$ref allOf oneOf anyOf type nullable properties required readOnly writeOnly items not if then " +
  "else additionalProperties additionalItems unevaluatedItems unevaluatedProperties " +
  "propertyNames contains contentSchema patternProperties dependentSchemas prefixItems " +
  "dependentRequired dependencies $schema $id $anchor $defs definitions $vocabulary " +
  "$dynamicAnchor id";

const KEYWORDS: ReadonlyMap<string, Keyword> = new Map<string, Keyword>([
  ...ELSEWHERE.split(" ").map((key) => [key, ignored] as const),
  ...["title", "description", "example", "examples", "externalDocs", "$comment"].map(
    (key) => [key, wording] as const,
  ),
  ...["maxLength", "maxItems", "maxProperties", "maxContains"].map(
    (key) => [key, amount(-1, Infinity)] as const,
  ),
  ...["minLength", "minItems", "minProperties"].map((key) => [key, amount(1, 0)] as const),
  ["minContains", amount(1, 1)],
  ...["maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum"].map(
    (key) => [key, bound] as const,
  ),
  ...["pattern", "format", "multipleOf", "contentEncoding", "contentMediaType", "$dynamicRef"].map(
    (key) => [key, rule] as const,
  ),
  ["uniqueItems", flag],
  ["enum", values],
  ["const", values],
  ["discriminator", discriminator],
  ["default", told(both("value given by the service changed"))],
  ["deprecated", deprecated],
  ["xml", told(WRITTEN)],
]);

/** Keywords that are judged together: the first stands for all. */
const TOGETHER: Readonly<Record<string, string>> = {
  const: "enum",
  exclusiveMaximum: "maximum",
  exclusiveMinimum: "minimum",
};

/** Compares every keyword of two schemas that is about the value itself. */
export function compareKeywords(pair: Pair, views: Views, isOther: (key: string) => boolean): void {
  const keys = new Set<string>();
  for (const { keywords } of [views.before, views.now]) {
    for (const key of keywords.keys()) keys.add(TOGETHER[key] ?? key);
  }
  for (const key of keys) {
    if (!isOther(key)) (KEYWORDS.get(key) ?? annotation)(pair, views, key);
  }
}
