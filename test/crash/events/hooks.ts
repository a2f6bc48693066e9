/** The hooks of a crash run: what each is told, and how whoever stands behind it behaves. */

export type Way = "retried" | "ordered" | "once";
/**
 * `well` answers at once, `slow` sometimes past the time allowed, `moody` with errors and breaks,
 * `away` listens only now and then, `mute` takes a request and is silent for a while, `never` has
 * errors alone, `gone` says 410.
 */
export type Mood = "well" | "slow" | "moody" | "away" | "mute" | "never" | "gone";

export interface Hook {
  readonly name: string;
  readonly way: Way;
  readonly mood: Mood;
  /** It is told of what has a tag that ends so. */
  readonly ending: string;
}

function hook(way: Way, mood: Mood, ending: string): Hook {
  return { name: `${way}-${mood}-${ending}`, way, mood, ending };
}

export const HOOKS: readonly Hook[] = [
  hook("retried", "well", ""),
  hook("retried", "well", "3"),
  hook("retried", "slow", "3"),
  hook("retried", "moody", "4"),
  hook("retried", "away", "5"),
  hook("retried", "mute", "5"),
  hook("retried", "never", "6"),
  hook("retried", "gone", "7"),
  hook("ordered", "well", ""),
  hook("ordered", "slow", "1"),
  hook("ordered", "moody", "2"),
  hook("ordered", "away", "8"),
  hook("ordered", "never", "99"),
  hook("once", "well", ""),
  hook("once", "slow", "1"),
  hook("once", "moody", "2"),
  hook("once", "away", "3"),
];

/** The event that hooks of a way are told of. */
export const EVENT_OF: Readonly<Record<Way, string>> = {
  retried: "transfer.done",
  ordered: "task.finished",
  once: "account.opened",
};

export const SECRET = `whsec_${Buffer.from("a secret of some thirty-two bytes").toString("base64")}`;

/** One request that came to a hook. */
export interface Arrival {
  readonly hook: string;
  /** Name of the message. */
  readonly id: string;
  readonly event: string;
  readonly tag: string;
}

/** What all hooks together have seen. */
export interface Received {
  /** In the order in which they came. */
  readonly arrivals: readonly Arrival[];
  /** `hook id` of messages that were answered with success, perhaps too late. */
  readonly taken: ReadonlySet<string>;
  /** Requests that are not as the document states. */
  readonly odd: readonly string[];
}
