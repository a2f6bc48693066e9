/** Writes out failure rows for a class: a row for each condition of it that needs an answer. */
import type { Finding } from "../../base/index.ts";
import { failureConditions } from "../../language/index.ts";
import type { Endpoint, FailureCondition, FailureRow, ItemId, Service } from "../../plan/index.ts";
import type { Resolution } from "../resolve/index.ts";
import type { ClassRow } from "../types.ts";
import { type Conditions, conditionsOf } from "./occurs.ts";

/** What is met where no endpoint is found. */
const NO_ENDPOINT = ["unknown path", "unknown method"] as const;

/** A class that is named stands for its conditions before the row for all others does. */
const named = (one: ClassRow): number => (one.class === undefined ? 1 : 0);

function told(row: ClassRow, stands: readonly FailureCondition[]): Finding {
  const what =
    row.class === undefined ? "every other failure" : `every other failure of ${row.class}`;
  if (stands.length === 0) {
    return {
      code: "never-occurs",
      severity: "warning",
      span: row.span,
      message: `'${what}' stands for nothing: what can occur has a row of its own.`,
      hint: "Take the row away.",
    };
  }
  const count = stands.length === 1 ? "one condition" : `${stands.length} conditions`;
  const message = `'${what}' stands for ${count}: ${stands.join(", ")}.`;
  return { code: "failure-class", severity: "note", span: row.span, message };
}

/** The rows that `classes` stand for, of what `open` leaves to be answered. */
function writtenOut(
  classes: readonly ClassRow[],
  open: Conditions,
  findings: Finding[],
): FailureRow[] {
  const left = new Set(open);
  return classes
    .toSorted((a, b) => named(a) - named(b))
    .flatMap((row) => {
      const stands = failureConditions.filter(
        (one) =>
          left.has(one.name) && one.class !== undefined && (row.class ?? one.class) === one.class,
      );
      for (const { name } of stands) left.delete(name);
      const names = stands.map(({ name }) => name);
      findings.push(told(row, names));
      return names.map((condition) => ({ ...row.answer, condition }));
    });
}

const without = (all: Conditions, rows: readonly FailureRow[]): Conditions => {
  const answered = new Set(rows.map(({ condition }) => condition));
  return new Set([...all].filter((one) => !answered.has(one)));
};

/** The resolution with a row for each condition that a row for a class answers. */
export function withClasses(resolution: Resolution): Resolution {
  const { classRows, service } = resolution;
  if (classRows.length === 0) return resolution;
  const findings = [...resolution.findings];
  const conditions = conditionsOf(service);
  const rowsIn = (section: ItemId): ClassRow[] =>
    classRows.filter((row) => row.section === section);
  const open = new Set<FailureCondition>();
  const endpoints = service.endpoints.map((endpoint): Endpoint => {
    const occurs = conditions(endpoint);
    const own = new Set(without(occurs, endpoint.failures));
    for (const name of NO_ENDPOINT) own.delete(name);
    const more = writtenOut(rowsIn(endpoint.id), own, findings);
    const failures = [...endpoint.failures, ...more];
    for (const one of without(occurs, failures)) open.add(one);
    return { ...endpoint, failures };
  });
  const ids = new Set(endpoints.map(({ id }) => id));
  const general = classRows.filter((row) => !ids.has(row.section));
  const more = writtenOut(general, without(open, service.failures), findings);
  const failures = [...service.failures, ...more];
  const whole: Service = { ...service, endpoints, failures };
  return { ...resolution, findings, service: whole };
}
