/** Makes the plan of a checked specification: the service without positions, in a fixed order. */
import type { Span } from "../base/index.ts";
import type { ItemId, Plan } from "../plan/index.ts";
import type { CheckedSpec } from "./types.ts";

/** Deep copy of plain data, with members in a fixed order. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== "object" || value === null) return value;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value).sort()) {
    const member = (value as Record<string, unknown>)[key];
    if (member !== undefined) copy[key] = inOrder(member);
  }
  return copy;
}

/** The items of a plan that come from assumptions, in a fixed order. */
function assumedItems(service: Plan, origins: CheckedSpec["origins"]): ItemId[] {
  const found = new Set<ItemId>();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const { id } = value as { id?: unknown };
    if (typeof id === "string" && origins.get(id)?.file === 1) found.add(id);
    for (const member of Object.values(value)) visit(member);
  };
  visit(service);
  return [...found].sort();
}

export interface Planned {
  readonly plan: Plan;
  /** Where each item of the plan stands: in the document, or with `file` 1 in the assumptions. */
  readonly origins: ReadonlyMap<ItemId, Span>;
}

/**
 * The plan, or undefined where the document has errors other than silence. Deterministic: moving a
 * line or rewriting a note changes nothing.
 */
export function plan(checked: CheckedSpec): Planned | undefined {
  if (!checked.sound) return undefined;
  const service = inOrder(checked.service) as Plan;
  const { assumptions, origins } = checked;
  const assumed = assumptions && { assumed: assumedItems(service, origins) };
  return {
    plan: { ...service, ...assumed, format: "lacuna-plan", formatVersion: 2 },
    origins,
  };
}
