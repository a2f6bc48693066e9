/** Rule: what the last part says fits the rest of the document. */
import { nearestWithin, newBudget } from "../../base/index.ts";
import { type Rule, type RuleContext, report } from "./context.ts";

/** Everything that a deprecation can be about. */
function items(c: RuleContext): Set<string> {
  const { service } = c;
  const named = [
    service.resources,
    service.partTypes,
    service.shapes,
    service.errors,
    service.events,
    service.webhooks,
    service.streams,
    service.schemes,
    service.limits,
  ].flatMap((all) => all.map((one) => one.name));
  const owners = [...service.resources, ...service.partTypes, ...service.shapes];
  return new Set([
    ...c.endpoints.keys(),
    ...named,
    ...owners.flatMap((owner) => owner.fields.map((field) => `${owner.name}.${field.name}`)),
    ...service.endpoints.flatMap((one) => one.inputs.map((input) => input.name)),
  ]);
}

function deprecations(c: RuleContext): void {
  const { deprecations: all } = c.service.versioning;
  if (all.length === 0) return;
  const known = items(c);
  const compared = newBudget();
  for (const one of all) {
    if (!known.has(one.item)) {
      const near = nearestWithin(compared, one.item, known);
      report(c, {
        code: "unknown-item",
        severity: "error",
        at: one.id,
        message: `The document has nothing by the name \`${one.item}\`.`,
        hint:
          near === undefined
            ? "Name an endpoint, a `Resource.field`, an error or an event."
            : `Nearest: \`${near}\`.`,
      });
    }
    if (one.on.is !== "stated" || one.removed.is !== "stated") continue;
    if (one.on.value <= one.removed.value) continue;
    report(c, {
      code: "date-order",
      severity: "error",
      at: one.removed.id,
      message: `\`${one.item}\` is removed before it is deprecated.`,
      hint: "Change the two dates.",
    });
  }
}

function compatibility(c: RuleContext): void {
  const seen = new Map<string, string>();
  for (const one of c.service.versioning.rules) {
    const before = seen.get(one.change);
    seen.set(one.change, one.id);
    if (before === undefined || one.change === "") continue;
    report(c, {
      code: "second-name",
      severity: "error",
      at: one.id,
      message: `The change '${one.change}' stands here again.`,
      hint: "Keep the row that is meant.",
      related: [
        { span: c.origins.get(before) ?? { start: 0, end: 0 }, message: "first stated here" },
      ],
    });
  }
}

/** Reports `unknown-item`, `date-order`, `second-name`, `version-path`. */
export const versions: Rule = (c) => {
  deprecations(c);
  compatibility(c);
  const { chosenBy } = c.service.versioning;
  const { basePath } = c.service.about;
  if (chosenBy.is !== "stated" || chosenBy.value.by !== "path") return;
  const { name } = chosenBy.value;
  const base = basePath.is === "stated" ? basePath.value : "";
  if (basePath.is === "gap" || base === name || base.startsWith(`${name}/`)) return;
  report(c, {
    code: "version-path",
    severity: "error",
    at: chosenBy.id,
    message:
      `The version is chosen by the path \`${name}\`, and the base path is ` +
      `${base === "" ? "none" : `\`${base}\``}.`,
    hint: "Begin the base path with it, or state another way to choose the version.",
  });
};
