/* data table */
/** Pages of what is counted of schemas and of members of any object. */
import { DONE, error, gap, note, operation, requested, schema, warning } from "./page.ts";

const ANSWERED = (text: string): string =>
  operation(
    "get",
    "responses:",
    '  "200":',
    "    description: Note",
    "    content:",
    "      application/json:",
    `        schema: ${text}`,
  );

const ERRORS = (second: string): string =>
  operation(
    "get",
    "responses:",
    '  "404": { description: Gone, content: { text/plain: { schema: { type: integer } } } }',
    `  "409": { description: Held, content: { text/plain: { schema: ${second} } } }`,
  );

const PLAIN = schema("{ type: string }");

export const schemaPages = {
  "further-members": gap(
    "What becomes of further members is not said",
    "An object in a request has neither `additionalProperties` nor `unevaluatedProperties`. So any further member conforms, and whether it is refused, ignored or kept is open.",
    "State `additionalProperties: false` to refuse them; `true` says that they are taken.",
    requested("{ type: object, properties: { text: { type: string } } }"),
    requested("{ additionalProperties: false, properties: { text: { type: string } } }"),
  ),
  "nothing-required": gap(
    "No member is always there",
    "An object in an answer has no `required`, so a conforming answer may be empty. Each client has to write code for members that never are missing.",
    "List under `required` what always comes; an empty list says that nothing does.",
    ANSWERED("{ type: object, properties: { id: { type: string } } }"),
    ANSWERED("{ type: object, required: [id], properties: { id: { type: string } } }"),
  ),
  "text-length": gap(
    "A text may have any length",
    "A text in requests has neither `maxLength` nor a pattern, an enumeration or a format. What happens with ten megabytes there is open.",
    "State `maxLength`.",
    requested("{ type: string }"),
    requested("{ type: string, maxLength: 200 }"),
  ),
  "number-range": gap(
    "A number may be any",
    "A number in requests has no least and no greatest value. Whether minus one, or a number past what is kept, is refused is open.",
    "State `minimum` and `maximum`.",
    requested("{ type: integer }"),
    requested("{ type: integer, minimum: 1, maximum: 100 }"),
  ),
  "list-length": gap(
    "A list may have any length",
    "A list in requests has no `maxItems`. How many items one request may bring is open.",
    "State `maxItems`.",
    requested("{ type: array, items: { type: boolean } }"),
    requested("{ type: array, maxItems: 50, items: { type: boolean } }"),
  ),
  "required-unlisted": warning(
    "A member is required and not listed",
    "`required` names a member that `properties` does not have. It must be there, and nothing says what it is; often one of the names has a typo.",
    "List the member, or mend its name.",
    schema("{ type: object, required: [txt], properties: { text: { type: string } } }"),
    schema("{ type: object, required: [text], properties: { text: { type: string } } }"),
  ),
  "enum-type": error(
    "An enumeration lists a value of another type",
    "The schema states a type, and `enum` lists a value that is not of it. No value can be both, so it can never be sent.",
    "Mend the value, or the type.",
    schema('{ type: integer, enum: ["1", "2"] }'),
    schema("{ type: integer, enum: [1, 2] }"),
  ),
  "default-outside": error(
    "A default does not fit its schema",
    "What holds when nothing is sent would be refused when it is sent: its type, bounds, enumeration or members are others than the schema allows.",
    "Mend the default, or the schema.",
    schema('{ type: integer, default: "20" }'),
    schema("{ type: integer, default: 20 }"),
  ),
  "bounds-crossed": error(
    "A range that allows nothing",
    "The least value, length or number is above the greatest, so no value fits the schema.",
    "Change the two bounds.",
    schema("{ type: integer, minimum: 9, maximum: 1 }"),
    schema("{ type: integer, minimum: 1, maximum: 9 }"),
  ),
  "beside-ref": warning(
    "Members beside `$ref` are ignored",
    "In Swagger 2.0 and OpenAPI 3.0 a reference stands for what it leads to, and members beside it do not hold. Readers believe them.",
    "Put the reference into `allOf` and the members beside that, or go to OpenAPI 3.1, where they hold.",
    schema("{ $ref: '#/components/schemas/Text', maxLength: 9 }\n    Text: { type: string }"),
    schema(
      "{ allOf: [{ $ref: '#/components/schemas/Text' }], maxLength: 9 }\n    Text: { type: string }",
    ),
  ),
  "discriminator-missing": error(
    "A variant lacks the discriminator's property",
    "A discriminator names the property that tells variants apart, and one of them does not have it. A client cannot tell which variant it has got.",
    "Add the property to each variant, and require it.",
    schema("{ oneOf: [{ type: object, properties: {} }], discriminator: { propertyName: kind } }"),
    schema(
      "{ oneOf: [{ properties: { kind: { type: string } } }], discriminator: { propertyName: kind } }",
    ),
  ),
  "required-read-only": warning(
    "A request must have what is only read",
    "An object that only requests have requires a member that is `readOnly`. It must be there, and must not be sent.",
    "Take it out of `required`, or take `readOnly` away.",
    requested("{ required: [id], properties: { id: { type: string, readOnly: true } } }"),
    requested("{ required: [text], properties: { text: { type: string } } }"),
  ),
  "member-unknown": warning(
    "Members that the version does not have",
    "The object has a name that its version of the language does not know, and that is no extension (`x-`). So nobody reads it: often it is a typo, or a member of another version.",
    "Mend the name; a name of your own begins with `x-`.",
    schema("{ type: object, requied: [text] }"),
    schema("{ type: object, required: [text] }"),
  ),
  "ref-kind": error(
    "A reference to another kind",
    "A reference leads to something of another kind than what stands there: a parameter where a schema is asked for, and the like. Tools read it as something that it is not, or stop.",
    "Refer to something of the right kind.",
    `${schema("{ properties: { text: { $ref: '#/components/parameters/text' } } }")}\n  parameters:\n    text: { name: text, in: query, schema: { type: string } }`,
    schema(
      "{ properties: { text: { $ref: '#/components/schemas/Text' } } }\n    Text: { type: string }",
    ),
  ),
  "example-outside": warning(
    "An example does not fit its schema",
    "Readers copy an example before they read anything else, and this one would be refused: its type, bounds, enumeration or members are others than the schema allows.",
    "Mend the example, or the schema.",
    schema("{ type: integer, example: many }"),
    schema("{ type: integer, example: 12 }"),
  ),
  "component-unused": note(
    "A named component is used nowhere",
    "Nothing in the file refers to it. It may be left over, or what should refer to it has a typo.",
    "Take it away, or refer to it.",
    PLAIN,
    schema("{ properties: { next: { $ref: '#/components/schemas/Note' } } }"),
  ),
  "error-shapes": note(
    "Errors have several schemas",
    "The bodies of errors of this file have more than one schema. A client needs code for each of them, and must know which comes when.",
    "Let all errors share one schema, in `components`.",
    ERRORS("{ type: string }"),
    ERRORS("{ type: integer }"),
  ),
  extensions: note(
    "Extensions",
    "Members whose names begin with `x-` mean something to the tools that they were made for. The survey takes nothing from them.",
    "Nothing is wrong: what callers have to know should stand in a member that all tools read.",
    `${PLAIN}\nx-owner: team`,
    PLAIN,
  ),
  links: note(
    "Links",
    "Links tell clients which values of an answer another operation takes. They ask nothing of the service, so nothing of the survey depends on them.",
    "Nothing is wrong.",
    `${PLAIN}\n  links:\n    self: { operationId: read }`,
    PLAIN,
  ),
  "callbacks-stated": note(
    "Callbacks",
    "A callback says which request the service sends, and where to. When it is sent, and what is done when it fails, it does not say.",
    "Say when it is sent and how often it is tried; in a nine-part document a webhook states both.",
    `${PLAIN}\n  callbacks:\n    told:\n      "{$request.query.url}":\n        post: { responses: { ${DONE} } }`,
    PLAIN,
  ),
  "examples-stated": note(
    "Examples",
    "Examples show readers what a value looks like, and bind nobody. They are held to their schemas (`example-outside`), and `lacuna serve --examples` answers with them.",
    "Nothing is wrong.",
    schema("{ type: string, example: tea }"),
    PLAIN,
  ),
  styles: note(
    "Ways to write parameters",
    "`style`, `explode`, `allowReserved`, `collectionFormat` and encodings say how lists and objects become text. They are kept for export.",
    "Nothing is wrong.",
    operation(
      "get",
      "parameters: [{ name: tag, in: query, explode: false }]",
      `responses: { ${DONE} }`,
    ),
    operation("get", "parameters: [{ name: tag, in: query }]", `responses: { ${DONE} }`),
  ),
  discriminators: note(
    "Discriminators",
    "A discriminator names the property by which clients choose among schemas. It takes no value in or out: the schemas alone do.",
    "Nothing is wrong.",
    schema("{ properties: { kind: { type: string } }, discriminator: { propertyName: kind } }"),
    PLAIN,
  ),
  xml: note(
    "Ways to write bodies in XML",
    "Members under `xml` say how a value is written in XML. They are kept for export; the schemas hold for JSON.",
    "Nothing is wrong.",
    schema("{ type: string, xml: { attribute: true } }"),
    PLAIN,
  ),
  "servers-stated": note(
    "Servers",
    "Servers tell clients where the service is. Where it runs is the business of its operator, and nothing that it does depends on it, but for the path.",
    "Nothing is wrong.",
    `${PLAIN}\nservers: [{ url: https://notes.example/v1 }]`,
    PLAIN,
  ),
} as const;
