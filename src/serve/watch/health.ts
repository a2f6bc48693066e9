/** Whether a service can do its work: its disk, its writer, its clock. */
import { stat, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import type { EngineFigures } from "../engine/figures.ts";
import type { Figures } from "./metrics.ts";

/** How one of the things is that a service needs; `ok` false: it is not ready. */
interface Check {
  readonly ok: boolean;
  /** Why not, or figures. */
  readonly [more: string]: unknown;
}

/** What `ready` answers. */
interface Readiness {
  readonly ready: boolean;
  readonly checks: Readonly<Record<"disk" | "writer" | "clock" | "running", Check>>;
}

/** What is asked of the parts of a service. */
export interface Vitals {
  /** The file of the database; undefined: it is in none. */
  readonly file: string | undefined;
  /** Free bytes of its disk below which the service is not ready. */
  readonly freeBytesMin: number;
  readonly waitingMax: number;
  /** Requests that wait to be written. */
  waiting(): number;
  /** Asks the writer; undefined where it has ended. */
  store(): Promise<EngineFigures | undefined>;
  /** Microseconds that the machine's clock is ahead, where it has jumped and is not followed. */
  drift(): bigint;
  stopping(): boolean;
}

/** The writer answers within this time, or is not ready. */
const WRITER_MS = 1_000;

/** The figures of the disk; undefined: the store is in no file, or the disk does not answer. */
export async function diskOf(file: string | undefined): Promise<Figures["disk"]> {
  if (file === undefined) return undefined;
  try {
    const { bavail, bsize } = await statfs(dirname(file));
    const sizes = await Promise.all(
      [file, `${file}-wal`].map((one) =>
        stat(one).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
    );
    return { storeBytes: sizes.reduce((all, one) => all + one, 0), freeBytes: bavail * bsize };
  } catch {
    return undefined;
  }
}

/** What the writer answers in time; undefined: nothing. */
export async function storeOf(vitals: Pick<Vitals, "store">): Promise<EngineFigures | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), WRITER_MS);
  });
  const answered = await Promise.race([vitals.store(), late]);
  clearTimeout(timer);
  return answered;
}

/** Looks at all of them. */
export async function readinessOf(vitals: Vitals): Promise<Readiness> {
  const [disk, writer] = await Promise.all([diskCheck(vitals), writerCheck(vitals)]);
  const driftMs = Number(vitals.drift()) / 1000;
  const clock =
    driftMs === 0
      ? { ok: true }
      : { ok: false, why: `the machine's clock was set by ${driftMs} ms; it is not followed yet` };
  const running = vitals.stopping() ? { ok: false, why: "the service stops" } : { ok: true };
  const checks = { disk, writer, clock, running };
  return { ready: Object.values(checks).every(({ ok }) => ok), checks };
}

async function diskCheck({ file, freeBytesMin }: Vitals): Promise<Check> {
  if (file === undefined) return { ok: true, in: "no file" };
  const disk = await diskOf(file);
  if (disk === undefined) return { ok: false, why: "the disk does not answer" };
  const { freeBytes } = disk;
  return freeBytes >= freeBytesMin
    ? { ok: true, freeBytes }
    : { ok: false, freeBytes, why: `less than ${freeBytesMin} bytes are free` };
}

async function writerCheck(vitals: Vitals): Promise<Check> {
  const startMs = performance.now();
  const answered = await storeOf(vitals);
  const waiting = vitals.waiting();
  if (answered === undefined) {
    return { ok: false, waiting, why: `the store has not answered within ${WRITER_MS} ms` };
  }
  if (waiting >= vitals.waitingMax) {
    return { ok: false, waiting, why: "as many requests wait as may wait" };
  }
  return { ok: true, waiting, ms: Math.round((performance.now() - startMs) * 1000) / 1000 };
}
