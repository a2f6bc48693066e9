/** What replays look for in answers, and what they say. */
import type { Answer, Request } from "../world/message.ts";
import type { Learned } from "./learning.ts";
import { valueAt } from "./replay.ts";

/** What became of a replay. */
export interface Replayed {
  readonly is: "fixed" | "still broken" | "drifted" | "unstated" | "no answer";
  /** Why it is called so, in words. */
  readonly why: string;
  /** The requests as they were sent, with what came. */
  readonly exchanges: readonly { readonly request: Request; readonly answer: Answer }[];
}

/** The text that an answer shows at a place; undefined: it does not. */
export function learnedFrom(
  answer: Answer,
  { in: of, at, before, after }: Learned,
): string | undefined {
  const found = valueAt(answer, { in: of, at });
  if (found === undefined) return undefined;
  const value: unknown = of === "body" ? JSON.parse(found) : found;
  if (typeof value !== "string" || !value.startsWith(before) || !value.endsWith(after)) {
    return undefined;
  }
  return value.slice(before.length, value.length - after.length) || undefined;
}

/** Whether what was found may be a text with names. */
export function isLike(
  text: string | undefined,
  found: string | undefined,
  known: ReadonlyMap<string, string>,
): boolean {
  if (text === undefined || found === undefined) return text === found;
  const pattern = text.split(NAME).map((part, i) => {
    if (i % 2 === 0) return escaped(part);
    return PATTERNS[part] ?? escaped(known.get(part) ?? `{{${part}}}`);
  });
  return new RegExp(`^${pattern.join("")}$`).test(found);
}

const NAME = /\{\{([a-z0-9.]+)\}\}/;
const PATTERNS: Readonly<Record<string, string>> = {
  any: String.raw`[\s\S]*`,
  time: String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[\d.]*(?:Z|[+-]\d\d:\d\d)`,
};
const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`);
