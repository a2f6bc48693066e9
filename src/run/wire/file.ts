/** Files: bytes with a media type, held as the text of a `data` URL (RFC 2397) in base64. */
import { parseMediaType } from "./media.ts";

const URL = /^data:([^,]{1,1000});base64,([A-Za-z0-9+/]*={0,2})$/;
const TOKEN = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;

/** The text of a file of these bytes (base64); undefined where the media type is none. */
export function fileText(mediaType: string, base64: string): string | undefined {
  const type = parseMediaType(mediaType);
  if (type === undefined) return undefined;
  const parameters = [...type.parameters].map(
    ([name, value]) => `;${name}=${TOKEN.test(value) ? value : `"${value}"`}`,
  );
  return `data:${type.essence}${parameters.join("")};base64,${base64}`;
}

/** Whether no other base64 text (RFC 4648 section 4) has the same bytes. */
function isCanonical(base64: string): boolean {
  if (base64.length % 4 !== 0) return false;
  const last = base64.slice(-4);
  return last === "" || btoa(atob(last)) === last;
}

/** Reads a `data` URL with a media type, in base64; undefined for any other text. */
export function readFile(text: string): string | undefined {
  const found = URL.exec(text);
  if (found === null || !isCanonical(found[2] ?? "")) return undefined;
  return fileText(found[1] ?? "", found[2] ?? "");
}

/** The media type of a file and its bytes in base64. Throws for a text that is no file. */
export function partsOfFile(file: string): { readonly mediaType: string; readonly base64: string } {
  const found = URL.exec(file);
  if (found === null) throw new Error("no file is held as such a text");
  return { mediaType: found[1] ?? "", base64: found[2] ?? "" };
}
