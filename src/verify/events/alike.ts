/** Data that a service sends by itself, compared with what the model has for it. */
import { compare, type Difference, type Loose } from "../judge/compare.ts";
import { inJson, withTexts } from "../world/texts.ts";

/** How far apart two times may be that are meant to be the same, besides clocks. */
const TIMES_APART = 2_000_000n;

/** What is known besides the data. */
export interface Knowing {
  /** What a text is as far as answers have shown what was made. */
  shown(text: string): string;
  /** How far the clocks may be apart. */
  readonly timeSlack: bigint;
}

export interface Alike {
  readonly differences: readonly Difference[];
  /** What marks in the data are. */
  readonly names: ReadonlyMap<string, string>;
}

interface Data {
  readonly expected: string;
  readonly loose: Loose;
  readonly observed: string;
  readonly at: bigint;
  /** How much earlier it may have come about than the model has it. Default: 0. */
  readonly early?: bigint;
}

/** What is otherwise than expected. `known`: what marks are, besides what answers have shown. */
export function alike(
  { expected, loose, observed, at, early = 0n }: Data,
  knowing: Knowing,
  known: ReadonlyMap<string, string>,
): Alike {
  const body = withTexts(knowing.shown(expected), known, inJson);
  const answer = { status: 0, headers: [], body: observed, sent: at, received: at };
  const compared = compare({ status: 0, headers: [], body }, answer, loose);
  const most = TIMES_APART + knowing.timeSlack;
  const isSameTime = ({ times = [] }: Difference): boolean =>
    times.some((one) => {
      const before = one.expected - one.observed;
      return before <= most + early && before >= -most;
    });
  const differences = compared.differences.filter((one) => !isSameTime(one));
  return { differences, names: compared.known };
}
