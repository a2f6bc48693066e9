/** Names of forms and queries that nest, as a tree. */
import type { Json } from "./json.ts";

type Style = "brackets" | "dots" | undefined;

function steps(name: string, style: Style, whole: readonly string[]): readonly string[] {
  if (whole.includes(name) || style === undefined) return [name];
  if (style === "dots") return name.split(".").includes("") ? [name] : name.split(".");
  const inside = /^([^[\]]+)\[(.*)\]$/.exec(name);
  const rest = inside?.[2]?.split("][") ?? [];
  const isOdd = inside === null || rest.some((one) => /[[\]]/.test(one));
  return isOdd ? [name] : [inside[1] ?? "", ...rest];
}

interface Tree {
  readonly values: Map<string, Json>;
  /** Names that stand where something stands already. */
  readonly repeated: readonly string[];
}

/** The values under their names. */
export function nestedTree(
  pairs: readonly (readonly [string, string])[],
  style: Style,
  whole: readonly string[],
): Tree | undefined {
  const values = new Map<string, Json>();
  const repeated: string[] = [];
  for (const name of new Set(pairs.map(([one]) => one))) {
    const texts = pairs.filter(([one]) => one === name).map(([, text]) => text);
    const path = steps(name, style, whole);
    if (path.length > 64) return undefined;
    let at: Map<string, Json> | undefined = values;
    for (const step of path.slice(0, -1)) {
      const next: Json = at?.get(step) ?? new Map<string, Json>();
      if (next instanceof Map && at !== undefined) {
        at.set(step, next);
        at = next;
      } else at = undefined;
    }
    const last = path.at(-1) ?? "";
    if (at === undefined || at.has(last)) repeated.push(name);
    else at.set(last, texts.length === 1 ? texts[0] : texts);
  }
  return { values, repeated };
}

/** The failures from there on with their names as they are sent; `tree`: what they are about. */
export function rename(
  failures: { condition: string; field: string | null }[],
  from: number,
  style: Style,
  tree?: Json,
): void {
  if (style !== "brackets") return;
  const dotted = tree instanceof Map ? [...tree.keys()].filter((one) => one.includes(".")) : [];
  for (const [i, failure] of failures.entries()) {
    if (i < from) continue;
    const { field } = failure;
    if (field === null) continue;
    const whole = dotted.find((one) => field === one || field.startsWith(`${one}.`)) ?? "";
    const [first = "", ...rest] = field.slice(whole.length).split(".");
    const head = whole + first;
    failures[i] = { ...failure, field: head + rest.map((one) => `[${one}]`).join("") };
  }
}

/** The items of a list: under no name, or numbered from 0. */
export function listed(sent: Json): Json {
  if (!(sent instanceof Map)) return sent;
  const bare: Json = sent.get("");
  if (bare !== undefined) {
    if (sent.size > 1) return undefined;
    return Array.isArray(bare) ? bare : [bare];
  }
  const items = [...sent.keys()].map((_, i): Json => sent.get(String(i)));
  return items.includes(undefined) ? undefined : items;
}
