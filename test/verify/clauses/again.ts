/** What was asked and answered by the whole document, judged again by another. */
import { Session } from "../../../src/verify/index.ts";
import { type Compiled, type Document, tagOf, toldOf, trial } from "./trial.ts";

export type Recorded = Pick<Session, "began" | "breaks" | "exchanges" | "requests">;

/** The document is served, and verified by itself. */
export async function recordedOf(
  document: Document,
  whole: Compiled,
  bounds: Parameters<typeof trial>[2],
): Promise<Recorded> {
  const tried = await trial(document, { served: whole, judged: whole }, bounds);
  if (tried === undefined) throw new Error(`${document.name} cannot be served`);
  return tried.session;
}

/** Ends at the first broken answer. */
export function judgedAgain(
  document: Document,
  judged: Compiled,
  { seed, recorded: { began, exchanges } }: { readonly seed: number; readonly recorded: Recorded },
): Session {
  const { settings, rows } = toldOf(document, judged.plan);
  const { occurring } = judged;
  const tag = tagOf(seed);
  const session = new Session(judged.plan, { tag, settings, given: rows, occurring, now: began });
  for (const { request, answer } of exchanges) {
    session.judged(request, answer);
    if (session.breaks.length > 0) break;
  }
  return session;
}
