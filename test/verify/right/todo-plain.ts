/** `examples/todo/spec.md`, written by hand: plain code, a list in memory, ids that count up. */
import { type Members, readJson, type Tree } from "./json.ts";
import { type Asked, type Manner, mediaType, type Service, type Told } from "./manner.ts";

interface Todo {
  id: string;
  title: string;
  note: string | null;
  due: string | null;
  status: "open" | "done";
  createdAt: number;
  doneAt: number | null;
}

const TITLES: Readonly<Record<string, readonly [status: number, title: string]>> = {
  invalid: [400, "Something in the request is not allowed"],
  not_found: [404, "Nothing is here"],
  no_such_method: [405, "This address does not know that method"],
  already_done: [409, "It is done already"],
  too_large: [413, "The request is too large"],
  not_json: [415, "The body must be JSON"],
};

/** Ends a request by an error of the document. */
class Refused extends Error {
  readonly field: string | null;
  readonly allow: readonly string[] | undefined;

  constructor(name: string, field: string | null = null, allow?: readonly string[]) {
    super(name);
    this.field = field;
    this.allow = allow;
  }
}

const BODY_MAX = 16_384;
const FIELDS = ["id", "title", "note", "due", "status", "createdAt", "doneAt"];
const GIVEN = new Set(["title", "note", "due"]);

function isDate(text: string): boolean {
  const found = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (found === null || found[1] === "0000") return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

const trimmed = (text: string): string => text.replaceAll(/^[\t-\r ]+|[\t-\r ]+$/g, "");

function titleOf(sent: Tree): string {
  if (typeof sent !== "string") throw new Refused("invalid", "title");
  const title = trimmed(sent);
  const { length } = [...title];
  if (length < 1 || length > 120) throw new Refused("invalid", "title");
  return title;
}

function noteOf(sent: Tree): string | null {
  if (sent === null) return null;
  if (typeof sent !== "string" || [...sent].length > 2000) throw new Refused("invalid", "note");
  return sent;
}

function dueOf(sent: Tree): string | null {
  if (sent === null) return null;
  if (typeof sent !== "string" || !isDate(sent)) throw new Refused("invalid", "due");
  return sent;
}

type Given = { title?: string; note?: string | null; due?: string | null };

/** Reads a body; the first thing that is wrong, in the order of the table, ends the request. */
function givenIn({ body, headers }: Asked, isNew: boolean): Given {
  if (body.length === 0) throw new Refused("invalid");
  const type = (headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") throw new Refused("not_json");
  const read = readJson(body.toString("utf8"));
  if (read === undefined || !(read.tree instanceof Map)) throw new Refused("invalid");
  const members = read.tree as Members;
  const given: Given = {};
  for (const name of FIELDS) {
    const sent = members.get(name);
    if (sent === undefined) {
      if (name === "title" && isNew) throw new Refused("invalid", "title");
      continue;
    }
    if (!GIVEN.has(name)) throw new Refused("invalid", name);
    if (name === "title") given.title = titleOf(sent);
    if (name === "note") given.note = noteOf(sent);
    if (name === "due") given.due = dueOf(sent);
  }
  for (const name of members.keys()) {
    if (!FIELDS.includes(name)) throw new Refused("invalid", name);
  }
  if (read.repeated[0] !== undefined) throw new Refused("invalid", read.repeated[0]);
  if (!isNew && Object.keys(given).length === 0) throw new Refused("invalid");
  return given;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    throw new Refused("invalid");
  }
}

/** A whole number of a query. */
function wholeIn(text: string | undefined, name: string, [least, most]: [number, number]) {
  if (text === undefined) return undefined;
  if (!/^-?(?:0|[1-9]\d{0,37})$/.test(text)) throw new Refused("invalid", name);
  const number = Number(text);
  if (number < least || number > most) throw new Refused("invalid", name);
  return number;
}

export class PlainTodos implements Service {
  readonly #manner: Manner;
  readonly #todos: Todo[] = [];
  #next = 1;

  constructor(manner: Manner) {
    this.#manner = manner;
  }

  others(chance: () => number): void {
    const theirs = this.#todos.filter(({ title }) => title.startsWith("Their"));
    const last = theirs.at(-1);
    if (chance() < 0.3 && last !== undefined) this.#todos.splice(this.#todos.indexOf(last), 1);
    else this.#make({ title: `Their ${this.#next}` });
  }

  answer(asked: Asked): Told {
    try {
      return this.#routed(asked);
    } catch (fault) {
      if (!(fault instanceof Refused)) throw fault;
      const [status = 500, title = ""] = TITLES[fault.message] ?? [];
      const type = `https://todo.example/errors/${fault.message}`;
      const allow = fault.allow === undefined ? [] : [["Allow", fault.allow.join(", ")] as const];
      return {
        status,
        headers: [["Content-Type", mediaType(this.#manner, "application/problem+json")], ...allow],
        body: { type, title, status, field: fault.field },
      };
    }
  }

  #routed(asked: Asked): Told {
    const [, first, id, action, more] = asked.path.split("/");
    if (first !== "todos" || more !== undefined || id === "") throw new Refused("not_found");
    if (action !== undefined && action !== "finish") throw new Refused("not_found");
    const method = asked.method === "HEAD" ? "GET" : asked.method;
    const allowed =
      id === undefined
        ? ["POST", "GET"]
        : action === "finish"
          ? ["POST"]
          : ["GET", "PATCH", "DELETE"];
    const allow = this.#manner.anyOrder([
      ...allowed,
      ...(allowed.includes("GET") ? ["HEAD"] : []),
      "OPTIONS",
    ]);
    if (method === "OPTIONS") return { status: 204, headers: [["Allow", allow.join(",")]] };
    if (!allowed.includes(method)) throw new Refused("no_such_method", null, allow);
    if (asked.body.length > BODY_MAX) throw new Refused("too_large");
    if (id === undefined) return method === "POST" ? this.#added(asked) : this.#listed(asked);
    return this.#one(asked, method, action === "finish", decodeURIComponent(id));
  }

  #one(asked: Asked, method: string, isFinish: boolean, id: string): Told {
    const query = this.#query(asked, []);
    const takes = method === "PATCH";
    if (!takes && asked.body.length > 0) throw new Refused("invalid");
    let given: Given = {};
    let late: unknown;
    try {
      if (takes) given = givenIn(asked, false);
    } catch (fault) {
      late = fault;
    }
    if (late !== undefined) throw late;
    if (query.unknown !== undefined) throw new Refused("invalid", query.unknown);
    const todo = this.#todos.find((one) => one.id === id);
    if (todo === undefined) throw new Refused("not_found");
    if (method === "DELETE") {
      this.#todos.splice(this.#todos.indexOf(todo), 1);
      return { status: 204 };
    }
    if ((takes || isFinish) && todo.status === "done") throw new Refused("already_done");
    if (takes) Object.assign(todo, given);
    if (isFinish) Object.assign(todo, { status: "done", doneAt: this.#manner.now() });
    return this.#told(200, this.#shown(todo));
  }

  /** The parameters by name; what is wrong with one that is not known is told last. */
  #query({ query }: Asked, known: readonly string[]) {
    const values = new Map<string, string>();
    const twice = new Set<string>();
    for (const pair of query === "" ? [] : query.split("&")) {
      const [name = "", ...rest] = pair.split("=");
      const key = decoded(name);
      if (values.has(key)) twice.add(key);
      values.set(key, decoded(rest.join("=")));
    }
    const unknown = [...values.keys()].find((name) => !known.includes(name));
    return { values, twice, unknown };
  }

  #added(asked: Asked): Told {
    const { unknown } = this.#query(asked, []);
    const todo = givenIn(asked, true);
    if (unknown !== undefined) throw new Refused("invalid", unknown);
    const made = this.#make({ ...todo, title: todo.title ?? "" });
    return this.#told(201, this.#shown(made), [["Location", `/todos/${made.id}`]]);
  }

  #make({ title, note = null, due = null }: Given & { title: string }): Todo {
    const id = `todo_${this.#next++}`;
    const createdAt = this.#manner.now();
    const todo: Todo = { id, title, note, due, status: "open", createdAt, doneAt: null };
    this.#todos.push(todo);
    return todo;
  }

  #listed(asked: Asked): Told {
    const names = ["status", "limit", "offset"];
    const { values, twice, unknown } = this.#query(asked, names);
    if (asked.body.length > 0) throw new Refused("invalid");
    for (const name of names) {
      if (twice.has(name)) throw new Refused("invalid", name);
      const text = values.get(name);
      if (name === "status" && text !== undefined && text !== "open" && text !== "done") {
        throw new Refused("invalid", "status");
      }
      if (name === "limit") wholeIn(text, name, [1, 100]);
      if (name === "offset") wholeIn(text, name, [0, Number.MAX_VALUE]);
    }
    if (unknown !== undefined) throw new Refused("invalid", unknown);
    const from = Number(values.get("offset") ?? 0);
    const most = Number(values.get("limit") ?? 20);
    const found = this.#todos
      .filter(({ status }) => !values.has("status") || status === values.get("status"))
      .sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
    return this.#told(
      200,
      found.slice(from, from + most).map((one) => this.#shown(one)),
    );
  }

  #shown(todo: Todo): object {
    const { createdAt, doneAt } = todo;
    const time = (at: number): string => new Date(at).toISOString();
    return { ...todo, createdAt: time(createdAt), doneAt: doneAt === null ? null : time(doneAt) };
  }

  #told(status: number, body: unknown, headers: readonly (readonly [string, string])[] = []): Told {
    const type = mediaType(this.#manner, "application/json");
    return { status, headers: [["Content-Type", type], ...headers], body };
  }
}
