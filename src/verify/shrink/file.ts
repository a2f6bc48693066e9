/** The file of a replay: JSON, as docs/schema/replay.schema.json describes it. */
import { isJsonNumber, isJsonObject, type Json, parseJson } from "../../run/index.ts";
import type { Learned } from "./learning.ts";
import type { Differing, Fresh, RaceReplay, Replay, ReplayRequest } from "./replay.ts";

/** A place of the document that an answer breaks. */
interface Broken {
  readonly item: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The line, without space around it. */
  readonly text: string;
}

export interface ReplayFile extends Replay {
  readonly document: {
    readonly file: string;
    readonly title: string;
    /** SHA-256 of its bytes, in hexadecimal digits. */
    readonly sha256: string;
  };
  /** Where the service was. */
  readonly url: string;
  readonly broken: readonly Broken[];
}

const VERSION = 1;

/** JSON with a line break at its end. */
export function replayText({ document, url, broken, ...replay }: ReplayFile): string {
  const { fresh, requests, differs, seen, expected, race } = replay;
  const told = {
    lacuna: { replay: VERSION },
    document,
    url,
    broken,
    fresh,
    requests,
    differs,
    seen: { ...seen, body: seen.body ?? null },
    expected: { ...expected, body: expected.body ?? null },
    ...(race === undefined ? {} : { race }),
  };
  return `${JSON.stringify(told, null, 2)}\n`;
}

/** Says where a file has not the form of a replay. */
class Misformed extends Error {}

class Reader {
  readonly #value: Json | undefined;
  readonly #at: string;

  constructor(value: Json | undefined, at = "") {
    this.#value = value;
    this.#at = at;
  }

  get isThere(): boolean {
    return this.#value !== undefined && this.#value !== null;
  }

  member(name: string): Reader {
    const value = this.#value;
    if (value === undefined || !isJsonObject(value)) return this.#wrong("an object");
    return new Reader(value.get(name), `${this.#at}/${name}`);
  }

  list<T>(read: (one: Reader) => T): readonly T[] {
    const value = this.#value;
    if (!Array.isArray(value)) return this.#wrong("a list");
    return (value as readonly Json[]).map((one, i) => read(new Reader(one, `${this.#at}/${i}`)));
  }

  text(): string {
    return typeof this.#value === "string" ? this.#value : this.#wrong("a text");
  }

  number(): number {
    const value = this.#value;
    if (value === undefined || !isJsonNumber(value)) return this.#wrong("a number");
    return Number(value.numberText);
  }

  oneOf<T extends string>(...names: readonly T[]): T {
    const found = names.find((one) => one === this.#value);
    return found ?? this.#wrong(`one of ${names.join(", ")}`);
  }

  #wrong(what: string): never {
    throw new Misformed(`\`${this.#at}\` is not ${what}`);
  }
}

const optional = <N extends string, T>(name: N, value: Reader, read: (one: Reader) => T) =>
  (value.isThere ? { [name]: read(value) } : {}) as { readonly [K in N]?: T };

const fieldsIn = (value: Reader): readonly (readonly [string, string])[] =>
  value.list((one) => {
    const [name = "", text = ""] = one.list((each) => each.text());
    return [name, text] as const;
  });

const freshIn = (value: Reader): Fresh => ({
  name: value.member("name").text(),
  like: value.member("like").text(),
});

const learnedIn = (value: Reader): Learned => ({
  name: value.member("name").text(),
  in: value.member("in").oneOf("body", "header"),
  at: value.member("at").text(),
  before: value.member("before").text(),
  after: value.member("after").text(),
});

const requestIn = (value: Reader): ReplayRequest => ({
  method: value.member("method").text(),
  target: value.member("target").text(),
  headers: fieldsIn(value.member("headers")),
  ...optional("body", value.member("body"), (one) => one.text()),
  ...optional("pause", value.member("pause"), (one) => one.number()),
  answered: value.member("answered").number(),
  ...optional("stated", value.member("stated"), (one) => one.number()),
  learns: value.member("learns").list(learnedIn),
  ...optional("client", value.member("client"), (one) => one.number()),
});

const differingIn = (value: Reader): Differing => ({
  in: value.member("in").oneOf("status", "header", "body"),
  at: value.member("at").text(),
  ...optional("expected", value.member("expected"), (one) => one.text()),
  ...optional("seen", value.member("seen"), (one) => one.text()),
});

const textsIn = (value: Reader): readonly string[] => value.list((one) => one.text());

const raceIn = (value: Reader): RaceReplay => ({
  wrong: value.member("wrong").number(),
  rounds: value.member("rounds").number(),
  places: value.member("places").list((one) => ({
    request: one.member("request").number(),
    in: one.member("in").oneOf("status", "header", "body"),
    at: one.member("at").text(),
  })),
  seen: textsIn(value.member("seen")),
  allowed: value.member("allowed").list(textsIn),
});

const brokenIn = (value: Reader): Broken => ({
  item: value.member("item").text(),
  file: value.member("file").text(),
  line: value.member("line").number(),
  column: value.member("column").number(),
  text: value.member("text").text(),
});

function bodyIn(value: Reader): string | undefined {
  return value.isThere ? value.text() : undefined;
}

/** What the JSON text of a replay tells; or why it is none. */
export function readReplay(text: string): ReplayFile | string {
  const parsed = parseJson(text);
  if (!parsed.ok) return `it is no JSON at offset ${parsed.at}: ${parsed.message}`;
  const value = new Reader(parsed.value);
  try {
    const version = value.member("lacuna").member("replay").number();
    if (version !== VERSION) return `it has the version ${version}, and ${VERSION} is known here`;
    const document = value.member("document");
    const [seen, expected] = [value.member("seen"), value.member("expected")];
    const requests = value.member("requests").list(requestIn);
    if (requests.length === 0) return "it has no request";
    return {
      document: {
        file: document.member("file").text(),
        title: document.member("title").text(),
        sha256: document.member("sha256").text(),
      },
      url: value.member("url").text(),
      broken: value.member("broken").list(brokenIn),
      fresh: value.member("fresh").list(freshIn),
      requests,
      differs: value.member("differs").list(differingIn),
      seen: {
        status: seen.member("status").number(),
        body: bodyIn(seen.member("body")),
      },
      expected: {
        status: expected.member("status").number(),
        body: bodyIn(expected.member("body")),
      },
      ...optional("race", value.member("race"), raceIn),
    };
  } catch (fault) {
    if (fault instanceof Misformed) return `it is no replay: ${fault.message}`;
    throw fault;
  }
}
