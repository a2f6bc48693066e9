/**
 * Compiles the reader of an endpoint's inputs: a request as sent gives typed values or failures.
 * Failures stand in this order: what concerns the message (query, media type, body), then the rows
 * of the tables, then what no table names (repeated and unknown members and parameters).
 */
import type { Endpoint, FailureRow, Input, ItemId, Plan } from "../../plan/index.ts";
import type { Inputs, Value } from "../ports.ts";
import { compileBody } from "./body.ts";
import type { BodyReader } from "./body.ts";
import type { Json, Repeated } from "./json.ts";
import { bodyFormat, isStatedType, parseMediaType } from "./media.ts";
import { parseJson } from "./parse.ts";
import { readCookies, readPairs } from "./query.ts";
import type { Pairs } from "./query.ts";
import { Sink } from "./sink.ts";
import type { Surroundings } from "./sink.ts";
import { namesOf } from "./types.ts";
import type { Names, Read } from "./types.ts";
import { compileValue } from "./value.ts";
import { ABSENT, TOLD, Wrong, blocked } from "./wrong.ts";

/** A request that has found its endpoint, as sent. */
export interface RawRequest {
  /** Decoded parameters of the path. */
  readonly params: ReadonlyMap<string, string>;
  /** What stands after the first `?`, undecoded. */
  readonly query: string;
  /** By lower-case name; lines of one name are joined by `, ` (RFC 9110 section 5.3). */
  readonly headers: ReadonlyMap<string, string>;
  /** The content as text; null: its bytes are not UTF-8; undefined: there is none. */
  readonly body: string | null | undefined;
  readonly bodyBytes: number;
  /** SHA-256 of the content (hex), where the endpoint has an idempotency key. */
  readonly bodyHash?: string;
}

export interface InputReader {
  /** Lower-case names of the headers that reading needs. */
  readonly headers: readonly string[];
  /** An item that reading needs and that is not served. */
  readonly unsupported?: ItemId;
  read(raw: RawRequest, around: Surroundings): Inputs;
}

interface Row {
  readonly input: Input;
  readonly read: Read;
}

interface Compiled {
  readonly rows: readonly Row[];
  readonly known: ReadonlySet<string>;
  readonly ignored: ReadonlySet<string>;
  readonly body?: BodyReader;
  readonly bodyType?: string;
  readonly form: boolean;
  /** The gap that a request with content, or one that must have it, meets. */
  readonly bodyGap?: Wrong;
  /** Position among the rows at which the body is read. */
  readonly bodyAt: number;
  readonly expectsContent: boolean;
}

/** Compiles the reader of one endpoint; `names` may be shared between the endpoints of a plan. */
export function compileInputs(
  plan: Plan,
  endpoint: Endpoint,
  names: Names = namesOf(plan),
): InputReader {
  const stated = endpoint.body.is === "stated" ? endpoint.body.value : undefined;
  const bodyInputs = endpoint.inputs.filter((input) => input.in === "body");
  const formatGap = plan.about.bodyFormat.is === "gap" ? plan.about.bodyFormat.gap : undefined;
  const global = plan.about.bodyFormat.is === "stated" ? plan.about.bodyFormat.value : undefined;
  const type = stated?.format ?? global;
  const reading = stated !== undefined || bodyInputs.length > 0;
  const format = type === undefined ? "json" : bodyFormat(parseMediaType(type)?.essence ?? "");
  const gap =
    endpoint.body.is === "gap" ? endpoint.body.gap : reading && !type ? formatGap : undefined;
  const others = endpoint.inputs.filter((input) => input.in !== "body");
  const firstBody = endpoint.inputs.findIndex((input) => input.in === "body");
  const compiled: Compiled = {
    rows: others.map((input) => ({ input, read: readerOf(input, names) })),
    known: new Set(others.filter((input) => input.in === "query").map((input) => input.name)),
    ignored: ignoredConditions(plan, endpoint),
    body: compileBody(stated, bodyInputs, format === "form" ? "text" : "json", names),
    bodyType: type,
    form: format === "form",
    bodyGap: gap === undefined ? undefined : new Wrong("refused", { is: "gap", gap }),
    bodyAt: firstBody < 0 ? others.length : firstBody,
    expectsContent: ["POST", "PUT", "PATCH"].includes(endpoint.method),
  };
  const file = endpoint.inputs.find((input) => input.type.type.kind === "file")?.id;
  const unread = reading && format === undefined ? (stated?.id ?? endpoint.id) : undefined;
  return {
    headers: headerNames(endpoint),
    unsupported: unread ?? file,
    read: (raw, around) => readInputs(compiled, raw, around),
  };
}

function readerOf(input: Input, names: Names): Read {
  if (input.gap !== undefined) return blocked(input.gap);
  return compileValue({ type: input.type, rules: input.rules, form: "text" }, names);
}

function headerNames(endpoint: Endpoint): string[] {
  const declared = endpoint.inputs
    .filter((input) => input.in === "header")
    .map((input) => input.name.toLowerCase());
  const always = ["content-type", "content-encoding", "if-match", "if-none-match"];
  const cookie = endpoint.inputs.some((input) => input.in === "cookie") ? ["cookie"] : [];
  const key = endpoint.idempotency ? [endpoint.idempotency.header.toLowerCase()] : [];
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
  const sink = new Sink(around, compiled.ignored);
  const { bodyBytes, bodyHash } = raw;
  const pairs = readPairs(raw.query);
  sink.at("query");
  if (!pairs) sink.add("malformed query");
  const content = readContent(compiled, raw, sink);
  const path = new Map<string, unknown>(raw.params);
  const header = new Map<string, unknown>(raw.headers);
  const places = { path, header, query: new Map(), cookie: new Map() };
  const sent = { raw, pairs, cookies: readCookies(raw.headers.get("cookie")) };
  let body: Value;
  for (let i = 0; i <= compiled.rows.length; i++) {
    if (i === compiled.bodyAt) body = readBody(compiled, content, sink);
    const row = compiled.rows[i];
    if (row && row.input.in !== "body") readRow(row, sent, places[row.input.in], sink);
  }
  reportUnnamed(compiled, content, pairs, sink);
  return { ...places, body, failures: sink.failures(body), bodyBytes, bodyHash };
}

interface Sent {
  readonly raw: RawRequest;
  readonly pairs: Pairs | undefined;
  readonly cookies: Pairs;
}

/** Text of one input as sent: several values of one name as a list. */
function textOf(input: Input, sent: Sent): Json | undefined {
  const list = input.type.type.kind === "list";
  if (input.in === "path") return sent.raw.params.get(input.name);
  if (input.in === "header") {
    const value = sent.raw.headers.get(input.name.toLowerCase());
    return list ? value?.split(",").map((item) => item.trim()) : value;
  }
  if (input.in === "cookie") return sent.cookies.get(input.name)?.[0];
  const values = sent.pairs?.get(input.name);
  return values?.length === 1 ? values[0] : values;
}

function readRow(row: Row, sent: Sent, into: Map<string, unknown>, sink: Sink): void {
  const { input } = row;
  const name = input.in === "header" ? input.name.toLowerCase() : input.name;
  if (input.in === "query" && !sent.pairs) return;
  sink.at(input.in);
  into.delete(name);
  sink.enter(input.name);
  const value = row.read(textOf(input, sent), sink);
  sink.leave();
  if (!(value instanceof Wrong)) {
    if (value !== undefined) into.set(name, value);
    else if (input.needed === "yes") sink.wrong(ABSENT, input.name);
  } else if (value.condition === "repeated member") {
    sink.add("repeated query parameter", input.name);
  } else if (value !== TOLD) sink.wrong(value, input.name);
}

/** The tree of the content, or undefined where there is none or it was refused as a whole. */
interface Content {
  readonly tree?: Json;
  readonly repeated: readonly Repeated[];
}

const NO_CONTENT: Content = { repeated: [] };

/** Judges what concerns the whole content: there, of the stated type, well-formed. */
function readContent(compiled: Compiled, raw: RawRequest, sink: Sink): Content {
  sink.at("body");
  const sent = raw.body !== undefined;
  if (compiled.bodyGap && (sent || compiled.expectsContent)) {
    sink.wrong(compiled.bodyGap);
    return NO_CONTENT;
  }
  if (!compiled.body) {
    if (sent) sink.add("body not expected");
    return NO_CONTENT;
  }
  if (!sent) {
    if (compiled.body.needed) sink.add("body absent");
    return NO_CONTENT;
  }
  const coding = raw.headers.get("content-encoding") ?? "identity";
  const typed =
    compiled.bodyType === undefined ||
    isStatedType(raw.headers.get("content-type"), compiled.bodyType);
  if (!typed || coding.toLowerCase() !== "identity") {
    sink.add("other media type");
    return NO_CONTENT;
  }
  const content = compiled.form ? parseForm(raw.body) : parseText(raw.body);
  if (content) return content;
  sink.add("malformed body");
  return NO_CONTENT;
}

function parseText(body: string | null | undefined): Content | undefined {
  const parsed = typeof body === "string" ? parseJson(body) : undefined;
  return parsed?.ok ? { tree: parsed.value, repeated: parsed.repeated } : undefined;
}

function parseForm(body: string | null | undefined): Content | undefined {
  const pairs = typeof body === "string" ? readPairs(body) : undefined;
  if (!pairs) return undefined;
  const tree = new Map<string, Json>();
  for (const [name, values] of pairs) {
    tree.set(name, values.length === 1 ? (values[0] ?? "") : values);
  }
  return { tree, repeated: [] };
}

function readBody(compiled: Compiled, content: Content, sink: Sink): Value {
  if (!compiled.body || content.tree === undefined) return undefined;
  sink.at("body");
  const value = compiled.body.read(content.tree, sink);
  if (!(value instanceof Wrong)) return value;
  if (value !== TOLD) sink.wrong(value);
  return undefined;
}

/** Repeated members and unknown parameters, in the order sent. */
function reportUnnamed(
  compiled: Compiled,
  content: Content,
  pairs: Pairs | undefined,
  sink: Sink,
): void {
  sink.at("body");
  const wrapper = compiled.body?.wrapper;
  for (const { path } of content.repeated) {
    const inside = wrapper !== undefined && path.startsWith(`${wrapper}.`);
    sink.add("repeated member", inside ? path.slice(wrapper.length + 1) : path);
  }
  sink.at("query");
  for (const name of pairs?.keys() ?? []) {
    if (!compiled.known.has(name)) sink.add("unknown query parameter", name);
  }
}
