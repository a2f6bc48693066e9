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
}

export class Others {
  private readonly listening: ReturnType<typeof hearing>;
  private readonly timer: ReturnType<typeof setInterval> | undefined;

  /** Of a store that is of this process alone, nothing is heard. */
  constructor(store: StorePlace, { heard, look }: Ears) {
    this.listening = hearing(store, heard);
    const isShared = store !== "memory" && "postgres" in store;
    this.timer = isShared ? setInterval(look, LOOK_MS) : undefined;
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    (await this.listening)?.close();
  }
}
