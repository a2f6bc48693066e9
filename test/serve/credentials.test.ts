import assert from "node:assert/strict";
import { createHmac, generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import type { CredentialKind, CredentialLocation, Scheme } from "../../src/plan/index.ts";
import { makeCredentials } from "../../src/serve/credentials/index.ts";
import type { TokenTerms } from "../../src/serve/credentials/jwt.ts";
import { algorithmOf, issueToken, judgeToken } from "../../src/serve/credentials/jwt.ts";
import { hashSecret, verifySecret } from "../../src/serve/secrets/secrets.ts";
import { none, plan, stated } from "../run/read/plans.ts";

const NOW = 1_700_000_000_000_000n;

function terms(name: string, key: TokenTerms["key"], over: Partial<TokenTerms> = {}): TokenTerms {
  const algorithm = algorithmOf(name);
  assert.ok(algorithm);
  return { algorithm, key, expires: true, skew: 0n, ...over };
}

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** A token with any header and claims, signed with HMAC SHA-256. */
function forge(header: unknown, claims: unknown, key = "secret"): string {
  const signed = `${part(header)}.${part(claims)}`;
  return `${signed}.${createHmac("sha256", key).update(signed).digest("base64url")}`;
}

const hs256 = terms("HS256", Buffer.from("secret"));
const seconds = Number(NOW / 1_000_000n);
const good = { sub: "u1", iat: seconds, exp: seconds + 60 };

test("tokens of every algorithm are judged by its key alone", () => {
  const pairs = {
    RS256: generateKeyPairSync("rsa", { modulusLength: 2048 }),
    PS384: generateKeyPairSync("rsa", { modulusLength: 2048 }),
    ES256: generateKeyPairSync("ec", { namedCurve: "P-256" }),
    EdDSA: generateKeyPairSync("ed25519"),
  };
  for (const [name, { privateKey, publicKey }] of Object.entries(pairs)) {
    const token = issueToken(terms(name, privateKey), {
      subject: "u1",
      now: NOW,
      lifetime: 60n * 1_000_000n,
    });
    const claims = judgeToken(token, terms(name, publicKey), NOW);
    assert.equal(claims?.get("sub"), "u1", name);
    assert.equal(claims?.get("exp"), NOW + 60_000_000n, name);
    const last = token.slice(0, -4) + (token.endsWith("AAAA") ? "BBBB" : "AAAA");
    assert.equal(judgeToken(last, terms(name, publicKey), NOW), undefined, name);
    const other = generateKeyPairSync("ed25519").publicKey;
    assert.equal(judgeToken(token, terms(name, other), NOW), undefined, name);
  }
});

test("no token passes by what its own header says", () => {
  assert.ok(judgeToken(forge({ alg: "HS256" }, good), hs256, NOW));
  const refused: Record<string, string> = {
    none: `${part({ alg: "none" })}.${part(good)}.`,
    "none with signature": forge({ alg: "none" }, good),
    "other algorithm": forge({ alg: "HS512" }, good),
    "other key": forge({ alg: "HS256" }, good, "guess"),
    "critical extension": forge({ alg: "HS256", crit: ["x"] }, good),
    "no header": `.${part(good)}.x`,
    "four parts": `${forge({ alg: "HS256" }, good)}.x`,
    padding: `${forge({ alg: "HS256" }, good)}=`,
    "claims are no object": forge({ alg: "HS256" }, [1]),
    "no subject": forge({ alg: "HS256" }, { exp: good.exp }),
    "subject is no text": forge({ alg: "HS256" }, { ...good, sub: 1 }),
    empty: "",
  };
  for (const [why, token] of Object.entries(refused)) {
    assert.equal(judgeToken(token, hs256, NOW), undefined, why);
  }
});

test("a public key is never taken for an HMAC secret", () => {
  const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const pem = publicKey.export({ type: "spki", format: "pem" }).toString();
  const swapped = forge({ alg: "HS256" }, good, pem);
  assert.equal(judgeToken(swapped, terms("RS256", publicKey), NOW), undefined);
});

test("times, issuer and audience are judged as stated", () => {
  const judged = (claims: object, over: Partial<TokenTerms> = {}): boolean =>
    judgeToken(forge({ alg: "HS256" }, { sub: "u", ...claims }), { ...hs256, ...over }, NOW) !==
    undefined;
  assert.equal(judged({ exp: seconds }), false, "ends now");
  assert.equal(judged({ exp: seconds + 1 }), true);
  assert.equal(judged({ exp: seconds - 5 }, { skew: 6_000_000n }), true, "within the skew");
  assert.equal(judged({}), false, "no end");
  assert.equal(judged({}, { expires: false }), true);
  assert.equal(judged({ exp: "soon" }), false);
  assert.equal(judged({ exp: seconds + 9, nbf: seconds + 1 }), false, "not yet");
  const exp = seconds + 9;
  assert.equal(judged({ exp, iss: "a" }, { issuer: "a" }), true);
  assert.equal(judged({ exp, iss: "b" }, { issuer: "a" }), false);
  assert.equal(judged({ exp }, { issuer: "a" }), false);
  assert.equal(judged({ exp, aud: ["x", "a"] }, { audience: "a" }), true);
  assert.equal(judged({ exp, aud: "x" }, { audience: "a" }), false);
  assert.equal(judged({ exp, aud: "x" }), false, "meant for somebody else (RFC 7519 4.1.3)");
});

function scheme(name: string, sent: CredentialLocation, credential: CredentialKind): Scheme {
  const absent = { issuer: none, audience: none, subject: none, lifetime: none, clockSkew: none };
  const rest = { revocation: none, rotation: none, caller: none, ...absent };
  return { id: name, name, sent: stated(sent), credential: stated(credential), ...rest };
}

const bearer = scheme(
  "bearer",
  { in: "header", name: "Authorization", before: "Bearer ", after: "" },
  { is: "opaque" },
);
const basic = scheme("basic", { in: "basic" }, { is: "basic" });
const key = scheme("key", { in: "query", name: "api_key" }, { is: "opaque" });

test("each scheme finds its own credential", () => {
  const credentials = makeCredentials(plan({ schemes: [bearer, basic, key] }), new Map());
  const found = (authorization?: string, query = ""): readonly string[] => {
    const headers = new Map(authorization === undefined ? [] : [["authorization", authorization]]);
    const all = credentials.present(headers, query, NOW);
    assert.ok(!(all instanceof Promise));
    return all.map((one) => {
      if (one.is === "opaque") return one.credential;
      return one.is === "basic" ? `${one.username}|${one.password}` : one.is;
    });
  };
  assert.deepEqual(credentials.headers, ["authorization"]);
  assert.deepEqual(found(), ["none", "none", "none"]);
  assert.deepEqual(found("bearer abc", "api_key=k"), ["abc", "none", "k"]);
  const pair = Buffer.from("é:a:b").toString("base64");
  assert.deepEqual(found(`Basic ${pair}`), ["none", "é|a:b", "none"]);
  assert.deepEqual(found("Digest x"), ["bad", "bad", "none"]);
  assert.deepEqual(found("Bearer "), ["bad", "bad", "none"]);
  assert.deepEqual(found("Basic !!!"), ["bad", "bad", "none"]);
  assert.deepEqual(found(`Basic ${Buffer.from("nocolon").toString("base64")}`)[1], "bad");
  assert.deepEqual(found(undefined, "api_key=a&api_key=b")[2], "bad");
});

test("what is not built in is unsupported by name; a missing key names its scheme", () => {
  const sent: CredentialLocation = { in: "header", name: "X-Token", before: "", after: "" };
  const text = (value: string) => ({
    code: { op: "literal", type: { kind: "string" }, value } as const,
    text: value,
  });
  const odd = scheme("odd", sent, { is: "jwt", algorithm: "HS1", key: text("k") });
  const all = makeCredentials(plan({ schemes: [odd] }), new Map()).present(
    new Map([["x-token", "a.b.c"]]),
    "",
    NOW,
  );
  assert.deepEqual(all, [{ is: "unsupported", item: "odd" }]);
  const rsa = scheme("rsa", sent, { is: "jwt", algorithm: "RS256", key: text("no key") });
  assert.throws(() => makeCredentials(plan({ schemes: [rsa] }), new Map()), /scheme rsa/);
});

test("secrets are kept as stated, and only the right one is found again", () => {
  const random = (count: number): Uint8Array => new Uint8Array(count).fill(7);
  const hashes = [
    { kind: "argon2id", memoryKiB: 64, passes: 1, lanes: 1 },
    { kind: "scrypt", n: 16, r: 8, p: 1 },
    { kind: "sha256" },
    { kind: "plain" },
  ] as const;
  for (const hash of hashes) {
    const stored = hashSecret(hash, "pässword", random);
    assert.equal(verifySecret(stored, "pässword"), true, hash.kind);
    assert.equal(verifySecret(stored, "passwort"), false, hash.kind);
    if (hash.kind !== "plain") {
      assert.ok(!stored.includes("pässword"));
      assert.equal(verifySecret(stored, stored), false, "the stored form is no secret");
    }
  }
  assert.equal(
    hashSecret({ kind: "sha256" }, "abc", random),
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  );
});
