/** The attacks: what hostile clients do beside one that means well. Each is bounded. */
import type { Socket } from "node:net";
import { connect, createServer } from "node:net";
import { ask, WELL } from "./client.ts";

export interface Attack {
  readonly name: string;
  /** How much of it there is. */
  readonly size: string;
  /** The clause of the document that it is about, put in place of another. */
  readonly edit?: readonly [from: string, to: string];
  /** What is done before anything is timed. */
  prepare?(port: number): Promise<void>;
  /** Goes on until its process ends; resolves when all of it is in place. */
  run(port: number): Promise<void>;
  /** Instead of another process: the service is stopped and started again, and this is timed. */
  readonly restarts?: true;
}

const pause = (ms: number): Promise<void> => new Promise((go) => setTimeout(go, ms));

/** A connection from one of so many addresses of this machine, none of them the good client's. */
function open(port: number, i: number, addresses: number): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const localAddress = `127.0.0.${2 + (i % addresses)}`;
    const socket = connect({ port, host: "127.0.0.1", localAddress });
    socket.once("connect", () => resolve(socket));
    socket.on("error", () => resolve(undefined));
    socket.on("close", () => resolve(undefined));
  });
}

/** So many connections, a few of which are made at a time. */
async function many(
  count: number,
  make: (i: number) => Promise<unknown>,
  atOnce = 50,
): Promise<void> {
  for (let i = 0; i < count; i += atOnce) {
    const some = Array.from({ length: Math.min(atOnce, count - i) }, (_, k) => make(i + k));
    await Promise.all(some);
  }
}

function written(method: string, path: string, body = "", headers = ""): string {
  const content =
    body === ""
      ? ""
      : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nHost: a\r\n${headers}${content}\r\n${body}`;
}

/** Asks the same again and again on so many connections, and opens those again that are closed. */
function asking(
  { count, addresses }: { readonly count: number; readonly addresses: number },
  text: (i: number) => string | Buffer,
): (port: number) => Promise<void> {
  return async (port) => {
    const line = async (i: number): Promise<void> => {
      const socket = await open(port, i, addresses);
      if (socket === undefined) {
        await pause(100);
        void line(i);
        return;
      }
      socket.on("data", () => socket.write(text(i)));
      socket.once("close", () => setTimeout(() => void line(i), 100));
      socket.write(text(i));
    };
    await many(count, line);
  };
}

const WRONG = JSON.stringify({ ...WELL, password: "no" });
const LOGIN = written("POST", "/v1/logins", WRONG);
const NO_BASIC = Buffer.from(`${WELL.name}:no`).toString("base64");
const MIB = 1_048_576;
const HEAD = "POST /v1/pages HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n";

/** Many rows, some thousand at a time. */
async function fill(
  port: number,
  path: string,
  count: number,
  item: (i: number) => string,
): Promise<void> {
  const EACH = 5_000;
  for (let from = 0; from < count; from += EACH) {
    const length = Math.min(EACH, count - from);
    const items = Array.from({ length }, (_, i) => item(from + i));
    const { status, text } = await ask(port, { method: "POST", path, body: { items } });
    if (status !== 200) throw new Error(`${path}: ${status} ${text.slice(0, 300)}`);
  }
}

/** A peer that takes connections and never answers, at many addresses of this machine. */
async function tarPit(): Promise<number> {
  const server = createServer((socket) => socket.on("error", () => {}));
  await new Promise<void>((resolve) => server.listen(0, "0.0.0.0", 4_000, resolve));
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

const DEAD = 10_000;
const JOBS = 200_000;
const TIMED = "Rate limits, size limits, time-outs and quotas: none.";
const LIMIT = `Rate limits, size limits and quotas: none.

| Limit | Counts | Per | Amount | Window | When passed |
|---|---|---|---|---|---|
| \`time\` | time to answer a request | request | 1 s | none | \`fault\` |`;

export const ATTACKS: readonly Attack[] = [
  {
    name: "log-ins",
    size: "wrong log-ins on 200 connections of 4 addresses",
    run: asking({ count: 200, addresses: 4 }, () => LOGIN),
  },
  {
    name: "log-ins-pipelined",
    size: "250 wrong log-ins in one go on each of 8 connections of 4 addresses",
    run: (port) =>
      many(8, async (i) => {
        (await open(port, i, 4))?.resume().write(LOGIN.repeat(250));
      }),
  },
  {
    name: "log-ins-given-up",
    size: "200 wrong log-ins a second, each on a connection that is reset at once",
    run: async (port) => {
      setInterval(async () => {
        const socket = await open(port, Math.floor(Math.random() * 4), 4);
        socket?.write(LOGIN, () => setTimeout(() => socket.resetAndDestroy(), 20));
      }, 5);
    },
  },
  {
    name: "wrong-Basic",
    size: "wrong Basic on 64 connections of 4 addresses",
    run: asking({ count: 64, addresses: 4 }, () =>
      written("GET", "/v1/me", "", `Authorization: Basic ${NO_BASIC}\r\n`),
    ),
  },
  {
    name: "bodies-unfinished",
    size: "400 connections of 4 addresses, each with 7 MiB of a body of 8 MiB",
    run: (port) =>
      many(
        400,
        async (i) => {
          const socket = await open(port, i, 4);
          socket?.resume().write(`${HEAD}Content-Length: ${8 * MIB}\r\n\r\n`);
          socket?.write(Buffer.alloc(7 * MIB, 32));
          await pause(20);
        },
        10,
      ),
  },
  {
    name: "bodies-of-crumbs",
    size: "32 connections of 4 addresses, bodies in chunks of one byte",
    run: (port) => {
      const crumbs = "1\r\n \r\n".repeat(10_000);
      const line = async (i: number): Promise<void> => {
        const socket = await open(port, i, 4);
        socket?.resume().write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`);
        const more = (): void => {
          if (socket?.writable === true) socket.write(crumbs, () => setTimeout(more, 20));
          else setTimeout(() => void line(i), 1_000);
        };
        more();
      };
      return many(32, line);
    },
  },
  {
    name: "bodies-large",
    size: "bodies of 4 MiB with 2,000,000 numbers on 8 connections of 4 addresses",
    run: (port) => {
      const body = `{"text":[${"1,".repeat(2 * MIB)}1]}`;
      const text = Buffer.from(written("POST", "/v1/pages", body));
      return asking({ count: 8, addresses: 4 }, () => text)(port);
    },
  },
  {
    name: "small-writes",
    size: "writes on 200 connections of 4 addresses",
    run: asking({ count: 200, addresses: 4 }, () =>
      written("POST", "/v1/pages", `{"text":"more"}`),
    ),
  },
  {
    name: "small-reads",
    size: "reads of fifty notes on 200 connections of 4 addresses",
    run: asking({ count: 200, addresses: 4 }, () => written("GET", "/v1/notes")),
  },
  {
    name: "long-writes",
    size: "writes of 5,000 rows, the most that is stated, on 8 connections of 4 addresses",
    run: (port) => {
      const items = Array.from({ length: 5_000 }, (_, i) => `"page ${i} "`);
      const text = written("POST", "/v1/pages/many", `{"items":[${items.join()}]}`);
      return asking({ count: 8, addresses: 4 }, () => text)(port);
    },
  },
  {
    name: "long-reads",
    size: "reads that compare 5,000 rows with each other on 2 connections, 1 s to answer stated",
    edit: [TIMED, LIMIT],
    prepare: (port) => fill(port, "/v1/pages/many", 5_000, (i) => `${i} `.repeat(10)),
    run: asking({ count: 2, addresses: 2 }, () => written("GET", "/v1/pages/within")),
  },
  {
    name: "slow-readers",
    size: "answers of 1.3 MB to 400 connections of 4 addresses that read nothing",
    prepare: (port) => fill(port, "/v1/pages/many", 10_000, (i) => `page ${i} `.padEnd(80, "x")),
    run: (port) =>
      many(400, async (i) => {
        const socket = await open(port, i, 4);
        socket?.pause().write(written("GET", "/v1/pages"));
      }),
  },
  {
    name: "slow-streams",
    size: "1,000 streams of 4 addresses that are not read, beside writes",
    run: async (port) => {
      await many(1_000, async (i) => {
        const socket = await open(port, i, 4);
        socket?.pause().write(written("GET", "/v1/feed"));
      });
    },
  },
  {
    name: "slow-heads",
    size: "2,000 connections of 4 addresses with a byte of a head each second",
    run: (port) =>
      many(2_000, async (i) => {
        const socket = await open(port, i, 4);
        socket?.resume().write("GET /v1/ping HTTP/1.1\r\nHost: a\r\nX: ");
        const timer = setInterval(() => socket?.write("x"), 1_000);
        socket?.once("close", () => clearInterval(timer));
      }),
  },
  {
    name: "idle",
    size: "10,000 connections of 8 addresses that say nothing",
    run: (port) => many(10_000, (i) => open(port, i, 8).then((socket) => socket?.resume())),
  },
  {
    name: "short-connections",
    size: "connections opened and closed, 16 at a time",
    run: async (port) => {
      const again = async (i: number): Promise<void> => {
        const socket = await open(port, i, 4);
        socket?.resetAndDestroy();
        setTimeout(() => void again(i), 2);
      };
      for (let i = 0; i < 16; i++) void again(i);
    },
  },
  {
    name: "dead-receivers",
    size: `${DEAD.toLocaleString("en")} receivers at 250 hosts that never answer`,
    run: async (port) => {
      const pit = await tarPit();
      await fill(
        port,
        "/v1/hooks/many",
        DEAD,
        (i) => `http://127.0.0.${2 + (i % 250)}:${pit}/${i}`,
      );
    },
  },
  {
    name: "unknown-names",
    size: "500 receivers whose names nobody knows",
    run: (port) => fill(port, "/v1/hooks/many", 500, (i) => `http://h${i}.nobody.example/`),
  },
  {
    name: "timers",
    size: `${JOBS.toLocaleString("en")} timers that are due when the service starts`,
    restarts: true,
    prepare: (port) =>
      fill(port, "/v1/jobs/many", JOBS, () => new Date(Date.now() + 25_000).toISOString()),
    run: async () => {},
  },
];

/** Throws where there is none. */
export function attackNamed(name: string): Attack {
  const found = ATTACKS.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no attack is named ${name}`);
  return found;
}
