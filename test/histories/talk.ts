/** A plain HTTP/1.1 client over one socket: sends bytes as they are, reads one answer at a time. */
import { connect, type Socket } from "node:net";

export interface RawRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  /** Bytes as Latin-1 text. */
  readonly body: string;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

const BREAK = "\r\n\r\n";

/** All header fields as they are sent. */
export function fieldsSent({ headers, body }: RawRequest): RawRequest["headers"] {
  const length = body.length > 0 ? [["Content-Length", String(body.length)] as const] : [];
  return [["Host", "localhost"], ...headers, ...length];
}

/** A connection that is opened again when the other side has closed it. */
export class Talker {
  private socket: Socket | undefined;
  private received = Buffer.alloc(0);
  private woken: (() => void) | undefined;
  private isClosed = false;
  private readonly port: number;

  constructor(port: number) {
    this.port = port;
  }

  close(): void {
    this.socket?.destroy();
    this.socket = undefined;
  }

  async ask(request: RawRequest): Promise<RawAnswer> {
    const socket = this.socket ?? (await this.open());
    const body = Buffer.from(request.body, "latin1");
    const lines = [
      `${request.method} ${request.target} HTTP/1.1`,
      ...fieldsSent(request).map(([name, value]) => `${name}: ${value}`),
    ];
    socket.write(Buffer.concat([Buffer.from(lines.join("\r\n") + BREAK, "latin1"), body]));
    const headEnd = await this.until(() => this.received.indexOf(BREAK));
    const [first = "", ...rest] = this.received
      .subarray(0, headEnd)
      .toString("latin1")
      .split("\r\n");
    const headers = rest.map((line): [string, string] => {
      const colon = line.indexOf(":");
      // Texts in header fields are sent in UTF-8.
      const value = Buffer.from(line.slice(colon + 1), "latin1").toString("utf8");
      return [line.slice(0, colon), value.trim()];
    });
    const header = (name: string): string | undefined =>
      headers.find(([one]) => one.toLowerCase() === name)?.[1];
    const status = Number(first.split(" ")[1]);
    const empty = request.method === "HEAD" || status === 204 || status === 304;
    const length = empty ? 0 : Number(header("content-length") ?? 0);
    const end = headEnd + BREAK.length + length;
    await this.until(() => (this.received.length >= end ? end : -1));
    const content = this.received.subarray(headEnd + BREAK.length, end).toString("utf8");
    this.received = this.received.subarray(end);
    if (header("connection") === "close") this.close();
    return { status, headers, body: content };
  }

  private open(): Promise<Socket> {
    const socket = connect({ port: this.port, host: "127.0.0.1", noDelay: true });
    this.socket = socket;
    this.received = Buffer.alloc(0);
    this.isClosed = false;
    socket.on("data", (bytes) => {
      if (this.socket !== socket) return;
      this.received = Buffer.concat([this.received, bytes]);
      this.woken?.();
    });
    socket.on("close", () => {
      // One that was left says nothing of the one that is spoken over now.
      if (this.socket !== socket) return;
      this.isClosed = true;
      this.socket = undefined;
      this.woken?.();
    });
    return new Promise((resolve, reject) => {
      socket.once("connect", () => resolve(socket));
      socket.once("error", reject);
    });
  }

  private async until(found: () => number): Promise<number> {
    for (;;) {
      const at = found();
      if (at >= 0) return at;
      if (this.isClosed) throw new Error("the connection was closed before the answer was whole");
      await new Promise<void>((resolve) => {
        this.woken = resolve;
      });
    }
  }
}
