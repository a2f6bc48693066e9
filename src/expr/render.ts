/** Writes typed code back as text, with the parentheses it needs; knows no environment. */
import { functionsByName } from "./functions.ts";
import { STRENGTH } from "./operators.ts";
import { quote } from "./text.ts";
import type { Code } from "./types.ts";

const STRENGTHS: ReadonlyMap<string, number> = new Map([
  ["?:", 0],
  ...STRENGTH,
  ["!", 6],
  ["neg", 6],
]);
const STRONGEST = 7;

/** The text of `code`. Checked again in the same environment, it gives the same code. */
export function render(code: Code): string {
  switch (code.op) {
    case "gap":
      return "not shown";
    case "absent":
      return "absent";
    case "literal":
      return literal(code);
    case "list":
      return `[${code.items.map(render).join(", ")}]`;
    case "map":
      return `{${code.entries.map((e) => `${render(e.key)}: ${render(e.value)}`).join(", ")}}`;
    case "name":
      return code.name;
    case "rows":
      return code.name ?? code.resource;
    case "get":
      return member(code.of, code.member);
    case "has":
      return `has(${member(code.of, code.member)})`;
    case "index":
      return `${inner(code.of, STRONGEST)}[${render(code.at)}]`;
    case "call":
      return call(code.fn, code.args);
    case "each":
      return each(code);
  }
}

function literal(code: Extract<Code, { op: "literal" }>): string {
  const { type, value } = code;
  if (typeof value !== "string") return String(value);
  if (type.kind === "string" || type.kind === "zone") return quote(value);
  const constructed = type.kind === "timestamp" || type.kind === "duration" || type.kind === "date";
  return constructed ? `${type.kind}(${quote(value)})` : value;
}

function member(of: Code, name: string): string {
  const plain = /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !/^(true|false|null)$/.test(name);
  return `${inner(of, STRONGEST)}${plain ? `.${name}` : `[${quote(name)}]`}`;
}

function strengthOf(code: Code): number {
  if (code.op === "literal" && /^-/.test(render(code))) return STRENGTHS.get("neg") ?? 0;
  return code.op === "call" ? (STRENGTHS.get(code.fn) ?? STRONGEST) : STRONGEST;
}

/** `code` where at least `weakest` is wanted. */
function inner(code: Code, weakest: number): string {
  return strengthOf(code) < weakest ? `(${render(code)})` : render(code);
}

function call(fn: string, args: readonly Code[]): string {
  const [a, b, c] = args;
  if (fn === "?:" && a && b && c) return `${inner(a, 1)} ? ${inner(b, 1)} : ${inner(c, 0)}`;
  if ((fn === "!" || fn === "neg") && a) return `${fn === "!" ? "!" : "-"}${negated(fn, a)}`;
  const strength = STRENGTHS.get(fn);
  if (strength !== undefined && a && b) {
    return `${inner(a, strength)} ${fn} ${inner(b, strength + 1)}`;
  }
  if (functionsByName.get(fn)?.method && a) {
    return `${inner(a, STRONGEST)}.${fn}(${args.slice(1).map(render).join(", ")})`;
  }
  return `${fn}(${args.map(render).join(", ")})`;
}

function negated(fn: string, code: Code): string {
  return inner(code, fn === "neg" ? STRONGEST : 6);
}

function each(code: Extract<Code, { op: "each" }>): string {
  const { over, as, body, value } = code;
  const filter = over.op === "each" && over.macro === "filter" && over.as === as;
  if (code.macro === "map" && filter) {
    const bodies = `${render(over.body)}, ${render(body)}`;
    return `${inner(over.over, STRONGEST)}.map(${as}, ${bodies})`;
  }
  const bodies = value ? `${render(body)}, ${render(value)}` : render(body);
  return `${inner(over, STRONGEST)}.${code.macro}(${as}, ${bodies})`;
}
