/** What the thread that speaks HTTP and the one that writes say to each other. */
import type { EngineFigures } from "../engine/figures.ts";
import type { AskResult, Asks } from "../jobs/ask.ts";
import type { Delivered, Job, News, Reply, Result, UnderWay } from "../jobs/job.ts";
import type { Packed } from "./packing.ts";

/** The second message to a thread: it is to open the store that it has prepared for. */
export interface Opening {
  readonly is: "open";
  readonly now: bigint;
}

/** What the writer is asked to do. */
export type Order =
  | { readonly is: "jobs"; readonly jobs: readonly Packed<Job>[] }
  /** Fire what is due. */
  | { readonly is: "time"; readonly now: bigint }
  /** Keep what became of attempts, and choose those to be made now, except those under way. */
  | {
      readonly is: "deliver";
      readonly now: bigint;
      readonly results: readonly Result[];
      readonly underWay: UnderWay | undefined;
    }
  /** Take in what calls have said, and choose those to be made now, except those under way. */
  | {
      readonly is: "calls";
      readonly now: bigint;
      readonly asked: readonly AskResult[];
      readonly busy: readonly string[];
    }
  /** Say how much waits in the store. */
  | { readonly is: "figures"; readonly now: bigint }
  | { readonly is: "stop" };

/** What the writer says. `due`: when something falls due next; undefined: nothing is set. */
export type Report =
  /** All is made that can be made before the store is there. */
  | { readonly is: "prepared" }
  | { readonly is: "open"; readonly news: News | undefined }
  | { readonly is: "failed"; readonly message: string }
  /** The store is no longer what was written. */
  | { readonly is: "lost"; readonly why: string }
  /** How far it is with opening the store. */
  | { readonly is: "opening"; readonly text: string }
  /** Answers to the jobs, in their order, after the commit. */
  | {
      readonly is: "replies";
      readonly replies: readonly Packed<Reply>[];
      readonly due: bigint | undefined;
      readonly news: News | undefined;
    }
  | { readonly is: "fired"; readonly due: bigint | undefined; readonly news: News | undefined }
  /** `due` is left out where nothing became of attempts. */
  | {
      readonly is: "delivered";
      readonly delivered: Delivered;
      readonly due?: bigint | undefined;
      readonly news: News | undefined;
    }
  | {
      readonly is: "calls";
      readonly asks: Asks;
      readonly due: bigint | undefined;
      readonly news: News | undefined;
    }
  | { readonly is: "figures"; readonly figures: EngineFigures | undefined };
