/** Writes stated errors: status, headers and the shape of the body, which sees `error` and more. */
import { type ErrorDefinition, type FailureRow, isStated } from "../../plan/index.ts";
import type { CompilerServices } from "../compile/services.ts";
import { type StepOutcome, Stop } from "../context/step-outcome.ts";
import type { Transaction } from "../context/transaction.ts";
import type { Response, Value } from "../ports/index.ts";
import { contentTypeOf } from "../show/headers.ts";

type ErrorOutcome = Extract<StepOutcome, { is: "error" }>;
type Texts = ErrorDefinition["columns"];

/** An object of named texts of which some may be gaps: reading one of those meets the gap. */
class Columns extends Map<string, Value> {
  readonly #gaps = new Map<string, string>();

  constructor(entries: Iterable<readonly [string, Value]>, columns: Texts) {
    super(entries);
    for (const { name, value } of columns) {
      if (isStated(value)) this.set(name, value.value);
      else if (value.is === "gap") this.#gaps.set(name, value.gap);
      else this.set(name, value.is === "free" ? "" : null);
    }
  }

  override get(name: string): Value {
    // Undefined while the base class fills itself.
    const gap = this.#gaps?.get(name);
    if (gap !== undefined) throw new Stop({ is: "gap", gap });
    // A row of a table without the column has no text in it.
    return super.get(name) ?? null;
  }
}

interface ErrorDetails {
  readonly outcome: ErrorOutcome;
  readonly field: string | null;
  /** Further columns of the row of the failure table that gave the error. */
  readonly row?: FailureRow;
  readonly failures: readonly { readonly field: string | null; readonly row: FailureRow }[];
  readonly headers: readonly (readonly [string, string])[];
}

/** The response of a stated error. Throws a Stop where its status, body or a member is a gap. */
export function errorResponse(
  services: CompilerServices,
  tx: Transaction,
  details: ErrorDetails,
): Response {
  const { outcome } = details;
  tx.answeredBy = outcome.error;
  const definition = services.model.errors.get(outcome.error);
  if (definition === undefined) throw new Error(`the plan has no error ${outcome.error}`);
  services.model.options.trace?.(definition.id, "shown");
  const { status } = definition;
  if (status.is === "gap") throw new Stop({ is: "gap", gap: status.gap });
  if (!isStated(status)) throw new Stop({ is: "gap", gap: definition.id, silent: true });
  const headers: (readonly [string, string])[] = [...details.headers];
  for (const { name, value } of definition.headers) {
    if (value.is === "gap") throw new Stop({ is: "gap", gap: value.gap });
    if (isStated(value)) headers.push([name, value.value]);
  }
  if (outcome.retryAfter !== undefined) headers.push(["Retry-After", outcome.retryAfter]);
  const { body } = definition;
  if (body.is === "gap") throw new Stop({ is: "gap", gap: body.gap });
  if (!isStated(body)) return { status: status.value, headers, body: undefined };
  const writer = services.shape(body.value);
  const text = writer.given(
    tx,
    new Map<string, Value>([
      [
        "error",
        new Columns(
          [
            ["name", definition.name],
            ["status", BigInt(status.value)],
            ...(details.row === undefined ? [] : columnsOf(details.row)),
          ],
          definition.columns,
        ),
      ],
      ["field", details.field],
      [
        "failures",
        details.failures.map(
          ({ field, row }) =>
            new Columns(
              [
                ["field", field],
                ["condition", row.condition],
                ["error", row.answer.is === "error" ? row.answer.error : null],
              ],
              row.columns,
            ),
        ),
      ],
      ["given", outcome.given],
      ["it", outcome.it],
    ]),
  );
  headers.push(["Content-Type", contentTypeOf(services, writer.contentType)]);
  return { status: status.value, headers, body: text };
}

function columnsOf(row: FailureRow): readonly (readonly [string, Value])[] {
  return row.columns.flatMap(({ name, value }) =>
    isStated(value) ? [[name, value.value] as const] : [],
  );
}
