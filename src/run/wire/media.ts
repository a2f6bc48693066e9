/** Whether a request's Content-Type is the one that the document states (RFC 9110 section 8.3). */
import { RUN_BOUNDS } from "../evaluate/bounds.ts";

const TOKEN = "[A-Za-z0-9!#$%&'*+.^_`|~-]+";
const ESSENCE = new RegExp(`^${TOKEN}/${TOKEN}$`);
const TOKEN_ONLY = new RegExp(`^${TOKEN}$`);
/** RFC 9110 section 5.6.4, without pairs. */
const QUOTED = /^"[\t !\u0023-\u005b\u005d-\u007e\u0080-\u00ff]*"$/;
/** RFC 9110 section 5.6.3. */
const AROUND = /^[\t ]+|[\t ]+$/g;
const HEADER_MAX = RUN_BOUNDS.mediaType.value;

/** Type and subtype in lower case, and the parameters by name. */
interface MediaType {
  readonly essence: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/**
 * Parses a media type; undefined where it is none. Quoted parameter values lose their quotes,
 * escapes in them are refused.
 */
export function parseMediaType(text: string): MediaType | undefined {
  if (text.length > HEADER_MAX) return undefined;
  const [essence = "", ...rest] = text.split(";").map((piece) => piece.replace(AROUND, ""));
  if (!ESSENCE.test(essence)) return undefined;
  const parameters = new Map<string, string>();
  for (const piece of rest) {
    if (piece === "") continue;
    const equals = piece.indexOf("=");
    const name = piece.slice(0, equals).toLowerCase();
    const raw = piece.slice(equals + 1);
    const value = QUOTED.test(raw) ? raw.slice(1, -1) : raw;
    if (equals < 1 || !TOKEN_ONLY.test(name)) return undefined;
    if (value === raw && !TOKEN_ONLY.test(raw)) return undefined;
    if (parameters.has(name)) return undefined;
    parameters.set(name, value);
  }
  return { essence: essence.toLowerCase(), parameters };
}

/** Media types whose bodies have members. */
export type BodyFormat = "json" | "form" | "multipart";

/** How a body with this essence holds its members; undefined: it has none. */
export function bodyFormat(essence: string): BodyFormat | undefined {
  if (essence === "application/json" || /^[^/]+\/[^/]+\+json$/.test(essence)) return "json";
  if (essence === "multipart/form-data") return "multipart";
  return essence === "application/x-www-form-urlencoded" ? "form" : undefined;
}

/**
 * Whether a sent Content-Type is the stated one: the essences are the same, and a charset, where
 * one is named, is UTF-8. Other parameters are not compared. None sent is another one. A stated
 * range (`image/*`, RFC 9110 section 12.5.1) holds every type within it.
 */
export function isStatedType(sent: string | undefined, stated: string): boolean {
  const type = sent === undefined ? undefined : parseMediaType(sent);
  if (!type || !isWithin(type.essence, parseMediaType(stated)?.essence)) return false;
  const charset = type.parameters.get("charset");
  return charset === undefined || charset.toLowerCase() === "utf-8";
}

function isWithin(essence: string, range: string | undefined): boolean {
  if (essence.includes("*")) return false;
  return (
    essence === range ||
    range === "*/*" ||
    (range?.endsWith("/*") === true && essence.startsWith(range.slice(0, -1)))
  );
}
