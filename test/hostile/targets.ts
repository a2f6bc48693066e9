/** The services that are attacked, and for each the requests from which hostile ones are made. */
import { eventName } from "../event-name.ts";

export const NAMES = ["orders", "bank", "conduit", "board"] as const;
export type Name = (typeof NAMES)[number];

/** A request that is as the document wants it. `body` is JSON text. */
export interface Seed {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body?: string;
}

export interface Target {
  readonly name: Name;
  readonly port: number;
  readonly seeds: readonly Seed[];
  /** Whether unknown and repeated members and parameters are refused by the document. */
  readonly strict: boolean;
  /** Requests that open a stream. */
  readonly streams: readonly Seed[];
  /** Requests whose body says where messages go. */
  readonly addressed: readonly Seed[];
  /** A port of this machine to which nothing may ever be sent. */
  readonly canary: number;
  /** A read that always succeeds, for a client that means well. */
  readonly probe: Seed;
}

export const SETTINGS: Readonly<Record<string, string>> = {
  bank_zone: "Europe/Berlin",
  jwt_key: "a secret of the hostile run, long enough for HS256",
};

const MEMBER_KEY = "key_of-a-member-in-the-hostile-run-01234567";
const STAFF_KEY = "key_of-the-staff-in-the-hostile-run-0123456";

/** JSON of the rows that the document is given at the start. */
export function startRows(name: string): string | undefined {
  if (name === "board") return JSON.stringify({ Member: [{ name: "Ada", key: MEMBER_KEY }] });
  if (name !== "orders") return undefined;
  const staff = {
    id: "acc_staff",
    name: "Staff",
    role: "staff",
    tier: "standard",
    blocked: false,
    key: STAFF_KEY,
    createdAt: "2026-01-01T00:00:00Z",
  };
  return JSON.stringify({ Account: [staff] });
}

/** Counts that would end the run at its first minute are lifted; sizes and times stay. */
export function withoutLimits(text: string): string {
  return text
    .replaceAll(/\| (60|20|500|600|5) \| (1 min|1 h|day)/g, "| 100000000 | $2")
    .replaceAll("size(open) < 20", "size(open) < 2000000")
    .replaceAll("| `owner` | 10 | none |", "| `owner` | 100000000 | none |");
}

const JSON_TYPE = ["Content-Type", "application/json"] as const;

const ATTEMPTS = 10;

async function made(
  port: number,
  path: string,
  body: unknown,
  auth?: string,
): Promise<Readonly<Record<string, unknown>>> {
  const headers = new Headers([JSON_TYPE as [string, string]]);
  if (auth !== undefined) headers.set("Authorization", auth);
  for (let attempt = 1; ; attempt++) {
    headers.set("Idempotency-Key", `set-up-${attempt}`);
    const url = `http://127.0.0.1:${port}${path}`;
    const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
    const said = await answer.text();
    if (answer.ok) return JSON.parse(said) as Readonly<Record<string, unknown>>;
    // On a busy machine the code behind a call may answer too late.
    if (attempt === ATTEMPTS) {
      throw new Error(`POST ${path} is answered ${answer.status}: ${said}`);
    }
  }
}

/** One seed from a line: method, path, and JSON text of a body. */
function seed(auth: string | undefined, line: string): Seed {
  const [method = "", path = "", ...rest] = line.split(" ");
  const body = rest.length === 0 ? undefined : rest.join(" ");
  const authorization = auth === undefined ? [] : [["Authorization", auth] as const];
  const key = [["Idempotency-Key", "{{unique}}"] as const];
  return {
    method,
    path,
    body,
    headers: [...authorization, ...(body === undefined ? [] : [JSON_TYPE]), ...key],
  };
}

type Plain = Omit<Target, "canary">;

async function orders(port: number): Promise<Plain> {
  const { key } = await made(port, "/v1/accounts", { name: "Ada" });
  const auth = `Bearer ${String(key)}`;
  const line = { sku: "TEA-100", quantity: 3, unitPrice: 4.5 };
  const order = await made(port, "/v1/orders", { currency: "EUR", lines: [line] }, auth);
  const hook = { url: "https://a.example/", events: ["order.paid"] };
  const { id: hookId } = await made(port, "/v1/hooks", hook, auth);
  const at = `/v1/orders/${String(order.id)}`;
  const own = [
    "GET /v1/account",
    "GET /v1/orders?limit=5",
    "GET /v1/orders?status=open&limit=2",
    `GET ${at}`,
    `POST ${at}/cancellation`,
    `POST /v1/orders {"currency":"EUR","lines":[{"sku":"TEA-1","quantity":3,"unitPrice":4.50}]}`,
    `POST ${at}/payment {"amount":13.50,"reference":"bank 4711"}`,
    `POST /v1/hooks {"url":"https://a.example/x","events":["order.paid"]}`,
    "GET /v1/hooks",
    `PATCH /v1/hooks/${String(hookId)} {"enabled":false}`,
    "DELETE /v1/hooks/whk_none",
  ];
  const staff = [
    `PATCH /v1/accounts/acc_none {"tier":"gold"}`,
    `POST ${at}/shipment {"tracking":"T 1"}`,
  ];
  const seeds = [
    seed(undefined, `POST /v1/accounts {"name":"Grace"}`),
    ...own.map((one) => seed(auth, one)),
    ...staff.map((one) => seed(`Bearer ${STAFF_KEY}`, one)),
  ];
  return {
    name: "orders",
    port,
    seeds,
    strict: true,
    streams: [],
    addressed: [seed(auth, `POST /v1/hooks {"url":"{{address}}","events":["order.opened"]}`)],
    probe: seed(auth, "GET /v1/account"),
  };
}

async function bank(port: number): Promise<Plain> {
  const { key, id } = await made(port, "/v1/tenants", { bank: "Acme", manager: "Mary" });
  const auth = `Bearer ${String(key)}`;
  const account = {
    holder: id,
    kind: "current",
    name: "Daily",
    currency: "EUR",
    dailyLimit: "1000.00",
  };
  const { id: daily } = await made(port, "/v1/accounts", account, auth);
  const member = await made(port, "/v1/members", { name: "Tom", role: "teller" }, auth);
  const teller = `Bearer ${String(member.key)}`;
  const at = `/v1/accounts/${String(daily)}`;
  const text = JSON.stringify({ ...account, name: "{{unique}}" });
  const own = [
    `POST /v1/members {"name":"{{unique}}","role":"customer"}`,
    `POST /v1/accounts ${text}`,
    `GET ${at}`,
    `PATCH ${at} {"dailyLimit":"60.00"}`,
    `PUT ${at}/status {"status":"frozen"}`,
    `GET ${at}/entries?limit=5&after=0&first=2026-01-01`,
    "GET /v1/transfers/trf_none",
  ];
  const till = [
    `POST /v1/transfers {"from":"${String(daily)}","to":"acc_none","amount":"1.00","memo":"x"}`,
    "POST /v1/transfers/trf_none/cancellation",
  ];
  const seeds = [
    seed(undefined, `POST /v1/tenants {"bank":"Globex","manager":"Max"}`),
    ...own.map((one) => seed(auth, one)),
    ...till.map((one) => seed(teller, one)),
  ];
  return {
    name: "bank",
    port,
    seeds,
    strict: true,
    streams: [],
    addressed: [],
    probe: seed(auth, `GET ${at}`),
  };
}

async function conduit(port: number): Promise<Plain> {
  const user = { username: "ada", email: "ada@a.example", password: "long enough" };
  const signed = await made(port, "/api/users", { user });
  const { token } = (signed.user ?? {}) as { token?: string };
  const auth = `Token ${String(token)}`;
  const article = { title: "A title", description: "d", body: "b", tagList: ["x", "y"] };
  const written = await made(port, "/api/articles", { article }, auth);
  const { slug } = (written.article ?? {}) as { slug?: string };
  const at = `/api/articles/${String(slug)}`;
  // Read and commented on apart, so that answers do not grow with the run.
  const other = await made(port, "/api/articles", { article }, auth);
  const busy = `/api/articles/${String((other.article as { slug?: string } | undefined)?.slug)}`;
  const open = [
    `POST /api/users {"user":{"username":"","email":"a@a.example","password":"longenough"}}`,
    `POST /api/users/login {"user":{"email":"nobody@a.example","password":"longenough"}}`,
    "GET /api/articles?tag=x&limit=5&offset=0",
    "GET /api/articles?author=ada",
    `GET ${at}`,
    "GET /api/profiles/ada",
    `GET ${at}/comments`,
    "GET /api/tags",
  ];
  const own = [
    "GET /api/user",
    `PUT /api/user {"user":{"bio":"x"}}`,
    "POST /api/profiles/nobody/follow",
    "DELETE /api/profiles/ada/follow",
    "GET /api/articles/feed?limit=3",
    `POST /api/articles {"article":{"title":"T","description":"d","body":"b","tagList":["z"]}}`,
    `PUT ${at} {"article":{"body":"c"}}`,
    `POST ${at}/favorite`,
    `DELETE ${at}/favorite`,
    `POST ${busy}/comments {"comment":{"body":"c"}}`,
    `DELETE ${at}/comments/77`,
    "DELETE /api/articles/nothing",
  ];
  const seeds = [...open.map((one) => seed(undefined, one)), ...own.map((one) => seed(auth, one))];
  const probe = seed(undefined, "GET /api/profiles/ada");
  return { name: "conduit", port, seeds, strict: false, streams: [], addressed: [], probe };
}

const SECRET = `whsec_${Buffer.from("a secret of some thirty-two bytes").toString("base64")}`;

async function board(port: number): Promise<Plain> {
  const auth = `Bearer ${MEMBER_KEY}`;
  let note: Awaited<ReturnType<typeof made>> = {};
  const last = await eventName(
    `http://127.0.0.1:${port}/v1/stream`,
    { Authorization: auth },
    async () => {
      note = await made(port, "/v1/notes", { topic: "a", text: "b" }, auth);
    },
  );
  const hook = { topic: "none", url: "https://a.example/", secret: SECRET };
  const { id } = await made(port, "/v1/hooks", hook, auth);
  const at = `/v1/notes/${String(note.id)}`;
  const told = (url: string): string => `{"topic":"t{{few}}","url":"${url}","secret":"${SECRET}"}`;
  const own = [
    `GET ${at}`,
    `POST /v1/notes {"topic":"t{{few}}","text":"{{unique}}"}`,
    `POST /v1/notes {"topic":"closed","text":"undone"}`,
    `POST /v1/hooks ${told("https://a.example/{{unique}}")}`,
    `PATCH /v1/hooks/${String(id)} {"topic":"none"}`,
  ];
  const again = seed(auth, `POST /v1/notes {"topic":"quiet","text":"twice"}`);
  const seeds = own.map((one) => seed(auth, one));
  seeds.push({
    ...again,
    headers: again.headers.map(([name, value]) => [
      name,
      name === "Idempotency-Key" ? "key {{few}}" : value,
    ]),
  });
  const open = seed(auth, "GET /v1/stream");
  const streams = [last, "0", "{{few}}"].map((name) => ({
    ...open,
    headers: [...open.headers, ["Last-Event-ID", name] as const],
  }));
  return {
    name: "board",
    port,
    seeds,
    strict: true,
    streams: [...streams, open],
    addressed: [seed(auth, `POST /v1/hooks ${told("{{address}}")}`)],
    probe: seed(auth, `GET /v1/hooks/${String(id)}`),
  };
}

/** Makes what seeds need in each service that listens at these ports. */
export async function targetsAt(
  ports: Readonly<Record<string, number>>,
  canary: number,
): Promise<Target[]> {
  const targets = [
    await orders(ports.orders ?? 0),
    await bank(ports.bank ?? 0),
    await conduit(ports.conduit ?? 0),
    await board(ports.board ?? 0),
  ];
  return targets.map((one) => ({ ...one, canary }));
}
