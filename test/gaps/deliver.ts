/** Stands where the courier stands: takes the messages that are due, and says what became of each. */

import { signatureHeaders } from "../../src/serve/delivery/signature.ts";
import type { Collected, Result } from "../../src/serve/jobs/job.ts";
import type { Writer } from "../../src/serve/threads/writer.ts";

type Sending = Collected["sendings"][number];

/** Each attempt takes one or more rounds: what it brings about may be due at once. */
const ROUNDS_MAX = 20;

/** What receivers answer: most take it, some never, one is gone for good. */
function statusOf({ message }: Sending): number {
  const sum = [...message.body].reduce((all, one) => (all * 31 + one.charCodeAt(0)) % 9973, 7);
  return [204, 503, 503, 410][sum % 4] ?? 204;
}

/** A message as it would be sent. */
function textOf({ message, method, address, contentType, secret, withinMs }: Sending, now: bigint) {
  const { name, body, attempts } = message;
  const seconds = now / 1_000_000n;
  const signed = secret === undefined ? {} : signatureHeaders(secret, { name, body, seconds });
  const fields = Object.entries({ "content-type": contentType, ...signed });
  return `${method} ${address} ${JSON.stringify(fields)} ${attempts} ${withinMs} ${body}`;
}

export interface Delivered {
  /** The messages as they were sent. */
  readonly sent: readonly string[];
  /** When something may be due next; undefined: nothing is. */
  readonly due: bigint | undefined;
}

/** Delivers all that is due at an instant. */
export async function delivered(writer: Writer, now: bigint): Promise<Delivered> {
  const sent: string[] = [];
  let results: readonly Result[] = [];
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const { sendings, due } = await writer.deliver(now, results, { busy: [], most: 512 });
    if (sendings.length === 0) return { sent, due };
    sent.push(...sendings.map((one) => textOf(one, now)));
    results = sendings.map((one): Result => {
      return { message: one.message, status: statusOf(one), arrived: true };
    });
  }
  await writer.deliver(now, results, undefined);
  return { sent, due: now };
}
