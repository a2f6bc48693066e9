/** Goes through all cases that a set of guards can tell apart, and asks which guards hold. */
import { type Code, type Literal, render } from "../../expr/index.ts";
import {
  atomOf,
  holdsIn,
  pathOf,
  type Region,
  regionsOf,
  turned,
  type Variable,
} from "./regions.ts";

const CASES_MAX = 4096;

interface Cases {
  readonly variables: readonly Variable[];
  /** Whether a case that is found can surely occur. */
  readonly sure: boolean;
}

interface Found {
  readonly paths: Map<string, { type: Code["type"]; literals: Set<Literal> }>;
  readonly pairs: Map<string, string>;
  readonly opaque: Map<string, string>;
}

const COMPARISONS = new Set(["==", "!=", "<", "<=", ">", ">="]);

/** The two sides of a comparison in one order, with its operator. */
function pairOf(code: Code): { key: string; fn: string } | undefined {
  if (code.op !== "call" || !COMPARISONS.has(code.fn)) return undefined;
  const [a, b] = code.args.map(render);
  if (a === undefined || b === undefined) return undefined;
  return a < b ? { key: `${a} ~ ${b}`, fn: code.fn } : { key: `${b} ~ ${a}`, fn: turned(code.fn) };
}

function collect(code: Code, found: Found): void {
  if (code.op === "call" && ["&&", "||", "!"].includes(code.fn)) {
    for (const arg of code.args) collect(arg, found);
    return;
  }
  if (code.op === "literal") return;
  const path = pathOf(code);
  const atom = path === undefined ? atomOf(code) : { path, type: code.type, literals: [] };
  if (atom !== undefined) {
    const known = found.paths.get(atom.path) ?? { type: atom.type, literals: new Set<Literal>() };
    for (const value of atom.literals) known.literals.add(value);
    found.paths.set(atom.path, known);
    return;
  }
  const pair = pairOf(code);
  if (pair !== undefined) found.pairs.set(pair.key, pair.key);
  else found.opaque.set(render(code), render(code));
}

const TRUTH: readonly Region[] = [
  { is: "point", value: true },
  { is: "point", value: false },
];
const SIGNS: readonly Region[] = ([-1, 0, 1] as const).map(
  (sign): Region => ({ is: "order", sign }),
);

/** What the guards ask about; undefined where there are too many cases. */
export function casesOf(guards: readonly Code[]): Cases | undefined {
  const found: Found = { paths: new Map(), pairs: new Map(), opaque: new Map() };
  for (const guard of guards) collect(guard, found);
  const variables: Variable[] = [];
  for (const [key, { type, literals }] of found.paths) {
    const regions = regionsOf(type, literals);
    if (regions === undefined) return undefined;
    variables.push({ key, title: key, regions, sure: true });
  }
  for (const key of found.pairs.keys()) {
    variables.push({ key, title: key, regions: SIGNS, sure: false });
  }
  for (const key of found.opaque.keys()) {
    variables.push({ key, title: key, regions: TRUTH, sure: false });
  }
  const count = variables.reduce((product, one) => product * one.regions.length, 1);
  if (count > CASES_MAX) return undefined;
  const unsure = variables.filter((one) => !one.sure).length;
  return { variables, sure: unsure === 0 || (unsure === 1 && variables.length === 1) };
}

type Assignment = ReadonlyMap<string, Region>;

/** Every combination of regions. */
export function* assignments({ variables }: Cases): Generator<Assignment> {
  const at = variables.map(() => 0);
  for (;;) {
    yield new Map(variables.map((one, i) => [one.key, one.regions[at[i] ?? 0] as Region] as const));
    let i = 0;
    for (; i < variables.length; i++) {
      at[i] = (at[i] ?? 0) + 1;
      if ((at[i] ?? 0) < (variables[i]?.regions.length ?? 0)) break;
      at[i] = 0;
    }
    if (i === variables.length) return;
  }
}

function ranksOf(cases: Cases, key: string): Map<Literal, number> {
  const regions = cases.variables.find((one) => one.key === key)?.regions ?? [];
  return new Map(
    regions.flatMap((region) =>
      region.is === "point" && region.rank !== undefined
        ? [[region.value, region.rank] as const]
        : [],
    ),
  );
}

/** Whether a guard holds in a case. */
export function holds(code: Code, cases: Cases, given: Assignment): boolean {
  if (code.op === "literal") return code.value === true;
  if (code.op === "call" && code.fn === "!") {
    return !holds(code.args[0] as Code, cases, given);
  }
  if (code.op === "call" && code.fn === "&&") {
    return code.args.every((arg) => holds(arg, cases, given));
  }
  if (code.op === "call" && code.fn === "||") {
    return code.args.some((arg) => holds(arg, cases, given));
  }
  const path = pathOf(code);
  const atom = path === undefined ? atomOf(code) : { path, fn: "==", literals: [true] };
  if (atom !== undefined) {
    const region = given.get(atom.path) as Region;
    return holdsIn(region, atom.fn, atom.literals, ranksOf(cases, atom.path));
  }
  const pair = pairOf(code);
  const region = given.get(pair?.key ?? render(code));
  if (pair === undefined || region?.is !== "order") {
    return region?.is === "point" && region.value === true;
  }
  if (pair.fn === "!=") return region.sign !== 0;
  return (
    (pair.fn.endsWith("=") && region.sign === 0) ||
    (pair.fn[0] === "<" ? region.sign < 0 : pair.fn[0] === ">" && region.sign > 0)
  );
}

/** A case in words. */
export function describe(cases: Cases, given: Assignment): string {
  const words = cases.variables.map((one) => {
    const region = given.get(one.key);
    if (region === undefined || region.is === "other") return `${one.title} is anything else`;
    if (region.is === "null") return `${one.title} is null`;
    if (region.is === "point") return `${one.title} is ${JSON.stringify(region.value)}`;
    if (region.is === "order") {
      return one.title.replace(" ~ ", region.sign < 0 ? " < " : region.sign > 0 ? " > " : " == ");
    }
    const points = one.regions.filter((each) => each.is === "point");
    const below = points.filter((each) => (each.rank ?? 0) < region.rank).at(-1);
    const above = points.find((each) => (each.rank ?? 0) > region.rank);
    return [
      below === undefined ? "" : `${one.title} > ${String(below.value)}`,
      above === undefined ? "" : `${one.title} < ${String(above.value)}`,
    ]
      .filter((text) => text !== "")
      .join(" and ");
  });
  return words.join(", ");
}
