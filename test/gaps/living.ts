/** What of a plan can come about: who can call, which rows can be deleted, what can be refused. */
import { type Plan, References, type Resource, stepsOf } from "../../src/plan/index.ts";
import { neverShared } from "./never.ts";
import { rowAt } from "./rows.ts";

export function deletes(plan: Plan, { name, fields, invariants }: Resource): boolean {
  const kept = invariants.some(({ kind }) => kind === "kept for");
  const goes = fields.some(({ rules }) =>
    rules.some((rule) => rule.kind === "when gone" && rule.action === "deleted with it"),
  );
  const step = stepsOf(plan).some(
    (one) =>
      (one.kind === "delete" && [name, undefined].includes(rowAt(plan, one, one.target))) ||
      (one.kind === "delete every" && one.resource === name),
  );
  return kept || goes || step;
}

/** Whether the field names rows that may be deleted: a rule says what becomes of its row. */
export function namesGone(plan: Plan, { type }: Pick<Field, "type">): boolean {
  const named = new References(plan.partTypes).named(type);
  return plan.resources.some((one) => named.has(one.name) && deletes(plan, one));
}

type Field = Resource["fields"][number];

/** The only value that a field ever has; undefined: it may have others. */
function onlyValue(plan: Plan, { name: owner, fields, startRows }: Resource, field: string) {
  const found = fields.find((one) => one.name === field);
  if (found === undefined || startRows.is !== "none") return undefined;
  if (found.create.is !== "no" || found.update.is !== "no") return undefined;
  const isGiven = stepsOf(plan).some(
    (step) =>
      (step.kind === "set" && step.field === field) ||
      (step.kind === "create" &&
        step.resource === owner &&
        step.with.some((one) => one.name === field)),
  );
  const [starts, ...others] = found.rules;
  if (isGiven || others.length > 0 || starts?.kind !== "starts") return undefined;
  const { code } = starts.value;
  return code.op === "literal" ? code.value : undefined;
}

/** Whether nobody can ever be the actor: it asks for a value that no caller's row has. */
function isNobody(plan: Plan, { holds }: Plan["actors"][number]): boolean {
  if (holds.is !== "stated") return false;
  const { code } = holds.value;
  const [member, wanted] = code.op === "call" && code.fn === "==" ? code.args : [];
  if (member?.op !== "get" || wanted?.op !== "literal") return false;
  if (member.of.op !== "name" || member.of.name !== "caller") return false;
  const { type } = member.of;
  const resource = plan.resources.find((one) => type.kind === "row" && one.name === type.resource);
  if (resource === undefined) return false;
  const only = onlyValue(plan, resource, member.member);
  return only !== undefined && only !== wanted.value;
}

/** Whether nobody can be one of the actors who are let in. */
export function letsNobodyIn(plan: Plan, who: Plan["endpoints"][number]["who"]): boolean {
  const named = who.is === "stated" ? who.value : [];
  const actors = plan.actors.filter((one) => named.includes(one.name));
  return actors.length > 0 && actors.every((one) => isNobody(plan, one));
}

const known = new WeakMap<Plan, Plan>();

/** The plan without steps that nobody can come to, and refusals of deletions that never come. */
export function living(plan: Plan): Plan {
  const found = known.get(plan);
  if (found !== undefined) return found;
  const endpoints = plan.endpoints.map((one) =>
    letsNobodyIn(plan, one.who) ? { ...one, steps: [] } : one,
  );
  const fits = ({ type, rules }: Field): Field["rules"] => {
    const isGone = namesGone(plan, { type });
    return rules.filter(({ kind }) => kind !== "when gone" || isGone);
  };
  const lived = <F extends Field>(one: F): F => ({ ...one, rules: fits(one) });
  const made: Plan = {
    ...plan,
    endpoints,
    resources: plan.resources.map((one) => ({
      ...one,
      fields: one.fields.map(lived),
      invariants: one.invariants.filter(
        (each) => each.kind !== "unique" || !neverShared(plan, one, each),
      ),
    })),
  };
  known.set(plan, made);
  return made;
}
