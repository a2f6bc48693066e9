/* data table */
/** Every fenced block. */
import type { Form, Scope } from "./form.ts";

interface BlockForm extends Form {
  readonly in: readonly Scope[] | "any";
}

export const blocks: readonly BlockForm[] = [
  {
    id: "example",
    in: "any",
    form: "http {title:text}",
    means:
      "An example: requests, each with the answer that it gets, run in order against a service that has its rows at the start alone, at any heading. A request is a method and a target on one line, header fields, an empty line and the body; an answer begins with `HTTP/1.1` and the status. A line `After 10 min` moves the clock. `{{name}}` in an answer stands for any text, number or whole value and keeps it; in a later request or answer it is that. `{{*}}` stands for any JSON value. The clock begins now, or where a line `At 2026-01-01T00:00:00Z` says; settings are taken from the environment. Header fields that the answer does not list are not judged. The lines of a `multipart` body end with CR LF. Examples are checked and run; they are never read as statements.",
    example: "http place an order",
  },
  {
    id: "rows",
    in: ["resource"],
    form: "json rows {block:word}",
    means:
      "Rows that are there from the start: a JSON array of objects, with the fields of the resource. A reference is the value of the other row's key.",
    example: "json rows tenants",
  },
];
