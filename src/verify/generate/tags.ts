/** Version tags of rows in conditional requests (RFC 9110 section 13.1). */
import type { Endpoint } from "../../plan/index.ts";
import type { Row } from "../../run/index.ts";
import { isKin } from "./kin.ts";
import type { Making } from "./making.ts";
import { rowsIn } from "./paths.ts";

/** The chance that a reader says which version it has. */
const KNOWN = 0.15;
/** The chance that it is left out of what is right else. */
const NONE = 0.1;

/** `If-Match` where an endpoint checks it, `If-None-Match` where a row is read; mostly the tag. */
export function tagHeaders(
  making: Making,
  endpoint: Endpoint,
  target: string,
): readonly (readonly [name: string, value: string])[] {
  const { random, wrong } = making;
  const isChecked = endpoint.steps.some(({ kind }) => kind === "check tag");
  const isRead = endpoint.method === "GET" && random.chance(KNOWN);
  if (!isChecked && !isRead) return [];
  const tag = tagIn(making, endpoint, target);
  if (tag === undefined || random.chance(Math.max(wrong, NONE))) return [];
  const others = [tag.other, "*", `${tag.other}, ${tag.text}`, `W/"x"`];
  const value = random.chance(Math.max(wrong, 0.2)) ? random.pick(others) : tag.text;
  return [[isChecked ? "If-Match" : "If-None-Match", value]];
}

/** The tag of the row that a request is about, and one that it has not. */
function tagIn(
  making: Making,
  endpoint: Endpoint,
  target: string,
): { readonly text: string; readonly other: string } | undefined {
  const named = rowsIn(making, endpoint, target);
  for (const row of [...named, ...rowsOfSteps(making, endpoint, named)]) {
    const found = making.plan.resources.find(({ name }) => name === row.resource);
    const tag = found?.versionTag;
    if (found === undefined || tag === undefined) continue;
    const value = row.values[found.fields.findIndex((one) => one.name === tag.field)];
    if (typeof value !== "string" && typeof value !== "bigint") continue;
    const weak = tag.strong ? "" : "W/";
    const other = typeof value === "bigint" ? value - 1n : `${value}x`;
    return { text: `${weak}"${value}"`, other: `${weak}"${other}"` };
  }
  return undefined;
}

/** Rows that have to do with all that the path names, of resources of which steps find one. */
function rowsOfSteps(
  { plan, world }: Making,
  { steps }: Endpoint,
  named: readonly Row[],
): readonly Row[] {
  return steps.flatMap((step) => {
    if (step.kind !== "let one" || named.length === 0) return [];
    const row = world
      .rows(step.resource)
      .findLast((one) => named.every((other) => isKin(plan, one, other)));
    return row === undefined ? [] : [row];
  });
}
