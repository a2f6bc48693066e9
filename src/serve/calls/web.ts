/** A door to code in any language: each attempt is one HTTP request (see docs/calls.md). */
import type { IncomingMessage } from "node:http";
import { openRequest } from "../client/client.ts";
import type { Attempted, Door, Request } from "./door.ts";

/** Bytes of an answer that are read. */
const ANSWER_BYTES_MAX = 1_048_576;
/** How long a connection may be silent; a call that takes longer is asked for again. */
const IDLE_MS_MAX = 300_000;

/** The key as a String of RFC 8941 section 3.3.3. */
function structured(key: string): string {
  return `"${key.replace(/[^ -~]/g, "?").replace(/["\\]/g, "\\$&")}"`;
}

/** Where a call is: its name below the address. */
function addressOf(base: string, call: string): string {
  return `${base.replace(/\/+$/, "")}/${encodeURIComponent(call)}`;
}

function afterMs(response: IncomingMessage): { readonly afterMs?: number } {
  const seconds = response.headers["retry-after"];
  return seconds !== undefined && /^\d{1,6}$/.test(seconds)
    ? { afterMs: Number(seconds) * 1000 }
    : {};
}

/** What an answer with this status means. */
function meaning(response: IncomingMessage, text: string): Attempted {
  const status = response.statusCode ?? 0;
  if (status === 202) return { is: "later", ...afterMs(response) };
  if (status >= 200 && status < 300) return { is: "said", text };
  const message = `the code answered ${status}`;
  // What is busy or restarting has not begun; a gateway does not know.
  if (status === 429 || status === 503) {
    return { is: "lost", arrived: false, message, ...afterMs(response) };
  }
  if (status >= 500) return { is: "lost", arrived: true, message, ...afterMs(response) };
  return { is: "fault", message };
}

function read(response: IncomingMessage, done: (attempted: Attempted) => void): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  response.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= ANSWER_BYTES_MAX) chunks.push(chunk);
    else response.destroy(new Error("its answer is too long"));
  });
  response.on("end", () => done(meaning(response, Buffer.concat(chunks).toString("utf8"))));
  response.on("error", ({ message }) => done({ is: "lost", arrived: true, message }));
}

function attempt(base: string, asked: Request): Promise<Attempted> {
  const { call, given, key, undoes, repeatable, signal } = asked;
  return new Promise((resolve) => {
    let connected = false;
    const url = addressOf(base, call);
    const request = openRequest(url, {
      method: "POST",
      signal,
      // A connection that is used again may have been closed meanwhile: nobody knows then.
      ...(repeatable ? {} : { agent: false }),
      headers: {
        "Content-Type": "application/json",
        "Content-Length": Buffer.byteLength(given),
        "Idempotency-Key": structured(key),
        ...(undoes === undefined ? {} : { "Lacuna-Undoes": structured(undoes) }),
      },
    });
    request.on("socket", (socket) => {
      // A socket that is used again is connected already.
      if (!socket.connecting) connected = true;
      else
        socket.once(url.startsWith("https:") ? "secureConnect" : "connect", () => {
          connected = true;
        });
    });
    request.setTimeout(IDLE_MS_MAX, () => request.destroy(new Error("the code is silent")));
    request.on("response", (response) => read(response, resolve));
    request.on("error", ({ message }) => resolve({ is: "lost", arrived: connected, message }));
    request.end(given);
  });
}

/** The door at an address. */
export function webDoor(base: string): Door {
  return { ask: (request) => attempt(base, request), close: () => {} };
}
