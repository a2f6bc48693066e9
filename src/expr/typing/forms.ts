/** Matches arguments with the forms of functions and operators; knows the words of the tables. */
import { RE2JS } from "re2js";
import type { Form } from "../functions/form.ts";
import {
  commonType,
  containsType,
  isAssignable,
  JSON_TYPE,
  nullable,
  UNKNOWN,
  withoutNull,
} from "../relations.ts";
import type { Code, Type } from "../types.ts";
import { isZone } from "../zones.ts";

/** Most places of a decimal. */
const PLACES_MAX = 38;
/** Most items that a literal may ask for. */
const COUNT_MAX = 1000;
/** Words for literal texts: which are taken, and how that is told. */
const LITERALS: Readonly<Record<string, { readonly takes: RegExp; readonly told: string }>> = {
  rounding: { takes: /^(half_even|half_up|down)$/, told: '"half_even", "half_up" or "down"' },
  algorithm: { takes: /^(md5|sha1|sha256|sha512)$/, told: '"md5", "sha1", "sha256" or "sha512"' },
  encoding: { takes: /^(hex|base64|base64url)$/, told: '"hex", "base64" or "base64url"' },
  namespace: { takes: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, told: "UUID" },
  pattern: { takes: /^/, told: "pattern" },
};
const ORDERED = /^(string|integer|decimal|number|timestamp|duration|date)$/;
/** Types of one word that forms give: one object for each. */
const PLAIN: ReadonlyMap<string, Type> = new Map(
  (
    ["string", "integer", "number", "boolean", "timestamp", "date", "duration", "json"] as const
  ).map((kind) => [kind, { kind }]),
);
const SIMPLE = /^(string|integer|number|boolean|timestamp|date|duration|secret)$/;

/** What the variables of a form stand for. */
interface Binding {
  readonly types: Map<string, Type>;
  readonly places: Map<string, number>;
}

/** A form that fits, with the arguments as it takes them and the type that it gives. */
export interface Fit {
  readonly gives: Type;
  readonly args: readonly Code[];
}

/** The first of `forms` that takes `args`; where an unknown type leaves it open, gives unknown. */
export function fitForms(forms: readonly Form[], args: readonly Code[]): Fit | undefined {
  const fits = forms.flatMap((form) => fitForm(form, args) ?? []);
  const [first] = fits;
  const isOpen = (arg: Code) => containsType(arg.type, (type) => type.kind === "unknown");
  if (!first || !args.some(isOpen)) return first;
  const open = fits.some((fit) => fit.gives.kind !== first.gives.kind);
  return open ? { ...first, gives: UNKNOWN } : first;
}

function fitForm(form: Form, args: readonly Code[]): Fit | undefined {
  if (form.takes.length !== args.length) return undefined;
  const binding: Binding = { types: new Map(), places: new Map() };
  let taken = args;
  for (const [i, pattern] of form.takes.entries()) {
    const arg = args[i];
    const code = arg && takeArgument(pattern, arg, binding);
    if (!code) return undefined;
    if (code !== arg) taken = taken.with(i, code);
  }
  const gives = build(form.gives, binding);
  return gives && { gives, args: taken };
}

/** The argument as the form takes it (a zone's name becomes a zone), or undefined. */
function takeArgument(pattern: string, code: Code, binding: Binding): Code | undefined {
  const literal = code.op === "literal" && typeof code.value === "string" ? code.value : undefined;
  switch (pattern) {
    case "places": {
      const places = code.type.kind === "integer" && literal ? Number(literal) : -1;
      if (!(places >= 0 && places <= PLACES_MAX)) return undefined;
      binding.places.set("places", places);
      return code;
    }
    case "count": {
      const count = code.type.kind === "integer" && literal ? Number(literal) : -1;
      return count >= 0 && count <= COUNT_MAX ? code : undefined;
    }
    case "rounding":
    case "algorithm":
    case "encoding":
    case "namespace":
    case "pattern": {
      const takes = literal !== undefined && code.type.kind === "string";
      return takes && LITERALS[pattern]?.takes.test(literal) ? code : undefined;
    }
    case "zone":
      if (code.type.kind === "zone" || code.type.kind === "unknown") return code;
      if (literal === undefined || !isZone(literal) || code.type.kind !== "string")
        return undefined;
      return { ...code, type: { kind: "zone" } };
    default:
      return matches(pattern, code.type, binding) ? code : undefined;
  }
}

function matches(pattern: string, type: Type, binding: Binding): boolean {
  if (type.kind === "unknown") return true;
  const outer = /^(list|map) of (.*)$/.exec(pattern);
  if (outer) {
    const fits = type.kind === outer[1] && (type.kind === "list" || type.kind === "map");
    return fits && matches(outer[2] ?? "", type.of, binding);
  }
  if (pattern.endsWith(" or null")) {
    return type.kind === "null" || matches(pattern.slice(0, -8), withoutNull(type), binding);
  }
  if (pattern === "json") return isAssignable(type, JSON_TYPE);
  if (SIMPLE.test(pattern) || pattern === "row") return type.kind === pattern;
  const places = /^decimal\((.*)\)$/.exec(pattern)?.[1];
  if (places !== undefined) {
    if (type.kind !== "decimal") return false;
    const known = /^[0-9]+$/.test(places) ? Number(places) : binding.places.get(places);
    binding.places.set(places, known ?? type.places);
    return known === undefined || known === type.places;
  }
  if (pattern === "O" && !ORDERED.test(type.kind)) return false;
  if (containsType(type, ({ kind }) => kind === "secret")) return false;
  const common = commonType(binding.types.get(pattern) ?? UNKNOWN, type);
  if (common) binding.types.set(pattern, common);
  return common !== undefined;
}

/** The type that a form gives; undefined where it would have too many places. */
function build(pattern: string, binding: Binding): Type | undefined {
  const outer = /^(list|map) of (.*)$/.exec(pattern);
  if (outer) {
    const of = build(outer[2] ?? "", binding);
    return of && { kind: outer[1] === "map" ? "map" : "list", of };
  }
  if (pattern.endsWith(" or null")) {
    const of = build(pattern.slice(0, -8), binding);
    return of && nullable(of);
  }
  const places = /^decimal\((.*)\)$/.exec(pattern)?.[1];
  if (places !== undefined) {
    const known = places.split("+").map((name) => binding.places.get(name));
    if (known.includes(undefined)) return UNKNOWN;
    const total = known.reduce<number>((sum, part) => sum + (part ?? 0), 0);
    return total > PLACES_MAX ? undefined : { kind: "decimal", places: total };
  }
  return PLAIN.get(pattern) ?? binding.types.get(pattern) ?? UNKNOWN;
}

/** What is wrong with a pattern of `matches`, or undefined. */
export function patternFault(pattern: string): string | undefined {
  try {
    RE2JS.compile(pattern);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The words of a form for people: "(string, list of anything)". */
export function describeForms(forms: readonly Form[]): string {
  const words = forms.map((form) => form.takes.map(describePattern).join(" and "));
  return [...new Set(words)].join("; or ");
}

function describePattern(pattern: string): string {
  const outer = /^(list|map) of (.*)$/.exec(pattern);
  if (outer) return `${outer[1]} of ${describePattern(outer[2] ?? "")}`;
  if (pattern.startsWith("decimal(0")) return "decimal with 0 places";
  if (pattern.startsWith("decimal")) return "decimal";
  if (pattern === "T") return "anything";
  if (pattern === "O") return "anything that has an order";
  if (pattern === "count") return "a literal 0 to 1000";
  if (pattern === "places") return "literal places (0 to 38)";
  const literal = LITERALS[pattern];
  if (literal !== undefined) return `a literal ${literal.told}`;
  if (pattern === "zone") return "time zone";
  return pattern;
}
