/** Leaks that are put into a plan, so that it is seen that the campaign finds them. */
import { type Code, partsOf, withParts } from "../../src/expr/index.ts";
import type { Plan, Resource } from "../../src/plan/index.ts";
import { campaign } from "./campaign.ts";
import { tenantsPlan } from "./document.ts";
import { statedWays } from "./ways.ts";

interface Seeded {
  readonly name: string;
  readonly edit: (plan: Plan) => Plan;
}

const withResource = (plan: Plan, name: string, edit: (one: Resource) => Resource): Plan => ({
  ...plan,
  resources: plan.resources.map((one) => (one.name === name ? edit(one) : one)),
});

/** Code over a project, said of the one that a task names. */
function ofProject(code: Code): Code {
  if (code.op === "name" && code.name === "it") {
    const task: Code = { ...code, type: { kind: "row", resource: "Task" } };
    return { op: "get", type: code.type, of: task, member: "project" };
  }
  return withParts(code, partsOf(code).map(ofProject));
}

export const seeded: readonly Seeded[] = [
  {
    name: "`Rows` is forgotten",
    edit: (plan) => withResource(plan, "Project", (one) => ({ ...one, invariants: [] })),
  },
  {
    name: "a reference is taken to stay within `Rows`",
    edit: (plan) => {
      const rows = plan.resources
        .find(({ name }) => name === "Project")
        ?.invariants.find(({ kind }) => kind === "rows");
      if (rows?.kind !== "rows") throw new Error("Project has no Rows");
      const condition = { text: "", code: ofProject(rows.where.code) };
      const promise = { id: "seeded", kind: "always", condition } as const;
      return withResource(plan, "Task", (one) => ({
        ...one,
        invariants: [...one.invariants, promise],
      }));
    },
  },
  {
    name: "blocked callers are let in",
    edit: (plan) => ({
      ...plan,
      actors: plan.actors.map((one) =>
        one.name === "user" && one.holds.is === "stated"
          ? {
              ...one,
              holds: {
                ...one.holds,
                value: {
                  text: "true",
                  code: { op: "literal", type: { kind: "boolean" }, value: true },
                },
              },
            }
          : one,
      ),
    }),
  },
  {
    name: "a secret is shown",
    edit: (plan) =>
      withResource(plan, "Project", (one) => ({
        ...one,
        fields: one.fields.map((field) =>
          field.name === "token"
            ? { ...field, read: { is: "yes" }, type: { ...field.type, type: { kind: "string" } } }
            : field,
        ),
      })),
  },
];

/** Whether the campaign finds the leak, by a few ways. */
export async function caught({ edit }: Seeded): Promise<boolean> {
  const few = statedWays().filter(({ name }) => /^code_get_0|_rows_0|_let_every_0/.test(name));
  const { plan, ways } = tenantsPlan(few);
  const { leaks } = await campaign(edit(plan), ways);
  return leaks.length > 0;
}
