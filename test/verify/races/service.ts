/** A service written by hand for `spec.md` beside it: all at once, right with locks, or racy. */
import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";
import { NumberText, readJson } from "../right/json.ts";

/** What is done without a lock, or shown too late. */
export type Fault =
  | "lost update"
  | "double transition"
  | "duplicate create"
  | "stale read"
  | "over-sell"
  | "too many of a kind"
  | "a number twice"
  | "a key used twice";

type Row = Record<string, unknown> & { readonly id: string };

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

interface Asked {
  readonly method: string;
  readonly path: readonly string[];
  readonly query: string;
  readonly body: Record<string, unknown> | undefined;
  readonly key: string | undefined;
}

class Refused extends Error {
  readonly status: number;
  readonly allow: string | undefined;

  constructor(status: number, error: string, allow?: string) {
    super(error);
    this.status = status;
    this.allow = allow;
  }
}

/** One after the other, for each name. */
class Locks {
  readonly #last = new Map<string, Promise<unknown>>();

  async hold<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(name) ?? Promise.resolve();
    const own = before.then(work, work);
    this.#last.set(
      name,
      own.catch(() => undefined),
    );
    return own;
  }
}

/** Rows behind a wire: each look and each change takes a while. */
class Table {
  readonly rows = new Map<string, Row>();
  /** What readers see of rows, where that comes behind. */
  readonly seen = new Map<string, Row>();
  readonly #latency: () => Promise<unknown>;
  /** Milliseconds after which readers see what is put now. */
  readonly #lag: () => number;

  constructor(latency: () => Promise<unknown>, lag: () => number = () => 0) {
    this.#latency = latency;
    this.#lag = lag;
  }

  async get(id: string, of: "rows" | "seen" = "rows"): Promise<Row> {
    await this.#latency();
    const row = this[of].get(id);
    if (row === undefined) throw new Refused(404, "not_found");
    return { ...row };
  }

  async all(): Promise<readonly Row[]> {
    await this.#latency();
    return [...this.rows.values()];
  }

  async put(row: Row): Promise<Row> {
    await this.#latency();
    this.rows.set(row.id, row);
    const lag = this.#lag();
    if (lag > 0) void setTimeout(lag).then(() => this.seen.set(row.id, row));
    else this.seen.set(row.id, row);
    return row;
  }
}

const READ = "GET, HEAD, OPTIONS";
const METHODS: Readonly<Record<string, string>> = {
  "shows/": "OPTIONS, POST",
  "shows/_/": "GET, PATCH, HEAD, OPTIONS",
  "shows/_/bookings": "OPTIONS, POST",
  "shows/_/wishes": "GET, HEAD, OPTIONS, POST",
  "bookings/_/": READ,
  "bookings/_/payment": "OPTIONS, POST",
  "bookings/_/return": "OPTIONS, POST",
};
const LATENCY_MS = 2;
const LAG_MS = 60;

/** Checks a body: names with the least and the most of each; those that may be absent. */
function checked(
  body: Asked["body"],
  names: Readonly<Record<string, readonly ["text" | "number", least: number, most: number]>>,
  optional: readonly string[],
): Record<string, unknown> {
  if (body === undefined) throw new Refused(400, "invalid");
  for (const [name, value] of Object.entries(body)) {
    const rule = names[name];
    if (rule === undefined) throw new Refused(400, "invalid");
    const [kind, least, most] = rule;
    const size = kind === "text" && typeof value === "string" ? [...value].length : value;
    const isNumber = typeof size === "number" && (kind === "text" || Number.isInteger(size));
    if ((kind === "text") !== (typeof value === "string") || !isNumber) {
      throw new Refused(400, "invalid");
    }
    if (size < least || size > most) throw new Refused(400, "invalid");
  }
  for (const name of Object.keys(names)) {
    if (!(name in body) && !optional.includes(name)) throw new Refused(400, "invalid");
  }
  return body;
}

class Office {
  readonly #fault: Fault | undefined;
  /** Changes. */
  #underWay = 0;
  readonly #locks = new Locks();
  readonly #shows: Table;
  readonly #bookings: Table;
  readonly #wishes: Table;
  readonly #numbers = new Map<string, number>();
  readonly #keys = new Map<string, { readonly likeness: string; readonly answer: Answer }>();

  constructor(fault: Fault | undefined) {
    this.#fault = fault;
    const latency = () => setTimeout(LATENCY_MS);
    // The copy that is read from comes behind where much is changed at once.
    const lag = () => (fault === "stale read" && this.#underWay > 1 ? LAG_MS : 0);
    this.#shows = new Table(latency, lag);
    this.#bookings = new Table(latency);
    this.#wishes = new Table(latency);
  }

  /** Alone, but for what is done wrongly. */
  #alone<T>(name: string, faults: readonly Fault[], work: () => Promise<T>): Promise<T> {
    if (this.#fault !== undefined && faults.includes(this.#fault)) return work();
    return this.#locks.hold(name, work);
  }

  async answer(asked: Asked): Promise<Answer> {
    const isChange = asked.method !== "GET";
    if (isChange) this.#underWay += 1;
    try {
      return await this.#answer(asked);
    } finally {
      if (isChange) this.#underWay -= 1;
    }
  }

  async #answer(asked: Asked): Promise<Answer> {
    const { method, path, body } = asked;
    const [first = "", id = "", last] = path;
    if (path.length > 3) throw new Refused(404, "no_path");
    switch (`${method} ${[first, ...(path.length > 1 ? ["_"] : []), last ?? ""].join("/")}`) {
      case "POST shows/":
        return this.#newShow(body);
      case "GET shows/_/":
        return { status: 200, body: await this.#shows.get(id, "seen") };
      case "PATCH shows/_/":
        return this.#changeShow(id, body);
      case "POST shows/_/bookings":
        return this.#keyed(asked, id);
      case "POST shows/_/wishes":
        return this.#wish(id, body);
      case "GET shows/_/wishes":
        await this.#shows.get(id);
        return { status: 200, body: await this.#wishesOf(id) };
      case "GET bookings/_/":
        return { status: 200, body: await this.#bookings.get(id) };
      case "POST bookings/_/payment":
        return this.#move(id, ["open"], "paid");
      case "POST bookings/_/return":
        return this.#move(id, ["open", "paid"], "undone");
      default: {
        const allow =
          METHODS[`${[first, ...(path.length > 1 ? ["_"] : []), last ?? ""].join("/")}`];
        if (allow === undefined) throw new Refused(404, "no_path");
        throw new Refused(405, "no_method", allow);
      }
    }
  }

  #newShow(body: Asked["body"]): Promise<Answer> {
    const given = checked(
      body,
      {
        code: ["text", 1, 20],
        title: ["text", 1, 20],
        note: ["text", 0, 20],
        seats: ["number", 1, 9],
      },
      ["note"],
    );
    return this.#alone("shows", ["duplicate create"], async () => {
      const all = await this.#shows.all();
      if (all.some(({ code }) => code === given["code"])) throw new Refused(409, "taken");
      const id = `show_${randomBytes(10).toString("hex")}`;
      const { code, title, note = "", seats } = given;
      return { status: 201, body: await this.#shows.put({ id, code, title, note, seats }) };
    });
  }

  #changeShow(id: string, body: Asked["body"]): Promise<Answer> {
    const names = { title: ["text", 1, 20], note: ["text", 0, 20] } as const;
    const given = checked(body, names, ["title", "note"]);
    return this.#alone(id, ["lost update"], async () => {
      const show = await this.#shows.get(id);
      return { status: 200, body: await this.#shows.put({ ...show, ...given }) };
    });
  }

  /** Books under a key, or without one. */
  async #keyed(asked: Asked, id: string): Promise<Answer> {
    const { key, path, query, body } = asked;
    const given = checked(body, { seats: ["number", 1, 6] }, []);
    if (key === undefined) {
      await this.#shows.get(id);
      return this.#book(id, given);
    }
    if (key.length > 64) throw new Refused(400, "invalid");
    return this.#alone(`key ${key}`, ["a key used twice"], async () => {
      const likeness = JSON.stringify([path, query, body]);
      const known = this.#keys.get(key);
      if (known !== undefined && known.likeness !== likeness) throw new Refused(422, "reused");
      if (known !== undefined) return known.answer;
      const answer = await this.#book(id, given);
      this.#keys.set(key, { likeness, answer });
      return answer;
    });
  }

  async #book(id: string, { seats }: Record<string, unknown>): Promise<Answer> {
    const next = (this.#numbers.get(id) ?? 0) + 1;
    await this.#alone(id, ["over-sell"], async () => {
      const show = await this.#shows.get(id);
      const left = Number(show["seats"]) - Number(seats);
      if (left < 0) throw new Refused(409, "sold_out");
      await this.#shows.put({ ...show, seats: left });
    });
    const number = this.#fault === "a number twice" ? next : (this.#numbers.get(id) ?? 0) + 1;
    this.#numbers.set(id, number);
    const booking = { id: `bkg_${randomBytes(10).toString("hex")}`, show: id, number, seats };
    return { status: 201, body: await this.#bookings.put({ ...booking, state: "open" }) };
  }

  async #wishesOf(show: string): Promise<readonly Row[]> {
    const all = (await this.#wishes.all()).filter((one) => one["show"] === show);
    return all.toSorted((a, b) => (String(a["text"]) < String(b["text"]) ? -1 : 1));
  }

  async #wish(show: string, body: Asked["body"]): Promise<Answer> {
    const { text } = checked(body, { text: ["text", 1, 20] }, []);
    return this.#alone(`wishes ${show}`, ["too many of a kind"], async () => {
      await this.#shows.get(show);
      if ((await this.#wishesOf(show)).length >= 3) throw new Refused(409, "too_many");
      const id = `wish_${randomBytes(10).toString("hex")}`;
      return { status: 201, body: await this.#wishes.put({ id, show, text }) };
    });
  }

  #move(id: string, from: readonly string[], to: string): Promise<Answer> {
    return this.#alone(id, ["double transition"], async () => {
      const booking = await this.#bookings.get(id);
      if (!from.includes(String(booking["state"]))) throw new Refused(409, "wrong_state");
      const moved = await this.#bookings.put({ ...booking, state: to });
      if (to !== "undone") return { status: 200, body: moved };
      await this.#alone(String(booking["show"]), [], async () => {
        const show = await this.#shows.get(String(booking["show"]));
        const seats = Number(show["seats"]) + Number(booking["seats"]);
        await this.#shows.put({ ...show, seats });
      });
      return { status: 200, body: moved };
    });
  }
}

async function read(message: IncomingMessage): Promise<Asked> {
  const chunks: Buffer[] = [];
  for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString("utf8");
  const [path = "", ...rest] = (message.url ?? "").split("?");
  const key = message.headers["idempotency-key"];
  const type = (message.headers["content-type"] ?? "").split(";")[0]?.trim();
  const json = type === "application/json" ? readJson(text) : undefined;
  const isObject = json?.tree instanceof Map && json.repeated.length === 0;
  const members = isObject
    ? Object.fromEntries(
        [...(json.tree as Map<string, unknown>)].map(([name, one]) => {
          const number = one instanceof NumberText ? one.text : undefined;
          return [
            name,
            number === undefined ? one : /^-?\d+$/.test(number) ? Number(number) : null,
          ];
        }),
      )
    : undefined;
  const body = text === "" ? {} : members;
  const parts = path.split("/").slice(1).map(decodeURIComponent);
  return {
    method: message.method ?? "",
    path: parts,
    query: rest.join("?"),
    body,
    key: Array.isArray(key) ? key[0] : key,
  };
}

export interface Service {
  readonly url: URL;
  stop(): Promise<void>;
}

/** Starts it on a free port of 127.0.0.1. */
export async function service(fault?: Fault): Promise<Service> {
  const office = new Office(fault);
  const server = createServer((message, response) => {
    const say = ({ status, body }: Answer, allow?: string): void => {
      const type = { "Content-Type": "application/json" };
      response.writeHead(status, allow === undefined ? type : { ...type, Allow: allow });
      response.end(JSON.stringify(body));
    };
    read(message)
      .then((asked) => office.answer(asked))
      .then(
        (answer) => say(answer),
        (error: unknown) => {
          const isRefused = error instanceof Refused;
          const { status, message: name, allow } = isRefused ? error : new Refused(500, "broken");
          if (!isRefused) console.error(error);
          say({ status, body: { error: name } }, allow);
        },
      );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${port}`),
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
