/** Rule: a field that a client must or may give is taken from some request. */
import { references } from "../../expr/index.ts";
import type { Resource } from "../../plan/index.ts";
import { expressionsIn } from "./asked.ts";
import { type Rule, type RuleContext, report } from "./context.ts";

const COLUMNS = { create: "Create", update: "Update" } as const;
const BY_CLIENT = new Set(["required", "required when", "optional", "merged"]);

const listed = (all: readonly string[]): string => all.map((one) => `\`${one}\``).join(", ");

/** Bodies of which some step reads a member. */
function readBodies({ service }: RuleContext): ReadonlySet<string> {
  const members = expressionsIn(service.endpoints).flatMap((one) => references(one.code).members);
  return new Set(members.map(({ of }) => of.split(" with ", 1)[0] ?? ""));
}

type Kind = "create" | "update";

function judge(
  c: RuleContext,
  { name, fields }: Resource,
  { kind, read }: { readonly kind: Kind; readonly read: ReadonlySet<string> },
): void {
  const made = kind === "create" ? "new" : "changed";
  const body = `${made}:${name}`;
  if (c.writes.bodies.has(body) || read.has(body)) return;
  const given = fields.filter((field) => BY_CLIENT.has(field[kind].is));
  const [first] = given;
  if (first === undefined) return;
  const what =
    given.length === 1
      ? `\`${name}.${first.name}\` is ${first[kind].is} on ${kind}, and no request can give it.`
      : `No request can give on ${kind} what a \`${name}\` may have from clients: ` +
        `${listed(given.map((field) => field.name))}.`;
  report(c, {
    code: "never-given",
    severity: "warning",
    at: first.id,
    message: what,
    hint:
      `Write \`no\` under ${COLUMNS[kind]}, or let an endpoint whose body is: ` +
      `${made} \`${name}\` take ${given.length === 1 ? "it" : "them"}.`,
  });
}

/** Reports `never-given`. */
export const neverGiven: Rule = (c) => {
  if (c.service.endpoints.length === 0) return;
  const read = readBodies(c);
  for (const resource of c.service.resources) {
    judge(c, resource, { kind: "create", read });
    judge(c, resource, { kind: "update", read });
  }
};
