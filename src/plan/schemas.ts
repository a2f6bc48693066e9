/** Which schemas one schema refers to, itself included: found in the texts of a plan alone. */
import type { Schema } from "./types/index.ts";

const REFERENCE = /"\$ref":"#(?:\/\$defs\/([^"/]*))?/g;

function nameIn(token: string): string {
  try {
    const text = JSON.parse(`"${token}"`) as string;
    return decodeURIComponent(text).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return token;
  }
}

/** Schemas by name: asked for with each use of one, so made once. */
const tables = new WeakMap<readonly Schema[], ReadonlyMap<string, Schema>>();

/** All schemas that may judge a value of the schema `name`. An anchor may be in any of them. */
export function schemasFrom(all: readonly Schema[], name: string): readonly Schema[] {
  const byName = tables.get(all) ?? new Map(all.map((one) => [one.name, one]));
  tables.set(all, byName);
  const found = new Set<Schema>();
  const open = [name];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const one = byName.get(next);
    if (one === undefined || found.has(one)) continue;
    found.add(one);
    if (one.schema.is !== "stated") continue;
    for (const [, token] of one.schema.value.matchAll(REFERENCE)) {
      if (token !== undefined) open.push(nameIn(token));
      else open.push(...byName.keys());
    }
  }
  return [...found];
}
