/** Rules about operations: effects, bodies, errors, who may ask. */
import type { Operation } from "../model/index.ts";
import { listAt, textAt, valueAt } from "../tree/index.ts";
import { answers, classOf, isClientError, isDefault, isSuccess } from "./answers.ts";
import { needsCredentials, unknownScheme } from "./requirements.ts";
import type { Known, Rule } from "./rule.ts";
import type { Counted } from "./types.ts";

const ENDPOINTS = "Endpoints";
const ERRORS = "Errors";
const ACCESS = "Authentication";

const hasInput = ({ parameters, body }: Operation): boolean =>
  parameters.length > 0 || body !== undefined;

const header = ({ parameters }: Operation, name: RegExp): boolean =>
  parameters.some((each) => each.in === "header" && name.test(each.name));

const changes = ({ method }: Operation): boolean =>
  method === "PUT" || method === "PATCH" || method === "DELETE";

/**
 * Operations that state no error at all are asked once for their errors, and not again for each
 * error that they do not state.
 */
const statesErrors = ({ responses }: Operation): boolean =>
  responses.some((each) => isClientError(each) || classOf(each) === "5" || isDefault(each));

/** Whether the body of some error of it is stated. */
export const statesErrorBody = ({ responses }: Operation): boolean =>
  responses.some((each) => (isClientError(each) || isDefault(each)) && each.content.length > 0);

export const operationRules: readonly Rule<Operation>[] = [
  {
    code: "effect",
    severity: "gap",
    part: ENDPOINTS,
    says: (n, of) =>
      n === of
        ? `None of ${of} operations says what it does: what is kept, changed or read.`
        : `${n} of ${of} operations do not say what they do: what is kept, changed or read.`,
    hint: "OpenAPI has no words for effects; `lacuna import` writes a document that has.",
    question: "What does @ keep, change or read?",
    met: ({ it }) => it.place,
  },
  {
    code: "errors-unstated",
    severity: "gap",
    part: ERRORS,
    says: (n, of) => `${n} of ${of} operations state no error at all: no 4xx, 5xx or \`default\`.`,
    question: "What does @ answer to wrong inputs, bad credentials, and when nothing is there?",
    met: ({ it }) => (statesErrors(it) ? undefined : it.place),
  },
  {
    code: "error-body",
    severity: "gap",
    part: ERRORS,
    says: (n, of) => `${n} of ${of} operations say nothing of the body of a 4xx.`,
    question: "What is in the body of an error of @?",
    // HTTP allows no body in an answer to HEAD.
    met: ({ it }) => (it.method === "HEAD" || statesErrorBody(it) ? undefined : it.place),
  },
  {
    code: "default-only",
    severity: "gap",
    part: ERRORS,
    says: (n, of) =>
      `${n} of ${of} operations state their errors by \`default\` alone: which statuses come is ` +
      `not said.`,
    question: "Which statuses stand behind `default` of @, and when does each come?",
    applies: ({ it }) => it.responses.some(isDefault),
    met: ({ it }) =>
      it.responses.some(isClientError) ? undefined : it.responses.find(isDefault)?.place,
  },
  {
    code: "wrong-input",
    severity: "gap",
    part: ERRORS,
    says: (n, of) =>
      `${n} of ${of} operations with inputs and errors do not say what a wrong input gets (no ` +
      `400, 422 or \`default\`).`,
    question: "What does @ answer to a wrong input?",
    applies: ({ it }) => hasInput(it) && statesErrors(it),
    met: ({ it }) =>
      answers(it, "400") || answers(it, "422") || it.responses.some(isDefault)
        ? undefined
        : it.place,
  },
  {
    code: "not-found",
    severity: "gap",
    part: ERRORS,
    says: (n, of) =>
      `${n} of ${of} operations with errors and a parameter in the path do not say what comes ` +
      `when nothing is there (no 404 or \`default\`).`,
    question: "What does @ answer when its path names nothing that is there?",
    applies: ({ it }) => statesErrors(it) && it.parameters.some((each) => each.in === "path"),
    met: ({ it }) =>
      answers(it, "404") || answers(it, "410") || it.responses.some(isDefault)
        ? undefined
        : it.place,
  },
  {
    code: "server-error",
    severity: "gap",
    part: ERRORS,
    says: (n, of) =>
      `${n} of ${of} operations with errors do not say what comes when the service fails.`,
    question: "What does @ answer when the service itself fails?",
    applies: ({ it }) => statesErrors(it),
    met: ({ it }) =>
      it.responses.some((each) => classOf(each) === "5" || isDefault(each)) ? undefined : it.place,
  },
  {
    code: "who",
    severity: "gap",
    part: ACCESS,
    says: (n, of) => `${n} of ${of} operations say nothing of who may ask.`,
    hint: "`security: []` says that everybody may.",
    question: "Who may call @?",
    met: ({ it }) => (it.security === undefined ? it.place : undefined),
  },
  {
    code: "unauthenticated",
    severity: "gap",
    part: ACCESS,
    says: (n, of) =>
      `${n} of ${of} operations with errors that need credentials do not say what comes without ` +
      `them (no 401 or \`default\`).`,
    question: "What does @ answer without credentials, or to bad ones?",
    applies: ({ it }) => needsCredentials(it) && statesErrors(it),
    met: ({ it }) => (answers(it, "401") || it.responses.some(isDefault) ? undefined : it.place),
  },
  {
    code: "forbidden",
    severity: "gap",
    part: ACCESS,
    says: (n, of) =>
      `${n} of ${of} operations with errors that need credentials do not say what a caller gets ` +
      `who may not (no 403, 404 or \`default\`).`,
    question: "What does @ answer to a known caller who may not do this?",
    applies: ({ it }) => needsCredentials(it) && statesErrors(it),
    met: ({ it }) =>
      answers(it, "403") || answers(it, "404") || it.responses.some(isDefault)
        ? undefined
        : it.place,
  },
  {
    code: "asked-twice",
    severity: "gap",
    part: ENDPOINTS,
    says: (n, of) =>
      `${n} of ${of} operations with POST do not say what the same request does when it comes ` +
      `twice.`,
    hint: "An idempotency key says it: a header that names the attempt.",
    question: "What happens when a client sends @ again, because no answer came?",
    applies: ({ it }) => it.method === "POST",
    met: ({ it }) => (header(it, /idempotency/i) ? undefined : it.place),
  },
  {
    code: "lost-update",
    severity: "gap",
    part: ENDPOINTS,
    says: (n, of) =>
      `${n} of ${of} operations with PUT, PATCH or DELETE do not say what happens when two ` +
      `clients change one thing (no \`If-Match\`).`,
    question: "What happens when two clients send @ for one thing at the same time?",
    applies: ({ it }) => changes(it),
    met: ({ it }) => (header(it, /^if-(match|unmodified-since)$/i) ? undefined : it.place),
  },
  {
    code: "no-success",
    severity: "gap",
    part: ENDPOINTS,
    says: (n, of) => `${n} of ${of} operations state no answer of success.`,
    question: "What does @ answer when it succeeds?",
    met: ({ it }) =>
      it.responses.some((each) => /^[123]/.test(each.status) || isDefault(each))
        ? undefined
        : it.place,
  },
  {
    code: "body-left-out",
    severity: "warning",
    part: ENDPOINTS,
    says: (n, of) =>
      `${n} of ${of} request bodies may be left out, since \`required\` is not \`true\`: few ` +
      `authors mean that.`,
    hint: "State `required: true`, or say what a request without a body does.",
    question: "What does a request without @ do?",
    applies: ({ it }) => it.body !== undefined,
    met: ({ it }) => (it.body?.required === true ? undefined : it.body?.place),
  },
  {
    code: "deprecated-when",
    severity: "gap",
    part: "Versioning",
    says: (n, of) =>
      `${n} of ${of} deprecated operations do not say when they go: OpenAPI has no words for it.`,
    question: "When is @ removed, and what takes its place?",
    applies: ({ it }) => valueAt(it.node, "deprecated") === true,
    met: ({ it }) => it.node.keyPlace("deprecated"),
  },
  {
    code: "get-body",
    severity: "warning",
    part: ENDPOINTS,
    says: (n, of) =>
      `${n} of ${of} operations with GET, HEAD or DELETE state a request body, whose meaning ` +
      `HTTP leaves open (RFC 9110, 9.3.1).`,
    applies: ({ it }) => ["GET", "HEAD", "DELETE"].includes(it.method),
    met: ({ it }) => it.body?.place,
  },
  {
    code: "scheme-unknown",
    severity: "error",
    part: ACCESS,
    says: (n, of) =>
      `${n} of ${of} operations name a security scheme that the file does not define.`,
    met: ({ it, about }) => unknownScheme(it, about),
  },
  {
    code: "operation-without-answers",
    severity: "error",
    part: ENDPOINTS,
    says: (n, of) => `${n} of ${of} operations state no answer at all.`,
    met: ({ it }) => (it.responses.length === 0 ? it.place : undefined),
  },
  {
    code: "list-order",
    severity: "gap",
    part: ENDPOINTS,
    says: (n, of) => `${n} of ${of} operations that answer a list do not say in which order.`,
    question: "In which order do the items come that @ lists?",
    applies: (subject) => listAnswer(subject.it, subject.about) !== undefined,
    met: ({ it, about }) => listAnswer(it, about),
  },
];

/** Where an answer of success is a list itself. */
function listAnswer({ responses }: Operation, { refs }: Known): Operation["place"] | undefined {
  for (const each of responses) {
    if (!isSuccess(each)) continue;
    for (const { schema } of each.content) {
      const node = refs.map(schema);
      if (node === undefined) continue;
      const type = textAt(node, "type");
      const types = listAt(node, "type")?.items ?? [];
      if (type === "array" || types.some((one) => one.kind === "scalar" && one.value === "array")) {
        return each.place;
      }
    }
  }
  return undefined;
}

/** Where all that lack the body of an error state no error at all, that is one cause, not two. */
export function errorsOnce(causes: readonly Counted[]): Counted[] {
  const unstated = causes.find(({ code }) => code === "errors-unstated");
  const bodiless = causes.find(({ code }) => code === "error-body");
  if (unstated === undefined || bodiless?.count !== unstated.count) return [...causes];
  const { question } = unstated;
  const message = bodiless.message.replace(/\.$/, ": they state no error at all.");
  const one = { ...bodiless, message, ...(question === undefined ? {} : { question }) };
  return causes.flatMap((each) => (each === unstated ? [] : [each === bodiless ? one : each]));
}
