/** The door of `survey`: what a description states, leaves open and contradicts, counted. */
import type { Description, Operation } from "../model/index.ts";
import { type Place, type ProblemCode, textAt } from "../tree/index.ts";
import { asyncCauses } from "./async.ts";
import { ASYNC_FACETS } from "./async-facets.ts";
import {
  mediaContradictions,
  operationContradictions,
  parameterContradictions,
  responseContradictions,
  schemaContradictions,
} from "./contradictions.ts";
import { facetsOf, type Seen } from "./facets.ts";
import { wholeCauses } from "./files.ts";
import { memberCauses } from "./members/index.ts";
import { mentionsIn, withMentions } from "./mentions.ts";
import { errorsOnce, operationRules } from "./operations.ts";
import { mediaRules, parameterRules, pathRules, responseRules } from "./parameters.ts";
import { type Known, type Rule, Tally } from "./rule.ts";
import { schemaRules, schemasOf } from "./schemas.ts";
import { scopesOf } from "./scopes.ts";
import { ranksOf, Teller } from "./told.ts";
import type { Counted, Survey } from "./types.ts";
import { stateMembers } from "./wholes.ts";

export { surveyPages } from "./pages/index.ts";
export type { Cause, Survey } from "./types.ts";

/** Counts every rule of a list over all subjects. */
class Tallies<T> {
  private readonly all: readonly Tally<T>[];
  private readonly about: Known;

  constructor(rules: readonly Rule<T>[], about: Known) {
    this.all = rules.map((rule) => new Tally(rule));
    this.about = about;
  }

  take(it: T, operation?: Operation, owner?: Operation): void {
    const { about } = this;
    const subject = { it, about, ...(operation && { operation }), ...(owner && { owner }) };
    for (const tally of this.all) tally.take(subject);
  }

  causes(): Counted[] {
    return this.all.flatMap((each) => each.cause() ?? []);
  }
}

function counted(about: Known, seen: Seen): Counted[] {
  const operations = new Tallies(
    [...operationRules, ...pathRules, ...operationContradictions],
    about,
  );
  const parameters = new Tallies([...parameterRules, ...parameterContradictions], about);
  const responses = new Tallies([...responseRules, ...responseContradictions], about);
  const media = new Tallies([...mediaRules, ...mediaContradictions], about);
  const schemas = new Tallies([...schemaRules, ...schemaContradictions], about);
  for (const operation of about.description.operations) {
    operations.take(operation, operation);
    for (const each of operation.parameters) parameters.take(each, operation);
    for (const each of operation.body?.content ?? []) media.take(each, operation);
    for (const each of operation.responses) {
      responses.take(each, operation);
      for (const one of each.content) media.take(one, operation);
    }
  }
  for (const each of seen.schemas) schemas.take(each, undefined, each.owner);
  const all = [operations, parameters, responses, media, schemas];
  return errorsOnce(all.flatMap((each) => each.causes()));
}

/** Problems of one code as one cause. */
function problemCauses(description: Description): Counted[] {
  const byCode = new Map<ProblemCode, { message: string; hint?: string; places: Place[] }>();
  for (const { code, message, hint, place } of description.problems()) {
    const one = byCode.get(code) ?? { message, ...(hint && { hint }), places: [] };
    one.places.push(place);
    byCode.set(code, one);
  }
  return [...byCode].map(([code, { message, hint, places }]) => ({
    code,
    severity: "error" as const,
    part: "Endpoints",
    message: places.length === 1 ? message : `${message} ${places.length - 1} more of this kind.`,
    ...(hint === undefined ? {} : { hint }),
    count: places.length,
    of: places.length,
    blocks: 0,
    places,
  }));
}

const ORDER = { error: 0, warning: 1, gap: 2, note: 3 } as const;

/** Surveys a description. Total; linear in the file. */
export function survey(description: Description): Survey {
  const schemeNames = new Set(description.securitySchemes.map((each) => each.name));
  const about: Known = {
    description,
    refs: description.refs,
    schemeNames,
    scopes: scopesOf(description),
  };
  const ranks = ranksOf(description);
  const schemas = schemasOf(description, ranks);
  const seen: Seen = {
    description,
    schemas,
    states: stateMembers(schemas, description.refs),
    mentions: mentionsIn(description),
  };
  const own =
    description.async === undefined
      ? [...counted(about, seen), ...wholeCauses(seen), ...memberCauses(description)]
      : asyncCauses(about, seen, description.async);
  const causes = [...own, ...problemCauses(description)].toSorted(
    (a, b) => ORDER[a.severity] - ORDER[b.severity] || b.blocks - a.blocks,
  );
  const teller = new Teller(description, ranks);
  return {
    nameOf: (place) => teller.names.of(place),
    title: textAt(description.root.get("info"), "title") ?? "",
    parts: description.async === undefined ? facetsOf(seen) : facetsOf(seen, ASYNC_FACETS),
    causes: causes.map((each) => teller.tell(withMentions(each, seen.mentions))),
  };
}
