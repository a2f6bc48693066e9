/** Finds the addresses of a host name, many at a time: a slow one holds up no other. */
import { readFileSync, statSync } from "node:fs";
import { isIP } from "node:net";

/** What the resolver itself waits for one server, and how often it asks. */
const ASK = { timeout: 2_000, tries: 2 } as const;
/** After this time the system's settings are read again. */
const SETTINGS_MS = 30_000;
/** Look-ups that the system makes at a time: each holds a thread of the platform's pool. */
const SYSTEM_MAX = 1;

export interface Found {
  readonly address: string;
  readonly family: number;
}

type Find = (host: string) => Promise<readonly Found[]>;

/** Where the system keeps the names that need nobody to be asked. */
function hostsFile(): string {
  const root = process.env["SystemRoot"];
  return process.platform === "win32" && root !== undefined
    ? `${root}\\System32\\drivers\\etc\\hosts`
    : "/etc/hosts";
}

/** Names and addresses of a hosts file: an address, names behind it, and remarks behind `#`. */
export function hostsIn(text: string): ReadonlyMap<string, readonly Found[]> {
  const hosts = new Map<string, Found[]>();
  for (const line of text.split(/\r?\n/)) {
    const [address = "", ...names] = line.replace(/#.*/, "").trim().split(/\s+/);
    const family = isIP(address);
    if (family === 0) continue;
    for (const name of names) {
      const found = hosts.get(name.toLowerCase()) ?? [];
      hosts.set(name.toLowerCase(), found);
      found.push({ address, family });
    }
  }
  return hosts;
}

/** The hosts file, read again when it has changed. */
class Hosts {
  private hosts = hostsIn("");
  private readAtMs = Number.NEGATIVE_INFINITY;
  private changedMs: number | undefined;

  find(host: string): readonly Found[] | undefined {
    const now = performance.now();
    if (now - this.readAtMs > SETTINGS_MS) {
      this.readAtMs = now;
      this.read(hostsFile());
    }
    return this.hosts.get(host);
  }

  private read(file: string): void {
    try {
      const { mtimeMs } = statSync(file);
      if (mtimeMs !== this.changedMs) this.hosts = hostsIn(readFileSync(file, "utf8"));
      this.changedMs = mtimeMs;
    } catch {
      // A system without such a file has no such names.
    }
  }
}

const HERE: readonly Found[] = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
];

/** Asks the name servers of the system over sockets of its own, and no thread. */
function askServers(): Find {
  const dns = process.getBuiltinModule("node:dns/promises");
  let [resolver, madeMs] = [new dns.Resolver(ASK), performance.now()];
  return async (host) => {
    if (performance.now() - madeMs > SETTINGS_MS) {
      [resolver, madeMs] = [new dns.Resolver(ASK), performance.now()];
    }
    const [four, six] = await Promise.allSettled([
      resolver.resolve4(host),
      resolver.resolve6(host),
    ]);
    const of = (one: PromiseSettledResult<string[]>, family: number): Found[] =>
      one.status === "rejected" ? [] : one.value.map((address) => ({ address, family }));
    return [...of(four, 4), ...of(six, 6)];
  };
}

/** A name that could not be asked for in time, since others were before it: nobody was asked. */
export class Unasked extends Error {}

/** The system's own way, which knows more names than its name servers do. */
class System {
  private readonly waiting: (() => void)[] = [];
  private underWay = 0;

  find(host: string, withinMs: number | undefined): Promise<readonly Found[]> {
    return new Promise((resolve, reject) => {
      let late: ReturnType<typeof setTimeout> | undefined;
      const begin = (): void => {
        clearTimeout(late);
        this.underWay++;
        const { lookup } = process.getBuiltinModule("node:dns/promises");
        lookup(host, { all: true })
          .then(resolve, reject)
          .finally(() => {
            this.underWay--;
            this.waiting.shift()?.();
          });
      };
      if (this.underWay < SYSTEM_MAX) {
        begin();
        return;
      }
      this.waiting.push(begin);
      if (withinMs === undefined) return;
      late = setTimeout(() => {
        this.waiting.splice(this.waiting.indexOf(begin), 1);
        reject(new Unasked(`${host} was not looked up: others are before it`));
      }, withinMs);
    });
  }
}

/**
 * Names in their order: `localhost` and what ends in it (RFC 6761 section 6.3), the hosts file, the
 * name servers; then, where the host's own network may be reached, whatever else the system asks,
 * such as search domains and neighbours. Of a name that nobody knows the list is empty.
 */
export class Names {
  private readonly hosts = new Hosts();
  private readonly system = new System();
  private servers: Find | undefined;
  private readonly underWay = new Map<string, Promise<readonly Found[]>>();

  /** One look-up at a time for a name. Rejects with `Unasked` after that time of waiting. */
  find(text: string, isOwnNetwork: boolean, withinMs?: number): Promise<readonly Found[]> {
    const host = text.toLowerCase().replace(/\.$/, "");
    if (host === "localhost" || host.endsWith(".localhost")) return Promise.resolve(HERE);
    const listed = this.hosts.find(host);
    if (listed !== undefined) return Promise.resolve(listed);
    const key = `${isOwnNetwork} ${host}`;
    let found = this.underWay.get(key);
    if (found === undefined) {
      found = this.ask(host, isOwnNetwork, withinMs).finally(() => this.underWay.delete(key));
      this.underWay.set(key, found);
    }
    return found;
  }

  private async ask(
    host: string,
    isOwnNetwork: boolean,
    withinMs: number | undefined,
  ): Promise<readonly Found[]> {
    this.servers ??= askServers();
    const found = await this.servers(host);
    return found.length > 0 || !isOwnNetwork ? found : this.system.find(host, withinMs);
  }
}
