/** Models of mutants, made when they are needed; the ones used last are kept. */
import { World } from "../world/world.ts";
import type { Mutant } from "./mutants.ts";

/** A model of a large document takes up to 1 MiB; making one takes milliseconds. */
const WORLDS_MAX = 400;
/** Where a transition leaves other states, all rows in these may fall due again and again. */
const DUE_MAX = 10;

export class Worlds {
  readonly #beside: World;
  /** In the order of their use. */
  readonly #kept = new Map<Mutant, World>();

  /** `beside`: the model of the document itself, whose rows all of them have. */
  constructor(beside: World) {
    this.#beside = beside;
  }

  /** Undefined: it cannot be run, so no service does it. */
  of(mutant: Mutant): World | undefined {
    const known = this.#kept.get(mutant) ?? this.#made(mutant);
    if (known === undefined) return undefined;
    this.forget(mutant);
    this.#kept.set(mutant, known);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > WORLDS_MAX && oldest !== undefined) this.forget(oldest);
    return known;
  }

  forget(mutant: Mutant): void {
    this.#kept.delete(mutant);
  }

  #made(mutant: Mutant): World | undefined {
    const { settings } = this.#beside;
    try {
      return new World(mutant.plan(), { settings, beside: this.#beside, dueMax: DUE_MAX });
    } catch {
      return undefined;
    }
  }
}
