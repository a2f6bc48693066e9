/**
 * What a plan means, as text, made without the comparison that it judges. It may tell two plans
 * apart that mean the same: where a text is read otherwise because of another change.
 */
import type { Plan } from "../plan/index.ts";
import { codeKey, isCode, isExpression } from "./same.ts";

/** Members of a plan that are for people, name an item, or follow from others. */
const WORDING: ReadonlySet<string> = new Set([
  ...["title", "prose", "meaning", "examples", "sentence", "silent", "many", "stateless", "facet"],
  ...["assumed", "seesByAbout"],
]);

/** Lists of which the order means nothing. */
const SETS: ReadonlySet<string> = new Set([
  ...["values", "actors", "origins", "schemes", "within", "from", "gaps", "resources", "shapes"],
  ...["partTypes", "machines", "states", "transitions", "routines", "calls", "endpoints", "says"],
  ...["events", "webhooks", "streams", "errors", "failures", "columns", "headers", "settings"],
  ...["onStatus", "with", "changes", "deprecations", "cases", "given"],
]);

/** Answers with such lists, and tables of rules. */
const ASKED: ReadonlySet<string> = new Set(["who", "sentTo", "sent"]);

/** Members of steps that name what other steps have bound. */
const LOCALS: ReadonlySet<string> = new Set(["as", "into", "of", "list", "target", "on"]);

/** What a member of a list is known by: its names, else all of it. */
function keyOf(one: unknown): string {
  if (typeof one !== "object" || one === null) return JSON.stringify(one);
  const { name, id, word } = one as { name?: string; id?: string; word?: string };
  const names = [name, id, word].filter((each) => each !== undefined);
  return names.length === 0 ? JSON.stringify(one) : names.join(" ");
}

function byText(a: unknown, b: unknown): number {
  const [one, other] = [keyOf(a), keyOf(b)];
  return one < other ? -1 : Number(one > other);
}

function sorted(value: unknown): unknown {
  return Array.isArray(value) ? value.toSorted(byText) : value;
}

function setIn(answer: unknown): unknown {
  if (typeof answer !== "object" || answer === null) return answer;
  return "value" in answer ? { ...answer, value: sorted(answer.value) } : sorted(answer);
}

function plain(key: string, value: unknown): unknown {
  if (WORDING.has(key)) return undefined;
  if (key === "id" && typeof value === "string") return undefined;
  if (key === "gap" && typeof value === "string") return "gap";
  if (key === "status" && value === "silent") return "not shown";
  if (SETS.has(key)) return sorted(value);
  if (ASKED.has(key)) return setIn(value);
  if (typeof value !== "object" || value === null) return value;
  if (isExpression(value)) return codeKey(value.code);
  return isCode(value) ? codeKey(value) : value;
}

/** Names that steps and macros bind in a construct, as numbers in their order. */
function numbered(one: unknown): ReadonlyMap<string, string> {
  const numbers = new Map<string, string>();
  JSON.stringify(one, (key, value: unknown) => {
    const isBound = (key === "as" || key === "into") && typeof value === "string";
    if (isBound && !numbers.has(value)) numbers.set(value, `$${numbers.size}`);
    return value;
  });
  return numbers;
}

/** A construct with numbers for the names that are bound in it. */
function local(one: unknown): unknown {
  const numbers = numbered(one);
  if (numbers.size === 0) return one;
  const text = JSON.stringify(one, (key, value: unknown) => {
    if (typeof value === "object" && value !== null && "op" in value && value.op === "name") {
      const { name } = value as { name?: unknown };
      return { ...value, name: numbers.get(String(name)) ?? name };
    }
    // The word behind `on` of a refusal names a member, and no row.
    if (typeof value === "object" && value !== null && "error" in value && "on" in value) {
      return { ...value, on: undefined, word: value.on };
    }
    if (typeof value !== "string" || !LOCALS.has(key)) return value;
    const [first = "", ...rest] = value.split(".");
    return [numbers.get(first) ?? first, ...rest].join(".");
  });
  return JSON.parse(text) as unknown;
}

/** A text that is the same for plans that mean the same, but for what is said above. */
export function meaningOf(plan: Plan): string {
  const { rules, ...versions } = plan.versioning;
  const all = { ...plan, versioning: { ...versions, rules: sorted(rules) } };
  const constructs = Object.entries(all).map(([key, value]) => [
    key,
    Array.isArray(value) && key !== "prologue" ? value.map(local) : local(value),
  ]);
  return JSON.stringify(Object.fromEntries(constructs), plain);
}
