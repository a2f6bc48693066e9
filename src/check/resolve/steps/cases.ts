/** Resolves `By` steps and case tables, and proves that each case is covered once. */
import type { Facts, Literal, Type } from "../../../expr/index.ts";
import type { Case, Step } from "../../../plan/index.ts";
import {
  type RowNode,
  type StepNode,
  statusOf,
  type TableNode,
  type TextSlot,
} from "../../../spec/index.ts";
import { learnedFrom, type Resolved, resolve } from "../names/expression.ts";
import {
  cellAt,
  origin,
  type Resolver,
  report,
  shownGap,
  slotOf,
  tablesOf,
  textsOf,
} from "../names/resolver.ts";
import {
  cellSteps,
  ended,
  type Flow,
  learned,
  type ResolveSteps,
  rowsChanged,
  type Stepped,
} from "./flow.ts";

/** All values that a type has, where they can be listed. */
function valuesOf(type: Type): readonly Literal[] | undefined {
  if (type.kind === "boolean") return [true, false];
  if (type.kind === "string" && type.oneOf !== undefined) return type.oneOf;
  if (type.kind === "nullable") {
    const inner = valuesOf(type.of);
    return inner === undefined ? undefined : [...inner, null];
  }
  return undefined;
}

function literalOf(r: Resolver, flow: Flow, slot: TextSlot, type: Type): Literal | undefined {
  const open: Type =
    type.kind === "nullable" || type.kind === "unknown" ? type : { kind: "nullable", of: type };
  const words = (valuesOf(type) ?? []).filter((value) => typeof value === "string");
  // A word of the subject that stands there as if it were a name.
  const advice = new Map(
    words.map((word) => [word, `a text is quoted: \`${JSON.stringify(word)}\``]),
  );
  const view = { ...flow.view, names: new Map(), advice };
  const { expression, checked } = resolve(r, slot, view, open);
  if (checked.code === undefined) return undefined;
  if (expression.code.op === "literal") {
    const values = valuesOf(type);
    if (values !== undefined && !values.includes(expression.code.value)) {
      report(r, "wrong-type", slot, {
        message: `The subject never has this value.`,
        hint: `It has: ${values.map((value) => JSON.stringify(value)).join(", ")}.`,
      });
    }
    return expression.code.value;
  }
  report(r, "wrong-type", slot, { message: "A case is a literal." });
  return undefined;
}

interface Subject {
  readonly resolved: Resolved;
  readonly slot: TextSlot;
}

/** The combinations of the subjects' values, or undefined where they cannot be listed. */
function combinations(subjects: readonly Subject[]): Literal[][] | undefined {
  let all: Literal[][] = [[]];
  for (const subject of subjects) {
    const values = valuesOf(subject.resolved.type);
    if (values === undefined || all.length * values.length > 4096) return undefined;
    all = all.flatMap((before) => values.map((value) => [...before, value]));
  }
  return all;
}

function fits(one: Case, values: readonly Literal[]): boolean {
  return one.values.every(
    (allowed, i) => allowed.length === 0 || allowed.includes(values[i] ?? null),
  );
}

/** Reports cases that are covered twice or not at all. */
function prove(
  r: Resolver,
  subjects: readonly Subject[],
  cases: readonly Case[],
  step: StepNode,
): void {
  // What a gap hides may be any case.
  const isHidden = subjects.some(({ resolved }) => resolved.type.kind === "unknown");
  if (isHidden || cases.some((one) => one.steps.some(({ id }) => id === `${one.id}/gap`))) return;
  const all = combinations(subjects);
  const isOther = (one: Case) => one.values.every((values) => values.length === 0);
  if (all === undefined) {
    if (!cases.some(isOther)) {
      report(r, "case-missing", step, {
        message: "The cases do not cover every value.",
        hint: "End with `any other`: the values of this subject can't be listed.",
      });
    }
    return;
  }
  const specific = cases.filter((one) => !isOther(one));
  for (const values of all) {
    const hits = specific.filter((one) => fits(one, values));
    const shown = values.map((value) => JSON.stringify(value)).join(", ");
    if (hits.length > 1) {
      report(r, "case-twice", r.origins.get(hits[1]?.id ?? "") ?? step, {
        message: `The case ${shown} is covered twice.`,
      });
      return;
    }
    if (hits.length === 0 && !cases.some(isOther)) {
      report(r, "case-missing", step, {
        message: `The case ${shown} is not covered.`,
        hint: "Write a row for it, or `any other`.",
      });
      return;
    }
  }
  if (cases.some(isOther) && all.every((values) => specific.some((one) => fits(one, values)))) {
    report(r, "unreachable-step", r.origins.get(cases.find(isOther)?.id ?? "") ?? step, {
      message: "Every case is covered without this one.",
      hint: "Take it away.",
    });
  }
}

function joinedFlow(flow: Flow, ends: readonly boolean[]): Flow {
  const after = rowsChanged(flow);
  return ends.length > 0 && ends.every((end) => end) ? ended(after) : after;
}

/** What is known in a case: that the subject equals its one value. */
function caseFacts(
  r: Resolver,
  { view }: Flow,
  subject: TextSlot,
  values: readonly TextSlot[],
): Facts {
  const [value, second] = values;
  if (value === undefined || second !== undefined) return view.facts;
  return learnedFrom(r, `(${subject.text}) == (${value.text})`, view);
}

/** Resolves `By `e`:` with its bullets. */
export function resolveCases(
  r: Resolver,
  flow: Flow,
  node: StepNode,
  steps: ResolveSteps,
): Stepped {
  const slot = slotOf(node.match, "subject") as TextSlot;
  const subject: Subject = { resolved: resolve(r, slot, flow.view), slot };
  const ends: boolean[] = [];
  const cases = node.cases.map((one): Case => {
    const values = one.values.map((value) => literalOf(r, flow, value, subject.resolved.type));
    const body = steps(r, [one.step], learned(flow, caseFacts(r, flow, slot, one.values)));
    ends.push(body.flow.ended);
    return {
      id: origin(r, one.id, one),
      steps: body.steps,
      values: [values.flatMap((value) => (value === undefined ? [] : [value]))],
    };
  });
  prove(r, [subject], cases, node);
  const step: Step = {
    id: origin(r, node.id, node),
    kind: "cases",
    cases,
    subjects: [subject.resolved.expression],
  };
  return { step, flow: joinedFlow(flow, ends) };
}

interface CaseRow {
  readonly table: TableNode;
  readonly row: RowNode;
  readonly subjects: readonly Subject[];
  readonly steps: ResolveSteps;
}

function rowCase(r: Resolver, flow: Flow, at: CaseRow): { made: Case; ends: boolean } {
  const { table, row, subjects } = at;
  const values = subjects.map((subject, i) => {
    const match = cellAt(row, i)?.matches[0];
    if (match?.form !== "values") return [];
    return textsOf(match, "values").flatMap((value) => {
      const literal = literalOf(r, flow, value, subject.resolved.type);
      return literal === undefined ? [] : [literal];
    });
  });
  const last = table.columns.length - 1;
  const then = cellAt(row, last);
  const gap = row.cells.find((cell) => statusOf(cell) === "not shown");
  if (gap !== undefined) {
    const id = origin(r, row.id, row);
    const place = { id: `${id}/gap`, start: gap.start, end: gap.end };
    const what = gap === row.cells[last] ? "what happens" : "the case";
    const step: Step = { id: place.id, kind: "gap", gap: shownGap(r, flow.section, place, what) };
    return { made: { id, values, steps: [step] }, ends: true };
  }
  const body = at.steps(r, cellSteps(r, row.id, then?.matches ?? []), flow);
  return { made: { id: origin(r, row.id, row), values, steps: body.steps }, ends: body.flow.ended };
}

/** Resolves `By the case table`. */
export function resolveCaseTable(
  r: Resolver,
  flow: Flow,
  node: StepNode,
  steps: ResolveSteps,
): Stepped {
  const tables = tablesOf(flow.section, "cases");
  const [table] = tables;
  if (flow.inTable === true) {
    report(r, "recursion", node, {
      message: "The case table would take a row of itself.",
      hint: "Give the inner cases named steps, and `do` them.",
    });
    return { flow: ended(flow) };
  }
  if (table === undefined || tables.length > 1) {
    report(r, "unknown-name", node, {
      message:
        table === undefined
          ? "No case table stands under this heading."
          : "Two case tables stand under this heading.",
      hint: "Write one table whose header is expressions in code spans and `Then`.",
    });
    return { flow };
  }
  const subjects = table.columns.flatMap((column): Subject[] =>
    column.slot === undefined
      ? []
      : [{ slot: column.slot, resolved: resolve(r, column.slot, flow.view) }],
  );
  const inTable = { ...flow, inTable: true };
  const rows = table.rows.map((row) => rowCase(r, inTable, { table, row, subjects, steps }));
  const cases = rows.map((row) => row.made);
  prove(r, subjects, cases, node);
  const step: Step = {
    id: origin(r, node.id, node),
    kind: "cases",
    cases,
    subjects: subjects.map((subject) => subject.resolved.expression),
  };
  return {
    step,
    flow: joinedFlow(
      flow,
      rows.map((row) => row.ends),
    ),
  };
}
