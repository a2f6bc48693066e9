/** Version tags of rows in conditional requests (RFC 9110 section 13.1). */
import type { Endpoint } from "../../plan/index.ts";
import type { Making } from "./making.ts";

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

/** The tag of the row that the path names, and one that it has not. */
function tagIn(
  { plan, world }: Making,
  { bindings }: Endpoint,
  target: string,
): { readonly text: string; readonly other: string } | undefined {
  const path = `${target.split("?")[0]}/`;
  for (const { resource, by } of bindings) {
    const found = plan.resources.find(({ name }) => name === resource);
    const tag = found?.versionTag;
    if (found === undefined || tag === undefined) continue;
    const at = (name: string): number => found.fields.findIndex((one) => one.name === name);
    const [key, place] = [at(by ?? found.key), at(tag.field)];
    const row = world
      .rows(resource)
      .findLast(({ values }) => path.includes(`/${encodeURIComponent(String(values[key]))}/`));
    const value = row?.values[place];
    if (typeof value !== "string" && typeof value !== "bigint") continue;
    const weak = tag.strong ? "" : "W/";
    const other = typeof value === "bigint" ? value - 1n : `${value}x`;
    return { text: `${weak}"${value}"`, other: `${weak}"${other}"` };
  }
  return undefined;
}
