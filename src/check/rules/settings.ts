/** Rule: a setting is a value of its own; rows that it would name are not there at the start. */
import { References } from "../../plan/index.ts";
import { type Rule, report } from "./context.ts";

/** Reports `wrong-type`. */
export const settings: Rule = (c) => {
  const references = new References([...c.parts.values()]);
  for (const { id, name, type } of c.service.about.settings) {
    for (const resource of references.named(type)) {
      report(c, {
        code: "wrong-type",
        severity: "error",
        at: id,
        message:
          `The setting \`${name}\` names a row of \`${resource}\`. ` +
          "The operator gives it before any row can be found.",
        hint:
          "A reference stands in fields, parts, inputs, calls and views. Give the setting the " +
          `type of the key of \`${resource}\`, and look the row up by it in a step.`,
      });
    }
  }
};
