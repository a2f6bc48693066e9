/** Which bodies are of the general media type: those that state none of their own. */
import { everyStep } from "./step-kinds.ts";
import type { ItemId, Service, Step } from "./types/index.ts";

/** What of a service has bodies. */
export type WithBodies = Pick<
  Service,
  "prologue" | "routines" | "endpoints" | "errors" | "webhooks" | "shapes"
>;

function isGeneral(step: Step, own: ReadonlySet<string>): boolean {
  if (step.kind !== "respond") return false;
  switch (step.body.is) {
    case "none":
    case "text":
      return false;
    case "value":
      return step.body.value.code.type.kind !== "file";
    case "shape":
    case "shape with":
      return !own.has(step.body.shape);
  }
}

/** The items that state a body of requests, answers, errors or messages without a media type. */
export function generalBodies(service: WithBodies): ItemId[] {
  const { prologue, routines, endpoints, errors, webhooks, shapes } = service;
  const own = new Set(shapes.flatMap((one) => (one.contentType === undefined ? [] : [one.name])));
  const steps = [prologue, ...[...endpoints, ...routines].map((one) => one.steps)];
  return [
    ...endpoints.flatMap(({ id, body, inputs, format, formatGap }) => {
      if (format !== undefined || formatGap !== undefined) return [];
      if (body.is === "stated") return [body.value.id];
      return inputs.some((one) => one.in === "body") ? [id] : [];
    }),
    ...everyStep(steps.flat())
      .filter((step) => isGeneral(step, own))
      .map((step) => step.id),
    ...errors.flatMap(({ id, body }) => (body.is === "stated" && !own.has(body.value) ? [id] : [])),
    ...webhooks.flatMap(({ id, sends }) =>
      sends.is === "stated" && !own.has(sends.value.shape) ? [id] : [],
    ),
  ];
}
