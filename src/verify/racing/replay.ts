/** A race that was shown again, as anybody can run it. */

import type { Difference } from "../judge/compare.ts";
import { pointerOf } from "../shrink/learning.ts";
import { namingOf, type RacePlace, type Replay, requestsOf, valueAt } from "../shrink/replay.ts";
import type { Fields } from "../world/message.ts";
import type { Outcome } from "./outcomes.ts";
import type { RaceTrial } from "./trials.ts";

/** A race is run so often at most, until it shows. */
const ROUNDS = 10;

interface Showing {
  shown(text: string): string;
  readonly fresh: ReadonlyMap<string, string>;
}

/** Undefined: it cannot be told by looking at answers alone. */
export function raceReplayOf(trial: RaceTrial, showing: Showing): Replay | undefined {
  const { setup, raced, blamed, outcomes } = trial;
  const sent = [...setup, ...raced];
  const written = requestsOf(trial, sent, showing);
  const places = placesOf(outcomes);
  if (written === undefined || places === undefined || blamed === undefined) return undefined;
  const { learning, requests, fresh } = written;
  const named = namingOf(trial, learning, { shown: showing.shown, before: sent.length });
  const textAt = (
    { request, in: of, at }: RacePlace,
    answers: readonly { status: number; headers: Fields; body?: string | undefined }[],
  ): string => {
    const { status = 0, headers = [], body } = answers[request] ?? {};
    return named(valueAt({ status, headers, body }, { in: of, at }) ?? "");
  };
  const tuples = (answers: Parameters<typeof textAt>[1]): readonly string[] =>
    places.map((place) => textAt(place, answers));
  const seen = tuples(raced.map(({ answer }) => answer));
  const allowed = outcomes.map(({ responses }) => tuples(responses));
  const different = [...new Map(allowed.map((one) => [JSON.stringify(one), one])).values()];
  if (different.some((one) => one.join("\n") === seen.join("\n"))) return undefined;
  const numbers = [...new Set(raced.map(({ client }) => client))].filter((one) => one > 0);
  const wrong = raced[blamed.at];
  const { response } = blamed.ran.outcome;
  const before = setup.length;
  return {
    fresh,
    requests: requests.map((one, i) => {
      const client = 1 + numbers.indexOf(raced[i - before]?.client ?? 0);
      return { ...one, learns: learning.at(i), ...(client > 0 ? { client } : {}) };
    }),
    differs: differsOf(blamed.differences, named),
    seen: { status: wrong?.answer.status ?? 0, body: wrong?.answer.body },
    expected: { status: response.status, body: response.body },
    race: {
      wrong: before + blamed.at,
      rounds: ROUNDS,
      places: places.map(({ request, ...at }) => ({ ...at, request: before + request })),
      seen,
      allowed: different,
    },
  };
}

/** What the answer has otherwise than behind the others. */
function differsOf(all: readonly Difference[], named: (text: string) => string): Replay["differs"] {
  const status = all.filter((one) => one.in === "status");
  return (status.length > 0 ? status : all).map((one) => ({
    ...placeOf(one),
    ...(one.expected === undefined ? {} : { expected: named(one.expected) }),
    ...(one.observed === undefined ? {} : { seen: named(one.observed) }),
  }));
}

const keyOf = ({ request, in: of, at }: RacePlace): string => `${request} ${of} ${at}`;

/** Where the answers differ from those of one order: the status alone where that differs. */
function differing({ differences }: Outcome): readonly RacePlace[] {
  return differences.flatMap((all, request): readonly RacePlace[] => {
    const status = all.filter((one) => one.in === "status");
    return (status.length > 0 ? status : all).map((one) => ({ request, ...placeOf(one) }));
  });
}

function placeOf({ in: of, where }: Difference): Pick<RacePlace, "in" | "at"> {
  const at = of === "status" ? "" : of === "header" ? String(where[0]) : pointerOf(where);
  return { in: of, at };
}

/** The fewest places that tell the answers from those of all orders, statuses among them. */
function placesOf(outcomes: readonly Outcome[]): readonly RacePlace[] | undefined {
  const [first] = outcomes;
  if (first === undefined) return undefined;
  const places: RacePlace[] = first.responses.map((_, request) => ({
    request,
    in: "status",
    at: "",
  }));
  for (const outcome of outcomes) {
    const own = differing(outcome);
    const chosen = new Set(places.map(keyOf));
    if (own.some((one) => chosen.has(keyOf(one)))) continue;
    const [place] = own.toSorted((a, b) => a.at.length - b.at.length);
    if (place === undefined) return undefined;
    places.push(place);
  }
  return places;
}
