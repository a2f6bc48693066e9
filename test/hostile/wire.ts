/** A connection that sends any bytes and reads whatever answers come back. */

import type { Socket } from "node:net";
import { connect } from "node:net";

export interface Answer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** What to send, and what may come back at most. */
export interface Sent {
  readonly bytes: Buffer;
  /** Methods of the requests in it, one for each answer that may come. */
  readonly methods: readonly string[];
  /** The request has no end, or no sure one: the sending side is closed after a moment. */
  readonly open: boolean;
}

export interface Exchange {
  readonly answers: readonly Answer[];
  /** `closed` by the service; `quiet`: neither an answer nor an end within the time allowed. */
  readonly end: "answered" | "closed" | "quiet";
  /** Bytes that are no answer. */
  readonly rest: string;
  /** Exchanges that this connection had before. */
  readonly before: number;
}

const OPEN_MS = 25;
/** Without a byte. */
const QUIET_MS = 20_000;

/** The first answer in the text, and where it ends; undefined while it is not whole. */
function parse(
  text: string,
  method: string,
  isClosed: boolean,
): { readonly answer: Answer; readonly end: number } | undefined {
  const headEnd = text.indexOf("\r\n\r\n");
  if (headEnd < 0) return undefined;
  const [first = "", ...lines] = text.slice(0, headEnd).split("\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3})(?: |$)/.exec(first)?.[1] ?? Number.NaN);
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const start = headEnd + 4;
  const length = Number(headers.get("content-length") ?? Number.NaN);
  const isEmpty = method === "HEAD" || status < 200 || status === 204 || status === 304;
  const isUntilClose = !isEmpty && Number.isNaN(length);
  if (isUntilClose && !isClosed) return undefined;
  const end = isEmpty ? start : isUntilClose ? text.length : start + length;
  if (text.length < end) return undefined;
  return { answer: { status, headers, body: text.slice(start, end) }, end };
}

/** Bytes that are still missing of the answer that begins here, as far as its head says. */
function wantedOf(text: string): number {
  const head = text.slice(0, text.indexOf("\r\n\r\n") + 4);
  const length = /\r\ncontent-length: (\d+)\r\n/i.exec(head)?.[1];
  return length === undefined ? 0 : head.length + Number(length) - text.length;
}

/** One connection after another to the same port, reused as long as the service lets it. */
export class Line {
  private socket: Socket | undefined;
  private before = 0;
  private readonly port: number;

  constructor(port: number) {
    this.port = port;
  }

  close(): void {
    this.socket?.destroy();
    this.socket = undefined;
  }

  exchange({ bytes, methods, open }: Sent): Promise<Exchange> {
    if (this.socket?.destroyed !== false) {
      this.socket = connect({ port: this.port, host: "127.0.0.1", allowHalfOpen: true });
      this.socket.setNoDelay(true);
      this.before = 0;
    }
    const before = this.before++;
    const { socket } = this;
    const answers: Answer[] = [];
    let text = "";
    let parts: string[] = [];
    let wanted = 0;
    return new Promise((resolve) => {
      let quiet: ReturnType<typeof setTimeout>;
      const finish = (end: Exchange["end"], keep: boolean): void => {
        clearTimeout(quiet);
        socket.removeAllListeners();
        socket.on("error", () => {});
        if (!keep) this.close();
        resolve({ answers, end, rest: text, before });
      };
      const take = (isClosed: boolean): void => {
        text = parts.join("");
        for (;;) {
          const found = parse(text, methods[answers.length] ?? "GET", isClosed);
          if (found === undefined) break;
          text = text.slice(found.end);
          if (!(found.answer.status < 200)) answers.push(found.answer);
        }
        parts = [text];
        wanted = wantedOf(text);
        if (isClosed) finish("closed", false);
        else if (!open && answers.length >= methods.length) {
          finish("answered", answers.at(-1)?.headers.get("connection") !== "close");
        }
      };
      socket.on("data", (data) => {
        quiet.refresh();
        const part = data.toString("latin1");
        parts.push(part);
        wanted -= part.length;
        if (wanted <= 0) take(false);
      });
      for (const event of ["end", "close", "error"]) socket.on(event, () => take(true));
      quiet = setTimeout(() => finish("quiet", false), QUIET_MS);
      socket.write(bytes);
      if (open) setTimeout(() => socket.end(), OPEN_MS);
    });
  }
}
