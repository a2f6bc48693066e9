/** What the shop reads of a request and writes as an answer: HTTP and JSON, nothing of shops. */
import type { IncomingMessage, ServerResponse } from "node:http";

/** An answer of the shop. */
export interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Ends a request with an error of the document. */
export class Refused extends Error {
  readonly error: string;
  readonly field: string | null;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    error: string,
    field: string | null = null,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(error);
    this.error = error;
    this.field = field;
    this.headers = headers;
  }
}

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
  /** Bytes of the body. */
  readonly size: number;
}

export async function readAsked(incoming: IncomingMessage): Promise<Asked> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const [path = "", ...query] = (incoming.url ?? "").split("?");
  return {
    method: incoming.method ?? "",
    path,
    query: query.join("?"),
    headers: incoming.headers,
    body: bytes.toString("utf8"),
    size: bytes.length,
  };
}

/** Sends the answer; one to HEAD has no content. */
export function send(outgoing: ServerResponse, { status, body, headers }: Reply, isHead: boolean) {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const type = text === undefined ? {} : { "Content-Type": "application/json" };
  outgoing.writeHead(status, { ...type, ...headers });
  outgoing.end(isHead ? undefined : text);
}

/** A number as it is written. */
export class Numeral {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const asWritten = (_: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === "number" ? new Numeral(context?.source ?? String(value)) : value;

/** The members of a JSON object, numbers as they are written. Throws `Refused` for what is none. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text, asWritten);
  } catch {
    throw new Refused("malformed");
  }
}

/** The members of a value that is an object. Throws `Refused` for another one. */
export function membersIn(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Refused("invalid");
  }
  return value as Readonly<Record<string, unknown>>;
}

/** The first name that stands twice in the outermost object of a right JSON text. */
export function repeatedIn(text: string): string | undefined {
  const found = new Set<string>();
  let depth = 0;
  for (const [token, isName] of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|[[\]{}]/g)) {
    if (token === "{" || token === "[") depth += 1;
    else if (token === "}" || token === "]") depth -= 1;
    else if (isName !== undefined && depth === 1) {
      const name = JSON.parse(token.slice(0, -isName.length)) as string;
      if (found.has(name)) return name;
      found.add(name);
    }
  }
  return undefined;
}

/** JSON text that is the same for the same values. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, one]) => `${JSON.stringify(name)}:${canonical(one)}`).join()}}`;
}
