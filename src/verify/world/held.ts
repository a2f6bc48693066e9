/** What the rows of a model hold. */
import { type Plan, sentName } from "../../plan/index.ts";
import type { Session } from "../../run/index.ts";
import { rewriteValues } from "./learn.ts";

/** Values of rows. */
export interface Held {
  /** Times are among them, in microseconds. */
  readonly integers: ReadonlySet<bigint>;
  readonly texts: ReadonlySet<string>;
  /** Texts that name rows to clients, with the member under which they do. */
  readonly keys: ReadonlyMap<string, string>;
}

/** What all rows hold, at any depth. */
export function heldIn(world: { readonly plan: Plan; readonly session: Session }): Held {
  const [integers, texts] = [new Set<bigint>(), new Set<string>()];
  rewriteValues(world, (value) => {
    if (typeof value === "bigint") integers.add(value);
    if (typeof value === "string") texts.add(value);
    return value;
  });
  const keys = new Map<string, string>();
  for (const { name, key, fields } of world.plan.resources) {
    const place = fields.findIndex((one) => one.name === key);
    const field = fields[place];
    for (const { values } of field === undefined ? [] : world.session.all(name)) {
      const text = values[place];
      if (typeof text === "string" && field !== undefined) keys.set(text, sentName(field));
    }
  }
  return { integers, texts, keys };
}
