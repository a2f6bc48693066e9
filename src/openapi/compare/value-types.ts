/** Which types a schema lets in, as a set, and how two such sets differ. */
import type { Node } from "../tree/index.ts";
import type { View } from "./view.ts";

const BITS: Readonly<Record<string, number>> = {
  null: 1,
  boolean: 2,
  integer: 4,
  // A number may be an integer.
  number: 12,
  string: 16,
  array: 32,
  object: 64,
  // Swagger's form parameters.
  file: 128,
};

const ALL = 127;
const FILE = 128;

function bitsIn(node: Node): number {
  const named = (each: Node): number =>
    each.kind === "scalar" ? (BITS[String(each.value)] ?? ALL) : ALL;
  if (node.kind === "list") return node.items.reduce((bits, each) => bits | named(each), 0);
  return named(node);
}

/** The types that a schema lets in. */
export function typesOf(view: View): number {
  let bits = ALL;
  for (const { node } of view.get("type")) {
    if (bitsIn(node) === FILE) return FILE;
    bits &= bitsIn(node);
  }
  const isNullable = view
    .get("nullable")
    .some(({ node }) => node.kind === "scalar" && node.value === true);
  if (bits === ALL) return view.choices.length === 0 || view.isNullChosen ? ALL : ALL - 1;
  return isNullable || view.isNullChosen ? bits | 1 : bits;
}

/** Such as `integer or null`. */
export function typeWords(bits: number): string {
  if ((bits & ALL) === ALL) return "any";
  const names = Object.keys(BITS).filter((name) => {
    const bit = BITS[name] as number;
    if (name === "integer" && (bits & 12) === 12) return false;
    return (bits & bit) === bit;
  });
  return names.length === 0 ? "none" : names.toSorted(nullLast).join(" or ");
}

const nullLast = (a: string, b: string): number => Number(a === "null") - Number(b === "null");

/** How the second set lies to the first. */
export function relationOf(before: number, now: number): "same" | "wider" | "narrower" | "other" {
  if (before === now) return "same";
  if ((before & now) === before) return "wider";
  return (before & now) === now ? "narrower" : "other";
}
