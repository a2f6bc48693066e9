/** Endpoints that bring about what others need: rows that these speak of. */
import { type Endpoint, type Plan, touchesOf } from "../../plan/index.ts";

/** Whether a JSON text has the name as a value. */
export const speaks = (text: string, name: string): boolean => text.includes(JSON.stringify(name));

/** Looks them up in one plan. */
export class Feeding {
  readonly #plan: Plan;
  readonly #texts: ReadonlyMap<Endpoint, string>;
  readonly #touched: ReadonlyMap<Endpoint, ReadonlySet<string>>;

  constructor(plan: Plan) {
    this.#plan = plan;
    this.#texts = new Map(plan.endpoints.map((one) => [one, JSON.stringify(one)]));
    this.#touched = new Map(
      plan.endpoints.map((one) => [one, new Set(touchesOf(plan, one).keys())]),
    );
  }

  /** Endpoints that make or change rows of resources that others speak of, or of those named. */
  of(shown: readonly Endpoint[], named: readonly string[] = []): readonly Endpoint[] {
    const names = this.#plan.resources
      .map(({ name }) => name)
      .filter((name) => named.includes(name) || shown.some((one) => this.speaks(one, name)));
    return this.#plan.endpoints.filter((one) =>
      names.some((name) => this.#touched.get(one)?.has(name) === true),
    );
  }

  speaks(endpoint: Endpoint, name: string): boolean {
    return speaks(this.#texts.get(endpoint) ?? "", name);
  }
}
