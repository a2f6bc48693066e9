/** Makes a body that an endpoint accepts, where its types tell how; none where they do not. */
import {
  type BaseType,
  type Body,
  type Field,
  type Plan,
  type Rule,
  sentName,
  type ValueType,
} from "../plan/index.ts";

/** JSON text, or undefined where no value can be told from the type and its rules alone. */
type Sample = string | undefined;

const PLAIN: Partial<Record<BaseType["kind"], string>> = {
  number: "1.5",
  boolean: "true",
  date: '"2030-01-31"',
  duration: '"PT1H"',
  "time zone": '"Europe/Paris"',
  email: '"ann@example.com"',
  uuid: '"6ba7b810-9dad-41d1-80b4-00c04fd430c8"',
  json: "{}",
};

function text(rules: readonly Rule[]): Sample {
  if (rules.some((rule) => rule.kind === "matches" || rule.kind === "holds")) return undefined;
  const length = rules.find((rule) => rule.kind === "characters");
  const word = "tea for two";
  if (length?.kind !== "characters") return JSON.stringify(word);
  const padded = word.padEnd(length.min ?? 0, " and so on");
  // A space at the end might be trimmed, and count no more.
  return JSON.stringify(padded.slice(0, length.max ?? padded.length).replace(/ $/, "s"));
}

/** The least value that the rules allow, or a small one. */
function amount(rules: readonly Rule[], plain: string): Sample {
  const range = rules.find((rule) => rule.kind === "range");
  if (range?.kind !== "range") return plain;
  const bound = range.min ?? range.max;
  return bound?.op === "literal" && typeof bound.value === "string" ? bound.value : undefined;
}

function decimal(type: Extract<BaseType, { kind: "decimal" }>, rules: readonly Rule[]): Sample {
  const value = amount(rules, type.places > 0 ? `1.${"0".repeat(type.places)}` : "1");
  return value !== undefined && type.wire === "string" ? JSON.stringify(value) : value;
}

function uri(rules: readonly Rule[]): string {
  const scheme = rules.find((rule) => rule.kind === "scheme");
  return `"${scheme?.kind === "scheme" ? (scheme.schemes[0] ?? "https") : "https"}://example.com/"`;
}

function valueOf(plan: Plan, value: ValueType, rules: readonly Rule[]): Sample {
  const { type } = value;
  switch (type.kind) {
    case "string":
    case "secret":
      return text(rules);
    case "integer": {
      const whole = amount(rules, "1");
      return whole !== undefined && type.wire === "string" ? JSON.stringify(whole) : whole;
    }
    case "decimal":
      return decimal(type, rules);
    case "timestamp":
      return type.wire === "rfc3339" ? '"2030-01-31T12:00:00Z"' : undefined;
    case "uri":
      return uri(rules);
    case "one of":
      return JSON.stringify(type.values[0]);
    case "list": {
      if (rules.some((rule) => rule.kind === "items" && (rule.min ?? 0) > 1)) return undefined;
      const item = valueOf(plan, type.of, []);
      return item === undefined ? undefined : `[${item}]`;
    }
    case "structure": {
      const part = plan.partTypes.find((one) => one.name === type.name);
      return part === undefined ? undefined : objectOf(plan, part.fields);
    }
    case "schema":
      return undefined;
    case "number":
    case "boolean":
    case "date":
    case "duration":
    case "time zone":
    case "email":
    case "uuid":
    case "json":
    case "file":
    case "state":
    case "event name":
    case "error name":
    case "id":
    case "map":
    case "reference":
      return PLAIN[type.kind];
  }
}

function objectOf(plan: Plan, fields: readonly Field[]): Sample {
  const members: string[] = [];
  for (const field of fields) {
    if (field.create.is !== "required") continue;
    const value = valueOf(plan, field.type, field.rules);
    if (value === undefined) return undefined;
    members.push(`${JSON.stringify(sentName(field))}:${value}`);
  }
  return `{${members.join(",")}}`;
}

/** JSON text of a body `new R` with its required members; undefined where one can't be told. */
export function sampleBody(plan: Plan, body: Body): string | undefined {
  if (body.content.is !== "new") return undefined;
  const { resource } = body.content;
  const made = plan.resources.find((one) => one.name === resource);
  const object = made === undefined ? undefined : objectOf(plan, made.fields);
  if (object === undefined || body.member === undefined) return object;
  return body.member
    .split(".")
    .reduceRight((inner, name) => `{${JSON.stringify(name)}:${inner}}`, object);
}
