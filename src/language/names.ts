/* data table */
/** The names that expressions see, each with the places where it is seen. */

/** Where an expression can stand, in the words of the reference. */
export const namePlaces = {
  fields: "rules of fields and parts but `holds`",
  needs: "`required when`",
  holds: "`holds` of fields and parts",
  inputs: "rules of inputs but `holds`",
  inputHolds: "`holds` of inputs",
  invariants: "invariants and `Deleted`",
  rows: "`Rows`",
  views: "views",
  shapes: "shapes",
  transitions: "When and Then cells",
  prologue: "steps under `### Every endpoint`, behind `Check the inputs`",
  steps: "steps of endpoints",
  routines: "named steps",
  finding: "conditions of steps that look for rows",
  paths: "Path bullets",
  pathConditions: "conditions of Path bullets",
  calls: "Always of calls",
  standIns: "Stand-in",
  callers: "the Caller bullet",
  actors: "actors",
  data: "event data",
  receivers: "Receivers",
  deliveries: "other bullets of webhooks",
  signing: "the text of Signature",
  headers: "Header of webhooks",
  answerHeaders: "Header of endpoints",
  sees: "Sees",
  errors: "shapes in Errors",
  messages: "shapes in Events",
  amounts: "amounts of limits",
} as const;

export type NamePlace = keyof typeof namePlaces;

export interface NameEntry {
  /** The names that are seen alike. */
  readonly names: readonly string[];
  /** Where they are seen; `all`: everywhere. */
  readonly seenBy: readonly NamePlace[] | "all";
  readonly is: string;
}

const ALL = Object.keys(namePlaces) as NamePlace[];
const allBut = (...places: readonly NamePlace[]): NamePlace[] =>
  ALL.filter((place) => !places.includes(place));

export const names: readonly NameEntry[] = [
  {
    names: ["it"],
    seenBy: [
      "fields",
      "invariants",
      "rows",
      "views",
      "transitions",
      "finding",
      "pathConditions",
      "callers",
      "data",
      "receivers",
      "sees",
      "messages",
      "amounts",
    ],
    is: "the row",
  },
  {
    names: ["query", "header", "cookie"],
    seenBy: ["views", "shapes", "prologue", "steps", "finding", "answerHeaders"],
    is: "the inputs; under `### Every endpoint`, in views, shapes and Header those of its table alone",
  },
  {
    names: ["request"],
    seenBy: ["prologue", "steps", "finding", "answerHeaders"],
    is: "`request.url`: the path and the query, as they were sent; `request.method`; `request.id`: a text that names the request, in the log too",
  },
  {
    names: ["limit"],
    seenBy: ["answerHeaders"],
    is: "how a limit on requests stands that counts this one, else null: `limit.name.amount`, `.used`, `.left`, and `.reset`, when its window ends",
  },
  {
    names: ["path"],
    seenBy: ["steps", "finding", "paths", "pathConditions", "sees"],
    is: "the parameters of the path, each a text unless a row of the input table gives it a type",
  },
  { names: ["body"], seenBy: ["needs", "steps", "finding"], is: "the body" },
  {
    names: ["caller"],
    seenBy: allBut(
      "inputs",
      "inputHolds",
      "standIns",
      "callers",
      "data",
      "receivers",
      "deliveries",
      "signing",
      "headers",
      "messages",
    ),
    is: "the row that the scheme's Caller bullet pins; may be null where a request needs no credentials, or on time",
  },
  {
    names: ["now"],
    seenBy: "all",
    is: "the time of the request, the same for all its steps; in a webhook, of the attempt",
  },
  { names: ["setting"], seenBy: "all", is: "`setting.x`: what the operator supplied" },
  {
    names: ["service"],
    seenBy: [
      "views",
      "shapes",
      "transitions",
      "prologue",
      "steps",
      "routines",
      "finding",
      "signing",
      "headers",
      "answerHeaders",
      "errors",
      "messages",
    ],
    is: "`service.version`: what This version says",
  },
  {
    names: ["value"],
    seenBy: ["holds", "inputHolds"],
    is: "the value given; where a value is `merged`, the one that results",
  },
  {
    names: ["error", "field", "failures"],
    seenBy: ["errors"],
    is: "the error's name, status and columns; the word after `on`; the failed inputs. Behind a timed transition that was `refused`, When and Then see `error.name`",
  },
  {
    names: ["given"],
    seenBy: ["calls", "standIns", "errors"],
    is: "the values after `with`: of the Call step, or of what refuses",
  },
  {
    names: ["said"],
    seenBy: ["calls"],
    is: "the answer of the call; behind `call ... says ...` When and Then see it as well",
  },
  {
    names: ["event"],
    seenBy: ["receivers", "signing", "headers", "sees", "messages"],
    is: "the event's name",
  },
  { names: ["data"], seenBy: ["messages"], is: "the event's data" },
  {
    names: ["event_id"],
    seenBy: ["messages"],
    is: "text that names what happened, the same for all receivers",
  },
  {
    names: ["sent", "delivery"],
    seenBy: ["signing", "headers", "messages"],
    is: "when it happened, and the message's id: the same in every attempt",
  },
  { names: ["payload"], seenBy: ["signing", "headers"], is: "the body as it is sent" },
  { names: ["signature"], seenBy: ["headers"], is: "what the HMAC of Signature gives" },
  {
    names: ["receiver"],
    seenBy: ["receivers", "deliveries", "signing", "headers", "messages"],
    is: "the row that receives",
  },
  { names: ["credential"], seenBy: ["callers"], is: "what was sent" },
];
