/** Reads the content of a request as a whole: there, of the stated media type, well-formed. */
import {
  type Endpoint,
  gapOf,
  type ItemId,
  type Plan,
  sentName,
  statedOf,
  type ValueType,
} from "../../plan/index.ts";
import { fileText } from "../wire/file.ts";
import type { Json, Repeated } from "../wire/json.ts";
import { type BodyFormat, bodyFormat, isStatedType, parseMediaType } from "../wire/media.ts";
import { parseMultipart } from "../wire/multipart.ts";
import { mayNest, type Nesting, nest, pathOf } from "../wire/nested.ts";
import { parseJson } from "../wire/parse.ts";
import { readPairs } from "../wire/query.ts";
import { unknown, Wrong } from "../wire/wrong.ts";
import type { BodyReader } from "./body.ts";
import type { FailureCollector } from "./failure-collector.ts";
import type { Form, Names, RawRequest } from "./names.ts";

/** The tree of the content, or undefined where there is none or it was refused as a whole. */
export interface Content {
  readonly tree?: Json;
  readonly repeated: readonly Repeated[];
}

export interface ContentReader {
  /** How the members of the body stand in it. */
  readonly form: Form;
  /** How names nest in it, where they do. */
  readonly nesting: Nesting | undefined;
  readonly binary: boolean;
  /** The item whose form the media type does not have. */
  readonly unread: ItemId | undefined;
  read(raw: RawRequest, body: BodyReader | undefined, sink: FailureCollector): Content;
}

const NO_CONTENT: Content = { repeated: [] };
/** No content where every member may be left out: no member is given. */
const NO_MEMBERS: Content = { tree: new Map(), repeated: [] };

/** Makes a tree of content that was sent, under its Content-Type; undefined: malformed. */
type Parse = (body: string, mediaType: string) => Content | undefined;

/** How names stand in a form, and which of them have files. */
interface FormNames {
  readonly nesting: Nesting | undefined;
  isFile(name: string): boolean;
}

function nested(values: ReadonlyMap<string, Json>, { nesting }: FormNames): Content | undefined {
  return nesting === undefined ? { tree: values, repeated: [] } : nest(values, nesting);
}

const parsers: Readonly<Record<BodyFormat | "file" | "text", (names: FormNames) => Parse>> = {
  json: () => (body) => {
    const parsed = parseJson(body);
    return parsed.ok ? { tree: parsed.value, repeated: parsed.repeated } : undefined;
  },
  form: (names) => (body) => {
    const pairs = readPairs(body);
    if (!pairs) return undefined;
    const tree = new Map<string, Json>();
    for (const [name, values] of pairs) {
      tree.set(name, values.length === 1 ? (values[0] ?? "") : values);
    }
    return nested(tree, names);
  },
  multipart: (names) => (body, mediaType) => {
    const boundary = parseMediaType(mediaType)?.parameters.get("boundary");
    const tree = parseMultipart(body, boundary, names.isFile);
    return tree && nested(tree, names);
  },
  file: () => (body, mediaType) => {
    const tree = fileText(mediaType, body);
    return tree === undefined ? undefined : { tree, repeated: [] };
  },
  text: () => (body) => ({ tree: body, repeated: [] }),
};

const COMPOUND = new Set(["list", "map", "structure", "json", "schema"]);

function holdsFile({ type }: ValueType): boolean {
  return type.kind === "file" || (type.kind === "list" && holdsFile(type.of));
}

/** How the content of a type under a media type is read; undefined: by nothing. */
function parserOf(
  format: BodyFormat | undefined,
  whole: ValueType | undefined,
): keyof typeof parsers | undefined {
  if (format !== undefined) return format;
  if (whole === undefined) return undefined;
  if (whole.type.kind === "file") return "file";
  return COMPOUND.has(whole.type.kind) ? undefined : "text";
}

/** Names of the members of the body that are files. */
function fileNames(endpoint: Endpoint, names: Names): ReadonlySet<string> {
  const body = statedOf(endpoint.body);
  const found = endpoint.inputs
    .filter((one) => one.in === "body" && holdsFile(one.type))
    .map(sentName);
  if (body?.content.is === "type") {
    if (body.member !== undefined && holdsFile(body.content.type)) found.push(body.member);
  } else if (body !== undefined) {
    const fields = names.resources.get(body.content.resource)?.fields ?? [];
    found.push(...fields.filter((one) => holdsFile(one.type)).map(sentName));
  }
  return new Set(found);
}

/** Compiles the reading of an endpoint's content, before what it holds is read by its types. */
export function compileContent(plan: Plan, endpoint: Endpoint, names: Names): ContentReader {
  const { bodyFormat: stated } = plan.about;
  const body = statedOf(endpoint.body);
  const global = statedOf(stated);
  const type = endpoint.format ?? global;
  const reads = body !== undefined || endpoint.inputs.some((input) => input.in === "body");
  const whole =
    body?.content.is === "type" && body.member === undefined ? body.content.type : undefined;
  const format = type === undefined ? "json" : bodyFormat(parseMediaType(type)?.essence ?? "");
  const parser = parserOf(format, whole);
  const files = fileNames(endpoint, names);
  const isForm = format === "form" || format === "multipart";
  const nesting = isForm ? names.nesting : undefined;
  const head = (name: string): string =>
    nesting === undefined ? name : (pathOf(name, nesting)[0] ?? name);
  const unstated = !reads
    ? undefined
    : (endpoint.formatGap ?? (type === undefined ? gapOf(stated) : undefined));
  const gap = gapOf(endpoint.body) ?? unstated;
  // The body may be where an input is, of which that is not shown.
  const hidden = endpoint.inputs.find((input) => input.gaps?.in !== undefined)?.gaps?.in;
  const parts = {
    type,
    hidden: hidden === undefined ? undefined : unknown(hidden),
    gap: gap === undefined ? undefined : new Wrong("refused", { is: "gap", gap }),
    isExpected: ["POST", "PUT", "PATCH"].includes(endpoint.method),
    parse: parsers[parser ?? "text"]({ nesting, isFile: (name) => files.has(head(name)) }),
    nesting,
    unnested: isForm && names.nestingGap !== undefined ? unknown(names.nestingGap) : undefined,
  };
  return {
    form: format === "json" ? "json" : "text",
    nesting,
    binary: reads && (parser === "multipart" || parser === "file"),
    unread: reads && parser === undefined ? (body?.id ?? endpoint.id) : undefined,
    read: (raw, reader, sink) => readContent(parts, { raw, reader }, sink),
  };
}

interface Parts {
  readonly type: string | undefined;
  /** The gap that a request with content, or one that must have it, meets. */
  readonly gap: Wrong | undefined;
  readonly isExpected: boolean;
  /** The gap that content meets where no body is stated. */
  readonly hidden: Wrong | undefined;
  readonly parse: Parse;
  readonly nesting: Nesting | undefined;
  /** The gap that a name which may nest meets. */
  readonly unnested: Wrong | undefined;
}

function readContent(
  { type, gap, isExpected, hidden, parse, nesting, unnested }: Parts,
  { raw, reader }: { readonly raw: RawRequest; readonly reader: BodyReader | undefined },
  sink: FailureCollector,
): Content {
  sink.at("body", nesting);
  const sent = raw.body !== undefined;
  if (gap && (sent || isExpected)) {
    sink.wrong(gap);
    return NO_CONTENT;
  }
  if (!reader) {
    if (sent && hidden !== undefined) sink.wrong(hidden);
    else if (sent) sink.add("body not expected");
    return NO_CONTENT;
  }
  if (!sent) {
    if (!reader.needed) return NO_MEMBERS;
    sink.add("body absent");
    return NO_CONTENT;
  }
  const coding = raw.headers.get("content-encoding") ?? "identity";
  const mediaType = raw.headers.get("content-type");
  const typed = type === undefined || isStatedType(mediaType, type);
  if (!typed || coding.toLowerCase() !== "identity") {
    sink.add("other media type");
    return NO_CONTENT;
  }
  const content = typeof raw.body === "string" ? parse(raw.body, mediaType ?? "") : undefined;
  if (content) {
    const { tree } = content;
    if (unnested && tree instanceof Map && [...tree.keys()].some(mayNest)) sink.wrong(unnested);
    return content;
  }
  sink.add("malformed body");
  return NO_CONTENT;
}
