/** Races as they can be run: who asks for what, and behind which requests. */
import type { Random } from "../generate/random.ts";
import type { Contest } from "../races/contests.ts";
import type { Raced } from "../races/told.ts";
import type { Session } from "../session.ts";
import { TextsOnce } from "../shrink/fresh.ts";
import { Links, type Named, type NamedRequest } from "../shrink/named.ts";
import type { Request } from "../world/message.ts";
import type { Known, Template } from "./trials.ts";

/** A race that was run, as exchanges of the session. */
export interface Run {
  readonly raced: readonly Raced[];
  /** Numbers of the exchanges, by places in the race. */
  readonly numbers: readonly number[];
  /** Those before it, that were made for it. */
  readonly setup: readonly number[];
}

const CLIENTS = [2, 2, 2, 3, 4];

/** What each client asks for: what is done, and perhaps what has become of it. */
export function clientsOf(
  { first, second, reads }: Contest,
  random: Random,
): readonly (readonly Request[])[] {
  const count = random.pick(CLIENTS);
  const isRead = count === 2 && random.chance(0.4);
  const read = isRead ? reads.slice(0, 1) : [];
  const more = Array.from({ length: count - 2 }, () => [random.pick([first, second])]);
  return [[first, ...read], [second, ...read], ...more];
}

/** What trials know of a session. */
export function knownOf(
  { judge, madeAtStart }: Session,
  tag: string,
  fresh: ReadonlyMap<string, string>,
): Known {
  return { judge, tag, fresh, madeAtStart };
}

/** Requests before a race at most, that are made again with it. */
const BEFORE_MAX = 60;

/**
 * The race as it can be run again: behind what made the rows that it is about, and behind all that
 * has changed something of them.
 */
export function templatesOf(run: Run, named: Named, session: Session): readonly Template[] {
  const { requests } = named;
  const links = new Links(named);
  const own = new Set(run.numbers);
  const raced = run.raced.flatMap(({ client }, i) => {
    const one = requests.find(({ number }) => number === run.numbers[i]);
    return one === undefined ? [] : [{ client, named: one }];
  });
  const first = Math.min(...run.numbers);
  const changing = new Set(
    session.exchanges.flatMap(({ number, request, judgement: { is, ran } }) => {
      const isDone = is === "as stated" && ran.outcome.commit && ran.outcome.response.status < 400;
      return isDone && request.method !== "GET" && number < first ? [number] : [];
    }),
  );
  const makers = new Set([...links.makers([...run.numbers, ...run.setup]), ...run.setup]);
  const near = [...run.numbers].flatMap((one) => [...links.related(one)]);
  const related = new Set([...makers, ...near.filter((one) => changing.has(one))]);
  const sets = related.size > makers.size ? [makers, related] : [makers];
  return sets.flatMap((set) => {
    const setup = requests.filter(({ number }) => set.has(number) && !own.has(number));
    return setup.length > BEFORE_MAX ? [] : [withNewTexts({ setup, raced }, session)];
  });
}

/** With texts that may stand once, and are too short to be made anew, as others. */
function withNewTexts({ setup, raced }: Template, session: Session): Template {
  const once = new TextsOnce(session);
  const texts = [...setup, ...raced.map(({ named }) => named)].flatMap(({ request }) =>
    once.in(request).filter((text) => !text.includes("{{")),
  );
  const other = new Map([...new Set(texts)].map((text, i) => [text, `{{tag}}${i.toString(36)}`]));
  if (other.size === 0) return { setup, raced };
  const changed = (one: NamedRequest): NamedRequest => ({
    ...one,
    request: once.replaced(one.request, other),
  });
  return {
    setup: setup.map(changed),
    raced: raced.map(({ client, named }) => ({ client, named: changed(named) })),
  };
}
