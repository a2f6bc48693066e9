/** Functions of texts; their exact steps stand in the table of functions. */
import { RE2JS } from "re2js";
import { formatDuration, formatTimestamp } from "../../expr/index.ts";
import { formatDecimal } from "./numbers.ts";
import type { Build, State, Value } from "./values.ts";
import { argument, charge, chargeText, literalText } from "./values.ts";

function ofText(give: (text: string, state: State) => Value): Build {
  return (args) => {
    const text = argument<string>(args, 0);
    return (state) => give(text(state), state);
  };
}

function ofTexts(give: (a: string, b: string, state: State) => Value): Build {
  return (args) => {
    const [a, b] = [argument<string>(args, 0), argument<string>(args, 1)];
    return (state) => give(a(state), b(state), state);
  };
}

/** Number of Unicode code points; a lone surrogate counts as one. */
export function textSize(text: string): number {
  let size = text.length;
  for (let i = 0; i + 1 < text.length; i++) {
    if ((text.charCodeAt(i) & 0xfc00) !== 0xd800) continue;
    if ((text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      size--;
      i++;
    }
  }
  return size;
}

/** Joins two texts, bounded. */
export const concatenate: Build = ofTexts((a, b, state) => {
  chargeText(state, a.length + b.length);
  return a + b;
});

/** A position in a list or text, or the end of it that is nearest to it. */
export function within(at: bigint, length: number): number {
  if (at < 0n) return 0;
  return at > BigInt(length) ? length : Number(at);
}

/** The code points between two positions. */
function substring(text: string, from: bigint, to: bigint | undefined): string {
  const size = textSize(text);
  const [start, end] = [within(from, size), to === undefined ? size : within(to, size)];
  return size === text.length
    ? text.slice(start, Math.max(start, end))
    : [...text].slice(start, end).join("");
}

/** Where `part` stands in `text`, in code points; -1n where it does not. */
export function textIndex(text: string, part: string, from: bigint): bigint {
  const before = from <= 0n ? "" : substring(text, 0n, from);
  const at = text.indexOf(part, before.length);
  return at < 0 ? -1n : BigInt(textSize(text.slice(0, at)));
}

/** As `textIndex`, of the last place. */
export function lastTextIndex(text: string, part: string): bigint {
  const at = text.lastIndexOf(part);
  return at < 0 ? -1n : BigInt(textSize(text.slice(0, at)));
}

function slug(text: string): string {
  const plain = text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "");
  return lower(plain)
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}

function lower(text: string): string {
  return text.replace(/[A-Z]+/g, (run) => run.toLowerCase());
}

function upper(text: string): string {
  return text.replace(/[a-z]+/g, (run) => run.toUpperCase());
}

const WHITE_SPACE = /^\p{White_Space}$/u;

function trim(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && WHITE_SPACE.test(text[start] ?? "")) start++;
  while (end > start && WHITE_SPACE.test(text[end - 1] ?? "")) end--;
  return text.slice(start, end);
}

/** Pieces of `text` around `separator`; an empty one cuts between all code points. */
function pieces(text: string, separator: string, state: State): string[] {
  chargeText(state, text.length);
  const found = separator === "" ? [...text] : text.split(separator);
  charge(state, found.length);
  return found;
}

function joined(texts: readonly string[], separator: string, state: State): string {
  charge(state, texts.length);
  let length = separator.length * Math.max(0, texts.length - 1);
  for (const text of texts) length += text.length;
  chargeText(state, length);
  return texts.join(separator);
}

function replaced(parts: readonly [string, string, string], state: State): string {
  const [text, old, next] = parts;
  const around = pieces(text, old, state);
  return joined(old === "" ? ["", ...around, ""] : around, next, state);
}

const toText: Build = (args, code) => {
  const value = argument<Value>(args, 0);
  const type = code.args[0]?.type;
  switch (type?.kind) {
    case "decimal":
      return (state) => formatDecimal(value(state) as bigint, type.places);
    case "timestamp":
      return (state) => formatTimestamp(value(state) as bigint);
    case "duration":
      return (state) => formatDuration(value(state) as bigint);
    case undefined:
    case "string":
    case "number":
    case "boolean":
    case "object":
    case "list":
    case "map":
    case "integer":
    case "date":
    case "zone":
    case "json":
    case "null":
    case "secret":
    case "file":
    case "row":
    case "nullable":
    case "unknown":
      return (state) => String(value(state));
  }
};

export const textBuilds = {
  contains: ofTexts((a, b) => a.includes(b)),
  startsWith: ofTexts((a, b) => a.startsWith(b)),
  endsWith: ofTexts((a, b) => a.endsWith(b)),
  matches: (args, code) => {
    const text = argument<string>(args, 0);
    const pattern = RE2JS.compile(literalText(code, 1));
    return (state) => {
      const found = text(state);
      chargeText(state, found.length);
      return pattern.test(found);
    };
  },
  lower: ofText(lower),
  upper: ofText(upper),
  trim: ofText(trim),
  slug: ofText((text, state) => {
    chargeText(state, text.length);
    return slug(text);
  }),
  extract_or_null: (args, code) => {
    const text = argument<string>(args, 0);
    const pattern = RE2JS.compile(literalText(code, 1));
    return (state) => {
      const found = text(state);
      chargeText(state, found.length);
      const matcher = pattern.matcher(found);
      return matcher.find() ? matcher.group(Math.min(1, matcher.groupCount())) : null;
    };
  },
  substring: (args) => {
    const [text, from] = [argument<string>(args, 0), argument<bigint>(args, 1)];
    const to = args.length > 2 ? argument<bigint>(args, 2) : undefined;
    return (state) => {
      const found = text(state);
      chargeText(state, found.length);
      const [start, end] = [from(state), to?.(state)];
      return substring(found, start, end);
    };
  },
  pad_left: (args, code) => {
    const [text, fill] = [argument<string>(args, 0), argument<string>(args, 2)];
    const wanted = Number(literalText(code, 1));
    return (state) => {
      const [found, before] = [text(state), fill(state)];
      chargeText(state, found.length);
      const missing = before === "" ? 0 : Math.max(0, wanted - textSize(found));
      return substring(before.repeat(missing), 0n, BigInt(missing)) + found;
    };
  },
  split: ofTexts(pieces),
  join: (args) => {
    const [list, separator] = [argument<readonly string[]>(args, 0), argument<string>(args, 1)];
    return (state) => joined(list(state), separator(state), state);
  },
  replace: (args) => {
    const [text, old] = [argument<string>(args, 0), argument<string>(args, 1)];
    const next = argument<string>(args, 2);
    return (state) => replaced([text(state), old(state), next(state)], state);
  },
  string: toText,
} as const satisfies Readonly<Record<string, Build>>;
