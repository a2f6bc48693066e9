/** What the model knows of secrets and tokens: as much as an outsider does. */
import { createHash, createHmac } from "node:crypto";
import type { CredentialLocation, Plan, Scheme } from "../../plan/index.ts";
import { durationOf, statedOf } from "../../plan/index.ts";
import type { Digest, Hooks, Members, Presented } from "../../run/index.ts";
import { readCookies, readPairs } from "../../run/index.ts";
import { Book } from "./book.ts";
import type { Past } from "./past.ts";
import { isMarked, type MadeTexts, markOf, marksIn, withTexts } from "./texts.ts";

/** Hashes of short texts, which the model asks for again and again: credentials of callers. */
const HASHED_MAX = 10_000;
const HASHED_LENGTH = 200;
const hashed = new Map<string, string>();

/**
 * The hashes that a document's expressions may ask for, in hexadecimal digits; of texts with marks
 * they are marks, too.
 */
export const digest: Digest = (algorithm, data, key) => {
  const hash = hashOf(algorithm, data, key);
  const isOpen = [data, key].some((one) => typeof one === "string" && isMarked(one));
  return isOpen ? markOf(hash) : hash;
};

const hashOf: Digest = (algorithm, data, key) => {
  if (key !== undefined) return createHmac(algorithm, key).update(data).digest("hex");
  if (typeof data !== "string" || data.length > HASHED_LENGTH) {
    return createHash(algorithm).update(data).digest("hex");
  }
  const name = `${algorithm} ${data}`;
  const known = hashed.get(name);
  if (known !== undefined) return known;
  const hash = createHash(algorithm).update(data).digest("hex");
  if (hashed.size >= HASHED_MAX) hashed.clear();
  hashed.set(name, hash);
  return hash;
};

/** The kept form of a secret by a slow hash: nothing outside shows it, so that its text will do. */
const KEPT = "kept ";

/** Secrets that are kept by SHA-256, by their kept form; those of undone works are forgotten. */
export class SecretBook {
  readonly #plain = new Book<string>();
  /** Kept forms of the secrets with a mark, by the mark. */
  readonly #marked = new Book<readonly string[]>();

  kept(secret: string): string {
    const text = digest("sha256", secret);
    if (this.#plain.get(text) !== undefined) return text;
    this.#plain.set(text, secret);
    for (const mark of new Set(marksIn(secret))) {
      this.#marked.set(mark, [...(this.#marked.get(mark) ?? []), text]);
    }
    return text;
  }

  /** The secret that is kept as this; undefined: it is no kept form. */
  plain(kept: string): string | undefined {
    return kept.startsWith(KEPT) ? kept.slice(KEPT.length) : this.#plain.get(kept);
  }

  /** Kept forms of secrets with marks, by what they are when the marks are known. */
  renamed(known: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
    const marked = new Set([...known.keys()].flatMap((mark) => this.#marked.get(mark) ?? []));
    const found = new Map<string, string>();
    for (const kept of marked) {
      const secret = this.#plain.get(kept);
      if (secret !== undefined) found.set(kept, this.kept(withTexts(secret, known)));
    }
    return found;
  }

  begin(): void {
    for (const one of [this.#plain, this.#marked]) one.begin();
  }

  keep(): void {
    for (const one of [this.#plain, this.#marked]) one.keep();
  }

  undo(): void {
    for (const one of [this.#plain, this.#marked]) one.undo();
  }
}

/** A token that the implementation has issued. */
export interface Issued {
  readonly claims: Members;
  readonly scheme: string;
}

/** The hooks of a run of the model. */
export function hooksOf(
  texts: MadeTexts,
  { tokens, secrets }: { readonly tokens: Book<Issued>; readonly secrets: SecretBook },
): Hooks {
  return {
    hash: (hash, secret) => {
      if (hash.kind === "plain") return secret;
      return hash.kind === "sha256" ? secrets.kept(secret) : KEPT + secret;
    },
    verify: (stored, secret) => stored === secret || secrets.plain(stored) === secret,
    blank: () => "blank",
    hmac: (algorithm, encoding, { key, text }) =>
      createHmac(algorithm.slice("HMAC-".length).toLowerCase(), key).update(text).digest(encoding),
    issue: (scheme, subject, { now }) => {
      const text = texts.make("id");
      tokens.set(text, { scheme: scheme.id, claims: claimsOf(scheme, subject ?? "", now) });
      return text;
    },
  };
}

const SECOND = 1_000_000n;

function claimsOf({ lifetime }: Scheme, subject: string, now: bigint): Members {
  const whole = (now / SECOND) * SECOND;
  const life = statedOf(lifetime);
  return new Map<string, unknown>([
    ["sub", subject],
    ["iat", whole],
    ...(life === undefined ? [] : [["exp", whole + durationOf(life)] as const]),
  ]);
}

/** What a request presents for each scheme of the plan. */
export function presentedBy(
  plan: Plan,
  sent: { readonly headers: ReadonlyMap<string, string>; readonly query: string },
  { tokens, past }: { readonly tokens: Book<Issued>; readonly past: Past },
  now: bigint,
): readonly Presented[] {
  const found = plan.schemes.map((scheme): Presented => {
    const place = statedOf(scheme.sent);
    if (place === undefined) return { is: "none" };
    const text = credentialIn(place, sent);
    if (text === undefined) return { is: "none" };
    if (text === "") return { is: "bad" };
    if (place.in === "basic") return basic(text);
    const kind = statedOf(scheme.credential);
    if (kind === undefined) return gapOf(scheme);
    if (kind.is === "opaque") return { is: "opaque", credential: text };
    const issued = tokens.get(text);
    const open = issued === undefined ? past.token(text) : undefined;
    if (open !== undefined) return { is: "gap", gap: open };
    if (issued === undefined || issued.scheme !== scheme.id) return { is: "bad" };
    const end = issued.claims.get("exp");
    const skew = durationOf(statedOf(scheme.clockSkew ?? { is: "not asked" }) ?? "0 s");
    const isOver = typeof end === "bigint" && now >= end + skew;
    return isOver ? { is: "bad" } : { is: "token", claims: issued.claims };
  });
  return withoutOthers(plan.schemes, found);
}

function gapOf({ credential, id }: Scheme): Presented {
  return { is: "gap", gap: credential.is === "gap" ? credential.gap : id };
}

/** A header that has the form of one scheme is no bad credential of another beside it. */
function withoutOthers(schemes: readonly Scheme[], found: Presented[]): readonly Presented[] {
  const place = (i: number): string | undefined => {
    const sent = statedOf(schemes[i]?.sent ?? { is: "not asked" });
    if (sent?.in === "basic") return "authorization";
    return sent?.in === "header" ? sent.name.toLowerCase() : undefined;
  };
  const isGood = ({ is }: Presented): boolean => is !== "none" && is !== "bad";
  return found.map((one, i) => {
    const other = found.some((each, k) => k !== i && isGood(each) && place(k) === place(i));
    return one.is === "bad" && other ? { is: "none" } : one;
  });
}

/** The text of a credential; empty: what stands there has not its form. */
function credentialIn(
  place: CredentialLocation,
  { headers, query }: { readonly headers: ReadonlyMap<string, string>; readonly query: string },
): string | undefined {
  const single = (all: readonly string[] | undefined): string | undefined =>
    all === undefined ? undefined : all.length === 1 ? all[0] : "";
  switch (place.in) {
    case "query":
      return single(readPairs(query)?.get(place.name));
    case "cookie":
      return single(readCookies(headers.get("cookie")).get(place.name));
    case "basic":
      return headers.get("authorization");
    case "header": {
      const { before, after } = place;
      const value = headers.get(place.name.toLowerCase());
      if (value === undefined) return undefined;
      const start = value.slice(0, before.length);
      const isWord = /^[A-Za-z0-9-]+ $/.test(before);
      const begins = isWord ? start.toLowerCase() === before.toLowerCase() : start === before;
      if (!begins || !value.endsWith(after)) return "";
      return value.slice(before.length, value.length - after.length);
    }
  }
}

function basic(value: string): Presented {
  const found = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(value);
  const text = Buffer.from(found?.[1] ?? "", "base64").toString("utf8");
  const colon = text.indexOf(":");
  if (found === null || colon < 0) return { is: "bad" };
  return { is: "basic", username: text.slice(0, colon), password: text.slice(colon + 1) };
}
