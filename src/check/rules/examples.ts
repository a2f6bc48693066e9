/** Rule: what an example shows does not contradict the statements. */
import type { Span } from "../../base/index.ts";
import { type Endpoint, isStated, statedOf } from "../../plan/index.ts";
import {
  type ExampleExchange,
  type ExampleHeader,
  type ExampleText,
  type FenceNode,
  parseExample,
  placeholdersIn,
  quotedPlaceholders,
} from "../../spec/index.ts";
import { type Rule, type RuleContext, report } from "./context.ts";
import { Unknown } from "./met.ts";
import { type Members, type Payload, payloadOf, takenMembers, takesBody } from "./payloads.ts";
import { type Routes, routeOf, routesOf } from "./routes.ts";
import { type Answers, endpointAnswers, generalAnswers, isStandard } from "./statuses.ts";

interface Given {
  readonly c: RuleContext;
  readonly routes: Routes;
  readonly general: Answers;
  readonly unknown: Unknown;
  /** Endpoint -> what it can answer, once it was asked for. */
  readonly known: Map<string, Answers>;
  /** Endpoint -> status -> payloads and header fields of its Respond steps. */
  readonly responds: ReadonlyMap<string, ReadonlyMap<number, readonly Sent[]>>;
  /** Offset of the block's content. */
  start: number;
}

interface Sent {
  readonly payload: Payload;
  readonly headers: readonly string[];
}

type Code =
  | "example-form"
  | "example-request"
  | "example-status"
  | "example-body"
  | "example-header";

function tell(
  g: Given,
  code: Code,
  at: Span,
  said: readonly [message: string, hint: string],
): void {
  report(g.c, {
    code,
    severity: "error",
    message: said[0],
    hint: said[1],
    at: { start: g.start + at.start, end: g.start + at.end },
  });
}

function respondsOf(c: RuleContext): Given["responds"] {
  const found = new Map<string, Map<number, Sent[]>>();
  for (const { step, owner } of c.steps) {
    if (step.kind !== "respond") continue;
    const all = found.get(owner.id) ?? new Map<number, Sent[]>();
    found.set(owner.id, all);
    all.set(step.status, [
      ...(all.get(step.status) ?? []).slice(0, 20),
      {
        payload: payloadOf(c, step),
        headers: step.headers.map((one) => one.name.toLowerCase()),
      },
    ]);
  }
  return found;
}

interface Headed {
  readonly headers: readonly ExampleHeader[];
}

/** Whether a message is JSON, by its own Content-Type or else by the body format. */
function isJson(g: Given, headers: readonly ExampleHeader[]): boolean {
  const { bodyFormat } = g.c.service.about;
  const own = headers.find((one) => one.name.text.toLowerCase() === "content-type")?.value.text;
  const type = own ?? statedOf(bodyFormat) ?? "";
  return /^application\/(json|[\w.-]+\+json)\s*(;|$)/i.test(type);
}

/** The value of a body that is JSON; undefined, told, where it is none. */
function parsed(g: Given, { headers }: Headed, body: ExampleText): { value: unknown } | undefined {
  if (!isJson(g, headers)) return undefined;
  try {
    return { value: JSON.parse(quotedPlaceholders(body.text)) };
  } catch {
    tell(g, "example-body", body, [
      "This body is not JSON.",
      "`{{name}}` and `{{*}}` stand for a whole value, or in a text.",
    ]);
    return undefined;
  }
}

function judgeMembers(g: Given, body: ExampleText, value: unknown, members: Members): void {
  if (members === undefined || typeof value !== "object" || value === null) return;
  const one: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof one !== "object" || one === null) return;
  const other = Object.keys(one).find((name) => !members.has(name));
  if (other === undefined) return;
  tell(g, "example-body", body, [
    `This body has a member \`${other}\`, which is not stated.`,
    `Members: ${[...members]
      .slice(0, 30)
      .map((name) => `\`${name}\``)
      .join(", ")}.`,
  ]);
}

/** Whether a condition is no failure at the endpoint. */
function ignores(g: Given, endpoint: Endpoint, condition: string): boolean {
  const row = [...endpoint.failures, ...g.c.service.failures].find(
    (one) => one.condition === condition,
  );
  return row !== undefined && row.answer.is !== "error";
}

/** A request that is not refused is one that the endpoint takes. */
function judgeSent(g: Given, { request, response }: ExampleExchange, endpoint: Endpoint): void {
  if (response.status >= 400 || request.body === undefined) return;
  if (takesBody(endpoint) === false) {
    if (!ignores(g, endpoint, "body not expected")) {
      tell(g, "example-body", request.body, [
        "A body is sent, and this endpoint has none.",
        "Take the body away, or state it (`- Body:`).",
      ]);
    }
    return;
  }
  const read = parsed(g, request, request.body);
  if (read === undefined || ignores(g, endpoint, "unknown member")) return;
  judgeMembers(g, request.body, read.value, takenMembers(g.c, endpoint));
}

function judgeGot(g: Given, { response }: ExampleExchange, sent: readonly Sent[]): void {
  const { body } = response;
  if (body === undefined) return;
  if (sent.length > 0 && sent.every((one) => one.payload.is === "none")) {
    tell(g, "example-body", body, [
      `An answer ${response.status} of this endpoint has no body.`,
      "Take the body away, or change the Respond step.",
    ]);
    return;
  }
  if (sent.some((one) => one.payload.is === "text")) return;
  const read = parsed(g, response, body);
  const [first, second] = sent;
  if (read === undefined || first === undefined || second !== undefined) return;
  const { payload } = first;
  if (payload.is !== "unknown" && Array.isArray(read.value) !== (payload.is === "list")) {
    tell(g, "example-body", body, [
      payload.is === "list"
        ? "The answer is a list, and this is none."
        : "The answer is an object, and this is a list.",
      "Write the body as the Respond step has it.",
    ]);
  } else judgeMembers(g, body, read.value, payload.members);
}

function judgeAnswer(g: Given, one: ExampleExchange, endpoint: Endpoint): void {
  const byStatus = g.responds.get(endpoint.id) ?? new Map<number, readonly Sent[]>();
  const { status, statusText } = one.response;
  const answers =
    g.known.get(endpoint.id) ?? endpointAnswers(g.c, endpoint, g.general, byStatus.keys());
  g.known.set(endpoint.id, answers);
  if (answers.statuses !== undefined && !answers.statuses.has(status)) {
    const known = [...answers.statuses].sort((a, b) => a - b).join(", ");
    tell(g, "example-status", statusText, [
      `This endpoint never answers ${status}.`,
      `It can answer: ${known}.`,
    ]);
    return;
  }
  const sent = status < 400 ? (byStatus.get(status === 304 ? 200 : status) ?? []) : [];
  judgeGot(g, one, sent);
  const { headers = [], idempotency } = endpoint;
  const always = [...headers, ...(idempotency?.mark === undefined ? [] : [idempotency.mark])];
  const stated = new Set([
    ...answers.headers,
    ...sent.flatMap((each) => each.headers),
    ...always.map((each) => each.name.toLowerCase()),
  ]);
  for (const { name } of one.response.headers) {
    const lower = name.text.toLowerCase();
    if (stated.has(lower) || isStandard(lower)) continue;
    tell(g, "example-header", name, [
      `No answer ${status} of this endpoint has the header field ` + `\`${name.text}\`.`,
      "State it in the Respond step or the error table, or take it away.",
    ]);
  }
}

/** A request that no endpoint takes is answered by the row of the failure table. */
function judgeUnknown(g: Given, one: ExampleExchange, condition: string): void {
  const { request, response } = one;
  const row = g.c.service.failures.find((each) => each.condition === condition);
  const error = row?.answer.is === "error" ? g.c.errors.get(row.answer.error) : undefined;
  const status = isStated(error?.status) ? error.status.value : undefined;
  if (status === response.status || (status === undefined && response.status >= 400)) return;
  const what = `${request.method.text} ${request.target.text}`;
  tell(g, "example-request", request.target, [
    `No endpoint takes \`${what}\`.`,
    condition === "unknown path"
      ? "Write a path that an endpoint has, behind the base path."
      : "An endpoint has this path, none with this method.",
  ]);
}

function judgeNames(g: Given, one: ExampleExchange, known: Set<string>): void {
  const { request, response } = one;
  for (const text of [
    request.target,
    ...request.headers.map((header) => header.value),
    ...(request.body === undefined ? [] : [request.body]),
  ]) {
    const other = placeholdersIn(text.text).find((name) => !known.has(name));
    if (other === undefined) continue;
    tell(g, "example-form", text, [
      other === "*"
        ? "`{{*}}` stands in answers alone."
        : `No answer before this request has \`{{${other}}}\`.`,
      "Name a text of an earlier answer.",
    ]);
  }
  const got = [...response.headers.map((header) => header.value), response.body];
  for (const text of got) for (const name of placeholdersIn(text?.text ?? "")) known.add(name);
}

function judgeBlock(g: Given, fence: FenceNode): void {
  g.start = fence.content.start;
  const example = parseExample(fence.content.text);
  for (const problem of example.problems) {
    tell(g, "example-form", problem, [problem.message, problem.hint]);
  }
  const known = new Set<string>();
  for (const one of example.exchanges) {
    judgeNames(g, one, known);
    known.delete("*");
    const route = routeOf(g.routes, one.request.method.text, one.request.target.text);
    if (route === "stream" || one.request.method.text === "OPTIONS") continue;
    if (typeof route === "string") {
      if (!g.unknown.hidesRoute) judgeUnknown(g, one, route);
      continue;
    }
    // What is not shown may be just what the example shows.
    if (g.unknown.isMet(route, one.response.status)) continue;
    judgeSent(g, one, route);
    judgeAnswer(g, one, route);
  }
}

/** Reports `example-form`, and `-request`, `-status`, `-body` and `-header` likewise. */
export const examples: Rule = (c) => {
  const fences = c.spec.parts.flatMap((part) =>
    part.sections.flatMap((section) => section.fences.filter((fence) => fence.block === "example")),
  );
  if (fences.length === 0) return;
  const g: Given = {
    c,
    routes: routesOf(c),
    general: generalAnswers(c),
    unknown: new Unknown(c),
    known: new Map(),
    responds: respondsOf(c),
    start: 0,
  };
  for (const fence of fences) judgeBlock(g, fence);
};
