/** Bodies of requests: resources made or changed, values, members of the table of inputs. */
import {
  type Body,
  type Endpoint,
  type Input,
  isStated,
  sentPath,
  statedOf,
} from "../../plan/index.ts";
import type { Json, JsonObject } from "./json.ts";
import { givenMembers, type Member, objectSchema, unlisted } from "./objects.ts";
import { ruledSchema } from "./rules.ts";
import type { At } from "./types.ts";
import type { World } from "./world.ts";

/** How values stand in the body. */
type Sending = Pick<At, "form" | "bytes">;

const FORM = /^(application\/x-www-form-urlencoded|multipart\/form-data)\s*(;|$)/i;

/** How values stand in a body of the media type; undefined: of one that is not shown. */
export function sendingBy(media: string | undefined): Sending {
  const found = FORM.exec(media ?? "")?.[1]?.toLowerCase();
  if (found === undefined) return {};
  return found.startsWith("multipart") ? { form: "text", bytes: true } : { form: "text" };
}

/** What is sent as a whole body; without a schema it is a file as it is. */
interface Sent {
  readonly schema: JsonObject | undefined;
  /** A request must have a body. */
  readonly required: boolean;
}

function inputMember(w: World, input: Input, at: Sending): Member {
  const { type, rules, gaps, needed } = input;
  const schema =
    gaps?.type === undefined
      ? ruledSchema(w, { ...type, rules }, { ...at, mode: "new" })
      : { "x-lacuna-gap": w.gap(gaps.type) };
  const mark = gaps?.needed === undefined ? {} : { "x-lacuna-gap": w.gap(gaps.needed) };
  const fills = rules.some(({ kind }) => kind === "absent means");
  return {
    path: sentPath(input),
    schema: { ...schema, ...mark },
    required: needed === "yes" && !fills,
  };
}

/** Members of a resource that is made or changed, below the member that the body has it under. */
function contentMembers(w: World, endpoint: Endpoint, body: Body, at: Sending): Member[] {
  const { content, member, rules } = body;
  const path = member?.split(".") ?? [];
  if (content.is === "type") {
    const schema = ruledSchema(w, { ...content.type, rules }, { ...at, mode: "new" });
    return [{ path, schema, required: !content.type.orAbsent }];
  }
  const owner = w.resources.get(content.resource) ?? w.parts.get(content.resource);
  if (owner === undefined) return [];
  return givenMembers(w, owner, { ...at, mode: content.is }, endpoint).map((one) => ({
    ...one,
    path: [...path, ...one.path],
  }));
}

/** A member of the body that holds all others must be there. */
function wrapped(schema: JsonObject, path: readonly string[]): JsonObject {
  const [name, ...rest] = path;
  if (name === undefined) return schema;
  const { properties, required } = schema;
  const inner = (properties as JsonObject | undefined)?.[name];
  const own = Array.isArray(required) ? (required as readonly Json[]) : [];
  return {
    ...schema,
    properties: {
      ...(properties as JsonObject),
      [name]: wrapped((inner ?? { type: "object" }) as JsonObject, rest),
    },
    required: own.includes(name) ? own : [...own, name],
  };
}

/** The schema in which at least one member of the object at `path` must be given. */
function counted(schema: JsonObject, path: readonly string[]): JsonObject {
  const [name, ...rest] = path;
  if (name === undefined) return { ...schema, minProperties: 1 };
  const properties = schema["properties"] as JsonObject | undefined;
  const inner = (properties?.[name] ?? {}) as JsonObject;
  return { ...schema, properties: { ...properties, [name]: counted(inner, rest) } };
}

/** What is sent as the whole body. */
export function bodyOfRequest(w: World, endpoint: Endpoint, at: Sending): Sent {
  const body = statedOf(endpoint.body);
  const { content, member, rules } = body ?? {};
  if (body !== undefined && content?.is === "type" && member === undefined) {
    if (content.type.type.kind === "file") return { schema: undefined, required: true };
    const value = { ...content.type, rules: rules ?? [] };
    return { schema: ruledSchema(w, value, { ...at, mode: "new" }), required: true };
  }
  const own = body === undefined ? [] : contentMembers(w, endpoint, body, at);
  const rows = endpoint.inputs.filter((one) => one.in === "body" && one.gaps?.in === undefined);
  const inputs = rows.map((one) => inputMember(w, one, at));
  // A row stands in the place of a field with its name.
  const names = new Set(inputs.map(({ path }) => JSON.stringify(path)));
  const members = [...own.filter(({ path }) => !names.has(JSON.stringify(path))), ...inputs];
  const plain = objectSchema(members, "where needed", unlisted(w, endpoint));
  const isWrapped = content?.is === "new" || content?.is === "changed";
  const whole = isWrapped ? wrapped(plain, member?.split(".") ?? []) : plain;
  const isCounted = body?.rules.some(({ kind }) => kind === "at least one member") === true;
  const schema = isCounted ? counted(whole, member?.split(".") ?? []) : whole;
  return { schema, required: isCounted || "required" in whole };
}

/** Whether the endpoint reads a body, for all that is shown. */
export function readsBody({ body, inputs }: Endpoint): boolean {
  return isStated(body) || inputs.some((one) => one.in === "body");
}

/** The schema of the body that the endpoint reads; undefined: it reads none, or a file. */
export function bodySchema(w: World, endpoint: Endpoint): JsonObject | undefined {
  if (!readsBody(endpoint)) return undefined;
  const media = endpoint.formatGap === undefined ? endpoint.format : undefined;
  return bodyOfRequest(w, endpoint, sendingBy(media ?? statedOf(w.plan.about.bodyFormat))).schema;
}
