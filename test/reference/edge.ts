/** Who asks, how often, and whether it was asked before: callers, limits, idempotency keys. */
import { createHmac, timingSafeEqual } from "node:crypto";
import {
  type Endpoint,
  type Idempotency,
  type Limit,
  type Plan,
  pathText,
  type Scheme,
} from "../../src/plan/index.ts";
import { meet } from "./coverage.ts";
import type { Sent } from "./inputs.ts";
import { perOf, windowOf, windowStart } from "./invariants.ts";
import { type Json, parse } from "./json.ts";
import { isActor } from "./show.ts";
import { cookieOf, queryPairs } from "./texts.ts";
import { dateIn, SECOND, startOf, statedDuration } from "./times.ts";
import { isList, isMap, type JsonNumber, type Ref, type Value } from "./values.ts";
import { type Ending, rowName, type Work } from "./work.ts";
import type { Hit, Likeness } from "./world.ts";

type Presented = "none" | "bad" | ReadonlyMap<string, Value>;

/** What a request presents for a scheme: nothing, something bad, or names for Caller. */
function present(work: Work, scheme: Scheme, sent: Sent): Presented | Ending {
  if (scheme.sent.is !== "stated") return gapOf(scheme.sent, scheme.id);
  const place = scheme.sent.value;
  meet("sent in", place.in);
  const header = (name: string): string | undefined => sent.headers.get(name.toLowerCase());
  let text: string | undefined;
  if (place.in === "query") {
    text = queryPairs(sent.query)?.find(([name]) => name === place.name)?.[1];
  } else if (place.in === "cookie") text = cookieOf(header("cookie"), place.name);
  else if (place.in === "basic") return basic(header("authorization"));
  else if (place.in === "header") {
    const raw = header(place.name);
    if (raw === undefined) return "none";
    const { before, after } = place;
    const fits =
      raw.startsWith(before) && raw.endsWith(after) && raw.length > before.length + after.length;
    if (!fits) return "bad";
    text = raw.slice(before.length, raw.length - after.length);
  }
  if (text === undefined) return "none";
  if (scheme.credential.is !== "stated") return gapOf(scheme.credential, scheme.id);
  meet("credential", scheme.credential.value.is);
  if (scheme.credential.value.is === "opaque") return new Map([["credential", text]]);
  return token(work, scheme, text);
}

function gapOf(answer: { readonly is: string; readonly gap?: string }, id: string): Ending {
  return { is: "gap", gap: answer.gap ?? id };
}

function basic(header: string | undefined): Presented {
  if (header === undefined) return "none";
  const found = /^Basic ([A-Za-z0-9+/]+={0,2})$/i.exec(header);
  const text = Buffer.from(found?.[1] ?? "", "base64").toString("utf8");
  const colon = text.indexOf(":");
  if (found === null || colon < 0) return "bad";
  return new Map([
    ["username", text.slice(0, colon)],
    ["password", text.slice(colon + 1)],
  ]);
}

const HASHES: Readonly<Record<string, string>> = {
  HS256: "sha256",
  HS384: "sha384",
  HS512: "sha512",
};

function keyOf(work: Work, scheme: Scheme): { readonly alg: string; readonly key: string } {
  const stated = scheme.credential.is === "stated" ? scheme.credential.value : undefined;
  if (stated?.is !== "jwt" || stated.key === "jwks") throw new Error("no shared key");
  return { alg: stated.algorithm, key: work.eval(stated.key, []) as string };
}

function sign(alg: string, key: string, text: string): Buffer {
  return createHmac(HASHES[alg] ?? "", key)
    .update(text)
    .digest();
}

function micros(json: Json): bigint | undefined {
  const digits = (json as JsonNumber | undefined)?.digits;
  return digits === undefined ? undefined : BigInt(Math.floor(Number(digits) * 1_000_000));
}

/** Claims of a JWT (RFC 7519) that is signed as stated and good now. */
function token(work: Work, scheme: Scheme, text: string): Presented {
  const [head = "", claims = "", signature = "", ...rest] = text.split(".");
  const { alg, key } = keyOf(work, scheme);
  const json = (part: string): Json => parse(Buffer.from(part, "base64url").toString("utf8"))?.tree;
  const [header, body] = [json(head), json(claims)];
  if (rest.length > 0 || !isMap(header) || !isMap(body) || header.get("alg") !== alg) return "bad";
  const [want, got] = [sign(alg, key, `${head}.${claims}`), Buffer.from(signature, "base64url")];
  if (want.length !== got.length || !timingSafeEqual(want, got)) return "bad";
  const skew = scheme.clockSkew.is === "stated" ? statedDuration(scheme.clockSkew.value) : 0n;
  const [exp, nbf] = [micros(body.get("exp")), micros(body.get("nbf"))];
  if (exp !== undefined && work.now >= exp + skew) return "bad";
  if (nbf !== undefined && work.now < nbf - skew) return "bad";
  if (scheme.lifetime.is === "stated" && exp === undefined) return "bad";
  if (scheme.issuer.is === "stated" && body.get("iss") !== scheme.issuer.value) return "bad";
  const aud = body.get("aud");
  const named = isList(aud) ? aud : [aud];
  if (scheme.audience.is === "stated" && !named.includes(scheme.audience.value)) return "bad";
  const { sub, jti } = { sub: body.get("sub"), jti: body.get("jti") };
  if (typeof sub !== "string") return "bad";
  return new Map<string, Value>([
    [
      "claims",
      new Map<string, Value>([
        ["sub", sub],
        ["jti", jti],
        ["iat", micros(body.get("iat"))],
        ["exp", exp],
      ]),
    ],
  ]);
}

/** A new token for a row, by the first scheme that states a subject; undefined: none does. */
export function issuerOf(work: Work): ((row: Ref) => string) | undefined {
  const scheme = work.plan.schemes.find((one) => one.subject.is === "stated");
  if (scheme?.subject.is !== "stated") return undefined;
  const { subject, lifetime, issuer, audience } = scheme;
  return (row) => {
    meet("credential", "issued");
    const { alg, key } = keyOf(work, scheme);
    const now = Number(work.now / SECOND);
    const life = lifetime.is === "stated" ? Number(statedDuration(lifetime.value) / SECOND) : 0;
    const claims = {
      ...(issuer.is === "stated" ? { iss: issuer.value } : {}),
      ...(audience.is === "stated" ? { aud: audience.value } : {}),
      sub: String(work.eval(subject.value, [["it", row]])),
      iat: now,
      ...(lifetime.is === "stated" ? { exp: now + life } : {}),
    };
    const part = (json: object): string => Buffer.from(JSON.stringify(json)).toString("base64url");
    const text = `${part({ alg, typ: "JWT" })}.${part(claims)}`;
    return `${text}.${sign(alg, key, text).toString("base64url")}`;
  };
}

/** Notes who was let in or turned away. */
function known(what: string): undefined {
  meet("caller", what);
  return undefined;
}

function failed(condition: string): Ending {
  return { is: "failures", failures: [{ condition, field: null }] };
}

/** `Check the caller.`: credentials, then Who. */
export function checkCaller(work: Work, endpoint: Endpoint, sent: Sent): Ending | undefined {
  const { who } = endpoint;
  if (who.is === "none") return undefined;
  if (who.is !== "stated") return gapOf(who, endpoint.id);
  const actors = who.value.map((name) => work.plan.actors.find((one) => one.name === name));
  const anyone = actors.some((one) => one?.holds.is === "always");
  if (actors.every((one) => one?.holds.is === "always")) return undefined;
  for (const scheme of work.plan.schemes) {
    const shown = present(work, scheme, sent);
    if (shown === "none") continue;
    if (shown === "bad") return badCredentials(work, endpoint, anyone);
    if ("is" in shown) return shown as Ending;
    const names = shown as ReadonlyMap<string, Value>;
    const { caller } = scheme;
    if (caller.is !== "stated") return gapOf(caller, scheme.id);
    const { resource, where, otherwise } = caller.value;
    const row = work.seeingAll(() =>
      work.first(resource, (it) => work.eval(where, [...names, ["it", it]]) === true),
    );
    if (row === undefined) {
      known(anyone ? "no such row, optional" : "no such row");
      return anyone ? badCredentials(work, endpoint, true) : work.refuse(otherwise, names);
    }
    work.caller = row;
    break;
  }
  if (work.caller === null) return anyone ? known("nobody, optional") : failed("no credentials");
  known(anyone ? "somebody, optional" : "somebody");
  return who.value.some((name) => isActor(work, name)) ? undefined : failed("not permitted");
}

function badCredentials(work: Work, endpoint: Endpoint, anyone: boolean): Ending | undefined {
  const condition = anyone ? "bad credentials where optional" : "bad credentials";
  const row = [...endpoint.failures, ...work.plan.failures].find(
    (one) => one.condition === condition,
  );
  const passes = row?.answer.is === "as if none were sent" || row?.answer.is === "ignored";
  return anyone && passes ? undefined : failed(condition);
}

/** `POST /orders` of an endpoint, as limits name it. */
export function endpointName({ method, path }: Endpoint): string {
  return `${method} ${pathText(path)}`;
}

/** Sizes of a request, as limits count them. */
export interface Sizes {
  readonly "body bytes": number;
  readonly "path bytes": number;
  readonly "header bytes": number;
}

/** What is counted of a request: at once, or when its status is known. */
export interface Counted {
  readonly now: Hit[];
  readonly later: { readonly status: number; readonly hit: Hit }[];
  /** Header fields that tell of the rates, where they are stated. */
  readonly told: (readonly [string, string])[];
}

/** The first cell of a limit that is not shown and that matters for what it counts; or nothing. */
export function gapIn({ counts, per, amount, window }: Limit): string {
  if (counts.is === "gap") return counts.gap;
  const matter =
    counts.is === "requests" || counts.is === "sum"
      ? [per, amount, window]
      : counts.is === "rows kept"
        ? [per, amount]
        : [amount];
  for (const one of matter) if (one.is === "gap") return one.gap;
  return "";
}

function amountOf(work: Work, limit: Limit): bigint | undefined {
  if (limit.amount.is !== "stated") return undefined;
  return work.eval(limit.amount.value.value, [["it", work.caller]]) as bigint;
}

function refuseLimit(work: Work, limit: Limit, seconds: bigint | undefined): Ending {
  const { whenPassed } = limit;
  if (whenPassed.is !== "stated") return gapOf(whenPassed, limit.id);
  const ending = work.refuse(whenPassed.value, []);
  const tells = whenPassed.value.retryAfter === true && seconds !== undefined;
  if (tells) meet("limit", "Retry-After");
  return tells && ending.is === "error" ? { ...ending, retryAfter: String(seconds) } : ending;
}

/** A body past a limit of its bytes is not read: what it gets at `Check the inputs.` */
export function checkBodySize(work: Work, bytes: number): Ending | undefined {
  const limit = work.plan.limits.find((one) => {
    const amount = one.counts.is === "body bytes" ? amountOf(work, one) : undefined;
    return amount !== undefined && BigInt(bytes) > amount;
  });
  return limit === undefined ? undefined : refuseLimit(work, limit, undefined);
}

/** `Check the limits.`: sizes first, then every rate in the order of the table. */
export function checkLimits(
  work: Work,
  endpoint: Endpoint,
  request: { readonly sizes: Sizes; readonly address: string; readonly counted: Counted },
): Ending | undefined {
  const unknown = work.plan.limits.find(
    (one) => (one.counts.is === "gap" || one.counts.is === "request time") && gapIn(one) !== "",
  );
  if (unknown !== undefined) return { is: "gap", gap: gapIn(unknown) };
  for (const limit of work.plan.limits) {
    const size = request.sizes[limit.counts.is as keyof Sizes];
    if (size === undefined) continue;
    if (gapIn(limit) !== "") return { is: "gap", gap: gapIn(limit) };
    const amount = amountOf(work, limit);
    if (amount === undefined) continue;
    const over = BigInt(size) > amount;
    meet("limit", `${limit.counts.is}, ${over ? "passed" : "held"}`);
    if (over) return refuseLimit(work, limit, undefined);
  }
  const hits: { readonly hit: Hit; readonly status: number | undefined }[] = [];
  for (const limit of work.plan.limits) {
    const { counts } = limit;
    if (counts.is !== "requests") continue;
    if (counts.endpoint !== undefined && counts.endpoint !== endpointName(endpoint)) continue;
    if (gapIn(limit) !== "") return { is: "gap", gap: gapIn(limit) };
    const per = limit.per.is === "stated" ? limit.per.value.is : "request";
    const group =
      per === "everyone"
        ? ""
        : per === "address"
          ? request.address
          : per === "caller" && work.caller !== null
            ? rowName(work.caller)
            : undefined;
    if (group === undefined) continue;
    const amount = amountOf(work, limit);
    if (amount === undefined) continue;
    const { sent } = work.plan.limitAnswers;
    if (sent.is === "gap") return { is: "gap", gap: sent.gap };
    const from = windowStart(work, limit);
    const known = work.world.hits.filter(
      (hit) => hit.limit === limit.name && hit.group === group && hit.at >= from,
    );
    request.counted.told.push(...rateHeaders(work, limit, { amount, known }));
    const used = BigInt(known.length) < amount ? BigInt(known.length) + 1n : amount;
    if (limit.amount.is !== "stated" || !limit.amount.value.atLeast) {
      const reset = windowEnd(work, limit, known);
      const state = { amount, used, left: amount - used, reset };
      work.limits.set(limit.name, new Map(Object.entries(state)));
    }
    const told =
      counts.status !== undefined ? " answered" : counts.endpoint !== undefined ? " to one" : "";
    const over = BigInt(known.length) >= amount;
    meet(
      "limit",
      `requests${told} per ${perOf(limit)} in ${windowOf(limit)}, ${over ? "passed" : "held"}`,
    );
    if (over) {
      return refuseLimit(work, limit, secondsLeft(work, limit, known));
    }
    hits.push({
      hit: { limit: limit.name, group, at: work.now, amount: 1n },
      status: counts.status,
    });
  }
  for (const { hit, status } of hits) {
    if (status === undefined) request.counted.now.push(hit);
    else request.counted.later.push({ status, hit });
  }
  return undefined;
}

/** `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers), where they are stated. */
function rateHeaders(
  work: Work,
  limit: Limit,
  { amount, known }: { readonly amount: bigint; readonly known: readonly Hit[] },
): readonly (readonly [string, string])[] {
  const { sent } = work.plan.limitAnswers;
  if (limit.amount.is === "stated" && limit.amount.value.atLeast) return [];
  const names = sent.is === "stated" ? sent.value : [];
  const left = amount - BigInt(known.length) - 1n;
  const texts: Readonly<Record<string, string>> = {
    "RateLimit-Policy": `"${limit.name}";q=${amount};w=${windowSeconds(work, limit)}`,
    RateLimit: `"${limit.name}";r=${left < 0n ? 0n : left};t=${secondsLeft(work, limit, known)}`,
  };
  if (names.length > 0) meet("limit", "told in headers");
  return names.map((name) => [name, texts[name] ?? ""]);
}

/** `Deprecation` (RFC 9745) and `Sunset` (RFC 8594), where they are stated for the endpoint. */
export function endFields(
  { versioning: { deprecations, endFields: stated } }: Plan,
  endpoint: Endpoint,
): readonly (readonly [string, string])[] {
  if (stated?.is !== "stated") return [];
  const own = deprecations.find((one) => one.item === endpointName(endpoint));
  const row = own ?? deprecations.find((one) => one.item === "every endpoint");
  if (row === undefined) return [];
  meet("deprecated", `${stated.value}, ${own === undefined ? "every endpoint" : "its own"}`);
  const day = (text: string): Date => new Date(`${text}T00:00:00Z`);
  const found: (readonly [string, string])[] = [];
  if (stated.value !== "Sunset" && row.on.is === "stated") {
    found.push(["Deprecation", `@${day(row.on.value).getTime() / 1000}`]);
  }
  if (stated.value !== "Deprecation" && row.removed.is === "stated") {
    found.push(["Sunset", day(row.removed.value).toUTCString()]);
  }
  return found;
}

function windowSeconds(work: Work, limit: Limit): bigint {
  const { window } = limit;
  if (window.is !== "stated") return 0n;
  if (window.value.is !== "day") return statedDuration(window.value.durationText) / SECOND;
  const zone = work.eval(window.value.zone, []) as string;
  const today = dateIn(work.now, zone);
  return (startOf(dayAfter(today), zone) - startOf(today, zone)) / SECOND;
}

function dayAfter(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
}

/** Whole seconds until a request may pass. */
function secondsLeft(work: Work, limit: Limit, known: readonly Hit[]): bigint {
  if (limit.window.is !== "stated") return 1n;
  const left = (windowEnd(work, limit, known) - work.now + SECOND - 1n) / SECOND;
  return left < 1n ? 1n : left;
}

/** When the first request that counts now counts no more. */
function windowEnd(work: Work, limit: Limit, known: readonly Hit[]): bigint {
  if (limit.window.is !== "stated") return work.now;
  const { value } = limit.window;
  if (value.is === "day") {
    const zone = work.eval(value.zone, []) as string;
    return startOf(dayAfter(dateIn(work.now, zone)), zone);
  }
  const first = known[0]?.at ?? work.now;
  const begun = value.is === "sliding" ? first : windowStart(work, limit);
  return begun + statedDuration(value.durationText);
}

/** What an answer is to be kept under, once it is made. */
export interface Keeping {
  readonly name: string;
  readonly likeness: Likeness;
  readonly keeps: (status: number) => boolean;
}

/** `Check the idempotency key.`: the answer of the first request, a refusal, or a new key. */
export function checkKey(
  work: Work,
  endpoint: Endpoint,
  request: { readonly key: string | undefined; readonly address: string; readonly sent: Sent },
): Ending | Keeping | undefined {
  const rule = endpoint.idempotency;
  const { key, address, sent } = request;
  if (rule === undefined || key === undefined) return undefined;
  const isCallers = rule.per.is === "stated" && rule.per.value === "caller";
  if (isCallers && work.caller === null) return undefined;
  for (const asked of [rule.kept, rule.per, rule.keeps]) {
    if (asked.is !== "stated") return gapOf(asked, rule.id);
  }
  const per = rule.per.is === "stated" ? rule.per.value : "everyone";
  const whose =
    per === "address"
      ? address
      : per === "caller"
        ? work.caller === null
          ? ""
          : rowName(work.caller)
        : "";
  const isWide = rule.scope !== undefined;
  const name = JSON.stringify([isWide ? "all" : endpoint.id, per, whose, key]);
  const likeness = likenessOf(sent, isWide ? endpoint.id : "");
  if (isWide) meet("key", "at every endpoint");
  const time = rule.kept.is === "stated" ? statedDuration(rule.kept.value) : 0n;
  const first = work.world.kept.find((one) => one.name === name && one.at + time > work.now);
  meet("key", `per ${per}`);
  if (first === undefined) {
    meet("key", "first");
    const which = rule.keeps.is === "stated" ? rule.keeps.value : "every answer";
    meet("key keeps", which);
    return {
      name,
      likeness,
      keeps: (status) =>
        which === "every answer" ||
        status < 300 ||
        (which === "2xx and 4xx answers" && status >= 400 && status < 500),
    };
  }
  if (rule.compares.is === "stated") meet("bodies by", rule.compares.value);
  const same = isAlike(rule, first.likeness, likeness);
  if (typeof same !== "boolean") return same;
  meet("key", same ? "same body" : "other body");
  if (!same) {
    return rule.otherBody.is === "stated"
      ? work.refuse(rule.otherBody.value, [])
      : gapOf(rule.otherBody, rule.id);
  }
  if (rule.sameBody.is !== "stated") return gapOf(rule.sameBody, rule.id);
  return { is: "again", answer: first.answer };
}

function likenessOf(sent: Sent, at: string): Likeness {
  const bytes = Buffer.from(sent.body).toString("latin1");
  const tree = parse(Buffer.from(sent.body).toString("utf8"))?.tree;
  const of = (body: string): string => JSON.stringify([at, [...sent.params], sent.query, body]);
  return { bytes: of(bytes), values: of(tree === undefined ? bytes : alike(tree)) };
}

/** Whether two bodies are the same; a gap where that hangs on what is not shown. */
function isAlike(rule: Idempotency, a: Likeness, b: Likeness): boolean | Ending {
  const byBytes = a.bytes === b.bytes;
  const byValues = a.values === b.values;
  if (rule.compares.is === "stated") return rule.compares.value === "bytes" ? byBytes : byValues;
  return byBytes === byValues ? byBytes : gapOf(rule.compares, rule.id);
}

/** One text for all JSON texts with the same values: members by name, numbers by value. */
function alike(json: Json): string {
  if (isList(json)) return `[${json.map(alike).join(",")}]`;
  if (isMap(json)) {
    const members = [...json].sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${members.map(([name, one]) => `${JSON.stringify(name)}:${alike(one)}`).join(",")}}`;
  }
  if (typeof json !== "object" || json === null) return JSON.stringify(json);
  const [, sign = "", whole = "", fraction = "", power = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec((json as JsonNumber).digits) ?? [];
  const digits = (whole + fraction).replace(/^0+(?=\d)/, "");
  const size = digits.replace(/0+$/, "");
  if (size === "") return "0";
  return `${sign}${size}e${Number(power) - fraction.length + digits.length - size.length}`;
}

/** Nothing but an answer that is sent again. */
export function isKeeping(found: Ending | Keeping | undefined): found is Keeping {
  return found !== undefined && "keeps" in found;
}
