/** Makes the steps of a history: requests to a plan's endpoints, and moves of the clock. */
import {
  type Endpoint,
  type Field,
  type Input,
  type Plan,
  type Scheme,
  sentName,
  sentPath,
} from "../../src/plan/index.ts";
import { issuerOf } from "../reference/edge.ts";
import { Reference } from "../reference/service.ts";
import { tagOf } from "../reference/steps.ts";
import { instantText, statedDuration } from "../reference/times.ts";
import { decimalText, type Value } from "../reference/values.ts";
import { type Outside, Work } from "../reference/work.ts";
import { copyWorld, type World } from "../reference/world.ts";
import type { Random } from "./random.ts";
import { fieldsSent, type RawRequest } from "./talk.ts";
import { jsonText, keyText, type Making, objectText } from "./values.ts";

export type Step = { readonly seed: number } & (
  | { readonly is: "move"; readonly micros: string }
  /** The service is started anew: after an orderly stop, or on the files as they stand. */
  | { readonly is: "restart"; readonly how: "stop" | "kill" }
  | { readonly is: "request"; readonly request: RawRequest }
);

export interface Surroundings {
  readonly plan: Plan;
  readonly outside: Outside;
  readonly world: World;
  readonly now: bigint;
  readonly random: Random;
  readonly before: readonly Step[];
  /** Whether rare answers are looked for: values that rows hold and that operators give. */
  readonly seeks?: boolean;
}

/** Durations that the plan names, and their neighbours. */
export function durationsOf(plan: Plan): readonly bigint[] {
  const text = JSON.stringify([
    plan.machines,
    plan.limits,
    plan.resources,
    plan.endpoints,
    plan.schemes,
  ]);
  const named = [...text.matchAll(/"(\d+(?:\.\d+)? (?:ms|s|min|h|days?))"/g)].map((hit) =>
    statedDuration(hit[1] ?? "0 s"),
  );
  const inner = [1_000n, 1_000_000n, 60_000_000n, 1_860_000_000n, 86_400_000_000n];
  return [...new Set([...inner, ...named])]
    .flatMap((one) => [one, one - 1n, one + 1n, one / 2n])
    .filter((one) => one > 0n);
}

/** The next step; most are requests that may well succeed. */
export function nextStep(around: Surroundings): Step {
  const { random, plan, before } = around;
  const seed = random.below(2 ** 31);
  if (random.chance(0.08)) {
    return { seed, is: "move", micros: String(random.pick(durationsOf(plan))) };
  }
  if (random.chance(0.03)) return { seed, is: "restart", how: random.pick(["stop", "kill"]) };
  const again = before.filter((one) => one.is === "request").at(-1 - random.below(3));
  if (again !== undefined && random.chance(0.05)) return { ...again, seed };
  const keyed = keyedBefore(plan, before);
  if (keyed !== undefined && random.chance(0.12))
    return { seed, is: "request", request: alike(random, keyed) };
  const endpoint = random.pick(plan.endpoints);
  let request = requestFor(around, endpoint);
  // Most requests are wanted to succeed: so a few are tried on a copy first.
  const tries = random.chance(0.7) ? 8 : 0;
  for (let i = 0; i < tries && !succeeds(around, request); i++)
    request = requestFor(around, endpoint);
  return { seed, is: "request", request };
}

function keyHeader({ idempotency }: Endpoint): string | undefined {
  return idempotency?.header.is === "stated" ? idempotency.header.value : undefined;
}

/** The last request that carried an idempotency key. */
function keyedBefore(plan: Plan, before: readonly Step[]): RawRequest | undefined {
  const names = new Set(plan.endpoints.map((one) => keyHeader(one)?.toLowerCase()));
  const found = before.findLast(
    (one) =>
      one.is === "request" &&
      one.request.body !== "" &&
      one.request.headers.some(([name]) => names.has(name.toLowerCase())),
  );
  return found?.is === "request" ? found.request : undefined;
}

/** The request again: as it was, with the same values in other bytes, or with other values. */
function alike(random: Random, { body, ...rest }: RawRequest): RawRequest {
  const other = random.pick([
    body,
    body,
    body.replace("{", "{ "),
    body.replace(/:(\d+)([,}])/, ":$1.0$2"),
    body.replace(/"([A-Za-z])/, '"$1$1'),
    body.replace("true", "false"),
  ]);
  return { ...rest, body: other };
}

function succeeds({ plan, outside, world, now }: Surroundings, request: RawRequest): boolean {
  const trial = new Reference(plan, outside);
  trial.world = copyWorld(world);
  const body = Uint8Array.from(Buffer.from(request.body, "latin1"));
  return (
    trial.request({ ...request, headers: fieldsSent(request), body, address: "127.0.0.1" }, now)
      .status < 300
  );
}

/** A request to the endpoint that may well succeed. */
export function requestFor(around: Surroundings, endpoint: Endpoint): RawRequest {
  const { random, plan } = around;
  const target = targetOf(around, endpoint);
  const named = [["X-Request-Id", `h${around.now}`]] as const;
  if (random.chance(0.01))
    return { method: "GET", target: `${target.split("?")[0]}/nowhere`, headers: named, body: "" };
  if (random.chance(0.02)) {
    const method = random.pick(["OPTIONS", "DELETE", "PUT", "PATCH", "POST", "GET"]);
    return { method, target, headers: named, body: "" };
  }
  const method = endpoint.method === "GET" && random.chance(0.04) ? "HEAD" : endpoint.method;
  const shown = credentials(around, endpoint);
  const headers: (readonly [string, string])[] = joined([
    ...named,
    ...shown.headers,
    ...ownHeaders(around, endpoint),
  ]);
  const json = bodyOf(around, endpoint);
  const isForm = formatOf(plan, endpoint).startsWith("application/x-www-form");
  const body = isForm && json !== "" && random.chance(0.98) ? formOf(around, json) : json;
  if (body !== "") {
    const type = random.chance(0.02) ? "text/plain" : formatOf(plan, endpoint);
    headers.push(["Content-Type", type]);
  }
  const asked =
    shown.query === "" ? target : `${target}${target.includes("?") ? "&" : "?"}${shown.query}`;
  return { method, target: asked, headers, body };
}

/** The media type of the body that the endpoint reads. */
function formatOf({ about: { bodyFormat } }: Plan, { format }: Endpoint): string {
  return format ?? (bodyFormat.is === "stated" ? bodyFormat.value : "application/json");
}

/** Header fields with one Cookie field for all cookies. */
function joined(headers: readonly (readonly [string, string])[]): (readonly [string, string])[] {
  const cookies = headers.filter(([name]) => name === "Cookie").map(([, value]) => value);
  const others = headers.filter(([name]) => name !== "Cookie");
  return cookies.length === 0 ? others : [...others, ["Cookie", cookies.join("; ")]];
}

/** The text with the letters A to Z for a to z, and those for these. */
function otherCase(text: string): string {
  return text.replace(/[a-z]/gi, (one) => (one < "a" ? one.toLowerCase() : one.toUpperCase()));
}

function paramText(making: Surroundings, endpoint: Endpoint, param: string): string {
  const binding = endpoint.bindings.find((each) => each.param === param);
  if (binding !== undefined) {
    const text = keyText(making, binding.resource, binding.by);
    return binding.anyCase && making.random.chance(0.5) ? otherCase(text) : text;
  }
  const input = endpoint.inputs.find((each) => each.in === "path" && each.name === param);
  return input === undefined ? "x" : plainText(making, input);
}

function targetOf(making: Surroundings, endpoint: Endpoint): string {
  const { plan, random } = making;
  const { basePath } = plan.about;
  const base = basePath.is === "stated" ? basePath.value : "";
  const path = endpoint.path.map((one) => {
    if ("literal" in one) return one.literal;
    const { before = "", after = "", rest } = one;
    const value = paramText(making, endpoint, one.param) || "x";
    const own = `${before}${encodeURIComponent(value)}${after}`;
    // Sometimes with more than it may have.
    return rest && random.chance(0.5) ? `${own}/${random.pick(["y", "y/z", "", "%2F"])}` : own;
  });
  const pairs = endpoint.inputs
    .filter((one) => one.in === "query")
    .flatMap((input) => {
      if (!random.chance(input.needed === "yes" ? 0.95 : 0.35)) return [];
      const count = input.type.type.kind === "list" ? 1 + random.below(3) : 1;
      if (/^(map|structure)$/.test(input.type.type.kind)) return nestedPairs(making, input);
      return Array.from(
        { length: count },
        () =>
          `${encodeURIComponent(sentName(input))}=${encodeURIComponent(plainText(making, input))}`,
      );
    });
  if (pairs[0] !== undefined && random.chance(0.02)) pairs.push(pairs[0]);
  if (random.chance(0.02)) pairs.push("unheard=1");
  if (random.chance(0.005)) pairs.push("%zz");
  return `${base}/${path.join("/")}${pairs.length === 0 ? "" : `?${pairs.join("&")}`}`;
}

/** A JSON value as names of a query or a form. */
function flattened({ plan }: Pick<Surroundings, "plan">, value: unknown, name: string): string[] {
  const { nesting } = plan.about;
  const hasDots = nesting.is === "stated" && nesting.value === "dots";
  if (typeof value !== "object" || value === null) {
    const text = value === null ? "" : String(value);
    return [`${encodeURIComponent(name)}=${encodeURIComponent(text)}`];
  }
  return Object.entries(value).flatMap(([key, one]) =>
    flattened({ plan }, one, hasDots ? `${name}.${key}` : `${name}[${key}]`),
  );
}

/** A part or a map as names of a query. */
function nestedPairs(making: Surroundings, input: Input): string[] {
  const text = jsonText(making, input.type, input.rules, 0.04);
  return flattened(making, JSON.parse(text), sentName(input));
}

/** A body made as JSON, as a form. */
function formOf(making: Surroundings, body: string): string {
  try {
    const read: unknown = JSON.parse(body);
    if (typeof read !== "object" || read === null) return body;
    return Object.entries(read)
      .flatMap(([name, one]) => flattened(making, one, name))
      .join("&");
  } catch {
    // It was made to be wrong.
    return body;
  }
}

/** A value as it stands in a path, query, header or cookie. */
function plainText(making: Surroundings, input: Input): string {
  const { random, plan, world } = making;
  const held = making.seeks === true && random.chance(0.6) ? heldText(making, input) : undefined;
  if (held !== undefined) return held.startsWith('"') ? (JSON.parse(held) as string) : held;
  const rows = plan.resources.flatMap((one) =>
    (world.rows.get(one.name) ?? []).flatMap((row) => {
      const value = row.values.get(input.name) ?? row.values.get(one.key ?? "");
      return typeof value === "string" ? [value] : [];
    }),
  );
  const isFree =
    input.type.type.kind === "string" && input.rules.every((rule) => rule.kind === "absent means");
  if (isFree && rows.length > 0 && random.chance(0.6)) return random.pick(rows);
  const { type } = input.type;
  const json =
    type.kind === "list"
      ? jsonText(making, type.of, [], 0.04)
      : jsonText(making, input.type, input.rules, 0.04);
  const value: unknown = JSON.parse(json);
  return typeof value === "string" ? value : json;
}

/** Characters that a header may carry. */
function headerText(text: string): string {
  return text.replace(/[^\x21-\x7e]/g, "-");
}

function ownHeaders(around: Surroundings, endpoint: Endpoint): [string, string][] {
  const { random, world, plan, outside, now } = around;
  const made: [string, string][] = [];
  const key = keyHeader(endpoint);
  if (key !== undefined && random.chance(0.95)) made.push([key, `k${random.below(6)}`]);
  for (const input of endpoint.inputs) {
    if (!random.chance(input.needed === "yes" ? 0.97 : 0.4)) continue;
    if (input.in === "header" && input.name !== key) {
      made.push([input.name, headerText(plainText(around, input)) || "x"]);
    }
    if (input.in === "cookie") {
      made.push([
        "Cookie",
        `${sentName(input)}=${headerText(plainText(around, input)).replace(/[;",]/g, "")}`,
      ]);
    }
  }
  const { resource = "" } = endpoint.bindings[0] ?? {};
  const isShown =
    endpoint.method === "GET" &&
    plan.resources.some((one) => one.name === resource && one.versionTag !== undefined);
  if (isShown && random.chance(0.4)) {
    made.push(["If-None-Match", random.pick(['"1"', 'W/"1", "2"', "*", '"0"'])]);
  }
  const tagged = endpoint.steps.some((step) => step.kind === "check tag");
  if (tagged && random.chance(0.92)) {
    const rows = world.rows.get(resource) ?? [];
    const work = new Work(plan, outside, copyWorld(world), now);
    const { key: at } = rows.at(-1) ?? { key: 0 };
    const tag = at === 0 ? '"1"' : tagOf(work, { resource, key: at });
    made.push([
      "If-Match",
      random.chance(0.15) ? random.pick(['"0"', "*", `W/${tag}`, `"x", ${tag}`]) : (tag ?? '"1"'),
    ]);
  }
  return made;
}

/** The member of the caller's row that its Caller condition compares with the credential. */
function secretsOf({ plan, world }: Surroundings, scheme: Scheme): readonly string[] {
  const resource = scheme.caller.is === "stated" ? scheme.caller.value.resource : "";
  const fields = plan.resources.find((one) => one.name === resource)?.fields ?? [];
  const secret = fields.filter((one) => one.type.type.kind === "secret").map((one) => one.name);
  // With a password goes a user name: one of the row's texts.
  const texts =
    scheme.sent.is === "stated" && scheme.sent.value.in === "basic"
      ? fields.filter((one) => one.type.type.kind === "string").map((one) => one.name)
      : undefined;
  return (world.rows.get(resource) ?? []).flatMap((row) =>
    secret.flatMap((name) => {
      const value = row.values.get(name);
      const plain =
        typeof value === "object" && value !== null && "plain" in value ? value.plain : value;
      if (typeof plain !== "string") return [];
      return texts === undefined
        ? [plain]
        : texts.map((one) => `${String(row.values.get(one))}:${plain}`);
    }),
  );
}

/** Those, with an empty password, and the texts that the operator gives. */
function allSecretsOf(around: Surroundings, scheme: Scheme): readonly string[] {
  const isBasic = scheme.sent.is === "stated" && scheme.sent.value.in === "basic";
  const known = secretsOf(around, scheme);
  const alone = isBasic ? known.map((one) => `${one.slice(one.indexOf(":") + 1)}:`) : [];
  const given = [...around.outside.settings.values()].filter((one) => typeof one === "string");
  return [...known, ...alone, ...(isBasic ? given.map((one) => `${one}:`) : given)];
}

interface Shown {
  readonly headers: readonly (readonly [string, string])[];
  /** A part of the query, without `?` or `&`. */
  readonly query: string;
}

function credentials(around: Surroundings, endpoint: Endpoint): Shown {
  const { plan, random } = around;
  const [first] = plan.schemes;
  const scheme = around.seeks === true && first !== undefined ? random.pick(plan.schemes) : first;
  const none: Shown = { headers: [], query: "" };
  const header = (name: string, value: string): Shown => ({ headers: [[name, value]], query: "" });
  if (scheme?.sent.is !== "stated" || endpoint.who.is !== "stated") return none;
  const open = endpoint.who.value.every(
    (name) => plan.actors.find((one) => one.name === name)?.holds.is === "always",
  );
  if (random.chance(open ? 0.8 : 0.04)) return none;
  const text = random.chance(0.05)
    ? random.pick(["x", "a.b.c", "bk_zzz", "Bearer"])
    : credential(around, scheme);
  const place = scheme.sent.value;
  if (text === undefined) return none;
  if (place.in === "cookie") return header("Cookie", `${place.name}=${text}`);
  if (place.in === "basic")
    return header("Authorization", `Basic ${Buffer.from(text).toString("base64")}`);
  if (place.in !== "header")
    return { headers: [], query: `${place.name}=${encodeURIComponent(text)}` };
  return header(place.name, random.chance(0.02) ? text : `${place.before}${text}${place.after}`);
}

function credential(around: Surroundings, scheme: Scheme): string | undefined {
  const { plan, random, world, outside, now } = around;
  const stated = scheme.credential.is === "stated" ? scheme.credential.value : undefined;
  if (stated === undefined) return undefined;
  if (stated.is !== "jwt") {
    const known = around.seeks === true ? allSecretsOf(around, scheme) : secretsOf(around, scheme);
    if (known.length === 0) return undefined;
    return random.chance(0.4) ? known[0] : random.pick(known);
  }
  const resource = scheme.caller.is === "stated" ? scheme.caller.value.resource : "";
  const rows = world.rows.get(resource) ?? [];
  if (rows.length === 0) return undefined;
  const { key } = random.chance(0.4) ? (rows[0] as (typeof rows)[number]) : random.pick(rows);
  const old = random.chance(0.04) ? 90_000_000_000n * 30n : 0n;
  const issue = issuerOf(new Work(plan, outside, copyWorld(world), now - old));
  const token = issue?.({ resource, key });
  if (token === undefined || !random.chance(0.04)) return token;
  const [head = "", claims = "", signature = ""] = token.split(".");
  const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString("base64url");
  return random.pick([
    `${head}.${claims}.${signature.split("").reverse().join("")}`,
    `${none}.${claims}.`,
    `${none}.${claims}.${signature}`,
    `${head}.${claims}`,
  ]);
}

function bodyOf(making: Surroundings, endpoint: Endpoint): string {
  const { random } = making;
  const rows = endpoint.inputs.filter((one) => one.in === "body");
  const stated = endpoint.body.is === "stated" ? endpoint.body.value : undefined;
  if (stated === undefined && rows.length === 0) return random.chance(0.03) ? "{}" : "";
  if (random.chance(0.015)) return "";
  const text = wholeBody(making, endpoint);
  if (random.chance(0.015)) return text.slice(0, random.below(text.length));
  return Buffer.from(text, "utf8").toString("latin1");
}

function wholeBody(making: Surroundings, endpoint: Endpoint): string {
  const { random } = making;
  const members: [string, number, () => string][] = [];
  /** Members of a row, which stand beside the inputs. */
  let beside = "{}";
  const stated = endpoint.body.is === "stated" ? endpoint.body.value : undefined;
  if (stated?.content.is === "type" && stated.member === undefined) {
    return jsonText(making, stated.content.type, stated.rules);
  }
  if (stated !== undefined) {
    const { content, member } = stated;
    const inner =
      content.is === "type"
        ? () => jsonText(making, content.type, stated.rules)
        : () => resourceBody(making, content.resource, content.is);
    const isAlone = endpoint.inputs.every((one) => one.in !== "body");
    if (member === undefined && isAlone) return inner();
    if (member === undefined) beside = inner();
    else members.push([member, 0.98, inner]);
  }
  const nested = new Map<string, [string, number, () => string][]>();
  for (const input of endpoint.inputs.filter((one) => one.in === "body")) {
    const path = [...sentPath(input)];
    const name = path.pop() ?? "";
    const chance = input.needed === "yes" ? 0.97 : 0.5;
    const list = path.length === 0 ? members : (nested.get(path[0] ?? "") ?? []);
    list.push([name, chance, () => valueOf(making, endpoint, input)]);
    if (path.length > 0) nested.set(path[0] ?? "", list);
  }
  for (const [name, inner] of nested) members.push([name, 0.98, () => objectText(random, inner)]);

  const made = objectText(random, members);
  if (!beside.startsWith("{") || beside === "{}") return made;
  return made === "{}" ? beside : `${beside.slice(0, -1)},${made.slice(1)}`;
}

/** JSON text of a time, as it is sent. */
function timeText(micros: bigint, wire: string | undefined): string {
  if (wire === "unix seconds") return String(micros / 1_000_000n);
  if (wire === "unix milliseconds") return String(micros / 1_000n);
  return JSON.stringify(instantText(micros, micros % 1_000_000n === 0n ? 0 : 6));
}

/** JSON text of a value of the input's kind that some row holds. */
function heldText(
  { plan, random, world }: Pick<Surroundings, "plan" | "random" | "world">,
  { name, type }: Pick<Input, "name" | "type">,
): string | undefined {
  const own = name.split(".").at(-1) ?? "";
  const texts = plan.resources.flatMap((resource) =>
    resource.fields.flatMap((field) => {
      const { kind } = field.type.type;
      const isDay = type.type.kind === "date" && kind === "timestamp";
      const alike = kind === type.type.kind || kind === "secret" || isDay;
      if (field.name !== own && !alike) return [];
      return (world.rows.get(resource.name) ?? []).flatMap(({ values }): string[] => {
        const value = values.get(field.name);
        if (typeof value === "bigint" && field.type.type.kind === "timestamp") {
          if (isDay) return [JSON.stringify(instantText(value, 0).slice(0, "2026-01-01".length))];
          return type.type.kind === "timestamp" ? [timeText(value, type.type.wire)] : [];
        }
        if (typeof value === "bigint") {
          const { places = 0 } = field.type.type.kind === "decimal" ? field.type.type : {};
          return [decimalText(value, places)];
        }
        if (typeof value === "string") return [JSON.stringify(value)];
        const isKept = typeof value === "object" && value !== null && "plain" in value;
        return isKept ? [JSON.stringify(value.plain)] : [];
      });
    }),
  );
  return texts.length === 0 ? undefined : random.pick(texts);
}

/** A list of a text that a row has, where the list has the name of all such rows. */
function namedTexts(
  { plan, random, world }: Surroundings,
  { name, type: { type } }: Input,
): string | undefined {
  if (type.kind !== "list" || type.of.type.kind !== "string") return undefined;
  const resource = plan.resources.find(({ many }) => many === name.split(".").at(-1));
  const texts = (world.rows.get(resource?.name ?? "") ?? []).flatMap(({ values }) =>
    [...values.values()].filter((one) => typeof one === "string"),
  );
  return texts.length === 0 ? undefined : JSON.stringify([random.pick(texts)]);
}

/** A value for a body row: often one that some row has, so that look-ups find something. */
function valueOf(making: Surroundings, _endpoint: Endpoint, input: Input): string {
  const { plan, random, world } = making;
  const held = making.seeks === true && random.chance(0.5) ? heldText(making, input) : undefined;
  if (held !== undefined) return held;
  const last = input.name.split(".").at(-1) ?? "";
  const known: Value[] = plan.resources.flatMap((one) =>
    (world.rows.get(one.name) ?? []).map((row) => row.values.get(last)),
  );
  const texts = known.flatMap((one) =>
    typeof one === "string"
      ? [one]
      : typeof one === "object" && one !== null && "plain" in one
        ? [one.plain]
        : [],
  );
  if (texts.length > 0 && random.chance(0.5)) return JSON.stringify(random.pick(texts));
  const named = making.seeks === true && random.chance(0.5) ? namedTexts(making, input) : undefined;
  if (named !== undefined) return named;
  const isKeys = input.type.type.kind === "list" && input.type.type.of.type.kind === "string";
  if (isKeys && random.chance(0.8)) {
    const keys = plan.resources.flatMap((one) =>
      (world.rows.get(one.name) ?? []).flatMap((row) => {
        const key = row.values.get(one.key ?? "");
        return typeof key === "string" ? [key] : [];
      }),
    );
    if (keys.length > 0) return JSON.stringify([random.pick(keys), random.pick(keys)]);
  }
  return jsonText(making, input.type, input.rules, 0.04);
}

/** Now and then a text that another row has, so that what has to be unique meets its like. */
function knownText(
  { random, world }: Making,
  resource: string,
  { name, type, rules }: Field,
): string | undefined {
  if (type.type.kind !== "string" || !random.chance(0.25)) return undefined;
  const known = (world.rows.get(resource) ?? [])
    .map((row) => row.values.get(name))
    .filter((one) => typeof one === "string");
  if (known.length === 0) return undefined;
  const text = random.pick(known);
  const isAnyCase = rules.some((rule) => rule.kind === "unique" && rule.anyCase);
  return JSON.stringify(isAnyCase && random.chance(0.5) ? otherCase(text) : text);
}

/** Where rare answers are looked for, now and then what a row has: the same time, the same place. */
function heldBefore(making: Making & { readonly seeks?: boolean }, field: Field) {
  const { plan, random, world, seeks } = making;
  if (seeks !== true || !random.chance(0.3)) return undefined;
  return heldText({ plan, random, world }, field);
}

function resourceBody(making: Making, resource: string, mode: "new" | "changed"): string {
  const { plan, random } = making;
  const fields = plan.resources.find((one) => one.name === resource)?.fields ?? [];
  return objectText(
    random,
    fields.map((field) => {
      const given = mode === "new" ? field.create : field.update;
      const chance =
        given.is === "no" || given.is === "gap"
          ? 0.01
          : given.is === "required"
            ? 0.98
            : mode === "new"
              ? 0.5
              : 0.4;
      return [
        sentName(field),
        chance,
        () =>
          heldBefore(making, field) ??
          knownText(making, resource, field) ??
          jsonText(making, field.type, field.rules, 0.04),
      ];
    }),
  );
}
