/** Texts that a pattern matches, for patterns that are rows of characters, classes and groups. */
import type { Random } from "./random.ts";

/** One character, class or group without a group inside, and how often it stands there. */
const ONE = String.raw`\[([^\]]+)\]|\\(.)|\(\?:([^()]*)\)|\(([^()]*)\)|([^\\[\](){}+*?.|^$])|(\.)`;
const OFTEN = String.raw`\{(\d+)(,?)(\d*)\}|([+*?])`;
const PIECE = new RegExp(`(?:${ONE})(?:${OFTEN})?`, "y");

const CLASSES: Readonly<Record<string, string>> = { d: "0123456789", w: "abxyzABZ019_", s: " " };

const spreads = new Map<string, readonly string[]>();
const SPREADS_MAX = 1_000;

/** Characters of a class, by what stands in its brackets. */
function charactersOf(inside: string): readonly string[] {
  const known = spreads.get(inside);
  if (known !== undefined) return known;
  const found = spread(inside);
  if (spreads.size >= SPREADS_MAX) spreads.clear();
  spreads.set(inside, found);
  return found;
}

function spread(inside: string): readonly string[] {
  const all = inside.replaceAll(/\\([dws])/g, (_, name: string) => CLASSES[name] ?? "");
  const plain = all.replaceAll(/(.)-(.)/g, (_, from: string, to: string) => {
    const [a, b] = [from.charCodeAt(0), to.charCodeAt(0)];
    const middle = String.fromCharCode(Math.floor((a + b) / 2));
    return [from, String.fromCharCode(a + 1), middle, to].join("");
  });
  return [...plain.replaceAll("\\", "")];
}

/** A text that the whole pattern matches; undefined: it is none of those that are understood. */
export function matchingText(random: Random, pattern: string): string | undefined {
  const alternatives = /[()]/.test(pattern) ? [pattern] : pattern.split("|");
  const chosen = random.pick(alternatives).replace(/^\^/, "").replace(/\$$/, "");
  let made = "";
  PIECE.lastIndex = 0;
  while (PIECE.lastIndex < chosen.length) {
    const found = PIECE.exec(chosen);
    if (found === null) return undefined;
    const [, set, quoted, group, other, one, any, least, isOpen, most, often] = found;
    const inner = group ?? other;
    const min =
      least === undefined ? (often === undefined || often === "+" ? 1 : 0) : Number(least);
    const max =
      least === undefined
        ? often === undefined || often === "?"
          ? 1
          : min + 5
        : isOpen === ""
          ? min
          : most === ""
            ? min + 5
            : Number(most);
    const count = random.pick([min, max, min + random.below(max - min + 1)]);
    for (let i = 0; i < count; i++) {
      if (inner !== undefined) {
        const text = matchingText(random, inner);
        if (text === undefined) return undefined;
        made += text;
      } else if (any !== undefined) made += random.pick(["a", "Z", "7", "-"]);
      else if (quoted !== undefined) made += random.pick([...(CLASSES[quoted] ?? quoted)]);
      else if (set?.startsWith("^")) made += random.pick(["a", "b", "7"]);
      else made += random.pick(set === undefined ? [one ?? ""] : charactersOf(set));
    }
  }
  return made;
}
