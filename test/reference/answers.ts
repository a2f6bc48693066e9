/** Makes answers of endings: stated errors with their bodies, failed inputs, gaps. */
import type { Endpoint, FailureRow, Shape } from "../../src/plan/index.ts";
import { meet, pass } from "./coverage.ts";
import type { GapMember } from "./evaluate.ts";
import type { Failure } from "./reading.ts";
import { shapeText } from "./show.ts";
import { Fault, GapMet, type Value } from "./values.ts";
import type { Ending, Work } from "./work.ts";
import type { Answer } from "./world.ts";

/** `501` with the gap; of its body only the gap's id is stated. */
export function gapAnswer(gap: string): Answer {
  meet("gap", gap.startsWith("failures/") ? "failure without a row" : "met");
  return {
    status: 501,
    headers: [["Content-Type", "application/problem+json"]],
    body: undefined,
    gap,
  };
}

/** The media type of a body: the shape's own, or else the stated body format. */
export function mediaOf(work: Work, own: Shape["contentType"]): string {
  const bodyFormat = own ?? work.plan.about.bodyFormat;
  if (bodyFormat.is === "gap") throw new GapMet(bodyFormat.gap);
  return bodyFormat.is === "stated" ? bodyFormat.value : "application/json";
}

type Columns = FailureRow["columns"];

function columnsOf(columns: Columns): readonly (readonly [string, Value])[] {
  return columns.map(({ name, value }) => {
    if (value.is === "gap") return [name, { gapMember: value.gap } satisfies GapMember as never];
    return [name, value.is === "stated" ? value.value : null];
  });
}

interface Details {
  readonly outcome: Extract<Ending, { is: "error" }>;
  readonly field: string | null;
  readonly row?: FailureRow;
  readonly failures: readonly { readonly field: string | null; readonly row: FailureRow }[];
}

/** A stated error. Throws `GapMet` where its status, body, or something shown is not stated. */
export function errorAnswer(work: Work, { outcome, field, row, failures }: Details): Answer {
  const error = work.plan.errors.find((one) => one.name === outcome.error);
  if (error === undefined) throw new Error(`no error ${outcome.error}`);
  if (error.status.is === "gap") throw new GapMet(error.status.gap);
  if (error.status.is !== "stated") throw new GapMet(error.id);
  const status = error.status.value;
  const headers: [string, string][] = [];
  for (const { name, value } of error.headers) {
    if (value.is === "gap") throw new GapMet(value.gap);
    if (value.is === "stated") headers.push([name, value.value]);
  }
  if (outcome.retryAfter !== undefined) headers.push(["Retry-After", outcome.retryAfter]);
  if (error.body.is === "gap") throw new GapMet(error.body.gap);
  if (error.body.is !== "stated") return { status, headers, body: undefined };
  const name = error.body.value;
  const shape = work.plan.shapes.find((one) => one.name === name);
  if (shape === undefined) throw new Error(`no shape ${name}`);
  const seen = new Map<string, Value>([
    [
      "error",
      new Map<string, Value>([
        ["name", error.name],
        ["status", BigInt(status)],
        ...(row === undefined ? [] : columnsOf(row.columns)),
        ...columnsOf(error.columns),
      ]),
    ],
    ["field", field],
    [
      "failures",
      failures.map(
        (one) =>
          new Map<string, Value>([
            ["field", one.field],
            ["condition", one.row.condition],
            ["error", one.row.answer.is === "error" ? one.row.answer.error : null],
            ...columnsOf(one.row.columns),
          ]),
      ),
    ],
    ["given", outcome.given],
  ]);
  const body = shapeText(work, shape, seen);
  headers.push(["Content-Type", mediaOf(work, shape.contentType)]);
  return { status, headers, body };
}

export function failureRow(
  work: Work,
  endpoint: Endpoint | undefined,
  condition: string,
): FailureRow | undefined {
  return [...(endpoint?.failures ?? []), ...work.plan.failures].find(
    (one) => one.condition === condition,
  );
}

/** What answers failed inputs; undefined: every one is ignored. */
export function failuresAnswer(
  work: Work,
  endpoint: Endpoint | undefined,
  failures: readonly Failure[],
): Answer | undefined {
  const { failuresReported: reported } = work.plan;
  const all = reported.is === "stated" && reported.value === "all";
  const known: { readonly failure: Failure; readonly row?: FailureRow }[] = [];
  for (const failure of failures) {
    if (failure.refusal !== undefined) {
      meet("failure", "with its own refusal");
      // The first gap in the order of the failures is the one that is met.
      if (failure.refusal.is === "gap" && (all || known.length === 0))
        return gapAnswer(failure.refusal.gap);
      known.push({ failure });
      // An error of its own is the whole answer: it does not tell of others.
      if (known.length === 1) break;
      continue;
    }
    meet("failure", failure.condition);
    const row = failureRow(work, endpoint, failure.condition);
    if (row === undefined) return gapAnswer(`failures/${failure.condition}`);
    pass(row);
    if (row.answer.is === "ignored" || row.answer.is === "as if none were sent") continue;
    if (row.answer.is === "gap" && (all || known.length === 0)) return gapAnswer(row.answer.gap);
    known.push({ failure, row });
  }
  const [first] = known;
  if (first === undefined) return undefined;
  if (known.length > 1 && reported.is === "gap") return gapAnswer(reported.gap);
  const { failure, row } = first;
  if (row === undefined) {
    const own = failure.refusal === undefined ? undefined : work.refuse(failure.refusal, []);
    if (own === undefined || own.is === "gap") return gapAnswer(own?.gap ?? "");
    if (own.is !== "error") throw new Error("a refusal that is no error");
    return errorAnswer(work, { outcome: own, field: own.on ?? failure.field, failures: [] });
  }
  if (row.answer.is !== "error") throw new Fault(`${row.id}: what cannot happen has happened`);
  const told = (all ? known : [first]).flatMap((one) =>
    one.row?.answer.is === "error" && one.row.answer.onItsName && one.failure.field !== null
      ? [{ field: one.failure.field, row: one.row }]
      : [],
  );
  meet("failures reported", all ? "all" : reported.is === "stated" ? reported.value : reported.is);
  const { error, on = null, onItsName } = row.answer;
  return errorAnswer(work, {
    row,
    failures: told,
    field: onItsName ? failure.field : on,
    outcome: { is: "error", error, on, given: new Map(), keep: false },
  });
}

/** What answers a condition of the closed list that no input meets. */
export function conditionAnswer(
  work: Work,
  endpoint: Endpoint | undefined,
  condition: string,
): Answer {
  return (
    failuresAnswer(work, endpoint, [{ condition, field: null }]) ??
    gapAnswer(`failures/${condition}`)
  );
}
