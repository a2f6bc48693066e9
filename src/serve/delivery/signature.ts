/** Signs messages as the Standard Webhooks specification has it, version 1. */
import { createHmac } from "node:crypto";

const PREFIX = "whsec_";

interface Signed {
  readonly name: string;
  readonly body: string;
  /** Whole seconds since 1970. */
  readonly seconds: bigint;
}

/** The three headers of a signed message. `secret`: base64, perhaps behind `whsec_`. */
export function signatureHeaders(
  secret: string,
  { name, body, seconds }: Signed,
): Readonly<Record<string, string>> {
  const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret;
  const key = Buffer.from(text, "base64");
  const content = `${name}.${seconds}.${body}`;
  const signature = createHmac("sha256", key).update(content).digest("base64");
  return {
    "webhook-id": name,
    "webhook-timestamp": String(seconds),
    "webhook-signature": `v1,${signature}`,
  };
}
