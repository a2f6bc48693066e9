/** A document with a few of its lines otherwise, and a session of it without a service. */
import assert from "node:assert/strict";
import { Session } from "../../src/verify/session.ts";
import { compiled, type Document, tagOf, toldOf } from "./clauses/trial.ts";

/** The text with each of some texts in the place of another, which must stand there. */
export function edited(text: string, edits: readonly (readonly [string, string])[]): string {
  return edits.reduce((before, [one, other]) => {
    assert.ok(before.includes(one), one);
    return before.replace(one, other);
  }, text);
}

/** A session by that text of the document. `now`: microseconds since 1970 at which it begins. */
export function sessionOf(document: Document, text: string, now: bigint): Session {
  const judged = compiled(text);
  assert.ok(judged !== undefined, `the document has errors: ${text}`);
  const { plan, occurring } = judged;
  const { settings, rows: given } = toldOf(document, plan);
  return new Session(plan, { tag: tagOf(1), settings, given, occurring, now });
}
