/** Inserts the rows that the document states for the start, and those that the operator gives. */
import { type Field, gapOf, isStated, type StartRow, statedOf } from "../../plan/index.ts";
import { gapMet } from "../answers/gap.ts";
import { isStepOutcome, resolverOf } from "../checks/inputs.ts";
import type { CompilerServices } from "../compile/services.ts";
import { Census } from "../context/census.ts";
import type { ResourceInfo } from "../context/model.ts";
import { unmark } from "../context/row-marks.ts";
import { type StepOutcome, Stop } from "../context/step-outcome.ts";
import { Transaction } from "../context/transaction.ts";
import { noteUnmade, takeUnmade } from "../context/unmade.ts";
import { EvaluationFault, GapFault } from "../evaluate/index.ts";
import type { Ambient, Members, Row, Session, StartOptions, Value } from "../ports/index.ts";
import { FailureCollector } from "../read/failure-collector.ts";
import { compileValue } from "../read/value.ts";
import { parseJson } from "../wire/parse.ts";
import { Wrong } from "../wire/wrong.ts";
import { guarded } from "../work/execute.ts";

/** A start row that cannot be: the message says which and why; shown to the operator. */
export class StartRowFault extends Error {
  /** Place of the row among those that are given for its resource; undefined: no single one. */
  place: number | undefined;
}

function readField(services: CompilerServices, tx: Transaction, field: Field, text: string): Value {
  const parsed = parseJson(text);
  if (!parsed.ok) throw new StartRowFault(`${field.id}: ${parsed.message}`);
  const sink = new FailureCollector(tx.ambient, new Set());
  const read = compileValue(
    { type: field.type, rules: [], form: "json", told: "said" },
    services.model.wire,
  );
  const value = read(parsed.value, sink);
  if (!(value instanceof Wrong)) return value;
  // A part of it may be what is not shown.
  const refusals = [value.refusal, ...sink.failures(true).map(({ refusal }) => refusal)];
  const gap = refusals.find((one) => one?.is === "gap");
  if (gap?.is === "gap") throw new Stop(gap);
  throw new StartRowFault(`${field.id}: ${value.condition}: ${text}`);
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

/** What a row is made of, by its place among the rows of its resource. */
interface Planned {
  readonly place: number;
  /** Whether it is refused where it meets a gap. */
  readonly isWhole: boolean;
  values(): Members;
}

/** Makes a row; one that meets a gap is not there, and whoever looks for it meets the gap. */
export function insert(
  services: CompilerServices,
  tx: Transaction,
  info: ResourceInfo,
  { place, values, isWhole }: Planned,
): Row | undefined {
  try {
    return make(services, tx, info, values());
  } catch (thrown) {
    if (thrown instanceof StartRowFault) thrown.place ??= place;
    const outcome = thrown instanceof Stop ? thrown.outcome : undefined;
    const met = thrown instanceof GapFault ? thrown.gap : undefined;
    const gap = gapOf(outcome) ?? met;
    const resource = info.name;
    if (gap === undefined && thrown instanceof EvaluationFault) {
      throw placed(place, `a row of ${resource} at the start: ${thrown.message}`);
    }
    if (gap === undefined) throw thrown;
    if (!isWhole && noteUnmade(services.model, tx.session, { resource, place, gap })) {
      return undefined;
    }
    const { id, place: where, sentence } = gapMet(services.model, gap);
    const named = [where, id].filter((one) => one !== "").join(", ");
    throw placed(place, `a row of ${resource} at the start meets a gap: ${sentence} (${named})`);
  }
}

/** What keeps a row from being there, with its place among those that are given. */
export function placed(place: number, message: string): StartRowFault {
  return Object.assign(new StartRowFault(message), { place });
}

function make(
  services: CompilerServices,
  tx: Transaction,
  info: ResourceInfo,
  values: Members,
): Row | undefined {
  const assigned = new Map<number, Value>();
  for (const [name, value] of values) {
    const place = info.at.get(name);
    const field = info.fields[place ?? -1];
    if (place === undefined || field === undefined) {
      throw new StartRowFault(`${info.name} has no field ${name}`);
    }
    assigned.set(place, refer(services, tx, field, value as Value));
  }
  return services.rows.create(tx, info.name, { assigned, from: undefined });
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

type Given = ReadonlyMap<string, readonly Members[]>;

/** The rows of a resource at the start, each made when it is asked for. */
function planned(
  services: CompilerServices,
  tx: Transaction,
  info: ResourceInfo,
  { given = new Map() }: StartOptions,
): Planned[] {
  const rows = statedOf(info.resource.startRows);
  const block = rows?.is === "block" ? rows.rows : [];
  const all = [
    ...block.map((row) => () => stated(services, tx, info, row)),
    ...(given.get(info.name) ?? []).map((row) => () => row),
  ];
  return all.map((values, place) => ({ place, values, isWhole: false }));
}

/**
 * Lets what met a gap be tried again, for the document may have changed: what fell due, and rows at
 * the start. Throws `StartRowFault`.
 */
export function retry(
  services: CompilerServices,
  session: Session,
  ambient: Ambient,
  given: Given = new Map(),
): void {
  unmark(session, services.model.resources.values());
  const tx = new Transaction({ model: services.model, session, ambient });
  for (const info of services.model.resources.values()) {
    // A store of a document without such rows notes none.
    if (!isStated(info.resource.startRows)) continue;
    const places = takeUnmade(session, info.name);
    if (places.size === 0) continue;
    for (const row of planned(services, tx, info, { given })) {
      if (places.has(row.place)) insert(services, tx, info, row);
    }
  }
  tx.flush();
}

/**
 * Fills the resources that are new in a store, in the order of the document. Throws
 * `StartRowFault`.
 */
export function start(
  services: CompilerServices,
  session: Session,
  ambient: Ambient,
  options: StartOptions = {},
): void {
  const tx = new Transaction({ model: services.model, session, ambient });
  const made: Made[] = [];
  for (const info of services.model.resources.values()) {
    if (options.unfilled?.has(info.name) === false) continue;
    for (const row of planned(services, tx, info, options)) {
      const { resource, key } = insert(services, tx, info, row) ?? {};
      if (resource !== undefined && key !== undefined) {
        made.push({ resource, key, place: row.place });
      }
    }
  }
  tx.flush();
  const census = new Census(session);
  const fresh = (): Transaction => {
    const work = new Transaction({ model: services.model, session, ambient });
    work.census = census;
    return work;
  };
  judgeAll(services, fresh, made);
}

interface Made {
  readonly resource: string;
  readonly key: number;
  readonly place: number;
}

/** Rows that one transaction holds by identity. */
const AT_A_TIME = 200;

/** Judges all rows when all are there; of what is not shown nothing can be said. */
function judgeAll(
  services: CompilerServices,
  fresh: () => Transaction,
  made: readonly Made[],
): void {
  for (let from = 0; from < made.length; from += AT_A_TIME) {
    const tx = fresh();
    for (const { resource, key, place } of made.slice(from, from + AT_A_TIME)) {
      const row = tx.get(resource, key);
      if (row === undefined) continue;
      const broken = guarded(() => judged(services, tx, row));
      if (broken?.is === "error" || broken?.is === "fault") {
        throw placed(place, brokenText(resource, broken));
      }
    }
  }
}

/** A row as it would be judged had a request made it. */
export function judged(
  services: CompilerServices,
  tx: Transaction,
  row: Row,
): StepOutcome | undefined {
  const touched = { row, created: true, deleted: false, before: [...row.values], counted: true };
  return services.judge(tx, [touched]);
}

/** What keeps a row from being there: an invariant, or a limit on rows. */
export function brokenText(resource: string, outcome: StepOutcome): string {
  if (outcome.is === "error") {
    return `a request that made this row of ${resource} would be refused with \`${outcome.error}\``;
  }
  const why = outcome.is === "fault" ? outcome.message : "a gap is met";
  return `this row of ${resource} cannot be judged right: ${why}`;
}
