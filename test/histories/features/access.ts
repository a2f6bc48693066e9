/** Ways in which a document made at random knows its callers, the rows of `Owner`. */
import type { Random } from "../random.ts";

export interface AccessText {
  /** Actors and the scheme. */
  readonly scheme: string;
  readonly about: readonly string[];
  readonly password: boolean;
  readonly token: boolean;
}

const ACTORS = `| Actor | Holds when |
|---|---|
| \`anyone\` | always |
| \`owner\` | \`true\` |
| \`boss\` | \`caller.role == "boss"\` |
`;

function opaque(random: Random): AccessText {
  const sent = random.pick([
    "header `Authorization`, form `Bearer {credential}`",
    "query parameter `api_key`",
    "cookie `sid`",
    "header `X-Key`, form `{credential}`",
  ]);
  return {
    about: [],
    password: false,
    token: false,
    scheme: `${ACTORS}
### \`key\`, a scheme

- Sent in: ${sent}
- Credential: opaque
- Caller: the \`Owner\` where \`password_matches(it.key, credential)\`, else \`unauthorized\`
- Revocation: by the Caller condition
`,
  };
}

function basic(): AccessText {
  return {
    about: [],
    password: true,
    token: false,
    scheme: `${ACTORS}
### \`login\`, a scheme

- Sent in: HTTP Basic
- Credential: user name and password
- Caller: the \`Owner\` where \`it.name == username && password_matches(it.password, password)\`, else \`unauthorized\`
- Revocation: none
`,
  };
}

function jwt(random: Random): AccessText {
  const algorithm = random.pick(["HS256", "HS384", "HS512"]);
  return {
    about: ["- Setting `jwt_key`: secret"],
    password: true,
    token: true,
    scheme: `${ACTORS}
### \`token\`, a scheme

- Sent in: header \`Authorization\`, form \`Bearer {credential}\`
- Credential: JWT signed with \`${algorithm}\`, key \`setting.jwt_key\`
- Caller: the \`Owner\` where \`it.id == claims.sub\`, else \`unauthorized\`
- Issuer: ${random.pick(["`https://id.example`", "none"])}
- Audience: ${random.pick(["`made`", "none"])}
- Subject: \`it.id\`
- Lifetime: ${random.pick(["1 h", "10 min"])}
- Clock skew: ${random.pick(["30 s", "none"])}
- Revocation: by the Caller condition
- Rotation: none
`,
  };
}

/** One of the ways. */
export function accessText(random: Random): AccessText {
  const way = random.below(10);
  return way < 5 ? opaque(random) : way < 7 ? basic() : jwt(random);
}

/** The resource whose rows are callers. */
export function ownerText({ password }: AccessText): string {
  const secret = password
    ? "| `password` | secret | required | optional | no | kept as scrypt with N 16, r 1 and p 1 |"
    : "| `key` | secret | no | no | on create | 16 random bytes as hex after `k_`; kept as SHA-256 |";
  return `### \`Owner\`, many \`owners\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`id\` | id \`own_\` | no | no | yes | none |
| \`name\` | string | required | no | yes | trimmed; 1 to 10 characters${password ? "; unique, else `taken` on `name`" : ""} |
| \`role\` | one of \`boss\`, \`hand\` | required | no | \`boss\` | none |
${secret}

`;
}

/** Endpoints at which callers come in. */
export function ownerEndpoints({ token }: AccessText): string {
  const login = token
    ? `### \`POST /logins\`: a token

- Who: \`anyone\`

| Input | In | Type | Needed | Rules |
|---|---|---|---|---|
| \`name\` | body | string | yes | none |
| \`password\` | body | secret | yes | none |

1. Let \`owner\` be the \`Owner\` where \`it.name == body.name\`, else \`unauthorized\`.
2. Require \`password_matches(owner.password, body.password)\`, else \`unauthorized\`.
3. Respond \`200\` with \`{"token": token(owner)}\`.

`
    : "";
  return `### \`POST /owners\`: come in

- Who: \`anyone\`
- Body: new \`Owner\`

1. Create an \`Owner\` as \`owner\` from \`body\`.
2. Respond \`201\` with \`Owner\` of \`owner\`.

### \`GET /owners\`: who is here

- Who: \`owner\` or \`anyone\`

1. Let \`found\` be every \`Owner\`.
2. Order \`found\` by \`it.name\` descending, then \`it.id\` ascending.
3. Respond \`200\` with list of \`Owner\` of \`found\`.

${login}`;
}
