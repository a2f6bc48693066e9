/**
 * Names and values of a query, a form body and the cookies. A query is read as
 * application/x-www-form-urlencoded (WHATWG URL section 5.1), the one published format of
 * `name=value` pairs: `+` is a space, `%2B` a plus. Unlike there, a percent sign without two
 * hexadecimal digits, bytes that are no UTF-8 and anything but printable ASCII are malformed and
 * never repaired.
 */

/** All values of each name, in the order sent; undefined: malformed. */
export type Pairs = ReadonlyMap<string, readonly string[]>;

const QUERY = /^[!-~]*$/;
const NONE: Pairs = new Map();

/** Percent-decodes strictly as UTF-8 (RFC 3986 section 2.1); undefined where that cannot be. */
function percentDecode(text: string): string | undefined {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** The pairs of a query or of a form body. */
export function readPairs(text: string): Pairs | undefined {
  if (text === "") return NONE;
  if (!QUERY.test(text)) return undefined;
  const pairs = new Map<string, string[]>();
  for (const piece of text.split("&")) {
    if (piece === "") continue;
    const equals = piece.indexOf("=");
    const name = formDecode(equals < 0 ? piece : piece.slice(0, equals));
    const value = equals < 0 ? "" : formDecode(piece.slice(equals + 1));
    if (name === undefined || value === undefined) return undefined;
    const known = pairs.get(name);
    if (known) known.push(value);
    else pairs.set(name, [value]);
  }
  return pairs;
}

function formDecode(text: string): string | undefined {
  return percentDecode(text.includes("+") ? text.replaceAll("+", " ") : text);
}

/**
 * The cookies of a Cookie header (RFC 6265 section 4.2.1): pairs at `;`, values taken as they are
 * except a pair of double quotes. What is no pair is passed over, as section 5.4 lets it come.
 */
export function readCookies(header: string | undefined): Pairs {
  if (header === undefined) return NONE;
  const pairs = new Map<string, string[]>();
  for (const piece of header.split(";")) {
    const equals = piece.indexOf("=");
    if (equals < 0) continue;
    const name = piece.slice(0, equals).trim();
    const raw = piece.slice(equals + 1).trim();
    const quoted = raw.length > 1 && raw.startsWith('"') && raw.endsWith('"');
    const value = quoted ? raw.slice(1, -1) : raw;
    const known = pairs.get(name);
    if (known) known.push(value);
    else pairs.set(name, [value]);
  }
  return pairs;
}
