/** Parts of requests that can be left out, and texts that can be shorter. */
import { isJsonNumber, isJsonObject, type Json, parseJson } from "../../run/index.ts";
import type { Request } from "../world/message.ts";
import { ddmin } from "./ddmin.ts";
import type { NamedRequest } from "./named.ts";

type Requests = readonly NamedRequest[];
type Test = (some: Requests) => Promise<boolean>;
type Path = readonly (string | number)[];

/** A part of a request: a header, a pair of its query or form, a member or item of its JSON. */
interface Part {
  readonly at: number;
  readonly of: "header" | "query" | "form" | "json";
  readonly path: Path;
}

const isForm = ({ headers }: Request): boolean =>
  headers.some(([name, value]) => /^content-type$/i.test(name) && /x-www-form/i.test(value));

const isJson = ({ headers, body }: Request): boolean =>
  body !== undefined && !isForm({ method: "", target: "", headers });

/** The JSON of a body; undefined: it is none. */
function treeOf(request: Request): Json | undefined {
  if (!isJson(request)) return undefined;
  const parsed = parseJson(request.body ?? "");
  return parsed.ok ? parsed.value : undefined;
}

function pathsIn(tree: Json, path: Path = []): Path[] {
  const inner: readonly (readonly [string | number, Json])[] = Array.isArray(tree)
    ? (tree as readonly Json[]).map((one, i) => [i, one] as const)
    : isJsonObject(tree)
      ? [...tree]
      : [];
  return inner.flatMap(([name, one]) => [[...path, name], ...pathsIn(one, [...path, name])]);
}

const pairsOf = (text: string): readonly string[] => (text === "" ? [] : text.split("&"));
const queryOf = ({ target }: Request): readonly string[] =>
  target.includes("?") ? pairsOf(target.slice(target.indexOf("?") + 1)) : [];

function partsOf({ request }: NamedRequest, at: number): readonly Part[] {
  const numbered = (of: Part["of"], all: readonly unknown[]): Part[] =>
    all.map((_, i) => ({ at, of, path: [i] }));
  const tree = treeOf(request);
  return [
    ...numbered("header", request.headers),
    ...numbered("query", queryOf(request)),
    ...numbered("form", isForm(request) ? pairsOf(request.body ?? "") : []),
    ...(tree === undefined ? [] : pathsIn(tree).map((path) => ({ at, of: "json", path }) as const)),
  ];
}

const keyOf = (path: Path): string => JSON.stringify(path);

/** JSON text without what stands at some paths. */
function written(tree: Json, gone: ReadonlySet<string>, path: Path = []): string {
  const stays = (name: string | number): boolean => !gone.has(keyOf([...path, name]));
  const inner = (one: Json, name: string | number): string => written(one, gone, [...path, name]);
  if (Array.isArray(tree)) {
    const items = (tree as readonly Json[]).flatMap((one, i) => (stays(i) ? [inner(one, i)] : []));
    return `[${items.join(",")}]`;
  }
  if (isJsonObject(tree)) {
    const members = [...tree].flatMap(([name, one]) =>
      stays(name) ? [`${JSON.stringify(name)}:${inner(one, name)}`] : [],
    );
    return `{${members.join(",")}}`;
  }
  if (isJsonNumber(tree)) return tree.numberText;
  return JSON.stringify(tree);
}

function without(named: NamedRequest, parts: readonly Part[]): NamedRequest {
  if (parts.length === 0) return named;
  const { request } = named;
  const gone = (of: Part["of"]): ReadonlySet<string> =>
    new Set(parts.filter((one) => one.of === of).map(({ path }) => keyOf(path)));
  const stay = <T>(of: Part["of"], all: readonly T[]): readonly T[] => {
    const none = gone(of);
    return all.filter((_, i) => !none.has(keyOf([i])));
  };
  const [path = ""] = request.target.split("?");
  const query = stay("query", queryOf(request));
  const tree = treeOf(request);
  const json = gone("json");
  const body =
    tree !== undefined && json.size > 0
      ? written(tree, json)
      : isForm(request) && gone("form").size > 0
        ? stay("form", pairsOf(request.body ?? "")).join("&")
        : request.body;
  return {
    ...named,
    request: {
      method: request.method,
      target: query.length === 0 ? path : `${path}?${query.join("&")}`,
      headers: stay("header", request.headers),
      ...(body === undefined ? {} : { body }),
    },
  };
}

/** Requests in which no header, pair, member or item can be left out. */
export async function withoutParts(all: Requests, test: Test): Promise<Requests> {
  const parts = all.flatMap(partsOf);
  const only = (some: readonly Part[]): Requests => {
    const kept = new Set(some);
    const gone = parts.filter((one) => !kept.has(one));
    return all.map((named, at) =>
      without(
        named,
        gone.filter((one) => one.at === at),
      ),
    );
  };
  return only(await ddmin(parts, (some) => test(only(some))));
}

const TAG = "{{tag}}";
/** Texts up to so many letters are left as they are. */
const SHORT = 3;
const LONG = 40;

/** A text of JSON, and what tells that it is the name of a member. */
const TEXT = /("(?:[^"\\]|\\.)*")(\s*:)?/g;

const textOf = (literal: string): string => JSON.parse(literal) as string;

/** Texts of bodies, in their order, each once. */
function textsIn(all: Requests): readonly string[] {
  const bodies = all.flatMap(({ request }) =>
    treeOf(request) === undefined ? [] : [request.body ?? ""],
  );
  const found = bodies.flatMap((body) =>
    [...body.matchAll(TEXT)].flatMap(([, literal = "", name]) => (name ? [] : [textOf(literal)])),
  );
  return [...new Set(found)].filter((one) => one.length > SHORT && !/\{\{(?!tag\}\})/.test(one));
}

/** A text in the place of another, in bodies, paths and queries; all else stays, space too. */
function replaced(all: Requests, other: ReadonlyMap<string, string>): Requests {
  const text = (all: string, literal: string, name: string | undefined): string => {
    const found = name === undefined ? other.get(textOf(literal)) : undefined;
    return found === undefined ? all : JSON.stringify(found);
  };
  const encoded = new Map([...other].map(([from, to]) => [sent(from), sent(to)] as const));
  return all.map((named) => {
    const { request } = named;
    const isRewritten = treeOf(request) !== undefined;
    const body = isRewritten ? request.body?.replaceAll(TEXT, text) : request.body;
    const target = request.target
      .split(/([/?&=])/)
      .map((part) => encoded.get(part) ?? part)
      .join("");
    return { ...named, request: { ...request, target, ...(body === undefined ? {} : { body }) } };
  });
}

/** As it stands in an address. */
const sent = (text: string): string =>
  encodeURIComponent(text).replaceAll(encodeURIComponent(TAG), TAG);

/** Requests whose texts are as short as may be: the letters of the run, and one or two more. */
export async function withShortTexts(all: Requests, test: Test): Promise<Requests> {
  const texts = textsIn(all);
  const short = await rewritten(
    all,
    new Map(texts.map((one, i) => [one, TAG + i.toString(36)])),
    test,
  );
  // What has to be long can be dull.
  const long = textsIn(short).filter((one) => one.length > LONG && one.includes(TAG));
  const dull = long.map((one): [string, string] => [one, TAG.padEnd(one.length, "a")]);
  return rewritten(short, new Map(dull), test);
}

/** The requests with as many texts in the place of others as still show it. */
async function rewritten(
  all: Requests,
  given: ReadonlyMap<string, string>,
  test: Test,
): Promise<Requests> {
  const other = [...given].filter(([from, to]) => from !== to);
  const without = (some: readonly (readonly [string, string])[]): Requests =>
    replaced(all, new Map(other.filter((one) => !some.includes(one))));
  return other.length === 0 ? all : without(await ddmin(other, (some) => test(without(some))));
}
