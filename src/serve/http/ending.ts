/** Ends connections on which no further request can be read, with an answer where one is due. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { HttpCondition } from "../../plan/index.ts";
import type { Reply } from "../jobs/job.ts";
import type { HostBounds } from "./bounds.ts";
import type { Head, ParserFault } from "./broken.ts";
import { beginningOf, brokenBy, headOf, partBy, partOf } from "./broken.ts";
import { type Coded, coded } from "./coding.ts";
import { bytesOfFields } from "./fields.ts";
import { type Heard, headersOf, heardIn, heardOf } from "./heard.ts";
import { judgeHead } from "./judge.ts";
import type { Line } from "./line.ts";
import type { Sender } from "./proxies.ts";
import { routed } from "./route.ts";
import { fieldsSent } from "./sent.ts";
import type { Front, Service } from "./service.ts";
import type { Told } from "./told.ts";

const { METHODS, STATUS_CODES } = process.getBuiltinModule("node:http");

interface Around {
  /** Names a request, in the log too. */
  nameOf(sender: Sender): string;
  /** Told of each answer. */
  answered(
    sender: Sender,
    told: Pick<Told, "method" | "path" | "id"> & { readonly reply: Reply },
  ): void;
}

/** What is known of a head. `isUnread`: it may have had more. */
interface Known {
  readonly head?: Head | undefined;
  readonly isUnread: boolean;
}

/** Gives the answer of the service that the request is for. */
type Make = (service: Service, heard: Heard) => Reply;

/** What the library cannot read on is answered here, on the socket itself. */
export class Endings {
  private readonly front: Front;
  private readonly bounds: HostBounds;
  private readonly around: Around;
  /** Heads with an unknown method that have not come whole. */
  private readonly heads = new Map<Socket, string>();

  constructor(front: Front, bounds: HostBounds, around: Around) {
    this.front = front;
    this.bounds = bounds;
    this.around = around;
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
    else this.own(what, line, known === undefined ? partBy(fault) : partOf(known));
  }

  /** What came in time is read only now where this process was busy: it is owed an answer. */
  private silent(line: Line): void {
    if (line.socket.bytesRead === 0) line.socket.destroy();
    else if (!line.isWhole) this.own("sender too slow", line);
  }

  /** `CONNECT` names no path (RFC 9110 section 9.3.6): no method is known there. */
  connect({ method = "", url = "", rawHeaders, httpVersion }: IncomingMessage, line: Line): void {
    const head = { method, url, rawHeaders, version: httpVersion };
    this.answer(line, { head, isUnread: false }, (service, { asked }) =>
      service.fail("unknown method", { asked, allow: [] }),
    );
  }

  gone(socket: Socket): void {
    this.heads.delete(socket);
  }

  private own(condition: HttpCondition, line: Line, head?: Head): void {
    this.answer(line, { head, isUnread: true }, (service, { asked }) =>
      service.own(condition, { asked }),
    );
  }

  private unknownMethod(text: string, line: Line): void {
    const head = headOf(text);
    if (head === undefined) {
      const isMuch = text.length > this.bounds.targetBytesMax + this.bounds.headerBytesMax;
      if (isMuch) this.own("header section too large", line, partOf(text));
      else this.wait(text, line);
      return;
    }
    if (head === "malformed request") {
      this.own(head, line, partOf(text));
      return;
    }
    // No endpoint has a method that the library does not know.
    const condition = judgeHead({ ...head, method: "" }, this.bounds);
    this.answer(line, { head, isUnread: false }, (service, heard) => {
      const { asked } = heard;
      if (condition) return service.own(condition, { asked });
      const found = routed(service, heard, "");
      return found.is === "answered" ? found.reply : service.fail("unknown method", { asked });
    });
  }

  /** More of the head may come. */
  private wait(text: string, line: Line): void {
    const { heads } = this;
    if (!heads.has(line.socket)) {
      line.socket.once("end", () =>
        this.own("malformed request", line, partOf(heads.get(line.socket) ?? "")),
      );
    }
    heads.set(line.socket, text);
  }

  private answer(line: Line, known: Known, make: Make): void {
    const { socket } = line;
    line.end((cut) => {
      if (cut === "said") {
        close(socket, undefined, this.bounds.lingerTimeoutMs);
        return;
      }
      const heard = cut === undefined ? this.heard(known, socket) : heardOf(cut);
      const base = cut?.service ?? this.front.current;
      const service = base.versionOf?.({ target: heard.target, request: heard }) ?? base;
      this.say(line, { service, heard, reply: make(service, heard) });
    });
  }

  private heard({ head, isUnread }: Known, socket: Socket): Heard {
    const headers = head === undefined ? {} : headersOf(head);
    return heardIn(head, { id: this.around.nameOf({ socket, headers }), headers, isUnread });
  }

  private say(
    { socket }: Line,
    { service, heard, reply }: { service: Service; heard: Heard; reply: Reply },
  ): void {
    const { asked, target, headers, isUnread } = heard;
    const { id } = asked;
    const method = METHODS.includes(asked.method) ? asked.method : "-";
    this.around.answered({ socket, headers }, { method, path: target.path, id, reply });
    const isHead = asked.method === "HEAD";
    const { lingerTimeoutMs } = this.bounds;
    coded(reply, headers, (made) => {
      const fields = fieldsSent(reply, made, { service, headers, isUnread });
      const content = isHead ? undefined : made.body;
      close(socket, bytesOf(reply.status, fields, content), lingerTimeoutMs);
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
function bytesOf(status: number, headers: readonly string[], body: Coded["body"]): Buffer {
  const fields = [...headers, "Date", new Date().toUTCString(), "Connection", "close"];
  const lines = bytesOfFields(fields) ?? fields;
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n`;
  for (let i = 0; i + 1 < lines.length; i += 2) head += `${lines[i]}: ${lines[i + 1]}\r\n`;
  return Buffer.concat([Buffer.from(`${head}\r\n`, "latin1"), Buffer.from(body ?? "")]);
}

/** What fails on one connection ends that one: unheard of, it would end the process. */
export function dropped(this: ServerResponse): void {
  this.destroy();
}
