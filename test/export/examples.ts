/** How the examples are served to programs that drive them: settings, rows, and a credential. */

/** What an answer is read as. */
// biome-ignore lint/suspicious/noExplicitAny: each example has answers of its own.
type Answer = any;

export interface Example {
  readonly name: string;
  /** Where it stands in the repository. Default: `examples/NAME/spec.md`. */
  readonly file?: string;
  /** Arguments of `lacuna serve` besides the document. */
  readonly args?: readonly string[];
  readonly settings?: Readonly<Record<string, string>>;
  /** Gives the header `Authorization` of somebody who may do most. */
  credential?(address: string): Promise<string> | string;
}

async function made(url: string, body: unknown): Promise<Answer> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`POST ${url}: ${response.status} ${await response.text()}`);
  return response.json();
}

const rows = (name: string): readonly string[] => ["--rows", `examples/${name}/rows.json`];

const jwt = { jwt_key: "0123456789abcdef0123456789abcdef" };

/** Signs up where that is needed, and logs in. */
async function session(address: string, person: object, path?: string): Promise<Answer> {
  if (path !== undefined) await made(`${address}${path}`, person);
  const { email, handle, password } = person as Record<string, string>;
  const known = handle === undefined ? { email, password } : { handle, password };
  return made(`${address}/sessions`, known);
}

/** Services that were written from the documentation alone. */
const six: readonly Omit<Example, "file">[] = [
  {
    name: "ci",
    credential: async (address) =>
      `Bearer ${(await made(`${address}/users`, { login: "ada" })).token}`,
  },
  { name: "devices", credential: () => "Bearer acme-admin-secret" },
  { name: "flags", credential: () => "Bearer sb_ada" },
  {
    name: "grid",
    settings: jwt,
    credential: async (address) => {
      const ada = { email: "ada@club.example", password: "ada has a password" };
      return `Bearer ${(await session(address, ada)).token}`;
    },
  },
  {
    name: "ledger",
    settings: jwt,
    credential: async (address) => {
      const ada = { email: "ada@shop.example", name: "Ada", password: "correct horse battery" };
      await made(`${address}/users`, ada);
      return `Bearer ${(await session(address, ada)).token}`;
    },
  },
  {
    name: "lobby",
    credential: async (address) => {
      const ada = { handle: "ada", password: "correct horse" };
      return `Bearer ${(await session(address, ada, "/players")).token}`;
    },
  },
];

/** Every example that has endpoints. */
export const examples: readonly Example[] = [
  { name: "todo" },
  { name: "todo-backend", settings: { public_url: "http://127.0.0.1" } },
  { name: "payments", args: ["--stand-in"] },
  {
    name: "bank",
    settings: { bank_zone: "UTC" },
    credential: async (address) => {
      const { key } = await made(`${address}/tenants`, { bank: "Acme", manager: "Mary" });
      return `Bearer ${key}`;
    },
  },
  {
    name: "conduit",
    args: ["--assume", "examples/conduit/assumptions.md"],
    settings: { jwt_key: "a key of the tests of exports, 32 bytes or more" },
    credential: async (address) => {
      const user = { username: "ann", email: "ann@example.org", password: "jakejake" };
      const answer = await made(`${address}/users`, { user });
      return `Token ${answer.user.token}`;
    },
  },
  {
    name: "github",
    args: rows("github"),
    settings: { public_url: "http://127.0.0.1", core_limit: "1000000" },
    credential: () => "token ann-token",
  },
  {
    name: "orders",
    args: rows("orders"),
    credential: () => "Bearer key_staff-of-the-warehouse-0123456789abcdef",
  },
  {
    name: "stripe",
    args: [...rows("stripe"), "--stand-in", "--allow-private-receivers"],
    credential: () => "Bearer sk_test_first",
  },
  ...six.map((one) => ({ ...one, file: `test/six/${one.name}.md` })),
];
