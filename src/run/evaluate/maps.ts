/** Functions of maps, and of what may not be there. */
import type { Build, Closure, State, Value } from "./values.ts";
import { argument, charge, kindOf } from "./values.ts";

type List = readonly Value[];
type Members = ReadonlyMap<string, Value>;

/** The members whose keys are in a list, or those whose keys are not. */
function picked(isWanted: boolean): Build {
  return (args) => {
    const [map, keys] = [argument<Members>(args, 0), argument<readonly string[]>(args, 1)];
    return (state) => {
      const [members, wanted] = [map(state), keys(state)];
      charge(state, members.size + wanted.length);
      const words = new Set(wanted);
      return new Map([...members].filter(([key]) => words.has(key) === isWanted));
    };
  };
}

function listed(give: (members: Members) => Iterable<Value>): Build {
  return (args) => {
    const map = argument<Members>(args, 0);
    return (state) => {
      const members = map(state);
      charge(state, members.size);
      return [...give(members)];
    };
  };
}

function merge(args: readonly Closure[]): Closure {
  const [first, second] = [argument<Members>(args, 0), argument<Members>(args, 1)];
  return (state) => {
    const [a, b] = [first(state), second(state)];
    charge(state, a.size + b.size);
    return new Map([...a, ...b]);
  };
}

function atOrNull(at: (list: List, state: State) => bigint): Build {
  return (args, code) => {
    if (kindOf(code, 0) === "map") {
      const [map, key] = [argument<Members>(args, 0), argument<string>(args, 1)];
      return (state) => map(state).get(key(state)) ?? null;
    }
    const list = argument<List>(args, 0);
    return (state) => {
      const items = list(state);
      const place = at(items, state);
      const isThere = place >= 0n && place < BigInt(items.length);
      return isThere ? items[Number(place)] : null;
    };
  };
}

export const mapBuilds = {
  keys: listed((members) => members.keys()),
  values: listed((members) => members.values()),
  only: picked(true),
  without: picked(false),
  merge,
  at_or_null: (args, code) => {
    const position = argument<bigint>(args, 1);
    return atOrNull((_, state) => position(state))(args, code);
  },
  first_or_null: atOrNull(() => 0n),
  last_or_null: atOrNull((list) => BigInt(list.length - 1)),
} as const satisfies Readonly<Record<string, Build>>;
