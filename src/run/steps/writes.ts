/** Compiles the steps that write: `Create`, `Set`, `Delete`. */
import { nameOf } from "../../expr/index.ts";
import {
  type Assignment,
  type Expression,
  hiddenRules,
  type ItemId,
  type Step,
} from "../../plan/index.ts";
import type { Changes, Given, Run, StepContext } from "../compile/services.ts";
import type { Activation, Scope } from "../context/activation.ts";
import { fieldIs, fieldIsAnyCase, fieldType } from "../context/field-type.ts";
import type { ResourceInfo } from "../context/model.ts";
import { type StepOutcome, Stop } from "../context/step-outcome.ts";
import type { Members, Row } from "../ports/index.ts";
import { compileExpression, compileOptional, findRows } from "../query/expression.ts";
import { fieldsRead } from "../rows/drafts.ts";

type Of<K extends Step["kind"]> = Extract<Step, { kind: K }>;

function assignments(
  scope: Scope,
  info: ResourceInfo,
  list: readonly Assignment[],
): (activation: Activation) => Changes {
  const parts = list.map((one) => {
    const place = info.at.get(one.name);
    if (place === undefined) throw new Error(`${info.name} has no field ${one.name}`);
    return { place, value: compileOptional(scope, one.value) };
  });
  return (activation) => new Map(parts.map(({ place, value }) => [place, value(activation)]));
}

/** `Create a R as x from ... with ..., unless one is there`. */
export function create(context: StepContext, step: Of<"create">): Run {
  const { scope, services } = context;
  const info = services.model.info(step.resource);
  const assigned = assignments(scope, info, step.with);
  const from = step.from === undefined ? undefined : compileExpression(scope, step.from);
  const slot = step.as === undefined ? undefined : scope.slot(step.as);
  const there = step.unlessThere ? findSame(context, info) : undefined;
  return (activation) => {
    const given = {
      assigned: assigned(activation),
      from: from?.(activation) as Members | undefined,
    };
    const row =
      there?.(activation, given) ?? services.rows.create(activation.tx, step.resource, given);
    if (slot !== undefined) activation.set(slot, row);
    return undefined;
  };
}

interface Alike {
  readonly fields: readonly string[];
  /** The first field is compared so. */
  readonly anyCase?: true | undefined;
  readonly where?: Expression;
  /** Whether there is such a rule is not shown. */
  readonly gap?: ItemId;
}

/** What must not be alike in two rows: rules of fields, and invariants. */
function uniqueRules(info: ResourceInfo): readonly Alike[] {
  const rules = info.fields.flatMap((field): readonly Alike[] => {
    const gap = hiddenRules(field);
    if (gap !== undefined) return [{ fields: [field.name], gap }];
    return field.rules.flatMap((rule) =>
      rule.kind === "unique"
        ? [{ fields: [field.name, ...rule.within], anyCase: rule.anyCase }]
        : [],
    );
  });
  const invariants = info.resource.invariants.flatMap((one) =>
    one.kind === "unique" ? [{ fields: one.fields, where: one.where }] : [],
  );
  return [...rules, ...invariants];
}

/** Finds the row that a unique rule of the resource would not let be made again. */
function findSame(
  { scope, services }: StepContext,
  info: ResourceInfo,
): (activation: Activation, given: Given) => Row | undefined {
  const it = scope.slot("it");
  const rules = uniqueRules(info).map(({ fields, anyCase, where, gap }) => ({
    gap,
    fields: fields.map((name) => ({
      place: info.at.get(name) ?? -1,
      slot: scope.slot(`#same ${name}`),
    })),
    places: [...fields, ...(where === undefined ? [] : fieldsRead(where.code))].map(
      (name) => info.at.get(name) ?? -1,
    ),
    concerns: where === undefined ? undefined : compileExpression(scope, where),
    finder: findRows(scope, info.name, [
      ...fields.flatMap((name, i) =>
        (anyCase && i === 0 ? fieldIsAnyCase : fieldIs)(
          info,
          name,
          nameOf(`#same ${name}`, fieldType(info, name)),
        ),
      ),
      ...(where === undefined ? [] : [where.code]),
    ]),
  }));
  return (activation, given) => {
    for (const { fields, places, concerns, finder, gap } of rules) {
      const draft = services.rows.draft(activation.tx, info.name, given, places);
      if (draft === undefined) continue;
      const values = fields.map(({ place }) => draft.values[place]);
      if (values.some((one) => one === null || one === undefined)) continue;
      const around = activation.values[it];
      activation.set(it, draft);
      const isConcerned = concerns?.(activation) !== false;
      activation.set(it, around);
      if (!isConcerned) continue;
      fields.forEach(({ slot }, i) => {
        activation.set(slot, values[i]);
      });
      const row = finder.sole(activation);
      if (row !== undefined && gap !== undefined) throw new Stop({ is: "gap", gap });
      if (row !== undefined) return row;
    }
    return undefined;
  };
}

/** `Set x.f = e`. */
export function set(context: StepContext, step: Of<"set">): Run {
  const { scope, services } = context;
  const value = compileExpression(scope, step.value);
  const slot = scope.slot(step.target);
  return (activation) => {
    const row = activation.values[slot] as Row;
    const info = services.model.info(row.resource);
    const place = info.at.get(step.field);
    if (place === undefined) throw new Error(`${info.name} has no field ${step.field}`);
    return services.rows.change(activation.tx, row, new Map([[place, value(activation)]]));
  };
}

/** `Set x from e, given members only`. */
export function setFrom(context: StepContext, step: Of<"set from">): Run {
  const { scope, services } = context;
  const from = compileExpression(scope, step.from);
  const slot = scope.slot(step.target);
  return (activation) => {
    const row = activation.values[slot] as Row;
    const sent = { from: from(activation) as Members, givenOnly: step.givenOnly };
    return services.rows.changeFrom(activation.tx, row, sent);
  };
}

/** `Delete x`. */
export function remove(context: StepContext, step: Of<"delete">): Run {
  const slot = context.scope.slot(step.target);
  return (activation) =>
    context.services.rows.deleteByStep(activation.tx, activation.values[slot] as Row);
}

/** `Delete every R where e`. */
export function removeEvery(context: StepContext, step: Of<"delete every">): Run {
  const { scope, services } = context;
  const finder = findRows(scope, step.resource, [step.where.code]);
  return (activation): StepOutcome | undefined => {
    for (const row of finder.rows(activation)) {
      const outcome = activation.tx.isDeleted(row)
        ? undefined
        : services.rows.deleteByStep(activation.tx, row);
      if (outcome !== undefined) return outcome;
    }
    return undefined;
  };
}
