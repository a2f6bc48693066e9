/** Tells whether two readings state the same, whatever their layout; knows no single statement. */
import { type CellNode, type Spec, unfolded } from "../spec/index.ts";

/** Places, and the sentence as written, differ with the layout alone. */
const LAYOUT = new Set(["start", "end", "shifts", "sentence"]);

function normal(key: string, value: unknown): unknown {
  if (LAYOUT.has(key)) return undefined;
  // Which cells have the same text depends on the layout.
  if (key === "cells" && Array.isArray(value)) return (value as CellNode[]).map(unfolded);
  if (typeof value !== "string") return value;
  return value.replaceAll(/\s+/g, " ").trim();
}

/**
 * Whether two specifications have the same statements in the same order. A single space and many
 * are the same; what stands in fences is compared by its words.
 */
export function sameStatements(a: Spec, b: Spec): boolean {
  const text = (spec: Spec): string =>
    JSON.stringify({ title: spec.title, parts: spec.parts }, normal);
  return text(a) === text(b);
}
