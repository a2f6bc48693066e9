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
const FIELD = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[\t ]*([\t\x20-\x7e\x80-\xff]*)$/;

/** A head whose method the library does not know. `undefined`: it has not come whole yet. */
interface Head {
  readonly target: string;
  readonly rawHeaders: readonly string[];
  readonly version: string;
}

/** Reads a head (RFC 9112 sections 3 and 5) whose method token is unknown. */
export function headOf(text: string): Head | "malformed request" | undefined {
  const end = /\r?\n\r?\n/.exec(text);
  if (end === null) {
    const [line = "", ...more] = text.split(/\r?\n/, 2);
    const isLine = more.length === 0 ? BEGINNING.test(line) : REQUEST_LINE.test(line);
    return isLine ? undefined : "malformed request";
  }
  const [first = "", ...lines] = text.slice(0, end.index).split(/\r?\n/);
  const line = REQUEST_LINE.exec(first);
  if (line === null) return "malformed request";
  const rawHeaders: string[] = [];
  for (const one of lines) {
    const field = FIELD.exec(one);
    if (field === null) return "malformed request";
    rawHeaders.push(field[1] ?? "", (field[2] ?? "").trim());
  }
  return { target: line[2] ?? "", version: `${line[3]}.${line[4]}`, rawHeaders };
}

/** Where the request begins that could not be read: behind what was read of its method. */
export function beginningOf({ rawPacket, bytesParsed = 0 }: ParserFault): string {
  const text = rawPacket?.toString("latin1") ?? "";
  const before = /[!#$%&'*+.^_`|~0-9A-Za-z-]*$/.exec(text.slice(0, bytesParsed));
  return text.slice(before?.index ?? 0);
}
