/** Rows that were asked for, kept by the version of the rows: requests are chosen by many looks. */
import type { Row } from "../../run/index.ts";

/** Versions of which rows are kept. */
const VERSIONS_MAX = 16;

export class Looked {
  readonly #versions = new Map<number, Map<string, readonly Row[]>>();

  /** The rows of a resource in a version of all rows; `all` reads them. */
  at(version: number, resource: string, all: () => readonly Row[]): readonly Row[] {
    const known = this.#versions.get(version) ?? new Map<string, readonly Row[]>();
    if (!this.#versions.has(version)) {
      if (this.#versions.size >= VERSIONS_MAX) this.#versions.clear();
      this.#versions.set(version, known);
    }
    const rows = known.get(resource) ?? all();
    known.set(resource, rows);
    return rows;
  }
}
