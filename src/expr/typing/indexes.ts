/** Judges an index: whether the item, or the value of the key, is surely there. */
import { meetsGap } from "../references.ts";
import type { Code, Facts, ProblemText } from "../types.ts";
import { keyOf, lengthLeast, lessThan, numberBound } from "./ranges.ts";
import type { Typed } from "./scope.ts";

/** The path of the value of a key: as a member, where the key is written out as a word. */
export function pathOfKey(of: string, key: Code): string | undefined {
  if (key.op === "literal") return `${of}.${String(key.value)}`;
  const text = keyOf(key);
  return text === undefined ? undefined : `${of}[${text}]`;
}

/** Why the item or the value of the key may not be there; undefined where it surely is. */
export function indexProblem(
  { code: of, path }: Typed,
  at: Code,
  facts: Facts,
): ProblemText | undefined {
  if (meetsGap(of) || meetsGap(at)) return undefined;
  const [list, index] = [keyOf(of), keyOf(at)];
  if (of.type.kind === "list") {
    const { least = -1n, most } = numberBound(at);
    const length = lengthLeast(of, facts);
    if (fromEnd(at, of, length)) return undefined;
    const isLess =
      list !== undefined &&
      index !== undefined &&
      facts.present.has(lessThan(index, `size(${list})`));
    if (least >= 0n && (isLess || (most !== undefined && most < length))) return undefined;
    const bound = least >= 0n ? "" : `${index ?? "i"} >= 0 && `;
    const wanted = lengthWanted(at, of) ?? `${bound}size(${list ?? "list"}) > ${index ?? "i"}`;
    return {
      code: "unguarded",
      message: "the list may have no such item",
      hint: `guard it: \`${wanted} && ...\``,
    };
  }
  const known = path === undefined ? undefined : pathOfKey(path, at);
  if ((known !== undefined && facts.present.has(known)) || hasKeys(of, at)) return undefined;
  return {
    code: "unguarded",
    message: "the map may have no such key",
    hint: `guard it: \`${index ?? "key"} in ${list ?? "map"} && ...\``,
  };
}

/** Whether it is `size(l) - n` of the same list, which is at least that long. */
function fromEnd(at: Code, of: Code, length: bigint): boolean {
  if (at.op !== "call" || at.fn !== "-") return false;
  const [whole, back] = at.args;
  if (whole?.op !== "call" || back === undefined) return false;
  const { least = 0n, most } = numberBound(back);
  if (least <= 0n) return false;
  if (isSize(whole, of)) return most !== undefined && most <= length;
  // The less of the length and something else, which is known not to be below what is taken off.
  const capped = whole.fn === "min" && whole.args.some((one) => isSize(one, of));
  return capped && (numberBound(at).least ?? -1n) >= 0n;
}

/** The length that an index counted from the end of the same list needs. */
function lengthWanted(at: Code, of: Code): string | undefined {
  if (at.op !== "call" || at.fn !== "-") return undefined;
  const [whole, back] = at.args;
  if (whole === undefined || !isSize(whole, of) || back?.op !== "literal") return undefined;
  return back.value === "1" ? `size(${keyOf(of)}) > 0` : `size(${keyOf(of)}) >= ${back.value}`;
}

function isSize(code: Code, of: Code): boolean {
  const [list] = code.op === "call" && code.fn === "size" ? code.args : [];
  return list !== undefined && keyOf(list) !== undefined && keyOf(list) === keyOf(of);
}

/** Whether a map that is written out has every key that the text can be. */
function hasKeys(of: Code, at: Code): boolean {
  if (of.op !== "map" || at.type.kind !== "string") return false;
  const keys = of.entries.map(({ key }) => (key.op === "literal" ? key.value : undefined));
  return at.type.oneOf?.every((word) => keys.includes(word)) ?? false;
}
