/** Rule: what is read or sent has a form in its media type, or as a text where it is one. */
import {
  type BaseType,
  type Endpoint,
  type InputPlace,
  type ItemId,
  isScalar,
  isStated,
  type ValueType,
} from "../../plan/index.ts";
import { type Rule, type RuleContext, report } from "./context.ts";
import { hasMembers, isFormBody, isJsonType, readFormat, statedFormat } from "./media.ts";
import { endpointKey } from "./places.ts";

const COMPOUND: readonly BaseType["kind"][] = ["list", "map", "structure", "json", "schema"];

const ANY_ITEM = "Only JSON and forms have members: state another media type, or another body.";

/** Whether what the endpoint reads has members or items. */
function readsMembers({ body, inputs }: Endpoint): boolean {
  if (inputs.some((one) => one.in === "body")) return true;
  if (!isStated(body)) return false;
  const { content, member } = body.value;
  return content.is !== "type" || member !== undefined || COMPOUND.includes(content.type.type.kind);
}

function judgeRead(c: RuleContext, endpoint: Endpoint): void {
  const format = readFormat(c, endpoint);
  if (format === undefined || hasMembers(c, endpoint) || !readsMembers(endpoint)) return;
  const { body } = endpoint;
  report(c, {
    code: "no-form",
    severity: "error",
    at: isStated(body) ? body.value.id : endpoint.id,
    message: `A body \`${format}\` has no members, and \`${endpointKey(endpoint)}\` reads some.`,
    hint: ANY_ITEM,
  });
}

/** How values stand where they are texts: several under one name or in one header, or one alone. */
type Text = "several" | "header" | "one";

const TEXTS: Readonly<Record<Exclude<InputPlace, "body">, Text>> = {
  path: "one",
  query: "several",
  header: "header",
  cookie: "one",
};

/** Whether the names of forms and queries nest, for all that is known. */
function nests({ service }: RuleContext): boolean {
  const { nesting } = service.about;
  return isStated(nesting) || nesting.is === "gap";
}

/** Whether a file stands deeper in the type than names of files are looked for. */
function hidesFile(c: RuleContext, { type }: ValueType, seen = new Set<string>()): boolean {
  if (type.kind === "list") return hidesFile(c, type.of, seen);
  if (type.kind === "map") return type.of.type.kind === "file" || hidesFile(c, type.of, seen);
  if (type.kind !== "structure" || seen.has(type.name)) return false;
  seen.add(type.name);
  const fields = c.parts.get(type.name)?.fields ?? [];
  return fields.some((one) => one.type.type.kind === "file" || hidesFile(c, one.type, seen));
}

/** What no client can send of a type where names may nest; undefined: all can be sent. */
function unsent(c: RuleContext, type: ValueType, text: Text): string | undefined {
  if (text !== "several" || !nests(c)) return withoutText(type, text);
  return hidesFile(c, type) ? "a file inside a part or a map" : undefined;
}

/** What has no text inside a type that is to be sent as texts; undefined: it can be sent. */
function withoutText({ type }: ValueType, text: Text): string | undefined {
  if (isScalar(type)) return undefined;
  switch (type.kind) {
    case "map":
      return "a map";
    case "structure":
      return `\`${type.name}\``;
    case "list":
      if (text === "one") return "a list";
      return type.of.type.kind === "list" ? "a list in a list" : withoutText(type.of, text);
    case "reference":
      return undefined;
  }
}

const PLACES: Readonly<Record<Text, string>> = {
  header: "a value here is a text, or texts with commas between them",
  several: "a value here is a text, or a list of texts under one name",
  one: "a value here is one text",
};

const NESTING = "state `Nested names` in part 1";

function judgeText(c: RuleContext, at: ItemId, type: ValueType, text: Text): void {
  const what = unsent(c, type, text);
  if (what === undefined) return;
  report(c, {
    code: "not-sendable",
    severity: "error",
    at,
    message: `No client can send ${what} here: ${PLACES[text]}.`,
    hint:
      `Give its members names of their own, take \`json\`, which is read from its text, ` +
      `${text === "several" ? `${NESTING}, ` : ""}or state a body in JSON.`,
  });
}

/** Reports what stands in a place of texts and has none. */
function judgeTexts(c: RuleContext, endpoint: Endpoint): void {
  const form = isFormBody(c, endpoint);
  for (const { in: place, id, type, name, gaps } of endpoint.inputs) {
    if (gaps?.in !== undefined || gaps?.type !== undefined) continue;
    if (place !== "body") judgeText(c, id, type, TEXTS[place]);
    else if (form) {
      judgeText(c, id, type, "several");
      if (name.includes(".")) nested(c, id, name);
    }
  }
  if (!form || !isStated(endpoint.body)) return;
  const { id, content, member } = endpoint.body.value;
  if (member !== undefined) nested(c, id, member);
  if (content.is === "type") {
    // A whole body that is a part is read member by member.
    const part = content.type.type.kind === "structure" && c.parts.get(content.type.type.name);
    if (!part) judgeText(c, id, content.type, "several");
    for (const field of part ? part.fields : []) {
      if (field.create.is !== "no") judgeText(c, id, field.type, "several");
    }
    return;
  }
  const mode = content.is === "new" ? "create" : "update";
  for (const field of c.resources.get(content.resource)?.fields ?? []) {
    if (field[mode].is === "no") continue;
    const what = unsent(c, field.type, "several");
    if (what === undefined) continue;
    report(c, {
      code: "not-sendable",
      severity: "error",
      at: id,
      message:
        `No client can send \`${field.name}\` in this form: ${PLACES.several}, ` +
        `and it is ${what}.`,
      hint:
        `Write \`no\` for it in the table of \`${content.resource}\`, ${NESTING}, ` +
        "or state a body in JSON.",
    });
  }
}

function nested(c: RuleContext, at: ItemId, name: string): void {
  if (nests(c)) return;
  report(c, {
    code: "not-sendable",
    severity: "error",
    at,
    message: `No client can send \`${name}\` in a form: its names do not nest.`,
    hint: `Take a name without dots, or ${NESTING}.`,
  });
}

/** Reports a shape that would be sent in a body which is not JSON. */
function judgeSent(c: RuleContext, at: string, name: string): void {
  const own = c.shapes.get(name)?.contentType;
  if (own?.is === "gap") return;
  const format = isStated(own) ? own.value : statedFormat(c);
  if (format === undefined || isJsonType(format)) return;
  report(c, {
    code: "no-form",
    severity: "error",
    at,
    message: `\`${name}\` has members, and a body \`${format}\` has none.`,
    hint: "Only JSON is written: state another media type, or respond with a text or a file.",
  });
}

/** Reports `no-form`, `not-sendable`. */
export const forms: Rule = (c) => {
  for (const endpoint of c.service.endpoints) {
    judgeRead(c, endpoint);
    judgeTexts(c, endpoint);
  }
  for (const { step } of c.steps) {
    if (step.kind !== "respond") continue;
    if (step.body.is === "shape" || step.body.is === "shape with") {
      judgeSent(c, step.id, step.body.shape);
    }
  }
  for (const { id, body } of c.service.errors) {
    if (isStated(body)) judgeSent(c, id, body.value);
  }
};
