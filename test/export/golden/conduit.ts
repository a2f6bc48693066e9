// A client of Conduit, version 2.0.0.
// Written by `lacuna export spec.md --to typescript`: change the document, not this file.
//
// Answers. A method gives one of the answers that the document states, told apart by their status,
// so that the compiler knows which body is there and which errors are left to deal with. It does
// not throw for a 4xx: an error that is stated is an answer like others, and what is thrown has no
// type in TypeScript. Who wants success or an exception says so: `await ok(client.method(...))`
// is the body of a success. An answer that is not stated throws an UnstatedAnswer; a request that
// fails, or is ended by its signal, rejects as fetch does.
//
// Numbers. No digit is lost in silence: a number that JavaScript cannot hold throws an
// InexactNumber, in an answer and in a request. Integers may be sent as bigints; to receive larger
// ones, or decimals to reckon with, give a `parseJson` of your own. What the document sends as
// text is text here.

/** What the service answered: its status tells what its body is. */
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
}

/** Credentials by the schemes of the document. */
export interface Credentials {
  /** Sent in the header `Authorization` (spec.md:412). */
  token?: Credential<string> | undefined;
}

/** Errors that the document names. */
export type ErrorName = "unauthorized" | "bad_login" | "forbidden" | "not_found" | "taken" | "invalid";

/** `User` (spec.md:25). */
export interface User {
  username: string;
  email: string;
  /** Not shown: User: `bio`, empty text (spec.md:33). */
  bio: string | null;
  /** Not shown: User: `image`, empty text (spec.md:34). */
  image: string | null;
}

/** `Article` (spec.md:56). */
export interface Article {
  slug: string;
  title: string;
  description: string;
  body: string;
  tagList: string[];
  author: Profile;
  /** A timestamp (RFC 3339). */
  createdAt: string;
  /** A timestamp (RFC 3339). */
  updatedAt: string;
}

/** `Comment` (spec.md:96). */
export interface Comment {
  /** An integer. */
  id: number;
  /** A timestamp (RFC 3339). */
  createdAt: string;
  /** A timestamp (RFC 3339). */
  updatedAt: string;
  body: string;
  author: Profile;
}

/** `Session` (spec.md:40). */
export interface Session {
  username: string;
  email: string;
  /** Not shown: User: `bio`, empty text (spec.md:33). */
  bio: string | null;
  /** Not shown: User: `image`, empty text (spec.md:34). */
  image: string | null;
  token: string;
}

/** `Profile` (spec.md:48). */
export interface Profile {
  username: string;
  /** Not shown: User: `bio`, empty text (spec.md:33). */
  bio: string | null;
  /** Not shown: User: `image`, empty text (spec.md:34). */
  image: string | null;
  following: boolean;
}

/** `ArticleLine` (spec.md:76). */
export interface ArticleLine {
  slug: string;
  title: string;
  description: string;
  tagList: string[];
  /** A timestamp (RFC 3339). */
  createdAt: string;
  /** A timestamp (RFC 3339). */
  updatedAt: string;
  favorited: boolean;
  /** An integer. */
  favoritesCount: number;
  author: Profile;
}

/** `FullArticle` (spec.md:86). */
export interface FullArticle {
  slug: string;
  title: string;
  description: string;
  body: string;
  tagList: string[];
  /** A timestamp (RFC 3339). */
  createdAt: string;
  /** A timestamp (RFC 3339). */
  updatedAt: string;
  favorited: boolean;
  /** An integer. */
  favoritesCount: number;
  author: Profile;
}

/** `OneUser` (spec.md:137). */
export interface OneUser {
  user: Session;
}

/** `OneProfile` (spec.md:145). */
export interface OneProfile {
  profile: Profile;
}

/** `OneArticle` (spec.md:153). */
export interface OneArticle {
  article: FullArticle;
}

/** `ManyArticles` (spec.md:161). */
export interface ManyArticles {
  articles: ArticleLine[];
  /** An integer. */
  articlesCount: number;
}

/** `OneComment` (spec.md:171). */
export interface OneComment {
  comment: Comment;
}

/** `ManyComments` (spec.md:179). */
export interface ManyComments {
  comments: Comment[];
}

/** `Tags` (spec.md:187). */
export interface Tags {
  tags: string[];
}

/** `Failed` (spec.md:472). */
export interface Failed {
  /** Not shown: Failed: value (spec.md:476). */
  errors?: Record<string, string[]>;
}

/** `User`, as it is sent to make one (spec.md:25). */
export interface NewUser {
  /** At least 1 character. */
  username: string;
  /** At least 1 character. */
  email: string;
  /**
   * At least 1 character.
   * Not shown: User: `password`, length (spec.md:32).
   */
  password: string;
}

/** `User`, as it is sent to change one (spec.md:25). */
export interface ChangedUser {
  /** At least 1 character. */
  username?: string | undefined;
  /** At least 1 character. */
  email?: string | undefined;
  /**
   * At least 1 character.
   * Not shown: User: `password`, length (spec.md:32).
   */
  password?: string | undefined;
  /** Not shown: User: `bio`, empty text (spec.md:33). */
  bio?: string | null | undefined;
  /** Not shown: User: `image`, empty text (spec.md:34). */
  image?: string | null | undefined;
}

/** `Article`, as it is sent to make one (spec.md:56). */
export interface NewArticle {
  /** At least 1 character. */
  title: string;
  /** At least 1 character. */
  description: string;
  /** At least 1 character. */
  body: string;
  tagList?: readonly string[] | undefined;
}

/** `Article`, as it is sent to change one (spec.md:56). */
export interface ChangedArticle {
  /** At least 1 character. */
  title?: string | undefined;
  /** At least 1 character. */
  description?: string | undefined;
  /** At least 1 character. */
  body?: string | undefined;
  tagList?: readonly string[] | undefined;
}

/** `Comment`, as it is sent to make one (spec.md:96). */
export interface NewComment {
  /** At least 1 character. */
  body: string;
}

export interface PostUsersInput {
  body: {
    user: NewUser;
  };
}

export type PostUsersResult =
  /** 201: Created. */
  | Answer<201, OneUser>
  /** 409: `taken`. */
  | Answer<409, Failed>
  /** 422: `invalid`. */
  | Answer<422, Failed>;

export interface PostUsersLoginInput {
  body: {
    user: {
      /** At least 1 character. */
      email: string;
      /** At least 1 character. */
      password: string;
    };
  };
}

export type PostUsersLoginResult =
  /** 200: OK. */
  | Answer<200, OneUser>
  /** 422: `invalid`. */
  | Answer<422, Failed>;

export type GetUserInput = Record<string, never>;

export type GetUserResult =
  /** 200: OK. */
  | Answer<200, OneUser>
  /**
   * 401: `unauthorized`.
   * Headers: `WWW-Authenticate`.
   */
  | Answer<401, Failed>;

export interface PutUserInput {
  body: {
    /** At least 1 member. */
    user: ChangedUser;
  };
}

export type PutUserResult =
  /** 200: OK. */
  | Answer<200, OneUser>
  /**
   * 401: `unauthorized`.
   * Headers: `WWW-Authenticate`.
   */
  | Answer<401, Failed>
  /** 409: `taken`. */
  | Answer<409, Failed>
  /** 422: `invalid`. */
  | Answer<422, Failed>;

export interface GetProfilesByUsernameInput {
  path: {
    username: string;
  };
}

export type GetProfilesByUsernameResult =
  /** 200: OK. */
  | Answer<200, OneProfile>
  /**
   * 401: `unauthorized`.
   * Headers: `WWW-Authenticate`.
   */
  | Answer<401, Failed>
  /** 404: `not_found`. */
  | Answer<404, Failed>;

export interface PostProfilesByUsernameFollowInput {
  path: {
    username: string;
  };
}

export type PostProfilesByUsernameFollowResult =
  /** 200: OK. */
  | Answer<200, OneProfile>
  /**
   * 401: `unauthorized`.
   * Headers: `WWW-Authenticate`.
   */
  | Answer<401, Failed>
  /** 404: `not_found`. */
  | Answer<404, Failed>;

export interface DeleteProfilesByUsernameFollowInput {
  path: {
    username: string;
  };
}

export type DeleteProfilesByUsernameFollowResult =
  /** 200: OK. */
  | Answer<200, OneProfile>
  /**
   * 401: `unauthorized`.
   * Headers: `WWW-Authenticate`.
   */
  | Answer<401, Failed>
  /** 404: `not_found`. */
  | Answer<404, Failed>;

export interface GetArticlesInput {
  query?: {
    tag?: string | undefined;
    author?: string | undefined;
    favorited?: string | undefined;
    /**
     * An integer.
     * At least 1.
     * Absent means `20`.
     */
    limit?: number | bigint | undefined;
    /**
     * An integer.
     * At least 0.
     * Absent means `0`.
     */
    offset?: number | bigint | undefined;
  } | undefined;
}

export type GetArticlesResult =
  /** 200: OK. */
  | Answer<200, ManyArticles>
  /**
   * 401: `unauthorized`.
   * Headers: `WWW-Authenticate`.
   */
  | Answer<401, Failed>
  /** 422: `invalid`. */
  | Answer<422, Failed>;

export interface PostArticlesInput {
  body: {
    article: NewArticle;
  };
}

export type PostArticlesResult =
  /** 201: Created. */
  | Answer<201, OneArticle>
  /**
   * 401: `unauthorized`.
   * Headers: `WWW-Authenticate`.
   */
  | Answer<401, Failed>
  /** 422: `invalid`. */
  | Answer<422, Failed>;

export interface GetArticlesFeedInput {
  query?: {
    /**
     * An integer.
     * At least 1.
     * Absent means `20`.
     */
    limit?: number | bigint | undefined;
    /**
     * An integer.
     * At least 0.
     * Absent means `0`.
     */
    offset?: number | bigint | undefined;
  } | undefined;
}

export type GetArticlesFeedResult =
  /** 200: OK. */
  | Answer<200, ManyArticles>
  /**
   * 401: `unauthorized`.
   * Headers: `WWW-Authenticate`.
   */
  | Answer<401, Failed>
  /** 422: `invalid`. */
  | Answer<422, Failed>;

export interface GetArticlesBySlugInput {
  path: {
    slug: string;
  };
}

export type GetArticlesBySlugResult =
  /** 200: OK. */
  | Answer<200, OneArticle>
  /**
   * 401: `unauthorized`.
   * Headers: `WWW-Authenticate`.
   */
  | Answer<401, Failed>
  /** 404: `not_found`. */
  | Answer<404, Failed>;

export interface PutArticlesBySlugInput {
  path: {
    slug: string;
  };
  body: {
    article: ChangedArticle;
  };
}

export type PutArticlesBySlugResult =
  /** 200: OK. */
  | Answer<200, OneArticle>
  /**
   * 401: `unauthorized`.
   * Headers: `WWW-Authenticate`.
   */
  | Answer<401, Failed>
  /** 403: `forbidden`. */
  | Answer<403, Failed>
  /** 404: `not_found`. */
  | Answer<404, Failed>
  /** 422: `invalid`. */
  | Answer<422, Failed>;

export interface DeleteArticlesBySlugInput {
  path: {
    slug: string;
  };
}

export type DeleteArticlesBySlugResult =
  /** 204: No Content. */
  | Answer<204, undefined>
  /**
   * 401: `unauthorized`.
   * Headers: `WWW-Authenticate`.
   */
  | Answer<401, Failed>
  /** 403: `forbidden`. */
  | Answer<403, Failed>
  /** 404: `not_found`. */
  | Answer<404, Failed>;

export interface PostArticlesBySlugFavoriteInput {
  path: {
    slug: string;
  };
}

export type PostArticlesBySlugFavoriteResult =
  /** 200: OK. */
  | Answer<200, OneArticle>
  /**
   * 401: `unauthorized`.
   * Headers: `WWW-Authenticate`.
   */
  | Answer<401, Failed>
  /** 404: `not_found`. */
  | Answer<404, Failed>;

export interface DeleteArticlesBySlugFavoriteInput {
  path: {
    slug: string;
  };
}

export type DeleteArticlesBySlugFavoriteResult =
  /** 200: OK. */
  | Answer<200, OneArticle>
  /**
   * 401: `unauthorized`.
   * Headers: `WWW-Authenticate`.
   */
  | Answer<401, Failed>
  /** 404: `not_found`. */
  | Answer<404, Failed>;

export interface PostArticlesBySlugCommentsInput {
  path: {
    slug: string;
  };
  body: {
    comment: NewComment;
  };
}

export type PostArticlesBySlugCommentsResult =
  /** 201: Created. */
  | Answer<201, OneComment>
  /**
   * 401: `unauthorized`.
   * Headers: `WWW-Authenticate`.
   */
  | Answer<401, Failed>
  /** 404: `not_found`. */
  | Answer<404, Failed>
  /** 422: `invalid`. */
  | Answer<422, Failed>;

export interface GetArticlesBySlugCommentsInput {
  path: {
    slug: string;
  };
}

export type GetArticlesBySlugCommentsResult =
  /** 200: OK. */
  | Answer<200, ManyComments>
  /**
   * 401: `unauthorized`.
   * Headers: `WWW-Authenticate`.
   */
  | Answer<401, Failed>
  /** 404: `not_found`. */
  | Answer<404, Failed>;

export interface DeleteArticlesBySlugCommentsByIdInput {
  path: {
    slug: string;
    /** An integer. */
    id: number | bigint;
  };
}

export type DeleteArticlesBySlugCommentsByIdResult =
  /** 204: No Content. */
  | Answer<204, undefined>
  /**
   * 401: `unauthorized`.
   * Headers: `WWW-Authenticate`.
   */
  | Answer<401, Failed>
  /** 403: `forbidden`. */
  | Answer<403, Failed>
  /** 404: `not_found`. */
  | Answer<404, Failed>
  /** 422: `invalid`. */
  | Answer<422, Failed>;

export type GetTagsInput = Record<string, never>;

export type GetTagsResult =
  /** 200: OK. */
  | Answer<200, Tags>;

const BASE_PATH = "/api";
const NESTING: "brackets" | "dots" = "brackets";

interface Operation {
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
}

/** How the credential of a scheme is sent. */
const SCHEMES: Readonly<Record<string, (to: Sent, credential: never) => unknown>> = {
  token: ({ headers }, credential: string) => headers.set("Authorization", "Token " + credential),
};

/** Conduit: a method for each endpoint. */
export class Client {
  readonly #options: ClientOptions;

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
  }

  /**
   * Sign up: `POST /users` (spec.md:211).
   *
   * Asked by: anyone.
   *
   * What is not shown ends in an UnstatedAnswer:
   * - errors/malformed query (spec.md:466)
   * - errors/other media type (spec.md:451)
   * - errors/malformed body (spec.md:454)
   * - errors/body absent (spec.md:452)
   * - errors/unknown member (spec.md:456)
   * - errors/not settable (spec.md:457)
   * - errors/empty (spec.md:460)
   * - errors/repeated member (spec.md:455)
   * - errors/unknown query parameter (spec.md:464)
   * - errors/fault inside (spec.md:470)
   */
  postUsers(input: PostUsersInput, options: RequestOptions = {}): Promise<PostUsersResult> {
    return this.#send({
      method: "POST",
      path: "/users",
      body: ["application/json; charset=utf-8", "json"],
      statuses: [201, 409, 422],
    }, input, options);
  }

  /**
   * Sign in: `POST /users/login` (spec.md:219).
   *
   * Asked by: anyone.
   *
   * What is not shown ends in an UnstatedAnswer:
   * - errors/malformed query (spec.md:466)
   * - errors/other media type (spec.md:451)
   * - errors/malformed body (spec.md:454)
   * - errors/body absent (spec.md:452)
   * - errors/unknown member (spec.md:456)
   * - errors/empty (spec.md:460)
   * - errors/repeated member (spec.md:455)
   * - errors/unknown query parameter (spec.md:464)
   * - Errors: status (spec.md:439)
   * - errors/fault inside (spec.md:470)
   */
  postUsersLogin(
    input: PostUsersLoginInput,
    options: RequestOptions = {},
  ): Promise<PostUsersLoginResult> {
    return this.#send({
      method: "POST",
      path: "/users/login",
      body: ["application/json; charset=utf-8", "json"],
      statuses: [200, 422],
    }, input, options);
  }

  /**
   * Who I am: `GET /user` (spec.md:232).
   *
   * Asked by: user.
   *
   * What is not shown ends in an UnstatedAnswer:
   * - errors/malformed query (spec.md:466)
   * - errors/body not expected (spec.md:453)
   * - errors/unknown query parameter (spec.md:464)
   * - errors/fault inside (spec.md:470)
   */
  getUser(input: GetUserInput = {}, options: RequestOptions = {}): Promise<GetUserResult> {
    return this.#send({
      method: "GET",
      path: "/user",
      schemes: ["token"],
      statuses: [200, 401],
    }, input, options);
  }

  /**
   * Change what is known about me: `PUT /user` (spec.md:236).
   *
   * Asked by: user.
   *
   * What is not shown ends in an UnstatedAnswer:
   * - errors/malformed query (spec.md:466)
   * - errors/other media type (spec.md:451)
   * - errors/malformed body (spec.md:454)
   * - errors/body absent (spec.md:452)
   * - errors/unknown member (spec.md:456)
   * - errors/not settable (spec.md:457)
   * - errors/empty (spec.md:460)
   * - errors/repeated member (spec.md:455)
   * - errors/unknown query parameter (spec.md:464)
   * - errors/fault inside (spec.md:470)
   */
  putUser(input: PutUserInput, options: RequestOptions = {}): Promise<PutUserResult> {
    return this.#send({
      method: "PUT",
      path: "/user",
      schemes: ["token"],
      body: ["application/json; charset=utf-8", "json"],
      statuses: [200, 401, 409, 422],
    }, input, options);
  }

  /**
   * Read a profile: `GET /profiles/{username}` (spec.md:247).
   *
   * Asked by: anyone, user.
   *
   * What is not shown ends in an UnstatedAnswer:
   * - errors/bad credentials where optional (spec.md:469)
   * - errors/malformed query (spec.md:466)
   * - errors/body not expected (spec.md:453)
   * - errors/unknown query parameter (spec.md:464)
   * - errors/fault inside (spec.md:470)
   */
  getProfilesByUsername(
    input: GetProfilesByUsernameInput,
    options: RequestOptions = {},
  ): Promise<GetProfilesByUsernameResult> {
    return this.#send({
      method: "GET",
      path: "/profiles/{username}",
      schemes: ["token"],
      statuses: [200, 401, 404],
    }, input, options);
  }

  /**
   * Follow somebody: `POST /profiles/{username}/follow` (spec.md:253).
   *
   * Asked by: user.
   *
   * What is not shown ends in an UnstatedAnswer:
   * - errors/malformed query (spec.md:466)
   * - errors/body not expected (spec.md:453)
   * - errors/unknown query parameter (spec.md:464)
   * - endpoints/POST /profiles/{username}/follow/step When user == caller, not shown (spec.md:257)
   * - resources/Follow/unique: follower and followed, else not shown (spec.md:109)
   * - errors/fault inside (spec.md:470)
   */
  postProfilesByUsernameFollow(
    input: PostProfilesByUsernameFollowInput,
    options: RequestOptions = {},
  ): Promise<PostProfilesByUsernameFollowResult> {
    return this.#send({
      method: "POST",
      path: "/profiles/{username}/follow",
      schemes: ["token"],
      statuses: [200, 401, 404],
    }, input, options);
  }

  /**
   * Follow somebody no more: `DELETE /profiles/{username}/follow` (spec.md:261).
   *
   * Asked by: user.
   *
   * What is not shown ends in an UnstatedAnswer:
   * - errors/malformed query (spec.md:466)
   * - errors/body not expected (spec.md:453)
   * - errors/unknown query parameter (spec.md:464)
   * - resources/Follow/unique: follower and followed, else not shown (spec.md:109)
   * - errors/fault inside (spec.md:470)
   */
  deleteProfilesByUsernameFollow(
    input: DeleteProfilesByUsernameFollowInput,
    options: RequestOptions = {},
  ): Promise<DeleteProfilesByUsernameFollowResult> {
    return this.#send({
      method: "DELETE",
      path: "/profiles/{username}/follow",
      schemes: ["token"],
      statuses: [200, 401, 404],
    }, input, options);
  }

  /**
   * The newest articles: `GET /articles` (spec.md:266).
   *
   * Asked by: anyone, user.
   *
   * What is not shown ends in an UnstatedAnswer:
   * - errors/bad credentials where optional (spec.md:469)
   * - errors/malformed query (spec.md:466)
   * - errors/body not expected (spec.md:453)
   * - errors/repeated query parameter (spec.md:465)
   * - errors/unknown query parameter (spec.md:464)
   * - endpoints/GET /articles/step When size(page) != size(found), not shown (spec.md:284)
   * - errors/fault inside (spec.md:470)
   */
  getArticles(
    input: GetArticlesInput = {},
    options: RequestOptions = {},
  ): Promise<GetArticlesResult> {
    return this.#send({
      method: "GET",
      path: "/articles",
      schemes: ["token"],
      statuses: [200, 401, 422],
    }, input, options);
  }

  /**
   * Publish an article: `POST /articles` (spec.md:303).
   *
   * Asked by: user.
   *
   * What is not shown ends in an UnstatedAnswer:
   * - errors/malformed query (spec.md:466)
   * - errors/other media type (spec.md:451)
   * - errors/malformed body (spec.md:454)
   * - errors/body absent (spec.md:452)
   * - errors/unknown member (spec.md:456)
   * - errors/not settable (spec.md:457)
   * - errors/empty (spec.md:460)
   * - errors/repeated member (spec.md:455)
   * - errors/unknown query parameter (spec.md:464)
   * - resources/Article/slug/rule unique, else not shown (spec.md:62)
   * - errors/fault inside (spec.md:470)
   */
  postArticles(
    input: PostArticlesInput,
    options: RequestOptions = {},
  ): Promise<PostArticlesResult> {
    return this.#send({
      method: "POST",
      path: "/articles",
      schemes: ["token"],
      body: ["application/json; charset=utf-8", "json"],
      statuses: [201, 401, 422],
    }, input, options);
  }

  /**
   * The newest articles by people I follow: `GET /articles/feed` (spec.md:290).
   *
   * Asked by: user.
   *
   * What is not shown ends in an UnstatedAnswer:
   * - errors/malformed query (spec.md:466)
   * - errors/body not expected (spec.md:453)
   * - errors/repeated query parameter (spec.md:465)
   * - errors/unknown query parameter (spec.md:464)
   * - endpoints/GET /articles/feed/step When size(page) != size(found), not shown (spec.md:300)
   * - errors/fault inside (spec.md:470)
   */
  getArticlesFeed(
    input: GetArticlesFeedInput = {},
    options: RequestOptions = {},
  ): Promise<GetArticlesFeedResult> {
    return this.#send({
      method: "GET",
      path: "/articles/feed",
      schemes: ["token"],
      statuses: [200, 401, 422],
    }, input, options);
  }

  /**
   * Read an article: `GET /articles/{slug}` (spec.md:314).
   *
   * Asked by: anyone, user.
   *
   * What is not shown ends in an UnstatedAnswer:
   * - errors/bad credentials where optional (spec.md:469)
   * - errors/malformed query (spec.md:466)
   * - errors/body not expected (spec.md:453)
   * - errors/unknown query parameter (spec.md:464)
   * - errors/fault inside (spec.md:470)
   */
  getArticlesBySlug(
    input: GetArticlesBySlugInput,
    options: RequestOptions = {},
  ): Promise<GetArticlesBySlugResult> {
    return this.#send({
      method: "GET",
      path: "/articles/{slug}",
      schemes: ["token"],
      statuses: [200, 401, 404],
    }, input, options);
  }

  /**
   * Change an article: `PUT /articles/{slug}` (spec.md:320).
   *
   * Asked by: user.
   *
   * What is not shown ends in an UnstatedAnswer:
   * - errors/malformed query (spec.md:466)
   * - errors/other media type (spec.md:451)
   * - errors/malformed body (spec.md:454)
   * - errors/body absent (spec.md:452)
   * - errors/unknown member (spec.md:456)
   * - errors/not settable (spec.md:457)
   * - errors/empty (spec.md:460)
   * - errors/repeated member (spec.md:455)
   * - errors/unknown query parameter (spec.md:464)
   * - endpoints/PUT /articles/{slug}/step When body.article.title is given, not shown (spec.md:325)
   * - resources/Article/slug/rule unique, else not shown (spec.md:62)
   * - errors/fault inside (spec.md:470)
   */
  putArticlesBySlug(
    input: PutArticlesBySlugInput,
    options: RequestOptions = {},
  ): Promise<PutArticlesBySlugResult> {
    return this.#send({
      method: "PUT",
      path: "/articles/{slug}",
      schemes: ["token"],
      body: ["application/json; charset=utf-8", "json"],
      statuses: [200, 401, 403, 404, 422],
    }, input, options);
  }

  /**
   * Withdraw an article: `DELETE /articles/{slug}` (spec.md:329).
   *
   * Asked by: user.
   *
   * What is not shown ends in an UnstatedAnswer:
   * - errors/malformed query (spec.md:466)
   * - errors/body not expected (spec.md:453)
   * - errors/unknown query parameter (spec.md:464)
   * - resources/Article/slug/rule unique, else not shown (spec.md:62)
   * - errors/fault inside (spec.md:470)
   */
  deleteArticlesBySlug(
    input: DeleteArticlesBySlugInput,
    options: RequestOptions = {},
  ): Promise<DeleteArticlesBySlugResult> {
    return this.#send({
      method: "DELETE",
      path: "/articles/{slug}",
      schemes: ["token"],
      statuses: [204, 401, 403, 404],
    }, input, options);
  }

  /**
   * Mark a favourite: `POST /articles/{slug}/favorite` (spec.md:335).
   *
   * Asked by: user.
   *
   * What is not shown ends in an UnstatedAnswer:
   * - errors/malformed query (spec.md:466)
   * - errors/body not expected (spec.md:453)
   * - errors/unknown query parameter (spec.md:464)
   * - resources/Favorite/unique: user and article, else not shown (spec.md:118)
   * - errors/fault inside (spec.md:470)
   */
  postArticlesBySlugFavorite(
    input: PostArticlesBySlugFavoriteInput,
    options: RequestOptions = {},
  ): Promise<PostArticlesBySlugFavoriteResult> {
    return this.#send({
      method: "POST",
      path: "/articles/{slug}/favorite",
      schemes: ["token"],
      statuses: [200, 401, 404],
    }, input, options);
  }

  /**
   * A favourite no more: `DELETE /articles/{slug}/favorite` (spec.md:342).
   *
   * Asked by: user.
   *
   * What is not shown ends in an UnstatedAnswer:
   * - errors/malformed query (spec.md:466)
   * - errors/body not expected (spec.md:453)
   * - errors/unknown query parameter (spec.md:464)
   * - resources/Favorite/unique: user and article, else not shown (spec.md:118)
   * - errors/fault inside (spec.md:470)
   */
  deleteArticlesBySlugFavorite(
    input: DeleteArticlesBySlugFavoriteInput,
    options: RequestOptions = {},
  ): Promise<DeleteArticlesBySlugFavoriteResult> {
    return this.#send({
      method: "DELETE",
      path: "/articles/{slug}/favorite",
      schemes: ["token"],
      statuses: [200, 401, 404],
    }, input, options);
  }

  /**
   * Comment on an article: `POST /articles/{slug}/comments` (spec.md:347).
   *
   * Asked by: user.
   *
   * What is not shown ends in an UnstatedAnswer:
   * - errors/malformed query (spec.md:466)
   * - errors/other media type (spec.md:451)
   * - errors/malformed body (spec.md:454)
   * - errors/body absent (spec.md:452)
   * - errors/unknown member (spec.md:456)
   * - errors/not settable (spec.md:457)
   * - errors/empty (spec.md:460)
   * - errors/repeated member (spec.md:455)
   * - errors/unknown query parameter (spec.md:464)
   * - errors/fault inside (spec.md:470)
   */
  postArticlesBySlugComments(
    input: PostArticlesBySlugCommentsInput,
    options: RequestOptions = {},
  ): Promise<PostArticlesBySlugCommentsResult> {
    return this.#send({
      method: "POST",
      path: "/articles/{slug}/comments",
      schemes: ["token"],
      body: ["application/json; charset=utf-8", "json"],
      statuses: [201, 401, 404, 422],
    }, input, options);
  }

  /**
   * Read the comments: `GET /articles/{slug}/comments` (spec.md:354).
   *
   * Asked by: anyone, user.
   *
   * What is not shown ends in an UnstatedAnswer:
   * - errors/bad credentials where optional (spec.md:469)
   * - errors/malformed query (spec.md:466)
   * - errors/body not expected (spec.md:453)
   * - errors/unknown query parameter (spec.md:464)
   * - endpoints/GET /articles/{slug}/comments/step When size(found) > 1, not shown (spec.md:359)
   * - errors/fault inside (spec.md:470)
   */
  getArticlesBySlugComments(
    input: GetArticlesBySlugCommentsInput,
    options: RequestOptions = {},
  ): Promise<GetArticlesBySlugCommentsResult> {
    return this.#send({
      method: "GET",
      path: "/articles/{slug}/comments",
      schemes: ["token"],
      statuses: [200, 401, 404],
    }, input, options);
  }

  /**
   * Take a comment back: `DELETE /articles/{slug}/comments/{id}` (spec.md:364).
   *
   * Asked by: user.
   *
   * What is not shown ends in an UnstatedAnswer:
   * - errors/malformed query (spec.md:466)
   * - errors/body not expected (spec.md:453)
   * - errors/unknown query parameter (spec.md:464)
   * - errors/fault inside (spec.md:470)
   */
  deleteArticlesBySlugCommentsById(
    input: DeleteArticlesBySlugCommentsByIdInput,
    options: RequestOptions = {},
  ): Promise<DeleteArticlesBySlugCommentsByIdResult> {
    return this.#send({
      method: "DELETE",
      path: "/articles/{slug}/comments/{id}",
      schemes: ["token"],
      statuses: [204, 401, 403, 404, 422],
    }, input, options);
  }

  /**
   * Every tag in use: `GET /tags` (spec.md:375).
   *
   * Asked by: anyone.
   *
   * What is not shown ends in an UnstatedAnswer:
   * - errors/malformed query (spec.md:466)
   * - errors/body not expected (spec.md:453)
   * - errors/unknown query parameter (spec.md:464)
   * - endpoints/GET /tags/step When size(tags) > 1, not shown (spec.md:381)
   * - errors/fault inside (spec.md:470)
   */
  getTags(input: GetTagsInput = {}, options: RequestOptions = {}): Promise<GetTagsResult> {
    return this.#send({
      method: "GET",
      path: "/tags",
      statuses: [200],
    }, input, options);
  }
}
