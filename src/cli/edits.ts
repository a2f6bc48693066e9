/** Has a running service take its document as it is edited: by watching, or by a signal. */
import { closeSync, openSync } from "node:fs";
import { CannotServe, type Running } from "../serve/index.ts";
import type { Call } from "./command.ts";
import { readAgain } from "./reading.ts";
import type { Ready, Wanted } from "./ready.ts";
import { type Watched, watchFiles } from "./watch.ts";

interface Following {
  readonly wanted: Wanted;
  /** What is served at first. */
  readonly served: Ready;
  /** Its files as they stood before they were read, where they are watched. */
  readonly watched: Watched | undefined;
  /** Whether it is the only document that is served. */
  readonly isAlone: boolean;
  /** Writes what happened to the log. */
  tell(event: "taken" | "refused", text: string): void;
}

/** What tells one document from another, for the service. */
const markOf = ({ plan, origins, rows }: Ready): string => JSON.stringify([plan, origins, rows]);

class Follower {
  private readonly call: Pick<Call, "io" | "errPaint">;
  private readonly running: Running;
  private readonly wanted: Wanted;
  private readonly tell: Following["tell"];
  private served: string;
  private isReading = false;
  private again = false;

  constructor(
    call: Pick<Call, "io" | "errPaint">,
    running: Running,
    { wanted, served, tell }: Following,
  ) {
    this.tell = tell;
    this.call = call;
    this.running = running;
    this.wanted = wanted;
    this.served = markOf(served);
  }

  /** The files may say something else: one reading at a time, and the last one counts. */
  async look(): Promise<void> {
    this.again = true;
    if (this.isReading) return;
    this.isReading = true;
    while (this.again) {
      this.again = false;
      await this.take().catch((fault: unknown) => this.refuse([String(fault)]));
    }
    this.isReading = false;
  }

  private refuse(lines: readonly string[]): void {
    for (const line of lines) this.tell("refused", line);
    const { file } = this.wanted;
    this.tell("refused", `${file} is not taken: what was served before is served on`);
  }

  private async take(): Promise<void> {
    const { io, errPaint } = this.call;
    const isColoured = errPaint.bold("x") !== "x";
    const ready = await readAgain(this.wanted, { columns: io.columns, isColoured });
    if (typeof ready === "string") {
      this.refuse([ready.trimEnd()]);
      return;
    }
    const mark = markOf(ready);
    if (mark !== this.served) {
      try {
        const { plan, origins, rows } = ready;
        await this.running.take({ plan, origins, startRows: rows });
      } catch (fault) {
        if (!(fault instanceof CannotServe)) throw fault;
        this.refuse(fault.reasons);
        return;
      }
      this.served = mark;
    }
    this.tell("taken", `${this.wanted.file} is served as it is now`);
  }
}

/** Whether the terminal of this process is gone. */
function isTerminalGone(): boolean {
  if (process.platform === "win32") return true;
  try {
    closeSync(openSync("/dev/tty", "r"));
    return false;
  } catch {
    return true;
  }
}

/**
 * SIGHUP asks to read the document again. Where the terminal has gone on which the service was
 * started, and on Windows always, it says so: then `hungUp` resolves, and the service is to stop.
 */
export function followEdits(
  call: Pick<Call, "io" | "errPaint">,
  running: Running,
  following: Following,
): { readonly hungUp: Promise<undefined>; stop(): void } {
  const { watched, isAlone, tell } = following;
  const follower = new Follower(call, running, following);
  const hungUp = Promise.withResolvers<undefined>();
  const hadTerminal = process.platform === "win32" || !isTerminalGone();
  const hear = (): void => {
    if (hadTerminal && isTerminalGone()) hungUp.resolve(undefined);
    else if (isAlone) void follower.look();
    else tell("refused", "several documents are served: they are read again by a new start");
  };
  process.on("SIGHUP", hear);
  const unwatch = watched && watchFiles(watched, () => void follower.look());
  return {
    hungUp: hungUp.promise,
    stop: () => {
      process.off("SIGHUP", hear);
      unwatch?.();
    },
  };
}
