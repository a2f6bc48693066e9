/** Requests made from one that is well: each of its pieces left out, or wrong in every known way. */
import type { Plan } from "../../src/plan/index.ts";
import type { RawRequest } from "../histories/talk.ts";

type Fields = RawRequest["headers"];

const LONG = "long ".repeat(1_000);

/** JSON texts in place of a member; undefined: it is left out. */
const WRONG: readonly (string | undefined)[] = [
  ...[undefined, "null", "0", "-1", "1", "0.001", "1e3", "99999999999999999999999", "true", '""'],
  ...['" "', '"x"', JSON.stringify(LONG), "[]", "[null]", '["x"]', '["x","x"]', "{}"],
  ...['{"unheard":1}', '"2026-02-30"', '"0001-01-01T00:00:00Z"', '"nobody"'],
];
const WRONG_TEXTS = ["", "x", "-1", "0", "1.5", "99999999999999999999999", LONG.slice(0, 900)];

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** Every text of the value in which one member, or the first item of a list, is another. */
function* otherValues(value: Json, sizes: readonly number[]): Generator<string> {
  if (Array.isArray(value)) {
    const [first] = value;
    if (first === undefined) return;
    const one = JSON.stringify(first);
    yield `[${one},${one}]`;
    for (const size of [100, ...sizes]) {
      yield `[${Array.from({ length: size + 1 }, () => one).join()}]`;
    }
    yield `[${one},null]`;
    for (const inner of otherValues(first, sizes)) yield `[${inner}]`;
    return;
  }
  if (typeof value !== "object" || value === null) return;
  const texts = Object.entries(value).map(
    ([name, one]) => [JSON.stringify(name), JSON.stringify(one)] as const,
  );
  const joined = (pairs: readonly (readonly [string, string | undefined])[]): string =>
    `{${pairs.flatMap(([name, text]) => (text === undefined ? [] : [`${name}:${text}`])).join()}}`;
  for (const [at, [name, text]] of texts.entries()) {
    const others = [...WRONG, ...otherValues(Object.values(value)[at] ?? null, sizes)];
    for (const other of others) {
      if (other === text) continue;
      yield joined(texts.map((pair, i) => (i === at ? [name, other] : pair)));
    }
    yield joined([...texts, [name, text]]);
  }
  yield joined([...texts, ['"unheard"', "1"]]);
  // Two and more are wrong at once.
  yield joined([...texts.map(([name]) => [name, "[[]]"] as const), ['"unheard"', "1"]]);
}

/** The body with members that it may have besides. */
function* withMembers(
  value: Json,
  names: readonly string[],
  sizes: readonly number[],
): Generator<string> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return;
  for (const name of names) {
    if (name in value) continue;
    const lists = sizes.map((size) =>
      JSON.stringify(Array.from({ length: size + 1 }, (_, i) => `x${i}`)),
    );
    for (const other of ["null", '"x"', "1", "[]", ...lists]) {
      yield JSON.stringify({ ...value, [name]: null }).replace(
        `${JSON.stringify(name)}:null`,
        `${JSON.stringify(name)}:${other}`,
      );
    }
  }
  // Names in the object that wraps all others.
  const [only, ...more] = Object.entries(value);
  if (only === undefined || more.length > 0) return;
  for (const inner of withMembers(only[1], names, sizes))
    yield `{${JSON.stringify(only[0])}:${inner}}`;
}

function parsed(body: string): Json | undefined {
  try {
    return JSON.parse(Buffer.from(body, "latin1").toString("utf8")) as Json;
  } catch {
    return undefined;
  }
}

function* bodies({ body }: RawRequest, { members, sizes }: Readable): Generator<string> {
  if (body === "") {
    yield "{}";
    return;
  }
  yield "";
  yield body.slice(0, -1);
  for (const text of ["null", "[]", "{}", '"x"', "\xff", `${body} x`]) yield text;
  const value = parsed(body);
  if (value === undefined) return;
  for (const text of otherValues(value, sizes)) yield Buffer.from(text, "utf8").toString("latin1");
  for (const text of withMembers(value, members, sizes))
    yield Buffer.from(text, "utf8").toString("latin1");
}

function* targets({ target }: RawRequest, { queries, sizes }: Readable): Generator<string> {
  const [path = "", query = ""] = target.split("?");
  const pairs = query === "" ? [] : query.split("&");
  const asked = (all: readonly string[]): string =>
    all.length === 0 ? path : `${path}?${all.join("&")}`;
  yield `${path}/nowhere`;
  for (const [at, segment] of path.split("/").entries()) {
    if (segment === "") continue;
    const others = [`${segment}x`, "nobody", "0", "%20", "x".repeat(300)];
    for (const other of others) {
      yield `${path
        .split("/")
        .map((one, i) => (i === at ? other : one))
        .join("/")}${query === "" ? "" : `?${query}`}`;
    }
  }
  yield asked([...pairs, "unheard=1"]);
  yield asked([...pairs, "%zz"]);
  for (const name of queries) {
    const rest = pairs.filter((pair) => !pair.startsWith(`${name}=`));
    yield asked(rest);
    for (const text of WRONG_TEXTS) yield asked([...rest, `${name}=${encodeURIComponent(text)}`]);
    yield asked([...rest, `${name}=1`, `${name}=2`]);
    for (const size of sizes) {
      yield asked([...rest, ...Array.from({ length: size + 1 }, (_, i) => `${name}=x${i}`)]);
    }
  }
}

function* fields({ headers }: RawRequest, more: readonly string[]): Generator<Fields> {
  for (const [at, [name]] of headers.entries()) {
    yield headers.filter((_, i) => i !== at);
    for (const text of ["x", "", '"0"', "*", "Bearer x", LONG.slice(0, 300)]) {
      yield headers.map((one, i) => (i === at ? [name, text] : one));
    }
  }
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  for (const name of more.filter((one) => !names.has(one.toLowerCase()))) {
    for (const text of ["x", '"1"', "*", "1"]) yield [...headers, [name, text]];
  }
}

/** What the endpoint of a request reads, by name. */
export interface Readable {
  readonly queries: readonly string[];
  readonly headers: readonly string[];
  readonly members: readonly string[];
  /** How many items lists may have at most. */
  readonly sizes: readonly number[];
}

const SIZE_MAX = 2_000;

/** Bounds on items, and whole numbers that steps compare sizes with. */
function sizesIn(node: unknown): number[] {
  if (typeof node !== "object" || node === null) return [];
  const { kind, max, fn, args } = node as Record<string, unknown>;
  const isSize = (one: unknown): boolean => (one as { fn?: unknown }).fn === "size";
  const compared = Array.isArray(args) && fn !== "size" && args.some(isSize) ? args : [];
  const numbers = compared.map((one) => Number((one as { value?: unknown }).value));
  const own = kind === "items" && typeof max === "number" ? [max] : [];
  const all = [...own, ...numbers.filter((one) => one > 1 && one <= SIZE_MAX)];
  return [...new Set([...all, ...Object.values(node).flatMap(sizesIn)])];
}

/** Names that an endpoint reads, and those of the fields that its body may have. */
export function readableOf(plan: Plan, endpoint: number): Readable {
  const { inputs = [], body, idempotency, steps } = plan.endpoints[endpoint] ?? {};
  const named = (place: string): string[] =>
    inputs.filter((one) => one.in === place).map((one) => one.name);
  const content = body?.is === "stated" ? body.value.content : undefined;
  const resource = content !== undefined && "resource" in content ? content.resource : "";
  const key = idempotency?.header;
  const fields = plan.resources.find(({ name }) => name === resource)?.fields ?? [];
  return {
    sizes: sizesIn([inputs, fields, steps]),
    queries: named("query"),
    headers: [
      ...["If-Match", "If-None-Match", "Content-Encoding"],
      ...(key?.is === "stated" ? [key.value] : []),
      ...named("header"),
    ],
    members: [
      ...named("body").map((name) => name.split(".").at(-1) ?? ""),
      ...fields.map(({ name }) => name),
    ],
  };
}

/** The body with the same values in other bytes, and with one other value in each of its places. */
function* alike(body: string): Generator<string> {
  yield body.replace("{", "{ ");
  for (const { index, 0: text } of body.matchAll(/(?<=[:[,] *)(?:"[^"]*"|\d+)(?= *[,}\]])/g)) {
    const [before, after] = [body.slice(0, index), body.slice(index + text.length)];
    const other = text.startsWith('"') ? `${text.slice(0, -1)}a"` : `${text}1`;
    yield `${before}${other}${after}`;
  }
}

/** Bodies, targets and headers as long as the sizes that the plan limits, and one more. */
function* large(request: RawRequest, plan: Plan): Generator<RawRequest> {
  for (const { counts, amount } of plan.limits) {
    if (amount.is !== "stated" || amount.value.value.code.op !== "literal") continue;
    const size = Number(amount.value.value.code.value) + 1;
    if (size > 2_000_000) continue;
    if (counts.is === "body bytes" && request.body !== "") {
      yield { ...request, body: request.body.padEnd(size, " ") };
    }
    if (counts.is === "header bytes") {
      yield { ...request, headers: [...request.headers, ["X-Long", "x".repeat(size)]] };
    }
    if (counts.is === "path bytes") {
      yield { ...request, target: `${request.target}?${"x".repeat(size)}` };
    }
  }
}

/** Others as whom the request may be sent: fields with credentials. */
function* others(request: RawRequest, credentials: readonly Fields[]): Generator<Fields> {
  const names = new Set(credentials.flatMap((one) => one.map(([name]) => name.toLowerCase())));
  const rest = request.headers.filter(([name]) => !names.has(name.toLowerCase()));
  for (const one of credentials) yield [...rest, ...one];
}

/** All variations of a request that is well. */
export function* variationsOf(
  plan: Plan,
  request: RawRequest,
  reads: Readable,
  credentials: readonly Fields[],
): Generator<RawRequest> {
  for (const headers of others(request, credentials)) yield { ...request, headers };
  for (const headers of fields(request, reads.headers)) yield { ...request, headers };
  for (const target of targets(request, reads)) yield { ...request, target };
  for (const body of bodies(request, reads)) {
    const typed = request.headers.some(([name]) => name.toLowerCase() === "content-type");
    const headers: Fields = typed
      ? request.headers
      : [...request.headers, ["Content-Type", "application/json"]];
    yield { ...request, headers, body };
  }
  if (request.method === "GET") yield { ...request, method: "HEAD" };
  for (const method of ["DELETE", "PATCH", "PUT", "POST", "OPTIONS", "TRACE"]) {
    if (method !== request.method) yield { ...request, method, body: "" };
  }
  const { crossOrigin } = plan.about;
  const stated = crossOrigin.is === "stated" ? crossOrigin.value.origins : [];
  for (const origin of ["https://elsewhere.example", ...stated.filter((one) => one !== "*")]) {
    const headers: Fields = [...request.headers, ["Origin", origin]];
    yield { ...request, headers };
    const asked: Fields = [...headers, ["Access-Control-Request-Method", request.method]];
    yield { ...request, method: "OPTIONS", headers: asked, body: "" };
  }
  yield* large(request, plan);
  // The same once more: with a key it is the same request.
  yield request;
  for (const body of alike(request.body)) yield { ...request, body };
}
