/** The credentials of a request, one finding for each scheme; keys come from settings. */
import { type ItemId, isStated, type Plan, type Scheme } from "../../plan/index.ts";
import type { Issued, Members, Presented } from "../../run/index.ts";
import type { TokenTerms } from "./jwt.ts";
import { issueToken, judgeToken, keyNameOf } from "./jwt.ts";
import { KeySet } from "./keyset.ts";
import type { Found } from "./location.ts";
import { findCredential, headerOf } from "./location.ts";
import type { JwtTerms, Terms } from "./terms.ts";
import { makeTerms } from "./terms.ts";

/** What each scheme finds, in the order of the schemes. */
type PresentedAll = readonly Presented[];

export interface Credentials {
  /** Lower-case names of the headers that carry credentials. */
  readonly headers: readonly string[];
  /** A promise only where a set of keys has to be read first. */
  present(
    headers: ReadonlyMap<string, string>,
    query: string,
    now: bigint,
  ): PresentedAll | Promise<PresentedAll>;
  /** A token of the scheme, or why there is none. */
  issue(scheme: Scheme, subject: string | undefined, now: bigint): Issued;
}

const NONE: Presented = { is: "none" };
const BAD: Presented = { is: "bad" };

/** Compiles the schemes of a plan. A key that is missing or of the wrong kind throws, by name. */
export function makeCredentials(plan: Plan, settings: Members): Credentials {
  const terms = plan.schemes.map((scheme) => makeTerms(scheme, settings));
  const headers = plan.schemes.flatMap(({ sent }) =>
    isStated(sent) ? (headerOf(sent.value) ?? []) : [],
  );
  return {
    headers: [...new Set(headers)],
    present: (sent, query, now) => {
      const found = plan.schemes.map((scheme): Found => {
        if (!isStated(scheme.sent)) return { is: "none" };
        return findCredential(scheme.sent.value, sent, query);
      });
      const each = withoutOthers(plan.schemes, found).map((one, i) =>
        present(one, terms[i], plan.schemes[i]?.id ?? "", now),
      );
      return each.some((one) => one instanceof Promise)
        ? Promise.all(each)
        : (each as readonly Presented[]);
    },
    issue: (scheme, subject, now) => {
      const known = terms[plan.schemes.findIndex((one) => one.id === scheme.id)];
      return issue(scheme, known, subject, now);
    },
  };
}

function issue(
  scheme: Scheme,
  terms: Terms | undefined,
  subject: string | undefined,
  now: bigint,
): Issued {
  if (terms?.is === "gap") return terms;
  // Keys that stand elsewhere judge: whoever keeps them issues.
  if (terms?.is !== "jwt" || terms.keys instanceof KeySet) {
    return { is: "unsupported", item: scheme.id };
  }
  if (terms.gaps.lifetime !== undefined) return { is: "gap", gap: terms.gaps.lifetime };
  const key = terms.keys.issuing;
  return issueToken({ ...terms.claimed, key }, { subject, now, lifetime: terms.lifetime });
}

/** A header that has the form of one scheme is not a bad credential of another beside it. */
function withoutOthers(schemes: readonly Scheme[], found: readonly Found[]): readonly Found[] {
  const headerAt = (i: number): string | undefined => {
    const sent = schemes[i]?.sent;
    return isStated(sent) ? headerOf(sent.value) : undefined;
  };
  return found.map((one, i) => {
    if (one.is !== "bad") return one;
    const other = found.some(
      (each, k) =>
        k !== i && (each.is === "text" || each.is === "basic") && headerAt(k) === headerAt(i),
    );
    return other ? { is: "none" } : one;
  });
}

type Key = TokenTerms["key"];

function present(
  found: Found,
  terms: Terms | undefined,
  item: ItemId,
  now: bigint,
): Presented | Promise<Presented> {
  if (found.is === "none" || found.is === "bad") return found.is === "none" ? NONE : BAD;
  if (terms?.is === "unsupported") return { is: "unsupported", item };
  if (terms?.is === "gap") return terms;
  if (found.is === "basic") return found;
  if (terms?.is === "opaque" && found.is === "text") {
    return { is: "opaque", credential: found.text };
  }
  if (terms?.is !== "jwt" || found.is !== "text") return BAD;
  const { text } = found;
  const judged = (key: Key | undefined): Presented => (key ? judge(text, terms, key, now) : BAD);
  if (!(terms.keys instanceof KeySet)) return judged(terms.keys.judging);
  const name = keyNameOf(text);
  const key = name === undefined ? undefined : terms.keys.find(name);
  if (!(key instanceof Promise)) return judged(key);
  return key.then(
    judged,
    (fault): Presented => ({
      is: "unavailable",
      message: `${item}: its keys cannot be read: ${String(fault)}`,
    }),
  );
}

/** A question that is not answered is met where the answer decides about the token. */
function judge(token: string, { claimed, gaps }: JwtTerms, key: Key, now: bigint): Presented {
  const judged = (terms: Partial<TokenTerms>): Members | undefined =>
    judgeToken(token, { ...claimed, key, ...terms }, now);
  const claims = judged({});
  if (claims) return { is: "token", claims, until: endOf(claims, claimed.skew) };
  if (gaps.lifetime !== undefined && judged({ expires: false })) {
    return { is: "gap", gap: gaps.lifetime };
  }
  if (gaps.skew !== undefined && judged({ skew: FOR_EVER })) return { is: "gap", gap: gaps.skew };
  return BAD;
}

/** From when on a token is bad that is good now. */
function endOf(claims: Members, skew: bigint | undefined): bigint | undefined {
  const end = claims.get("exp");
  return typeof end === "bigint" ? end + (skew ?? 0n) : undefined;
}

const FOR_EVER = 2n ** 62n;
