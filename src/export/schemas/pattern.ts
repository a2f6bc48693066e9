/** Patterns in RE2 syntax as patterns of ECMA-262, where they have the same meaning. */

/** ASCII alone in RE2; more than that elsewhere. */
const CLASSES: Readonly<Record<string, string>> = {
  d: "0-9",
  s: "\\t\\n\\f\\r ",
  w: "0-9A-Za-z_",
};

const KEPT = /^[nrtfv0\\^$.*+?()[\]{}|/-]$/;

/** One token of a pattern: an escape, a group's head, a class of POSIX, or a character. */
const TOKEN = /\\[pP]\{[^}]*\}|\\x\{[^}]*\}|\\x[0-9A-Fa-f]{2}|\\.|\(\?[^:]?|\[:\^?[a-z]+:\]|./gsu;

/** The same pattern for ECMA-262 with the flag `u`; undefined: it has a form that is not there. */
export function asEcma(pattern: string): string | undefined {
  let inClass = false;
  let out = "";
  for (const [token] of pattern.matchAll(TOKEN)) {
    const next = translated(token, inClass);
    if (next === undefined) return undefined;
    if (token === "[" && !inClass) inClass = true;
    else if (token === "]" && inClass) inClass = false;
    out += next;
  }
  try {
    new RegExp(out, "u");
    return out;
  } catch {
    return undefined;
  }
}

function translated(token: string, inClass: boolean): string | undefined {
  if (token.startsWith("[:") && inClass) return undefined;
  if (token.startsWith("(?") && !inClass) return token === "(?" ? token : undefined;
  if (!token.startsWith("\\")) return token;
  const letter = token.slice(1);
  const own = Object.hasOwn(CLASSES, letter) ? CLASSES[letter] : undefined;
  if (own !== undefined) return inClass ? own : `[${own}]`;
  const other = Object.hasOwn(CLASSES, letter.toLowerCase())
    ? CLASSES[letter.toLowerCase()]
    : undefined;
  if (other !== undefined) return inClass ? undefined : `[^${other}]`;
  if (/^x[0-9A-Fa-f]{2}$/.test(letter)) return token;
  if (letter === "-") return inClass ? "\\-" : "-";
  if (KEPT.test(letter)) return token;
  // What stands escaped for itself may stand so under no flag but none.
  return /^[!-~]$/.test(letter) && !/[A-Za-z0-9]/.test(letter) ? letter : undefined;
}
