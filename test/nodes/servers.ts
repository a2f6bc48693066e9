/** A server and its synchronous standby, and what stands between them and the nodes. */
import { type Cut, type Proxy, startProxy } from "../postgres/proxy.ts";
import { Server } from "../postgres/server.ts";

/** What is killed is a process, not the machine: what was written to files is there. */
const SETTINGS = [
  "wal_retrieve_retry_interval=500ms",
  "fsync=off",
  "wal_keep_size=512MB",
  "max_connections=100",
];
const SYNCHRONOUS = [...SETTINGS, "synchronous_standby_names=*"];

export class Servers {
  #primary: Server;
  #standby: Server;
  readonly #proxies: readonly Proxy[];

  private constructor(primary: Server, standby: Server, proxies: readonly Proxy[]) {
    this.#primary = primary;
    this.#standby = standby;
    this.#proxies = proxies;
  }

  static async start(bin: string): Promise<Servers> {
    const primary = await Server.start(bin, SYNCHRONOUS);
    const standby = await Server.follow(bin, primary, SYNCHRONOUS);
    const proxies = await Promise.all([primary, standby].map(({ url }) => startProxy(url)));
    return new Servers(primary, standby, proxies);
  }

  /** For nodes: both servers, each behind its proxy. */
  get url(): string {
    const hosts = this.#proxies.map(({ url }) => new URL(url).host).join(",");
    return `postgres://lacuna@${hosts}/postgres?schema=nodes`;
  }

  /** Of the one that writes, not behind a proxy. */
  get ownUrl(): string {
    return `${this.#primary.url}?schema=nodes`;
  }

  get cuts(): number {
    return this.#proxies.reduce((sum, { cuts }) => sum + cuts, 0);
  }

  /** Cuts a node off at its next commit; resolves when that has been. */
  async cut(how: Cut): Promise<void> {
    await Promise.race(this.#proxies.map((one) => one.cutNext(how)));
  }

  async restart(): Promise<void> {
    await this.#primary.kill();
    await this.#primary.begin();
  }

  /** The server that writes is gone, the standby takes its place, and gets a standby. */
  async promote(): Promise<void> {
    await this.#primary.kill();
    this.#standby.promote();
    [this.#primary, this.#standby] = [this.#standby, this.#primary];
    await this.#primary.takesWrites();
    await this.#standby.followAnew(this.#primary);
  }

  async stop(): Promise<void> {
    for (const one of this.#proxies) await one.stop();
    await this.#standby.stop();
    await this.#primary.stop();
  }
}
