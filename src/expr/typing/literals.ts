/** Types literals, list literals and map literals; knows no operator. */
import type { ListAst, LiteralAst, MapAst } from "../ast.ts";
import { IMPOSSIBLE } from "../facts.ts";
import { formatType, formatWithArticle } from "../format.ts";
import { BOOLEAN, commonType, INTEGER, UNKNOWN } from "../relations.ts";
import type { Code, Facts, Type } from "../types.ts";
import { narrowed, numberBound } from "./ranges.ts";
import type { Scope, Typed } from "./scope.ts";
import { reject, typed, visitValue } from "./scope.ts";
import { widenTogether } from "./widen.ts";

/** A literal; a string literal has the type of the one value that it can be. */
export function visitLiteral(ast: LiteralAst, facts: Facts): Typed {
  const code: Code = { op: "literal", type: literalType(ast), value: ast.value };
  if (ast.literal !== "boolean") return typed(code, facts);
  return ast.value
    ? { code, whenTrue: facts, whenFalse: IMPOSSIBLE }
    : { code, whenTrue: IMPOSSIBLE, whenFalse: facts };
}

const plainTypes = {
  boolean: BOOLEAN,
  integer: INTEGER,
  number: { kind: "number" },
  null: { kind: "null" },
} as const satisfies Record<string, Type>;

function literalType(ast: LiteralAst): Type {
  const text = String(ast.value);
  if (ast.literal === "string") return { kind: "string", oneOf: [text] };
  if (ast.literal !== "decimal") return plainTypes[ast.literal];
  return { kind: "decimal", places: text.length - text.indexOf(".") - 1 };
}

function commonOf(codes: readonly Code[]): Type | undefined {
  let common: Type | undefined = UNKNOWN;
  for (const code of codes) {
    common = common && commonType(common, narrowed(code.type, numberBound(code)));
  }
  return common;
}

/** `[a, b]`: its items have one type; null may be among them. */
export function visitList(ast: ListAst, scope: Scope, facts: Facts): Typed {
  const items = widenTogether(ast.items.map((item) => scope.visit(item, scope, facts).code));
  const of = commonOf(items);
  if (of) return typed({ op: "list", type: { kind: "list", of }, items }, facts);
  return reject(scope, ast, { code: "wrong-type", message: mixed("items of a list", items) });
}

function mixed(what: string, codes: readonly Code[]): string {
  const kinds = [...new Set(codes.map((code) => formatWithArticle(code.type)))].slice(0, 4);
  return `the ${what} have one type, and here are ${kinds.join(" and ")}`;
}

/** `{"a": x}`: its keys are strings, its values have one type; no key is repeated. */
export function visitMap(ast: MapAst, scope: Scope, facts: Facts): Typed {
  const keys: Code[] = [];
  const seen = new Set<string>();
  for (const { key } of ast.entries) {
    const { code } = visitValue(key, scope, facts);
    keys.push(code);
    if (code.type.kind !== "string" && code.type.kind !== "unknown") {
      const message = `the keys of a map are strings, this is ${formatType(code.type)}`;
      return reject(scope, key, { code: "wrong-type", message });
    }
    if (code.op === "literal" && seen.has(String(code.value))) {
      const message = `the key \`${String(code.value)}\` stands twice in this map`;
      return reject(scope, key, { code: "wrong-type", message });
    }
    if (code.op === "literal") seen.add(String(code.value));
  }
  const values = ast.entries.map((entry) => scope.visit(entry.value, scope, facts).code);
  const wide = widenTogether(values);
  const of = commonOf(wide);
  if (!of) {
    const message = mixed("values of a map", wide);
    const hint =
      "to answer with members of several types, state a shape and show that; where JSON is " +
      "meant, write `json({...})`";
    return reject(scope, ast, { code: "wrong-type", message, hint });
  }
  const entries = wide.flatMap((value, i) => {
    const key = keys[i];
    return key ? [{ key, value }] : [];
  });
  return typed({ op: "map", type: { kind: "map", of }, entries }, facts);
}
