/** Compresses the content of answers for clients that ask for it (RFC 9110 section 12.5.3). */
import type { IncomingHttpHeaders } from "node:http";
import { gzip } from "node:zlib";
import type { Reply } from "../jobs/job.ts";

/** Less content than one packet holds gains nothing. */
const BYTES_MIN = 1_200;
const LEVEL = 5;
const TEXT = /^(text\/|application\/([a-z0-9.+-]*\+)?(json|xml)\b)/i;

/** An answer's content as it is sent. `headers`: those that its coding adds, in turn. */
export interface Coded {
  readonly body: string | Buffer | undefined;
  readonly headers: readonly string[];
}

function valueOf(headers: readonly string[], name: string): string | undefined {
  const at = headers.findIndex((one, i) => i % 2 === 0 && one.toLowerCase() === name);
  return at < 0 ? undefined : headers[at + 1];
}

/** Whether an answer is to be coded where a client takes that: it is text, long, and not tagged. */
function canBeCoded({ status, headers, binary }: Reply, body: string): boolean {
  if (binary === true || status === 204 || status === 304 || body.length < BYTES_MIN) return false;
  if (!TEXT.test(valueOf(headers, "content-type") ?? "")) return false;
  if (valueOf(headers, "content-encoding") !== undefined) return false;
  // A strong tag is of these very bytes: coded ones would need another (section 8.8.3.3).
  return valueOf(headers, "etag")?.startsWith("W/") !== false;
}

/** Whether a client takes gzip: its weight there, or that of `*`, is more than none. */
export function takesGzip(accepted: string | undefined): boolean {
  if (accepted === undefined) return false;
  const weights = new Map(
    accepted
      .toLowerCase()
      .split(",")
      .map((one) => {
        const [coding = "", ...parameters] = one.split(";").map((part) => part.trim());
        const weight = parameters.find((part) => part.startsWith("q="))?.slice(2);
        return [coding, weight === undefined ? 1 : Number(weight)];
      }),
  );
  const weight = weights.get("gzip") ?? weights.get("x-gzip") ?? weights.get("*") ?? 0;
  return weight > 0;
}

/**
 * What a 415 tells whose request had a content coding: no other than `identity` is taken (RFC 9110
 * sections 12.5.3 and 15.5.16). `sent`: the request's Content-Encoding.
 */
export function codingsTaken(status: number, sent: string | undefined): readonly string[] {
  const isCoded = sent !== undefined && sent.trim().toLowerCase() !== "identity";
  return status === 415 && isCoded ? ["Accept-Encoding", "identity"] : [];
}

/** Calls `done` with what is sent, at once where nothing is compressed. */
export function coded(
  reply: Reply,
  { "accept-encoding": accepted }: IncomingHttpHeaders,
  done: (coded: Coded) => void,
): void {
  const { body, binary } = reply;
  if (body === undefined || !canBeCoded(reply, body)) {
    const isBytes = body !== undefined && binary === true;
    done({ body: isBytes ? Buffer.from(body, "base64") : body, headers: [] });
    return;
  }
  // Caches must know that others may get other bytes.
  const vary = ["Vary", "Accept-Encoding"];
  if (!takesGzip(accepted)) {
    done({ body, headers: vary });
    return;
  }
  gzip(body, { level: LEVEL }, (fault, bytes) => {
    if (fault) done({ body, headers: vary });
    else done({ body: bytes, headers: [...vary, "Content-Encoding", "gzip"] });
  });
}
