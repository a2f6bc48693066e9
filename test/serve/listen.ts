/** Listens to a stream as a client does. */
import assert from "node:assert/strict";
import type { TestContext } from "node:test";

export interface Heard {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

/** A reader as WHATWG HTML section 9.2.6 has it: fields of a block, blocks end by a blank line. */
export function listen(
  t: TestContext,
  address: string,
  headers: Record<string, string> = {},
  path = "/feed",
) {
  const aborting = new AbortController();
  const heard: Heard[] = [];
  let text = "";
  let ended = false;
  let beats = 0;
  const opened = fetch(`${address}${path}`, { headers, signal: aborting.signal });
  const reading = opened
    .then(async (answer) => {
      const decoder = new TextDecoder();
      for await (const chunk of answer.body ?? []) {
        text += decoder.decode(chunk as Uint8Array, { stream: true });
        for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
          const block = text.slice(0, end);
          text = text.slice(end + 2);
          if (block.startsWith(":")) {
            beats++;
            continue;
          }
          const lines = block.split("\n").map((line) => /^(\w+): (.*)$/s.exec(line));
          heard.push(
            Object.fromEntries(lines.map((one) => [one?.[1], one?.[2]])) as unknown as Heard,
          );
        }
      }
      ended = true;
    })
    .catch(() => {});
  t.after(() => aborting.abort());
  return {
    opened,
    reading,
    heard,
    /** Comments that came. */
    get beats() {
      return beats;
    },
    get ended() {
      return ended;
    },
    close: () => aborting.abort(),
    until: async (count: number): Promise<readonly Heard[]> => {
      for (let i = 0; i < 1_500 && heard.length < count; i++) await pause(20);
      assert.ok(heard.length >= count, `${heard.length} of ${count} events were heard`);
      return heard;
    },
  };
}

export const pause = (ms = 80): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
