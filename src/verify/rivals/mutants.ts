/**
 * Plans that differ from the one at hand in one clause, as mutation testing has them: a request
 * that tells them apart is worth to be sent (DeMillo, Lipton, Sayward, "Hints on Test Data
 * Selection", 1978).
 */
import type { Endpoint, ItemId, Plan } from "../../plan/index.ts";
import type { Hints } from "../generate/making.ts";
import { editsOf, type Node, takesTime } from "./edits.ts";

type Path = readonly (string | number)[];

interface Change {
  readonly path: Path;
  readonly value: unknown;
}

/** One clause, changed. */
export interface Mutant {
  /** The item that it is of. */
  readonly item: ItemId;
  /** The plan with it. */
  plan(): Plan;
  /** Places of the endpoints that have it; undefined: it may show anywhere. */
  readonly endpoints: ReadonlySet<number> | undefined;
  /** Endpoints that have to do with the clause, or all. */
  near(): readonly Endpoint[];
  /** Names that are near the clause, and JSON texts of values in it and about it. */
  readonly hints: Hints;
  /** It shows when a time has passed, and not before. */
  readonly takesTime: boolean;
}

/** Parts of a plan whose clauses no answer shows. */
const UNSEEN = new Set([
  ...["examples", "gaps", "title", "parts", "format", "formatVersion", "events"],
  ...["streams", "calls", "versioning"],
]);

function changed(node: unknown, path: Path, value: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  if (Array.isArray(node)) {
    return node.with(first as number, changed(node[first as number], rest, value));
  }
  const before = node as Node;
  return { ...before, [first]: changed(before[first], rest, value) };
}

/** Each clause of a plan, changed in each way that there is. */
export function mutantsOf(plan: Plan): readonly Mutant[] {
  const found = new Map<string, { item: ItemId; changes: Change[]; hints: Hints }>();
  const visit = (node: unknown, path: Path, from: { item: ItemId; depth: number }): void => {
    if (Array.isArray(node)) {
      for (const [i, one] of node.entries()) visit(one, [...path, i], from);
    }
    if (typeof node !== "object" || node === null || Array.isArray(node)) return;
    const own = node as Node;
    const { id } = own;
    const at = typeof id === "string" ? { item: id, depth: path.length } : from;
    for (const [member, value] of editsOf(own, plan)) {
      const whole = [...path, member];
      // One clause may stand at many endpoints: it is changed at all of them.
      const below = JSON.stringify([at.item, whole.slice(at.depth), value]);
      const known = found.get(below) ?? {
        item: at.item,
        changes: [],
        hints: hintsOf(at.item, own[member], value),
      };
      known.changes.push({ path: whole, value });
      found.set(below, known);
    }
    for (const [member, one] of Object.entries(own)) {
      // Of webhooks, to whom a message goes shows at once.
      const isSeen =
        path.length > 0
          ? path[0] !== "webhooks" || path.length > 2 || member === "receivers"
          : !UNSEEN.has(member);
      if (isSeen) visit(one, [...path, member], at);
    }
  };
  visit(plan, [], { item: "" as ItemId, depth: 0 });
  return [...found.values()].map(({ item, changes, hints }): Mutant => {
    const places = changes.map(({ path: [part, at] }) => (part === "endpoints" ? at : -1));
    return {
      item,
      hints,
      takesTime: changes.every(({ path, value }) => takesTime(path.at(-1), value)),
      near: () => nearOf(item, plan),
      endpoints: places.includes(-1) ? undefined : new Set(places as number[]),
      plan: () =>
        changes.reduce<unknown>((all, { path, value }) => changed(all, path, value), plan) as Plan,
    };
  });
}

/** Endpoints that speak of the resource that an item is of, or of one that holds such a part. */
function nearOf(item: ItemId, { endpoints, resources }: Plan): readonly Endpoint[] {
  const [part, name = ""] = item.split("/");
  if (part !== "resources" && part !== "states") return endpoints;
  const speaks = (of: unknown, names: readonly string[]): boolean => {
    const text = JSON.stringify(of);
    return names.some((one) => text.includes(JSON.stringify(one)));
  };
  const holders = resources.filter((one) => speaks(one.fields, [name]));
  const names = [name, ...holders.map((one) => one.name)];
  const found = endpoints.filter((one) => speaks(one, names));
  return found.length > 0 ? found : endpoints;
}

const WORD = /[\p{L}\p{N}_-]+/gu;

/** Of what stood in a clause, and what stands there now. */
function hintsOf(item: ItemId, before: unknown, after: unknown): Hints {
  const names = new Set(item.match(WORD));
  const values = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node === "number") {
      for (const one of [node - 1, node, node + 1]) values.add(String(one));
    }
    if (typeof node === "string" && /^-?\d+$/.test(node)) {
      const whole = BigInt(node);
      for (const one of [whole - 1n, whole, whole + 1n]) values.add(String(one));
    } else if (typeof node === "string" && /^-?\d+\.\d+$/.test(node)) values.add(node);
    if (typeof node !== "object" || node === null) return;
    const { member, name, op, value, kind } = node as Node;
    for (const one of [member, name]) if (typeof one === "string") names.add(one);
    if (op === "literal" && typeof value === "string") values.add(JSON.stringify(value));
    if (kind !== "string" && op !== "name") for (const one of Object.values(node)) visit(one);
  };
  visit(before);
  visit(after);
  return { names, values: [...values].slice(0, 12) };
}

/** Whether a work has come to an item, or to what it is in. */
export function isCome(item: ItemId, come: ReadonlySet<string>): boolean {
  for (let at: string = item; at.includes("/"); at = at.slice(0, at.lastIndexOf("/"))) {
    if (come.has(at)) return true;
  }
  return !/^(resources|states|errors|limits)\//.test(item);
}
