/** What was asked and answered by the whole document, judged again by another. */
import { Session } from "../../../src/verify/index.ts";
import { type Compiled, type Document, tagOf, toldOf, trial } from "./trial.ts";

export type Recorded = Pick<Session, "began" | "breaks" | "exchanges">;

/**
 * The document is served, and verified by itself. What messages have told is in no exchange: those
 * from the first on that hangs on it are left out.
 */
export async function recordedOf(
  document: Document,
  whole: Compiled,
  bounds: Parameters<typeof trial>[2],
): Promise<Recorded> {
  const tried = await trial(document, { served: whole, judged: whole }, bounds);
  if (tried === undefined) throw new Error(`${document.name} cannot be served`);
  const { session } = tried;
  if (session.breaks.length > 0) return session;
  const { seed } = bounds;
  const [hanging] = judgedAgain(document, whole, { seed, recorded: session }).breaks;
  const { began, breaks, exchanges } = session;
  return { began, breaks, exchanges: exchanges.slice(0, hanging && hanging.number - 1) };
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
