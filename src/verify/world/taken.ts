/** What a request makes of a model that no row and no step of it shows. */
import type { Plan } from "../../plan/index.ts";
import type { Session, Value } from "../../run/index.ts";

/** Numbers that were taken, and fields that were filled or emptied. */
export interface Taken {
  /** Numbers that were taken, from 1 on, by their counters. */
  readonly counted: ReadonlyMap<string, bigint>;
  /** Fields of rows that were filled or emptied: a text for each. */
  readonly filled: readonly string[];
}

/** Notes it. */
export class Takings {
  readonly #counted = new Map<string, bigint>();
  readonly #filled = new Set<string>();

  /** Notes what is done in the session from here on. */
  watch(session: Session, { resources }: Plan): void {
    const { counters } = session;
    const next = counters.next.bind(counters);
    Object.assign(counters, {
      next: (counter: string): bigint => {
        const number = next(counter);
        this.#counted.set(counter, number);
        return number;
      },
    });
    const update = session.update.bind(session);
    const fieldsOf = new Map(resources.map(({ name, fields }) => [name, fields]));
    Object.assign(session, {
      update: (resource: string, key: number, values: readonly Value[]): void => {
        const before = session.get(resource, key)?.values ?? [];
        for (const [i, { name }] of (fieldsOf.get(resource) ?? []).entries()) {
          const [was, is] = [isEmpty(before[i]), isEmpty(values[i])];
          if (was !== is) this.#filled.add(`${resource}.${name} ${is ? "emptied" : "filled"}`);
        }
        update(resource, key, values);
      },
    });
  }

  begin(): void {
    this.#counted.clear();
    this.#filled.clear();
  }

  get told(): Taken {
    return { counted: new Map(this.#counted), filled: [...this.#filled] };
  }
}

function isEmpty(value: Value | undefined): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}
