/** Inserts the rows that the document states for the start, and those that the operator gives. */
import type { Field, StartRow } from "../../plan/index.ts";
import { gapMet } from "../answers/gap.ts";
import { isStepOutcome, resolverOf } from "../checks/inputs.ts";
import type { CompilerServices } from "../compile/services.ts";
import { unmark } from "../context/marks.ts";
import type { ResourceInfo } from "../context/model.ts";
import { Stop } from "../context/step-outcome.ts";
import { Transaction } from "../context/transaction.ts";
import { EvaluationFault } from "../evaluate/index.ts";
import type { Ambient, Members, Session, Value } from "../ports/index.ts";
import { FailureCollector } from "../read/sink.ts";
import { compileValue } from "../read/value.ts";
import { parseJson } from "../wire/parse.ts";
import { Wrong } from "../wire/wrong.ts";

/** A start row that cannot be: the message says which and why; shown to the operator. */
export class StartRowFault extends Error {}

function readField(services: CompilerServices, tx: Transaction, field: Field, text: string): Value {
  const parsed = parseJson(text);
  if (!parsed.ok) throw new StartRowFault(`${field.id}: ${parsed.message}`);
  const sink = new FailureCollector(tx.ambient, new Set());
  const read = compileValue(
    { type: field.type, rules: [], form: "json", told: "said" },
    services.model.wire,
  );
  const value = read(parsed.value, sink);
  if (value instanceof Wrong) throw new StartRowFault(`${field.id}: ${value.condition}: ${text}`);
  return value;
}

/** The value with rows in place of the keys that name them, at any depth. */
function refer(services: CompilerServices, tx: Transaction, field: Field, value: Value): Value {
  if (value === null || value === undefined) return value;
  const resolver = resolverOf(services, field.type, () => (_, key) => {
    throw new StartRowFault(`${field.id}: no row is named ${String(key)} yet`);
  });
  const found = resolver === undefined ? value : resolver(tx, value);
  return isStepOutcome(found) ? undefined : found;
}

function insert(
  services: CompilerServices,
  tx: Transaction,
  info: ResourceInfo,
  values: Members,
): void {
  const assigned = new Map<number, Value>();
  for (const [name, value] of values) {
    const place = info.at.get(name);
    const field = info.fields[place ?? -1];
    if (place === undefined || field === undefined) {
      throw new StartRowFault(`${info.name} has no field ${name}`);
    }
    assigned.set(place, refer(services, tx, field, value as Value));
  }
  try {
    services.rows.create(tx, info.name, { assigned, from: undefined });
  } catch (thrown) {
    if (thrown instanceof EvaluationFault) {
      throw new StartRowFault(`a row of ${info.name} at the start: ${thrown.message}`);
    }
    if (!(thrown instanceof Stop) || thrown.outcome.is !== "gap") throw thrown;
    const { id, place, sentence } = gapMet(services.model, thrown.outcome.gap);
    const where = [place, id].filter((one) => one !== "").join(", ");
    throw new StartRowFault(
      `a row of ${info.name} at the start meets a gap: ${sentence} (${where})`,
    );
  }
}

function stated(
  services: CompilerServices,
  tx: Transaction,
  info: ResourceInfo,
  row: StartRow,
): Members {
  return new Map(
    Object.entries(row).map(([name, text]) => {
      const field = info.fields[info.at.get(name) ?? -1];
      if (field === undefined) throw new StartRowFault(`${info.name} has no field ${name}`);
      return [name, readField(services, tx, field, text)];
    }),
  );
}

/** Lets what fell due and met a gap be tried again, for the document may have changed. */
export function retry(services: CompilerServices, session: Session): void {
  unmark(session, services.model.resources.values());
}

/** Fills a new store, resource by resource in the order of the document. Throws `StartRowFault`. */
export function start(
  services: CompilerServices,
  session: Session,
  ambient: Ambient,
  given: ReadonlyMap<string, readonly Members[]> = new Map(),
): void {
  const tx = new Transaction({ model: services.model, session, ambient });
  for (const info of services.model.resources.values()) {
    const answer = info.resource.startRows;
    if (answer.is === "stated" && answer.value.is === "block") {
      for (const row of answer.value.rows)
        insert(services, tx, info, stated(services, tx, info, row));
    }
    for (const row of given.get(info.name) ?? []) insert(services, tx, info, row);
  }
  tx.flush();
}
