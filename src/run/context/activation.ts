/** Names become slots: a scope (of an endpoint, transition, routine, shape) and its activations. */
import { type Code, freeNames } from "../../expr/index.ts";
import type { Value as Evaluated, Layout } from "../evaluate/index.ts";
import type { Value } from "../ports/index.ts";
import type { Model } from "./model.ts";
import type { Transaction } from "./transaction.ts";

/** Name of the object through which an evaluation reaches queries: its members are thunks. */
export const QUERIES = "#queries";
/** Whether reads see every row: true where nobody asks (timers, invariants), not for a request. */
export const UNSEEN = "#unseen";

/** Name of the row in every query. */
export const ROW = "#row";

/** The slot of `UNSEEN`. */
const SEES_ALL = 1;

/** What code in one place can name. Slots are given out while it is compiled. */
export class Scope {
  readonly model: Model;
  readonly layout: Layout;
  readonly names: string[] = [QUERIES, UNSEEN];
  readonly thunks: ((activation: Activation) => Value)[] = [];
  /** Names that a step gives a list of rows not yet read. */
  readonly lists = new Set<string>();

  constructor(model: Model) {
    this.model = model;
    const { fields, isDoubtful } = model;
    this.layout = { names: this.names, fields, isDoubtful, seesAll: SEES_ALL };
  }

  slot(name: string): number {
    const found = this.names.indexOf(name);
    return found >= 0 ? found : this.names.push(name) - 1;
  }

  /** Gives a slot to every name that stands free in the code. */
  reserve(code: Code): void {
    for (const name of freeNames(code)) this.slot(name);
  }

  /** Adds a thunk; gives the member of `#queries` that runs it. */
  thunk(run: (activation: Activation) => Value): string {
    return String(this.thunks.push(run) - 1);
  }
}

/** Reached from code as an object: `get` runs the thunk of that number in the activation. */
class Queries {
  readonly #activation: Activation;

  constructor(activation: Activation) {
    this.#activation = activation;
  }

  get(member: string): Value {
    const thunk = this.#activation.scope.thunks[Number(member)];
    return thunk?.(this.#activation);
  }
}

/** One run of a scope: its values by slot, and the transaction that it belongs to. */
export class Activation {
  readonly scope: Scope;
  readonly tx: Transaction;
  readonly values: Evaluated[];
  /** Columns read ahead for the rows of a view, by key; see `shapes`. */
  prefetched: ReadonlyMap<number, readonly Value[]> | undefined;

  constructor(scope: Scope, tx: Transaction) {
    this.scope = scope;
    this.tx = tx;
    const { names } = scope;
    const values: Evaluated[] = new Array<Evaluated>(names.length);
    values[0] = new Queries(this);
    values[SEES_ALL] = tx.unseen;
    for (let i = 2; i < names.length; i++) values[i] = tx.common(names[i] as string);
    this.values = values;
  }

  set(slot: number, value: Value): this {
    this.values[slot] = value;
    return this;
  }

  /** Its reads see every row, whoever asks: what must hold must hold of all of them. */
  seeingAll(): this {
    return this.set(SEES_ALL, true);
  }

  /** Whether its reads see every row. */
  get seesAll(): boolean {
    return this.values[SEES_ALL] === true;
  }
}
