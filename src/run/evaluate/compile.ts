/** Compiles typed code to closures: names become slots, types choose the operation; no `eval`. */
import type { Code, FunctionName, OperatorName, Type } from "../../expr/index.ts";
import { parseDuration, parseTimestamp } from "../../expr/index.ts";
import { compareBuilds } from "./compare.ts";
import { buildEach, iterate } from "./each.ts";
import { encodingBuilds } from "./encodings.ts";
import { EvaluationFault, GapFault } from "./fault.ts";
import { jsonBuilds } from "./jsons.ts";
import { linkBuilds } from "./links.ts";
import { concatenateLists, listBuilds } from "./lists.ts";
import { logical, logicBuilds } from "./logic.ts";
import { mapBuilds } from "./maps.ts";
import { add, numberBuilds, subtract } from "./numbers.ts";
import { secretBuilds } from "./secrets.ts";
import { concatenate, textBuilds } from "./texts.ts";
import { boundedDuration, boundedTimestamp, timeBuilds } from "./times.ts";
import type { Build, CallCode, Closure, Layout, Row, Source, State, Value } from "./values.ts";
import { argument, charge, load } from "./values.ts";

/** Compiled code: the values in the order of `Layout.names`, the data, the bound of its work. */
export type Evaluate = (values: readonly Value[], source: Source, workMax: number) => Value;

interface Scope {
  readonly layout: Layout;
  /** Slots of the macro variables around. */
  readonly locals: ReadonlyMap<string, number>;
}

/**
 * Compiles `code`, which `check` made without problems. Throws only where the layout lacks a name
 * or field, which is a bug of the caller. The result throws `EvaluationFault` alone.
 */
export function compile(code: Code, layout: Layout): Evaluate {
  const closure = build(code, { layout, locals: new Map() });
  return (values, source, workMax) => closure({ values, locals: [], source, work: workMax });
}

function build(code: Code, scope: Scope): Closure {
  switch (code.op) {
    case "gap":
      return () => {
        throw new GapFault(code.gap);
      };
    case "absent":
      return () => undefined;
    case "literal": {
      const value = literalValue(code.type, code.value);
      return () => value;
    }
    case "name":
      return name(code.name, code.type, scope);
    case "rows":
      return rows(code.resource);
    case "list":
      return list(code.items.map((item) => build(item, scope)));
    case "map":
      return map(code, scope);
    case "get":
      return present(member(code, scope), code.type, code.member);
    case "has": {
      const read = member(code, scope);
      return (state) => read(state) !== undefined;
    }
    case "index":
      return index(code, scope);
    case "call":
      return call(
        code,
        code.args.map((arg) => build(arg, scope)),
        scope,
      );
    case "each":
      return each(code, scope);
  }
}

function literalValue(type: Type, value: string | boolean | null): Value {
  if (typeof value !== "string") return value;
  switch (type.kind) {
    case "integer":
      return BigInt(value);
    case "decimal":
      return BigInt(value.replace(".", ""));
    case "number":
      return Number(value);
    case "timestamp":
      return parseTimestamp(value);
    case "duration":
      return parseDuration(value);
    case "json":
      return { numberText: value };
    case "string":
    case "boolean":
    case "object":
    case "date":
    case "zone":
    case "null":
    case "secret":
    case "file":
    case "list":
    case "map":
    case "row":
    case "nullable":
    case "unknown":
      return value;
  }
}

/** What may be undefined or null by type is let through; else a guard was absorbed with a fault. */
function present(closure: Closure, type: Type, what: string): Closure {
  if (/^(nullable|null|json|unknown)$/.test(type.kind)) {
    return (state) => {
      const value = closure(state);
      if (value === undefined) throw absent(what);
      return value;
    };
  }
  return (state) => {
    const value = closure(state);
    if (value == null) throw absent(what);
    return value;
  };
}

function absent(what: string): EvaluationFault {
  return new EvaluationFault("absent", `\`${what}\` is absent or null`);
}

function name(wanted: string, type: Type, { layout, locals }: Scope): Closure {
  const local = locals.get(wanted);
  if (local !== undefined) return present((state) => state.locals[local], type, wanted);
  const slot = layout.names.indexOf(wanted);
  if (slot < 0) throw new Error(`the layout lacks the name ${wanted}`);
  return present((state) => state.values[slot], type, wanted);
}

function rows(resource: string): Closure {
  return (state) => {
    const found = [...state.source.all(resource)];
    charge(state, found.length);
    return found;
  };
}

function list(items: readonly Closure[]): Closure {
  return (state) => items.map((item) => item(state));
}

const PART = "part:";

function map({ entries, type }: Extract<Code, { op: "map" }>, scope: Scope): Closure {
  const pairs = entries.map(({ key, value }) => [build(key, scope), build(value, scope)] as const);
  const made: (state: State) => ReadonlyMap<string, unknown> = (state) =>
    new Map(pairs.map(([key, value]) => [key(state) as string, value(state)]));
  if (type.kind !== "object" || !type.name.startsWith(PART)) return made;
  const part = type.name.slice(PART.length);
  return (state) => state.source.makePart?.(part, made(state)) ?? made(state);
}

/** Reads a member, which may be absent: a field of a row, a member of an object, a key of a map. */
function member(code: Extract<Code, { op: "get" | "has" }>, scope: Scope): Closure {
  const of = build(code.of, scope);
  const { type } = code.of;
  if (type.kind !== "row") {
    return (state) => (of(state) as ReadonlyMap<string, Value>).get(code.member);
  }
  const { resource } = type;
  const field = scope.layout.fields(resource).indexOf(code.member);
  if (field < 0) throw new Error(`the layout of ${resource} lacks the field ${code.member}`);
  const rowOf = (state: State): Row => {
    const value = of(state);
    return typeof value === "number" ? load(state, resource, value) : (value as Row);
  };
  if (scope.layout.isDoubtful?.(resource) !== true) return (state) => rowOf(state).values[field];
  return (state) => {
    const row = rowOf(state);
    state.source.meet?.(row, field);
    return row.values[field];
  };
}

function index(code: Extract<Code, { op: "index" }>, scope: Scope): Closure {
  const [of, at] = [build(code.of, scope), build(code.at, scope)];
  if (code.of.type.kind === "map") {
    return (state) => {
      const found = (of(state) as ReadonlyMap<string, Value>).get(at(state) as string);
      if (found === undefined) throw new EvaluationFault("index", "a map lacks the key");
      return found;
    };
  }
  return (state) => {
    const items = of(state) as readonly Value[];
    const position = at(state) as bigint;
    if (position < 0n || position >= BigInt(items.length)) {
      throw new EvaluationFault("index", "a position is outside its list");
    }
    return items[Number(position)];
  };
}

/** How each function and operator is evaluated: one that lacks an entry does not compile. */
const BUILDS: Readonly<Record<FunctionName | OperatorName, Build>> = {
  ...logicBuilds,
  ...compareBuilds,
  ...numberBuilds,
  ...textBuilds,
  ...encodingBuilds,
  ...linkBuilds,
  ...secretBuilds,
  ...timeBuilds,
  ...listBuilds,
  ...mapBuilds,
  ...jsonBuilds,
  "+": (args, code) => added(args, code),
  "-": (args, code) => subtracted(args, code),
  "&&": (args, code) => joined("&&", args, code),
  "||": (args, code) => joined("||", args, code),
};

/**
 * Written around code that names a row, with the label of the field that it goes through: a
 * reference is followed only to a row that the source lets whoever asks see.
 */
export const SEEN = "#seen";

function seen(of: Closure, { type, args }: CallCode, { layout }: Scope): Closure {
  const resource = type.kind === "row" ? type.resource : "";
  const [, label] = args;
  const through = label?.op === "literal" ? String(label.value) : "";
  const { seesAll = -1 } = layout;
  return (state) => {
    const value = of(state);
    if (typeof value !== "number") return value;
    const row = load(state, resource, value);
    if (state.values[seesAll] !== true) state.source.see?.(row, through);
    return row;
  };
}

function call(code: CallCode, args: readonly Closure[], scope: Scope): Closure {
  if (code.fn === SEEN) return seen(args[0] as Closure, code, scope);

  const make = (BUILDS as Readonly<Record<string, Build | undefined>>)[code.fn];
  if (!make) throw new Error(`no meaning is compiled for ${code.fn}`);
  return make(code.fn in textBuilds ? args.map(known) : args, code);
}

/** Functions of texts look inside of them. */
function known(of: Closure): Closure {
  return (state) => {
    const value = of(state);
    if (typeof value === "string") state.source.meetText?.(value);
    return value;
  };
}

function joined(fn: "&&" | "||", args: readonly Closure[], { args: [left] }: CallCode): Closure {
  return logical(fn, args, left !== undefined && isSafe(left));
}

const added: Build = (args, code) => {
  if (code.type.kind === "string") return concatenate(args, code);
  if (code.type.kind === "list") return concatenateLists(args, code);
  return temporal(code.type, args, (a, b) => a + b) ?? add(args, code);
};

const subtracted: Build = (args, code) =>
  temporal(code.type, args, (a, b) => a - b) ?? subtract(args, code);

function temporal(
  type: Type,
  args: readonly Closure[],
  combine: (a: bigint, b: bigint) => bigint,
): Closure | undefined {
  if (type.kind !== "timestamp" && type.kind !== "duration") return undefined;
  const bound = type.kind === "timestamp" ? boundedTimestamp : boundedDuration;
  const [a, b] = [argument<bigint>(args, 0), argument<bigint>(args, 1)];
  return (state) => bound(combine(a(state), b(state)));
}

const SAFE_CALLS = /^(==|!=|<|<=|>|>=|!|&&|\|\||\?:|neg|abs|contains|startsWith|endsWith)$/;

/** Whether evaluating `code` is never a fault that the other side of `&&` could absorb. */
function isSafe(code: Code): boolean {
  switch (code.op) {
    case "literal":
    case "name":
      return true;
    case "get":
    case "has":
      return code.of.type.kind !== "row" && isSafe(code.of);
    case "list":
      return code.items.every(isSafe);
    case "call":
      return SAFE_CALLS.test(code.fn) && code.args.every(isSafe);
    case "absent":
    case "gap":
    case "map":
    case "rows":
    case "index":
    case "each":
      return false;
  }
}

function each(code: Extract<Code, { op: "each" }>, scope: Scope): Closure {
  const slot = scope.locals.size;
  // A shadowed name keeps its slot's number unused, so that depths never share a slot.
  const locals = new Map(scope.locals).set(code.as, slot);
  const inside: Scope = { ...scope, locals: locals.size > slot ? locals : shadowed(locals, slot) };
  const over = build(code.over, scope);
  return buildEach(code.macro, {
    items: iterate(code.over, over),
    body: build(code.body, inside),
    value: code.value && build(code.value, inside),
    slot,
    safe: isSafe(code.body),
  });
}

/** The same locals, with an entry that no expression can name, so that the next slot is fresh. */
function shadowed(locals: ReadonlyMap<string, number>, slot: number): ReadonlyMap<string, number> {
  return new Map(locals).set(`#${slot}`, slot);
}
