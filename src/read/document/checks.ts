/** `Check the limits, the inputs and the paths`: several checks in one sentence. */
import type { Stretch } from "../forms/index.ts";

/** The sentences of one check each that a sentence stands for; itself where it is one. */
export function checksIn(stretch: Stretch): readonly Stretch[] {
  const { text, tokens } = stretch;
  const [check, the] = tokens;
  if (check?.text !== "Check" || the?.text !== "the") return [stretch];
  const cuts = tokens.flatMap(({ kind, text: word }, at) => {
    const isJoint = (kind === "mark" && word === ",") || (kind === "word" && word === "and");
    return isJoint && tokens[at + 1]?.text === "the" ? [at] : [];
  });
  if (cuts.length === 0) return [stretch];
  return [0, ...cuts].map((from, i) => {
    const what = tokens.slice(from + 2, cuts[i]);
    const start = (from === 0 ? check : what[0])?.start ?? stretch.start;
    return { text, tokens: [check, the, ...what], start, end: what.at(-1)?.end ?? start };
  });
}
