/** Tokens that a service issues and takes, against an independent library (`jose`). */
import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { test } from "node:test";
import {
  decodeJwt,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  jwtVerify,
  SignJWT,
  UnsecuredJWT,
} from "jose";
import { movableClock, serve } from "../../src/serve/index.ts";
import { document as passages } from "../run/document.ts";
import { document } from "./document.ts";

const START = 1_800_000_000;
const ISSUER = "https://id.example";
const FAILURES = [
  "unknown path",
  "unknown method",
  "no credentials",
  "bad credentials",
  "not permitted",
  "other media type",
  "body absent",
  "malformed body",
  "unknown member",
  "repeated member",
  "null",
  "body not expected",
  "unknown query parameter",
  "repeated query parameter",
  "malformed query",
  "not settable",
];

/** A service of accounts: one can be made, gets a token, and is shown to itself. */
function accounts(
  credential: string,
  more: { optional?: string; lifetime?: string; rotation?: string } = {},
) {
  const { optional = "`bad`", lifetime = "1 h", rotation = "none" } = more;
  // Whoever keeps the keys elsewhere makes the tokens.
  const issued = credential.includes("keys at") ? "user.id" : "token(user)";
  return document(
    passages({
      about:
        "- Setting `key`: secret\n- Setting `keys_at`: string\n- Cross-origin: none\n" +
        "- One request: all or nothing, as if alone",
      resources:
        "### `User`, many `users`\n\n| Field | Type | Create | Update | Read | Rules |\n" +
        "|---|---|---|---|---|---|\n| `id` | string | required | no | yes | key; unique, else `taken` |\n\n" +
        "### `Token`, a shape\n\n- Given `user`: `User`\n\n| Field | Type | Value |\n|---|---|---|\n" +
        `| \`token\` | string | \`${issued}\` |`,
      states: "- No states: `User`",
      every: "1. Check the caller.\n2. Check the inputs.\n3. Check the paths.",
      endpoints: `### \`POST /users\`: join

- Who: none
- Body: new \`User\`

1. Create a \`User\` as \`user\` from \`body\`.
2. Respond \`201\` with \`Token\` where \`user\` = \`user\`.

### \`GET /me\`: who am I

- Who: \`user\`

1. Respond \`200\` with \`User\` of \`caller\`.

### \`GET /maybe\`: who am I, if anybody

- Who: \`user\` or \`anyone\`

1. When \`caller == null\`, respond \`204\` with no body.
2. Otherwise, respond \`200\` with no body.`,
      authentication: `| Actor | Holds when |
|---|---|
| \`anyone\` | always |
| \`user\` | \`caller.id != ""\` |

### \`jwt\`, a scheme

- Sent in: header \`Authorization\`, form \`Bearer {credential}\`
- Credential: JWT signed with ${credential}
- Caller: the \`User\` where \`it.id == claims.sub\`, else \`unknown_user\`
- Issuer: \`${ISSUER}\`
- Audience: \`orders\`
- Subject: \`it.id\`
- Lifetime: ${lifetime}
- Clock skew: 30 s
- Revocation: none
- Rotation: ${rotation}`,
      events: "Events, notifications and callbacks: none.",
      errors: "| `unknown_user` | 401 | `Problem` |\n| `nobody` | 401 | `Problem` |",
      failures: `${FAILURES.map(
        (one) => `| ${one} | ${one.endsWith("credentials") ? "`nobody`" : "`bad`"} |`,
      ).join("\n")}
| bad credentials where optional | ${optional} |`,
      limits: "Rate limits, size limits, time-outs and quotas: none.",
    }),
  );
}

interface Started {
  readonly address: string;
  readonly clock: ReturnType<typeof movableClock>;
}

async function started(
  t: TestContext,
  spec: ReturnType<typeof document>,
  settings: Record<string, string>,
): Promise<Started> {
  const clock = movableClock(BigInt(START) * 1_000_000n);
  const all = { key: "none", keys_at: "none", ...settings };
  const running = await serve(spec.plan, { memory: true, clock, settings: all });
  t.after(() => running.stop());
  return { address: running.address, clock };
}

async function join_(address: string, id: string): Promise<string> {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(`${address}/users`, {
    method: "POST",
    headers,
    body: JSON.stringify({ id }),
  });
  const { token } = (await answer.json()) as { token: string };
  assert.equal(answer.status, 201, token);
  return token;
}

const status = async (address: string, path: string, token?: string): Promise<number> => {
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  return (await fetch(`${address}${path}`, { headers })).status;
};

const SECRET = "a secret of at least thirty-two bytes";
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function claims(over: Record<string, unknown> = {}): SignJWT {
  return new SignJWT({
    sub: "u1",
    iss: ISSUER,
    aud: "orders",
    iat: START,
    exp: START + 60,
    ...over,
  });
}

test(
  "served: bullets/scheme/credential jwt, bullets/scheme/issuer, bullets/scheme/audience, " +
    "bullets/scheme/subject, bullets/scheme/lifetime, bullets/scheme/clock skew, functions/token: " +
    "what is issued has the stated form, and is good for its lifetime and the skew",
  async (t) => {
    const { address, clock } = await started(t, accounts("`HS256`, key `setting.key`"), {
      key: SECRET,
    });
    const token = await join_(address, "u1");
    const { payload, protectedHeader } = await jwtVerify(token, bytes(SECRET), {
      issuer: ISSUER,
      audience: "orders",
      currentDate: new Date(START * 1000),
    });
    assert.equal(protectedHeader.alg, "HS256");
    assert.deepEqual(payload, {
      iss: ISSUER,
      sub: "u1",
      aud: "orders",
      iat: START,
      exp: START + 3600,
    });
    assert.equal(await status(address, "/me", token), 200);
    clock.move(3_629_999_999n);
    assert.equal(await status(address, "/me", token), 200);
    clock.move(1n);
    assert.equal(await status(address, "/me", token), 401);
  },
);

test("no credential is accepted but a good one, where it is needed and where not", async (t) => {
  const needed = accounts("`HS256`, key `setting.key`");
  const { address } = await started(t, needed, { key: SECRET });
  await join_(address, "u1");
  const signed = (jwt: SignJWT, alg = "HS256", key = SECRET): Promise<string> =>
    jwt.setProtectedHeader({ alg }).sign(bytes(key));
  const good = await signed(claims());
  assert.equal(await status(address, "/me", good), 200);
  const { publicKey, privateKey } = await generateKeyPair("RS256", { extractable: true });
  const bad: Record<string, string> = {
    malformed: "abc",
    "no signature": good.slice(0, good.lastIndexOf(".") + 1),
    expired: await signed(claims({ exp: START - 31 })),
    "without an end": await signed(claims({ exp: undefined })),
    "not yet": await signed(claims({ nbf: START + 31 })),
    "wrong key": await signed(claims(), "HS256", `${SECRET}!`),
    issuer: await signed(claims({ iss: "https://evil.example" })),
    "no issuer": await signed(claims({ iss: undefined })),
    audience: await signed(claims({ aud: "other" })),
    none: new UnsecuredJWT(decodeJwt(good)).encode(),
    "other length": await signed(claims(), "HS384"),
    asymmetric: await claims().setProtectedHeader({ alg: "RS256" }).sign(privateKey),
    "signed with a public key": await signed(claims(), "HS256", await exportSPKI(publicKey)),
    "of nobody": await signed(claims({ sub: "u2" })),
  };
  for (const [why, token] of Object.entries(bad)) {
    assert.equal(await status(address, "/me", token), 401, why);
    const maybe = await status(address, "/maybe", token);
    assert.equal(maybe, 400, `${why} where credentials are optional`);
  }
  assert.equal(await status(address, "/me"), 401);
  assert.equal(await status(address, "/maybe"), 204);
  assert.equal(await status(address, "/maybe", good), 200);
});

test("served: failures/bad credentials where optional: if ignored, as if none were sent", async (t) => {
  const spec = accounts("`HS256`, key `setting.key`", { optional: "ignored" });
  const { address } = await started(t, spec, { key: SECRET });
  assert.equal(await status(address, "/maybe", "abc"), 204);
  assert.equal(await status(address, "/me", "abc"), 401);
});

test("a lifetime that is not shown is met by who issues, and by a token without an end", async (t) => {
  const spec = accounts("`HS256`, key `setting.key`", { lifetime: "not shown" });
  const { address } = await started(t, spec, { key: SECRET });
  const headers = { "Content-Type": "application/json" };
  const made = await fetch(`${address}/users`, { method: "POST", headers, body: `{"id":"u1"}` });
  assert.equal(made.status, 501);
  const endless = claims({ exp: undefined }).setProtectedHeader({ alg: "HS256" });
  assert.equal(await status(address, "/me", await endless.sign(bytes(SECRET))), 501);
  const forged = claims({ exp: undefined }).setProtectedHeader({ alg: "HS256" });
  assert.equal(await status(address, "/me", await forged.sign(bytes(`${SECRET}!`))), 401);
});

/** A set of keys, one for each name, as an identity provider publishes it. */
async function keySet(names: readonly string[], alg = "RS256") {
  const pairs = await Promise.all(
    names.map(async (kid) => ({ kid, ...(await generateKeyPair(alg)) })),
  );
  const keys = await Promise.all(
    pairs.map(async ({ kid, publicKey }) => ({
      ...(await exportJWK(publicKey)),
      kid,
      alg,
      use: "sig",
    })),
  );
  const sign = (kid: string, named: string | undefined = kid): Promise<string> => {
    const key = pairs.find((one) => one.kid === kid)?.privateKey;
    assert.ok(key);
    const header = named === "" ? { alg } : { alg, kid: named };
    return claims().setProtectedHeader(header).sign(key);
  };
  return { keys, sign };
}

test("served: bullets/scheme/credential jwks, bullets/scheme/rotation: by the key named", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "lacuna-keys-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "keys.json");
  const { keys, sign } = await keySet(["a", "b", "c"]);
  const [a, b, c] = keys;
  // A key that is meant for something else judges nothing.
  writeFileSync(file, JSON.stringify({ keys: [a, b, { ...c, use: "enc" }, null, { kid: "d" }] }));
  const spec = accounts("`RS256`, keys at `setting.keys_at`", { rotation: "by `kid`" });
  const { address } = await started(t, spec, { keys_at: file });
  const code = async (token: Promise<string>): Promise<number> =>
    status(address, "/maybe", await token);
  // Nobody can be made here, so a good token is one of nobody: the Caller condition's own answer.
  const me = async (token: Promise<string>): Promise<string> => {
    const headers = { Authorization: `Bearer ${await token}` };
    const answer = await fetch(`${address}/me`, { headers });
    return ((await answer.json()) as { error: string }).error;
  };
  assert.equal(await me(sign("a")), "unknown_user");
  assert.equal(await me(sign("b")), "unknown_user");
  for (const bad of [sign("a", "b"), sign("a", ""), sign("c"), sign("a", "e")]) {
    assert.equal(await me(bad), "nobody");
    assert.equal(await code(bad), 400);
  }
});

test("keys at an address: read when needed, and refused as a fault while it is silent", async (t) => {
  const { keys, sign } = await keySet(["a"], "ES256");
  let asked = 0;
  let answers = false;
  const provider = createServer((_, response) => {
    asked++;
    response.statusCode = answers ? 200 : 503;
    response.end(JSON.stringify({ keys }));
  });
  await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
  t.after(() => provider.close());
  const { port } = provider.address() as AddressInfo;
  const spec = accounts("`ES256`, keys at `setting.keys_at`");
  const { address } = await started(t, spec, { keys_at: `http://127.0.0.1:${port}/keys` });
  assert.equal(await status(address, "/me", "abc"), 401);
  assert.equal(asked, 0, "a token that names no key asks for none");
  assert.equal(await status(address, "/me", await sign("a")), 500);
  answers = true;
  const all = await Promise.all(
    [1, 2, 3, 4].map(async () => status(address, "/me", await sign("a"))),
  );
  assert.deepEqual(all, [401, 401, 401, 401]);
  const before = asked;
  assert.equal(await status(address, "/me", await sign("a")), 401);
  assert.equal(await status(address, "/me", await sign("a", "z")), 401);
  assert.equal(asked, before, "neither known nor unknown names ask again at once");
  assert.equal(await status(address, "/me"), 401);
});

const PEM = { format: "pem", type: "pkcs8" } as const;
const rsaKey = (modulusLength: number): string =>
  generateKeyPairSync("rsa", { modulusLength }).privateKey.export(PEM).toString();

/** Keys with which a service must not start, as an operator may give them. */
const WEAK: readonly (readonly [algorithm: string, key: string, told: RegExp])[] = [
  ["HS256", "", /`key` is not given/],
  ["HS256", " ", /too short: HS256 wants 32 bytes/],
  ["HS256", "k".repeat(31), /too short/],
  ["HS384", "k".repeat(47), /HS384 wants 48 bytes/],
  ["HS512", "k".repeat(63), /HS512 wants 64 bytes/],
  ["RS256", rsaKey(1024), /no RS256 key in PEM, or is too short/],
  ["PS256", rsaKey(2040), /too short/],
];

for (const [algorithm, key, told] of WEAK) {
  test(`a key of ${key.length} characters for ${algorithm} is refused at the start`, async () => {
    const { plan } = accounts(`\`${algorithm}\`, key \`setting.key\``);
    const starting = serve(plan, { memory: true, settings: { key, keys_at: "none" } });
    await assert.rejects(starting, (fault) => {
      assert.match(String(fault), told);
      assert.ok(key.trim() === "" || !String(fault).includes(key));
      return true;
    });
  });
}

test("a key of a key set that is none, or too short, judges no token", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "lacuna-keys-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "keys.json");
  const short = Buffer.from("k".repeat(31));
  const good = Buffer.from("k".repeat(32));
  const octet = (kid: string, k?: string) => ({ kty: "oct", kid, ...(k && { k }) });
  const keys = [
    octet("none"),
    octet("short", short.toString("base64url")),
    octet("good", good.toString("base64url")),
  ];
  writeFileSync(file, JSON.stringify({ keys }));
  const spec = accounts("`HS256`, keys at `setting.keys_at`", { rotation: "by `kid`" });
  const { address } = await started(t, spec, { keys_at: file });
  const by = async (kid: string, key: Uint8Array): Promise<string> => {
    const token = await claims().setProtectedHeader({ alg: "HS256", kid }).sign(key);
    const headers = { Authorization: `Bearer ${token}` };
    const answer = await fetch(`${address}/me`, { headers });
    return ((await answer.json()) as { error: string }).error;
  };
  assert.equal(await by("good", good), "unknown_user");
  assert.equal(await by("short", short), "nobody");
  assert.equal(await by("none", Buffer.from("undefined", "base64url")), "nobody");
});
