/** What a Respond step sends: the schema of its body, its media type, its headers. */
import { never } from "../../base/index.ts";
import type { Code, Type } from "../../expr/index.ts";
import { type Endpoint, type Expression, isStated, type Step } from "../../plan/index.ts";
import { exactNumber, type Json, type JsonObject } from "../schemas/json.ts";
import { type Member, objectSchema } from "../schemas/objects.ts";
import { nullable, typeSchema } from "../schemas/types.ts";
import type { World } from "../schemas/world.ts";
import { type Media, mediaOf } from "./media.ts";

type Respond = Extract<Step, { kind: "respond" }>;

interface Sent {
  readonly body?: { readonly media: Media; readonly schema: Json | undefined };
  readonly headers: readonly (readonly [
    string,
    { readonly schema: JsonObject; readonly sure: boolean },
  ])[];
  /** It carries the tag of a row, or of itself. */
  readonly tagged: boolean;
}

/** The schema of what an expression gives, in JSON. */
function valueSchema(w: World, code: Code): JsonObject {
  if (code.op === "gap") return { "x-lacuna-gap": w.gap(code.gap) };
  if (code.op === "literal" && typeof code.value === "string" && code.type.kind === "string") {
    return { const: code.value };
  }
  if (code.op === "map" && code.entries.every(({ key }) => isText(key))) {
    const members = code.entries.map(({ key, value }): Member => {
      const name = key.op === "literal" ? String(key.value) : "";
      return { path: [name], schema: valueSchema(w, value), required: true };
    });
    return objectSchema(members, "always");
  }
  return exprSchema(w, code.type);
}

function isText(code: Code): boolean {
  return code.op === "literal" && typeof code.value === "string";
}

function exprSchema(w: World, type: Type): JsonObject {
  switch (type.kind) {
    case "boolean":
    case "integer":
    case "number":
      return { type: type.kind };
    case "decimal": {
      const step = type.places === 0 ? "1" : `0.${"1".padStart(type.places, "0")}`;
      return { type: "number", multipleOf: exactNumber(step) };
    }
    case "string":
      return type.oneOf === undefined || type.oneOf.length === 0
        ? { type: "string" }
        : { type: "string", enum: [...type.oneOf] };
    case "timestamp":
      return { type: "string", format: "date-time" };
    case "date":
      return { type: "string", format: "date" };
    case "duration":
    case "zone":
    case "secret":
    case "file":
      return { type: "string" };
    case "json":
      return { "x-lacuna-type": "json" };
    case "null":
      return { type: "null" };
    case "list":
      return { type: "array", items: exprSchema(w, type.of) };
    case "map":
      return { type: "object", additionalProperties: exprSchema(w, type.of) };
    case "row":
      return typeSchema(
        w,
        { type: { kind: "reference", resource: type.resource }, orNull: false, orAbsent: false },
        { mode: "read" },
      );
    case "object": {
      const name = type.name.replace(/^part:/, "");
      const isNamed = w.parts.has(name) || w.shapes.has(name) || w.resources.has(name);
      return isNamed ? w.ref(name) : { type: "object" };
    }
    case "nullable":
      return nullable(exprSchema(w, type.of));
    case "unknown":
      return type.gap === undefined
        ? { "x-lacuna-type": "json" }
        : { "x-lacuna-gap": w.gap(type.gap) };
    default:
      return never(type);
  }
}

/** The schema of a header's value, which stands in it as text. */
export function headerSchema(w: World, { code }: Expression): JsonObject {
  const schema = valueSchema(w, code);
  const { type, enum: values } = schema;
  // In a header there is no null: it is not sent.
  if (!Array.isArray(type)) return schema;
  const listed = Array.isArray(values) ? { enum: values.filter((one) => one !== null) } : {};
  return { ...schema, type: type[0] as string, ...listed };
}

/** What the step sends in answers of the endpoint. */
export function bodyOf(w: World, endpoint: Endpoint, step: Respond): Sent {
  const headers = step.headers.map(({ name, value }) => {
    const { kind } = value.code.type;
    const sure = kind !== "nullable" && kind !== "unknown";
    return [name, { schema: headerSchema(w, value), sure }] as const;
  });
  const { body } = step;
  const ofAnswer = endpoint.method === "GET" && step.status === 200 && isStated(endpoint.answerTag);
  const rest = { headers, tagged: ofAnswer };
  switch (body.is) {
    case "none":
      return { ...rest, tagged: false };
    case "text":
      return { ...rest, body: { media: { type: body.media }, schema: { type: "string" } } };
    case "value": {
      const { code } = body.value;
      if (code.type.kind === "file") {
        return { ...rest, body: { media: { type: "*/*" }, schema: undefined } };
      }
      return { ...rest, body: { media: mediaOf(w, undefined), schema: valueSchema(w, code) } };
    }
    case "shape with":
    case "shape": {
      const shape = w.shapes.get(body.shape);
      const one = w.ref(body.shape);
      const isList = body.is === "shape" && body.list;
      const schema = isList ? { type: "array", items: one } : one;
      const owner = w.resources.get(shape?.viewOf ?? body.shape);
      const isRow = body.is === "shape" && !isList && owner?.versionTag !== undefined;
      const media = mediaOf(w, shape?.contentType);
      return { headers, tagged: ofAnswer || isRow, body: { media, schema } };
    }
    default:
      return never(body);
  }
}
