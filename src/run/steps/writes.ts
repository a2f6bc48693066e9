/** Compiles the steps that write: `Create`, `Set`, `Delete`. */
import { nameOf } from "../../expr/index.ts";
import type { Assignment, Expression, Step } from "../../plan/index.ts";
import type { Changes, Given, Run, StepScope } from "../compile/services.ts";
import type { Activation, Scope } from "../context/activation.ts";
import { fieldIs, fieldType } from "../context/field-type.ts";
import type { ResourceInfo } from "../context/model.ts";
import type { StepOutcome } from "../context/step-outcome.ts";
import type { Members, Row } from "../ports/index.ts";
import { compileExpression, compileOptional, findRows } from "../query/expression.ts";
import { fieldsRead } from "../rows/drafts.ts";

type Of<K extends Step["kind"]> = Extract<Step, { kind: K }>;

function assignments(
  unit: Scope,
  info: ResourceInfo,
  list: readonly Assignment[],
): (frame: Activation) => Changes {
  const parts = list.map((one) => {
    const place = info.at.get(one.name);
    if (place === undefined) throw new Error(`${info.name} has no field ${one.name}`);
    return { place, value: compileOptional(unit, one.value) };
  });
  return (frame) => new Map(parts.map(({ place, value }) => [place, value(frame)]));
}

/** `Create a R as x from ... with ..., unless one is there`. */
export function create(scope: StepScope, step: Of<"create">): Run {
  const { unit, kit } = scope;
  const info = kit.model.info(step.resource);
  const assigned = assignments(unit, info, step.with);
  const from = step.from === undefined ? undefined : compileExpression(unit, step.from);
  const slot = step.as === undefined ? undefined : unit.slot(step.as);
  const there = step.unlessThere ? findSame(scope, info) : undefined;
  return (frame) => {
    const given = { assigned: assigned(frame), from: from?.(frame) as Members | undefined };
    const row = there?.(frame, given) ?? kit.rows.create(frame.work, step.resource, given);
    if (slot !== undefined) frame.set(slot, row);
    return undefined;
  };
}

interface Alike {
  readonly fields: readonly string[];
  readonly where?: Expression;
}

/** What must not be alike in two rows: rules of fields, and invariants. */
function uniqueRules(info: ResourceInfo): readonly Alike[] {
  const rules = info.fields.flatMap((field) =>
    field.rules.flatMap((rule) =>
      rule.kind === "unique" ? [{ fields: [field.name, ...rule.within] }] : [],
    ),
  );
  const invariants = info.resource.invariants.flatMap((one) =>
    one.kind === "unique" ? [{ fields: one.fields, where: one.where }] : [],
  );
  return [...rules, ...invariants];
}

/** Finds the row that a unique rule of the resource would not let be made again. */
function findSame(
  { unit, kit }: StepScope,
  info: ResourceInfo,
): (frame: Activation, given: Given) => Row | undefined {
  const it = unit.slot("it");
  const rules = uniqueRules(info).map(({ fields, where }) => ({
    fields: fields.map((name) => ({
      place: info.at.get(name) ?? -1,
      slot: unit.slot(`#same ${name}`),
    })),
    places: [...fields, ...(where === undefined ? [] : fieldsRead(where.code))].map(
      (name) => info.at.get(name) ?? -1,
    ),
    concerns: where === undefined ? undefined : compileExpression(unit, where),
    finder: findRows(unit, info.name, [
      ...fields.flatMap((name) =>
        fieldIs(info, name, nameOf(`#same ${name}`, fieldType(info, name))),
      ),
      ...(where === undefined ? [] : [where.code]),
    ]),
  }));
  return (frame, given) => {
    for (const { fields, places, concerns, finder } of rules) {
      const draft = kit.rows.draft(frame.work, info.name, given, places);
      if (draft === undefined) continue;
      const values = fields.map(({ place }) => draft.values[place]);
      if (values.some((one) => one === null || one === undefined)) continue;
      const around = frame.values[it];
      frame.set(it, draft);
      const isConcerned = concerns?.(frame) !== false;
      frame.set(it, around);
      if (!isConcerned) continue;
      fields.forEach(({ slot }, i) => {
        frame.set(slot, values[i]);
      });
      const row = finder.sole(frame);
      if (row !== undefined) return row;
    }
    return undefined;
  };
}

/** `Set x.f = e`. */
export function set(scope: StepScope, step: Of<"set">): Run {
  const { unit, kit } = scope;
  const value = compileExpression(unit, step.value);
  const slot = unit.slot(step.target);
  return (frame) => {
    const row = frame.values[slot] as Row;
    const info = kit.model.info(row.resource);
    const place = info.at.get(step.field);
    if (place === undefined) throw new Error(`${info.name} has no field ${step.field}`);
    return kit.rows.change(frame.work, row, new Map([[place, value(frame)]]));
  };
}

/** `Set x from e, given members only`. */
export function setFrom(scope: StepScope, step: Of<"set from">): Run {
  const { unit, kit } = scope;
  const from = compileExpression(unit, step.from);
  const slot = unit.slot(step.target);
  return (frame) => {
    const row = frame.values[slot] as Row;
    const sent = { from: from(frame) as Members, givenOnly: step.givenOnly };
    return kit.rows.changeFrom(frame.work, row, sent);
  };
}

/** `Delete x`. */
export function remove(scope: StepScope, step: Of<"delete">): Run {
  const slot = scope.unit.slot(step.target);
  return (frame) => scope.kit.rows.deleteByStep(frame.work, frame.values[slot] as Row);
}

/** `Delete every R where e`. */
export function removeEvery(scope: StepScope, step: Of<"delete every">): Run {
  const { unit, kit } = scope;
  const finder = findRows(unit, step.resource, [step.where.code]);
  return (frame): StepOutcome | undefined => {
    for (const row of finder.rows(frame)) {
      const ending = frame.work.isDeleted(row) ? undefined : kit.rows.deleteByStep(frame.work, row);
      if (ending !== undefined) return ending;
    }
    return undefined;
  };
}
