/** Tells what a webhook does to its receiver behind an attempt. */
import type { ItemId, Step, Webhook } from "./types/index.ts";

/** Steps behind an attempt, over `receiver`. */
export interface AfterAttempt {
  /** Names them among the webhook's. */
  readonly item: ItemId;
  /** Undefined: it is not shown what they are. */
  readonly steps: readonly Step[] | undefined;
}

/** Names what follows the last attempt. */
export function afterLastItem({ id }: Webhook): ItemId {
  return `${id}/after last`;
}

/** Names what follows an answer with a status. */
export function answerItem({ id }: Webhook, status: number): ItemId {
  return `${id}/answer ${status}`;
}

/** All that may follow an attempt; empty where nothing does. */
export function afterAttempts(webhook: Webhook): readonly AfterAttempt[] {
  const { afterLast, onStatus } = webhook;
  const item = afterLastItem(webhook);
  const last =
    afterLast.is === "stated"
      ? [{ item, steps: afterLast.value }]
      : afterLast.is === "gap"
        ? [{ item, steps: undefined }]
        : [];
  return [
    ...last,
    ...onStatus.map((one) => ({ item: answerItem(webhook, one.status), steps: one.then })),
  ];
}
