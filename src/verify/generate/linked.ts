/** Inputs that an endpoint compares with fields of rows: what such a field holds is sent for it. */
import { type Code, partsOf } from "../../expr/index.ts";
import type { Endpoint, Plan } from "../../plan/index.ts";
import type { Row } from "../../run/index.ts";
import { fieldText, insideText } from "./held.ts";
import { isKin } from "./kin.ts";
import type { Making } from "./making.ts";

/** A field of the rows of a resource. */
interface Link {
  readonly resource: string;
  readonly field: string;
  /** What the input may be at most, or is to be at least. */
  readonly isBound?: true;
}

/** Links of inputs, by their names. */
type Links = ReadonlyMap<string, readonly Link[]>;

/** What a member is compared with: a field of rows, or a member of parts in rows. */
type Compared = Link | { readonly inside: string };

/** Functions that hold for alike values. */
const ALIKE = new Set(["==", "password_matches"]);
/** Functions that hold up to a bound, or from it on. */
const BOUNDS = new Set(["<", "<=", ">", ">="]);
/**
 * The chance that an input is its bound, and the chance where a request is about the input. It is
 * seldom otherwise: who orders all that is in stock leaves nothing for the requests behind.
 */
const BOUND = 0.05;
const BOUND_HINTED = 0.4;
/** What requests give, by its name in expressions. */
const GIVEN = new Set(["body", "query", "path", "header", "cookie", "given"]);

const found = new WeakMap<Endpoint, Links>();

function linksOf(endpoint: Endpoint): Links {
  const known = found.get(endpoint);
  if (known !== undefined) return known;
  const links = new Map<string, Link[]>();
  for (const code of codesIn(endpoint)) {
    for (const [name, link] of linksIn(code)) links.set(name, [...(links.get(name) ?? []), link]);
  }
  found.set(endpoint, links);
  return links;
}

/** Expressions anywhere in a part of a plan, the outermost ones. */
function codesIn(part: unknown): readonly Code[] {
  if (typeof part !== "object" || part === null) return [];
  if ("op" in part && "type" in part) return [part as Code];
  return Object.values(part).flatMap(codesIn);
}

const compared = new WeakMap<Plan, ReadonlyMap<string, readonly Compared[]>>();

/** What members of parts and of lists in a document are compared with, by their names. */
function comparedIn(plan: Plan): ReadonlyMap<string, readonly Compared[]> {
  const known = compared.get(plan);
  if (known !== undefined) return known;
  const links = new Map<string, Compared[]>();
  const visit = (code: Code): void => {
    for (const one of partsOf(code)) visit(one);
    if (code.op !== "call" || !(ALIKE.has(code.fn) || code.fn === "in")) return;
    const [one, other] = code.args.map(bare);
    for (const [field, member] of [[one, other] as const, [other, one] as const]) {
      const link = field && (linkOf(field) ?? insideOf(field));
      if (link === undefined || member?.op !== "get" || linkOf(member) !== undefined) continue;
      links.set(member.member, [...(links.get(member.member) ?? []), link]);
    }
  };
  for (const code of codesIn(plan)) visit(code);
  compared.set(plan, links);
  return links;
}

/** The member of a part that the code names. */
function insideOf(code: Code): Compared | undefined {
  const { type } = code.op === "get" ? code.of : code;
  const isPart = type.kind === "object" && type.name.startsWith("part:");
  return code.op === "get" && isPart ? { inside: code.member } : undefined;
}

/** The chance that a text is one that it is compared with, and that of a member that is hinted. */
const COMPARED = 0.25;
const COMPARED_HINTED = 0.6;

/** JSON text of what a member of a part or list is compared with; undefined: nothing is there. */
export function comparedText(making: Making): string | undefined {
  const picked = pickCompared(making);
  if (picked === undefined) return undefined;
  if ("inside" in picked) return insideText(making, picked.inside);
  const { random } = making;
  const among = rowsCompared(making, picked);
  const texts = among.length === 0 ? [] : textsOf(making, random.pick(among), picked.field);
  return texts.length === 0 ? undefined : JSON.stringify(random.pick(texts));
}

/** The chance that one of them stands there twice. */
const TWICE = 0.1;

/** JSON text of a list of what items are compared with, mostly each once; undefined: too few. */
export function comparedList(making: Making, most: number): string | undefined {
  const picked = pickCompared(making);
  if (picked === undefined || "inside" in picked) return undefined;
  const { random } = making;
  const rows = rowsCompared(making, picked);
  const texts = new Set(rows.flatMap((row) => textsOf(making, row, picked.field)));
  const count = Math.min(most, 2 + random.below(2));
  if (texts.size < count) return undefined;
  const left = [...texts];
  const items = Array.from({ length: count }, () =>
    left.splice(random.below(left.length), 1),
  ).flat();
  return JSON.stringify(random.chance(TWICE) ? [...items, random.pick(items)] : items);
}

function pickCompared({ plan, random, member = "", isTagged, hints }: Making) {
  const chance = hints?.names.has(member) === true ? COMPARED_HINTED : COMPARED;
  if (isTagged === true || !random.chance(chance)) return undefined;
  const all = comparedIn(plan).get(member) ?? [];
  return all.length === 0 ? undefined : random.pick(all);
}

/** Rows of one of which a text is taken: mostly such as the request is about. */
function rowsCompared(making: Making, { resource }: Link): readonly Row[] {
  const { plan, world, random, near = [] } = making;
  const rows = world.rows(resource).slice(-ROWS_LOOKED_AT);
  const kin = near.length > 0 && random.chance(SAME) ? kinOf(plan, rows, near) : [];
  return (kin.length > 0 ? kin : rows).slice(-ROWS_MAX);
}

/** The texts that a field of a row is, or has in it. */
function textsOf(making: Making, row: Row, field: string): readonly string[] {
  const held = fieldText(making, row, field);
  const value: unknown = held === undefined ? undefined : JSON.parse(held);
  return [value].flat().filter((one) => typeof one === "string");
}

function linksIn(code: Code): readonly (readonly [string, Link])[] {
  const inner = partsOf(code).flatMap(linksIn);
  if (code.op !== "call" || !(ALIKE.has(code.fn) || BOUNDS.has(code.fn))) return inner;
  const isBound = BOUNDS.has(code.fn) ? { isBound: true as const } : {};
  const [one, other] = code.args.map(bare);
  if (one === undefined || other === undefined) return inner;
  const pairs = [
    [one, other],
    [other, one],
  ] as const;
  const own = pairs.flatMap(([field, input]) => {
    const link = linkOf(field);
    const isGiven = input.op === "get" && input.of.op === "name" && GIVEN.has(input.of.name);
    return link === undefined || !isGiven ? [] : [[input.member, { ...link, ...isBound }] as const];
  });
  return [...inner, ...own];
}

/** Without what only changes its writing, such as `lower`. */
function bare(code: Code): Code {
  const [only, ...rest] = code.op === "call" ? code.args : [];
  return only === undefined || rest.length > 0 ? code : bare(only);
}

function linkOf(code: Code): Link | undefined {
  if (code.op !== "get") return undefined;
  const { type } = code.of;
  const row = type.kind === "nullable" ? type.of : type;
  return row.kind === "row" ? { resource: row.resource, field: code.member } : undefined;
}

/** Rows that are looked at for each item of a list. */
const ROWS_LOOKED_AT = 24;
/** Rows of which one is chosen. */
const ROWS_MAX = 8;
/** The chance that it is one that the request is about already. */
const SAME = 0.8;

/** Those that have to do with one of the others. */
const kinOf = (plan: Plan, rows: readonly Row[], others: readonly Row[]): readonly Row[] =>
  rows.filter((row) => others.some((other) => isKin(plan, row, other)));

/**
 * Gives the value of the field that an input is compared with; of one row for one request. `near`:
 * those that its path names, its caller's, and those that these refer to.
 */
export function linkedValues(
  { plan, world, random, hints }: Pick<Making, "plan" | "world" | "random" | "hints">,
  endpoint: Endpoint,
  near: readonly Row[],
): (input: string) => { readonly row: Row; readonly field: string } | undefined {
  const links = linksOf(endpoint);
  const rows = new Map<string, Row | undefined>();
  const rowOf = (resource: string): Row | undefined => {
    if (!rows.has(resource)) {
      const all = world.rows(resource);
      const own = near.filter((row) => row.resource === resource);
      const close = !random.chance(SAME) ? [] : own.length > 0 ? own : kinOf(plan, all, near);
      const among = (close.length > 0 ? close : all).slice(-ROWS_MAX);
      rows.set(resource, among.length === 0 ? undefined : random.pick(among));
    }
    return rows.get(resource);
  };
  return (input) => {
    const all = links.get(input) ?? [];
    if (all.length === 0) return undefined;
    const { resource, field, isBound = false } = random.pick(all);
    const isAsked = hints?.names.has(input) === true && hints.isTame !== true;
    if (isBound && !random.chance(isAsked ? BOUND_HINTED : BOUND)) return undefined;
    const row = rowOf(resource);
    return row === undefined ? undefined : { row, field };
  };
}
