/** Takes a request target apart (RFC 9112 section 3.2) without changing a character of it. */

export interface Target {
  /** Path as sent; `*` for the asterisk form. */
  readonly path: string;
  /** What stands after the first `?`. */
  readonly query: string;
}

const ABSOLUTE = /^https?:\/\/[^/?#]*/i;

/** Path and query of an origin-form, absolute-form or asterisk-form target. */
export function splitTarget(target: string): Target {
  const origin = target.startsWith("/") ? target : target.replace(ABSOLUTE, "");
  const question = origin.indexOf("?");
  if (question < 0) return { path: origin === "" ? "/" : origin, query: "" };
  const path = origin.slice(0, question);
  return { path: path === "" ? "/" : path, query: origin.slice(question + 1) };
}
