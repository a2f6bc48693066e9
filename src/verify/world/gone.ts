/** Rows of a model that were deleted, so that what deleted them can be told later. */
import type { Row, Session } from "../../run/index.ts";

/** Rows as they were when they were deleted, in works that were undone, too. */
export class Gone {
  readonly #rows = new Map<string, Map<number, Row>>();

  /** Notes each row that is deleted from here on. */
  watch(session: Session): void {
    const remove = session.delete.bind(session);
    Object.assign(session, {
      delete: (resource: string, key: number): void => {
        const row = session.get(resource, key);
        if (row !== undefined) this.#note(row);
        remove(resource, key);
      },
    });
  }

  #note(row: Row): void {
    const known = this.#rows.get(row.resource) ?? new Map<number, Row>();
    this.#rows.set(row.resource, known);
    known.set(row.key, row);
  }

  of(resource: string): readonly Row[] {
    return [...(this.#rows.get(resource)?.values() ?? [])];
  }
}
