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

function readField(kit: CompilerServices, work: Transaction, field: Field, text: string): Value {
  const parsed = parseJson(text);
  if (!parsed.ok) throw new StartRowFault(`${field.id}: ${parsed.message}`);
  const sink = new FailureCollector(work.ambient, new Set());
  const read = compileValue(
    { type: field.type, rules: [], form: "json", told: "said" },
    kit.model.wire,
  );
  const value = read(parsed.value, sink);
  if (value instanceof Wrong) throw new StartRowFault(`${field.id}: ${value.condition}: ${text}`);
  return value;
}

/** The value with rows in place of the keys that name them, at any depth. */
function refer(kit: CompilerServices, work: Transaction, field: Field, value: Value): Value {
  if (value === null || value === undefined) return value;
  const resolver = resolverOf(kit, field.type, () => (_, key) => {
    throw new StartRowFault(`${field.id}: no row is named ${String(key)} yet`);
  });
  const found = resolver === undefined ? value : resolver(work, value);
  return isStepOutcome(found) ? undefined : found;
}

function insert(
  kit: CompilerServices,
  work: Transaction,
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
    assigned.set(place, refer(kit, work, field, value as Value));
  }
  try {
    kit.rows.create(work, info.name, { assigned, from: undefined });
  } catch (thrown) {
    if (thrown instanceof EvaluationFault) {
      throw new StartRowFault(`a row of ${info.name} at the start: ${thrown.message}`);
    }
    if (!(thrown instanceof Stop) || thrown.ending.is !== "gap") throw thrown;
    const { id, place, sentence } = gapMet(kit.model, thrown.ending.gap);
    const where = [place, id].filter((one) => one !== "").join(", ");
    throw new StartRowFault(
      `a row of ${info.name} at the start meets a gap: ${sentence} (${where})`,
    );
  }
}

function stated(
  kit: CompilerServices,
  work: Transaction,
  info: ResourceInfo,
  row: StartRow,
): Members {
  return new Map(
    Object.entries(row).map(([name, text]) => {
      const field = info.fields[info.at.get(name) ?? -1];
      if (field === undefined) throw new StartRowFault(`${info.name} has no field ${name}`);
      return [name, readField(kit, work, field, text)];
    }),
  );
}

/** Lets what fell due and met a gap be tried again, for the document may have changed. */
export function retry(kit: CompilerServices, session: Session): void {
  unmark(session, kit.model.resources.values());
}

/** Fills a new store, resource by resource in the order of the document. Throws `StartRowFault`. */
export function start(
  kit: CompilerServices,
  session: Session,
  ambient: Ambient,
  given: ReadonlyMap<string, readonly Members[]> = new Map(),
): void {
  const work = new Transaction({ model: kit.model, session, ambient });
  for (const info of kit.model.resources.values()) {
    const answer = info.resource.startRows;
    if (answer.is === "stated" && answer.value.is === "block") {
      for (const row of answer.value.rows) insert(kit, work, info, stated(kit, work, info, row));
    }
    for (const row of given.get(info.name) ?? []) insert(kit, work, info, row);
  }
  work.flush();
}
