/** Names types in plain words for messages; knows nothing else. */
import { quote } from "./text.ts";
import type { Type } from "./types.ts";

const WORDS_SHOWN = 6;

/** The type in words: "integer or null", "list of row `Article`", "one of `a`, `b`". */
export function formatType(type: Type): string {
  switch (type.kind) {
    case "string":
      return type.oneOf ? formatWords(type.oneOf) : "string";
    case "decimal":
      return `decimal with ${type.places} ${type.places === 1 ? "place" : "places"}`;
    case "list":
    case "map":
      return `${type.kind} of ${type.of.kind === "unknown" ? "anything" : formatType(type.of)}`;
    case "row":
      return `row \`${type.resource}\``;
    case "object":
      return `\`${type.name.replace(/^(part|shape):/, "")}\``;
    case "nullable":
      return `${formatType(type.of)} or null`;
    case "zone":
      return "time zone";
    case "number":
    case "boolean":
    case "integer":
    case "timestamp":
    case "date":
    case "duration":
    case "json":
    case "null":
    case "secret":
    case "file":
    case "unknown":
      return type.kind;
  }
}

function formatWords(words: readonly string[]): string {
  if (words.length === 1) return `the string ${quote(words[0] ?? "")}`;
  const shown = words.slice(0, WORDS_SHOWN).map((word) => `\`${word}\``);
  return `one of ${shown.join(", ")}${words.length > WORDS_SHOWN ? " ..." : ""}`;
}

/** The type in words with its article, to stand after "is": "an integer", "the string `a`". */
export function formatWithArticle(type: Type): string {
  const words = formatType(type);
  if (/^(`|one of|the |null$|json$)/.test(words)) return words;
  return /^[aeio]/.test(words) ? `an ${words}` : `a ${words}`;
}
