/* data table */
/** Functions that write and read texts by published algorithms. */
import { type FunctionEntry, form } from "./form.ts";

export const ENCODINGS = [
  {
    name: "base64_decode_or_null",
    forms: [form("string", "string or null")],
    does: "The text of which `base64_encode` gives this one; null where there is none.",
    example: 'base64_decode_or_null("w6k=") == "é"',
  },
  {
    name: "base64_encode",
    forms: [form("string", "string")],
    does: "The text in UTF-8 as base64 (RFC 4648 section 4, padded).",
    example: 'base64_encode("é") == "w6k="',
  },
  {
    name: "base64url_decode_or_null",
    forms: [form("string", "string or null")],
    does: "The text of which `base64url_encode` gives this one; null where there is none.",
    example: 'base64url_decode_or_null("w6k") == "é"',
  },
  {
    name: "base64url_encode",
    forms: [form("string", "string")],
    does: "The text in UTF-8 as base64url (RFC 4648 section 5, without padding).",
    example: 'base64url_encode("é") == "w6k"',
  },
  {
    name: "decode_uri_or_null",
    forms: [form("string", "string or null")],
    does:
      "The text with each `%XX` read as a byte of UTF-8 (RFC 3986 section 2.1), `+` kept; null " +
      "for a `%` without two digits, and where the bytes are no UTF-8.",
    example: 'decode_uri_or_null("R%26D") == "R&D"',
  },
  {
    name: "digest",
    forms: [form("string, algorithm", "string"), form("string, algorithm, encoding", "string")],
    does:
      "The hash of the text in UTF-8: `md5` (RFC 1321), `sha1`, `sha256` or `sha512` (FIPS 180-4), " +
      "written as `hex` in lower case (also where it is not said), `base64` or `base64url`.",
    example: 'digest("abc", "sha1", "base64") == "qZk+NkcGgWq6PiVxeFDCbJzQ2J0="',
  },
  {
    name: "encode_uri",
    forms: [form("string", "string")],
    does:
      "The text in UTF-8, percent-encoded but for the unreserved A to Z, a to z, 0 to 9 and " +
      "`-._~` (RFC 3986 section 2).",
    example: 'encode_uri("R&D é") == "R%26D%20%C3%A9"',
  },
  {
    name: "hmac",
    forms: [
      form("string, string, algorithm", "string"),
      form("string, string, algorithm, encoding", "string"),
      form("secret, string, algorithm", "string"),
      form("secret, string, algorithm, encoding", "string"),
    ],
    does: "The HMAC (RFC 2104) of the second text under the key, the first, with words as `digest`.",
    example: 'hmac("key", "text", "sha256").startsWith("6afa9046a9579cad")',
  },
  {
    name: "http_date",
    forms: [form("timestamp", "string")],
    does: "The instant as HTTP writes it (RFC 9110 section 5.6.7, IMF-fixdate), cut to the second.",
    example: 'http_date(timestamp("1994-11-06T08:49:37Z")) == "Sun, 06 Nov 1994 08:49:37 GMT"',
  },
  {
    name: "page_links",
    forms: [form("string, string, integer, integer", "string or null")],
    does:
      "The value of `Link` (RFC 8288) for a URL, the parameter that numbers its pages, the page and " +
      "the last one: `prev`, `next`, `last` and `first` as `with_query` makes them, each where it " +
      "is another page; null where none is.",
    example:
      'page_links("/a?q=b&page=1", "page", 1, 2) == ' +
      '"</a?q=b&page=2>; rel=\\"next\\", </a?q=b&page=2>; rel=\\"last\\""',
  },
  {
    name: "uuid_v5",
    forms: [form("namespace, string", "string")],
    does: "The UUID of a name, version 5 (RFC 9562 section 5.5), in a literal namespace.",
    example:
      'uuid_v5("6ba7b810-9dad-11d1-80b4-00c04fd430c8", "www.example.com") == ' +
      '"2ed6657d-e927-568b-95e1-2665a8aea6a2"',
  },
  {
    name: "with_query",
    forms: [form("string, map of string or null", "string")],
    does:
      "The URL with these parameters, as `encode_uri` writes them, in place of those of the same " +
      "names; the others stay as they are, new ones come last. Null takes one out.",
    example: 'with_query("/a?q=R%26D&page=1", {"page": "2"}) == "/a?q=R%26D&page=2"',
  },
] as const satisfies readonly FunctionEntry[];
