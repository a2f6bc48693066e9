/** Names of the members that bodies have: those of requests, of resources, views and shapes. */
import {
  type Endpoint,
  type Field,
  isStated,
  type Step,
  sentName,
  sentPath,
} from "../../plan/index.ts";
import type { RuleContext } from "./context.ts";

/** Names of members; undefined where they are not known. */
export type Members = ReadonlySet<string> | undefined;

const head = (one: Parameters<typeof sentPath>[0]): string => sentPath(one)[0] ?? "";

function isReadable({ read }: Field): boolean {
  return read.is !== "no";
}

/** The members of a resource, part, view or shape when it is shown. */
function shownMembers(c: RuleContext, name: string): Members {
  const resource = c.resources.get(name);
  if (resource !== undefined) return new Set(resource.fields.filter(isReadable).map(sentName));
  const shape = c.shapes.get(name);
  if (shape === undefined) {
    const part = c.parts.get(name);
    return part === undefined ? undefined : new Set(part.fields.map(sentName));
  }
  const { taken } = shape;
  const of = c.resources.get(shape.viewOf ?? "");
  const over = (of?.fields ?? []).filter(
    (field) =>
      taken !== undefined &&
      taken.fields.includes(field.name) !== taken.allBut &&
      (!taken.allBut || isReadable(field)),
  );
  return new Set([...shape.fields.map(head), ...over.map(sentName)]);
}

export interface Payload {
  readonly is: "none" | "object" | "list" | "text" | "unknown";
  readonly members?: Members;
}

/** What a Respond step sends. */
export function payloadOf(c: RuleContext, step: Step): Payload {
  if (step.kind !== "respond") return { is: "unknown" };
  const { body } = step;
  switch (body.is) {
    case "none":
    case "text":
      return { is: body.is };
    case "shape":
      return { is: body.list ? "list" : "object", members: shownMembers(c, body.shape) };
    case "shape with":
      return { is: "object", members: shownMembers(c, body.shape) };
    case "value":
      return { is: "unknown" };
  }
}

/** The members that a request's body may have. */
export function takenMembers(c: RuleContext, endpoint: Endpoint): Members {
  const rows = endpoint.inputs.filter((input) => input.in === "body").map(head);
  if (!isStated(endpoint.body)) return rows.length === 0 ? undefined : new Set(rows);
  const { content, member } = endpoint.body.value;
  if (member !== undefined) return new Set([...rows, head({ name: member })]);
  if (content.is === "type") return undefined;
  const fields = c.resources.get(content.resource)?.fields ?? [];
  const kind = content.is === "new" ? "create" : "update";
  const given = fields.filter((field) => field[kind].is !== "no").map(sentName);
  return new Set([...given, ...rows]);
}

/** Whether an endpoint takes a body; undefined where that is not shown. */
export function takesBody(endpoint: Endpoint): boolean | undefined {
  if (endpoint.body.is === "gap") return undefined;
  return isStated(endpoint.body) || endpoint.inputs.some((input) => input.in === "body");
}
