/** `examples/todo/spec.md`, written by hand once more: tables of routes and fields, random ids. */
import { createHash } from "node:crypto";
import { readJson, type Tree } from "./json.ts";
import { type Asked, type Manner, mediaType, type Service, type Told } from "./manner.ts";

type Row = Record<string, unknown> & { id: string; createdAt: Date; doneAt: Date | null };
type Failing = readonly [error: string, field?: string | null];
type Check = (sent: Tree) => unknown;

const NOT_ALLOWED = Symbol("not allowed");

const text =
  (least: number, most: number, change = (one: string) => one): Check =>
  (sent) => {
    if (typeof sent !== "string") return NOT_ALLOWED;
    const changed = change(sent);
    const count = Array.from(changed).length;
    return count >= least && count <= most ? changed : NOT_ALLOWED;
  };

const orNull =
  (check: Check): Check =>
  (sent) =>
    sent === null ? null : check(sent);

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const date: Check = (sent) => {
  const parts = typeof sent === "string" ? /^(\d{4})-(\d\d)-(\d\d)$/.exec(sent) : null;
  const [year = 0, month = 0, day = 0] = parts?.slice(1).map(Number) ?? [];
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 && isLeap ? 29 : (DAYS[month - 1] ?? 0);
  return year > 0 && day > 0 && day <= days ? sent : NOT_ALLOWED;
};

/** Fields in the order of the document; those without a check are the service's own. */
const FIELDS: readonly (readonly [name: string, check?: Check])[] = [
  ["id"],
  ["title", text(1, 120, (one) => one.replace(/^[\s]+/, "").replace(/[\s]+$/, ""))],
  ["note", orNull(text(0, 2000))],
  ["due", orNull(date)],
  ["status"],
  ["createdAt"],
  ["doneAt"],
];

const ERRORS = new Map<string, readonly [number, string]>([
  ["invalid", [400, "Something in the request is not allowed"]],
  ["not_found", [404, "Nothing is here"]],
  ["no_such_method", [405, "This address does not know that method"]],
  ["already_done", [409, "It is done already"]],
  ["too_large", [413, "The request is too large"]],
  ["not_json", [415, "The body must be JSON"]],
]);

type Outcome = { readonly told: Told } | { readonly failing: Failing };
type Given = Record<string, unknown>;

interface Route {
  readonly method: string;
  readonly path: RegExp;
  /** What it reads of a body, if any. */
  readonly reads?: "new" | "changed";
  readonly parameters?: Readonly<Record<string, (text: string) => boolean>>;
  readonly act: (to: { row: Row | undefined; given: Given; query: URLSearchParams }) => Outcome;
}

const isWhole = (one: string): boolean => /^-?(0|[1-9][0-9]{0,37})$/.test(one);

export class TableTodos implements Service {
  readonly #manner: Manner;
  #rows: Row[] = [];
  #made = 0;

  constructor(manner: Manner) {
    this.#manner = manner;
  }

  readonly #routes: readonly Route[] = [
    { method: "POST", path: /^\/todos$/, reads: "new", act: ({ given }) => this.#create(given) },
    {
      method: "GET",
      path: /^\/todos$/,
      parameters: {
        status: (one) => one === "open" || one === "done",
        limit: (one) => isWhole(one) && Number(one) >= 1 && Number(one) <= 100,
        offset: (one) => isWhole(one) && Number(one) >= 0,
      },
      act: ({ query }) => this.#list(query),
    },
    { method: "GET", path: /^\/todos\/([^/]+)$/, act: ({ row }) => this.#ok(row as Row) },
    {
      method: "PATCH",
      path: /^\/todos\/([^/]+)$/,
      reads: "changed",
      act: ({ row, given }) => {
        if (row?.["status"] !== "open") return { failing: ["already_done"] };
        return this.#ok(Object.assign(row, given));
      },
    },
    {
      method: "DELETE",
      path: /^\/todos\/([^/]+)$/,
      act: ({ row }) => {
        this.#rows = this.#rows.filter((one) => one !== row);
        return { told: { status: 204 } };
      },
    },
    {
      method: "POST",
      path: /^\/todos\/([^/]+)\/finish$/,
      act: ({ row }) => {
        if (row?.["status"] === "done") return { failing: ["already_done"] };
        const doneAt = new Date(this.#manner.now());
        return this.#ok(Object.assign(row as Row, { status: "done", doneAt }));
      },
    },
  ];

  others(chance: () => number): void {
    const theirs = this.#rows.filter((one) => String(one["title"]).startsWith("somebody's"));
    const one = theirs[Math.floor(chance() * theirs.length)];
    if (one === undefined || chance() < 0.6) this.#create({ title: "somebody's" });
    else Object.assign(one, { status: "done", doneAt: new Date(this.#manner.now()) });
  }

  answer(asked: Asked): Told {
    const outcome = this.#outcome(asked);
    if ("told" in outcome) return outcome.told;
    const [name, field = null] = outcome.failing;
    const [status = 500, title = ""] = ERRORS.get(name) ?? [];
    const allow = name === "no_such_method" ? this.#allow(asked.path) : [];
    return {
      status,
      headers: [["content-type", mediaType(this.#manner, "application/problem+json")], ...allow],
      body: { field, status, title, type: `https://todo.example/errors/${name}` },
    };
  }

  #allow(path: string): readonly (readonly [string, string])[] {
    const known = this.#routes.filter((one) => one.path.test(path)).map(({ method }) => method);
    const head = known.includes("GET") ? ["HEAD"] : [];
    return [["allow", this.#manner.anyOrder([...known, ...head, "OPTIONS"]).join(", ")]];
  }

  #outcome({ method, path, query, headers, body }: Asked): Outcome {
    const here = this.#routes.filter((one) => one.path.test(path));
    if (here.length === 0) return { failing: ["not_found"] };
    if (method === "OPTIONS") return { told: { status: 204, headers: this.#allow(path) } };
    const route = here.find((one) => one.method === (method === "HEAD" ? "GET" : method));
    if (route === undefined) return { failing: ["no_such_method"] };
    if (body.length > 16_384) return { failing: ["too_large"] };
    const sent = new URLSearchParams(query);
    const read = this.#body(route, headers, body);
    if ("failing" in read && read.isForm) return read;
    const { parameters = {} } = route;
    for (const [name, fits] of Object.entries(parameters)) {
      const values = sent.getAll(name);
      if (values.length > 1 || values.some((one) => !fits(one))) {
        return { failing: ["invalid", name] };
      }
    }
    if ("failing" in read) return read;
    const unknown = [...sent.keys()].find((name) => parameters[name] === undefined);
    if (unknown !== undefined) return { failing: ["invalid", unknown] };
    const id = decodeURIComponent(route.path.exec(path)?.[1] ?? "");
    const row = this.#rows.find((one) => one.id === id);
    if (id !== "" && row === undefined) return { failing: ["not_found"] };
    return route.act({ row, given: read.given, query: sent });
  }

  /** `isForm`: what is wrong is no value, and told before all parameters. */
  #body(
    { reads }: Route,
    headers: Asked["headers"],
    body: Buffer,
  ): { failing: Failing; isForm: boolean } | { given: Given } {
    const form = (...failing: Failing) => ({ failing, isForm: true });
    if (reads === undefined) return body.length > 0 ? form("invalid") : { given: {} };
    if (body.length === 0) return form("invalid");
    if (!/^application\/json *(;|$)/i.test(headers["content-type"] ?? "")) return form("not_json");
    const json = readJson(body.toString());
    if (json === undefined) return form("invalid");
    const { tree, repeated } = json;
    if (!(tree instanceof Map)) return { failing: ["invalid"], isForm: false };
    const given: Given = {};
    for (const [name, check] of FIELDS) {
      const value: Tree | undefined = tree.get(name);
      const isMissed = value === undefined && reads === "new" && name === "title";
      if (value === undefined && !isMissed) continue;
      const checked = isMissed || check === undefined ? NOT_ALLOWED : check(value as Tree);
      if (checked === NOT_ALLOWED) return { failing: ["invalid", name], isForm: false };
      given[name] = checked;
    }
    const names = FIELDS.map(([name]) => name);
    const odd = [...tree.keys()].find((name) => !names.includes(String(name))) ?? repeated[0];
    if (odd !== undefined) return { failing: ["invalid", String(odd)], isForm: false };
    if (reads === "changed" && Object.keys(given).length === 0) {
      return { failing: ["invalid"], isForm: false };
    }
    return { given };
  }

  #create(given: Given): Outcome {
    const id = `todo_${createHash("sha256")
      .update(`${this.#made++}`)
      .digest("base64url")}`;
    const own = { note: null, due: null, status: "open", doneAt: null };
    const row: Row = { ...own, ...given, id, createdAt: new Date(this.#manner.now()) };
    this.#rows.unshift(row);
    return this.#ok(row, 201, [["location", `/todos/${id}`]]);
  }

  #list(query: URLSearchParams): Outcome {
    const status = query.get("status");
    const all = this.#rows.filter((one) => status === null || one["status"] === status);
    const key = ({ createdAt, id }: Row): string => `${createdAt.toISOString()} ${id}`;
    all.sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
    const from = Number(query.get("offset") ?? 0);
    return this.#ok(all.slice(from, from + Number(query.get("limit") ?? 20)));
  }

  #ok(
    body: Row | Row[],
    status = 200,
    headers: readonly (readonly [string, string])[] = [],
  ): Outcome {
    const plain: unknown = JSON.parse(JSON.stringify(body));
    const type = ["content-type", mediaType(this.#manner, "application/json")] as const;
    return { told: { status, headers: [type, ...headers], body: plain } };
  }
}
