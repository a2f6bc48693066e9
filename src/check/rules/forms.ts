/** Rule: what is read or sent as a body has a form in the media type that is stated for it. */
import type { BaseType, Endpoint } from "../../model/index.ts";
import { type Rule, type RuleContext, report } from "./context.ts";
import { endpointKey } from "./places.ts";

const JSON_TYPE = /^application\/(json|[\w.-]+\+json)\s*(;|$)/i;
const FORM_TYPE = /^(application\/x-www-form-urlencoded|multipart\/form-data)\s*(;|$)/i;
const COMPOUND: readonly BaseType["kind"][] = ["list", "map", "structure", "json"];

const ANY_ITEM = "Only JSON and forms have members: state another media type, or another body.";

function globalFormat({ service }: RuleContext): string | undefined {
  const { bodyFormat } = service.about;
  return bodyFormat.is === "stated" ? bodyFormat.value : undefined;
}

/** Whether what the endpoint reads has members or items. */
function readsMembers({ body, inputs }: Endpoint): boolean {
  if (inputs.some((one) => one.in === "body")) return true;
  if (body.is !== "stated") return false;
  const { content, member } = body.value;
  return content.is !== "type" || member !== undefined || COMPOUND.includes(content.type.type.kind);
}

function judgeRead(c: RuleContext, endpoint: Endpoint): void {
  const format = endpoint.format ?? globalFormat(c);
  if (format === undefined || JSON_TYPE.test(format) || FORM_TYPE.test(format)) return;
  if (!readsMembers(endpoint)) return;
  const { body } = endpoint;
  report(c, {
    code: "no-form",
    severity: "error",
    at: body.is === "stated" ? body.value.id : endpoint.id,
    message: `A body \`${format}\` has no members, and \`${endpointKey(endpoint)}\` reads some.`,
    hint: ANY_ITEM,
  });
}

/** Reports a shape that would be sent in a body which is not JSON. */
function judgeSent(c: RuleContext, at: string, name: string): void {
  const format = c.shapes.get(name)?.contentType ?? globalFormat(c);
  if (format === undefined || JSON_TYPE.test(format)) return;
  report(c, {
    code: "no-form",
    severity: "error",
    at,
    message: `\`${name}\` has members, and a body \`${format}\` has none.`,
    hint: "Only JSON is written: state another media type, or respond with a text or a file.",
  });
}

/** Reports `no-form`. */
export const forms: Rule = (c) => {
  for (const endpoint of c.service.endpoints) judgeRead(c, endpoint);
  for (const { step } of c.steps) {
    if (step.kind !== "respond") continue;
    if (step.body.is === "shape" || step.body.is === "shape with") {
      judgeSent(c, step.id, step.body.shape);
    }
  }
  for (const { id, body } of c.service.errors) {
    if (body.is === "stated") judgeSent(c, id, body.value);
  }
};
