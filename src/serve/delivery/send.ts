/** Makes one attempt to deliver a message; gives the status, or that there was none. */
import type { LookupFunction } from "node:net";
import type { Place, PlaceOptions } from "../client/address.ts";
import { placeOf } from "../client/address.ts";
import { openRequest } from "../client/client.ts";
import { whenOver } from "../client/patience.ts";
import type { Result, Sending } from "../jobs/job.ts";
import { signatureHeaders } from "./signature.ts";

/** An answer's content is of no interest: it is read for a while, so that all ends well. */
const DRAINED_MS = 1_000;

/** How long a name may wait until anybody is asked for it. */
const UNASKED_MS = 3_000;
/** This host has no more files, ports or memory for a connection: no receiver has to do with it. */
const OWN_LACKS = new Set(["EMFILE", "ENFILE", "EADDRNOTAVAIL", "ENOBUFS", "ENOMEM"]);

interface SendOptions extends PlaceOptions {
  /** Ends the attempt; what it did is not known then. */
  readonly signal: AbortSignal;
  /** Microseconds since 1970: what the signature says. */
  readonly now: bigint;
}

/**
 * Never rejects. The time within which an answer counts begins here, with finding the receiver.
 * Redirects are not followed: they are answers like any other.
 */
export async function send(sending: Sending, options: SendOptions): Promise<Result> {
  const { message, withinMs } = sending;
  const beganMs = performance.now();
  const unaskedMs = Math.min(UNASKED_MS, withinMs / 2);
  const place = await inTime(placeOf(sending.address, { ...options, unaskedMs }), withinMs);
  if (place === undefined) return { message, arrived: false, isUnmade: true };
  if (typeof place === "string") return { message, arrived: false };
  const leftMs = Math.max(0, withinMs - (performance.now() - beganMs));
  try {
    return await attempt({ ...sending, withinMs: leftMs }, place, options);
  } catch {
    // What cannot even be begun, such as a header that may not be sent.
    return { message, arrived: false };
  }
}

/** A text where it takes too long; what it gives later is not waited for. */
function inTime<T>(made: Promise<T>, withinMs: number): Promise<T | string> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => resolve("it was not found in time"), withinMs);
    made.then(resolve, reject).finally(() => clearTimeout(late));
  });
}

/** The headers of an attempt. */
export function headersOf(
  { message, contentType, secret, headers = [] }: Sending,
  now: bigint,
): Record<string, string | number> {
  const { name, body } = message;
  const signed =
    secret === undefined ? {} : signatureHeaders(secret, { name, body, seconds: now / 1_000_000n });
  const length = { "Content-Length": Buffer.byteLength(body) };
  return { "Content-Type": contentType, ...length, ...signed, ...Object.fromEntries(headers) };
}

function attempt(sending: Sending, place: Place, { signal, now }: SendOptions): Promise<Result> {
  const { message, method, withinMs } = sending;
  const { url, address, family } = place;
  const lookup: LookupFunction = (_host, options, done) => {
    if (options.all) done(null, [{ address, family }]);
    else done(null, address, family);
  };
  return new Promise((resolve) => {
    let connected = false;
    const request = openRequest(url, {
      method,
      lookup,
      signal,
      agent: false,
      headers: headersOf(sending, now),
    });
    const callOff = whenOver(withinMs, () => request.destroy(new Error("late")));
    const settle = (status?: number): void => {
      callOff();
      resolve({ message, status, arrived: connected });
    };
    const fail = ({ code = "" }: NodeJS.ErrnoException): void => {
      callOff();
      const isUnmade = !connected && OWN_LACKS.has(code);
      resolve({ message, arrived: connected, ...(isUnmade ? { isUnmade } : {}) });
    };
    request.on("socket", (socket) => {
      socket.once(url.protocol === "https:" ? "secureConnect" : "connect", () => {
        connected = true;
      });
    });
    request.on("response", (response) => {
      settle(response.statusCode);
      const end = setTimeout(() => response.destroy(), DRAINED_MS);
      response.on("close", () => clearTimeout(end));
      response.on("error", () => {});
      response.resume();
    });
    request.on("error", fail);
    // An answer that would change the protocol ends without one.
    request.on("close", () => settle());
    request.end(message.body);
  });
}
