/** The macros: closures that go through a list, the rows of a collection, or a map's keys. */
import type { Code } from "../../expr/index.ts";
import { absorbable } from "./fault.ts";
import type { Closure, State, Value } from "./values.ts";
import { charge } from "./values.ts";

type EachCode = Extract<Code, { readonly op: "each" }>;

/** The closures of a macro; `slot` is the place of its variable among the locals. */
interface EachParts {
  /** What it goes through, one after another, without making a list of it. */
  readonly items: (state: State) => Iterable<Value>;
  readonly body: Closure;
  readonly value: Closure | undefined;
  readonly slot: number;
  /** Whether the body is never a fault. */
  readonly safe: boolean;
}

/** What goes through a list or a map (its keys); rows come from the port one by one. */
export function iterate(over: Code, closure: Closure): (state: State) => Iterable<Value> {
  if (over.op === "rows") return (state) => state.source.all(over.resource);
  if (over.type.kind === "map") {
    return (state) => (closure(state) as ReadonlyMap<string, Value>).keys();
  }
  return (state) => closure(state) as readonly Value[];
}

/** The closure of a macro. */
export function buildEach(macro: EachCode["macro"], parts: EachParts): Closure {
  switch (macro) {
    case "exists":
      return some(parts, true);
    case "all":
      return some(parts, false);
    case "exists_one":
      return exactlyOne(parts);
    case "filter":
      return filter(parts);
    case "map":
      return map(parts);
    case "group":
      return group(parts);
  }
}

/** A body equal to `deciding` ends it; faults count only where no item decides. */
function some({ items, body, slot, safe }: EachParts, deciding: boolean): Closure {
  if (safe) {
    return (state) => {
      for (const item of items(state)) {
        charge(state, 1);
        state.locals[slot] = item;
        if (body(state) === deciding) return deciding;
      }
      return !deciding;
    };
  }
  return (state) => {
    let fault: unknown;
    for (const item of items(state)) {
      charge(state, 1);
      state.locals[slot] = item;
      try {
        if (body(state) === deciding) return deciding;
      } catch (error) {
        fault ??= absorbable(error);
      }
    }
    if (fault !== undefined) throw fault;
    return !deciding;
  };
}

function exactlyOne({ items, body, slot }: EachParts): Closure {
  return (state) => {
    let count = 0;
    for (const item of items(state)) {
      charge(state, 1);
      state.locals[slot] = item;
      if (body(state)) count++;
    }
    return count === 1;
  };
}

function filter({ items, body, slot }: EachParts): Closure {
  return (state) => {
    const kept: Value[] = [];
    for (const item of items(state)) {
      charge(state, 1);
      state.locals[slot] = item;
      if (body(state)) kept.push(item);
    }
    return kept;
  };
}

function map({ items, body, slot }: EachParts): Closure {
  return (state) => {
    const made: Value[] = [];
    for (const item of items(state)) {
      charge(state, 1);
      state.locals[slot] = item;
      made.push(body(state));
    }
    return made;
  };
}

function group({ items, body, value, slot }: EachParts): Closure {
  return (state) => {
    const groups = new Map<string, Value[]>();
    for (const item of items(state)) {
      charge(state, 1);
      state.locals[slot] = item;
      const key = body(state) as string;
      const made = value?.(state);
      const known = groups.get(key);
      if (known) known.push(made);
      else groups.set(key, [made]);
    }
    return groups;
  };
}
