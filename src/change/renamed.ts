/**
 * Finds what is the same under another name, where no client, store or operator meets the name:
 * parts, views and shapes, named steps, actors. Such a name is wording.
 */
import { type Answer, isStated, type Plan } from "../plan/index.ts";
import { paired } from "./pairs.ts";
import { isExpression } from "./same.ts";

type Renamed = ReadonlyMap<string, string>;

type Names = Readonly<Record<"structures" | "routines" | "actors", Renamed>>;

/** All that a construct says, but for its own name. */
function contentOf(one: object): string {
  return JSON.stringify({ ...one, name: "" }, (key, value: unknown) => {
    if ((key === "id" || key === "gap") && typeof value === "string") return undefined;
    return isExpression(value) ? value.text : value;
  });
}

interface Named {
  readonly name: string;
}

/** Names of the first list that are gone, each with the one that says the same in the second. */
function pairsOf(before: readonly Named[], now: readonly Named[]): [string, string][] {
  const { gone, added } = paired(before, now, ({ name }) => name);
  return paired(gone, added, contentOf).both.map(([old, one]) => [old.name, one.name]);
}

function namesOf(before: Plan, now: Plan): Names {
  return {
    structures: new Map([
      ...pairsOf(before.partTypes, now.partTypes),
      ...pairsOf(before.shapes, now.shapes),
    ]),
    routines: new Map(pairsOf(before.routines, now.routines)),
    actors: new Map(pairsOf(before.actors, now.actors)),
  };
}

function called(names: Renamed, value: unknown): unknown {
  return typeof value === "string" ? (names.get(value) ?? value) : value;
}

function allCalled(names: Renamed, value: unknown): unknown {
  return Array.isArray(value) ? value.map((one) => called(names, one)) : value;
}

/** The member with all names in it that are other ones now. */
function member(key: string, value: unknown, names: Names): unknown {
  if (key === "shape") return called(names.structures, value);
  if (key === "routine") return called(names.routines, value);
  if (key === "actors") return typeof value === "object" ? allCalled(names.actors, value) : value;
  if (key === "who" && isStated(value as Answer<unknown>)) {
    const answer = value as Extract<Answer<unknown>, { is: "stated" }>;
    return { ...answer, value: allCalled(names.actors, answer.value) };
  }
  return value;
}

function typeCalled(value: object, names: Names): object {
  if (!("kind" in value)) return value;
  if (value.kind === "structure" && "name" in value) {
    return { ...value, name: called(names.structures, value.name) };
  }
  if (value.kind === "reference" && "view" in value) {
    return { ...value, view: called(names.structures, value.view) };
  }
  return value;
}

/** The same data with other names. The depth is that of the plan: types in types, code in code. */
function walk(value: unknown, names: Names): unknown {
  if (typeof value !== "object" || value === null || isExpression(value)) return value;
  if (Array.isArray(value)) return value.map((one) => walk(one, names));
  return Object.fromEntries(
    Object.entries(typeCalled(value, names)).map(([key, one]) => [
      key,
      walk(member(key, one, names), names),
    ]),
  );
}

function withNames(plan: Plan, names: Names): Plan {
  const own = <T extends Named>(all: readonly T[], of: Renamed): readonly T[] =>
    all.map((one) => ({ ...one, name: of.get(one.name) ?? one.name }));
  const walked = walk(plan, names) as Plan;
  return {
    ...walked,
    partTypes: own(walked.partTypes, names.structures),
    shapes: own(walked.shapes, names.structures),
    routines: own(walked.routines, names.routines),
    actors: own(plan.actors, names.actors),
    errors: walked.errors.map((one) => {
      const { body } = one;
      if (!isStated(body)) return one;
      const value = names.structures.get(body.value) ?? body.value;
      return { ...one, body: { ...body, value } };
    }),
  };
}

/** The first plan with the names that the second has for the same things. */
export function renamed(before: Plan, now: Plan): Plan {
  let plan = before;
  // What holds something that is renamed is found once that has its new name.
  for (let round = 0; round < ROUNDS; round++) {
    const names = namesOf(plan, now);
    if (Object.values(names).every((one) => one.size === 0)) return plan;
    plan = withNames(plan, names);
  }
  return plan;
}

/** As deep as shapes are that hold one another, all renamed at once; further ones are told. */
const ROUNDS = 8;
