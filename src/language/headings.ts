/* data table */
/** Every `### ` heading, by part. */
import type { Form, Scope } from "./form.ts";

export interface HeadingForm extends Form {
  /** Titles of the parts in which it may stand. */
  readonly parts: readonly string[];
  /** The scope it opens. */
  readonly opens: Scope;
}

const R = "Resources and their fields";
const S = "States and transitions";
const E = "Endpoints";

export const headings: readonly HeadingForm[] = [
  {
    id: "every resource",
    opens: "every resource",
    parts: [R],
    form: "Every resource",
    means: "Answers that hold for every resource which does not answer for itself.",
    example: "Every resource",
  },
  {
    id: "part",
    opens: "part",
    parts: [R],
    form: "{name:name}, a part",
    means: "A structure stored inside a row, with a field table of its own. It has no identity.",
    example: "`Line`, a part",
  },
  {
    id: "view",
    opens: "view",
    parts: [R],
    form: "{name:name}, a view of {resource:name}",
    means:
      "Another form in which a row of the resource is shown; its values are expressions over `it`.",
    example: "`Profile`, a view of `User`",
  },
  {
    id: "shape",
    opens: "shape",
    parts: [R, "Events", "Errors"],
    form: "{name:name}, a shape",
    means:
      "The form of a payload; its values are expressions over the names of its Given bullets. In Errors it sees `error`, `field`, `failures` and `given` instead, in Events `event`, `it`, `data`, `receiver` and what names the message.",
    example: "`ArticlePage`, a shape",
  },
  {
    id: "schema",
    opens: "schema",
    parts: [R],
    form: "{name:code}, a schema",
    means:
      "A JSON Schema, in a block `json schema`. Its name may be any text that does not begin with `{`.",
    example: "`Pet`, a schema",
  },
  {
    id: "resource",
    opens: "resource",
    parts: [R],
    form: "{name:name}[, many {many:name}][, {kind=kept inside|fixed}]",
    means:
      "A resource: rows that the service keeps. `many` names the collection of its rows in expressions; without it no expression can speak of the collection. `kept inside`: no client reads or writes its fields directly. `fixed`: its rows stand in the document and never change.",
    example: "`Article`, many `articles`",
  },
  {
    id: "machine",
    opens: "machine",
    parts: [S],
    form: "{name:name}",
    means: "The states of the resource.",
    example: "`Order`",
  },
  {
    id: "routine",
    opens: "routine",
    parts: [S, E],
    form: "{name:name}, steps",
    means:
      "Named steps, done by `Do` and by transitions. They may not do themselves, directly or through others.",
    example: "`post`, steps",
  },
  {
    id: "value",
    opens: "value",
    parts: [R, S, E],
    form: "{name:name}, a value",
    means:
      "A named value: expressions use it as a function of its Given names, in their order. A use means what the value's own text would mean in its place.",
    example: "`taken`, a value",
  },
  {
    id: "call",
    opens: "call",
    parts: [S, E],
    form: "{name:name}, a call",
    means: "A door to code or a system outside the document.",
    example: "`charge`, a call",
  },
  {
    id: "every endpoint",
    opens: "every endpoint",
    parts: [E],
    form: "Every endpoint",
    means:
      "What every endpoint does first, and answers that hold for every endpoint which does not answer for itself.",
    example: "Every endpoint",
  },
  {
    id: "group",
    opens: "group",
    parts: [E],
    form: "Every endpoint below {path:code}",
    means:
      "What holds for each endpoint whose path begins with these segments, itself included, unless it answers for itself. Of two groups the longer path stands inside the other. Steps come behind those of `### Every endpoint`, outer groups first, and never respond.",
    example: "Every endpoint below `/articles/{slug}`",
  },
  {
    id: "endpoint",
    opens: "endpoint",
    parts: [E],
    form: "{endpoint:code}[: {title:text}]",
    means:
      "An endpoint: a method and a path in one code span. The path stands behind the base path. `{name}` is a parameter: a segment, or what lies between literal text in it (`{id}:cancel`, `v{id}`), not empty, read as text after percent-decoding (RFC 3986 2.1); `{path...}` at the end is one segment or more, joined by `/`. Where several match, the first segment that differs decides: a literal wins, then the longest text in front of a parameter, then the longest behind it, then the parameter alone, then the rest. `/notes/` and `/notes` are two paths.",
    example: "`PUT /articles/{slug}`: change an article",
  },
  {
    id: "scheme",
    opens: "scheme",
    parts: ["Authentication"],
    form: "{name:name}, a scheme",
    means: "A way to authenticate.",
    example: "`token`, a scheme",
  },
  {
    id: "webhook",
    opens: "webhook",
    parts: ["Events"],
    form: "{name:name}, a webhook",
    means: "Delivery of events by requests to addresses that rows state.",
    example: "`hooks`, a webhook",
  },
  {
    id: "stream",
    opens: "stream",
    parts: ["Events"],
    form: "{name:name}, a stream",
    means: "Delivery of events as server-sent events (WHATWG HTML, section 9.2).",
    example: "`feed`, a stream",
  },
];
