/** What the rules that refuse a request are about. */
import type { Plan } from "../../plan/index.ts";

/** A rule or step that refuses with an error of its own. */
interface Refusing {
  /** Dotted name of the input that the error is on, where it says one. */
  readonly on: string | undefined;
  /** Whole numbers that its condition speaks of. */
  readonly numbers: readonly number[];
  /** Names of members that its condition reads. */
  readonly names: ReadonlySet<string>;
}

const known = new WeakMap<Plan, ReadonlyMap<string, Refusing>>();

/** All that refuse, by the ids of their refusals. */
export function refusingIn(plan: Plan): ReadonlyMap<string, Refusing> {
  const found = known.get(plan) ?? new Map(refusalsIn(plan));
  known.set(plan, found);
  return found;
}

/** A node of a plan that may be a refusal, or a literal. */
interface Node {
  readonly is?: unknown;
  readonly id?: unknown;
  readonly on?: unknown;
  readonly op?: unknown;
  readonly member?: unknown;
  readonly type?: { readonly kind?: unknown };
  readonly value?: unknown;
}

function refusalsIn(node: unknown): readonly (readonly [id: string, refusing: Refusing])[] {
  if (typeof node !== "object" || node === null) return [];
  const inner = Object.values(node).flatMap(refusalsIn);
  const own = Object.values(node as Record<string, Node | null>).flatMap((one) => {
    const { is, id, on } = one ?? {};
    if (is !== "error" || typeof id !== "string") return [];
    const names = new Set(membersIn(node));
    const said = typeof on === "string" ? on : undefined;
    return [[id, { on: said, numbers: numbersIn(node), names }] as const];
  });
  return [...own, ...inner];
}

function numbersIn(node: unknown): readonly number[] {
  if (typeof node !== "object" || node === null) return [];
  const { op, type, value } = node as Node;
  const number = op === "literal" && type?.kind === "integer" ? Number(value) : Number.NaN;
  const own = Number.isSafeInteger(number) ? [number] : [];
  return [...own, ...Object.values(node).flatMap(numbersIn)];
}

function membersIn(node: unknown): readonly string[] {
  if (typeof node !== "object" || node === null) return [];
  const { op, member } = node as Node;
  const own = op === "get" && typeof member === "string" ? [member] : [];
  return [...own, ...Object.values(node).flatMap(membersIn)];
}
