/** Functions of lists and maps, and `in`. */
import type { Type } from "../../expr/index.ts";
import { equalityOf, isPlain } from "./equality.ts";
import { EvaluationFault } from "./fault.ts";
import { orderOf } from "./order.ts";
import { lastTextIndex, textIndex, textSize, within } from "./texts.ts";
import type { Build, CallCode, Closure, State, Value } from "./values.ts";
import { argument, charge, chargeText, keyOf, kindOf, literalText } from "./values.ts";

type List = readonly Value[];

function itemType(code: CallCode, index: number): Type {
  const type = code.args[index]?.type;
  return type?.kind === "list" ? type.of : { kind: "unknown" };
}

function ofList(give: (list: List, state: State) => Value): Build {
  return (args) => {
    const list = argument<List>(args, 0);
    return (state) => {
      const items = list(state);
      charge(state, items.length);
      return give(items, state);
    };
  };
}

/** The items without those equal to an earlier one; in one pass where a set can tell them apart. */
function distinctOf(type: Type): (items: List, state: State) => Value[] {
  const equal = equalityOf(type, type);
  const rows = (type.kind === "nullable" ? type.of : type).kind === "row";
  if (!rows && !isPlain(type)) {
    return (items, state) => {
      const kept: Value[] = [];
      for (const item of items) {
        charge(state, kept.length);
        if (!kept.some((earlier) => equal(earlier, item, state))) kept.push(item);
      }
      return kept;
    };
  }
  return (items) => {
    const seen = new Set<Value>();
    return items.filter((item) => {
      const mark = rows && item !== null ? keyOf(item) : item;
      const fresh = !seen.has(mark);
      if (fresh) seen.add(mark);
      return fresh;
    });
  };
}

function extreme(better: (order: number) => boolean): Build {
  return (args, code) => {
    const listed = args.length === 1;
    const compare = orderOf(listed ? itemType(code, 0).kind : kindOf(code, 0));
    const pick = (a: Value, b: Value): Value => (better(compare(b, a)) ? b : a);
    if (!listed) {
      const [a, b] = [argument<Value>(args, 0), argument<Value>(args, 1)];
      return (state) => pick(a(state), b(state));
    }
    const list = argument<List>(args, 0);
    return (state) => {
      const items = list(state);
      charge(state, items.length);
      if (items.length > 0) return items.reduce(pick);
      throw new EvaluationFault("index", "an empty list has no least or greatest item");
    };
  };
}

function slice(args: readonly Closure[]): Closure {
  const list = argument<List>(args, 0);
  const [from, to] = [argument<bigint>(args, 1), argument<bigint>(args, 2)];
  return (state) => {
    const items = list(state);
    const [start, end] = [from(state), to(state)].map((at) => within(at, items.length));
    const found = items.slice(start, end);
    charge(state, found.length);
    return found;
  };
}

const size: Build = (args, code) => {
  const value = argument<Value>(args, 0);
  const kind = kindOf(code, 0);
  if (kind === "string") return (state) => BigInt(textSize(value(state) as string));
  if (kind === "map") return (state) => BigInt((value(state) as ReadonlyMap<string, Value>).size);
  return (state) => BigInt((value(state) as List).length);
};

/** Joins two lists. */
export const concatenateLists: Build = (args) => {
  const [a, b] = [argument<List>(args, 0), argument<List>(args, 1)];
  return (state) => {
    const [left, right] = [a(state), b(state)];
    charge(state, left.length + right.length);
    return [...left, ...right];
  };
};

const contains: Build = (args, code) => {
  const [item, over] = [argument<Value>(args, 0), argument<Value>(args, 1)];
  if (kindOf(code, 1) === "map") {
    return (state) => {
      const key = item(state) as string;
      return (over(state) as ReadonlyMap<string, Value>).has(key);
    };
  }
  const list = code.args[1];
  const literal = list?.op === "list" && list.items.every((entry) => entry.op === "literal");
  if (literal && isPlain(itemType(code, 1))) {
    let words: ReadonlySet<Value> | undefined;
    return (state) => {
      words ??= new Set(over(state) as List);
      return words.has(item(state));
    };
  }
  const equal = equalityOf(code.args[0]?.type ?? { kind: "unknown" }, itemType(code, 1));
  return (state) => {
    const wanted = item(state);
    return (over(state) as List).some((entry) => {
      charge(state, 1);
      return equal(wanted, entry, state);
    });
  };
};

/** Where a text or an item stands; -1 where it does not. */
function position(isLast: boolean): Build {
  return (args, code) => {
    const item = argument<Value>(args, 1);
    if (kindOf(code, 0) === "string") {
      const text = argument<string>(args, 0);
      const from = args.length > 2 ? argument<bigint>(args, 2) : () => 0n;
      return (state) => {
        const [found, part] = [text(state), item(state) as string];
        chargeText(state, found.length + part.length);
        return isLast ? lastTextIndex(found, part) : textIndex(found, part, from(state));
      };
    }
    const list = argument<List>(args, 0);
    const equal = equalityOf(itemType(code, 0), code.args[1]?.type ?? { kind: "unknown" });
    return (state) => {
      const [items, wanted] = [list(state), item(state)];
      charge(state, items.length);
      const isWanted = (one: Value): boolean => equal(one, wanted, state);
      return BigInt(isLast ? items.findLastIndex(isWanted) : items.findIndex(isWanted));
    };
  };
}

const reverse: Build = (args, code) => {
  if (kindOf(code, 0) !== "string") return ofList((list) => [...list].reverse())(args, code);
  const text = argument<string>(args, 0);
  return (state) => {
    const found = text(state);
    chargeText(state, found.length);
    return [...found].reverse().join("");
  };
};

export const listBuilds = {
  in: contains,
  size,
  slice,
  min: extreme((order) => order < 0),
  max: extreme((order) => order > 0),
  reverse,
  indexOf: position(false),
  lastIndexOf: position(true),
  range: (_, code) => {
    const items = Array.from({ length: Number(literalText(code, 0)) }, (_, i) => BigInt(i));
    return (state) => {
      charge(state, items.length);
      return items;
    };
  },
  positions: ofList((list) => list.map((_, i) => BigInt(i))),
  flatten: ofList((list, state) => {
    const lists = list as readonly List[];
    for (const inner of lists) charge(state, inner.length);
    return lists.flat(1);
  }),
  distinct: (args, code) => ofList(distinctOf(itemType(code, 0)))(args, code),
  is_unique: (args, code) => {
    const distinct = distinctOf(itemType(code, 0));
    return ofList((list, state) => distinct(list, state).length === list.length)(args, code);
  },
  sorted: (args, code) => {
    const compare = orderOf(itemType(code, 0).kind);
    return ofList((list, state) => {
      charge(state, list.length * Math.ceil(Math.log2(list.length + 1)));
      return [...list].sort(compare);
    })(args, code);
  },
} as const satisfies Readonly<Record<string, Build>>;
