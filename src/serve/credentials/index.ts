/** The credentials of a request, one finding for each scheme; keys come from settings. */
import type { ItemId, Plan, Scheme } from "../../plan/index.ts";
import type { Members, Presented } from "../../run/index.ts";
import { makeTerms } from "./terms.ts";
import type { Terms } from "./terms.ts";
import { issueToken, judgeToken } from "./jwt.ts";
import { findCredential, headerOf } from "./placement.ts";
import type { Found } from "./placement.ts";

/** What each scheme finds; or an item not served; or a gap that a sent credential meets. */
export type PresentedAll =
  | { readonly each: readonly Presented[] }
  | { readonly unsupported: ItemId }
  | { readonly gap: ItemId };

export interface Credentials {
  /** Lower-case names of the headers that carry credentials. */
  readonly headers: readonly string[];
  present(headers: ReadonlyMap<string, string>, query: string, now: bigint): PresentedAll;
  /** A token of the scheme; throws where the plan cannot issue one. */
  issue(scheme: Scheme, subject: string, now: bigint): string;
}

const NONE: Presented = { is: "none" };
const BAD: Presented = { is: "bad" };

/** Compiles the schemes of a plan. A key that is missing or of the wrong kind throws, by name. */
export function makeCredentials(plan: Plan, settings: Members): Credentials {
  const terms = plan.schemes.map((scheme) => makeTerms(scheme, settings));
  const headers = plan.schemes.flatMap(({ sent }) =>
    sent.is === "stated" ? (headerOf(sent.value) ?? []) : []);
  return {
    headers: [...new Set(headers)],
    present: (sent, query, now) => {
      const found = plan.schemes.map((scheme): Found => {
        if (scheme.sent.is !== "stated") return { is: "none" };
        return findCredential(scheme.sent.value, sent, query);
      });
      return judgeAll(plan.schemes, withoutOthers(plan.schemes, found), terms, now);
    },
    issue: (scheme, subject, now) => {
      const known = terms[plan.schemes.findIndex((one) => one.id === scheme.id)];
      if (known?.is !== "jwt") throw new Error(`no token is issued for ${scheme.name}`);
      return issueToken(known.issuing, { subject, now, lifetime: known.lifetime });
    },
  };
}

/** A header that has the form of one scheme is not a bad credential of another beside it. */
function withoutOthers(schemes: readonly Scheme[], found: readonly Found[]): readonly Found[] {
  const headerAt = (i: number): string | undefined => {
    const sent = schemes[i]?.sent;
    return sent?.is === "stated" ? headerOf(sent.value) : undefined;
  };
  return found.map((one, i) => {
    if (one.is !== "bad") return one;
    const other = found.some((each, k) =>
      k !== i && (each.is === "text" || each.is === "basic") && headerAt(k) === headerAt(i));
    return other ? { is: "none" } : one;
  });
}

function judgeAll(
  schemes: readonly Scheme[],
  found: readonly Found[],
  terms: readonly Terms[],
  now: bigint,
): PresentedAll {
  const each: Presented[] = [];
  for (const [i, one] of found.entries()) {
    const known = terms[i];
    if (one.is === "none" || one.is === "bad") each.push(one.is === "none" ? NONE : BAD);
    else if (known?.is === "unsupported") return { unsupported: schemes[i]?.id ?? "" };
    else if (known?.is === "gap") return { gap: known.gap };
    else each.push(judge(one, known, now));
  }
  return { each };
}

function judge(found: Found, terms: Terms | undefined, now: bigint): Presented {
  if (found.is === "basic") {
    const { username, password } = found;
    return { is: "basic", username, password };
  }
  if (found.is !== "text" || !terms) return BAD;
  if (terms.is === "opaque") return { is: "opaque", credential: found.text };
  if (terms.is !== "jwt") return BAD;
  const claims = judgeToken(found.text, terms.judging, now);
  return claims ? { is: "token", claims } : BAD;
}
