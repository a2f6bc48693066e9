/** Turns header values into what may go over the wire; knows no header by name. */

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
