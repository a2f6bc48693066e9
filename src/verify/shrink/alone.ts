/**
 * Trials as one judges them who has seen nothing else: what was found before may have left the
 * model of the session in doubt, and a list may be wrong because of what was done long before.
 */
import type { Judgement } from "../judge/judgement.ts";
import type { Session } from "../session.ts";
import type { Answer, Fields, Request } from "../world/message.ts";
import type { World } from "../world/world.ts";
import { type Start, startedBeside } from "./rehearsal.ts";

/** Judges the answers of one trial in turn. */
export type JudgesAlone = (request: Request, answer: Answer) => Judgement;

/** Tells how much of limits is left (draft-ietf-httpapi-ratelimit-headers). */
const isCount = ([name]: readonly [string, string]): boolean => name.toLowerCase() === "ratelimit";

/** The answer with what is left of limits as it is expected, where both tell it. */
function asCounted(answer: Answer, expected: Fields): Answer {
  const counts = expected.filter(isCount);
  if (answer.headers.filter(isCount).length !== counts.length) return answer;
  return { ...answer, headers: [...answer.headers.filter((one) => !isCount(one)), ...counts] };
}

/** Judges trials in a model of the service as it was when it had just started. */
export class Alone {
  readonly #session: Session;
  readonly #world: World;

  constructor(session: Session, start: Start) {
    this.#session = session;
    this.#world = startedBeside(session, start);
  }

  /**
   * Does a trial whose data have that tag; what was there before is of others. `countsToo`: what is
   * left of limits is judged, though others may have used them.
   */
  async during<T>(
    { tag, countsToo }: { readonly tag: string; readonly countsToo: boolean },
    act: (judges: JudgesAlone) => Promise<T>,
  ): Promise<T> {
    const own = this.#world;
    own.begin();
    try {
      const judge = this.#session.judge.beside(own, tag);
      return await act((request, answer) => {
        if (countsToo) return judge.judge(request, answer);
        const { outcome } = judge.foresee(request, (answer.sent + answer.received) / 2n);
        return judge.judge(request, asCounted(answer, outcome.response.headers));
      });
    } finally {
      own.undo();
    }
  }

  /** The text with what answers have shown of the marks in it. */
  shown(text: string): string {
    return this.#world.shown(text);
  }
}
