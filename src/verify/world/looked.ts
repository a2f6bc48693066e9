/** Rows that were asked for, kept until a work changes them: requests are chosen by many looks. */
import type { Row } from "../../run/index.ts";

type Rows = Map<string, readonly Row[]>;

/** Rows by resource, as they are in each of the works that are begun inside one another. */
export class Looked {
  readonly #layers: Rows[] = [new Map()];

  begin(): void {
    this.#layers.push(new Map(this.#layers.at(-1)));
  }

  keep(): void {
    const last = this.#layers.pop() ?? new Map();
    this.#layers[this.#layers.length - 1] = last;
  }

  undo(): void {
    this.#layers.pop();
  }

  /** The innermost work may change any row. */
  change(): void {
    this.#layers.at(-1)?.clear();
  }

  /** Any work may have changed any row. */
  clear(): void {
    for (const one of this.#layers) one.clear();
  }

  at(resource: string, all: () => readonly Row[]): readonly Row[] {
    const layer = this.#layers.at(-1);
    const rows = layer?.get(resource) ?? all();
    layer?.set(resource, rows);
    return rows;
  }
}
