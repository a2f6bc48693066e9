/** Makes requests to endpoints of a plan: what may be sent, and what is wrong on purpose. */
import {
  type Body,
  type Endpoint,
  type Field,
  type Input,
  sentName,
  sentPath,
  statedOf,
} from "../../plan/index.ts";
import type { Row } from "../../run/index.ts";
import { amountOf } from "../world/edge.ts";
import { keyField } from "../world/keys.ts";
import type { Request } from "../world/message.ts";
import { credentialsFor } from "./credentials.ts";
import { encoded, urlEncoded } from "./encoding.ts";
import { exampleFor } from "./examples.ts";
import { fieldText, insideText, linkedText } from "./held.ts";
import { keyText } from "./keys.ts";
import { isKin, referredBy } from "./kin.ts";
import { linkedValues } from "./linked.ts";
import { chanceOf, type Making } from "./making.ts";
import { rowsTogether } from "./paths.ts";
import { tagHeaders } from "./tags.ts";
import { jsonText, type Member, objectText } from "./values.ts";

/** The chance that one that was made before is made by somebody else. */
const BY_OTHERS = 0.25;

/** The same request as another caller makes it. */
export function byOthers(making: Making, endpoint: Endpoint, request: Request): Request {
  const names = new Set(
    making.plan.schemes.flatMap(({ sent }) => {
      const place = statedOf(sent);
      if (place === undefined || place.in === "query") return [];
      return [
        place.in === "header" ? place.name : place.in === "cookie" ? "Cookie" : "Authorization",
      ];
    }),
  );
  const { headers } = credentialsFor(making, endpoint);
  const isOwn = ([name]: readonly [string, string]): boolean => !names.has(name);
  return { ...request, headers: [...headers, ...request.headers.filter(isOwn)] };
}

/** One that was made before: as it was, by another, with the same in other bytes, or others. */
function again(making: Making, endpoint: Endpoint): Request | undefined {
  const { random, before } = making;
  if (before.length === 0) return undefined;
  const picked = random.pick(before);
  const request = random.chance(BY_OTHERS) ? byOthers(making, endpoint, picked) : picked;
  const { body } = request;
  if (body === undefined) return request;
  const other = random.pick([
    body,
    body.replace("{", "{ "),
    body.replace(/:(\d+)([,}])/, ":$1.0$2"),
    body.replace(/"([A-Za-z])/, '"$1$1'),
    body.replace(/:"([A-Za-z])/, ':"$1$1'),
    body.replace("true", "false"),
  ]);
  return { ...request, body: other };
}

/** The chance that values are those of a row, and that it has to do with all that are named. */
const FOCUSED = 0.4;
const NEAR = 0.5;

/** A row whose values a request takes. */
function focusOf({ plan, world, random }: Making, near: readonly Row[]): Row | undefined {
  const isNear = near.length > 0 && random.chance(NEAR);
  const rows = plan.resources.flatMap(({ name }) => {
    const all = world.rows(name);
    if (!isNear) return all.slice(-5);
    return all.filter((row) => near.every((one) => isKin(plan, row, one))).slice(-5);
  });
  return rows.length === 0 ? undefined : random.pick(rows);
}

/** A body that is larger than any limit of its bytes, or has no more than they allow. */
function sized({ plan, random }: Making, body: string): string {
  const limit = random.pick(plan.limits.filter(({ counts }) => counts.is === "body bytes"));
  const amount = amountOf(limit, new Map()) ?? 0n;
  const wanted = Number(amount) + random.pick([0, 1]);
  const missing = wanted - Buffer.byteLength(body);
  // White space is no part of a JSON value.
  return missing > 0 && wanted <= SIZE_MAX ? body.replace(/^\{/, `{${" ".repeat(missing)}`) : body;
}

const SIZE_MAX = 4 * 1024 * 1024;

/** A media type that is stated nowhere, mostly. */
const OTHER_TYPE = "text/plain";

/** The chance that a request is one that was made before. */
const AGAIN = 0.04;
/** The chance that another request has the key of one before. */
const KEY_AGAIN = 0.08;

type Headers = readonly (readonly [name: string, value: string])[];

/** Now and then with the key of a request that was made before. */
function underKeyBefore(
  { random, before, again: chance = KEY_AGAIN }: Making,
  { idempotency }: Endpoint,
  headers: Headers,
): Headers {
  const name = keyField(idempotency);
  if (name === undefined || !random.chance(chance)) return headers;
  const isKey = ([one]: readonly [string, string]): boolean => one.toLowerCase() === name;
  const keys = before.flatMap((one) => one.headers.filter(isKey));
  if (keys.length === 0) return headers;
  return [...headers.filter((one) => !isKey(one)), random.pick(keys)];
}

/** A request to the endpoint, or one that was made before. */
export function requestTo(given: Making, endpoint: Endpoint): Request {
  const { random, plan } = given;
  const repeated = random.chance(given.again ?? AGAIN) ? again(given, endpoint) : undefined;
  if (repeated !== undefined) return repeated;
  const shown = credentialsFor(given, endpoint);
  const calling = { ...given, caller: shown.row };
  const rows = rowsTogether(calling, endpoint);
  const named = [...(rows?.values() ?? []), ...(shown.row === undefined ? [] : [shown.row])];
  const near = referredBy(given, named);
  const linked = linkedValues(calling, endpoint, near);
  const focus = random.chance(FOCUSED) ? focusOf(calling, named) : undefined;
  const making = { ...calling, linked, near, ...(focus && { focus }) };
  const target = targetOf(making, endpoint, { credential: shown.query, rows });
  const headers: [string, string][] = [
    ...versioned(making),
    ...shown.headers,
    ...underKeyBefore(making, endpoint, ownHeaders(making, endpoint)),
    ...tagHeaders(making, endpoint, target),
  ].map(([name, value]) => [name, value]);
  if (random.chance(making.wrong / 4))
    return { method: "GET", target: `${target.split("?")[0]}/nowhere`, headers };
  if (random.chance(making.wrong / 4)) {
    const method = random.pick(["OPTIONS", "DELETE", "PUT", "PATCH", "POST", "GET"]);
    return { method, target, headers };
  }
  const method =
    endpoint.method === "GET" && random.chance(making.wrong) ? "HEAD" : endpoint.method;
  const small = bodyOf(making, endpoint);
  if (small === undefined) return { method, target, headers };
  const hasSizes = plan.limits.some(({ counts }) => counts.is === "body bytes");
  const body = hasSizes && random.chance(making.wrong / 6) ? sized(making, small) : small;
  const sent = encoded(plan, endpoint, body);
  headers.push(["Content-Type", random.chance(making.wrong / 2) ? OTHER_TYPE : sent.mediaType]);
  return { method, target, headers, body: sent.body };
}

function versioned({ plan, random, wrong }: Making): readonly (readonly [string, string])[] {
  const choice = statedOf(plan.versioning.chosenBy);
  const version = statedOf(plan.versioning.version);
  if (choice?.by !== "header" || version === undefined || random.chance(wrong / 4)) return [];
  return [[choice.name, random.chance(wrong / 4) ? "none" : version]];
}

function pathOf(making: Making, endpoint: Endpoint, rows: Rows): string {
  const base = statedOf(making.plan.about.basePath) ?? "";
  const parts = endpoint.path.map((one) => {
    if ("literal" in one) return one.literal;
    const { before = "", after = "", param } = one;
    const text = paramText(making, endpoint, { param, row: rows?.get(param) });
    return `${before}${encodeURIComponent(text || "x")}${after}`;
  });
  return `${base}/${parts.join("/")}`;
}

function paramText(
  making: Making,
  endpoint: Endpoint,
  { param, row }: { readonly param: string; readonly row: Row | undefined },
): string {
  const binding = endpoint.bindings.find((each) => each.param === param);
  const text = row && binding && fieldText(making, row, binding.by);
  if (text !== undefined) return plain(text);
  if (binding !== undefined) return plain(keyText(making, binding.resource, binding.by));
  const input = endpoint.inputs.find((each) => each.in === "path" && each.name === param);
  if (input !== undefined) return plainText(making, input);
  return plain(linkedText(making, param) ?? insideText(making) ?? '"x"');
}

/** JSON text as it stands outside of JSON. */
function plain(json: string): string {
  const value: unknown = JSON.parse(json);
  return typeof value === "string" ? value : json;
}

/** A value as it stands in a path, query, header or cookie. */
function plainText(making: Making, input: Input): string {
  const { random, plan, world } = making;
  const { type } = input.type;
  const linked = linkedText(making, input.name);
  if (linked !== undefined) return plain(linked);
  if (type.kind === "string" && random.chance(0.6)) {
    const texts = plan.resources.flatMap(({ name, fields }) =>
      world.rows(name).flatMap(({ values }) => {
        const at = fields.findIndex((one) => one.name === input.name);
        const value = values[at];
        return typeof value === "string" ? [value] : [];
      }),
    );
    if (texts.length > 0) return random.pick(texts);
  }
  return plain(
    jsonText(making, type.kind === "list" ? type.of : input.type, input.rules, input.name),
  );
}

/** Rows that a path names, by its parameters; undefined: such are not there. */
type Rows = ReturnType<typeof rowsTogether>;

function targetOf(
  making: Making,
  endpoint: Endpoint,
  { credential, rows }: { readonly credential: string; readonly rows: Rows },
): string {
  const { random } = making;
  const pairs = endpoint.inputs
    .filter((one) => one.in === "query")
    .flatMap((input) => {
      const chance = input.needed === "yes" ? 1 - making.wrong : 0.35;
      if (!random.chance(chanceOf(making, input.name, chance))) return [];
      const { type } = input.type;
      const name = encodeURIComponent(sentName(input));
      if (type.kind === "map" || type.kind === "structure") {
        const json = jsonText(making, input.type, input.rules);
        return urlEncoded(making.plan, json, sentName(input));
      }
      const count = type.kind === "list" ? 1 + random.below(3) : 1;
      return Array.from(
        { length: count },
        () => `${name}=${encodeURIComponent(plainText(making, input))}`,
      );
    });
  const choice = statedOf(making.plan.versioning.chosenBy);
  const version = statedOf(making.plan.versioning.version);
  if (choice?.by === "query" && version !== undefined) pairs.push(`${choice.name}=${version}`);
  if (credential !== "") pairs.push(credential);
  if (pairs[0] !== undefined && random.chance(making.wrong / 4)) pairs.push(pairs[0]);
  if (random.chance(making.wrong / 4)) pairs.push("unheard=1");
  return pathOf(making, endpoint, rows) + (pairs.length === 0 ? "" : `?${pairs.join("&")}`);
}

const headerText = (text: string): string => text.replaceAll(/[^\x21-\x7e]/g, "-") || "x";

/** An idempotency key; now and then one about the bounds that are stated for it. */
function keyFor(making: Making, { inputs, idempotency }: Endpoint): string {
  const { random, tag, again: chance } = making;
  const name = statedOf(idempotency?.header ?? { is: "not asked" });
  const input = inputs.find((one) => one.in === "header" && one.name === name);
  const isOften = chance !== 0 && random.chance(0.3);
  const key = `${tag}k${random.below(isOften ? 3 : 1_000)}`;
  if (input === undefined || !random.chance(KEY_ABOUT)) return key;
  return headerText(plainText(making, input));
}

const KEY_ABOUT = 0.1;

function ownHeaders(making: Making, endpoint: Endpoint): [string, string][] {
  const { random } = making;
  const found: [string, string][] = [];
  const key = statedOf(endpoint.idempotency?.header ?? { is: "not asked" });
  if (key !== undefined && !random.chance(making.wrong))
    found.push([key, keyFor(making, endpoint)]);
  for (const input of endpoint.inputs) {
    if (input.in !== "header" && input.in !== "cookie") continue;
    const chance = input.needed === "yes" ? 1 - making.wrong : 0.4;
    if (!random.chance(chanceOf(making, input.name, chance))) continue;
    if (input.in === "header" && input.name !== key) {
      found.push([input.name, headerText(plainText(making, input))]);
    } else if (input.in === "cookie") {
      const value = headerText(plainText(making, input)).replaceAll(/[;",]/g, "");
      found.push(["Cookie", `${sentName(input)}=${value}`]);
    }
  }
  return found;
}

/** The members of a body of a resource's fields. */
function fieldMembers(
  making: Making,
  fields: readonly Field[],
  is: "new" | "changed",
): readonly Member[] {
  return fields.map((field): Member => {
    const given = is === "new" ? field.create.is : field.update.is;
    const isNever = given === "no" || given === "gap";
    const usual = isNever ? making.wrong / 8 : given === "required" ? 1 - making.wrong / 2 : 0.5;
    const isLeftOut = isNever && making.hints?.isTame === true;
    const chance = isLeftOut ? usual : chanceOf(making, field.name, usual);
    return [sentName(field), chance, () => jsonText(making, field.type, field.rules, field.name)];
  });
}

/** The chance that a body has members of one that the document shows. */
const LIKE_EXAMPLE = 0.25;

/** JSON text of a body; undefined: none is sent. */
function bodyOf(given: Making, endpoint: Endpoint): string | undefined {
  const { random, plan } = given;
  const isLike = given.isTagged !== true && random.chance(LIKE_EXAMPLE);
  const making = isLike ? { ...given, example: exampleFor(given, endpoint) } : given;
  const stated = statedOf(endpoint.body);
  const inputs = endpoint.inputs.filter((one) => one.in === "body");
  if (stated === undefined && inputs.length === 0) {
    return random.chance(making.wrong / 4) ? '{"a":1}' : undefined;
  }
  if (random.chance(making.wrong / 4)) return random.pick(["", "{", "[]", "null", '"x"']);
  const own = nestedMembers(
    making,
    inputs.map((input) => {
      const path = sentPath(input);
      const usual = input.needed === "yes" ? 1 - making.wrong / 2 : 0.5;
      const chance = chanceOf(making, input.name, usual);
      const give = () => jsonText(making, input.type, input.rules, input.name);
      return { path, member: [path.at(-1) ?? "", chance, give] };
    }),
  );
  const extra: Member[] = random.chance(making.wrong / 3) ? [["unheard", 1, () => "1"]] : [];
  if (stated === undefined) return objectText(random, [...own, ...extra]);
  if (stated.content.is === "type") {
    const text = () =>
      jsonText(making, (stated.content as { type: Field["type"] }).type, stated.rules);
    return stated.member === undefined ? text() : wrapped(making, stated, text, own);
  }
  const { resource, is } = stated.content;
  const fields = plan.resources.find((one) => one.name === resource)?.fields ?? [];
  const instead = new Set(own.map(([name]) => name));
  const members = fieldMembers(making, fields, is).filter(([name]) => !instead.has(name));
  const text = () => objectText(random, [...members, ...own, ...extra]);
  return stated.member === undefined ? text() : wrapped(making, stated, text, []);
}

function wrapped(
  { random }: Making,
  { member = "" }: Body,
  text: () => string,
  own: readonly Member[],
): string {
  const inner = member
    .split(".")
    .reduceRight<() => string>((give, name) => () => objectText(random, [[name, 1, give]]), text);
  return own.length === 0 ? inner() : objectText(random, [[member, 1, text], ...own]);
}

/** A member of a body, and the names that lead to it. */
interface Within {
  readonly path: readonly string[];
  readonly member: Member;
}

/** Members of a body, some of which stand inside of others. */
function nestedMembers(making: Making, all: readonly Within[]): readonly Member[] {
  const groups = Map.groupBy(all, ({ path: [first = ""] }) => first);
  return [...groups].map(([name, inner]): Member => {
    const [only] = inner;
    if (only !== undefined && only.path.length === 1) return only.member;
    const within = inner.map(({ path, member }) => ({ path: path.slice(1), member }));
    return [name, 0.97, () => objectText(making.random, nestedMembers(making, within))];
  });
}
