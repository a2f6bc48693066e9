/* data table */
/** Every type, its wire form and its bound. */
import type { Form } from "./form.ts";

const type = (id: string, form: string, means: string, example: string): Form => ({
  id,
  form,
  means,
  example,
});

export const types: readonly Form[] = [
  type(
    "string",
    "string",
    "Text of Unicode scalar values. JSON string. Length counts code points; order is by code point.",
    "string",
  ),
  type(
    "integer string",
    "integer as string",
    "An integer sent as a JSON string of its shortest decimal form.",
    "integer as string",
  ),
  type(
    "integer",
    "integer",
    "A whole number, exact, at most 38 digits; more is refused, never rounded. JSON number without fraction or exponent.",
    "integer",
  ),
  type(
    "decimal string",
    "decimal {places:count} as string",
    "A decimal sent as a JSON string with exactly its places.",
    "decimal 2 as string",
  ),
  type(
    "decimal",
    "decimal {places:count}",
    "An exact decimal with at most that many places, at most 38 digits in all. JSON number, written with exactly its places; more places are refused, never rounded.",
    "decimal 2",
  ),
  type(
    "number",
    "number",
    "An IEEE 754 binary64 number, finite. JSON number, written in its shortest form that reads back the same.",
    "number",
  ),
  type("boolean", "boolean", "JSON true or false.", "boolean"),
  type(
    "timestamp seconds",
    "timestamp as unix seconds",
    "A point in time sent as a JSON number: whole seconds since 1970-01-01T00:00:00Z, without leap seconds.",
    "timestamp as unix seconds",
  ),
  type(
    "timestamp milliseconds",
    "timestamp as unix milliseconds",
    "A point in time sent as a JSON number: whole milliseconds since 1970-01-01T00:00:00Z.",
    "timestamp as unix milliseconds",
  ),
  type(
    "timestamp in",
    "timestamp in {precision=seconds|milliseconds|microseconds}",
    "A point in time, RFC 3339 section 5.6, with that precision: read with any offset and at most that many fraction digits, sent in UTC with `Z` and exactly that many. Years 0001 to 9999. A leap second (`:60`) is refused.",
    "timestamp in milliseconds",
  ),
  type(
    "timestamp",
    "timestamp",
    "As `timestamp in`, with the precision that the bullet `Timestamps` of part 1 states.",
    "timestamp",
  ),
  type("date", "date", "A calendar date, RFC 3339 full-date, years 0001 to 9999.", "date"),
  type(
    "duration",
    "duration",
    "A span of time, ISO 8601 in days, hours, minutes and seconds: `P1DT2H`, `PT0.5S`; at most microseconds; a day is 24 hours. Sent as `PT` with seconds alone.",
    "duration",
  ),
  type("time zone", "time zone", "The name of a zone of the IANA time zone database.", "time zone"),
  type(
    "email",
    "email",
    "An address as RFC 5321 section 4.1.2 `Mailbox` has it, with a `Dot-string` before the @ and a domain after it; at most 254 characters. Kept and compared as written.",
    "email",
  ),
  type(
    "uri",
    "uri",
    "An absolute URI, RFC 3986 section 4.3, with an optional fragment. Kept as written.",
    "uri",
  ),
  type(
    "uuid",
    "uuid",
    "RFC 9562 section 4 text form; read in either case, sent in lower case.",
    "uuid",
  ),
  type("id prefix", "id {prefix:code}", "As `id`; the text begins with the prefix.", "id `ord_`"),
  type(
    "id",
    "id",
    "Text that the service makes and that names the row to clients: unique, never used again. Which text is free. A resource has at most one.",
    "id",
  ),
  type(
    "secret",
    "secret",
    "Text that is never shown in an answer, an event or a log. How it is kept is a rule (`kept as ...`).",
    "secret",
  ),
  type("one of", "one of {values:values}", "One of these strings.", "one of `EUR`, `USD`"),
  type("list", "list of {of:type}", "A JSON array. Its order is a rule.", "list of string"),
  type("map", "map of {of:type}", "A JSON object whose member names are data.", "map of integer"),
  type(
    "json",
    "json",
    "Any JSON value, kept without losing a digit; member order is kept.",
    "json",
  ),
  type(
    "schema",
    "schema {schema:code}",
    "A JSON value that the schema of that name takes, or the schema itself, text that begins with `{`. Kept without losing a digit. Where it is no JSON, it is read by the schema's own `type`: text where that is `string`, JSON where it is `integer`, `number` or `boolean`, a list where it is `array`, by its members where it is `object`; where that is none of them, that is a gap.",
    "schema `Pet`",
  ),
  type(
    "file",
    "file",
    "Bytes with a media type. Where it is a whole body whose media type is not JSON, and where a Respond sends a value of this type, the bytes as they are under their Content-Type; in `multipart/form-data` a part (RFC 7578); elsewhere a `data` URL in base64 (RFC 2397). Two are the same when their bytes and media types are.",
    "file",
  ),
  type("state", "state", "A state of the resource's machine; sent as its name.", "state"),
  type("event name", "event name", "The name of an event of the document.", "event name"),
  type("error name", "error name", "The name of an error of the document.", "error name"),
  type(
    "reference as",
    "{name:name} as {view:name}",
    "A reference to a row, shown as that view or as the resource itself.",
    "`User` as `Profile`",
  ),
  type(
    "named",
    "{name:name}",
    "A resource: a reference to a row. A field or input of this type is sent and read as the value of the row's key field; a member of a shape or view is the row as the resource shows it. A part, view or shape: that structure.",
    "`User`",
  ),
];

/** Words behind a type. */
export const typeTails: readonly Form[] = [
  type(
    "or null",
    "or null",
    "The value may be `null`. Null and absent are two things.",
    "string or null",
  ),
  type(
    "or absent",
    "or absent",
    "The member may be missing. In an answer a missing value is left out.",
    "string or absent",
  ),
];
