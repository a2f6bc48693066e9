/** Rule: a field that a client must or may give is taken from some request. */
import type { Field, Resource } from "../../plan/index.ts";
import { type Rule, type RuleContext, report } from "./context.ts";

const COLUMNS = { create: "Create", update: "Update" } as const;
const BY_CLIENT = new Set(["required", "required when", "optional", "merged"]);

function judge(c: RuleContext, resource: Resource, field: Field, kind: "create" | "update"): void {
  const said = field[kind].is;
  if (!BY_CLIENT.has(said)) return;
  const body = kind === "create" ? "new" : "changed";
  if (c.writes.bodies.has(`${body}:${resource.name}`)) return;
  const whole = `${resource.name}.${field.name}`;
  report(c, {
    code: "never-given",
    severity: "warning",
    at: field.id,
    message: `\`${whole}\` is ${said} on ${kind}, and no request can give it.`,
    hint:
      `Write \`no\` under ${COLUMNS[kind]}, or let an endpoint ` +
      `whose body is: ${body} \`${resource.name}\` take it.`,
  });
}

/** Reports `never-given`. */
export const neverGiven: Rule = (c) => {
  if (c.service.endpoints.length === 0) return;
  for (const resource of c.service.resources) {
    for (const field of resource.fields) {
      judge(c, resource, field, "create");
      judge(c, resource, field, "update");
    }
  }
};
