/** Judges what an attempt carries besides its body: method, type, signature and stated headers. */
import { createHmac } from "node:crypto";
import { freeNames } from "../../expr/index.ts";
import { type ItemId, isStated, itemOf, statedOf, type Webhook } from "../../plan/index.ts";
import type { Attempt, Message, Value } from "../../run/index.ts";
import type { Difference } from "../judge/compare.ts";
import { fieldOf } from "../world/message.ts";
import { bindingsIn, isMarked } from "../world/texts.ts";
import type { World } from "../world/world.ts";
import type { Arrival } from "./arrival.ts";

/** A difference, and the items that it breaks. */
export interface Fault {
  readonly items: readonly ItemId[];
  readonly difference: Difference;
}

/** One state of the receiver's row in which the attempt may have been made. */
type Values = readonly Value[];

export interface Attempted {
  readonly webhook: Webhook;
  readonly receiver: number;
  readonly event: string;
  /** What names the message, as far as it is known; a mark: it is not. */
  readonly name: string;
  readonly sent: bigint;
  readonly arrival: Arrival;
  /** The service's time at which it came, and how far that may be off, in microseconds. */
  readonly now: bigint;
  readonly slack: bigint;
  readonly states: readonly Values[];
}

/** What the attempt is found to be; `name`: what names the message, where it was seen. */
export interface Judged {
  readonly faults: readonly Fault[];
  readonly name?: string;
}

const SECOND = 1_000_000n;
/** How long before its arrival an attempt may have been made, besides what clocks are apart. */
const UNDER_WAY = 10n * SECOND;
/** Numbers that may be times in seconds, milliseconds or microseconds. */
const TIMES = /(?<!\d)(\d{10}|\d{13}|\d{16})(?!\d)/g;
const PREFIX = "whsec_";

/** Compares with what is stated, in whichever state of the receiver fits best. */
export function judgeAttempt(world: World, attempted: Attempted): Judged {
  let best: Judged | undefined;
  for (const values of attempted.states) {
    for (const now of timesOf(attempted)) {
      const stated = statedAttempt(world, attempted, values, now);
      // It was not to be sent any more, or meets a gap: nothing is held against it.
      if (stated.is !== "request") return { faults: [] };
      const judged = compared(attempted, stated);
      if (judged.faults.length === 0) return judged;
      if (best === undefined || judged.faults.length < best.faults.length) best = judged;
    }
  }
  return best ?? { faults: [] };
}

/** Times at which the attempt may have been made: those that it shows, and whole seconds. */
function timesOf({ webhook, arrival, now, slack }: Attempted): readonly bigint[] {
  if (webhook.headers === undefined || webhook.headers.length === 0) return [now];
  const texts = webhook.headers.map(({ name }) => fieldOf(arrival.headers, name) ?? "");
  const shown = texts.flatMap((text) =>
    [...text.matchAll(TIMES)].map(([found]) => BigInt(found.padEnd(16, "0"))),
  );
  const near = [0n, 1n, -1n, 2n, 3n].map((before) => now - before * SECOND);
  const may = (at: bigint): boolean =>
    at >= now - slack - UNDER_WAY - SECOND && at <= now + slack + SECOND;
  return [...shown.filter(may), ...near];
}

function statedAttempt(world: World, of: Attempted, values: Values, now: bigint): Attempt {
  const { webhook, receiver, event, name, sent, arrival } = of;
  const { session, program } = world;
  const resource = statedOf(webhook.receivers)?.resource ?? "";
  const message: Message = {
    ...{ webhook: webhook.name, receiver, event, name, sent, body: arrival.body },
    ...{ number: 0, attempts: 0, due: now },
  };
  world.begin();
  if (session.get(resource, receiver) !== undefined) session.update(resource, receiver, values);
  const attempt = program.deliveries.attempt(message, session, world.ambient({ now }));
  world.undo();
  return attempt;
}

function compared(attempted: Attempted, stated: Extract<Attempt, { is: "request" }>): Judged {
  const { webhook, arrival } = attempted;
  const faults: Fault[] = [];
  const differ = (items: readonly (ItemId | undefined)[], difference: Difference): void => {
    faults.push({ items: items.filter((one) => one !== undefined), difference });
  };
  const sends = itemOf(webhook.sends);
  if (arrival.method !== stated.method) {
    const shown = { expected: stated.method, observed: arrival.method };
    differ([sends], { in: "header", where: ["method"], ...shown });
  }
  const type = fieldOf(arrival.headers, "content-type");
  if (bare(type ?? "") !== bare(stated.contentType)) {
    const shown = { expected: stated.contentType, observed: type };
    differ([sends], { in: "header", where: ["Content-Type"], ...shown });
  }
  const signature = itemOf(webhook.signature);
  let { name } = attempted;
  if (stated.secret !== undefined) {
    const found = standard(attempted, stated.secret);
    if (found.name !== undefined) name = found.name;
    for (const one of found.differences) differ([signature], one);
  }
  const isHidden = hidesName(webhook) && isMarked(name);
  for (const [field, value] of stated.headers ?? []) {
    const own = webhook.headers?.find((one) => one.name === field);
    const isSigned = own !== undefined && reads(own, "signature");
    const observed = fieldOf(arrival.headers, field);
    const bound = observed === undefined ? undefined : bindingsIn(value, observed);
    name = bound?.get(name) ?? name;
    if (bound !== undefined || (isHidden && isSigned && observed !== undefined)) continue;
    const items = isSigned ? [signature, own?.id] : [own?.id];
    differ(items, { in: "header", where: [field], expected: value, observed });
  }
  return { faults, ...(isMarked(name) ? {} : { name }) };
}

/** Whether what is signed holds the name of the message. */
function hidesName({ signature }: Webhook): boolean {
  if (!isStated(signature) || signature.value.form !== "HMAC") return false;
  return freeNames(signature.value.text.code).has("delivery");
}

function reads({ value }: NonNullable<Webhook["headers"]>[number], name: string): boolean {
  return isStated(value) && freeNames(value.value.code).has(name);
}

/** The three headers of the Standard Webhooks specification, version 1. */
function standard(
  { arrival, name, now, slack }: Attempted,
  secret: string,
): { readonly name?: string; readonly differences: readonly Difference[] } {
  const [id, time, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map(
    (one) => fieldOf(arrival.headers, one),
  );
  const differences: Difference[] = [];
  const differ = (field: string, expected: string, observed: string | undefined): void => {
    differences.push({ in: "header", where: [field], expected, observed });
  };
  if (id === undefined || (!isMarked(name) && id !== name)) differ("webhook-id", name, id);
  const at = /^\d{1,12}$/.test(time ?? "") ? BigInt(time ?? "") * SECOND : undefined;
  const isNow =
    at !== undefined && at >= now - slack - UNDER_WAY && at <= now + slack + 2n * SECOND;
  if (!isNow) differ("webhook-timestamp", String(now / SECOND), time);
  // A secret that no answer has shown signs nothing that could be judged.
  if (!isMarked(secret) && id !== undefined && time !== undefined) {
    const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret;
    const content = `${id}.${time}.${arrival.body}`;
    const mac = createHmac("sha256", Buffer.from(text, "base64")).update(content).digest("base64");
    const isRight = (signatures ?? "").split(" ").includes(`v1,${mac}`);
    if (!isRight) differ("webhook-signature", `v1,${mac}`, signatures);
  }
  return { ...(id === undefined ? {} : { name: id }), differences };
}

const bare = (type: string): string => (type.split(";")[0] ?? "").trim().toLowerCase();
