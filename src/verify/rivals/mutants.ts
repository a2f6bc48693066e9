/**
 * Plans that differ from the one at hand in one clause, as mutation testing has them: a request
 * that tells them apart is worth to be sent (DeMillo, Lipton, Sayward, "Hints on Test Data
 * Selection", 1978).
 */
import { type ItemId, type Plan, statedOf } from "../../plan/index.ts";
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
  /** The member that is changed first. */
  readonly member: string;
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

/** Where a node stands: the item that it is of, and the whole expression that it is in. */
interface From {
  readonly item: ItemId;
  readonly depth: number;
  readonly code?: Node;
  /** The values of the case that it is in, and what they are compared with. */
  readonly guards: readonly unknown[];
}

const isCode = ({ op, type }: Node): boolean => typeof op === "string" && type !== undefined;

/** Each clause of a plan, changed in each way that there is. */
export function mutantsOf(plan: Plan): readonly Mutant[] {
  const found = new Map<string, { item: ItemId; changes: Change[]; hints: Hints }>();
  const visit = (node: unknown, path: Path, from: From): void => {
    if (Array.isArray(node)) {
      for (const [i, one] of node.entries()) visit(one, [...path, i], from);
    }
    if (typeof node !== "object" || node === null || Array.isArray(node)) return;
    const own = node as Node;
    const { id } = own;
    const at: From = {
      ...from,
      ...(typeof id === "string" ? { item: id, depth: path.length, code: undefined } : {}),
      ...(from.code === undefined && isCode(own) ? { code: own } : {}),
      guards: [...from.guards, ...guardsOf(own)],
    };
    for (const [member, value, item = at.item] of editsOf(own, plan)) {
      if (isNever(plan, at.item, member)) continue;
      const whole = [...path, member];
      // One clause may stand at many endpoints: it is changed at all of them.
      const below = JSON.stringify([at.item, item, whole.slice(at.depth), value]);
      const known = found.get(below) ?? {
        item,
        changes: [],
        hints: hintsOf(item, [at.code ?? own[member], value, ...at.guards]),
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
  visit(plan, [], { item: "" as ItemId, depth: 0, guards: [] });
  return [...found.values()].map(({ item, changes, hints }): Mutant => {
    const places = changes.map(({ path: [part, at] }) => (part === "endpoints" ? at : -1));
    return {
      item,
      hints,
      takesTime: changes.every(({ path, value }) => takesTime(path.at(-1), value)),
      member: String(changes[0]?.path.at(-1)),
      endpoints: places.includes(-1) ? undefined : new Set(places as number[]),
      plan: () =>
        changes.reduce<unknown>((all, { path, value }) => changed(all, path, value), plan) as Plan,
    };
  });
}

/** What tells whether steps are done that stand in cases. */
function guardsOf({ subjects, values, steps }: Node): readonly unknown[] {
  if (subjects !== undefined) return [subjects];
  if (!Array.isArray(values) || !Array.isArray(steps)) return [];
  const texts = values.flat().filter((one) => typeof one === "string");
  return texts.map((value) => ({ op: "literal", value }));
}

/** Whether no request can come to what a field is when a row is made, or changed, from a body. */
function isNever({ endpoints, resources }: Plan, item: ItemId, member: string): boolean {
  const [part, resource] = item.split("/");
  if (part !== "resources" || (member !== "create" && member !== "update")) return false;
  // Parts are given inside of others.
  if (!resources.some(({ name }) => name === resource)) return false;
  const is = member === "create" ? "new" : "changed";
  return !endpoints.some(({ body }) => {
    const content = statedOf(body)?.content;
    return content?.is === "type" || (content?.is === is && content.resource === resource);
  });
}

const WORD = /[\p{L}\p{N}_-]+/gu;

/** Of what a clause speaks of, before it was changed and now. */
function hintsOf(item: ItemId, nodes: readonly unknown[]): Hints {
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
    if ("orNull" in node) values.add("null");
    if (kind !== "string" && op !== "name") for (const one of Object.values(node)) visit(one);
  };
  for (const one of nodes) visit(one);
  return { names, values: [...values].slice(0, 12) };
}

/** The items that works have come to, and the resources that they have to do with. */
export function cameTo(trace: readonly (readonly [item: ItemId, came: unknown])[]): Set<string> {
  const found = new Set<string>();
  for (const [item] of trace) {
    found.add(item);
    const [part = "", name = ""] = item.split("/", 2);
    // What a row does not show, or does not do, is no step of a trace.
    if (part === "resources" || part === "states") {
      found.add(`resources/${name}`);
      found.add(`states/${name}`);
    }
  }
  return found;
}

/** Whether a work has come to an item, or to what it is in. */
export function isCome(item: ItemId, come: ReadonlySet<string>): boolean {
  for (let at: string = item; at.includes("/"); at = at.slice(0, at.lastIndexOf("/"))) {
    if (come.has(at)) return true;
  }
  return !/^(resources|states|errors|limits)\/|\/step /.test(item);
}

/** Whether it is a step, or a part of one: works tell when they come to those. */
export const isOfStep = (item: ItemId): boolean => item.includes("/step ");
