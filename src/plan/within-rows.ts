/**
 * Tells from a plan alone where a reference may lead out of the rows that a caller sees. It cannot
 * where `Rows` of the resource that refers, and its promises, say the same of the row behind it.
 */
import { type Code, conjuncts, partsOf, render, withParts } from "../expr/index.ts";
import type { Resource } from "./types/index.ts";

type Resources = (name: string) => Resource | undefined;
type Get = Code & { op: "get" };

/** What `Rows` states of a resource. */
export function rowsOf(resource: Resource | undefined) {
  return resource?.invariants.find((one) => one.kind === "rows");
}

/** The code with another row in place of `it`. */
function about(code: Code, row: Code): Code {
  if (code.op === "name") return code.name === "it" ? row : code;
  if (code.op === "each" && code.as === "it") return { ...code, over: about(code.over, row) };
  return withParts(
    code,
    partsOf(code).map((part) => about(part, row)),
  );
}

/** What must hold where the reference is followed, which then names a row. */
function withoutNull(code: Code, reference: string): readonly Code[] {
  if (code.op !== "call" || code.fn !== "||") return conjuncts(code);
  const isNothing = (one: Code): boolean =>
    one.op === "call" &&
    one.fn === "==" &&
    one.args.some((arg) => render(arg) === reference) &&
    one.args.some((arg) => arg.op === "literal" && arg.value === null);
  const rest = code.args.filter((one) => !isNothing(one));
  const [only] = rest;
  return only !== undefined && rest.length === 1 && rest.length < code.args.length
    ? conjuncts(only)
    : [code];
}

/** Values that are known to be equal, by their texts. */
class Equal {
  readonly #of = new Map<string, string>();
  readonly #held = new Set<string>();

  note(code: Code): void {
    this.#held.add(render(code));
    const [a, b] = sides(code);
    if (a !== undefined && b !== undefined) this.#of.set(this.#first(a), this.#first(b));
  }

  holds(code: Code): boolean {
    const [a, b] = sides(code);
    const isEqual = a !== undefined && b !== undefined && this.#first(a) === this.#first(b);
    return isEqual || this.#held.has(render(code));
  }

  #first(text: string): string {
    let at = text;
    for (let next = this.#of.get(at); next !== undefined && next !== at; next = this.#of.get(at)) {
      at = next;
    }
    return at;
  }
}

function sides(code: Code): readonly (string | undefined)[] {
  return code.op === "call" && code.fn === "==" ? code.args.map(render) : [];
}

/** Whether the row behind a path is one that whoever sees the row before it sees too. */
export function staysWithin(resources: Resources, path: Code): boolean {
  if (path.op !== "get" || path.type.kind !== "row" || path.of.type.kind !== "row") return false;
  const rows = rowsOf(resources(path.type.resource));
  if (rows?.kind !== "rows") return true;
  const from = resources(path.of.type.resource);
  const known = new Equal();
  for (const one of from?.invariants ?? []) {
    const said =
      one.kind === "rows" ? one.where : one.kind === "always" ? one.condition : undefined;
    if (said === undefined) continue;
    const code = about(said.code, path.of);
    for (const each of withoutNull(code, render(path))) known.note(each);
  }
  return conjuncts(about(rows.where.code, path)).every((one) => known.holds(one));
}

/** Paths in code that may lead to a row which `Rows` of its resource hides from a caller. */
export function pathsBeyond(resources: Resources, code: Code): readonly Get[] {
  const found: Get[] = [];
  const asked = new Set<string>();
  const walk = (one: Code): void => {
    const before = new Set(asked);
    const [test, ...rest] = partsOf(one);
    if (one.op === "call" && one.fn === "?:" && test !== undefined) {
      walk(test);
      for (const each of conjuncts(test)) noteAsked(each, asked);
      const [yes, no] = rest;
      if (yes !== undefined) walk(yes);
      asked.clear();
      for (const each of before) asked.add(each);
      if (no !== undefined) walk(no);
      return;
    }
    for (const part of partsOf(one)) walk(part);
    if ((one.op !== "get" && one.op !== "has") || one.of.op !== "get") return;
    if (one.of.type.kind !== "row" || rowsOf(resources(one.of.type.resource)) === undefined) return;
    if (!asked.has(render(one.of)) && !staysWithin(resources, one.of)) found.push(one.of);
  };
  walk(code);
  return found;
}

/** `projects.exists(p, p == it.project)` asks whether the row is there for the caller. */
function noteAsked(code: Code, asked: Set<string>): void {
  if (code.op !== "each" || code.macro !== "exists" || code.over.op !== "rows") return;
  const { body, as } = code;
  if (body.op !== "call" || body.fn !== "==") return;
  const other = body.args.find((arg) => !(arg.op === "name" && arg.name === as));
  if (other !== undefined && body.args.some((arg) => arg.op === "name" && arg.name === as)) {
    asked.add(render(other));
  }
}
