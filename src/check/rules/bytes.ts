/** The fewest bytes that a valid JSON body of an endpoint can have. */
import {
  type Endpoint,
  type Field,
  isStated,
  type Rule,
  type ValueType,
} from "../../plan/index.ts";
import type { RuleContext } from "./context.ts";

interface Measure {
  readonly c: RuleContext;
  /** Parts being measured, so that one inside itself ends. */
  readonly open: ReadonlySet<string>;
}

const EMPTY = 2;

function least(rules: readonly Rule[], kind: "characters" | "items"): number {
  let most = 0;
  for (const rule of rules) {
    if (rule.kind === kind) most = Math.max(most, rule.min ?? 0);
    if (rule.kind === "not empty") most = Math.max(most, 1);
  }
  return most;
}

function valueBytes(at: Measure, value: ValueType, rules: readonly Rule[]): number {
  const { type } = value;
  if (value.orNull) return Math.min(4, typeBytes(at, value, rules));
  if (rules.some((rule) => rule.kind === "trimmed" || rule.kind.startsWith("empty"))) return 1;
  return type.kind === "json" || type.kind === "schema" ? 1 : typeBytes(at, value, rules);
}

function typeBytes(at: Measure, { type }: ValueType, rules: readonly Rule[]): number {
  switch (type.kind) {
    case "string":
    case "secret":
    case "email":
    case "uri":
      return EMPTY + least(rules, "characters");
    case "uuid":
      return EMPTY + 36;
    case "date":
      return EMPTY + 10;
    case "boolean":
      return 4;
    case "one of":
      return EMPTY + Math.min(...type.values.map((word) => word.length));
    case "list": {
      const count = least(rules, "items");
      const item = count === 0 ? 0 : valueBytes(at, type.of, []);
      return EMPTY + count * item + Math.max(0, count - 1);
    }
    case "structure": {
      if (at.open.has(type.name) || at.open.size > 8) return EMPTY;
      const part = at.c.parts.get(type.name);
      const inner = { c: at.c, open: new Set(at.open).add(type.name) };
      return part === undefined ? EMPTY : fieldBytes(inner, part.fields, "create");
    }
    case "number":
    case "duration":
    case "time zone":
    case "json":
    case "schema":
    case "file":
    case "state":
    case "event name":
    case "error name":
    case "integer":
    case "decimal":
    case "timestamp":
    case "id":
    case "map":
    case "reference":
      return 1;
  }
}

const memberBytes = (name: string, value: number): number => name.length + 3 + value;

function objectBytes(members: readonly number[]): number {
  return EMPTY + members.reduce((sum, one) => sum + one, 0) + Math.max(0, members.length - 1);
}

function fieldBytes(at: Measure, fields: readonly Field[], kind: "create" | "update"): number {
  return objectBytes(
    fields
      .filter((field) => field[kind].is === "required")
      .map((field) => memberBytes(field.name, valueBytes(at, field.type, field.rules))),
  );
}

/** The fewest bytes of a body; 0 where the endpoint has none or it is not shown. */
export function bodyBytesLeast(c: RuleContext, endpoint: Endpoint): number {
  const at: Measure = { c, open: new Set() };
  const rows = endpoint.inputs
    .filter((input) => input.in === "body" && input.needed === "yes" && !input.name.includes("."))
    .map((input) => memberBytes(input.name, valueBytes(at, input.type, input.rules)));
  if (!isStated(endpoint.body)) return rows.length === 0 ? 0 : objectBytes(rows);
  const { content, member } = endpoint.body.value;
  const owner = content.is === "type" ? undefined : c.resources.get(content.resource);
  const bytes =
    content.is === "type"
      ? valueBytes(at, content.type, [])
      : fieldBytes(at, owner?.fields ?? [], content.is === "new" ? "create" : "update");
  return member === undefined && rows.length === 0
    ? bytes
    : objectBytes([...rows, memberBytes(member?.split(".")[0] ?? "", bytes)]);
}
