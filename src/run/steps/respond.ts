/** Compiles `Respond`: what is shown is fixed by the step, written when invariants are judged. */
import type { Type } from "../../expr/index.ts";
import type {
  Answer,
  BaseType,
  Expression,
  ResponseBody,
  Step,
  ValueType,
} from "../../plan/index.ts";
import { whyNotCompared } from "../../plan/index.ts";
import type { CompilerServices, Run, StepScope } from "../compile/services.ts";
import type { Activation, Scope } from "../context/activation.ts";
import { type StepOutcome, Stop } from "../context/step-outcome.ts";
import type { Response, Row, Value } from "../ports/index.ts";
import { compileExpression, compileOptional } from "../query/expression.ts";
import { contentTypeOf, tagOf } from "../show/headers.ts";
import { structureColumn, typeColumn } from "../show/types.ts";
import { partsOfFile } from "../wire/file.ts";
import { bodyFormat, parseMediaType } from "../wire/media.ts";
import { isListedWeakly } from "../wire/tags.ts";

type Of<K extends Step["kind"]> = Extract<Step, { kind: K }>;
type Header = readonly [name: string, value: string];

interface BodyText {
  readonly text: string;
  /** The text is base64 of a file with this media type. */
  readonly fileType?: string;
}

interface BodyWriter {
  readonly contentType: Answer<string> | undefined;
  write(frame: Activation): BodyText;
  /** The one row that is shown, for its version tag. */
  row?(frame: Activation): Row;
}

/** The stated type nearest to the type of an expression; throws a Stop where there is none. */
export function shownType(type: Type, item: string): ValueType {
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
  if (stated.is !== "stated") return true;
  return bodyFormat(parseMediaType(stated.value)?.essence ?? "") === "json";
}

/** A value: a file as its bytes, a text that is not to be JSON as it is, all else as JSON. */
function valueWriter({ kit, unit }: StepScope, stated: Expression, item: string): BodyWriter {
  const value = compileExpression(unit, stated);
  const type = shownType(stated.code.type, item);
  const column = typeColumn(kit, type);
  const { kind } = type.type;
  const asText = kind === "string" && !isJson(kit);
  return {
    contentType: undefined,
    write: (frame) => {
      const shown = value(frame);
      if (typeof shown === "string" && asText) return { text: shown };
      if (typeof shown === "string" && kind === "file") {
        const { mediaType, base64 } = partsOfFile(shown);
        return { text: base64, fileType: mediaType };
      }
      return { text: column(frame.work, [shown])[0] ?? "null" };
    },
  };
}

function bodyWriter(scope: StepScope, body: ResponseBody, item: string): BodyWriter | undefined {
  const { kit, unit } = scope;
  switch (body.is) {
    case "none":
      return undefined;
    case "value":
      return valueWriter(scope, body.value, item);
    case "text": {
      const value = compileExpression(unit, body.value);
      return {
        contentType: { is: "stated", id: item, value: body.media },
        write: (frame) => ({ text: String(value(frame)) }),
      };
    }
    case "shape with": {
      const writer = kit.shape(body.shape);
      const parts = body.with.map((one) => ({
        name: one.name,
        value: compileOptional(unit, one.value),
      }));
      return {
        contentType: writer.contentType,
        write: (frame) => ({
          text: writer.given(frame.work, new Map(parts.map((one) => [one.name, one.value(frame)]))),
        }),
      };
    }
    case "shape":
      return shapeWriter(kit, unit, body);
  }
}

function asRow(frame: Activation, resource: string, value: Value): Row {
  const row = typeof value === "number" ? frame.work.get(resource, value) : (value as Row);
  if (row === undefined) throw new Stop({ is: "fault", message: `no row of ${resource} is there` });
  return row;
}

function shapeWriter(
  kit: CompilerServices,
  unit: Scope,
  body: Extract<ResponseBody, { is: "shape" }>,
): BodyWriter {
  const of = compileExpression(unit, body.of);
  const shape = kit.model.shapes.get(body.shape);
  const contentType = shape?.contentType;
  const isPart = kit.model.plan.partTypes.some((one) => one.name === body.shape);
  if (isPart || (shape !== undefined && shape.viewOf === undefined)) {
    const column = structureColumn(kit, body.shape);
    return {
      contentType,
      write: (frame) => {
        const value = of(frame);
        if (!body.list) return { text: column(frame.work, [value])[0] ?? "null" };
        return { text: `[${column(frame.work, value as readonly Value[]).join(",")}]` };
      },
    };
  }
  const resource = shape?.viewOf ?? body.shape;
  const writer = kit.shape(body.shape);
  const row = (frame: Activation) => asRow(frame, resource, of(frame));
  if (!body.list) {
    return {
      contentType,
      row,
      write: (frame) => ({ text: writer.rows(frame.work, [row(frame)])[0] ?? "" }),
    };
  }
  return {
    contentType,
    write: (frame) => {
      const list = of(frame) as readonly Value[];
      const keys = list.filter((one) => typeof one === "number");
      if (keys.length > 0) frame.work.prefetch(resource, keys);
      const rows = list.map((one) => asRow(frame, resource, one));
      return { text: `[${writer.rows(frame.work, rows).join(",")}]` };
    },
  };
}

/** `Respond 201 with ...`. */
export function respond(scope: StepScope, step: Of<"respond">): Run {
  const { kit, unit } = scope;
  const body = bodyWriter(scope, step.body, step.id);
  const compares = comparison(scope, step);
  const headers = step.headers.map((one) => ({
    name: one.name,
    value: compileExpression(unit, one.value),
  }));
  return (frame) => ({
    is: "response",
    write: () => {
      const sent: Header[] = [];
      const shown = body?.write(frame);
      if (shown !== undefined) {
        sent.push(["Content-Type", shown.fileType ?? contentTypeOf(kit, body?.contentType)]);
      }
      const tag = body?.row === undefined ? undefined : tagOf(kit, body.row(frame));
      if (tag !== undefined) sent.push(["ETag", tag]);
      for (const one of headers) {
        const value = one.value(frame);
        if (value !== null && value !== undefined) sent.push([one.name, headerText(value)]);
      }
      if (compares !== undefined && tag !== undefined && isKnown(frame, tag)) {
        if (compares !== "compared") throw new Stop(compares);
        return notModified(sent);
      }
      const binary = shown?.fileType === undefined ? {} : { binary: true as const };
      return { status: step.status, headers: sent, body: shown?.text, ...binary };
    },
  });
}

/** Whether `If-None-Match` is compared, or the gap that keeps that from being known. */
function comparison(
  { kit, endpoint }: StepScope,
  { status }: Of<"respond">,
): "compared" | Extract<StepOutcome, { is: "gap" }> | undefined {
  if (endpoint?.method !== "GET" || status >= 300) return undefined;
  const why = whyNotCompared(kit.model.plan, endpoint);
  if (why === undefined) return "compared";
  return typeof why === "string" ? undefined : { is: "gap", gap: why.gap };
}

/** Whether the client says that it has what carries the tag (RFC 9110 section 13.1.2). */
function isKnown({ work }: Activation, tag: string): boolean {
  const header = work.invocation?.inputs.header.get("if-none-match");
  return typeof header === "string" && isListedWeakly(header, tag);
}

/** RFC 9110 section 15.4.5: no content, and nothing about it but its tag. */
function notModified(headers: readonly Header[]): Response {
  const kept = headers.filter(([name]) => name !== "Content-Type");
  return { status: 304, headers: kept, body: undefined };
}

/** A header's value as text; characters that HTTP allows in none become spaces. */
function headerText(value: Value): string {
  return String(value).replace(/[\u0000-\u001f\u007f]/g, " ");
}
