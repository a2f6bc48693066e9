/** Rule: a field that a client must or may give is taken from some request. */
import type { Field, Resource } from "../../model/index.ts";
import { report, type Rule, type RuleContext } from "./context.ts";

const BY_CLIENT = new Set(["required", "required when", "optional", "merged"]);

function judge(c: RuleContext, resource: Resource, field: Field, kind: "create" | "update"): void {
  const said = field[kind].is;
  if (!BY_CLIENT.has(said)) return;
  const body = kind === "create" ? "new" : "changed";
  if (c.writes.bodies.has(`${body}:${resource.name}`)) return;
  report(c, {
    code: "never-given",
    severity: "warning",
    at: field.id,
    message:
      `\`${resource.name}.${field.name}\` is ${said} on ${kind}, and no request can give it.`,
    hint:
      `Write \`no\` under ${kind === "create" ? "Create" : "Update"}, or let an endpoint ` +
      `with \`- Body: ${body} \`${resource.name}\`\` take it.`,
  });
}

/** Reports `never-given`. */
export const given: Rule = (c) => {
  if (c.service.endpoints.length === 0) return;
  for (const resource of c.service.resources) {
    for (const field of resource.fields) {
      judge(c, resource, field, "create");
      judge(c, resource, field, "update");
    }
  }
};
