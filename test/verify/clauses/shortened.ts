/**
 * Documents with short times in the place of those that nobody waits for, as a team states them for
 * a service that is to be tested.
 */
import type { Changed } from "./operators.ts";

/** A length of time, in prose or in code. */
const TIME = /\b\d+ (?:s|min|h|days?)\b|duration\("\d+[smhd]"\)/g;
/** Times that are not waited for: how long a request may take, how long versions are kept. */
const OTHERS = /request time|\bkept \d+ days\b|Lateness/;
/** What happens by itself is stated in these parts. */
const PARTS = /^## (?:Resources|States|Endpoints|Events)/;

const short = (time: string): string => (time.startsWith("duration") ? 'duration("1s")' : "1 s");

/**
 * The same change in the document with its times shortened: those of the changed line, or else all
 * that something happens by. Undefined: it has none.
 */
export function shortened(
  text: string,
  changed: Changed,
  clausesOf: (text: string) => readonly Changed[],
): { readonly text: string; readonly changed: string } | undefined {
  const lines = text.split("\n");
  const shorten = (line: string): string => (OTHERS.test(line) ? line : line.replace(TIME, short));
  const at = changed.line - 1;
  const own = lines[at] ?? "";
  let part = "";
  const other =
    shorten(own) === own
      ? lines.map((line) => {
          if (line.startsWith("## ")) part = line;
          return PARTS.test(part) ? shorten(line) : line;
        })
      : lines.with(at, shorten(own));
  const whole = other.join("\n");
  if (whole === text) return undefined;
  const alike = (one: Changed): boolean => one.line === changed.line && one.kind === changed.kind;
  const before = clausesOf(text).filter(alike);
  const nth = before.findIndex(({ text: own }) => own === changed.text);
  const found = clausesOf(whole).filter(alike)[nth];
  return found === undefined ? undefined : { text: whole, changed: found.text };
}
