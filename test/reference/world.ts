/** The state of the reference: rows in arrays, copied as a whole before every request. */
import type { Field, Plan, Resource } from "../../src/plan/index.ts";
import type { Value } from "./values.ts";

/** A request as it is compared: by the bytes of its body, and by its values. */
export interface Likeness {
  readonly bytes: string;
  readonly values: string;
}

/** A gap that what came for a row has met. */
export interface Unknown {
  readonly gap: string;
  /** The transition, how long the row is kept, or the call and its word; and when that came. */
  readonly of: string;
  readonly at: bigint;
  /** Whether a new start does not try it again. */
  readonly stays: boolean;
}

export interface Row {
  readonly key: number;
  readonly values: Map<string, Value>;
  /** When transitions `every` and `by itself` are due next, by their ids; null: never. */
  readonly times: Map<string, bigint | null>;
  /** Gaps that what came for the row has met: what the row holds by now is not known. */
  unknown?: readonly Unknown[];
}

/** Something counted for a limit, at an instant, in somebody's name. */
export interface Hit {
  readonly limit: string;
  readonly group: string;
  readonly at: bigint;
  readonly amount: bigint;
}

export interface EventMade {
  readonly event: string;
  readonly resource: string;
  readonly key: number;
  /** JSON text; null: none. */
  readonly data: string | null;
  readonly at: bigint;
}

/** An answer kept under an idempotency key. */
export interface KeptAnswer {
  readonly name: string;
  readonly likeness: Likeness;
  readonly at: bigint;
  readonly answer: Answer;
}

export interface Answer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string | undefined;
  /** The gap that the request met. */
  readonly gap?: string;
}

/** A long call that is to be answered when its work is committed. */
export interface LaterCall {
  readonly call: string;
  readonly given: ReadonlyMap<string, Value>;
}

export interface World {
  readonly rows: Map<string, Row[]>;
  readonly lastKeys: Map<string, number>;
  readonly counters: Map<string, bigint>;
  hits: Hit[];
  kept: KeptAnswer[];
  readonly events: EventMade[];
  later: LaterCall[];
  /** Gaps that rows at the start have met, so that they are not there, by resource. */
  readonly unmade: Map<string, string>;
  /** What the clock has brought about and what is due for the same time still, by name. */
  happened: string[];
}

export function emptyWorld(): World {
  return {
    rows: new Map(),
    lastKeys: new Map(),
    counters: new Map(),
    hits: [],
    kept: [],
    events: [],
    later: [],
    unmade: new Map(),
    happened: [],
  };
}

/** A deep copy: values never change in place, so that the maps of rows are copied and they kept. */
export function copyWorld(world: World): World {
  return {
    rows: new Map(
      [...world.rows].map(([name, rows]) => [
        name,
        rows.map((row) => ({ ...row, values: new Map(row.values), times: new Map(row.times) })),
      ]),
    ),
    lastKeys: new Map(world.lastKeys),
    counters: new Map(world.counters),
    hits: [...world.hits],
    kept: [...world.kept],
    events: [...world.events],
    later: [...world.later],
    unmade: new Map(world.unmade),
    happened: [...world.happened],
  };
}

export function resourceOf(plan: Plan, name: string): Resource {
  const found = plan.resources.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no resource ${name}`);
  return found;
}

export function fieldOf(plan: Plan, resource: string, name: string): Field {
  const found = resourceOf(plan, resource).fields.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no field ${resource}.${name}`);
  return found;
}
