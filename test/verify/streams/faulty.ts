/** Stands before a service and passes all on, with one fault in its streams. */
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What may be wrong; see `FAULTS` in the cases. */
export type Fault =
  | "drops"
  | "doubles"
  | "swaps"
  | "alters"
  | "renames"
  | "forgets where"
  | "begins anew"
  | "tells all"
  | "no ids"
  | "one id"
  | "long ids"
  | "no heartbeat"
  | "never ends"
  | "ends early"
  | "lets in"
  | "tells of refused";

const EARLY_MS = 150;

/** A stream that is open. */
interface Listener {
  readonly kind: string;
  readonly target: string;
  readonly outgoing: ServerResponse;
  count: number;
  held: string;
}

export interface Faulty {
  readonly url: URL;
  stop(): Promise<void>;
}

class Passing {
  readonly #fault: Fault | undefined;
  readonly #service: string;
  readonly #listeners = new Set<Listener>();
  readonly #before = new Map<string, string[]>();

  constructor(service: string, fault: Fault | undefined) {
    this.#service = service;
    this.#fault = fault;
  }

  pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { method, url = "/" } = incoming;
    const headers = { ...incoming.headers };
    if (this.#fault === "forgets where") delete headers["last-event-id"];
    const sending = ask(new URL(url, this.#service), { method, headers }, (answer) => {
      const isStream = answer.headers["content-type"]?.startsWith("text/event-stream") === true;
      const isWanted = /^\/mine|\/stream$/.test(url.split("?")[0] ?? "");
      const { statusCode = 502 } = answer;
      if (isStream) this.#stream(incoming, answer, outgoing);
      else if (this.#fault === "lets in" && isWanted && method === "GET" && statusCode === 403) {
        outgoing.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
      } else {
        outgoing.writeHead(statusCode, answer.headers);
        answer.pipe(outgoing);
        if (statusCode >= 400 && method === "POST") this.#tellOfRefused();
      }
    });
    outgoing.on("close", () => sending.destroy());
    sending.on("error", () => outgoing.destroy());
    incoming.pipe(sending);
  }

  #stream({ url = "", headers }: IncomingMessage, answer: IncomingMessage, out: ServerResponse) {
    out.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    const kind = url.startsWith("/mine") ? "mine" : "room";
    const target = `${headers.authorization} ${url}`;
    const listener: Listener = { kind, target, outgoing: out, count: 0, held: "" };
    this.#listeners.add(listener);
    const known = this.#before.get(target) ?? [];
    this.#before.set(target, known);
    if (this.#fault === "begins anew") for (const frame of known) out.write(frame);
    let rest = "";
    answer.setEncoding("utf8").on("data", (text: string) => {
      const frames = (rest + text).split("\n\n");
      rest = frames.pop() ?? "";
      for (const one of frames) this.#frame(listener, `${one}\n\n`, known);
    });
    const end = (): void => {
      this.#listeners.delete(listener);
      if (this.#fault !== "never ends") out.end();
    };
    answer.on("end", end);
    answer.on("error", end);
    if (this.#fault === "ends early") setTimeout(end, EARLY_MS);
    out.on("close", () => this.#listeners.delete(listener));
  }

  #frame(listener: Listener, frame: string, known: string[]): void {
    const { outgoing, kind } = listener;
    if (frame.startsWith(":")) {
      if (this.#fault !== "no heartbeat") outgoing.write(frame);
      return;
    }
    known.push(frame);
    const count = ++listener.count;
    const write = (text: string): void => void outgoing.write(text);
    switch (this.#fault) {
      case "drops":
        if (count !== 2) write(frame);
        return;
      case "doubles":
        return write(frame + frame);
      case "swaps":
        if (count % 2 === 0) write(frame + listener.held);
        else listener.held = frame;
        return;
      case "alters":
        return write(frame.replace(/"text":"/, '"text":"x'));
      case "renames":
        return write(frame.replace(/event: .*/, "event: another"));
      case "no ids":
        return write(frame.replace(/id: .*\n/, ""));
      case "one id":
        return write(frame.replace(/id: .*/, "id: AAAAAAAAAAAAAAAAAAAAAA"));
      case "long ids":
        return write(frame.replace(/id: /, "id: 12 "));
      case "tells all":
        for (const one of this.#listeners) if (one.kind === kind) one.outgoing.write(frame);
        return;
      default:
        return write(frame);
    }
  }

  #tellOfRefused(): void {
    if (this.#fault !== "tells of refused") return;
    const data = JSON.stringify({ id: "note_1", text: "never written" });
    const frame = `id: BBBBBBBBBBBBBBBBBBBBBB\nevent: note.made\ndata: ${data}\n\n`;
    for (const { outgoing } of this.#listeners) outgoing.write(frame);
  }
}

/** Starts it on a free port of 127.0.0.1. */
export async function faulty(service: string, fault?: Fault): Promise<Faulty> {
  const passing = new Passing(service, fault);
  const server = createServer((incoming, outgoing) => passing.pass(incoming, outgoing));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  return { url: new URL(`http://127.0.0.1:${port}`), stop };
}
