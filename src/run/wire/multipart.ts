/** Parses `multipart/form-data` (RFC 7578, RFC 2046 section 5.1): parts by name, files as such. */

import { RUN_BOUNDS } from "../evaluate/bounds.ts";
import { fileText } from "./file.ts";
import type { Json } from "./json.ts";
import { decodeUtf8 } from "./parse.ts";

const PARTS_MAX = RUN_BOUNDS.parts.value;
const HEAD_MAX = RUN_BOUNDS.partHead.value;
const BOUNDARY = /^[A-Za-z0-9'()+_,./:=? -]{0,69}[A-Za-z0-9'()+_,./:=?-]$/;
const DISPOSITION = /^form-data((?:;[ \t]*[A-Za-z0-9*_-]+=(?:"(?:[^"\\]|\\.)*"|[^";\s]+))*)$/i;
const PARAMETER = /;[ \t]*([A-Za-z0-9*_-]+)=(?:"((?:[^"\\]|\\.)*)"|([^";\s]+))/g;

interface Part {
  readonly name: string;
  readonly mediaType: string;
  /** One character for each byte. */
  readonly bytes: string;
}

function bytesOf(binary: string): Uint8Array {
  return Uint8Array.from(binary, (char) => char.charCodeAt(0));
}

function textOf(binary: string): string | undefined {
  return decodeUtf8(bytesOf(binary));
}

/** The name in a `Content-Disposition`; browsers write a quote in it as `%22`. */
function nameIn(disposition: string): string | undefined {
  const [, parameters = ""] = DISPOSITION.exec(disposition.trim()) ?? [];
  for (const [, key = "", quoted, bare] of parameters.matchAll(PARAMETER)) {
    if (key.toLowerCase() !== "name") continue;
    return textOf((quoted ?? bare ?? "").replaceAll(/\\(.)/g, "$1").replaceAll("%22", '"'));
  }
  return undefined;
}

/** A part from its text behind the delimiter's line; undefined where it has no right head. */
function partOf(text: string): Part | undefined {
  const bare = text.startsWith("\r\n");
  const end = bare ? 0 : text.slice(0, HEAD_MAX).indexOf("\r\n\r\n");
  if (end < 0 || bare) return undefined;
  const fields = new Map(
    text
      .slice(0, end)
      .split("\r\n")
      .map((line) => {
        const colon = line.indexOf(":");
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
  );
  const coding = fields.get("content-transfer-encoding")?.toLowerCase() ?? "binary";
  const name = nameIn(fields.get("content-disposition") ?? "");
  if (name === undefined || !["binary", "7bit", "8bit"].includes(coding)) return undefined;
  const mediaType = fields.get("content-type") ?? "text/plain";
  return { name, mediaType, bytes: text.slice(end + 4) };
}

/** The texts between the delimiters; undefined where the last delimiter is missing. */
function pieces(body: string, boundary: string): readonly string[] | undefined {
  const found: string[] = [];
  const line = `\r\n--${boundary}`;
  // The first delimiter may stand at the very beginning.
  const whole = `\r\n${body}`;
  let at = whole.indexOf(line);
  while (at >= 0 && found.length <= PARTS_MAX) {
    const behind = at + line.length;
    if (whole.startsWith("--", behind)) return found;
    const start = whole.indexOf("\r\n", behind);
    if (start < 0 || !/^[ \t]*$/.test(whole.slice(behind, start))) return undefined;
    at = whole.indexOf(line, start);
    if (at >= 0) found.push(whole.slice(start + 2, Math.max(at, start + 2)));
  }
  return undefined;
}

/**
 * The members of a body (bytes in base64): texts, and files for the names of which `isFile` says
 * so; several parts of one name are a list. Undefined where it is malformed.
 */
export function parseMultipart(
  base64: string,
  boundary: string | undefined,
  isFile: (name: string) => boolean,
): ReadonlyMap<string, Json> | undefined {
  if (boundary === undefined || !BOUNDARY.test(boundary)) return undefined;
  const texts = pieces(atob(base64), boundary);
  if (texts === undefined) return undefined;
  const values = new Map<string, string[]>();
  for (const text of texts) {
    const part = partOf(text);
    if (part === undefined) return undefined;
    const value = isFile(part.name)
      ? fileText(part.mediaType, btoa(part.bytes))
      : textOf(part.bytes);
    if (value === undefined) return undefined;
    values.set(part.name, [...(values.get(part.name) ?? []), value]);
  }
  return new Map([...values].map(([name, all]) => [name, all.length === 1 ? (all[0] ?? "") : all]));
}
