/** Lists what code reads from outside: names, collections, members; knows no environment. */
import { never } from "../base/index.ts";
import type { Code, Type } from "./types.ts";

/** What an expression reads. Variables of macros are not among the names. */
interface References {
  readonly names: ReadonlySet<string>;
  /** Resources whose collections are read. */
  readonly resources: ReadonlySet<string>;
  /** Members read or asked for with `has`, by what they are members of; each once. */
  readonly members: readonly MemberReference[];
  /** Functions called, operators aside. */
  readonly functions: ReadonlySet<string>;
}

/** `of`: a resource (`kind` row) or the name of an object type. */
interface MemberReference {
  readonly kind: "row" | "object";
  readonly of: string;
  readonly member: string;
}

interface Found {
  readonly names: Set<string>;
  readonly resources: Set<string>;
  readonly members: Map<string, MemberReference>;
  readonly functions: Set<string>;
}

/** Everything that `code` reads, in the order in which it first occurs. */
export function references(code: Code): References {
  const found: Found = {
    names: new Set(),
    resources: new Set(),
    members: new Map(),
    functions: new Set(),
  };
  collect(code, new Set(), found);
  return { ...found, members: [...found.members.values()] };
}

/** Whether a value that is not shown stands anywhere in the code. */
export function meetsGap(code: Code): boolean {
  switch (code.op) {
    case "gap":
      return true;
    case "absent":
    case "literal":
    case "name":
    case "rows":
      return false;
    case "list":
      return code.items.some(meetsGap);
    case "map":
      return code.entries.some(({ key, value }) => meetsGap(key) || meetsGap(value));
    case "get":
    case "has":
      return meetsGap(code.of);
    case "index":
      return meetsGap(code.of) || meetsGap(code.at);
    case "call":
      return code.args.some(meetsGap);
    case "each":
      return [code.over, code.body, code.value].some((one) => one !== undefined && meetsGap(one));
  }
}

function addMember(of: Type, member: string, found: Found): void {
  if (of.kind !== "row" && of.kind !== "object") return;
  const name = of.kind === "row" ? of.resource : of.name;
  found.members.set(JSON.stringify([of.kind, name, member]), { kind: of.kind, of: name, member });
}

function collect(code: Code, bound: ReadonlySet<string>, found: Found): void {
  switch (code.op) {
    case "absent":
    case "literal":
    case "gap":
      return;
    case "name":
      if (!bound.has(code.name)) found.names.add(code.name);
      return;
    case "rows":
      found.resources.add(code.resource);
      return;
    case "get":
    case "has":
      addMember(code.of.type, code.member, found);
      collect(code.of, bound, found);
      return;
    case "each": {
      collect(code.over, bound, found);
      const inside = new Set(bound).add(code.as);
      collect(code.body, inside, found);
      if (code.value) collect(code.value, inside, found);
      return;
    }
    case "call":
      if (/^[a-z]\w*$/i.test(code.fn) && !/^(in|neg)$/.test(code.fn)) found.functions.add(code.fn);
      for (const arg of code.args) collect(arg, bound, found);
      return;
    case "list":
      for (const item of code.items) collect(item, bound, found);
      return;
    case "map":
      for (const { key, value } of code.entries) {
        collect(key, bound, found);
        collect(value, bound, found);
      }
      return;
    case "index":
      collect(code.of, bound, found);
      collect(code.at, bound, found);
      return;
    default:
      never(code);
  }
}
