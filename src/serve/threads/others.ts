/** Other nodes on the same store: what they have written is heard, and what they leave is done. */
import { hearing, type StorePlace } from "../../store/index.ts";
import type { News } from "../jobs/job.ts";

/** How often it is looked for what is due: who has set it may be gone. */
const LOOK_MS = 2_000;

/** Whoever is told of them. */
interface Ears {
  heard(told: Omit<News, "notes">): void;
  /** Something may be due. */
  look(): void;
  /** Something that the log is to say of clocks. */
  note(text: string): void;
}

function apart(aheadMs: number): string {
  if (aheadMs === 0) return "this machine's clock and the database's are together again";
  const seconds = (Math.abs(aheadMs) / 1_000).toFixed(1);
  return (
    `this machine's clock is ${seconds} s ${aheadMs > 0 ? "ahead of" : "behind"} the database's: ` +
    "times are those of the node that writes, so set all machines by NTP"
  );
}

export class Others {
  private readonly listening: ReturnType<typeof hearing>;
  private readonly timer: ReturnType<typeof setInterval> | undefined;

  /** Of a store that is of this process alone, nothing is heard. */
  constructor(store: StorePlace, { heard, look, note }: Ears) {
    const ahead = (ms: number): void => note(apart(ms));
    this.listening = hearing(store, { heard, ahead, now: Date.now });
    const isShared = store !== "memory" && "postgres" in store;
    this.timer = isShared ? setInterval(look, LOOK_MS) : undefined;
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    (await this.listening)?.close();
  }
}
