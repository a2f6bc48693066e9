/** Speaks HTTP/1.1: requests become jobs, replies become responses; knows no plan and no store. */

import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { HttpCondition } from "../../plan/index.ts";
import type { Opening, Reply } from "../jobs/job.ts";
import type { Presence } from "../jobs/lanes.ts";
import type { HostBounds } from "./bounds.ts";
import type { ParserFault } from "./broken.ts";
import type { Coded } from "./coding.ts";
import { coded } from "./coding.ts";
import { Connections, connectionsWithin } from "./connections.ts";
import { close, dropped, Endings } from "./ending.ts";
import { bytesOfFields } from "./fields.ts";
import { heardOf } from "./heard.ts";
import { judgeHead } from "./judge.ts";
import { type Exchange, Line } from "./line.ts";
import { Proxies } from "./proxies.ts";
import { Reader } from "./reading.ts";
import { routed } from "./route.ts";
import { fieldsSent } from "./sent.ts";
import type { Front } from "./service.ts";
import { sinkOf } from "./sink.ts";
import { splitTarget } from "./target.ts";
import { RequestIds, type Told, toldOf, traceOf } from "./told.ts";
import { Unread } from "./unread.ts";

// An import of it would load a client, too: 30 ms and 14 MB that no server has a use for.
const { createServer } = process.getBuiltinModule("node:http");

const NO_PROXIES = new Proxies([]);

interface HttpOptions {
  readonly bounds: HostBounds;
  /** Told of each answer. */
  readonly answered?: ((told: Told) => void) | undefined;
  /** Whose word counts on whose a request is. Default: nobody's. */
  readonly proxies?: Proxies;
  /** Told, in words, what the host does because too much is asked of it. */
  busy?(text: string): void;
}

/** What stands between sockets and a service. */
interface HttpServer {
  readonly server: Server;
  /** Lets requests that were held back go on, as far as there is room again. */
  release(): void;
  /** How the connection of that number is. */
  at(line: number): Presence;
  /** The bounds are others: they hold for connections and requests that begin now. */
  rebound(): void;
  /** How many connections are open, and how many requests are not read on. */
  counts(): { readonly connections: number; readonly held: number };
  /** Finishes what was begun; idle connections close at once, the others after their answer. */
  stop(): Promise<void>;
}

interface Answer {
  readonly response: ServerResponse;
  readonly status: number;
  readonly headers: string[];
  readonly body: string | Buffer | undefined;
  readonly peer: string;
}

/** Makes a server that does not listen yet. */
export function makeServer(front: Front, options: HttpOptions): HttpServer {
  const { bounds } = options;
  const server = createServer({
    ...timesOf(bounds),
    connectionsCheckingInterval: bounds.checkIntervalMs,
    noDelay: true,
    requireHostHeader: false,
    // A request without content is no stream that has to be read to its end.
    optimizeEmptyRequests: true,
  });
  const speaker = new Speaker(front, options);
  // A client that has said all it will say is answered still (RFC 9112 section 9.6).
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on("connection", (socket) => speaker.connect(socket));
  server.on("request", (request, response) => speaker.take(request, response));
  server.on("checkContinue", (request, response) => speaker.take(request, response, "continue"));
  server.on("checkExpectation", (request, response) => speaker.take(request, response, "unknown"));
  server.on("clientError", (fault: ParserFault, socket) => speaker.broken(fault, socket as Socket));
  server.on("connect", (request) => speaker.tunnel(request));
  return {
    server,
    rebound: () => void Object.assign(server, timesOf(bounds)),
    release: () => speaker.release(),
    at: (line) => speaker.lines.at(line),
    counts: () => ({ connections: speaker.lines.count, held: speaker.heldCount }),
    stop: () => stopServer(server, speaker, bounds.stopTimeoutMs),
  };
}

/** What the library has to know of the bounds, and may be told again. */
function timesOf(bounds: HostBounds) {
  return {
    // Both bounds are judged apart; the library counts their bytes together.
    maxHeaderSize: bounds.targetBytesMax + bounds.headerBytesMax,
    headersTimeout: bounds.headersTimeoutMs,
    requestTimeout: bounds.requestTimeoutMs,
    keepAliveTimeout: bounds.keepAliveTimeoutMs,
  };
}

/** Connections on which nothing is under way are closed now, the others after their answer. */
function stopServer(server: Server, speaker: Speaker, timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(() => server.closeAllConnections(), timeoutMs);
    server.close(() => {
      clearTimeout(late);
      resolve();
    });
    speaker.stop();
  });
}

class Speaker {
  private stopping = false;
  /** Open connections. */
  readonly lines: Connections;
  private readonly reader: Reader;
  private readonly front: Front;
  private readonly given: HttpOptions;
  /** Requests that are not begun, because too much waits for clients. */
  private readonly held: Exchange[] = [];
  /** Requests whose content is not read yet, because too many wait for the writer. */
  private readonly writing: Exchange[] = [];
  /** Answers of this turn of the event loop. */
  private answers: Answer[] = [];
  private readonly unread: Unread;
  private readonly endings: Endings;
  private readonly ids = new RequestIds();

  constructor(front: Front, options: HttpOptions) {
    const { bounds } = options;
    this.unread = new Unread(bounds);
    this.lines = new Connections(connectionsWithin(bounds.connectionsMax), (text) =>
      options.busy?.(text),
    );
    this.reader = new Reader(bounds, {
      again: (exchange) => this.enter(exchange),
      send: (exchange, reply) => this.send(exchange, reply),
      refuse: (exchange, condition) => this.refuse(exchange, condition),
    });
    this.front = front;
    this.given = options;
    const { proxies = NO_PROXIES } = options;
    this.endings = new Endings(front, bounds, {
      nameOf: (sender) => this.ids.of(sender, proxies),
      answered: (sender, { method, path, id, reply }) => {
        const told = { method, path, id, address: proxies.clientOf(sender), tookMs: 0 };
        options.answered?.({ ...told, trace: traceOf(sender), ...toldOf(reply) });
      },
    });
  }

  connect(socket: Socket): void {
    const { pipelinedMax } = this.given.bounds;
    const line = new Line(socket, pipelinedMax, (exchange) => this.enter(exchange));
    this.lines.add(line);
    // The library calls this after the last answer that it knows of.
    socket.destroySoon = () => {
      if (line.isEnding && !line.isLast) return;
      line.shut();
      close(socket, undefined, this.given.bounds.lingerTimeoutMs);
    };
    socket.once("close", () => {
      line.gone();
      this.lines.remove(socket);
      this.endings.gone(socket);
      if (this.unread.gone(socket)) this.release();
    });
  }

  get heldCount(): number {
    return this.held.length;
  }

  stop(): void {
    this.stopping = true;
    for (const line of this.lines) if (line.isIdle) line.socket.destroy();
  }

  take(request: IncomingMessage, response: ServerResponse, expects?: Exchange["expects"]): void {
    const { socket, url = "/" } = request;
    const line = this.lines.of(socket);
    if (socket.destroyed || line === undefined || line.isEnding) return;
    const target = splitTarget(url);
    const startMs = performance.now();
    const { proxies = NO_PROXIES } = this.given;
    const address = proxies.clientOf(request);
    const id = this.ids.of(request, proxies);
    const begun = { request, response, target, startMs, line, service: this.front.current };
    const exchange: Exchange = { ...begun, address, id, expects };
    response.on("close", () => this.closed(exchange));
    response.on("error", dropped);
    line.take(exchange);
  }

  broken(fault: ParserFault, socket: Socket): void {
    const line = this.lines.of(socket);
    if (line === undefined) socket.destroy();
    // It is read on, so that the last answer arrives, and ends by itself.
    else if (line.isEnding) return;
    else if (socket.writable) this.endings.broken(fault, line);
    else socket.destroy();
  }

  /** The library reads no further, and has left the socket to us. */
  tunnel(request: IncomingMessage): void {
    const { socket } = request;
    const line = this.lines.of(socket);
    socket.on("error", () => socket.destroy());
    if (line === undefined) socket.destroy();
    else this.endings.connect(request, line);
  }

  private closed(exchange: Exchange): void {
    const { line, response } = exchange;
    line.closed(exchange);
    if (this.unread.taken(response, line.socket, line.hasMore)) this.release();
  }

  private enter(exchange: Exchange): void {
    if (this.isHeld(exchange)) this.held.push(exchange);
    else this.begin(exchange);
  }

  private isHeld({ line }: Exchange): boolean {
    return this.front.isTurning || this.unread.isMuchFor(line.peer);
  }

  release(): void {
    if (this.front.isTurning) return;
    for (const exchange of this.held.length === 0 ? [] : this.held.splice(0)) {
      if (this.isHeld(exchange)) this.held.push(exchange);
      else if (!exchange.request.socket.destroyed) this.begin(exchange);
    }
    while (!this.front.full) {
      const exchange = this.writing.shift();
      if (exchange === undefined) return;
      if (!exchange.request.socket.destroyed) this.enter(exchange);
    }
  }

  private begin(exchange: Exchange): void {
    const { current } = this.front;
    exchange.service = current.versionOf?.(exchange) ?? current;
    try {
      this.route(exchange);
    } catch (fault) {
      const { asked } = heardOf(exchange);
      this.send(exchange, exchange.service.fault(String(fault), { asked }));
    }
  }

  private route(exchange: Exchange): void {
    const { request, expects, service } = exchange;
    const { method = "", url = "", httpVersion, rawHeaders } = request;
    const head = { method, url, version: httpVersion, rawHeaders };
    const own = judgeHead(head, this.given.bounds);
    if (own !== undefined || expects === "unknown") {
      this.refuse(exchange, own ?? "unknown expectation");
      return;
    }
    const found = routed(service, heardOf(exchange));
    if (found.is === "answered") this.send(exchange, found.reply);
    else if (this.front.full && service.writes(found.endpoint)) this.writing.push(exchange);
    else this.reader.read(exchange, found);
  }

  /**
   * Sends the answers of this turn of the event loop one after the other: a receiver that has been
   * woken by one is awake for the next, which halves what sending costs.
   */
  private sendAll(): void {
    const answers = this.answers;
    this.answers = [];
    for (const answer of answers) {
      try {
        this.sendOne(answer);
      } catch {
        // What cannot be written must not end the process, nor keep the other answers back.
        answer.response.destroy();
      }
    }
  }

  /** A text body would be sent in one piece with the head, and in the body's encoding. */
  private sendOne({ response, status, headers, body, peer }: Answer): void {
    const bytes = bytesOfFields(headers);
    response.writeHead(status, bytes ?? headers);
    // A text has at least as many bytes as characters.
    if (body !== undefined) this.unread.add(response, body.length, peer);
    if (bytes === undefined || body === undefined) response.end(body);
    else response.end(Buffer.from(body));
  }

  /** What HTTP itself asks is not met: nothing that follows on the connection is read. */
  private refuse(exchange: Exchange, condition: HttpCondition): void {
    exchange.response.shouldKeepAlive = false;
    const { asked } = heardOf(exchange);
    this.send(exchange, exchange.service.own(condition, { asked }));
  }

  /** The head of a stream is sent at once; what follows is the service's. */
  private begun(exchange: Exchange, reply: Reply, opening: Opening): void {
    const { request, response, service } = exchange;
    const { status, headers } = reply;
    const { crossOrigin } = service;
    const all = [...headers, "Content-Type", "text/event-stream"];
    if (crossOrigin) all.push(...crossOrigin.headers(request.headers.origin));
    response.writeHead(status, bytesOfFields(all) ?? all);
    // Whoever leaves looks no different from one that has said all it will say.
    const hasLeft = request.socket.readableEnded;
    if (request.method === "HEAD" || this.stopping || hasLeft) response.end();
    else {
      response.flushHeaders();
      service.open(opening, sinkOf(response));
    }
    this.tell(exchange, reply);
  }

  private tell(exchange: Exchange, reply: Reply): void {
    const { request, target, startMs, address, id, endpoint, service } = exchange;
    this.given.answered?.({
      method: request.method ?? "",
      path: target.path,
      endpoint: endpoint === undefined ? undefined : service.nameOf(endpoint),
      tookMs: performance.now() - startMs,
      address,
      id,
      trace: traceOf(request),
      ...toldOf(reply),
    });
  }

  private send(exchange: Exchange, reply: Reply): void {
    const { opening } = reply;
    if (opening) this.begun(exchange, reply, opening);
    else coded(reply, exchange.request.headers, (made) => this.sendContent(exchange, reply, made));
  }

  private sendContent(exchange: Exchange, reply: Reply, made: Coded): void {
    const { request, response, service } = exchange;
    const { status } = reply;
    const { body } = made;
    const headers = fieldsSent(reply, made, { service, headers: request.headers });
    if (this.stopping) headers.push("Connection", "close");
    // What a client would send next, if it still does, is no request.
    if (exchange.expects === "continue" && !exchange.continued) response.shouldKeepAlive = false;
    if (this.stopping || !response.shouldKeepAlive) exchange.line.isLast = true;
    this.answers.push({ response, status, headers, body, peer: exchange.line.peer });
    if (this.answers.length === 1) setImmediate(() => this.sendAll());
    this.tell(exchange, reply);
    // The next request of the connection may be begun, and answered, before this returns.
    exchange.line.answered(exchange);
  }
}
