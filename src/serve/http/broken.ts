/** What it means that the HTTP library could not read on: the condition, or an unknown method. */
import type { HttpCondition } from "../../plan/index.ts";

/** An error of the parser, as the library gives it. */
export interface ParserFault extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

/** `gone`: nobody is there to be answered. `silent`: no byte of the connection was read in time. */
type Broken = HttpCondition | "unknown method" | "gone" | "silent";

/** What a fault of the parser is. `bytesRead`: those of the whole connection. */
export function brokenBy(fault: ParserFault, bytesRead: number): Broken {
  switch (fault.code) {
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return bytesRead === 0 ? "silent" : "sender too slow";
    case "HPE_HEADER_OVERFLOW":
      return isInFirstLine(fault, bytesRead) ? "target too long" : "header section too large";
    case "HPE_INVALID_METHOD":
      return "unknown method";
    case "HPE_INVALID_VERSION":
    // The preface of HTTP/2.
    case "HPE_PAUSED_H2_UPGRADE":
      return "unknown HTTP version";
    case undefined:
      return "gone";
    default:
      return fault.code.startsWith("HPE_") ? "malformed request" : "gone";
  }
}

/** Whether a connection's first bytes have no end of a line as far as they were read. */
function isInFirstLine({ rawPacket, bytesParsed = 0 }: ParserFault, bytesRead: number): boolean {
  if (rawPacket === undefined || rawPacket.length < bytesRead) return false;
  return !rawPacket.subarray(0, bytesParsed).includes(0x0a);
}

const REQUEST_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) (\S+) HTTP\/(\d)\.(\d)$/;
/** What may become a request line. */
const BEGINNING = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+(?: .*)?\r?$/;
const FIELD = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):([\t\x20-\x7e\x80-\xff]*)$/;
const HEAD_END = "\r\n\r\n";

/** A head that the library has not read. */
export interface Head {
  readonly method: string;
  readonly url: string;
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[];
  readonly version: string;
}

/** The fields that the lines are, up to the first that is none. */
function fieldsIn(lines: readonly string[]): string[] {
  const rawHeaders: string[] = [];
  for (const one of lines) {
    const field = FIELD.exec(one);
    if (field === null) break;
    rawHeaders.push(field[1] ?? "", (field[2] ?? "").trim());
  }
  return rawHeaders;
}

function headIn([first = "", ...lines]: readonly string[]): Head | undefined {
  const [, method, url, major, minor] = REQUEST_LINE.exec(first) ?? [];
  if (method === undefined || url === undefined) return undefined;
  return { method, url, version: `${major}.${minor}`, rawHeaders: fieldsIn(lines) };
}

/**
 * Reads a head (RFC 9112 sections 3 and 5) whose method token is unknown. `undefined`: it has not
 * come whole yet.
 */
export function headOf(text: string): Head | "malformed request" | undefined {
  const end = /\r?\n\r?\n/.exec(text);
  if (end === null) {
    const [line = "", ...more] = text.split(/\r?\n/, 2);
    const isLine = more.length === 0 ? BEGINNING.test(line) : REQUEST_LINE.test(line);
    return isLine ? undefined : "malformed request";
  }
  const lines = text.slice(0, end.index).split(/\r?\n/);
  const head = headIn(lines);
  return head?.rawHeaders.length === 2 * (lines.length - 1) ? head : "malformed request";
}

/** As much of a head as can be read: the text may begin somewhere else, or end too early. */
export function partOf(text: string): Head | undefined {
  return headIn(text.split(/\r?\n/).slice(0, -1));
}

/** Where the request begins that could not be read: behind what was read of its method. */
export function beginningOf({ rawPacket, bytesParsed = 0 }: ParserFault): string {
  const text = rawPacket?.toString("latin1") ?? "";
  const before = /[!#$%&'*+.^_`|~0-9A-Za-z-]*$/.exec(text.slice(0, bytesParsed));
  return text.slice(before?.index ?? 0);
}

/**
 * As much as can be read of the request at which the parser has stopped: where what came last
 * begins with it, or with requests that have no body.
 */
export function partBy({ rawPacket, bytesParsed = 0 }: ParserFault): Head | undefined {
  const text = rawPacket?.toString("latin1") ?? "";
  const end = text.slice(0, bytesParsed).lastIndexOf(HEAD_END);
  return partOf(end < 0 ? text : text.slice(end + HEAD_END.length));
}
