/** Passes requests to a service and its answers back as they come; tells what passed. */
import {
  Agent,
  createServer,
  type IncomingMessage,
  request as plainly,
  type Server,
  type ServerResponse,
} from "node:http";
import { Agent as SecureAgent, request as securely } from "node:https";
import type { AddressInfo } from "node:net";
import { requestFields } from "./hops.ts";
import type { Passed } from "./passed.ts";
import { Passing, type Upstream } from "./passing.ts";
import { passUpgrade } from "./upgrade.ts";

interface Forwarding {
  readonly url: URL;
  /** The service gets the field `Host` of the client. */
  readonly keepHost: boolean;
  /** Bytes of one content that are kept to be judged. */
  readonly contentMax: number;
  tell(passed: Passed): void;
}

/** A client may wait so long before it uses its connection again, in milliseconds. */
const KEPT_OPEN = 65_000;
const HEAD_MAX = 128 * 1024;

/** A server in front of a service. */
export class Forwarder {
  readonly #server: Server;
  readonly #agent: Agent;
  /** When each request came that is under way. */
  readonly #open = new Set<{ readonly sent: number }>();

  constructor(forwarding: Forwarding) {
    const { url, keepHost, contentMax, tell } = forwarding;
    const isSecure = url.protocol === "https:";
    const agent = new (isSecure ? SecureAgent : Agent)({ keepAlive: true, scheduling: "lifo" });
    this.#agent = agent;
    const base = url.pathname.replace(/\/$/, "");
    const open = (incoming: IncomingMessage): Upstream => {
      const target = targetOf(incoming);
      const { rawHeaders: raw, httpVersion: version, method } = incoming;
      const host = keepHost && incoming.headers.host !== undefined ? undefined : url.host;
      const headers = requestFields({ raw, version, host });
      const options = {
        protocol: url.protocol,
        hostname: url.hostname.replace(/^\[|\]$/g, ""),
        port: url.port,
        path: target === "*" ? target : base + target,
        agent,
        maxHeaderSize: HEAD_MAX,
        ...(method === undefined ? {} : { method }),
      };
      const send = isSecure ? securely : plainly;
      return { target, headers, ask: (fields) => send({ ...options, headers: fields }) };
    };
    const parts = { open, contentMax, tell, underWay: this.#open };
    const pass = (incoming: IncomingMessage, outgoing: ServerResponse): void =>
      new Passing(parts, incoming, outgoing).begin();
    // What a request is to hold is for the service to judge.
    const lenient = { requireHostHeader: false, maxHeaderSize: HEAD_MAX, requestTimeout: 0 };
    this.#server = createServer({ ...lenient, keepAliveTimeout: KEPT_OPEN }, pass);
    this.#server.on("checkContinue", pass);
    this.#server.on("checkExpectation", pass);
    this.#server.on("upgrade", (incoming, socket, head) =>
      passUpgrade({ upstream: open(incoming), incoming, socket, head, tell }),
    );
  }

  /** When the oldest request came that is under way; none: infinite. */
  get oldest(): number {
    const [first] = this.#open;
    return first?.sent ?? Number.POSITIVE_INFINITY;
  }

  /** Gives the port; rejects where it cannot be listened on. */
  listen(port: number, host: string): Promise<number> {
    return new Promise((done, fail) => {
      this.#server.once("error", fail);
      this.#server.listen(port, host, () => done((this.#server.address() as AddressInfo).port));
    });
  }

  /** Ends what is under way after a while, in milliseconds. */
  async close(patience: number): Promise<void> {
    const closed = new Promise<void>((done) => this.#server.close(() => done()));
    this.#server.closeIdleConnections();
    const timer = setTimeout(() => this.#server.closeAllConnections(), patience);
    await closed;
    clearTimeout(timer);
    this.#agent.destroy();
  }
}

/** The path and query; of a client that takes this for its proxy, without what is before them. */
function targetOf({ url = "/" }: IncomingMessage): string {
  if (url.startsWith("/") || url === "*") return url;
  const whole = URL.parse(url);
  return whole === null ? url : whole.pathname + whole.search;
}
