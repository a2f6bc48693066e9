/**
 * Compiles the reader of an endpoint's inputs: a request as sent gives typed values or failures.
 * Failures stand in this order: what concerns the message (query, media type, body), then the rows
 * of the tables by their place, then what no table names (repeated and unknown members and
 * parameters).
 */
import {
  type Endpoint,
  type FailureRow,
  type Input,
  type ItemId,
  isStated,
  type Plan,
  sentName,
  statedOf,
} from "../../plan/index.ts";
import type { Inputs, Value } from "../ports/index.ts";
import type { Json, Repeated } from "../wire/json.ts";
import { mayNest, type Nesting, nest } from "../wire/nested.ts";
import type { Pairs } from "../wire/query.ts";
import { readCookies, readPairs } from "../wire/query.ts";
import { TOLD, unknown, Wrong } from "../wire/wrong.ts";
import type { BodyReader } from "./body.ts";
import { compileBody, compileInput, lackingOf } from "./body.ts";
import type { Content, ContentReader } from "./content.ts";
import { compileContent } from "./content.ts";
import type { Surroundings } from "./failure-collector.ts";
import { FailureCollector } from "./failure-collector.ts";
import type { Names, RawRequest, Read } from "./names.ts";
import { namesOf } from "./names.ts";

export interface InputReader {
  /** Lower-case names of the headers that reading needs. */
  readonly headers: readonly string[];
  /** Whether the content is to be given in base64, for it is no text. */
  readonly binary: boolean;
  /** A body whose media type has no form for what the document states of it. */
  readonly unsupported?: ItemId;
  read(raw: RawRequest, around: Surroundings): Inputs;
}

interface Row {
  readonly input: Input;
  /** Whether its value is a list, whose items a header has between commas. */
  readonly isList: boolean;
  readonly read: Read;
  /** What is wrong where it is not sent; undefined: nothing. */
  readonly lacking: Wrong | undefined;
}

interface Compiled {
  readonly rows: readonly Row[];
  readonly known: ReadonlySet<string>;
  readonly ignored: ReadonlySet<string>;
  readonly body?: BodyReader;
  readonly content: ContentReader;
  readonly nesting: Nesting | undefined;
  /** The gap that a name of a query meets which may nest, and is not known as it stands. */
  readonly unnested: Wrong | undefined;
}

/** The order in which inputs are checked; the body comes last. */
const PLACES = ["path", "query", "header", "cookie"] as const;

/** Shared, and so never written to. */
const NOTHING = new Map<string, unknown>();

/** Compiles the reader of one endpoint; `names` may be shared between the endpoints of a plan. */
export function compileInputs(
  plan: Plan,
  endpoint: Endpoint,
  names: Names = namesOf(plan),
): InputReader {
  const bodyInputs = endpoint.inputs.filter((input) => input.in === "body");
  const others = PLACES.flatMap((place) => endpoint.inputs.filter((input) => input.in === place));
  const stated = statedOf(endpoint.body);
  const content = compileContent(plan, endpoint, names);
  const body = compileBody(stated, bodyInputs, content.form, names);
  const compiled: Compiled = {
    rows: others.map((input) => ({
      input,
      isList: isList(input, names),
      read: compileInput(input, "text", names),
      lacking: lackingOf(input),
    })),
    known: new Set([
      ...queryNames(plan, endpoint),
      ...others.filter((input) => input.in === "query").map(sentName),
    ]),
    ignored: ignoredConditions(plan, endpoint),
    body,
    content,
    nesting: names.nesting,
    unnested: names.nestingGap === undefined ? undefined : unknown(names.nestingGap),
  };
  return {
    headers: headerNames(endpoint),
    binary: content.binary,
    unsupported: content.unread,
    read: (raw, around) => readInputs(compiled, raw, around),
  };
}

function isList({ type: { type } }: Input, { schemas }: Names): boolean {
  if (type.kind === "schema") return schemas.textForm(type.name)?.is === "list";
  return type.kind === "list";
}

/** Parameters that the service reads for itself: a version, and credentials where they are read. */
function queryNames(
  { versioning: { chosenBy }, schemes, actors }: Plan,
  { who }: Endpoint,
): readonly string[] {
  const choice = statedOf(chosenBy);
  const version = choice?.by === "query" ? [choice.name] : [];
  const asked = statedOf(who) ?? [];
  const always = actors.filter((one) => one.holds.is === "always").map((one) => one.name);
  if (asked.every((one) => always.includes(one))) return version;
  return [
    ...version,
    ...schemes.flatMap(({ sent }) => {
      const place = statedOf(sent);
      return place?.in === "query" ? [place.name] : [];
    }),
  ];
}

function headerNames(endpoint: Endpoint): string[] {
  const declared = endpoint.inputs
    .filter((input) => input.in === "header")
    .map((input) => input.name.toLowerCase());
  const always = ["content-type", "content-encoding", "if-match", "if-none-match"];
  const cookie = endpoint.inputs.some((input) => input.in === "cookie") ? ["cookie"] : [];
  const carrier = endpoint.idempotency?.header;
  const key = isStated(carrier) ? [carrier.value.toLowerCase()] : [];
  return [...new Set([...always, ...cookie, ...key, ...declared])];
}

/** Conditions that the endpoint, or else the service, states to be ignored. */
function ignoredConditions(plan: Plan, endpoint: Endpoint): ReadonlySet<string> {
  const answers = new Map<string, FailureRow["answer"]["is"]>();
  for (const row of [...plan.failures, ...endpoint.failures]) {
    answers.set(row.condition, row.answer.is);
  }
  return new Set([...answers].filter(([, is]) => is === "ignored").map(([name]) => name));
}

function readInputs(compiled: Compiled, raw: RawRequest, around: Surroundings): Inputs {
  const sink = new FailureCollector(around, compiled.ignored);
  const { bodyBytes, bodyHash } = raw;
  const pairs = readPairs(raw.query);
  const query = pairs && queryOf(compiled, pairs);
  sink.at("query", compiled.nesting);
  if (!query) sink.add("malformed query");
  const content = compiled.content.read(raw, compiled.body, sink);
  const places = placesOf(compiled, raw);
  const sent = { raw, query, cookies: readCookies(raw.headers.get("cookie")) };
  for (const row of compiled.rows) {
    if (row.input.in === "body") continue;
    sink.at(row.input.in, row.input.in === "query" ? compiled.nesting : undefined);
    readRow(row, sent, places[row.input.in], sink);
  }
  const body = readBody(compiled, content, sink);
  reportUnnamed(compiled, content, query, sink);
  const failures = sink.failures(body !== undefined);
  const { met: ignored } = sink;
  return {
    ...places,
    body,
    failures,
    ...(ignored === undefined ? {} : { ignored }),
    bodyBytes,
    bodyHash,
  };
}

type Places = Record<(typeof PLACES)[number], Map<string, unknown>>;

/** Where values go; what no row reads stays as it was sent. */
function placesOf({ rows }: Compiled, { params, headers }: RawRequest): Places {
  const reads = (place: string): boolean => rows.some(({ input }) => input.in === place);
  return {
    path: reads("path") ? new Map<string, unknown>(params) : (params as Map<string, unknown>),
    header: reads("header") ? new Map<string, unknown>(headers) : (headers as Map<string, unknown>),
    query: reads("query") ? new Map() : NOTHING,
    cookie: reads("cookie") ? new Map() : NOTHING,
  };
}

/** A query by the names that its values stand under. */
interface Query {
  readonly values: ReadonlyMap<string, Json>;
  /** Names that stand for a value, and for what holds values. */
  readonly repeated: readonly Repeated[];
}

interface Sent {
  readonly raw: RawRequest;
  readonly query: Query | undefined;
  readonly cookies: Pairs;
}

/** Undefined where it nests too deep. */
function queryOf({ nesting, known }: Compiled, pairs: Pairs): Query | undefined {
  const values = new Map<string, Json>();
  for (const [name, all] of pairs) values.set(name, all.length === 1 ? (all[0] ?? "") : all);
  if (nesting === undefined) return { values, repeated: [] };
  const found = nest(values, nesting, known);
  return found && { values: found.tree, repeated: found.repeated };
}

/** Text of one input as sent: several values of one name as a list. */
function textOf({ input, isList }: Row, sent: Sent): Json | undefined {
  if (input.in === "path") return sent.raw.params.get(input.name);
  if (input.in === "header") {
    const value = sent.raw.headers.get(input.name.toLowerCase());
    return isList ? value?.split(",").map((item) => item.trim()) : value;
  }
  if (input.in === "cookie") return sent.cookies.get(sentName(input))?.[0];
  return sent.query?.values.get(sentName(input));
}

function readRow(row: Row, sent: Sent, into: Map<string, unknown>, sink: FailureCollector): void {
  const { input } = row;
  const name = input.in === "header" ? input.name.toLowerCase() : input.name;
  // What stands in an unknown place is met by every request, whatever its query is.
  if (input.in === "query" && !sent.query && input.gaps?.in === undefined) return;
  into.delete(name);
  const shown = sentName(input);
  sink.enter(shown);
  const value = row.read(textOf(row, sent), sink);
  sink.leave();
  if (!(value instanceof Wrong)) {
    if (value !== undefined) {
      into.set(name, value);
      // Expressions read a header by its name as the table has it.
      if (name !== input.name) into.set(input.name, value);
    } else if (row.lacking !== undefined) sink.wrong(row.lacking, shown);
  } else if (value.condition === "repeated member") {
    sink.add("repeated query parameter", shown);
  } else if (value !== TOLD) sink.wrong(value, shown);
}

function readBody(compiled: Compiled, content: Content, sink: FailureCollector): Value {
  if (!compiled.body || content.tree === undefined) return undefined;
  sink.at("body", compiled.content.nesting);
  const value = compiled.body.read(content.tree, sink);
  if (!(value instanceof Wrong)) return value;
  if (value !== TOLD) sink.wrong(value);
  return undefined;
}

/** Repeated members and unknown parameters, in the order sent. */
function reportUnnamed(
  compiled: Compiled,
  content: Content,
  query: Query | undefined,
  sink: FailureCollector,
): void {
  sink.at("body");
  const wrapper = compiled.body?.wrapper;
  const outer = wrapper?.slice(0, wrapper.lastIndexOf(".") + 1) ?? "";
  for (const { path } of content.repeated) {
    const inside = wrapper !== undefined && path.startsWith(`${wrapper}.`);
    sink.add("repeated member", inside ? outer + path.slice(wrapper.length + 1) : path);
  }
  sink.at("query");
  for (const { path } of query?.repeated ?? []) sink.add("repeated query parameter", path);
  for (const name of query?.values.keys() ?? []) {
    if (compiled.known.has(name)) continue;
    if (compiled.unnested && mayNest(name)) sink.wrong(compiled.unnested);
    else sink.add("unknown query parameter", name);
  }
}
