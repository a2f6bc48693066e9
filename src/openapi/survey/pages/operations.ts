/* data table */
/** Pages of what is counted of operations, their parameters and their answers. */
import { DONE, error, gap, note, operation, warning } from "./page.ts";

const PARAMETER = (text: string, method = "get"): string =>
  operation(method, `parameters: [${text}]`, `responses: { ${DONE} }`);

const ANSWER = (text: string, method = "get"): string =>
  operation(method, "responses:", `  ${text}`);

const SECURED = (lines: readonly string[], scheme = "{ type: http, scheme: basic }"): string =>
  [operation("get", ...lines), "components:", "  securitySchemes:", `    login: ${scheme}`].join(
    "\n",
  );

const OAUTH =
  "{ type: oauth2, flows: { implicit: { authorizationUrl: /a, scopes: { read: Reads } } } }";

const WITH_ID = (answers: string): string =>
  [
    "paths:",
    "  /notes/{id}:",
    "    get:",
    "      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]",
    `      responses: { ${answers} }`,
  ].join("\n");

export const operationPages = {
  effect: gap(
    "Operations do not say what they do",
    "OpenAPI and AsyncAPI state what goes over the wire. What an operation keeps, changes or reads, they have no words for, so each builder decides it from names and prose.",
    "Import the file with `lacuna import`, and answer in the steps of each endpoint; what nobody knows stays `not shown`.",
    operation("post", `responses: { ${DONE} }`),
    "1. Create a `Note` as `note` from `body`.\n2. Respond `201` with `Note` of `note`.",
  ),
  "errors-unstated": gap(
    "No error is stated",
    "These operations state no answer 4xx, 5xx or `default`. What a wrong input gets, bad credentials, or a path that names nothing, is open: a client has only its own guesses to handle.",
    "State a 4xx (or `default`) with `content`; a shared answer in `components` serves all operations.",
    operation(
      "get",
      `responses: { ${DONE} }`,
      'post: { responses: { "404": { description: Gone } } }',
    ).replace("      post:", "    post:"),
    ANSWER('"404": { description: Gone, content: { text/plain: { schema: { type: string } } } }'),
  ),
  "error-body": gap(
    "The body of a 4xx is not said",
    "No answer 4xx or `default` of these operations states a body. A client sees that it was refused, and not what to mend.",
    "State a 4xx (or `default`) with `content`; a shared answer in `components` serves all operations.",
    operation("get", 'responses: { "404": { description: Gone } }'),
    ANSWER('"404": { description: Gone, content: { text/plain: { schema: { type: string } } } }'),
  ),
  "default-only": gap(
    "Errors are stated by `default` alone",
    "`default` says that other answers look alike, and not which statuses there are. A client cannot tell an error that it can mend from one that it must wait out.",
    "List the statuses that come, each with its meaning, beside `default`.",
    ANSWER("default: { description: Failed }"),
    ANSWER('default: { description: Failed }\n        "404": { description: Gone }'),
  ),
  "wrong-input": gap(
    "What a wrong input gets is not said",
    "The operation takes inputs, and states neither a 400 nor a 422 nor a `default`. Whether a wrong value is refused, repaired or ignored is open.",
    "State the answer to a request whose parameters or body are wrong.",
    operation(
      "get",
      "parameters: [{ name: limit, in: query, schema: { type: integer } }]",
      'responses: { "401": { description: Sign in } }',
    ),
    operation(
      "get",
      "parameters: [{ name: limit, in: query, schema: { type: integer } }]",
      'responses: { "400": { description: Wrong } }',
    ),
  ),
  "not-found": gap(
    "What comes when nothing is there is not said",
    "The path names a thing by a parameter, and neither 404 nor 410 nor `default` is stated. A client cannot tell a thing that is gone from a service that fails.",
    "State a 404.",
    WITH_ID('"401": { description: Sign in }'),
    WITH_ID('"404": { description: Gone }'),
  ),
  "server-error": gap(
    "What comes when the service fails is not said",
    "Neither a 5xx nor `default` is stated, so the body of a failure, and whether it pays to try again, is open.",
    "State a 500, 5XX or `default`.",
    ANSWER('"404": { description: Gone }'),
    ANSWER('"500": { description: Failed }'),
  ),
  who: gap(
    "Who may ask is not said",
    "Neither the operation nor the file has `security`. That it is missing may mean that everybody may ask, or that nobody wrote it down.",
    "State `security`; an empty list says that everybody may.",
    operation("get", `responses: { ${DONE} }`),
    operation("get", "security: []", `responses: { ${DONE} }`),
  ),
  unauthenticated: gap(
    "What comes without credentials is not said",
    "The operation needs credentials, and neither a 401 nor `default` is stated. A client cannot tell that it must sign in again.",
    "State a 401.",
    SECURED(["security: [{ login: [] }]", 'responses: { "404": { description: Gone } }']),
    SECURED(["security: [{ login: [] }]", 'responses: { "401": { description: Sign in } }']),
  ),
  forbidden: gap(
    "What a caller gets who may not is not said",
    "The operation needs credentials, and none of 403, 404 and `default` is stated. Whether a thing of others is refused or hidden is open.",
    "State a 403, or a 404 where the thing is to be as if it were not there.",
    SECURED(["security: [{ login: [] }]", 'responses: { "401": { description: Sign in } }']),
    SECURED(["security: [{ login: [] }]", 'responses: { "403": { description: Refused } }']),
  ),
  "asked-twice": gap(
    "What the same POST does twice is not said",
    "When an answer is lost, a client sends the request again. No header names the attempt, so a second row, a second payment or a refusal are all possible.",
    "State a header parameter `Idempotency-Key`, and what the same key does again.",
    operation("post", `responses: { ${DONE} }`),
    PARAMETER("{ name: Idempotency-Key, in: header, schema: { type: string } }", "post"),
  ),
  "lost-update": gap(
    "What two changes at once do is not said",
    "Two clients read the same thing and change it; without `If-Match` the second overwrites what the first has written, or is refused: nobody has said which.",
    "State a header parameter `If-Match` and the 412, or say that the last one wins.",
    operation("put", `responses: { ${DONE} }`),
    PARAMETER("{ name: If-Match, in: header, schema: { type: string } }", "put"),
  ),
  "no-success": gap(
    "No answer of success is stated",
    "Only errors are listed. What a request gets that succeeds, each client has to find out by trying.",
    "State the 2xx or 3xx with its body.",
    ANSWER('"404": { description: Gone }'),
    operation("get", `responses: { ${DONE} }`),
  ),
  "body-left-out": warning(
    "A request body may be left out",
    "`required` of a request body is `false` where it is not stated. So a request without a body conforms, which few authors mean.",
    "State `required: true`, or say what a request without a body does.",
    operation(
      "post",
      "requestBody: { content: { application/json: {} } }",
      `responses: { ${DONE} }`,
    ),
    operation(
      "post",
      "requestBody: { required: true, content: { application/json: {} } }",
      `responses: { ${DONE} }`,
    ),
  ),
  "deprecated-when": gap(
    "When a deprecated operation goes is not said",
    "`deprecated: true` warns, and states no date and no replacement. Nobody can plan with it.",
    "Say in the description until when it stays; in a nine-part document a table states it.",
    operation("get", "deprecated: true", `responses: { ${DONE} }`),
    operation("get", `responses: { ${DONE} }`),
  ),
  "get-body": warning(
    "GET, HEAD or DELETE with a body",
    "HTTP gives a body of such a request no meaning (RFC 9110, 9.3.1): proxies may drop it, and some servers refuse it.",
    "Take parameters of the query, or POST; OpenAPI 3.2 has the method QUERY.",
    operation(
      "delete",
      "requestBody: { required: true, content: { text/plain: {} } }",
      `responses: { ${DONE} }`,
    ),
    operation("delete", `responses: { ${DONE} }`),
  ),
  "scheme-unknown": error(
    "A security scheme is not defined",
    "`security` names a scheme that is not among the security schemes of the file. Which credentials are meant, nobody can tell.",
    "Define the scheme, or name one that is there.",
    operation("get", "security: [{ key: [] }]", `responses: { ${DONE} }`),
    SECURED(["security: [{ login: [] }]", `responses: { ${DONE} }`]),
  ),
  "operation-without-answers": error(
    "An operation states no answer",
    "`responses` is missing or empty. OpenAPI asks for at least one answer, and a client needs it.",
    "State the answer of success at least.",
    operation("get", "responses: {}"),
    operation("get", `responses: { ${DONE} }`),
  ),
  "list-order": gap(
    "The order of a list is not said",
    "The answer is a list, and nothing says in which order its items come. Clients come to rely on the order that they see, and pages may repeat items or lose them.",
    "Say the order in the description, or offer a parameter for it.",
    ANSWER(
      '"200": { description: Notes, content: { application/json: { schema: { type: array } } } }',
    ),
    ANSWER(
      '"200": { description: Note, content: { application/json: { schema: { type: object } } } }',
    ),
  ),
  "media-type": gap(
    "A body has no media type",
    "Swagger states media types by `consumes` and `produces`, and neither stands at the operation nor at the top. How the body is written is open.",
    "State `consumes` and `produces`.",
    'swagger: "2.0"\ninfo: { title: Notes, version: "1" }\npaths:\n  /notes:\n    get:\n      responses: { "200": { description: Note, schema: { type: string } } }',
    'swagger: "2.0"\ninfo: { title: Notes, version: "1" }\nproduces: [application/json]\npaths:\n  /notes:\n    get:\n      responses: { "200": { description: Note, schema: { type: string } } }',
  ),
  "body-anything": gap(
    "A body may be anything",
    "The body in JSON has no schema, or one that no value fails. What is in it, a client cannot know.",
    "State its members and their types.",
    ANSWER('"200": { description: Note, content: { application/json: { schema: {} } } }'),
    ANSWER(
      '"200": { description: Note, content: { application/json: { schema: { type: string } } } }',
    ),
  ),
  "parameter-ignored": warning(
    "A header parameter that OpenAPI ignores",
    "`Accept`, `Content-Type` and `Authorization` among parameters are ignored by OpenAPI 3: tools neither send nor check them.",
    "State media types in `content`, and credentials in `securitySchemes`.",
    PARAMETER("{ name: Authorization, in: header, schema: { type: string } }"),
    PARAMETER("{ name: Trace, in: header, schema: { type: string } }"),
  ),
  "path-parameter-optional": error(
    "A path parameter that may be left out",
    "A path without one of its parts is another path, so each parameter of the path must be `required: true`.",
    "State `required: true`, or a second path without the part.",
    WITH_ID('"404": { description: Gone }').replace("required: true, ", ""),
    WITH_ID('"404": { description: Gone }'),
  ),
  "parameter-type": gap(
    "A parameter states no type",
    "Without a schema any text may be sent, and which ones are refused is open.",
    "State a schema with its type and bounds.",
    PARAMETER("{ name: limit, in: query }"),
    PARAMETER("{ name: limit, in: query, schema: { type: integer } }"),
  ),
  "parameter-default-absent": gap(
    "What holds without a parameter is not said",
    "The parameter may be left out, and its schema has no `default`. What the service does then, clients learn by trying.",
    "State `default`, or `required: true`.",
    PARAMETER("{ name: limit, in: query, schema: { type: integer } }"),
    PARAMETER("{ name: limit, in: query, schema: { type: integer, default: 20 } }"),
  ),
  "path-parameter-unknown": error(
    "A parameter of the path is not stated",
    "The path has a name in braces for which no parameter is stated, so its values are unknown, and tools cannot build the address.",
    "State the parameter with `in: path`.",
    `paths:\n  /notes/{id}:\n    get: { responses: { ${DONE} } }`,
    WITH_ID('"404": { description: Gone }'),
  ),
  "path-parameter-unused": error(
    "A path parameter is not in the path",
    "A parameter with `in: path` has no place in the path, so it can never be sent. Often one of the two names has a typo.",
    "Take it away, or mend the name.",
    PARAMETER("{ name: id, in: path, required: true, schema: { type: string } }"),
    WITH_ID('"404": { description: Gone }'),
  ),
  "operation-deprecated-mentioned": note(
    "Deprecated in prose alone",
    "A summary or description calls the operation deprecated, and `deprecated` is not `true`. People may read it; tools and generated clients do not.",
    "State `deprecated: true`.",
    operation("get", "summary: Deprecated, use /texts", `responses: { ${DONE} }`),
    operation("get", "deprecated: true", `responses: { ${DONE} }`),
  ),
  "success-body": gap(
    "The body of a success is not said",
    "An answer 2xx other than 204 and 205 states no `content`. Whether there is a body, and what is in it, is open.",
    "State `content`, or answer 204 where there is none.",
    ANSWER('"200": { description: Note }'),
    operation("get", `responses: { ${DONE} }`),
  ),
  "error-without-body": gap(
    "An error states no body",
    "This answer 4xx states no `content`, so what a client may read there is open, while another error of the operation states its own.",
    "State `content`, as the other errors do.",
    operation(
      "get",
      "responses:",
      '  "400": { description: Wrong, content: { text/plain: { schema: { type: string } } } }',
      '  "404": { description: Gone }',
    ),
    ANSWER('"404": { description: Gone, content: { text/plain: { schema: { type: string } } } }'),
  ),
  "status-unknown": error(
    "A key of an answer is no status",
    "Answers stand under three digits from 100 to 599, a class such as `4XX`, or `default`. Anything else is read by nobody.",
    "Write the status with three digits.",
    ANSWER("ok: { description: Done }"),
    operation("get", `responses: { ${DONE} }`),
  ),
  "body-where-none": error(
    "A body where HTTP has none",
    "Answers 204, 205 and 304 have no body (RFC 9110, 15.3.5). A body that is stated for one can never come.",
    "Take `content` away, or answer 200.",
    ANSWER('"204": { description: Done, content: { text/plain: { schema: { type: string } } } }'),
    operation("get", `responses: { ${DONE} }`),
  ),
  "too-many-requests": gap(
    "Requests are limited, and not to how many",
    "A 429 is stated, and no member says how many requests may come, in which time, and for whom they are counted.",
    "OpenAPI has no words for it: say it in the description, or import the file and state it in the part Limits.",
    ANSWER('"429": { description: Too many }'),
    operation("get", `responses: { ${DONE} }`),
  ),
  "parameter-case": warning(
    "Two parameters differ by case alone",
    "Two parameters of one operation have the same name but for small and capital letters. Header names are the same then, and readers mix up the others.",
    "Keep one of them, or name them apart.",
    PARAMETER("{ name: limit, in: query }, { name: Limit, in: query }"),
    PARAMETER("{ name: limit, in: query }, { name: offset, in: query }"),
  ),
  "scope-unknown": error(
    "A scope is not among those of its scheme",
    "`security` asks for a scope that the OAuth scheme does not list. No token can be asked for that has it.",
    "List the scope at the scheme, or mend its name.",
    SECURED(["security: [{ login: [write] }]", `responses: { ${DONE} }`], OAUTH),
    SECURED(["security: [{ login: [read] }]", `responses: { ${DONE} }`], OAUTH),
  ),
  "style-undefined": warning(
    "A way to write a parameter that is not defined",
    "OpenAPI defines for each place which `style` there is, for which types, and `allowEmptyValue` for the query alone. Beyond that each tool writes something else.",
    "Take a style that is defined for the place and the type.",
    PARAMETER("{ name: limit, in: query, style: deepObject, schema: { type: integer } }"),
    PARAMETER("{ name: limit, in: query, style: form, schema: { type: integer } }"),
  ),
  "content-type-header": warning(
    "`Content-Type` among the headers of an answer",
    "OpenAPI ignores a header of that name: the media type of a body is the name of its member in `content`.",
    "State the media type in `content`.",
    ANSWER('"200": { description: Note, headers: { Content-Type: { schema: { type: string } } } }'),
    ANSWER('"200": { description: Note, content: { text/plain: { schema: { type: string } } } }'),
  ),
  "media-type-wrong": error(
    "A media type that is none",
    "A media type is a type, a slash and a subtype, with parameters behind semicolons (RFC 9110, 8.3.1). This name is none, so no body can be sent under it.",
    "Write it as in `application/json`.",
    ANSWER('"200": { description: Note, content: { JSON: { schema: { type: string } } } }'),
    ANSWER(
      '"200": { description: Note, content: { application/json: { schema: { type: string } } } }',
    ),
  ),
} as const;
