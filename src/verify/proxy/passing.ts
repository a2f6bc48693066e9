/** One request on its way to the service, and its answer on the way back. */
import type { ClientRequest, IncomingMessage, ServerResponse } from "node:http";
import type { Fields } from "../world/message.ts";
import { answerFields, pairsOf } from "./hops.ts";
import { type Content, type Missing, micros, type Passed } from "./passed.ts";

/** The way to the service for one request. */
export interface Upstream {
  readonly target: string;
  readonly headers: string[];
  ask(headers: string[]): ClientRequest;
}

interface Parts {
  open(incoming: IncomingMessage): Upstream;
  readonly contentMax: number;
  tell(passed: Passed): void;
  /** Holds what is under way, the oldest first. */
  readonly underWay: Set<{ readonly sent: number }>;
}

/** Keeps what passes, up to so many bytes. */
class Kept {
  readonly #chunks: Buffer[] = [];
  #size = 0;
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  get isOver(): boolean {
    return this.#size > this.#most;
  }

  take(chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.isOver) this.#chunks.length = 0;
    else this.#chunks.push(chunk);
  }

  whole(): Content {
    if (this.#size === 0 || this.isOver) return undefined;
    const [first] = this.#chunks;
    return this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks);
  }
}

/** Methods that may be sent again where nothing came back (RFC 9110 section 9.2.2). */
const REPEATABLE = new Set(["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"]);

export class Passing {
  readonly #parts: Parts;
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;
  readonly #upstream: Upstream;
  readonly #sent = micros();
  readonly #mark: { readonly sent: number };
  readonly #asked: Kept;
  readonly #answered: Kept;
  readonly #hasBody: boolean;
  #answer: IncomingMessage | undefined;
  #isTold = false;
  #isRepeated = false;

  constructor(parts: Parts, incoming: IncomingMessage, outgoing: ServerResponse) {
    this.#parts = parts;
    this.#incoming = incoming;
    this.#outgoing = outgoing;
    this.#upstream = parts.open(incoming);
    this.#mark = { sent: this.#sent };
    this.#asked = new Kept(parts.contentMax);
    this.#answered = new Kept(parts.contentMax);
    const { headers } = incoming;
    this.#hasBody =
      headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
  }

  begin(): void {
    this.#parts.underWay.add(this.#mark);
    if (this.#hasBody) this.#incoming.on("data", (chunk: Buffer) => this.#asked.take(chunk));
    this.#ask();
  }

  #ask(): void {
    const [incoming, outgoing] = [this.#incoming, this.#outgoing];
    const asking = this.#upstream.ask(this.#upstream.headers);
    asking.on("response", (answer) => this.#take(answer));
    asking.on("continue", () => outgoing.writeContinue());
    asking.on("information", (info) => {
      if (info.statusCode === 102) outgoing.writeProcessing();
      if (info.statusCode === 103) outgoing.writeEarlyHints(info.headers as Record<string, string>);
    });
    asking.on("error", (fault) => this.#failed(asking, fault));
    outgoing.on("close", () => {
      if (outgoing.writableFinished) return;
      asking.destroy();
      this.#tell("cut off");
    });
    if (!this.#hasBody) {
      asking.end();
      return;
    }
    incoming.on("end", () => {
      const { rawTrailers } = incoming;
      if (rawTrailers.length > 0)
        asking.addTrailers([...pairsOf(rawTrailers)].map(([...one]) => one));
      asking.end();
    });
    incoming.pipe(asking, { end: false });
    // A client may wait for a word before it sends the rest.
    setImmediate(() => {
      if (!asking.destroyed) asking.flushHeaders();
    });
  }

  /** The service gave no answer, or ended it. */
  #failed(asking: ClientRequest, { message }: Error): void {
    const outgoing = this.#outgoing;
    if (this.#answer !== undefined || outgoing.headersSent || outgoing.destroyed) {
      if (this.#answer?.complete !== true) outgoing.destroy();
      return;
    }
    // The service has closed a connection that was kept just when it was used again.
    const { method = "" } = this.#incoming;
    const mayRepeat = asking.reusedSocket && !this.#hasBody && REPEATABLE.has(method);
    if (mayRepeat && !this.#isRepeated) {
      this.#isRepeated = true;
      this.#ask();
      return;
    }
    this.#tell("cut off");
    const text = `lacuna proxy: the service gave no answer: ${message}\n`;
    outgoing.writeHead(502, { "Content-Type": "text/plain", Connection: "close" });
    outgoing.end(text);
  }

  #take(answer: IncomingMessage): void {
    const outgoing = this.#outgoing;
    this.#answer = answer;
    const { statusCode = 502, statusMessage, rawHeaders } = answer;
    outgoing.writeHead(statusCode, statusMessage, answerFields(rawHeaders));
    const isStream = /^text\/event-stream\b/i.test(answer.headers["content-type"] ?? "");
    if (isStream) this.#tell("a stream");
    else answer.on("data", (chunk: Buffer) => this.#answered.take(chunk));
    answer.on("end", () => {
      const { rawTrailers } = answer;
      if (rawTrailers.length > 0) {
        outgoing.addTrailers([...pairsOf(rawTrailers)].map(([...one]) => one));
      }
      outgoing.end();
      this.#tell(this.#whole);
    });
    answer.on("error", () => outgoing.destroy());
    answer.pipe(outgoing, { end: false });
    // The head of an answer whose content is still to come goes at once.
    setImmediate(() => {
      if (!outgoing.destroyed && !outgoing.writableEnded) outgoing.flushHeaders();
    });
  }

  /** Why what has passed does not say enough; undefined: it does. */
  get #whole(): Missing | undefined {
    if (this.#asked.isOver || this.#answered.isOver) return "too large";
    return this.#hasBody && !this.#incoming.complete ? "cut off" : undefined;
  }

  #tell(missing: Missing | undefined): void {
    if (this.#isTold) return;
    this.#isTold = true;
    this.#parts.underWay.delete(this.#mark);
    const answer = this.#answer;
    this.#parts.tell({
      method: this.#incoming.method ?? "",
      target: this.#upstream.target,
      headers: fieldsOf(this.#incoming),
      body: this.#asked.whole(),
      status: answer?.statusCode ?? 0,
      answered: answer === undefined ? [] : fieldsOf(answer),
      answerBody: this.#answered.whole(),
      sent: this.#sent,
      received: micros(),
      ...(missing === undefined ? {} : { missing }),
    });
  }
}

/** Header fields as text: bytes are read as UTF-8. */
function fieldsOf({ rawHeaders }: IncomingMessage): Fields {
  const found: [string, string][] = [];
  for (const [name, value] of pairsOf(rawHeaders)) {
    const isPlain = /^[\u0000-\u007f]*$/.test(value);
    found.push([name, isPlain ? value : Buffer.from(value, "latin1").toString("utf8")]);
  }
  return found;
}
