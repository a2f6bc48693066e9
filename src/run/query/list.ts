/** A list of rows that a step named and nobody has read yet: counted and sliced by the store. */
import type { Activation } from "../context/activation.ts";
import type { Pending } from "../context/transaction.ts";
import type { Row, Slice } from "../ports/index.ts";
import type { Finder, Ready } from "./finder.ts";
import type { SortKey } from "./sort.ts";

/** Conditions are decided and arguments evaluated when it is made; rows are read when needed. */
export class RowList implements Pending {
  readonly #finder: Finder;
  readonly #frame: Activation;
  readonly #slice: Slice | undefined;
  readonly #ready: Ready;
  #rows: readonly Row[] | undefined;
  #count: bigint | undefined;

  constructor(finder: Finder, activation: Activation, slice?: Slice) {
    this.#finder = finder;
    this.#frame = activation;
    this.#slice = slice;
    this.#ready = finder.ready(activation);
    if (this.#ready === "in memory") this.settle();
    else activation.tx.defer(this);
  }

  /** Whether it is all rows of its resource, and nobody has read them yet. */
  get isWhole(): boolean {
    return (
      this.#rows === undefined &&
      this.#slice === undefined &&
      this.#ready !== "never" &&
      this.#ready !== "in memory" &&
      this.#ready.query.where.length === 0
    );
  }

  settle(): void {
    this.rows();
  }

  rows(): readonly Row[] {
    this.#rows ??= this.#finder.rows(this.#frame, this.#slice, this.#ready);
    return this.#rows;
  }

  count(): bigint {
    if (this.#rows !== undefined || this.#slice !== undefined) return BigInt(this.rows().length);
    this.#count ??= this.#finder.count(this.#frame, this.#ready);
    return this.#count;
  }

  /** Part of the list; undefined where it is itself a part or already read. */
  part(slice: Slice): RowList | undefined {
    if (this.#rows !== undefined || this.#slice !== undefined) return undefined;
    return new RowList(this.#finder, this.#frame, slice);
  }

  /** The list in an order; undefined where it is a part or already read. */
  ordered(order: readonly SortKey[], finders: Map<Finder, Finder>): RowList | undefined {
    if (this.#rows !== undefined || this.#slice !== undefined) return undefined;
    let finder = finders.get(this.#finder);
    if (finder === undefined) {
      finder = this.#finder.ordered(order);
      finders.set(this.#finder, finder);
    }
    return new RowList(finder, this.#frame);
  }
}
