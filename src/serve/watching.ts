/** Puts together what is told of the answers of a running service: log, figures, traces. */
import { placeNamed } from "../store/index.ts";
import type { HostBounds } from "./http/bounds.ts";
import type { Told } from "./http/told.ts";
import type { Opened } from "./opened.ts";
import type { ServeOptions } from "./options.ts";
import type { Clock } from "./time/clock.ts";
import type { Admin } from "./watch/admin.ts";
import type { Log } from "./watch/log.ts";
import type { Watch } from "./watch/watch.ts";

type SeenOptions = Pick<ServeOptions, "file" | "admin" | "linesLost" | "traces">;

interface Surroundings {
  readonly clock: Clock;
  readonly bounds: HostBounds;
  readonly log: Log;
}

/** Who is told of the answers of a service. */
interface Seen {
  /** Undefined: nobody is. */
  readonly answered: ((told: Told) => void) | undefined;
  /** Opens the operator's port, where there is to be one; gives its address. */
  open(): Promise<string | undefined>;
  stop(): Promise<void>;
}

/** Begins to count and to write, as far as that is asked for. Rejects with `CannotServe`. */
export async function seenOf(
  watched: Watched,
  surroundings: Surroundings,
  options: SeenOptions,
): Promise<Seen> {
  const watching = await watchOf(watched, surroundings, options);
  const { traces: wanted } = options;
  const traces = wanted && (await (await import("./watch/traces.ts")).openTraces(wanted.version));
  const { answered } = surroundings.log;
  let admin: Admin | undefined;
  return {
    answered: both(answered, both(watching?.answered, traces?.answered)),
    open: async () => {
      admin = await watching?.open();
      return admin?.address;
    },
    stop: async () => void (await Promise.all([admin?.stop(), traces?.stop()])),
  };
}

/** What is asked of a host while it runs. */
export interface Watched {
  opened(): Opened;
  counts(): { readonly connections: number; readonly held: number };
  isStopping(): boolean;
}

/** Counts for the operator's port, where there is to be one. */
async function watchOf(
  { opened, counts, isStopping }: Watched,
  { clock, bounds }: Pick<Surroundings, "clock" | "bounds">,
  { admin, file, linesLost = () => 0 }: SeenOptions,
): Promise<Watch | undefined> {
  if (admin === undefined) return undefined;
  const { watch } = await import("./watch/watch.ts");
  const waiting = (): number => opened().writer.waiting;
  const watching = await watch(
    {
      documents: () => {
        const { engine } = opened();
        return [engine, ...engine.older].map(({ parts }) => parts);
      },
      vitals: {
        file: fileOf(file),
        freeBytesMin: bounds.freeBytesMin,
        waitingMax: bounds.waitingMax,
        waiting,
        store: () => opened().writer.figures(clock.now()),
        drift: () => clock.drift?.() ?? 0n,
        stopping: isStopping,
      },
      figures: () => {
        const { hub, olderHubs = [] } = opened();
        const streams = [hub, ...olderHubs].reduce((sum, one) => sum + one.count, 0);
        return { ...counts(), waiting: waiting(), streams, linesLost: linesLost() };
      },
    },
    admin,
  );
  const { heard } = opened();
  if (heard !== undefined) heard.note = watching.noted;
  return watching;
}

/** The file of a store. */
function fileOf(store: string | undefined): string | undefined {
  if (store === undefined) return undefined;
  const place = placeNamed(store);
  return "file" in place ? place.file : undefined;
}

/** Calls both, as far as they are there. */
function both<T>(
  first: ((told: T) => void) | undefined,
  second: ((told: T) => void) | undefined,
): ((told: T) => void) | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return (told) => {
    first(told);
    second(told);
  };
}
