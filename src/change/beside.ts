/** An older document as it runs on the store of a newer one. */
import {
  clockField,
  type Field,
  hasClock,
  type Machine,
  type Plan,
  type Resource,
  type ResourceInvariant,
  type Rule,
} from "../plan/index.ts";

/** A rule of the newest document answers nothing in an older one: what breaks it is a fault. */
function withoutAnswer(rule: Rule): Rule {
  if (rule.kind !== "unique") return rule;
  const { otherwise: _, ...kept } = rule;
  return kept;
}

/** No request to the older document gives, changes or shows it. */
function unnamed(field: Field): Field {
  return {
    ...field,
    create: { is: "no" },
    update: { is: "no" },
    read: { is: "no" },
    rules: field.rules.map(withoutAnswer),
  };
}

/** What holds of rows holds still, and what breaks it is a fault. */
function unanswered(one: ResourceInvariant): readonly ResourceInvariant[] {
  if (one.kind === "missing") return [];
  if (one.kind !== "always" && one.kind !== "unique") return [one];
  const { otherwise: _, ...kept } = one;
  return [kept];
}

function resourceOf(older: Plan, one: Resource): Resource {
  const own = older.resources.find(({ name }) => name === one.name);
  if (own === undefined) {
    const invariants = one.invariants.flatMap(unanswered);
    return { ...one, fields: one.fields.map(unnamed), invariants };
  }
  const fields = new Map(own.fields.map((field) => [field.name, field]));
  return { ...own, fields: one.fields.map((field) => fields.get(field.name) ?? unnamed(field)) };
}

/** Times that rows hold stand in the order of the newest document. */
function machineOf(older: Plan, one: Machine): Machine {
  const own = older.machines.find(({ resource }) => resource === one.resource);
  if (own === undefined) return one;
  const clocks = one.transitions.filter(hasClock).map(clockField);
  const timed = clocks.flatMap(
    (name) => own.transitions.find((each) => clockField(each) === name) ?? [],
  );
  return { ...own, transitions: [...own.transitions.filter((each) => !hasClock(each)), ...timed] };
}

function added<T>(own: readonly T[], newest: readonly T[], key: (one: T) => string): readonly T[] {
  const known = new Set(own.map(key));
  return [...own, ...newest.filter((one) => !known.has(key(one)))];
}

/**
 * The older plan over the rows of the newest one: a row has the same fields in the same order in
 * both, and what the older document does not name is made as the newest one states.
 */
export function besides(older: Plan, newest: Plan): Plan {
  return {
    ...older,
    resources: newest.resources.map((one) => resourceOf(older, one)),
    machines: newest.machines.map((one) => machineOf(older, one)),
    // Whether a row notes the gap that a delivery has met hangs on them.
    webhooks: added(older.webhooks, newest.webhooks, ({ name }) => name),
    partTypes: added(older.partTypes, newest.partTypes, ({ name }) => name),
    gaps: added(older.gaps, newest.gaps, ({ id }) => id),
  };
}
