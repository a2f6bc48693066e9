/** Who may have a place for an attempt: what is known of receivers, and of the places taken. */
import type { Receiver } from "../../run/index.ts";
import type { Busy } from "../jobs/job.ts";

/** Receivers that are remembered. */
const KNOWN_MAX = 50_000;
/** Attempts to one receiver at a time, and the share of all places below which it has so many. */
const RECEIVER_MAX = 4;
const FEW_SHARE = 4;
/** Of all places, those of whoever has not answered lately, and those of one host. */
const SILENT_SHARE = 2;
const HOST_SHARE = 8;
/** Below this share of all at one host its receivers may have several each. */
const FEW_AT_HOST_SHARE = 32;
/** Places that are left to those who answer: one in so many. */
const ANSWERING_SHARE = 8;

/** `answering`: it answered its last attempt, and soon. `silent`: it did not. */
type Manner = "answering" | "silent" | "unknown";

interface Known {
  readonly receiver: Receiver;
  readonly host: string;
  manner: Manner;
}

/** Names a receiver of a webhook. */
export const nameOf = ({ webhook, receiver }: Receiver): string => `${receiver} ${webhook}`;

/** The host of an address with its port; what is no address has none. */
export function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : "";
}

/** The receivers that attempts were made to since the service started. */
export class Receivers {
  private readonly known = new Map<string, Known>();
  /** Those that answer; who was looked at last stands last. */
  private readonly answering = new Map<string, Receiver>();

  mannerOf(name: string): Manner {
    return this.known.get(name)?.manner ?? "unknown";
  }

  /** Undefined: no attempt was made yet. */
  hostOf(name: string): string | undefined {
    return this.known.get(name)?.host;
  }

  /** An attempt begins, at that host. */
  begins(receiver: Receiver, host: string): void {
    const name = nameOf(receiver);
    const manner = this.mannerOf(name);
    this.known.delete(name);
    const { webhook, receiver: row } = receiver;
    this.known.set(name, { receiver: { webhook, receiver: row }, host, manner });
    const [oldest] = this.known.keys();
    if (this.known.size <= KNOWN_MAX || oldest === undefined) return;
    this.known.delete(oldest);
    this.answering.delete(oldest);
  }

  /** An attempt has ended; `isSoon`: with an answer, and it did not take long. */
  ended(receiver: Receiver, isSoon: boolean): void {
    const name = nameOf(receiver);
    const known = this.known.get(name);
    if (known === undefined) return;
    known.manner = isSoon ? "answering" : "silent";
    if (isSoon) this.answering.set(name, known.receiver);
    else this.answering.delete(name);
  }

  /** Some of those that answer, in turn. */
  some(countMax: number): readonly Receiver[] {
    const some = [...this.answering].slice(0, countMax);
    for (const [name, receiver] of some) {
      this.answering.delete(name);
      this.answering.set(name, receiver);
    }
    return some.map(([, receiver]) => receiver);
  }
}

/** The places for attempts, while some are given. */
export class Places {
  private readonly receivers: Receivers;
  private readonly most: number;
  private readonly byReceiver = new Map<string, number>();
  private readonly byHost = new Map<string, number>();
  private all = 0;
  private silent = 0;
  /** Those that nobody who answers has. */
  private others = 0;

  /** `busy`: attempts under way. */
  constructor(receivers: Receivers, busy: readonly Busy[], most: number) {
    this.receivers = receivers;
    this.most = most;
    for (const one of busy) this.count(nameOf(one), one.host, one.isSlow);
  }

  /** Whether anybody new may have a place. */
  get isOpen(): boolean {
    return this.others < this.most - this.most / ANSWERING_SHARE && this.all < this.most;
  }

  /** How many places the receiver may have now. */
  free(receiver: Receiver): number {
    const name = nameOf(receiver);
    const manner = this.receivers.mannerOf(name);
    if (this.all >= this.most) return 0;
    if (manner !== "answering" && !this.isOpen) return 0;
    if (manner === "silent" && this.silent >= this.most / SILENT_SHARE) return 0;
    const atHost = this.byHost.get(this.receivers.hostOf(name) ?? "") ?? 0;
    if (manner !== "answering" && atHost >= this.most / HOST_SHARE) return 0;
    const isFew = this.all < this.most / FEW_SHARE && atHost < this.most / FEW_AT_HOST_SHARE;
    const each = manner !== "silent" && isFew ? RECEIVER_MAX : 1;
    return Math.max(0, each - (this.byReceiver.get(name) ?? 0));
  }

  /** Takes a place; false: its host has as many as one may have. */
  take(receiver: Receiver, address: string): boolean {
    const host = hostOf(address);
    const name = nameOf(receiver);
    const isAnswering = this.receivers.mannerOf(name) === "answering";
    this.receivers.begins(receiver, host);
    if (!isAnswering && (this.byHost.get(host) ?? 0) >= this.most / HOST_SHARE) return false;
    this.count(name, host, false);
    return true;
  }

  private count(name: string, host: string, isSlow: boolean): void {
    const manner = isSlow ? "silent" : this.receivers.mannerOf(name);
    this.all++;
    this.byReceiver.set(name, (this.byReceiver.get(name) ?? 0) + 1);
    if (manner === "silent") this.silent++;
    if (manner === "answering") return;
    this.others++;
    this.byHost.set(host, (this.byHost.get(host) ?? 0) + 1);
  }
}
