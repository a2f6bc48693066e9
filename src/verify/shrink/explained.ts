/**
 * Which clauses of a document, changed, give all answers of a sequence whose last one is broken:
 * what an answer shows late, such as a row that should be gone, was done by a request before it.
 */
import type { ItemId } from "../../plan/index.ts";
import { compare } from "../judge/compare.ts";
import { type Mutant, mutantsOf } from "../rivals/mutants.ts";
import { cameNear, SUSPECTS_MAX } from "../rivals/suspects.ts";
import type { Session } from "../session.ts";
import { World } from "../world/world.ts";
import { type Start, startedBeside } from "./rehearsal.ts";
import type { Tried } from "./trials.ts";

export class Explained {
  readonly #session: Session;
  readonly #world: World;
  #mutants: readonly Mutant[] | undefined;

  constructor(session: Session, start: Start) {
    this.#session = session;
    this.#world = startedBeside(session, start);
  }

  /**
   * The items; none: no change of one clause explains all answers, too many do, or the time is
   * over. `until`: an instant of `performance.now()`.
   */
  by(tried: readonly Tried[], until: number): readonly ItemId[] {
    const { plan } = this.#session.judge.world;
    this.#mutants ??= mutantsOf(plan);
    const near = cameNear(
      plan,
      tried.flatMap(({ judgement }) => judgement.ran),
    );
    const found = new Set<ItemId>();
    for (const mutant of this.#mutants) {
      if (!found.has(mutant.item) && near(mutant) && this.#gives(mutant, tried)) {
        found.add(mutant.item);
      }
      if (found.size > SUSPECTS_MAX || performance.now() > until) return [];
    }
    return [...found];
  }

  #gives(mutant: Mutant, tried: readonly Tried[]): boolean {
    const own = this.#world;
    own.begin();
    try {
      const beside = { settings: own.settings, beside: own, isApart: true };
      const judge = this.#session.judge.beside(new World(mutant.plan(), beside));
      return tried.every(({ request, answer, judgement }) => {
        if (judgement.is === "broken") {
          // What comes no nearer to the answer is not looked into.
          const { response } = judge.foresee(request, answer.sent).outcome;
          const { differences } = compare(response, answer);
          if (differences.length >= judgement.differences.length) return false;
        }
        return judge.judge(request, answer).is === "as stated";
      });
    } catch {
      // A plan that cannot be run is nothing that a service could do.
      return false;
    } finally {
      own.undo();
    }
  }
}
