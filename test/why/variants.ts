/** What a client may send instead of a request: each part of it wrong once, or with other values. */
import type { Endpoint, Plan } from "../../src/plan/index.ts";
import type { RawRequest } from "../histories/talk.ts";
import type { Asked } from "./bench.ts";

/** A request, and what is other in it than in the one that it was made from. */
export interface Variant {
  readonly what: string;
  readonly request: RawRequest;
  /** Which access to rows fails; undefined: none. */
  readonly fault?: number;
  /** Of how many accesses that is. */
  readonly of?: number;
  /** What rows have instead. */
  readonly rows?: Asked["rows"];
}

export interface Known {
  readonly plan: Plan;
  readonly endpoint: Endpoint | undefined;
  /** Header fields that carry credentials, of everybody that is known. */
  readonly credentials: readonly (readonly [string, string])[];
  /** Values that rows have, by the name of the field. */
  readonly values: ReadonlyMap<string, readonly unknown[]>;
  /** Keys of rows. */
  readonly keys: readonly string[];
}

const LONG = "y".repeat(6_000);
const LARGE = 70_000;
const CREDENTIALS = new Set(["authorization", "cookie", "x-api-key"]);

const utf8 = (text: string): string => Buffer.from(text, "utf8").toString("latin1");
const isCredential = ([name]: readonly [string, string]): boolean =>
  CREDENTIALS.has(name.toLowerCase());

/** JSON texts of values instead of one. */
function insteadOf(value: unknown): unknown[] {
  if (typeof value === "string") {
    return ["", " ", "x", `${value}x`, LONG, "2026-01-01", 7, ["x"], `${value}, zz`, "é\u0000"];
  }
  if (typeof value === "number") return [0, -1, 1, value + 1, value / 3, 1e12, "7", "x"];
  if (typeof value === "boolean") return [!value, "x"];
  if (Array.isArray(value)) {
    const [first] = value;
    return [[], [first, first], Array.from({ length: 300 }, () => first), [null], {}, "x"];
  }
  return ["x", {}, [], 7];
}

/** All places in a JSON value, as lists of names. */
function placesIn(value: unknown, depth = 0): string[][] {
  if (typeof value !== "object" || value === null || depth > 3) return [];
  return Object.entries(value)
    .slice(0, 40)
    .flatMap(([name, inner]) => [
      [name],
      ...placesIn(inner, depth + 1).map((path) => [name, ...path]),
    ]);
}

type Edit = (holder: Record<string, unknown>, name: string) => void;

/** A copy in which the edit was made where the path leads. */
function edited(value: unknown, path: readonly string[], edit: Edit): string {
  const copy = structuredClone(value);
  let holder = copy as Record<string, unknown>;
  for (const name of path.slice(0, -1)) holder = holder[name] as Record<string, unknown>;
  edit(holder, path.at(-1) ?? "");
  return JSON.stringify(copy);
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], value);
}

function memberTexts(value: unknown, path: readonly string[], known: Known): [string, string][] {
  const where = path.join(".").replaceAll(/\b\d+\b/g, "#");
  const own = valueAt(value, path);
  const others = (known.values.get(path.at(-1) ?? "") ?? []).slice(-3);
  const texts: [string, string][] = [
    [`${where} gone`, edited(value, path, (holder, name) => delete holder[name])],
    ...[null, ...insteadOf(own), ...others].map((one, i): [string, string] => [
      `${where} ${i}`,
      edited(value, path, (holder, name) => {
        holder[name] = one;
      }),
    ]),
  ];
  if (typeof own === "object" && own !== null && !Array.isArray(own)) {
    const inside = edited(value, path, (holder, name) => {
      holder[name] = { ...own, unheard: 1 };
    });
    texts.push([`${where} unheard`, inside]);
  }
  return texts;
}

/** Members that the endpoint states and the request does not carry. */
function addedTexts(value: Record<string, unknown>, known: Known): [string, string][] {
  const { endpoint, plan } = known;
  const body = endpoint?.body.is === "stated" ? endpoint.body.value : undefined;
  const content = body?.content;
  const fields =
    content === undefined || content.is === "type"
      ? []
      : (plan.resources.find((one) => one.name === content.resource)?.fields ?? []);
  const inner = body?.member === undefined ? undefined : value[body.member];
  const holder = (inner ?? value) as Record<string, unknown>;
  const put = (name: string, one: unknown): string => {
    const filled = { ...holder, [name]: one };
    return JSON.stringify(
      inner === undefined ? filled : { ...value, [body?.member ?? ""]: filled },
    );
  };
  const rows = (endpoint?.inputs ?? []).filter((one) => one.in === "body").map((one) => one.name);
  return [...fields.map((one) => one.name), ...rows]
    .filter((name) => !(name in holder) && !name.includes("."))
    .flatMap((name) =>
      ["x", 1, true, null, [], {}, "", LONG, ...(known.values.get(name) ?? []).slice(-2)].map(
        (one, i): [string, string] => [`${name} given ${i}`, put(name, one)],
      ),
    );
}

function jsonTexts(text: string, known: Known): [string, string][] {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(text, "latin1").toString("utf8"));
  } catch {
    return [];
  }
  if (typeof value !== "object" || value === null) return [];
  const isObject = !Array.isArray(value);
  const plain = JSON.stringify(value);
  const [first] = isObject ? Object.keys(value) : [];
  return [
    ...placesIn(value).flatMap((path) => memberTexts(value, path, known)),
    ...(isObject ? addedTexts(value as Record<string, unknown>, known) : []),
    ...(isObject
      ? [["unheard", JSON.stringify({ ...value, unheard: 1 })] as [string, string]]
      : []),
    ...(first === undefined
      ? []
      : [
          [
            "repeated",
            `${plain.slice(0, -1)},${JSON.stringify({ [first]: valueAt(value, [first]) }).slice(1)}`,
          ] as [string, string],
        ]),
  ];
}

function bodies(request: RawRequest, known: Known): Variant[] {
  const type = ["Content-Type", "application/json"] as const;
  const given = (what: string, body: string, headers = request.headers): Variant => ({
    what,
    request: { ...request, headers, body },
  });
  const { body, headers } = request;
  if (body === "") {
    return [
      given("body {}", "{}", [...headers, type]),
      given("body large", `{}${" ".repeat(LARGE)}`, [...headers, type]),
    ];
  }
  const others = headers.filter(([name]) => name.toLowerCase() !== "content-type");
  return [
    given("body gone", ""),
    given("body gone, no type", "", others),
    given("body {}", "{}"),
    given("body cut", body.slice(0, -2)),
    given("body null", "null"),
    given("body list", "[]"),
    given("body text", body, [...others, ["Content-Type", "text/plain"]]),
    given("body untyped", body, others),
    given("body coded", body, [...headers, ["Content-Encoding", "br"]]),
    given("body large", `${body}${" ".repeat(LARGE)}`),
    given("body in other bytes", body.replace("{", "{ ")),
    ...jsonTexts(body, known).map(([what, text]) => given(what, utf8(text))),
  ];
}

function withQuery(request: RawRequest, pairs: readonly string[]): RawRequest {
  const path = request.target.split("?", 1)[0] ?? "";
  return { ...request, target: pairs.length === 0 ? path : `${path}?${pairs.join("&")}` };
}

function queries(request: RawRequest, { endpoint, keys }: Known): Variant[] {
  const pairs = (request.target.split("?")[1] ?? "").split("&").filter((one) => one !== "");
  const inputs = (endpoint?.inputs ?? []).filter((one) => one.in === "query");
  const made: Variant[] = [
    { what: "query unheard", request: withQuery(request, [...pairs, "unheard=1"]) },
    { what: "query malformed", request: withQuery(request, [...pairs, "%zz"]) },
  ];
  for (const { name } of inputs) {
    const others = pairs.filter((one) => !one.startsWith(`${name}=`));
    const values = [
      "",
      "x",
      "-1",
      "0",
      "1",
      "2",
      "true",
      "false",
      "null",
      "999999999",
      "1.5",
      LONG,
    ];
    made.push({ what: `query ${name} gone`, request: withQuery(request, others) });
    for (const [i, value] of [...values, ...keys.slice(-2)].entries()) {
      const pair = `${name}=${encodeURIComponent(value)}`;
      made.push({ what: `query ${name} ${i}`, request: withQuery(request, [...others, pair]) });
    }
    const twice = [...others, `${name}=1`, `${name}=1`];
    made.push({ what: `query ${name} twice`, request: withQuery(request, twice) });
  }
  return made;
}

function paths(request: RawRequest, { endpoint, plan, keys }: Known): Variant[] {
  if (endpoint === undefined) return [];
  const base = plan.about.basePath.is === "stated" ? plan.about.basePath.value : "";
  const [path = "", ...query] = request.target.split("?");
  const segments = path.slice(base.length).split("/").slice(1);
  return endpoint.path.flatMap((part, at) => {
    if ("literal" in part) return [];
    const prefix = /^[a-z]+_/.exec(segments[at] ?? "")?.[0] ?? "";
    const texts = [
      `${prefix}nobody`,
      "0",
      "999",
      "x",
      "%zz",
      ...keys.slice(-6),
      ...keys.slice(0, 3),
    ];
    return texts.map((text, i) => ({
      what: `path ${part.param} ${i}`,
      request: {
        ...request,
        target: [
          `${base}/${segments.with(at, `${part.before ?? ""}${text}${part.after ?? ""}`).join("/")}`,
          ...query,
        ].join("?"),
      },
    }));
  });
}

function headers(request: RawRequest, { endpoint, credentials }: Known): Variant[] {
  const plain = request.headers.filter((one) => !isCredential(one));
  const put = (what: string, all: RawRequest["headers"]): Variant => ({
    what,
    request: { ...request, headers: all },
  });
  const own = plain.filter(([name]) => name.toLowerCase() !== "content-type");
  const stated = (endpoint?.inputs ?? []).flatMap((one) => (one.in === "header" ? [one.name] : []));
  const names = new Set([...own.map(([name]) => name), ...stated, "If-Match", "If-None-Match"]);
  const made = [
    put("nobody", plain),
    ...credentials.map((one, i) => put(`caller ${i}`, [...plain, one])),
    put("caller wrong", [...plain, ["Authorization", "Bearer wrong"]]),
    put("caller of another form", [...plain, ["Authorization", "Token x.y.z"]]),
    put("page of another origin", [...request.headers, ["Origin", "https://other.example"]]),
  ];
  for (const name of names) {
    const others = request.headers.filter(([one]) => one.toLowerCase() !== name.toLowerCase());
    made.push(put(`${name} gone`, others));
    const texts = ["", "x", "1", '"0"', "*", "w".repeat(300), "k1", "k2"];
    for (const [i, text] of texts.entries())
      made.push(put(`${name} ${i}`, [...others, [name, text]]));
  }
  return made;
}

function methods(request: RawRequest): Variant[] {
  const other = (method: string, more: RawRequest["headers"] = []): Variant => ({
    what: method,
    request: { ...request, method, headers: [...request.headers, ...more], body: "" },
  });
  return [
    ...(request.method === "GET" ? [other("HEAD")] : []),
    other("OPTIONS"),
    ...[[], [["Origin", "https://other.example"] as const]].map((headers): Variant => {
      const asterisk = { ...request, method: "OPTIONS", target: "*", headers, body: "" };
      return { what: `OPTIONS * ${headers.length}`, request: asterisk };
    }),
    other("OPTIONS", [
      ["Origin", "https://other.example"],
      ["Access-Control-Request-Method", request.method],
    ]),
    other("TRACE"),
  ];
}

/** All variants of a request. */
export function variantsOf(request: RawRequest, known: Known): Variant[] {
  return [
    ...headers(request, known),
    ...paths(request, known),
    ...queries(request, known),
    ...bodies(request, known),
    ...methods(request),
  ];
}

/** Those of them that may be wrong in a second way beside a first. */
export function crossed(request: RawRequest, known: Known): Variant[] {
  const { body } = request;
  return [
    ...headers(request, { ...known, credentials: known.credentials.slice(-2) }).filter(
      ({ what }) => !/ \d$/.test(what) || what.startsWith("caller"),
    ),
    ...paths(request, known),
    ...queries(request, known).slice(0, 2),
    ...bodies({ ...request, body: "" }, known),
    ...(body === "" ? [] : bodies({ ...request, body: "{" }, known).slice(0, 10)),
  ];
}

/** The same asked of other rows. */
export function elsewhere(request: RawRequest, known: Known): Variant[] {
  return paths(request, known);
}
