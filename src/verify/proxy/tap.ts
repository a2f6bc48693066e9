/** Hands on what has passed to be judged, never more than is sure to find room. */
import { isUtf8 } from "node:buffer";
import type { Batch, Content, Passed } from "./passed.ts";

/** What may wait to be judged. */
export interface Room {
  readonly exchanges: number;
  readonly bytes: number;
}

/** What was judged, so that there is room again. */
export type Done = Room;

/** So much is handed on at a time. */
const BATCH = 64;
const WAIT_MS = 4;
/** What an exchange takes besides its contents, about, in bytes. */
const BESIDES = 1_000;

/** What an exchange takes, in bytes. */
export function sizeOf({ body, answerBody }: Passed): number {
  return BESIDES + (body?.length ?? 0) + (answerBody?.length ?? 0);
}

/** Text where it is text; else bytes of their own. */
function handedOn(content: Content): Content {
  if (!(content instanceof Uint8Array)) return content;
  return isUtf8(content) ? Buffer.from(content).toString("utf8") : new Uint8Array(content);
}

/** Collects what has passed; what finds no room is told without its contents, then counted. */
export class Tap {
  readonly #room: Room;
  readonly #oldest: () => number;
  readonly #post: (batch: Batch) => void;
  #waiting: Passed[] = [];
  #lost = 0;
  #exchanges = 0;
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(room: Room, oldest: () => number, post: (batch: Batch) => void) {
    this.#room = room;
    this.#oldest = oldest;
    this.#post = post;
  }

  take(passed: Passed): void {
    const bytes = sizeOf(passed);
    const { exchanges: most, bytes: mostBytes } = this.#room;
    if (this.#exchanges >= most * 2) this.#lost += 1;
    else {
      const isFull = this.#exchanges >= most || this.#bytes + bytes > mostBytes;
      const bare = { ...passed, headers: [], answered: [], body: undefined, answerBody: undefined };
      const told = isFull ? { ...bare, missing: "no time" as const } : handed(passed);
      this.#exchanges += 1;
      this.#bytes += sizeOf(told);
      this.#waiting.push(told);
    }
    if (this.#waiting.length >= BATCH) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), WAIT_MS);
  }

  done({ exchanges, bytes }: Done): void {
    this.#exchanges -= exchanges;
    this.#bytes -= bytes;
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const [passed, lost] = [this.#waiting, this.#lost];
    this.#waiting = [];
    this.#lost = 0;
    this.#post({ passed, lost, open: this.#oldest() });
  }
}

function handed(passed: Passed): Passed {
  return { ...passed, body: handedOn(passed.body), answerBody: handedOn(passed.answerBody) };
}
