/* data table */
/** Pages of what is asked of a file as a whole. The right samples are of nine-part documents. */
import { DONE, error, gap, operation } from "./page.ts";

const ONE = operation("get", `responses: { ${DONE} }`);
const LIMITED = operation("get", 'responses: { "204": { description: Done } }');
const SECURED = `${ONE}\ncomponents:\n  securitySchemes:\n    login: { type: http, scheme: basic }`;

export const wholePages = {
  resources: gap(
    "What the service keeps is not said",
    "Schemas say how something is sent. Which things the service keeps, how long, and which schema shows which of them, they do not say.",
    "Import the file, and state the resources in the second part.",
    ONE,
    "### `Note`, many `notes`\n\n| Field | Type | Create | Update | Read | Rules |\n|---|---|---|---|---|---|\n| `text` | string | required | no | yes | 1 to 500 characters |",
  ),
  transitions: gap(
    "States and transitions are not said",
    "An enumeration lists the values of a status, not which follows which, and what moves a thing from one to the next. Prose may mention it; nobody can check prose.",
    "Import the file, and state the states in the third part, or that there are none.",
    ONE,
    "- States: `open` (initial), `paid`, `expired` (final)",
  ),
  "unknown-query": gap(
    "What becomes of an unknown query parameter is not said",
    "OpenAPI lists the parameters of an operation, and has no words for others. A misspelt filter may be refused, or may silently give everything.",
    "Import the file, and answer in the table of failures.",
    ONE,
    "| unknown query parameter | ignored |",
  ),
  "unknown-path": gap(
    "What an unknown path or method gets is not said",
    "OpenAPI describes the paths that there are. The answer to all others, a 404 or 405 and its body, stands nowhere.",
    "Import the file, and answer in the table of failures.",
    ONE,
    "| unknown path | `not_found` |\n| unknown method | `wrong_method` |",
  ),
  "at-once": gap(
    "What requests at the same time see is not said",
    "Two requests run at once: whether one sees half of what the other does, and whether a request that fails leaves something behind, is open.",
    "Import the file, and answer in the first part.",
    ONE,
    "- One request: all or nothing, as if alone",
  ),
  "cross-origin": gap(
    "Whether other origins may ask is not said",
    "A page in a browser may ask another origin only where the service says so by headers (CORS). OpenAPI has no words for it.",
    "Import the file, and answer in the first part.",
    ONE,
    "- Cross-origin: none",
  ),
  "rate-limits": gap(
    "How many requests may come is not said",
    "No answer 429 is stated, nor any number of requests in a time. Prose may mention a limit; then the places are listed.",
    "State a 429, and import the file to state how many, in which time, for whom.",
    ONE,
    "Rate limits: none.",
  ),
  "size-limits": gap(
    "How large a request may be is not said",
    "No member of OpenAPI bounds a body as a whole. Each server in front has a bound of its own, and clients find it by failing.",
    "Import the file, and answer in the part Limits.",
    ONE,
    "Size limits: none.",
  ),
  "time-outs": gap(
    "How long an answer may take is not said",
    "A client has to give up at some time, and the service may end a request at another. Neither stands in the file.",
    "Import the file, and answer in the part Limits.",
    ONE,
    "Time-outs: none.",
  ),
  "token-handling": gap(
    "How credentials end is not said",
    "A scheme says how a credential is sent. How long it is good, how it is renewed and how it is taken back, it does not say.",
    "Import the file, and answer in the part Authentication.",
    SECURED,
    "Token handling: none.",
  ),
  compatibility: gap(
    "Which changes break callers is not said",
    "`version` names this state of the file. Which changes may come under the same version, such as a new member or a new value of an enumeration, stands nowhere.",
    "Import the file, and answer in the part Versioning.",
    LIMITED,
    "| Change | Compatible |\n|---|---|\n| a member is added to an answer | yes |",
  ),
  "operation-id-twice": error(
    "Two operations have one `operationId`",
    "An `operationId` names one operation of the file. Links and generated clients would take either.",
    "Give each operation a name of its own.",
    `paths:\n  /notes:\n    get: { operationId: notes, responses: { ${DONE} } }\n    post: { operationId: notes, responses: { ${DONE} } }`,
    `paths:\n  /notes:\n    get: { operationId: list, responses: { ${DONE} } }\n    post: { operationId: add, responses: { ${DONE} } }`,
  ),
  "same-path": error(
    "Two paths differ by names of parameters alone",
    "A request fits both paths, and OpenAPI calls them identical, whatever methods they have. Which operation is asked is not defined.",
    "Make one path of the two, or let them differ by a fixed part.",
    `paths:\n  /notes/{id}:\n    get: { responses: { ${DONE} } }\n  /notes/{name}:\n    delete: { responses: { ${DONE} } }`,
    `paths:\n  /notes/{id}:\n    get: { responses: { ${DONE} } }\n  /notes/by-name/{name}:\n    delete: { responses: { ${DONE} } }`,
  ),
} as const;
