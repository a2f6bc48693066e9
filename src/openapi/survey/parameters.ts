/** Rules about parameters, answers and bodies. */
import type { Media, Operation, Parameter, Response } from "../model/index.ts";
import { textAt, valueAt } from "../tree/index.ts";
import { isClientError, isSuccess, mayHaveBody } from "./answers.ts";
import { statesErrorBody } from "./operations.ts";
import type { Rule } from "./rule.ts";

const ENDPOINTS = "Endpoints";

/** Headers that OpenAPI 3 takes from other places: specification, Parameter Object. */
const ELSEWHERE = new Set(["accept", "content-type", "authorization"]);

const isSwagger = (kind: string): boolean => kind === "swagger";

export const parameterRules: readonly Rule<Parameter>[] = [
  {
    code: "parameter-ignored",
    severity: "warning",
    part: ENDPOINTS,
    says: (n, of) =>
      `${n} of ${of} header parameters are \`Accept\`, \`Content-Type\` or \`Authorization\`, ` +
      `which OpenAPI 3 ignores: what they state does not hold.`,
    hint: "State media types in `content`, credentials in `securitySchemes`.",
    applies: ({ it, about }) => it.in === "header" && !isSwagger(about.description.kind),
    met: ({ it }) => (ELSEWHERE.has(it.name.toLowerCase()) ? it.place : undefined),
  },
  {
    code: "path-parameter-optional",
    severity: "error",
    part: ENDPOINTS,
    says: (n, of) => `${n} of ${of} path parameters are not \`required: true\`, as they must be.`,
    applies: ({ it }) => it.in === "path",
    met: ({ it }) => (it.required ? undefined : it.place),
  },
  {
    code: "parameter-type",
    severity: "gap",
    part: ENDPOINTS,
    says: (n, of) => `${n} of ${of} parameters state no schema: any text may be sent.`,
    question: "Which values may @ have?",
    applies: ({ it }) => it.in !== "body",
    met: ({ it, about }) => {
      if (isSwagger(about.description.kind)) {
        return it.node.indexOf("type") < 0 ? it.place : undefined;
      }
      return it.schema === undefined && it.content.length === 0 ? it.place : undefined;
    },
  },
  {
    code: "parameter-default-absent",
    severity: "gap",
    part: ENDPOINTS,
    says: (n, of) =>
      `${n} of ${of} query parameters that may be left out do not say what holds then (no ` +
      `\`default\`).`,
    question: "What holds when @ is left out?",
    applies: ({ it }) => it.in === "query" && !it.required,
    met: ({ it, about }) => {
      const schema = isSwagger(about.description.kind) ? it.node : about.refs.map(it.schema);
      return schema !== undefined && schema.indexOf("default") < 0 ? it.place : undefined;
    },
  },
];

export const responseRules: readonly Rule<Response>[] = [
  {
    code: "success-body",
    severity: "gap",
    part: ENDPOINTS,
    says: (n, of) =>
      `${n} of ${of} answers of success (2xx but 204, 205) say nothing of their body.`,
    hint: "A 204 says that there is none.",
    question: "What is in the body of @?",
    applies: ({ it }) => isSuccess(it) && mayHaveBody(it),
    met: ({ it, operation }) =>
      it.content.length > 0 || operation?.method === "HEAD" ? undefined : it.place,
  },
  {
    code: "error-without-body",
    severity: "gap",
    part: "Errors",
    says: (n, of) =>
      `${n} of ${of} answers 4xx say nothing of their body, where another error of the operation ` +
      `does.`,
    question: "What is in the body of @?",
    applies: ({ it, operation }) =>
      isClientError(it) && operation !== undefined && statesErrorBody(operation),
    met: ({ it }) => (it.content.length > 0 ? undefined : it.place),
  },
  {
    code: "status-unknown",
    severity: "error",
    part: "Errors",
    says: (n, of) => `${n} of ${of} answers have a key that is no status, \`4XX\` or \`default\`.`,
    met: ({ it }) => (/^([1-5](\d\d|XX)|default)$/.test(it.status) ? undefined : it.place),
  },
  {
    code: "body-where-none",
    severity: "error",
    part: ENDPOINTS,
    says: (n, of) =>
      `${n} of ${of} answers 204, 205 and 304 state a body, which HTTP does not allow.`,
    applies: ({ it }) => !mayHaveBody(it),
    met: ({ it }) => it.content[0]?.place,
  },
  {
    code: "too-many-requests",
    severity: "gap",
    part: "Limits",
    says: (n) =>
      `${n} answers 429 say that requests are limited, not to how many, in which time, for whom.`,
    question: "How many requests may come before @, in which time, and for whom are they counted?",
    applies: ({ it }) => it.status === "429",
    met: ({ it }) => it.place,
  },
];

export const mediaRules: readonly Rule<Media>[] = [
  {
    code: "media-type",
    severity: "gap",
    part: ENDPOINTS,
    says: (n, of) => `${n} of ${of} bodies state no media type (no \`consumes\` or \`produces\`).`,
    question: "Of which media type is @?",
    met: ({ it }) => (it.type === undefined ? it.place : undefined),
  },
  {
    code: "body-anything",
    severity: "gap",
    part: ENDPOINTS,
    says: (n, of) => `${n} of ${of} bodies in JSON state no schema, or one that allows anything.`,
    question: "What may @ hold?",
    applies: ({ it }) => it.type === undefined || /[/+]json\b/i.test(it.type),
    met: ({ it, about }) => {
      const schema = about.refs.follow(it.schema);
      if (schema === undefined || schema.kind === "list") return it.place;
      if (schema.kind === "scalar") return schema.value === false ? undefined : it.place;
      return schema.keys.some((key) => !SAYS_NOTHING.has(key) && !key.startsWith("x-"))
        ? bareObject(textAt(schema, "type"), schema.keys)
          ? it.place
          : undefined
        : it.place;
    },
  },
];

/** Members of a schema that keep no value out. */
const SAYS_NOTHING = new Set([
  ...["title", "description", "example", "examples", "default", "deprecated", "externalDocs"],
  ...["readOnly", "writeOnly", "nullable", "xml", "$comment", "format"],
]);

/** `type: object` and nothing about its members. */
const bareObject = (type: string | undefined, keys: readonly string[]): boolean =>
  type === "object" &&
  keys.every((key) => key === "type" || SAYS_NOTHING.has(key) || key.startsWith("x-"));

/** Rules about one operation that look at its path and its parameters together. */
export const pathRules: readonly Rule<Operation>[] = [
  {
    code: "path-parameter-unknown",
    severity: "error",
    part: ENDPOINTS,
    says: (n, of) =>
      `${n} of ${of} operations have a parameter in their path that they do not state.`,
    applies: ({ it }) => it.path.startsWith("/"),
    met: ({ it }) => {
      const stated = new Set(
        it.parameters.flatMap((each) => (each.in === "path" ? [each.name] : [])),
      );
      return namesIn(it.path).some((name) => !stated.has(name)) ? it.place : undefined;
    },
  },
  {
    code: "path-parameter-unused",
    severity: "error",
    part: ENDPOINTS,
    says: (n, of) => `${n} of ${of} operations state a path parameter that is not in their path.`,
    applies: ({ it }) => it.path.startsWith("/"),
    met: ({ it }) => {
      const named = new Set(namesIn(it.path));
      return it.parameters.find((each) => each.in === "path" && !named.has(each.name))?.place;
    },
  },
  {
    code: "operation-deprecated-mentioned",
    severity: "note",
    part: "Versioning",
    says: (n) => `${n} operations are called deprecated in prose, and not marked so.`,
    hint: "`deprecated: true` states it.",
    met: ({ it }) => {
      const said = `${textAt(it.node, "summary") ?? ""} ${textAt(it.node, "description") ?? ""}`;
      const isMarked = valueAt(it.node, "deprecated") === true;
      return !isMarked && /\bdeprecated\b/i.test(said) ? it.place : undefined;
    },
  },
];

/** The names between braces; Google's `{+name}` and a query behind `?` are taken as they come. */
function namesIn(path: string): string[] {
  return [...path.matchAll(/\{([^{}]*)\}/g)].map((each) => each[1] ?? "");
}
