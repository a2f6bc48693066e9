/** Files of the reference: `data` URLs in base64 (RFC 2397), and parts of a form (RFC 7578). */
import type { Json } from "./json.ts";
import type { Value } from "./values.ts";

/** A media type in one way of writing: lower case, parameters behind `;` without spaces. */
function mediaType(text: string): string | undefined {
  const token = "[A-Za-z0-9!#$%&'*+.^_`|~-]+";
  const whole = new RegExp(`^(${token}/${token})((?:\\s*;\\s*${token}=(?:${token}|"[^"]*"))*)$`);
  const found = whole.exec(text.trim());
  if (found === null) return undefined;
  const parameters = [...(found[2] ?? "").matchAll(/;\s*([^=;]+)=("[^"]*"|[^;"]+)/g)].map(
    ([, name = "", value = ""]) => {
      const bare = value.replace(/^"|"$/g, "");
      const isToken = new RegExp(`^${token}$`).test(bare);
      return `;${name.toLowerCase()}=${isToken ? bare : `"${bare}"`}`;
    },
  );
  return `${found[1]?.toLowerCase()}${parameters.join("")}`;
}

/** A file of these bytes; undefined where the media type is none. */
function fileOf(type: string, bytes: Uint8Array): string | undefined {
  const media = mediaType(type);
  return media && `data:${media};base64,${Buffer.from(bytes).toString("base64")}`;
}

/** Reads a `data` URL; undefined for any other text. */
export function readFile(text: string): Value {
  const found = /^data:([^,]+);base64,([A-Za-z0-9+/]*=*)$/.exec(text);
  const [, type = "", base64 = ""] = found ?? [];
  const bytes = Buffer.from(base64, "base64");
  if (found === null || bytes.toString("base64") !== base64) return undefined;
  return fileOf(type, bytes);
}

/** The media type of a file, and its bytes read as UTF-8. */
export function contentOf(file: Value): { readonly media: string; readonly text: string } {
  const [, media = "", base64 = ""] = /^data:([^,]+);base64,(.*)$/.exec(String(file)) ?? [];
  return { media, text: Buffer.from(base64, "base64").toString("utf8") };
}

function partOf(piece: string, files: ReadonlySet<string>): readonly [string, string] | undefined {
  const cut = piece.indexOf("\r\n\r\n");
  if (cut < 0) return undefined;
  const head = piece.slice(0, cut).split("\r\n");
  const field = (wanted: string): string | undefined =>
    head
      .find((line) => line.toLowerCase().startsWith(`${wanted}:`))
      ?.slice(wanted.length + 1)
      .trim();
  const name = /^form-data;.*\bname="([^"]*)"/i.exec(field("content-disposition") ?? "")?.[1];
  if (name === undefined) return undefined;
  const bytes = Buffer.from(piece.slice(cut + 4), "latin1");
  const value = files.has(name)
    ? fileOf(field("content-type") ?? "text/plain", bytes)
    : new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  return value === undefined ? undefined : [name, value];
}

/** A form in parts as a tree; undefined where it is malformed. Throws for text that is no UTF-8. */
export function multipartTree(
  body: Uint8Array,
  contentType: string,
  files: ReadonlySet<string>,
): { readonly tree: Json; readonly repeated: readonly string[] } | undefined {
  const boundary = /boundary="?([^";]+)/i.exec(contentType)?.[1];
  if (boundary === undefined) return undefined;
  const text = `\r\n${Buffer.from(body).toString("latin1")}`;
  const pieces = text.split(`\r\n--${boundary}`).slice(1);
  if (!pieces.at(-1)?.startsWith("--")) return undefined;
  const tree = new Map<string, Json>();
  for (const piece of pieces.slice(0, -1)) {
    const part = partOf(piece.replace(/^[ \t]*\r\n/, ""), files);
    if (part === undefined) return undefined;
    const [name, value] = part;
    const before = tree.get(name);
    tree.set(name, before === undefined ? value : [before, value].flat());
  }
  return { tree, repeated: [] };
}
