/** Readings of a request in which what is free is as an answer shows it. */
import type { Response } from "../../run/index.ts";
import type { Answer } from "../world/message.ts";
import type { Reading } from "../world/reading.ts";
import { type Attempt, asShown, otherWays } from "./attempt.ts";
import { TIGHT } from "./compare.ts";
import { looseOf } from "./loose.ts";

/** A reading, and what the request gets in it. */
interface Way {
  readonly way: Reading;
  readonly response: Response;
}

/** Runs that choose otherwise, to find what is free. */
const VARIANTS = 6;

const HAS_LISTS = /^\s*\{.*\[\s*\{/s;

/**
 * A request with what runs that choose otherwise show to be free. `made`: the texts that all of
 * them make, for they are not what is free.
 */
export function freeAttempts(
  run: (reading: Reading) => Response,
  answer: Answer,
  { reading, seen, made }: Pick<Attempt, "reading" | "seen"> & { made: readonly string[] },
): readonly Attempt[] {
  const ways = [reading, ...otherWays(reading, VARIANTS)];
  const attempts = (more: Partial<Reading>): readonly Attempt[] =>
    freely(
      ways.map((way) => ({ way, response: run({ ...way, ...more }) })),
      answer,
    );
  // In an order that is free what was made cannot be told from what else stands there.
  const all = [...attempts({ made }), ...(HAS_LISTS.test(answer.body ?? "") ? attempts({}) : [])];
  return all.map((one) => (seen === undefined ? one : { ...one, seen }));
}

/** `all`: the reading at hand, and others that choose otherwise; none where all answer alike. */
function freely(all: readonly Way[], answer: Answer): readonly Attempt[] {
  const [first] = all;
  if (first === undefined) return [];
  const { status, body } = first.response;
  const differs = all.some(({ response }) => response.status !== status || response.body !== body);
  if (!differs) return [];
  // What is stored in an order that is free is stored as the answer shows it.
  const turns = asShown(answer);
  const shown = turns.map((turn) => ({ reading: { ...first.way, turn }, loose: TIGHT }));
  const groups = Map.groupBy(all, ({ response }) => response.status);
  const loose = [...groups.values()].flatMap((alike) => {
    const way = (alike[0] ?? first).way;
    const open = looseOf(alike.map(({ response }) => response));
    return [
      ...turns.slice(0, 1).map((turn) => ({ reading: { ...way, turn }, loose: open })),
      { reading: way, loose: open },
    ];
  });
  return [...shown, ...loose];
}
