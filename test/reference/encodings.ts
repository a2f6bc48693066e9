/** Functions of published algorithms for the reference, by what Node has of them. */
import { createHash, createHmac } from "node:crypto";
import type { Kept, Value } from "./values.ts";

type Call = (args: readonly Value[]) => Value;

/** A text, or the text that a secret was made of. */
export function wellFormed(value: Value): string {
  return typeof value === "string" ? value : (value as Kept).plain;
}

export function sha256(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}

const text = (value: Value): string => value as string;
const encoding = (value: Value): "hex" | "base64" | "base64url" =>
  (value ?? "hex") as "hex" | "base64" | "base64url";

const encode =
  (as: "base64" | "base64url"): Call =>
  ([a]) =>
    Buffer.from(text(a), "utf8").toString(as);

/** Only a text that is written exactly so. */
const decode =
  (as: "base64" | "base64url"): Call =>
  ([a]) => {
    const bytes = Buffer.from(text(a), as);
    const read = bytes.toString("utf8");
    const isExact = bytes.toString(as) === a && Buffer.from(read, "utf8").equals(bytes);
    return isExact ? read : null;
  };

function percentEncoded(value: string): string {
  return [...Buffer.from(value, "utf8")]
    .map((byte) => {
      const one = String.fromCharCode(byte);
      if (/[A-Za-z0-9._~-]/.test(one)) return one;
      return `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
    })
    .join("");
}

function percentDecoded(value: string): string | null {
  if (/%(?![0-9A-Fa-f]{2})/.test(value)) return null;
  const pieces = value.split(/(%[0-9A-Fa-f]{2})/);
  const bytes = Buffer.concat(
    pieces.map((one) =>
      /^%[0-9A-Fa-f]{2}$/.test(one) ? Buffer.from(one.slice(1), "hex") : Buffer.from(one, "utf8"),
    ),
  );
  const read = bytes.toString("utf8");
  return Buffer.from(read, "utf8").equals(bytes) ? read : null;
}

const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

function httpDate(micros: bigint): string {
  const at = new Date(Number(micros / 1_000_000n - (micros % 1_000_000n < 0n ? 1n : 0n)) * 1000);
  const two = (part: number): string => String(part).padStart(2, "0");
  const day = `${two(at.getUTCDate())} ${MONTHS[at.getUTCMonth()]}`;
  const year = String(at.getUTCFullYear()).padStart(4, "0");
  const clock = [at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds()].map(two).join(":");
  return `${DAYS[at.getUTCDay()]}, ${day} ${year} ${clock} GMT`;
}

function nameUuid(namespace: string, name: string): string {
  const hash = createHash("sha1")
    .update(Buffer.from(namespace.replaceAll("-", ""), "hex"))
    .update(name, "utf8")
    .digest();
  hash.writeUInt8((hash.readUInt8(6) % 16) + 0x50, 6);
  hash.writeUInt8((hash.readUInt8(8) % 64) + 0x80, 8);
  return hash.toString("hex", 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** The URL with one parameter set or, for null, taken out. */
function withParameter(url: string, name: string, value: string | null): string {
  const [rest = "", ...fragment] = url.split("#");
  const [path = "", ...query] = rest.split("?");
  const made = value === null ? [] : [`${percentEncoded(name)}=${percentEncoded(value)}`];
  const pairs = query
    .join("?")
    .split("&")
    .filter((one) => one !== "");
  const isNamed = (pair: string): boolean => {
    const text = (pair.split("=")[0] ?? "").replaceAll("+", " ");
    return (percentDecoded(text) ?? pair.split("=")[0]) === name;
  };
  const at = pairs.findIndex(isNamed);
  const others = pairs.filter((one) => !isNamed(one));
  others.splice(
    at < 0 ? others.length : pairs.slice(0, at).filter((one) => !isNamed(one)).length,
    0,
    ...made,
  );
  const tail = fragment.length === 0 ? "" : `#${fragment.join("#")}`;
  return `${path}${others.length === 0 ? "" : `?${others.join("&")}`}${tail}`;
}

function pageLinks(url: string, name: string, page: bigint, last: bigint): string | null {
  const near = [page - 1n, last].sort((a, b) => (a < b ? -1 : 1))[0] as bigint;
  const links: readonly (readonly [string, bigint, boolean])[] = [
    ["prev", near < 1n ? 1n : near, page > 1n],
    ["next", page + 1n, page < last],
    ["last", last, page < last],
    ["first", 1n, page > 1n],
  ];
  const said = links.flatMap(([rel, at, is]) =>
    is ? [`<${withParameter(url, name, String(at))}>; rel="${rel}"`] : [],
  );
  return said.length === 0 ? null : said.join(", ");
}

/** The functions, by their names. */
export const ENCODINGS: Readonly<Record<string, Call>> = {
  sha256: ([a]) => sha256(wellFormed(a)),
  digest: ([a, algorithm, as]) =>
    createHash(text(algorithm)).update(text(a), "utf8").digest(encoding(as)),
  hmac: ([key, a, algorithm, as]) =>
    createHmac(text(algorithm), Buffer.from(wellFormed(key), "utf8"))
      .update(text(a), "utf8")
      .digest(encoding(as)),
  uuid_v5: ([namespace, name]) => nameUuid(text(namespace), text(name)),
  base64_encode: encode("base64"),
  base64_decode_or_null: decode("base64"),
  base64url_encode: encode("base64url"),
  base64url_decode_or_null: decode("base64url"),
  encode_uri: ([a]) => percentEncoded(text(a)),
  decode_uri_or_null: ([a]) => percentDecoded(text(a)),
  with_query: ([url, changes]) =>
    [...(changes as ReadonlyMap<string, string | null>)].reduce(
      (made, [name, value]) => withParameter(made, name, value),
      text(url),
    ),
  page_links: ([url, name, page, last]) =>
    pageLinks(text(url), text(name), page as bigint, last as bigint),
  http_date: ([at]) => httpDate(at as bigint),
};
