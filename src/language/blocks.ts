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
  {
    id: "answer example",
    in: ["endpoint"],
    form: "json example {answer:text}",
    means:
      "A body that the endpoint may answer: behind `example` its status, then its media type where that is not the body format, then a name, if any. Checked; never read as a statement.",
    example: "json example 200",
    unserved: "it stands for what is not stated yet, where the operator asks for that",
  },
  {
    id: "openapi",
    in: ["service", "schema", "endpoints", "endpoint", "scheme", "webhook"],
    form: "json openapi",
    means:
      "Members of the OpenAPI object that belongs to the heading, which the language has no words for. Kept for `lacuna export --to openapi`; nothing is done with them.",
    example: "json openapi",
    unserved: "for other tools",
  },
  {
    id: "schema",
    in: ["schema"],
    form: "json schema",
    means:
      'A JSON Schema 2020-12: an object, `true` or `false`. `{"$ref": "#/$defs/Pet"}` is the schema of that name; a JSON Pointer into it may follow. `format`, and what JSON Schema does not know, says nothing of which values it takes.',
    example: "json schema",
  },
];
