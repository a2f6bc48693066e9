/** Leads a row to a transition: by those before it, one after the other. */
import type { Machine, Plan, Transition } from "../../plan/index.ts";
import type { Row } from "../../run/index.ts";
import type { Hints } from "../generate/making.ts";
import { pickRow } from "../generate/pick.ts";
import type { Random } from "../generate/random.ts";
import type { World } from "../world/world.ts";

/** The machine that a transition is of. */
export function machineOf({ machines }: Plan, taken: Transition): Machine | undefined {
  return machines.find((one) => one.transitions.includes(taken));
}

/** The states from which others lead to a transition, by how many do: 0 where it starts. */
export function statesBefore(
  taken: Transition,
  transitions: readonly Transition[],
): ReadonlyMap<string, number> {
  const before = new Map(taken.from.map((state) => [state, 0]));
  // States that are added on the way are looked at, too.
  for (const [state, count] of before) {
    for (const { from, to } of transitions) {
      const all = to === state ? from.filter((one) => !before.has(one)) : [];
      for (const one of all) before.set(one, count + 1);
    }
  }
  return before;
}

interface Leading {
  readonly world: World;
  readonly random: Random;
  readonly hints: Hints;
}

/** A row that may come to a transition. */
export class Lead {
  readonly #world: World;
  readonly #hints: Hints;
  readonly #machine: Machine;
  readonly #before: ReadonlyMap<string, number>;
  readonly #row: Row;

  private constructor({ world, hints }: Leading, taken: Transition, machine: Machine, row: Row) {
    this.#world = world;
    this.#hints = hints;
    this.#machine = machine;
    this.#before = statesBefore(taken, machine.transitions);
    this.#row = row;
  }

  /** One of the rows that may; undefined: none is there. */
  static to(taken: Transition, leading: Leading): Lead | undefined {
    const { world, random, hints } = leading;
    const { plan } = world;
    const machine = machineOf(plan, taken);
    if (machine === undefined) return undefined;
    const before = statesBefore(taken, machine.transitions);
    const rows = world
      .rows(machine.resource)
      .filter((row) => before.has(stateOf(plan, machine, row)));
    const row = pickRow({ plan, world, random, hints }, rows);
    return row && new Lead(leading, taken, machine, row);
  }

  /** The row as it is, and those to which the clause comes from it. */
  get rows(): readonly Row[] {
    const { resource } = this.#machine;
    const row = this.#world.rows(resource).find(({ key }) => key === this.#row.key);
    if (row === undefined) return [];
    const fields = this.#world.plan.resources.find(({ name }) => name === resource)?.fields ?? [];
    const others = fields.flatMap(({ name, type: { type } }, place) => {
      if (type.kind !== "reference" || !this.#hints.names.has(name)) return [];
      return this.#world.rows(type.resource).filter(({ key }) => key === row.values[place]);
    });
    return [row, ...others];
  }

  /** How many transitions it is away; undefined: it comes there no more. */
  get away(): number | undefined {
    const [row] = this.rows;
    if (row === undefined) return undefined;
    return this.#before.get(stateOf(this.#world.plan, this.#machine, row));
  }

  /** Transitions that lead it nearer. */
  get nearer(): readonly Transition[] {
    const [row] = this.rows;
    const { away } = this;
    if (row === undefined || away === undefined) return [];
    const state = stateOf(this.#world.plan, this.#machine, row);
    return this.#machine.transitions.filter(
      ({ from, to }) => from.includes(state) && (this.#before.get(to) ?? away) < away,
    );
  }
}

function stateOf({ resources }: Plan, { resource, field }: Machine, { values }: Row): string {
  const { fields = [] } = resources.find(({ name }) => name === resource) ?? {};
  return String(values[fields.findIndex(({ name }) => name === field)]);
}
