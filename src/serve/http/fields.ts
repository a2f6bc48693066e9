/** Header values: picked of what was sent, and turned into what may go over the wire. */

const PLAIN = /^[\t\x20-\x7e]*$/;
const FORBIDDEN = /[\u0000-\u0008\u000a-\u001f\u007f]/g;

/**
 * Names and values in turn, with each character standing for one byte; undefined where they are so
 * already. Text beyond ASCII goes as its UTF-8 (obs-text of RFC 9110 section 5.5); characters that
 * no value may have become spaces, so that no text can begin another header.
 */
export function bytesOfFields(headers: readonly string[]): string[] | undefined {
  if (headers.every((text) => PLAIN.test(text))) return undefined;
  return headers.map((text) =>
    Buffer.from(text.replace(FORBIDDEN, " "), "utf8").toString("latin1"),
  );
}

/** Values of the named headers; lines of one name are joined (RFC 9110 section 5.3, RFC 6265). */
export function pickHeaders(
  raw: readonly string[],
  names: readonly string[],
): (string | undefined)[] {
  const values: (string | undefined)[] = new Array(names.length).fill(undefined);
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = (raw[i] ?? "").toLowerCase();
    const at = names.indexOf(name);
    if (at < 0) continue;
    const before = values[at];
    const joint = name === "cookie" ? "; " : ", ";
    values[at] = before === undefined ? raw[i + 1] : `${before}${joint}${raw[i + 1]}`;
  }
  return values;
}
