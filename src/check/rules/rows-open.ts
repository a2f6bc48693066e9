/** Rule: `Rows` of a resource is not gone round by leaving credentials out. */
import { type Endpoint, type ItemId, isStated, rowsOf, type Step } from "../../plan/index.ts";
import { codesIn, isOpen, isWalled, readsCaller, stepsOf } from "./asked.ts";
import { type Rule, type RuleContext, report } from "./context.ts";

/** Where rows are read, and which. */
interface Reading {
  readonly at: ItemId;
  readonly resource: string;
}

/** Rows that an endpoint reads for whoever asks, without asking who it is. */
function readBy(c: RuleContext, endpoint: Endpoint): readonly Reading[] {
  const steps = stepsOf(c, endpoint).flatMap(rowsIn);
  // Who is never asked is told of single rows what a path or a step finds: that is what it states.
  if (!isStated(endpoint.who)) return steps;
  const named = stepsOf(c, endpoint).flatMap((step) =>
    step.kind === "let one" && !readsCaller(step.where)
      ? [{ at: step.id, resource: step.resource }]
      : [],
  );
  const bound = endpoint.bindings.flatMap(({ id, resource, where }) =>
    where !== undefined && readsCaller(where) ? [] : [{ at: id, resource }],
  );
  return [...bound, ...steps, ...named];
}

function rowsIn(step: Step): readonly Reading[] {
  if (readsCaller({ ...step, then: undefined, otherwise: undefined })) return [];
  if (step.kind === "let every") return [{ at: step.id, resource: step.resource }];
  if (step.kind !== "let" && step.kind !== "respond") return [];
  return codesIn(step).flatMap((code) =>
    code.op === "rows" ? [{ at: step.id, resource: code.resource }] : [],
  );
}

/** Events that a stream sends to whoever is nobody known. */
function heardBy(c: RuleContext): readonly Reading[] {
  return c.service.streams.flatMap(({ id, name, who, sees, bindings }) => {
    const isNobodys =
      who.is === "none" || (isStated(who) && who.value.some((one) => c.always.has(one)));
    if (!isNobodys || !isStated(sees) || readsCaller([sees, bindings])) return [];
    return c.service.events.flatMap(({ about, sentTo }) =>
      isStated(sentTo) && sentTo.value.some((one) => one.to === "stream" && one.name === name)
        ? [{ at: id, resource: about }]
        : [],
    );
  });
}

/** Reports `rows-open`, once for each endpoint and stream. */
export const rowsOpen: Rule = (c) => {
  const asked = c.service.endpoints.filter((one) => isOpen(c, one)).map((one) => readBy(c, one));
  for (const all of [...asked, ...heardBy(c).map((one) => [one])]) {
    for (const { at, resource } of all) {
      const walled = c.resources.get(resource);
      const rows = rowsOf(walled);
      if (walled === undefined || rows === undefined || !isWalled(walled)) continue;
      report(c, {
        code: "rows-open",
        severity: "warning",
        at,
        message:
          `Whoever sends no credentials sees every \`${resource}\` here: \`Rows\` asks callers ` +
          "alone.",
        hint: "Say under `Who` that a caller is needed, or ask here for what may be seen.",
        related: [
          { span: c.origins.get(rows.id) ?? { start: 0, end: 0 }, message: "what callers may see" },
        ],
      });
      break;
    }
  }
};
