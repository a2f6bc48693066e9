/** Rule: rows of every resource can come to be, above all those that receive or call. */
import { type Rule, type RuleContext, report } from "./context.ts";

/** Why rows of some resources are needed. */
function needs(c: RuleContext): Map<string, string> {
  const found = new Map<string, string>();
  for (const one of c.service.webhooks) {
    if (one.receivers.is !== "stated") continue;
    found.set(one.receivers.value.resource, `So nobody can receive \`${one.name}\`.`);
  }
  for (const one of c.service.schemes) {
    if (one.caller.is === "stated") {
      found.set(one.caller.value.resource, `So nobody can call with \`${one.name}\`.`);
    }
  }
  return found;
}

/** Reports `never-made`. */
export const made: Rule = (c) => {
  if (c.service.endpoints.length === 0) return;
  const needed = needs(c);
  for (const resource of c.service.resources) {
    if (resource.startRows.is !== "none" || c.writes.creates.has(resource.name)) continue;
    const why = needed.get(resource.name);
    report(c, {
      code: "never-made",
      severity: "warning",
      at: resource.id,
      message:
        `No row of \`${resource.name}\` can ever exist: no step makes one, and there are ` +
        `none at the start.${why === undefined ? "" : ` ${why}`}`,
      hint: `Write a step that creates a \`${resource.name}\`, or state \`- Rows at the start\`.`,
    });
  }
};
