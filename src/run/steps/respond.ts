/** Compiles `Respond`: what is shown is fixed by the step, written when invariants are judged. */
import type { Type } from "../../expr/index.ts";
import {
  type Answer,
  type BaseType,
  type Expression,
  isStated,
  type ResponseBody,
  type Step,
  type ValueType,
  whyNotCompared,
} from "../../plan/index.ts";
import { headerText } from "../answers/headers.ts";
import type { CompilerServices, Run, StepContext } from "../compile/services.ts";
import type { Activation, Scope } from "../context/activation.ts";
import { type StepOutcome, Stop } from "../context/step-outcome.ts";
import type { Response, Row, Value } from "../ports/index.ts";
import { compileExpression } from "../query/expression.ts";
import { compileNamed } from "../query/rows.ts";
import { contentTypeOf, tagOf } from "../show/headers.ts";
import { structureColumn, typeColumn } from "../show/types.ts";
import { partsOfFile } from "../wire/file.ts";
import { bodyFormat, parseMediaType } from "../wire/media.ts";
import { isListedWeakly } from "../wire/tags.ts";

type Of<K extends Step["kind"]> = Extract<Step, { kind: K }>;
type Header = readonly [name: string, value: string];

/** Digits of a hash by which two answers are told apart: 128 bits. */
const TAG_DIGITS = 32;

interface BodyText {
  readonly text: string;
  /** The text is base64 of a file with this media type. */
  readonly fileType?: string;
}

interface BodyWriter {
  readonly contentType: Answer<string> | undefined;
  write(activation: Activation): BodyText;
  /** The one row that is shown, for its version tag. */
  row?(activation: Activation): Row;
}

/** The stated type nearest to the type of an expression; throws a Stop where there is none. */
function shownType(type: Type, item: string): ValueType {
  const orNull = type.kind === "nullable";
  const inner = orNull ? type.of : type;
  return { type: shownBase(inner, item), orNull, orAbsent: false };
}

function shownBase(type: Type, item: string): BaseType {
  switch (type.kind) {
    case "integer":
      return { kind: "integer", wire: "number" };
    case "decimal":
      return { kind: "decimal", places: type.places, wire: "number" };
    case "zone":
      return { kind: "time zone" };
    case "timestamp":
      return {
        kind: "timestamp",
        wire: "rfc3339",
        precision: { is: "stated", id: item, value: "microseconds" },
      };
    case "list":
      return { kind: "list", of: shownType(type.of, item) };
    case "map":
      return { kind: "map", of: shownType(type.of, item) };
    case "row":
      return { kind: "reference", resource: type.resource };
    case "object":
      return { kind: "structure", name: type.name.replace(/^part:/, "") };
    case "boolean":
    case "number":
    case "date":
    case "duration":
    case "json":
    case "file":
    case "string":
      return { kind: type.kind };
    case "null":
    case "secret":
    case "nullable":
    case "unknown":
      return { kind: "json" };
  }
}

/** Whether bodies that do not state their own media type are JSON. */
function isJson({ model }: CompilerServices): boolean {
  const { bodyFormat: stated } = model.plan.about;
  if (!isStated(stated)) return true;
  return bodyFormat(parseMediaType(stated.value)?.essence ?? "") === "json";
}

/** A value: a file as its bytes, a text that is not to be JSON as it is, all else as JSON. */
function valueWriter(
  { services, scope }: StepContext,
  stated: Expression,
  item: string,
): BodyWriter {
  const value = compileExpression(scope, stated);
  const type = shownType(stated.code.type, item);
  const column = typeColumn(services, type);
  const { kind } = type.type;
  const asText = kind === "string" && !isJson(services);
  return {
    contentType: undefined,
    write: (activation) => {
      const shown = value(activation);
      if (typeof shown === "string" && asText) return { text: shown };
      if (typeof shown === "string" && kind === "file") {
        const { mediaType, base64 } = partsOfFile(shown);
        return { text: base64, fileType: mediaType };
      }
      return { text: column(activation.tx, [shown])[0] ?? "null" };
    },
  };
}

function bodyWriter(
  context: StepContext,
  body: ResponseBody,
  item: string,
): BodyWriter | undefined {
  const { services, scope } = context;
  switch (body.is) {
    case "none":
      return undefined;
    case "value":
      return valueWriter(context, body.value, item);
    case "text": {
      const value = compileExpression(scope, body.value);
      return {
        contentType: { is: "stated", id: item, value: body.media },
        write: (activation) => ({ text: String(value(activation)) }),
      };
    }
    case "shape with": {
      const writer = services.shape(body.shape);
      const parts = body.with.map((one) => ({
        name: one.name,
        value: compileNamed(scope, one.value),
      }));
      return {
        contentType: writer.contentType,
        write: (activation) => ({
          text: writer.given(
            activation.tx,
            new Map(parts.map((one) => [one.name, one.value(activation)])),
          ),
        }),
      };
    }
    case "shape":
      return shapeWriter(services, scope, body);
  }
}

function asRow(activation: Activation, resource: string, value: Value): Row {
  const row = typeof value === "number" ? activation.tx.get(resource, value) : (value as Row);
  if (row === undefined) throw new Stop({ is: "fault", message: `no row of ${resource} is there` });
  if (typeof value === "number") activation.tx.see(row, "");
  return row;
}

function shapeWriter(
  services: CompilerServices,
  scope: Scope,
  body: Extract<ResponseBody, { is: "shape" }>,
): BodyWriter {
  const of = compileNamed(scope, body.of);
  const shape = services.model.shapes.get(body.shape);
  const contentType = shape?.contentType;
  const isPart = services.model.plan.partTypes.some((one) => one.name === body.shape);
  if (isPart || (shape !== undefined && shape.viewOf === undefined)) {
    const column = structureColumn(services, body.shape);
    return {
      contentType,
      write: (activation) => {
        const value = of(activation);
        if (!body.list) return { text: column(activation.tx, [value])[0] ?? "null" };
        return { text: `[${column(activation.tx, value as readonly Value[]).join(",")}]` };
      },
    };
  }
  const resource = shape?.viewOf ?? body.shape;
  const writer = services.shape(body.shape);
  const row = (activation: Activation) => asRow(activation, resource, of(activation));
  if (!body.list) {
    return {
      contentType,
      row,
      write: (activation) => ({ text: writer.rows(activation.tx, [row(activation)])[0] ?? "" }),
    };
  }
  return {
    contentType,
    write: (activation) => {
      const list = of(activation) as readonly Value[];
      const keys = list.filter((one) => typeof one === "number");
      if (keys.length > 0) activation.tx.prefetch(resource, keys);
      const rows = list.map((one) => asRow(activation, resource, one));
      return { text: `[${writer.rows(activation.tx, rows).join(",")}]` };
    },
  };
}

/** `Respond 201 with ...`. */
export function respond(context: StepContext, step: Of<"respond">): Run {
  const { services, scope } = context;
  const body = bodyWriter(context, step.body, step.id);
  const ofAnswer = answerTag(context, step);
  const compares = ofAnswer === undefined ? comparison(context, step) : "compared";
  const tagged = (activation: Activation, text: string | undefined): string | undefined => {
    if (ofAnswer !== undefined) return ofAnswer(activation, text);
    return body?.row && tagOf(services, activation.tx, body.row(activation));
  };
  const headers = step.headers.map((one) => ({
    name: one.name,
    value: compileExpression(scope, one.value),
  }));
  return (activation) => ({
    is: "response",
    write: () => {
      const sent: Header[] = [];
      const shown = body?.write(activation);
      if (shown !== undefined) {
        sent.push(["Content-Type", shown.fileType ?? contentTypeOf(services, body?.contentType)]);
      }
      const tag = tagged(activation, shown?.text);
      if (tag !== undefined) sent.push(["ETag", tag]);
      for (const one of headers) {
        const value = one.value(activation);
        if (value !== null && value !== undefined) sent.push([one.name, headerText(value)]);
      }
      if (compares !== undefined && tag !== undefined && isKnown(activation, tag)) {
        if (compares !== "compared") throw new Stop(compares);
        return notModified(sent);
      }
      const binary = shown?.fileType === undefined ? {} : { binary: true as const };
      return { status: step.status, headers: sent, body: shown?.text, ...binary };
    },
  });
}

/** The tag of the answer itself, where that is stated: it stands instead of a row's. */
function answerTag(
  { endpoint }: StepContext,
  { status }: Of<"respond">,
): ((activation: Activation, text: string | undefined) => string | undefined) | undefined {
  const tag = endpoint?.answerTag;
  if (endpoint?.method !== "GET" || status !== 200 || tag === undefined) return undefined;
  if (tag.is === "gap") {
    const { gap } = tag;
    return () => {
      throw new Stop({ is: "gap", gap });
    };
  }
  if (!isStated(tag)) return undefined;
  const before = tag.value.strong ? "" : "W/";
  return ({ tx }, text) =>
    text === undefined ? undefined : `${before}"${tx.digest("sha256", text).slice(0, TAG_DIGITS)}"`;
}

/** Whether `If-None-Match` is compared, or the gap that keeps that from being known. */
function comparison(
  { services, endpoint }: StepContext,
  { status }: Of<"respond">,
): "compared" | Extract<StepOutcome, { is: "gap" }> | undefined {
  if (endpoint?.method !== "GET" || status >= 300) return undefined;
  const why = whyNotCompared(services.model.plan, endpoint);
  if (why === undefined) return "compared";
  return typeof why === "string" ? undefined : { is: "gap", gap: why.gap };
}

/** Whether the client says that it has what carries the tag (RFC 9110 section 13.1.2). */
function isKnown({ tx }: Activation, tag: string): boolean {
  const header = tx.invocation?.inputs.header.get("if-none-match");
  return typeof header === "string" && isListedWeakly(header, tag);
}

/** RFC 9110 section 15.4.5: no content, and nothing about it but its tag. */
function notModified(headers: readonly Header[]): Response {
  const kept = headers.filter(([name]) => name !== "Content-Type");
  return { status: 304, headers: kept, body: undefined };
}
