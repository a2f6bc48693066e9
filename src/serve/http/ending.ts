/** Ends connections on which no further request can be read, with an answer where one is due. */
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { HttpCondition } from "../../plan/index.ts";
import type { Reply } from "../jobs/job.ts";
import type { HostBounds } from "./bounds.ts";
import { beginningOf, brokenBy, headOf, type ParserFault } from "./broken.ts";
import { bytesOfFields } from "./fields.ts";
import { judgeHead } from "./judge.ts";
import type { Line } from "./line.ts";
import type { Front } from "./service.ts";
import { splitTarget } from "./target.ts";

const { STATUS_CODES } = process.getBuiltinModule("node:http");

interface AnsweredRequest {
  readonly method: string;
  readonly path: string;
  readonly reply: Reply;
  readonly line: Line;
}

/** What the library cannot read on is answered here, on the socket itself. */
export class Endings {
  private readonly front: Front;
  private readonly bounds: HostBounds;
  private readonly tell: (told: AnsweredRequest) => void;
  /** Heads with an unknown method that have not come whole. */
  private readonly heads = new Map<Socket, string>();

  constructor(front: Front, bounds: HostBounds, tell: (told: AnsweredRequest) => void) {
    this.front = front;
    this.bounds = bounds;
    this.tell = tell;
  }

  /** The parser has stopped: it stops again with whatever comes in after. */
  broken(fault: ParserFault, line: Line): void {
    const { socket } = line;
    if (line.isEnding) return;
    const known = this.heads.get(socket);
    const what = brokenBy(fault, socket.bytesRead);
    if (known !== undefined && what !== "sender too slow" && what !== "gone") {
      this.unknownMethod(known + (fault.rawPacket?.toString("latin1") ?? ""), line);
    } else if (what === "unknown method") this.unknownMethod(beginningOf(fault), line);
    else if (what === "silent") setImmediate(() => this.silent(line));
    else if (what === "gone") socket.destroy();
    else this.own(what, line);
  }

  /** What came in time is read only now where this process was busy: it is owed an answer. */
  private silent(line: Line): void {
    if (line.socket.bytesRead === 0) line.socket.destroy();
    else if (!line.isWhole) this.own("sender too slow", line);
  }

  /** `CONNECT` names no path (RFC 9110 section 9.3.6): no method is known there. */
  connect(line: Line): void {
    this.answer(line, "CONNECT", "", () =>
      this.front.current.fail("unknown method", { allow: [] }),
    );
  }

  gone(socket: Socket): void {
    this.heads.delete(socket);
  }

  private own(condition: HttpCondition, line: Line): void {
    this.answer(line, "-", "", () => this.front.current.own(condition));
  }

  private unknownMethod(text: string, line: Line): void {
    const head = headOf(text);
    if (head === undefined) {
      const isMuch = text.length > this.bounds.targetBytesMax + this.bounds.headerBytesMax;
      if (isMuch) this.own("header section too large", line);
      else this.wait(text, line);
      return;
    }
    if (head === "malformed request") {
      this.own(head, line);
      return;
    }
    const { target: url, ...rest } = head;
    const condition = judgeHead({ method: "", url, ...rest }, this.bounds);
    const { path } = splitTarget(url);
    if (condition) this.own(condition, line);
    else this.answer(line, "-", path, () => this.failed(path));
  }

  /** More of the head may come. */
  private wait(text: string, line: Line): void {
    const { heads } = this;
    if (!heads.has(line.socket)) {
      line.socket.once("end", () => this.own("malformed request", line));
    }
    heads.set(line.socket, text);
  }

  private failed(path: string): Reply {
    const match = this.front.current.match("", path);
    if (match.is === "gap") return this.front.current.gap(match.gap);
    return match.is === "unknown method"
      ? this.front.current.fail("unknown method", { allow: match.allow })
      : this.front.current.fail("unknown path");
  }

  private answer(line: Line, method: string, path: string, make: () => Reply): void {
    line.end((isSaid) => {
      if (isSaid) close(line.socket, undefined, this.bounds.lingerTimeoutMs);
      else {
        const reply = make();
        this.tell({ method, path, reply, line });
        close(line.socket, bytesOf(reply), this.bounds.lingerTimeoutMs);
      }
    });
  }
}

/** Sends the last bytes, and reads on for a while, so that they arrive (RFC 9112 section 9.6). */
export function close(socket: Socket, bytes: Buffer | undefined, lingerMs: number): void {
  if (socket.destroyed) return;
  if (bytes === undefined) socket.end();
  else socket.end(bytes);
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once("close", () => clearTimeout(timer));
  socket.resume();
}

/** An answer as it stands on the wire, the last one of its connection. */
function bytesOf({ status, headers, body, binary }: Reply): Buffer {
  const content = Buffer.from(body ?? "", binary === true ? "base64" : "utf8");
  const fields = [
    ...headers,
    ...["Date", new Date().toUTCString(), "Connection", "close"],
    ...["Content-Length", String(content.length)],
  ];
  const lines = bytesOfFields(fields) ?? fields;
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n`;
  for (let i = 0; i + 1 < lines.length; i += 2) head += `${lines[i]}: ${lines[i + 1]}\r\n`;
  return Buffer.concat([Buffer.from(`${head}\r\n`, "latin1"), content]);
}

/** What fails on one connection ends that one: unheard of, it would end the process. */
export function dropped(this: ServerResponse): void {
  this.destroy();
}
