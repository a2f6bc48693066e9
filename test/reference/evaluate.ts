/** Evaluates typed code by walking it, name by name; knows rows through a host alone. */
import type { Code, Type } from "../../src/expr/index.ts";
import type { ValueType } from "../../src/plan/index.ts";
import { meet } from "./coverage.ts";
import { arithmetic, call, plainType, relation } from "./functions.ts";
import { isFound, lookAt, referenceMark } from "./sight.ts";
import { celDuration, instantOf } from "./times.ts";
import { equal, Fault, isList, isMap, isRef, type Kept, type Ref, type Value } from "./values.ts";

export type Names = ReadonlyMap<string, Value>;

/** What an expression reaches besides its names. */
export interface Host {
  rows(resource: string): readonly Ref[];
  /** Throws where it is not known whether the row is there still. */
  meetThere(row: Ref): void;
  /** Throws where it is not known whether the resource has more rows. */
  meetMore(resource: string): void;
  /** A field of a stored row. */
  field(row: Ref, name: string): Value;
  token(row: Ref): string;
  /** Throws where whoever asks may not see the row that a reference has led to. */
  see(row: Ref, through: string): void;
  /** A part that is written as a literal, made. */
  part(name: string, given: ReadonlyMap<string, Value>): Value;
  /** The value with rows in place of what names them; undefined where one is not there. */
  named(type: ValueType, value: Value): Value | undefined;
}

/** Reading it meets a gap: a column of an error that is not shown. */
export interface GapMember {
  readonly gapMember: string;
}

/** The value of code under names. Throws `Fault` where it has none. */
export function evaluate(code: Code, names: Names, host: Host): Value {
  meet("code", code.op);
  switch (code.op) {
    case "gap":
      throw new GapFault(code.gap);
    case "absent":
      return undefined;
    case "literal":
      return literal(code.value, code.type);
    case "list":
      return code.items.map((item) => evaluate(item, names, host));
    case "map": {
      const made = new Map(
        code.entries.map(({ key, value }) => [
          evaluate(key, names, host) as string,
          evaluate(value, names, host),
        ]),
      );
      const part =
        code.type.kind === "object" ? /^part:(.*)$/.exec(code.type.name)?.[1] : undefined;
      return part === undefined ? made : host.part(part, made);
    }
    case "name":
      return names.get(code.name);
    case "rows":
      return surely(host.rows(code.resource), code.resource, host);
    case "get":
      return member(rowOf(code.of, names, host), code.member, host);
    case "has":
      return has(rowOf(code.of, names, host), code.member, host);
    case "index":
      return index(evaluate(code.of, names, host), evaluate(code.at, names, host));
    case "call":
      return operator(code, names, host);
    case "each":
      return each(code, names, host);
  }
}

/** The value of code of which a member is read; a reference is followed to its row. */
function rowOf(code: Code, names: Names, host: Host): Value {
  const value = evaluate(code, names, host);
  lookAt(code, isList(value) ? undefined : value, names, (row, through) => host.see(row, through));
  return value;
}

/** A literal's text as a value of its type. */
export function literal(value: string | boolean | null, type: Type): Value {
  if (typeof value !== "string") return value;
  const plain = plainType(type);
  switch (plain.kind) {
    case "integer":
      return BigInt(value);
    case "decimal": {
      const [whole = "", fraction = ""] = value.split(".");
      return BigInt(whole + fraction) * 10n ** BigInt(plain.places - fraction.length);
    }
    case "number":
      return Number(value);
    case "json":
      return { digits: value };
    case "timestamp":
      return instantOf(value) ?? BigInt(value);
    case "duration":
      return /^-?\d+$/.test(value) ? BigInt(value) : celDuration(value);
    default:
      return value;
  }
}

/** A member of a row, an object or a map; one that is not there is absent. */
export function member(of: Value, name: string, host: Host): Value {
  if (isRef(of)) return host.field(of, name);
  if (isMap(of)) {
    const found = of.get(name) as Value | GapMember;
    if (typeof found === "object" && found !== null && "gapMember" in found) {
      throw new GapRead(found.gapMember);
    }
    return found;
  }
  throw new Fault(`\`${name}\` is read of what is absent or null`);
}

/** A member was read whose text is not shown. */
export class GapRead extends Error {
  readonly gap: string;

  constructor(gap: string) {
    super(gap);
    this.gap = gap;
  }
}

/** A value was needed that is not shown; where the other side of a condition decides, it is not. */
export class GapFault extends Fault {
  readonly gap: string;

  constructor(gap: string) {
    super(gap);
    this.gap = gap;
  }
}

function has(of: Value, name: string, host: Host): boolean {
  if (isRef(of)) return host.field(of, name) !== undefined;
  if (isMap(of)) return of.get(name) !== undefined;
  throw new Fault(`\`${name}\` is asked of what is absent or null`);
}

function index(of: Value, at: Value): Value {
  if (isMap(of)) {
    const found = of.get(at as string) ?? of.get(String(at).toLowerCase());
    if (found === undefined) throw new Fault("no such key");
    return found;
  }
  if (!isList(of)) throw new Fault("an index into what is absent or null");
  const place = Number(at);
  if (place < 0 || place >= of.length) throw new Fault("outside the list");
  return of[place];
}

type CallCode = Extract<Code, { op: "call" }>;

/** `&&` and `||` give what one side decides, even beside a fault of the other. */
function logic(decides: boolean, sides: readonly Code[], names: Names, host: Host): boolean {
  let fault: unknown;
  for (const side of sides) {
    try {
      if (evaluate(side, names, host) === decides) return decides;
    } catch (thrown) {
      if (!(thrown instanceof Fault)) throw thrown;
      fault ??= thrown;
    }
  }
  if (fault !== undefined) throw fault;
  return !decides;
}

function operator(code: CallCode, names: Names, host: Host): Value {
  const { fn, args, type } = code;
  meet("function", fn);
  if (fn === "&&") return logic(false, args, names, host);
  if (fn === "||") return logic(true, args, names, host);
  if (fn === "?:") {
    const [condition, yes, no] = args as [Code, Code, Code];
    return evaluate(evaluate(condition, names, host) === true ? yes : no, names, host);
  }
  const values = args.map((arg) => evaluate(arg, names, host));
  if (fn === "!") return values[0] !== true;
  if (fn === "token") return host.token(rowOf(args[0] as Code, names, host) as Ref);
  if (fn === "password_matches") return secretMatches(values[0], values[1]);
  const related = relation(fn, values);
  if (related !== undefined) return related;
  if (["+", "-", "*", "/", "%", "neg"].includes(fn)) {
    return arithmetic(fn, values, plainType(type));
  }
  return call(
    fn,
    values,
    args.map((arg) => arg.type),
    type,
  );
}

function secretMatches(stored: Value, given: Value): boolean {
  if (stored === null || stored === undefined) throw new Fault("no secret");
  return typeof stored === "string" ? stored === given : (stored as Kept).plain === given;
}

type EachCode = Extract<Code, { op: "each" }>;

function each(code: EachCode, names: Names, host: Host): Value {
  meet("macro", code.macro);
  const resource = rowsUnder(code.over);
  const over =
    resource === undefined ? evaluate(code.over, names, host) : found(code.over, names, host);
  const items: readonly Value[] = isMap(over) ? [...over.keys()] : (over as readonly Value[]);
  const isReference = !isFound(code.over, names);
  const inner = (item: Value): Names =>
    new Map([...names, [code.as, item], [referenceMark(code.as), isReference]]);
  const body = (item: Value): Value => evaluate(code.body, inner(item), host);
  switch (code.macro) {
    case "map":
      return surely(items, resource, host).map(body);
    case "filter":
      return surely(
        items.filter((item) => body(item) === true),
        resource,
        host,
      );
    case "exists_one": {
      const all = items.filter((item) => body(item) === true);
      return surely(all, resource, host).length === 1;
    }
    case "exists":
      return some(items, true, body, { resource, host });
    case "all":
      return !some(items, false, body, { resource, host });
    case "group": {
      const groups = new Map<string, Value[]>();
      for (const item of surely(items, resource, host)) {
        const key = body(item) as string;
        const value = code.value ? evaluate(code.value, inner(item), host) : item;
        groups.set(key, [...(groups.get(key) ?? []), value]);
      }
      return groups;
    }
  }
}

/** The resource of which code filters all rows; undefined: it is something else. */
function rowsUnder(code: Code): string | undefined {
  if (code.op === "rows") return code.resource;
  return code.op === "each" && code.macro === "filter" ? rowsUnder(code.over) : undefined;
}

/** The rows found by such code, also those that may be there no more. */
function found(code: Code, names: Names, host: Host): Value {
  if (code.op === "rows") return host.rows(code.resource);
  if (code.op !== "each") throw new Error("no filter of rows");
  return (found(code.over, names, host) as readonly Value[]).filter(
    (item) => evaluate(code.body, new Map([...names, [code.as, item]]), host) === true,
  );
}

/** The items, where it is known that they are there and that there are no others. */
function surely<T extends Value>(
  items: readonly T[],
  resource: string | undefined,
  host: Host,
): readonly T[] {
  if (resource === undefined) return items;
  host.meetMore(resource);
  for (const one of items) if (isRef(one)) host.meetThere(one);
  return items;
}

function some(
  items: readonly Value[],
  wanted: boolean,
  body: (item: Value) => Value,
  { resource, host }: { readonly resource: string | undefined; readonly host: Host },
): boolean {
  let fault: unknown;
  for (const item of items) {
    try {
      if (!equal(body(item), wanted)) continue;
      if (resource !== undefined && isRef(item)) host.meetThere(item);
      return true;
    } catch (thrown) {
      if (!(thrown instanceof Fault)) throw thrown;
      fault ??= thrown;
    }
  }
  if (fault !== undefined) throw fault;
  if (resource !== undefined) host.meetMore(resource);
  return false;
}
