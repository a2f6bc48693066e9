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

const heading = (
  opens: Scope,
  parts: readonly string[],
  form: string,
  means: string,
  example: string,
  id: string = opens,
): HeadingForm => ({ id, opens, parts, form, means, example });

export const headings: readonly HeadingForm[] = [
  heading(
    "every resource",
    [R],
    "Every resource",
    "Answers that hold for every resource which does not answer for itself.",
    "Every resource",
  ),
  heading(
    "part",
    [R],
    "{name:name}, a part",
    "A structure stored inside a row, with a field table of its own. It has no identity.",
    "`Line`, a part",
  ),
  heading(
    "view",
    [R],
    "{name:name}, a view of {resource:name}",
    "Another form in which a row of the resource is shown; its values are expressions over `it`.",
    "`Profile`, a view of `User`",
  ),
  heading(
    "shape",
    [R, "Events", "Errors"],
    "{name:name}, a shape",
    "The form of a payload; its values are expressions over the names of its Given bullets. In Errors it sees `error`, `field`, `failures` and `given` instead, in Events `event`, `data`, `sent` and `delivery`.",
    "`ArticlePage`, a shape",
  ),
  heading(
    "resource",
    [R],
    "{name:name}[, many {many:name}][, {kind=kept inside|fixed}]",
    "A resource: rows that the service keeps. `many` names the collection of its rows in expressions; without it no expression can speak of the collection. `kept inside`: no client reads or writes its fields directly. `fixed`: its rows stand in the document and never change.",
    "`Article`, many `articles`",
  ),
  heading("machine", [S], "{name:name}", "The states of the resource.", "`Order`"),
  heading(
    "routine",
    [S, E],
    "{name:name}, steps",
    "Named steps, done by `Do` and by transitions. They may not do themselves, directly or through others.",
    "`post`, steps",
  ),
  heading(
    "call",
    [S, E],
    "{name:name}, a call",
    "A door to code or a system outside the document.",
    "`charge`, a call",
  ),
  heading(
    "every endpoint",
    [E],
    "Every endpoint",
    "What every endpoint does first, and answers that hold for every endpoint which does not answer for itself.",
    "Every endpoint",
  ),
  heading(
    "endpoint",
    [E],
    "{endpoint:code}[: {title:text}]",
    "An endpoint: a method and a path in one code span. The path stands behind the base path. `{name}` is a parameter: one whole segment, not empty, read as text after percent-decoding (RFC 3986 2.1). Where a literal segment and a parameter both match, the literal wins.",
    "`PUT /articles/{slug}`: change an article",
  ),
  heading(
    "scheme",
    ["Authentication"],
    "{name:name}, a scheme",
    "A way to authenticate.",
    "`token`, a scheme",
  ),
  heading(
    "webhook",
    ["Events"],
    "{name:name}, a webhook",
    "Delivery of events by requests to addresses that rows state.",
    "`hooks`, a webhook",
  ),
  heading(
    "stream",
    ["Events"],
    "{name:name}, a stream",
    "Delivery of events as server-sent events (WHATWG HTML, section 9.2).",
    "`feed`, a stream",
  ),
];
