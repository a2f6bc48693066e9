/** Headers that a document states for every answer of an endpoint, or of all. */
import { type AnswerHeader, isStated } from "../../plan/index.ts";
import type { CompilerServices } from "../compile/services.ts";
import { Activation, Scope } from "../context/activation.ts";
import { Stop } from "../context/step-outcome.ts";
import type { Transaction } from "../context/transaction.ts";
import type { Response, Value } from "../ports/index.ts";
import { compileExpression } from "../query/expression.ts";

type Header = readonly [name: string, value: string];

/** Gives the headers that the response is to have besides its own. */
type Write = (tx: Transaction, response: Response) => readonly Header[];

const GIVEN = ["query", "header", "cookie"] as const;
const NOTHING: ReadonlyMap<string, Value> = new Map();

/** The value of a header: no control characters. */
export function headerText(value: Value): string {
  return String(value).replace(/[\u0000-\u001f\u007f]/g, " ");
}

function compile(services: CompilerServices, headers: readonly AnswerHeader[]): Write {
  const scope = new Scope(services.model);
  const all = headers.map(({ name, value }) => ({
    name,
    key: name.toLowerCase(),
    gap: value.is === "gap" ? value.gap : undefined,
    value: isStated(value) ? compileExpression(scope, value.value) : undefined,
  }));
  return (tx, response) => {
    const activation = new Activation(scope, tx);
    // Before the inputs are read the request has given nothing.
    for (const name of GIVEN) {
      if (tx.common(name) === undefined) activation.set(scope.slot(name), NOTHING);
    }
    const own = new Set(response.headers.map(([name]) => name.toLowerCase()));
    return all.flatMap(({ name, key, gap, value }): Header[] => {
      if (own.has(key)) return [];
      if (gap !== undefined) throw new Stop({ is: "gap", gap });
      const found = value?.(activation);
      return found === null || found === undefined ? [] : [[name, headerText(found)]];
    });
  };
}

const known = new WeakMap<readonly AnswerHeader[], Write>();

/** The response with its stated headers. Throws where the value of one is a gap or a fault. */
export function withHeaders(
  services: CompilerServices,
  tx: Transaction,
  headers: readonly AnswerHeader[],
  response: Response,
): Response {
  let write = known.get(headers);
  if (write === undefined) {
    write = compile(services, headers);
    known.set(headers, write);
  }
  const more = write(tx, response);
  return more.length === 0 ? response : { ...response, headers: [...response.headers, ...more] };
}
