/* data table */
/** What every client holds besides what its document says: answers, errors, and the sending. */

/** Stands in front of the types of the document. */
export const TYPES = `/** What the service answered: its status tells what its body is. */
export interface Answer<Status extends number, Body> {
  readonly status: Status;
  readonly body: Body;
  readonly headers: Headers;
}

type Success = 200 | 201 | 202 | 203 | 204 | 205 | 206 | 207;

/** The body of an answer that is a success. */
export type BodyOf<A> =
  A extends Answer<infer Status, infer Body> ? (Status extends Success ? Body : never) : never;

/** An answer that is no success, as ok throws it. */
export class ApiError extends Error {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;

  constructor(message: string, answer: Answer<number, unknown>) {
    super(message);
    this.name = "ApiError";
    this.status = answer.status;
    this.body = answer.body;
    this.headers = answer.headers;
  }
}

/** An answer that the document does not state, or leaves open. */
export class UnstatedAnswer extends ApiError {
  constructor(message: string, answer: Answer<number, unknown>) {
    super(message, answer);
    this.name = "UnstatedAnswer";
  }
}

/** A number of which a JavaScript number cannot hold every digit. */
export class InexactNumber extends RangeError {
  readonly digits: string;

  constructor(digits: string) {
    super("a JavaScript number cannot hold every digit of " + digits);
    this.name = "InexactNumber";
    this.digits = digits;
  }
}

/** The body of a success; throws an ApiError for any other answer. */
export async function ok<A extends Answer<number, unknown>>(
  answer: A | Promise<A>,
): Promise<BodyOf<A>> {
  const { status, body, headers } = await answer;
  if (status >= 200 && status < 300) return body as BodyOf<A>;
  throw new ApiError("the service answered " + status, { status, body, headers });
}

/** A credential, or what gives it for each request; undefined: none is sent. */
export type Credential<T> = T | (() => T | undefined | Promise<T | undefined>);

export interface ClientOptions {
  /** Scheme and host, and what stands before the base path of the document, if anything. */
  baseUrl: string;
  credentials?: Credentials | undefined;
  /** Sent with every request. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Used in place of the global fetch: to log, to try again, to test. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Reads JSON in place of parseExactly: with bigints or decimals of a library, for example. */
  parseJson?: ((text: string) => unknown) | undefined;
}

export interface RequestOptions {
  /** Ends the request: AbortSignal.timeout(5000), for example. */
  signal?: AbortSignal | undefined;
  /** In place of those of the client. */
  credentials?: Credentials | undefined;
  /** Sent besides those of the client. */
  headers?: Readonly<Record<string, string>> | undefined;
}`;

/** Stands behind them, in front of the class. */
export const SENDING = String.raw`interface Operation {
  readonly method: string;
  readonly path: string;
  /** The first of these that has a credential is sent. */
  readonly schemes?: readonly string[];
  /** How members stand in the query that are neither text nor a list. */
  readonly query?: Readonly<Record<string, "json" | "brackets" | "," | " " | "|">>;
  readonly body?: readonly [media: string | undefined, as: "json" | "form" | "parts" | "bytes"];
  readonly statuses: readonly (number | "1XX" | "2XX" | "3XX" | "4XX" | "5XX" | "default")[];
  /** Statuses whose bodies are files. */
  readonly files?: readonly number[];
}

type Payload = NonNullable<RequestInit["body"]>;
type Pair = readonly [name: string, value: string | Blob];

/** What a request is sent with. */
interface Sent {
  readonly headers: Headers;
  readonly query: Pair[];
  readonly cookies: string[];
}

interface Input {
  readonly path?: object | undefined;
  readonly query?: object | undefined;
  readonly header?: object | undefined;
  readonly cookie?: object | undefined;
  readonly body?: unknown;
}

function stated(value: object | undefined): [string, unknown][] {
  return Object.entries(value ?? {}).filter(([, one]) => one !== undefined);
}

const SIXTEEN_DIGITS = /\d[\d.]{15}/;
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const PARTS = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** Sign, digits without zeros around them, and the place of the last one. */
function digitsOf(text: string): { readonly count: number; readonly form: string } {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = PARTS.exec(text) ?? [];
  const all = (whole + fraction).replace(/^0+/, "");
  const digits = all.replace(/0+$/, "");
  const place = Number(exponent) - fraction.length + all.length - digits.length;
  return { count: all.length, form: digits === "" ? "0" : sign + digits + "e" + place };
}

function isExact(digits: string): boolean {
  const { count, form } = digitsOf(digits);
  if (count === 0 || digitsOf(String(Number(digits))).form === form) return true;
  return count <= 100 && digitsOf(Number(digits).toPrecision(count)).form === form;
}

/** JSON.parse, but throws an InexactNumber where a digit would be lost. */
export function parseExactly(text: string): unknown {
  if (SIXTEEN_DIGITS.test(text)) {
    for (const [token] of text.matchAll(TOKEN)) {
      if (token.length > 15 && !token.startsWith('"') && !isExact(token)) {
        throw new InexactNumber(token);
      }
    }
  }
  return JSON.parse(text);
}

/** JSON.stringify, but bigints are written, and a number that has lost a digit is refused. */
function writeJson(value: unknown): string | undefined {
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "number") checkNumber(value);
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if ("toJSON" in value && typeof value.toJSON === "function") return writeJson(value.toJSON());
  if (Array.isArray(value)) {
    return "[" + value.map((one) => writeJson(one) ?? "null").join(",") + "]";
  }
  const members = Object.entries(value).flatMap(([name, one]) => {
    const text = writeJson(one);
    return text === undefined ? [] : [JSON.stringify(name) + ":" + text];
  });
  return "{" + members.join(",") + "}";
}

function checkNumber(value: number): void {
  if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) {
    throw new InexactNumber(String(value));
  }
}

function textOf(value: unknown): string {
  if (typeof value === "number") checkNumber(value);
  return typeof value === "object" ? (writeJson(value) ?? "") : String(value);
}

function isElsewhere(status: Operation["statuses"][number]): boolean {
  if (typeof status !== "number") return status === "3XX";
  return status >= 300 && status < 400 && status !== 304;
}

/** A value under its name, and what is in it under nested names. */
function pairsOf(name: string, value: unknown, nest: "brackets" | "dots"): Pair[] {
  if (value === undefined) return [];
  if (value instanceof Blob) return [[name, value]];
  if (Array.isArray(value)) {
    if (value.every((one) => one === null || typeof one !== "object" || one instanceof Blob)) {
      return value.flatMap((one) => pairsOf(name, one, nest));
    }
    return value.flatMap((one, i) => pairsOf(inside(name, String(i), nest), one, nest));
  }
  if (value === null) return [[name, ""]];
  if (typeof value !== "object") return [[name, textOf(value)]];
  return Object.entries(value).flatMap(([key, one]) => pairsOf(inside(name, key, nest), one, nest));
}

function inside(name: string, key: string, nest: "brackets" | "dots"): string {
  return nest === "brackets" ? name + "[" + key + "]" : name + "." + key;
}

function pathOf(template: string, values: object | undefined): string {
  const given = new Map(stated(values));
  return template.replace(/\{([^}]+?)(\.\.\.)?\}/g, (_, name: string, rest: string | undefined) => {
    const value = given.get(name) ?? "";
    const text = Array.isArray(value) ? value.map(textOf).join(",") : textOf(value);
    return rest === undefined
      ? encodeURIComponent(text)
      : text.split("/").map(encodeURIComponent).join("/");
  });
}

function bodyOf(value: unknown, as: "json" | "form" | "parts" | "bytes"): Payload | undefined {
  if (as === "json") return writeJson(value);
  if (as === "bytes") return value as Payload;
  const pairs = stated(value as object).flatMap(([name, one]) => pairsOf(name, one, NESTING));
  if (as === "form") {
    const texts = pairs.map(([name, one]): [string, string] => [name, String(one)]);
    return new URLSearchParams(texts).toString();
  }
  const form = new FormData();
  for (const [name, one] of pairs) form.append(name, one);
  return form;
}

/** What an answer holds; undefined: nothing. */
async function contentOf(
  response: Response,
  isFile: boolean,
  parse: (text: string) => unknown,
): Promise<unknown> {
  if (isFile) return response.blob();
  const media = (response.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase();
  if (media === undefined || media === "" || /^text\/|[/+]xml$/.test(media)) {
    return (await response.text()) || undefined;
  }
  if (!/[/+]json$/.test(media)) return response.blob();
  const text = await response.text();
  return text === "" ? undefined : parse(text);
}

function isStated(statuses: Operation["statuses"], status: number): boolean {
  const range = Math.floor(status / 100) + "XX";
  return statuses.some((one) => one === status || one === range || one === "default");
}`;

/** The members of the class that send. */
export const MEMBERS = String.raw`  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  async #send<R>(operation: Operation, input: Input, options: RequestOptions): Promise<R> {
    const { response, status, headers } = await this.#ask(operation, input, options);
    const isFile = operation.files?.includes(status) === true;
    const parse = this.#options.parseJson ?? parseExactly;
    if (isStated(operation.statuses, status)) {
      return { status, body: await contentOf(response, isFile, parse), headers } as R;
    }
    throw await this.#unstated(operation, response);
  }

  async #unstated({ method, path }: Operation, response: Response): Promise<UnstatedAnswer> {
    const { status, headers } = response;
    const text = await response.text();
    let body: unknown = text;
    try {
      body = JSON.parse(text);
    } catch {
      // It is no JSON, and stays as it is.
    }
    const message = method + " " + path + ": the document does not state the answer " + status;
    return new UnstatedAnswer(message, { status, body, headers });
  }

  async #ask(operation: Operation, input: Input, options: RequestOptions) {
    const { baseUrl, fetch: own } = this.#options;
    const given = { ...this.#options.headers, ...options.headers };
    const headers = new Headers(given);
    const query = stated(input.query).flatMap(([name, value]): Pair[] => {
      const form = operation.query?.[name];
      if (form === "json") return [[name, writeJson(value) ?? ""]];
      if (form === "brackets" || form === undefined) return pairsOf(name, value, form ?? NESTING);
      return [[name, Array.isArray(value) ? value.map(textOf).join(form) : textOf(value)]];
    });
    const cookies = stated(input.cookie).map(([name, value]) => name + "=" + textOf(value));
    for (const [name, value] of stated(input.header)) {
      headers.set(name, Array.isArray(value) ? value.map(textOf).join(", ") : textOf(value));
    }
    await this.#authorize(operation, options, { headers, query, cookies });
    if (cookies.length > 0) headers.set("Cookie", cookies.join("; "));
    const [media, as] = operation.body ?? [];
    const body = as === undefined || input.body === undefined ? undefined : bodyOf(input.body, as);
    if (body !== undefined && media !== undefined && as !== "parts") {
      if (!headers.has("Content-Type")) headers.set("Content-Type", media);
    }
    const search = query.map(([name, value]) =>
      encodeURIComponent(name) + "=" + encodeURIComponent(String(value)),
    );
    const path = baseUrl.replace(/\/+$/, "") + BASE_PATH + pathOf(operation.path, input.path);
    const url = search.length === 0 ? path : path + "?" + search.join("&");
    const response = await (own ?? fetch)(url, {
      method: operation.method,
      headers,
      // An answer of the document that sends elsewhere is given as it is.
      redirect: operation.statuses.some(isElsewhere) ? "manual" : "follow",
      ...(body === undefined ? {} : { body }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
    return { response, status: response.status, headers: response.headers };
  }

  async #authorize(
    { schemes = [] }: Operation,
    options: RequestOptions,
    to: Sent,
  ): Promise<void> {
    const credentials = new Map(stated(options.credentials ?? this.#options.credentials));
    for (const scheme of schemes) {
      const held = credentials.get(scheme);
      const credential: unknown = typeof held === "function" ? await held() : held;
      if (credential === undefined) continue;
      SCHEMES[scheme]?.(to, credential as never);
      return;
    }
  }`;

/** The member that opens streams, and what reads them; only where the document has streams. */
export const OPENING = `  async *#open<E>(
    operation: Operation,
    input: Input,
    options: RequestOptions,
  ): AsyncGenerator<E, void, void> {
    const asked = { ...options, headers: { Accept: "text/event-stream", ...options.headers } };
    const { response, status } = await this.#ask(operation, input, asked);
    if (!isStated(operation.statuses, status)) throw await this.#unstated(operation, response);
    const parse = this.#options.parseJson ?? parseExactly;
    for await (const { event, data, id } of messagesOf(response)) {
      yield { event, data: parse(data), ...(id === undefined ? {} : { id }) } as E;
    }
  }`;

/** Reads server-sent events. */
export const MESSAGES = String.raw`interface Message {
  readonly event: string;
  readonly data: string;
  readonly id: string | undefined;
}

/** The messages of a stream of server-sent events (WHATWG HTML, section 9.2). */
async function* messagesOf(response: Response): AsyncGenerator<Message, void, void> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  let id: string | undefined;
  let event = "";
  let data: string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (line === "") {
          if (data.length > 0) yield { event: event || "message", data: data.join("\n"), id };
          event = "";
          data = [];
        }
        const [, name, text = ""] = /^([^:]+)(?:: ?([^]*))?$/.exec(line) ?? [];
        if (name === "event") event = text;
        if (name === "data") data.push(text);
        if (name === "id" && !text.includes("\0")) id = text;
      }
    }
  } finally {
    await reader.cancel();
  }
}`;
