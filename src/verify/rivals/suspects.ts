/**
 * Which clause of a document a service may do otherwise: those that, changed, give the answer that
 * was wrong (mutation-based fault localization: Papadakis, Le Traon, "Metallaxis-FL", 2015).
 */
import type { ItemId, Plan } from "../../plan/index.ts";
import { blamed } from "../judge/blame.ts";
import { compare, type Difference } from "../judge/compare.ts";
import type { Judge } from "../judge/judge.ts";
import type { Wrong } from "../judge/judgement.ts";
import { type Ran, World } from "../world/world.ts";
import { limitBlamed } from "./limited.ts";
import { cameTo, isCome, type Mutant, mutantsOf } from "./mutants.ts";

/** More clauses than these explain nothing. */
export const SUSPECTS_MAX = 5;

/** What a changed clause would do to the answer. */
type Likeness =
  /** It gives the answer that was wrong. */
  | "the same"
  /** It changes the answer in the same places, to other values. */
  | "in the same places"
  | "other";

/** Finds the clauses that explain answers of one service. */
export class Suspects {
  #mutants: readonly Mutant[] | undefined;

  /** The items; none: no change of one clause explains the answer, or too many do. */
  of(judge: Judge, wrong: Wrong): readonly ItemId[] {
    const { plan } = judge.world;
    this.#mutants ??= mutantsOf(plan);
    const near = cameNear(plan, [wrong.ran]);
    const same = new Set<ItemId>();
    const alike = new Set<ItemId>();
    for (const mutant of this.#mutants) {
      const { item, plan: changed } = mutant;
      if (same.has(item) || !near(mutant)) continue;
      const found = likeness(judge, changed, wrong);
      if (found === "the same") same.add(item);
      else if (found === "in the same places") alike.add(item);
    }
    const limits = same.size > 0 ? [] : limitBlamed(judge, wrong);
    if (limits.length > 0) return limits;
    if (same.size > 0) return same.size > SUSPECTS_MAX ? [] : [...same];
    if (alike.size === 0 || alike.size > SUSPECTS_MAX) return [];
    // None of them gives the answer: what it shows is as likely.
    const isOther = wrong.differences.some((one) => one.in === "status");
    const shown = isOther ? [] : blamed(plan, wrong.ran, wrong.differences);
    return [...new Set([...alike, ...shown])];
  }
}

/** Tells whether a clause may have to do with works. */
export function cameNear(plan: Plan, all: readonly Ran[]): (mutant: Mutant) => boolean {
  const places = all.map(({ endpoint }) =>
    endpoint === undefined ? -1 : plan.endpoints.indexOf(endpoint),
  );
  const come = withReferring(plan, cameTo(all.flatMap(({ trace }) => trace)));
  return ({ item, endpoints, takesTime }) => {
    if (item === "") return false;
    return endpoints === undefined
      ? takesTime || isCome(item, come)
      : places.some((at) => endpoints.has(at));
  };
}

/** With the resources whose rows refer to those: what is done to these is done to them, too. */
function withReferring({ resources }: Plan, come: ReadonlySet<string>): ReadonlySet<string> {
  const referring = resources.filter(({ fields }) =>
    fields.some(({ type: { type } }) => {
      return type.kind === "reference" && come.has(`resources/${type.resource}`);
    }),
  );
  return new Set([...come, ...referring.map(({ id }) => id)]);
}

function likeness(judge: Judge, changed: Mutant["plan"], wrong: Wrong): Likeness {
  const { request, answer, differences, ran } = wrong;
  const { world: own } = judge;
  own.begin();
  try {
    const beside = { settings: own.settings, beside: own, isApart: true };
    const world = new World(changed(), beside);
    const { response } = judge.beside(world).foresee(request, answer.sent).outcome;
    const rest = compare(response, answer).differences;
    const turned = compare(ran.outcome.response, { ...response, sent: 0n, received: 0n });
    const isAlike = placesOf(turned.differences) === placesOf(differences);
    // What comes no nearer to the answer is not looked into.
    const isNearer = rest.length < differences.length || rest.length === 0;
    if (isNearer && judge.beside(world).judge(request, answer).is === "as stated") {
      return "the same";
    }
    return isAlike ? "in the same places" : "other";
  } catch {
    // A plan that cannot be run is nothing that a service could do.
    return "other";
  } finally {
    own.undo();
  }
}

const placesOf = (differences: readonly Difference[]): string =>
  differences
    .map(({ in: where, where: path }) => `${where} ${path.join(".")}`)
    .toSorted()
    .join("\n");
