/** Judges whether a result may be past the bounds of its type for what a client may choose. */
import { everyPart, partsOf } from "../code.ts";
import { noFacts } from "../facts.ts";
import { meetsGap } from "../references.ts";
import type { Bound, Code, Facts, ProblemText, Type } from "../types.ts";
import { endsOf, isMeasured, type Measured, ONE, type Span, sharedBound } from "../units.ts";
import type { Fit } from "./forms.ts";
import { keyOf, numberBound } from "./ranges.ts";
import { type Reckoned, resultBound } from "./results.ts";

function itemType(type: Type): Type {
  return type.kind === "list" ? type.of : type;
}

/** What is surely known of an argument. */
export function reckoned(code: Code): Reckoned {
  const item = itemType(code.type);
  return { code, bound: numberBound(code), items: isMeasured(item) ? item : {} };
}

/** The same, where nothing is known by what is not chosen by a client. */
function shared(code: Code): Reckoned {
  const known = reckoned(code);
  const item = itemType(code.type);
  if (!isMeasured(item)) return known;
  const of = (bound: Bound): Bound => ({ ...sharedBound(item, bound), ...nonZero(bound) });
  return item === code.type
    ? { ...known, bound: of(known.bound) }
    : { ...known, items: of(known.items) };
}

const nonZero = (bound: Bound): Bound => (bound.nonZero ? { nonZero: true } : {});

/** A divisor of which nothing is known but that it is not zero is not taken to be near to it. */
function divisor(code: Code): Reckoned {
  const known = shared(code);
  const { least, most } = numberBound(code);
  if (code.type.kind !== "number" || least !== undefined || most !== undefined) return known;
  return { ...known, bound: { ...known.bound, least: ONE / 10n ** 18n } };
}

const isWithin = (bound: Bound, ends: Span): boolean =>
  (bound.least ?? 0n) >= ends.least && (bound.most ?? 0n) <= ends.most;

const PAST: Readonly<Record<Measured["kind"], string>> = {
  integer: "have more than 38 digits",
  decimal: "have more than 38 digits",
  number: "be no finite number",
  timestamp: "be outside of years 0001 to 9999",
  date: "be outside of years 0001 to 9999",
  duration: "be longer than 315,576,000,000 seconds",
};

/** Why the result may be no value of its type; undefined where it surely is one. */
export function overflowProblem(fn: string, fit: Fit, facts: Facts): ProblemText | undefined {
  const { gives, args } = fit;
  if (!isMeasured(gives) || args.some(meetsGap)) return undefined;
  const taken = args.map((arg, i) => (fn === "/" && i === 1 ? divisor(arg) : shared(arg)));
  if (isWithin(resultBound(fn, gives, taken, facts), endsOf(gives))) return undefined;
  const of = widest(args);
  return {
    code: "overflow",
    message: `this may ${PAST[gives.kind]}`,
    hint: of === undefined ? "bound what it is made of" : hintOf(of),
  };
}

/** A value that has no range, and what its bound is. */
interface Wide {
  readonly code: Code;
  readonly type: Measured;
  readonly bound: Bound;
}

function* leavesOf(code: Code): Generator<Wide> {
  const type = itemType(code.type);
  if (isMeasured(type)) {
    const bound = type === code.type ? numberBound(code) : type;
    const ends = endsOf(type);
    const isOpen = bound.least === ends.least || bound.most === ends.most;
    if (isOpen && !/^(literal|list|map)$/.test(code.op)) yield { code, type, bound };
  }
  for (const part of partsOf(code)) yield* leavesOf(part);
}

/** The innermost value of an argument that goes to an end of its type. */
function widest(args: readonly Code[]): Wide | undefined {
  let found: Wide | undefined;
  for (const arg of args) {
    for (const one of leavesOf(arg)) found = one;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Two values of the type that are far from its ends. */
function sampleOf(type: Measured): readonly [string, string] {
  switch (type.kind) {
    case "integer":
      return ["-1000000", "1000000"];
    case "decimal": {
      const places = type.places === 0 ? "" : `.${"0".repeat(type.places)}`;
      return [`-1000000${places}`, `1000000${places}`];
    }
    case "number":
      return ["-1e9", "1e9"];
    case "timestamp":
      return ['timestamp("1900-01-01T00:00:00Z")', 'timestamp("2999-12-31T00:00:00Z")'];
    case "date":
      return ['date("1900-01-01")', 'date("2999-12-31")'];
    case "duration":
      return ['duration("-36500d")', 'duration("36500d")'];
  }
}

/** What to state of a value: a range where it has rules, else a guard. */
function hintOf({ code, type, bound }: Wide): string {
  const [from, to] = sampleOf(type);
  const ends = endsOf(type);
  const isOpen = { below: bound.least === ends.least, above: bound.most === ends.most };
  const key = keyOf(code) ?? "x";
  const isList = code.type.kind === "list";
  const name = isList ? "x" : key;
  const conditions = [
    ...(isOpen.below ? [`${name} >= ${from}`] : []),
    ...(isOpen.above ? [`${name} <= ${to}`] : []),
  ].join(" && ");
  const guard = `guard it: \`${isList ? `${key}.all(x, ${conditions})` : conditions} && ...\``;
  if (code.op !== "get" || isList) return guard;
  const rule =
    isOpen.below && isOpen.above
      ? `\`${from}\` to \`${to}\``
      : isOpen.above
        ? `at most \`${to}\``
        : `at least \`${from}\``;
  return `state a range for \`${key}\` in its Rules, such as ${rule}, or ${guard}`;
}

/**
 * Whether a call in the code, whose types say nothing of bounds, may have a result past the bounds
 * of its type where a value that is read there is one of `wide`.
 */
export function mayPass(code: Code, isRead: (leaf: Code) => boolean, wide: Type): boolean {
  const read = isMeasured(itemType(wide)) ? itemType(wide) : undefined;
  let isPast = false;
  const reckon = (one: Code): Reckoned => {
    const parts = partsOf(one).map(reckon);
    const item = itemType(one.type);
    if (isMeasured(item) && read?.kind === item.kind && isRead(one)) {
      return { code: one, bound: read, items: read };
    }
    const known = shared(one);
    if (one.op === "each") return { ...known, items: parts.at(-1)?.bound ?? known.items };
    if (one.op !== "call" || !isMeasured(one.type)) return known;
    const bound = resultBound(one.fn, one.type, parts, noFacts());
    if (isWithin(bound, endsOf(one.type))) return { ...known, bound: { ...known.bound, ...bound } };
    isPast ||= [...everyPart(one)].some(isRead);
    return { ...known, bound: endsOf(one.type) };
  };
  reckon(code);
  return isPast;
}
