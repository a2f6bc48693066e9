/** What an operator sees of a service: counts its answers, and opens the operator's port. */
import type { Plan } from "../../plan/index.ts";
import type { EngineFigures } from "../engine/figures.ts";
import type { Told } from "../http/told.ts";
import type { Note } from "../jobs/job.ts";
import { type Admin, type AdminAddress, openAdmin } from "./admin.ts";
import type { Vitals } from "./health.ts";
import { type About, type Figures, makeMetrics } from "./metrics.ts";

/** The parts of a service that are watched. */
export interface Parts {
  /** The documents that are served now, the newest first. */
  documents(): readonly { readonly plan: Plan; readonly placeOf: (item: string) => string }[];
  readonly vitals: Omit<Vitals, "store"> & {
    /** Asks the writer; undefined where it has ended. */
    store(): Promise<EngineFigures | undefined>;
  };
  figures(): Omit<Figures, "store" | "disk">;
}

/** Counts from now on; the port is opened when the service is there. */
export interface Watch {
  answered(told: Told): void;
  /** Something that happened apart from requests. */
  noted(note: Note): void;
  open(): Promise<Admin>;
}

/** Begins to count. */
export async function watch(
  { documents, vitals, figures }: Parts,
  { version, ...address }: AdminAddress & { readonly version: string },
): Promise<Watch> {
  const about = (): About => {
    const all = documents();
    const gaps = all.flatMap(({ plan, placeOf }) =>
      plan.gaps.map(({ id, part, sentence, blocking }) => {
        return { id, part, sentence, place: placeOf(id), blocking };
      }),
    );
    return { version, title: all[0]?.plan.title ?? "", gaps };
  };
  const metrics = await makeMetrics(about);
  // However often it is asked, the writer has one question to answer at a time.
  let asked: Promise<EngineFigures | undefined> | undefined;
  const store = (): Promise<EngineFigures | undefined> => {
    asked ??= vitals.store().finally(() => {
      asked = undefined;
    });
    return asked;
  };
  return {
    answered: (told) => metrics.answered(told),
    noted: ({ gap }) => {
      if (gap !== undefined) metrics.gapMet(gap);
    },
    open: () => openAdmin(address, { about, metrics, figures, vitals: { ...vitals, store } }),
  };
}
