/** A service written by hand for `spec.md` beside it, right or with one fault in its messages. */
import { createHmac, randomBytes } from "node:crypto";
import { request as ask, createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";

/** What may be wrong; see `faults` in the test. */
export type Fault =
  | "sends nothing of what is ended"
  | "sends twice"
  | "sends twice under two names"
  | "out of order"
  | "wrong data"
  | "wrong signature"
  | "no signature"
  | "wrong time of signature"
  | "sends for what is refused"
  | "tries again at once"
  | "tries again late"
  | "never tries again"
  | "never gives up"
  | "does not mind 410"
  | "stays enabled"
  | "takes late answers"
  | "wrong method";

interface Hook {
  readonly id: string;
  readonly url: string;
  readonly secret: string;
  enabled: boolean;
}

interface Message {
  readonly hook: Hook;
  readonly id: string;
  readonly body: string;
  attempts: number;
}

const WITHIN_MS = 800;
const DELAYS_MS = [300, 500];

export interface Service {
  readonly url: URL;
  stop(): Promise<void>;
}

/** Starts it on a free port of 127.0.0.1, in a thread of its own. */
export async function service(fault?: Fault): Promise<Service> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { fault } });
  const port = await new Promise<number>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
  const stop = async (): Promise<void> => void (await worker.terminate());
  return { url: new URL(`http://127.0.0.1:${port}`), stop };
}

/** Gives the port. */
async function serve(fault?: Fault): Promise<number> {
  const notes = new Map<string, string>();
  const hooks = new Map<string, Hook>();
  const queues = new Map<Hook, Message[]>();
  let count = 0;

  const later = (ms: number, run: () => void): void => void setTimeout(run, ms);

  const tell = (type: string, note: object): void => {
    const timestamp = new Date().toISOString();
    for (const hook of hooks.values()) {
      if (!hook.enabled) continue;
      const data = fault === "wrong data" ? { ...note, text: "another" } : note;
      const body = JSON.stringify({ data, type, timestamp });
      const add = (): void => {
        const queue = queues.get(hook) ?? [];
        queues.set(hook, queue);
        const message = { hook, id: `m${++count}`, body, attempts: 0 };
        if (fault === "out of order" && count % 3 === 0) later(400, () => attempt(message));
        else if (queue.push(message) === 1) attempt(message);
      };
      add();
      if (fault === "sends twice under two names") add();
    }
  };

  /** Takes the message out of its queue, and goes on with the next. */
  const over = ({ hook }: Message): void => {
    const queue = queues.get(hook) ?? [];
    queue.shift();
    if (queue[0] !== undefined) attempt(queue[0]);
  };

  const attempt = (message: Message): void => {
    const { hook, id, body } = message;
    message.attempts++;
    const isOff = fault === "wrong time of signature" && message.attempts > 0;
    const seconds = Math.floor(Date.now() / 1000) - (isOff ? 4_000 : 0);
    const key = Buffer.from(hook.secret.slice("whsec_".length), "base64");
    const signed = fault === "wrong signature" ? `${id}.${body}` : `${id}.${seconds}.${body}`;
    const mac = createHmac("sha256", key).update(signed).digest("base64");
    const signature = {
      "Webhook-Id": id,
      "Webhook-Timestamp": String(seconds),
      "Webhook-Signature": `v1a,AAAA v1,${mac}`,
    };
    const headers = {
      "Content-Type": "application/json; charset=utf-8",
      ...(fault === "no signature" ? {} : signature),
    };
    let isEnded = false;
    const end = (status?: number): void => {
      if (isEnded) return;
      isEnded = true;
      settle(message, status);
    };
    const method = fault === "wrong method" ? "PUT" : "POST";
    const sending = ask(hook.url, { method, headers, agent: false }, (answer) => {
      answer.resume();
      end(answer.statusCode);
    });
    sending.on("error", () => end());
    if (fault !== "takes late answers") later(WITHIN_MS, () => end());
    sending.end(body);
  };

  const settle = (message: Message, status?: number): void => {
    const { hook, attempts } = message;
    if (status === 410 && fault !== "does not mind 410") {
      hook.enabled = false;
      over(message);
    } else if (status !== undefined && status >= 200 && status < 300) {
      if (fault === "sends twice" && attempts === 1) later(20, () => attempt(message));
      else over(message);
    } else again(message);
  };

  const again = (message: Message): void => {
    const delay = DELAYS_MS[message.attempts - 1] ?? (fault === "never gives up" ? 300 : undefined);
    if (delay === undefined || fault === "never tries again") {
      if (fault !== "stays enabled") message.hook.enabled = false;
      over(message);
    } else if (fault === "tries again at once") attempt(message);
    else later(delay + (fault === "tries again late" ? 2_500 : 0), () => attempt(message));
  };

  const answer = (method: string, path: string, text: string): [number, object?] => {
    const [, kind = "", id = "", end, more] = path.split("?")[0]?.split("/") ?? [];
    if (more !== undefined) return [404, no("no_path")];
    if (kind === "notes" && id === "")
      return method === "POST" ? write(text) : [405, no("no_method")];
    if (kind === "notes" && end === "end") {
      if (method !== "POST") return [405, no("no_method")];
      const note = notes.get(id);
      if (note === undefined) return [404, no("not_found")];
      notes.delete(id);
      if (fault !== "sends nothing of what is ended") tell("note.ended", { id, text: note });
      return [204];
    }
    if (kind === "hooks" && id === "")
      return method === "POST" ? hooked(text) : [405, no("no_method")];
    if (kind === "hooks" && end === undefined) {
      if (method !== "GET" && method !== "HEAD") return [405, no("no_method")];
      const hook = hooks.get(id);
      if (hook === undefined) return [404, no("not_found")];
      return [200, { id, url: hook.url, enabled: hook.enabled }];
    }
    return [404, no("no_path")];
  };

  const write = (text: string): [number, object] => {
    const body = membersOf(text, ["text"]);
    const note = { id: `note_${randomBytes(8).toString("hex")}`, text: String(body?.["text"]) };
    const length = [...note.text].length;
    if (typeof body?.["text"] !== "string" || length < 1 || length > 20) {
      if (fault === "sends for what is refused") tell("note.made", note);
      return [400, no("invalid")];
    }
    notes.set(note.id, note.text);
    tell("note.made", note);
    return [201, note];
  };

  const hooked = (text: string): [number, object] => {
    const url = membersOf(text, ["url"])?.["url"];
    if (typeof url !== "string" || !/^http:\/\/[!-~]+$/i.test(url) || !URL.canParse(url)) {
      return [400, no("invalid")];
    }
    const secret = `whsec_${randomBytes(24).toString("base64")}`;
    const hook = { id: `hook_${randomBytes(8).toString("hex")}`, url, secret, enabled: true };
    hooks.set(hook.id, hook);
    return [201, hook];
  };

  const server = createServer(async (incoming, response) => {
    const text = await textOf(incoming);
    const { method = "", url = "" } = incoming;
    const known = /^application\/json *(?:;|$)/i.test(incoming.headers["content-type"] ?? "");
    const isPost = method === "POST" && /^\/(?:notes|hooks)(?:\?|$)/.test(url);
    if (method === "OPTIONS" && /^\/(?:notes|hooks)\b/.test(url)) {
      response.writeHead(204, { Allow: allowed(url) }).end();
      return;
    }
    const [status, body] = isPost && !known ? [400, no("invalid")] : answer(method, url, text);
    const shown = body === undefined ? undefined : JSON.stringify(body);
    const type = shown === undefined ? {} : { "Content-Type": "application/json" };
    response.writeHead(status, { ...type, ...(status === 405 ? { Allow: allowed(url) } : {}) });
    response.end(method === "HEAD" ? undefined : shown);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

const no = (error: string): object => ({ error });

function allowed(path: string): string {
  return /^\/hooks\/./.test(path) ? "GET, HEAD, OPTIONS" : "POST, OPTIONS";
}

/** The members of a JSON object that has these alone, and none twice. */
function membersOf(text: string, names: readonly string[]): Record<string, unknown> | undefined {
  try {
    const read: unknown = JSON.parse(text);
    if (typeof read !== "object" || read === null || Array.isArray(read)) return undefined;
    const isKnown = Object.keys(read).every((name) => names.includes(name));
    return isKnown ? (read as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of incoming.setEncoding("utf8")) text += chunk;
  return text;
}

if (!isMainThread) parentPort?.postMessage(await serve(workerData.fault));
