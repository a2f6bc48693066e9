/* data table */
/** The nine parts and their 28 facets, with the words by which a sentence may name them. */

interface FacetEntry {
  readonly name: string;
  /** Further words that name it in a sentence `Subject: not shown.` */
  readonly also: readonly string[];
  readonly statedBy: string;
}

export interface PartEntry {
  readonly title: string;
  /** First word of item names. */
  readonly id: string;
  readonly facets: readonly FacetEntry[];
}

const facet = (name: string, statedBy: string, ...also: string[]): FacetEntry => ({
  name,
  also,
  statedBy,
});

export const parts: readonly PartEntry[] = [
  {
    title: "What the service does",
    id: "service",
    facets: [
      facet("purpose", "a paragraph of prose in this part"),
      facet("behaviour", "any bullet of this part", "behavior"),
    ],
  },
  {
    title: "Resources and their fields",
    id: "resources",
    facets: [
      facet("resources", "a heading that names a resource"),
      facet("fields", "a row of a field table, or a schema with properties"),
      facet("types", "a Type cell of a field table, or a schema"),
      facet("constraints", "a rule in a Rules cell, an invariant of a resource, or a schema"),
    ],
  },
  {
    title: "States and transitions",
    id: "states",
    facets: [
      facet("states", "a States bullet"),
      facet("transitions", "a row of a transition table"),
    ],
  },
  {
    title: "Endpoints",
    id: "endpoints",
    facets: [
      facet("methods", "a heading that names an endpoint"),
      facet("paths", "a heading that names an endpoint"),
      facet(
        "request payloads",
        "a Body bullet or a row of an input table",
        "request payload",
        "requests",
      ),
      facet(
        "response payloads",
        "a Respond step, or a row of a table of answers",
        "response payload",
        "responses",
      ),
    ],
  },
  {
    title: "Authentication",
    id: "authentication",
    facets: [
      facet("scheme", "a heading that names a scheme", "authentication scheme", "schemes"),
      facet("credentials", "a Credential bullet"),
      facet("headers", "a Sent in bullet"),
      facet("token handling", "a Lifetime, Revocation or Rotation bullet"),
    ],
  },
  {
    title: "Events",
    id: "events",
    facets: [
      facet("events", "a row of the event table"),
      facet("notifications", "a heading that names a stream"),
      facet("callbacks", "a heading that names a webhook"),
    ],
  },
  {
    title: "Errors",
    id: "errors",
    facets: [
      facet("error codes", "a row of the error table", "errors"),
      facet("status codes", "a Status cell of the error table, or an answer 4xx or 5xx"),
      facet("error payloads", "a Body cell of the error table, or of an answer", "error bodies"),
    ],
  },
  {
    title: "Limits",
    id: "limits",
    facets: [
      facet("rate limits", "a limit that counts requests in a window"),
      facet("size limits", "a limit that counts bytes"),
      facet("time-outs", "a limit on request time", "timeouts"),
      facet("quotas", "a limit that counts rows kept, sums, or requests in a day"),
    ],
  },
  {
    title: "Versioning",
    id: "versioning",
    facets: [
      facet("versioning scheme", "a This version or Chosen by bullet"),
      facet("compatibility rules", "a row of the compatibility table"),
    ],
  },
];
