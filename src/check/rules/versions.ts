/** Rule: what the last part says fits the rest of the document. */
import { nearestWithin, newBudget } from "../../base/index.ts";
import { isLaterVersion, isStated, statedOf } from "../../plan/index.ts";
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
    service.routines,
    service.calls,
    service.actors,
    service.about.settings,
    service.parts,
    [{ name: "every endpoint" }],
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
    if (!isStated(one.on) || !isStated(one.removed)) continue;
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

/** Words of a change after which its item need not be in the document any more. */
const GONE = /remov|delet|drop|renam|replac|gone|instead|split|merg/i;

/** Rows of the history that name nothing, or a version that is still to come. */
function history(c: RuleContext): void {
  const { changes, version } = c.service.versioning;
  if (changes.length === 0) return;
  const known = items(c);
  const left = new Set(changes.flatMap((one) => (GONE.test(one.change) ? [one.item] : [])));
  const compared = newBudget();
  for (const { id, item, version: of } of changes) {
    if (item !== "" && !known.has(item) && !left.has(item)) {
      const near = nearestWithin(compared, item, known);
      report(c, {
        code: "history-item",
        severity: "warning",
        at: `${id}/item`,
        message: `The document has no \`${item}\`, and no change says that it was removed.`,
        hint:
          near === undefined
            ? "Name an endpoint, a `Resource.field`, an error or an event, or say that it went."
            : `Nearest: \`${near}\`.`,
      });
    }
    if (!isStated(version) || !isLaterVersion(of, version.value)) continue;
    report(c, {
      code: "history-version",
      severity: "warning",
      at: id,
      message: `\`${of}\` comes after this version, \`${version.value}\`.`,
      hint: "The history tells what changed up to this version: change one of the two.",
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

/** Reports `unknown-item`, `date-order`, `second-name`, `version-path`, `history-...`. */
export const versions: Rule = (c) => {
  deprecations(c);
  history(c);
  compatibility(c);
  const { chosenBy } = c.service.versioning;
  const { basePath } = c.service.about;
  if (!isStated(chosenBy) || chosenBy.value.by !== "path") return;
  const { name } = chosenBy.value;
  const base = statedOf(basePath) ?? "";
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
