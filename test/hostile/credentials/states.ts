/** Credentials in every state, made with an independent library, and who they may stand for. */

import type { KeyObject } from "node:crypto";
import { createHash, generateKeyPairSync } from "node:crypto";
import { SignJWT, UnsecuredJWT } from "jose";
import type { Kind } from "./documents.ts";
import { AUDIENCE, ISSUER, USERS } from "./documents.ts";

/** `as`: the user, or that it is bad, or that it is none. */
export interface State {
  readonly name: string;
  readonly as: "ada" | "bob" | "root" | "bad" | "none";
  readonly authorization?: string;
  readonly cookie?: string;
  /** What stands behind `?`. */
  readonly query?: string;
}

export interface Lock {
  readonly setting: string;
  readonly states: readonly State[];
}

const bearer = (text: string): string => `Bearer ${text}`;
const bad = (name: string, text: string): State => ({ name, as: "bad", authorization: text });
const good = (as: State["as"], authorization: string, name = `good: ${as}`): State => ({
  name,
  as,
  authorization,
});

const NOTHING: State = { name: "none", as: "none" };

const COMMON: readonly State[] = [
  NOTHING,
  bad("another scheme", 'Digest username="ada"'),
  bad("the scheme alone", "Bearer"),
  bad("a scheme that is none", "ada"),
];

function opaque(): readonly State[] {
  const [ada, bob, root, gone] = USERS.map(({ key }) => key);
  const stored = createHash("sha256")
    .update(ada ?? "")
    .digest("hex");
  return [
    ...COMMON,
    good("ada", bearer(ada ?? "")),
    good("bob", bearer(bob ?? "")),
    good("root", bearer(root ?? "")),
    good("ada", `bearer ${ada}`, "good: the scheme in lower case"),
    bad("unknown", bearer("the key of nobody")),
    bad("of a user who is blocked", bearer(gone ?? "")),
    bad("the stored form", bearer(stored)),
    bad("a part", bearer("the key of ad")),
    bad("more", bearer("the key of ada1")),
    bad("other case", bearer("The key of ada")),
    bad("a pattern", bearer("%")),
    bad("a statement", bearer("' OR '1'='1")),
    bad("two", bearer(`${ada}, Bearer ${root}`)),
    bad("a name", bearer("root")),
  ];
}

/** Opaque keys in a place that is no header of their own. */
function placed(kind: "query" | "cookie"): readonly State[] {
  const at = (key: string): Pick<State, "cookie" | "query"> =>
    kind === "query"
      ? { query: `api_key=${encodeURIComponent(key)}` }
      : { cookie: `a=b; sid=${key}; c=d` };
  const [ada = "", bob = "", root = "", gone = ""] = USERS.map(({ key }) => key);
  const wrong: Readonly<Record<string, string>> = {
    unknown: "the key of nobody",
    "of a user who is blocked": gone,
    "a part": "the key of ad",
    more: `${ada}1`,
    "other case": "The key of ada",
    "a pattern": "%",
    "a name": "root",
    "a statement": "' OR '1'='1",
    bearer: bearer(ada),
    "the stored form": createHash("sha256").update(root).digest("hex"),
  };
  return [
    NOTHING,
    { name: "in the header Authorization", as: "none", authorization: bearer(root) },
    {
      name: "in the other place",
      as: "none",
      ...(kind === "query" ? { cookie: `sid=${root}` } : {}),
    },
    { name: "good: ada", as: "ada", ...at(ada) },
    { name: "good: bob", as: "bob", ...at(bob) },
    { name: "good: root", as: "root", ...at(root) },
    ...Object.entries(wrong).map(([name, key]): State => ({ name, as: "bad", ...at(key) })),
  ];
}

function basic(): readonly State[] {
  const pair = (text: string): string => `Basic ${Buffer.from(text).toString("base64")}`;
  return [
    ...COMMON,
    good("ada", pair("ada:the key of ada")),
    good("bob", pair("bob:the key of bob")),
    good("root", pair("root:the key of root")),
    good("ada", pair("ada:the key of ada").replace("Basic", "BASIC"), "good: in capitals"),
    bad("another's password", pair("root:the key of ada")),
    bad("no password", pair("root:")),
    bad("unknown", pair("eve:the key of ada")),
    bad("no name", pair(":the key of root")),
    bad("blocked", pair("gone:the key of gone")),
    bad("no colon", pair("root")),
    bad("no base64", "Basic !!!"),
    bad("empty", "Basic "),
    bad("bearer", "Bearer the key of ada"),
    bad("a statement", pair("' OR 1=1 --:x")),
    bad("no text", `Basic ${Buffer.from([0xff, 0x3a, 0xff]).toString("base64")}`),
    bad(
      "the stored form",
      pair(`root:${createHash("sha256").update("the key of root").digest("hex")}`),
    ),
  ];
}

type Key = Uint8Array | KeyObject;

interface Claims {
  readonly [name: string]: unknown;
}

const seconds = (): number => Math.floor(Date.now() / 1000);

/** A token as it should be, but for the claims and the header that are given. */
function signed(alg: string, key: Key, claims: Claims = {}, header: Claims = {}): Promise<string> {
  const now = seconds();
  const all = { sub: "root", iss: ISSUER, aud: AUDIENCE, iat: now, exp: now + 600, ...claims };
  return new SignJWT(JSON.parse(JSON.stringify(all)) as Record<string, unknown>)
    .setProtectedHeader({ alg, typ: "JWT", ...header })
    .sign(key);
}

const part = (value: unknown): string =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");

/** States that every algorithm refuses, given a way to sign what it would accept. */
async function refusedClaims(alg: string, key: Key): Promise<State[]> {
  const now = seconds();
  const wrong: Readonly<Record<string, Claims>> = {
    expired: { exp: now - 1 },
    "expired long ago": { exp: 1 },
    "no end": { exp: undefined },
    "end is text": { exp: "2099-01-01" },
    "end is null": { exp: null },
    "not yet": { nbf: now + 300 },
    "other issuer": { iss: "https://evil.example" },
    "no issuer": { iss: undefined },
    "issuer as list": { iss: [ISSUER] },
    "issuer with more": { iss: `${ISSUER}/` },
    "other audience": { aud: "other" },
    "no audience": { aud: undefined },
    "audiences without ours": { aud: ["a", "b"] },
    "audience as object": { aud: { notes: 1 } },
    "unknown subject": { sub: "eve" },
    "no subject": { sub: undefined },
    "subject is a number": { sub: 1 },
    "subject is a list": { sub: ["root"] },
    "subject is empty": { sub: "" },
    "blocked subject": { sub: "gone" },
  };
  return Promise.all(
    Object.entries(wrong).map(async ([name, claims]) =>
      bad(name, bearer(await signed(alg, key, claims))),
    ),
  );
}

/** Forgeries made from a good token without its key. */
async function forged(alg: string, key: Key): Promise<State[]> {
  const token = await signed(alg, key, { sub: "ada" });
  const [head = "", body = "", signature = ""] = token.split(".");
  const claims = { sub: "root", iss: ISSUER, aud: AUDIENCE, exp: seconds() + 600 };
  const unsecured = new UnsecuredJWT(claims).encode();
  const twice = `{"sub":"ada","sub":"root","iss":"${ISSUER}","aud":"${AUDIENCE}","exp":9999999999}`;
  const texts: Readonly<Record<string, string>> = {
    "algorithm none": unsecured,
    "none with a signature": `${unsecured}${signature}`,
    "algorithm None": `${part({ alg: "None" })}.${part(claims)}.`,
    "algorithm NONE": `${part({ alg: "NONE" })}.${part(claims)}.${signature}`,
    "no algorithm": `${part({ typ: "JWT" })}.${part(claims)}.${signature}`,
    "no signature": `${head}.${body}.`,
    "two parts": `${head}.${body}`,
    "other claims": `${head}.${part(claims)}.${signature}`,
    "another header": `${part({ alg, kid: "x" })}.${body}.${signature}`,
    "signature cut": token.slice(0, -6),
    "more parts": `${token}.x`,
    padded: `${token}=`,
    "claims twice": `${head}.${part(twice)}.${signature}`,
    "no JSON": `${head}.${part("{")}.x`,
    "not even a token": "abc",
    dots: "..",
    long: "a".repeat(15_000),
    two: `${token}, ${token}`,
  };
  return Object.entries(texts).map(([name, text]) => bad(name, bearer(text)));
}

async function common(alg: string, key: Key): Promise<State[]> {
  const ours = { sub: "root", aud: ["other", AUDIENCE] };
  const of = async (sub: "ada" | "bob" | "root"): Promise<State> =>
    good(sub, bearer(await signed(alg, key, { sub })));
  return [
    ...COMMON,
    await of("ada"),
    await of("bob"),
    await of("root"),
    good("root", bearer(await signed(alg, key, ours)), "good: one of several audiences"),
    ...(await refusedClaims(alg, key)),
    ...(await forged(alg, key)),
    bad("critical extension", bearer(await withCritical(alg, key))),
  ];
}

async function withCritical(alg: string, key: Key): Promise<string> {
  const now = seconds();
  return new SignJWT({ sub: "root", iss: ISSUER, aud: AUDIENCE, exp: now + 600 })
    .setProtectedHeader({ alg, crit: ["x"], x: 1 })
    .sign(key, { crit: { x: true } });
}

async function hs256(): Promise<Lock> {
  const setting = "a secret that is long enough for every HMAC: 0123456789 0123456789 012345";
  const key = Buffer.from(setting);
  const other = Buffer.from("another secret that is long enough for every HMAC: 0123456789 01234");
  return {
    setting,
    states: [
      ...(await common("HS256", key)),
      bad("other key", bearer(await signed("HS256", other))),
      bad("HS384 with the key", bearer(await signed("HS384", key))),
      bad("HS512 with the key", bearer(await signed("HS512", key))),
      bad("RS256", bearer(await signed("RS256", rsa().privateKey))),
      bad(
        "its own key in the header",
        bearer(
          await signed("HS256", other, {}, { jwk: { kty: "oct", k: other.toString("base64url") } }),
        ),
      ),
      bad(
        "a file as key",
        bearer(await signed("HS256", Buffer.alloc(64), {}, { kid: "/dev/zero" })),
      ),
    ],
  };
}

const rsa = () => generateKeyPairSync("rsa", { modulusLength: 2048 });

async function rs256(): Promise<Lock> {
  const [{ privateKey, publicKey }, other] = [rsa(), rsa()];
  const pem = publicKey.export({ type: "spki", format: "pem" }).toString();
  const secrets: Readonly<Record<string, Buffer>> = {
    PEM: Buffer.from(pem),
    "PEM without its last line end": Buffer.from(pem.trimEnd()),
    DER: publicKey.export({ type: "spki", format: "der" }),
    "PKCS#1": Buffer.from(publicKey.export({ type: "pkcs1", format: "pem" })),
    modulus: Buffer.from(publicKey.export({ format: "jwk" }).n ?? "", "base64url"),
  };
  const swapped = await Promise.all(
    Object.entries(secrets).map(async ([name, secret]) =>
      bad(`HS256 with the public key: ${name}`, bearer(await signed("HS256", secret))),
    ),
  );
  const jwk = other.publicKey.export({ format: "jwk" });
  return {
    setting: pem,
    states: [
      ...(await common("RS256", privateKey)),
      ...swapped,
      bad("other key", bearer(await signed("RS256", other.privateKey))),
      bad("RS512 with the key", bearer(await signed("RS512", privateKey))),
      bad("PS256 with the key", bearer(await signed("PS256", privateKey))),
      bad(
        "its own key in the header",
        bearer(await signed("RS256", other.privateKey, {}, { jwk })),
      ),
      bad(
        "its own key at an address",
        bearer(
          await signed(
            "RS256",
            other.privateKey,
            {},
            { jku: "http://127.0.0.1:9/keys", x5u: "http://127.0.0.1:9/x" },
          ),
        ),
      ),
    ],
  };
}

/** Every state of credentials of a kind, and the setting that the service needs. */
export async function lockOf(kind: Kind): Promise<Lock> {
  if (kind === "HS256") return hs256();
  if (kind === "RS256") return rs256();
  if (kind === "basic") return { setting: "unused", states: basic() };
  return { setting: "unused", states: kind === "opaque" ? opaque() : placed(kind) };
}
