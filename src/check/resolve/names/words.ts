/** Words of the notation that stand in a code span, where only names do. */
import { types } from "../../../language/index.ts";

/** Words of the notation that may stand where a name of the kind may. */
const WORDS: Readonly<Record<string, ReadonlySet<string>>> = {
  "resource, part, view or shape": new Set([
    ...types.map(({ form }) => form).filter((form) => /^[a-z ]+$/.test(form)),
    "none",
  ]),
  actor: new Set(["yes", "no", "none"]),
  shape: new Set(["none"]),
  error: new Set(["ignored"]),
};

/** What to write where a name that is not known is a word which may stand in its place. */
export function wordAdvice(what: string, name: string): string | undefined {
  if (WORDS[what]?.has(name) !== true) return undefined;
  return `A code span holds a name. Write the word of the notation without it: ${name}`;
}
