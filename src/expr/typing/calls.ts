/** Types operators and functions by the forms of their tables; knows no facts of its own. */
import { nearest } from "../../base/index.ts";
import type { Ast, BinaryAst, CallAst, UnaryAst } from "../ast.ts";
import { daysOfDate, parseDuration, parseTimestamp } from "../calendar.ts";
import { EMPTY_FACTS } from "../facts.ts";
import { formatType, formatWithArticle } from "../format.ts";
import type { FunctionEntry } from "../functions/form.ts";
import { macroTable } from "../functions/macros.ts";
import { functionsByName } from "../functions.ts";
import { operatorsByName } from "../operators.ts";
import { JSON_TYPE } from "../relations.ts";
import { quote } from "../text.ts";
import type { Code, Facts, Type } from "../types.ts";
import { callProblem, divisionProblem } from "./faults.ts";
import { describeForms, type Fit, fitForms, patternFault } from "./forms.ts";
import { operandHint } from "./hints.ts";
import { atPath } from "./members.ts";
import { overflowProblem, reckoned } from "./overflow.ts";
import { keyOf, known, narrowed, orderFacts } from "./ranges.ts";
import { resultBound } from "./results.ts";
import type { Scope, Typed } from "./scope.ts";
import { gapAmong, NO_CODE, needsGuards, reject, typed, visitValue } from "./scope.ts";
import { widenTogether } from "./widen.ts";

/** `a + b` and the other operators that only look at types. */
export function visitOperator(ast: BinaryAst, scope: Scope, facts: Facts): Typed {
  const { operator: fn } = ast;
  const left = visitValue(ast.left, scope, facts).code;
  const right = visitValue(ast.right, scope, facts).code;
  const unshown = gapAmong([left, right]);
  if (unshown !== undefined) return typed(unshown, facts);
  const zero = divisionProblem(fn, right, scope);
  if (zero) return reject(scope, ast.right, zero);
  // The places of a product add up, so nothing is widened there.
  const sides = fn === "*" ? [left, right] : widenTogether([left, right]);
  const fit = fitForms(operatorsByName.get(fn)?.forms ?? [], sides);
  if (fit) {
    const past = needsGuards(scope) && overflowProblem(fn, fit, facts);
    return past ? reject(scope, ast, past) : compared(resulting(fn, fit, facts), facts);
  }
  const kinds = `${formatWithArticle(left.type)} and ${formatWithArticle(right.type)}`;
  const message = `\`${fn}\` does not take ${kinds}`;
  return reject(scope, ast, { code: "wrong-type", message, hint: operandHint(fn, left, right) });
}

/** `-a`. */
export function visitNegation(ast: UnaryAst, scope: Scope, facts: Facts): Typed {
  const { code } = visitValue(ast.operand, scope, facts);
  if (code.op === "gap") return typed(code, facts);
  const fit = fitForms(operatorsByName.get("neg")?.forms ?? [], [code]);
  if (fit) return typed(resulting("neg", fit, facts), facts);
  const message = `\`-\` does not take ${formatWithArticle(code.type)}`;
  return reject(scope, ast, { code: "wrong-type", message });
}

/** What a function hands on as it is, and what it takes as JSON. */
function wantedOf(entry: FunctionEntry, at: number, count: number, wanted?: Type) {
  const form = entry.forms.find((one) => one.takes.length === count);
  const takes = form?.takes[at];
  if (takes === "json") return JSON_TYPE;
  if (wanted?.kind !== "list" && wanted?.kind !== "map") return undefined;
  if (!sameItems(entry.name, wanted.kind)) return undefined;
  const { of } = wanted;
  if (takes === "list of T") return { kind: "list", of } as const;
  if (takes === "map of T") return { kind: "map", of } as const;
  return takes === "list of list of T" ? ({ kind: "list", of: wanted } as const) : undefined;
}

/** Whether a function gives a list, or a map, of the items that it was given. */
export function sameItems(name: string, kind: string): boolean {
  return functionsByName.get(name)?.forms.some((form) => form.gives === `${kind} of T`) ?? false;
}

/** `f(x, y)`, which `x.f(y)` means too. `wanted`: the list or map that it is to give. */
export function visitFunction(ast: CallAst, scope: Scope, facts: Facts, wanted?: Type): Typed {
  const at = { start: ast.fnStart, end: ast.fnStart + ast.fn.length };
  const entry = functionsByName.get(ast.fn);
  // Its arguments may be those of a misspelt macro, whose variable would be unknown here.
  if (!entry) return reject(scope, at, unknownFunction(ast.fn));
  const all = ast.receiver ? [ast.receiver, ...ast.args] : ast.args;
  const args = all.map((arg, at) => {
    const as = wantedOf(entry, at, all.length, wanted);
    return as ? scope.visit(arg, scope, facts, as).code : visitValue(arg, scope, facts).code;
  });
  const unshown = gapAmong(args);
  if (unshown !== undefined) return typed(unshown, facts);
  const fit = fitForms(entry.forms, widens(entry) ? widenTogether(args) : args);
  if (!fit) {
    if (args.includes(NO_CODE)) return typed(NO_CODE, facts);
    return reject(scope, ast, misfit(entry, args));
  }
  const [first] = fit.args;
  if (ast.fn === "json" && first?.type.kind === "json") return typed(first, facts);
  const code = resulting(ast.fn, fit, facts);
  const found = folded(code, all, scope);
  if (found) return found;
  const fault =
    needsGuards(scope) &&
    (callProblem(ast.fn, fit.args, facts) ?? overflowProblem(ast.fn, fit, facts));
  if (fault) return reject(scope, ast, fault);
  return atPath(code, keyOf(code), facts);
}

/** The call, with what is known of the number that it gives. */
function resulting(fn: string, { gives, args }: Fit, facts: Facts): Code {
  const bounded = narrowed(gives, resultBound(fn, gives, args.map(reckoned), facts));
  const type = fn === "range" ? rangeType(args) : bounded;
  return known({ op: "call", type, fn, args }, facts);
}

/** A list of so many positions. */
function rangeType([count]: readonly Code[]): Type {
  const least = count?.op === "literal" ? BigInt(String(count.value)) : 0n;
  return { kind: "list", of: { kind: "integer", least: 0n, most: least - 1n }, least };
}

/** What a comparison says where it holds, and where it does not. */
function compared(code: Code, facts: Facts): Typed {
  const [a, b] = code.op === "call" ? code.args : [];
  const fn = code.op === "call" ? code.fn : "";
  if (!a || !b || !/^[<>]=?$/.test(fn)) return typed(code, facts);
  const strict = !fn.endsWith("=");
  const [less, more] = fn.startsWith("<") ? [a, b] : [b, a];
  const whenTrue = orderFacts(less, more, strict, facts);
  return { code, whenTrue, whenFalse: orderFacts(more, less, !strict, facts) };
}

/** Only functions whose arguments must agree may widen one to the other's places. */
function widens(entry: FunctionEntry): boolean {
  return entry.forms.some((form) => form.takes[0] === "O");
}

function unknownFunction(name: string) {
  const macro = macroTable.find((entry) => entry.name === name);
  const near = macro ? undefined : nearest(name, [...functionsByName.keys(), ...macroNames()]);
  const hint = macro
    ? `it is written ${macro.written.map((line) => `\`${line}\``).join(" or ")}`
    : near && `did you mean \`${near}\`?`;
  return { code: "unknown-name", message: `unknown function \`${name}\``, hint } as const;
}

function macroNames(): string[] {
  return macroTable.map((entry) => entry.name);
}

function misfit(entry: FunctionEntry, args: readonly Code[]) {
  const given = args.map((arg) => formatType(arg.type)).join(" and ") || "nothing";
  const message = `\`${entry.name}\` takes ${describeForms(entry.forms)}; given: ${given}`;
  const [a, b] = args;
  const hint = zoneHint(entry, args) ?? (a && operandHint(entry.name, a, b ?? a));
  return { code: "wrong-type", message, hint } as const;
}

function zoneHint(entry: FunctionEntry, args: readonly Code[]): string | undefined {
  const at = entry.forms.find((form) => form.takes.length === args.length)?.takes.indexOf("zone");
  const zone = at === undefined ? undefined : args[at];
  if (zone?.type.kind !== "string") return undefined;
  return 'a time zone is a literal such as `"Europe/Paris"` or `"+02:00"`, or a value of that type';
}

const CONSTRUCTORS: ReadonlyMap<string, { reads(text: string): boolean; form: string }> = new Map([
  [
    "timestamp",
    {
      reads: (text: string) => parseTimestamp(text) !== undefined,
      form: "an RFC 3339 timestamp, such as `2024-05-06T07:08:09Z`",
    },
  ],
  [
    "duration",
    {
      reads: (text: string) => parseDuration(text) !== undefined,
      form: "a duration, such as `1h30m`, `7d` or `1.5s`",
    },
  ],
  [
    "date",
    { reads: (text: string) => daysOfDate(text) !== undefined, form: "a date, `2024-05-06`" },
  ],
]);

/** Literals of calendar types become literals in code; literal patterns are tried. */
function folded(code: Code, all: readonly Ast[], scope: Scope): Typed | undefined {
  if (code.op !== "call") return undefined;
  const last = code.args.at(-1);
  const at = all.at(-1);
  if (!at || last?.op !== "literal" || typeof last.value !== "string") return undefined;
  if (code.fn === "matches" || code.fn === "extract_or_null") {
    const fault = patternFault(last.value);
    return fault === undefined ? undefined : reject(scope, at, patternProblem(fault));
  }
  const made = CONSTRUCTORS.get(code.fn);
  if (!made || last.type.kind !== "string") return undefined;
  if (made.reads(last.value)) return typedLiteral(code.type, last.value);
  const message = `${quote(last.value)} is not ${made.form}`;
  return reject(scope, at, { code: "wrong-type", message });
}

function patternProblem(fault: string) {
  const hint = "patterns are in RE2 syntax: no backreferences, no look-around";
  return { code: "pattern", message: `this pattern does not compile: ${fault}`, hint } as const;
}

function typedLiteral(type: Type, value: string): Typed {
  return typed({ op: "literal", type, value }, EMPTY_FACTS);
}
