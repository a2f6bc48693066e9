/** Fires what has fallen due, in the running transaction; what waits for a call is left alone. */
import type { FiringHost, Program } from "../../run/index.ts";
import { type CallCoordinator, firingName } from "../calls/coordinator.ts";
import { notesOf } from "../jobs/reply.ts";
import type { Storage } from "../jobs/storage.ts";
import type { Outbox } from "./outbox.ts";
import { isTimed } from "./served.ts";
import { ambientOf, type SurroundingParts } from "./surroundings.ts";

/** Timed firings asked for at once. */
const FIRED_AT_ONCE = 100;
/** How long they are asked for in one transaction: others have their turn in between. */
const GO_MS = 50;
/** How often the log says how far it has come with very much. */
const SAID_EACH_MS = 5_000;

interface Parts extends SurroundingParts {
  readonly program: Program;
  readonly storage: Storage;
  readonly calls: CallCoordinator;
}

/** What one go knows of the firings that it came across, by their names. */
interface Go {
  /** Those that have happened: none happens twice for the same time. */
  readonly happened: Set<string>;
  /** Those that were due once more after they had happened. */
  readonly again: Set<string>;
}

export class Firing {
  /** Whether anything in the plan can fall due. */
  readonly timed: boolean;
  /** Whether nothing that is due can be done: it is tried again when something was written. */
  stuck = false;
  /** Whether more is due than one go does. */
  more = false;
  private readonly parts: Parts;
  private readonly outbox: Outbox;
  private times = 0;
  /** How many have been done since more was due than one go does, and what was said of it. */
  private behind = { count: 0, saidMs: 0, isSaid: false };
  /** What could not be done and is due still; it is passed over until something is written. */
  private readonly left = new Set<string>();
  /** All that is due has just been tried, in several goes. */
  private isTried = false;
  /** Something was written since: they are tried again when all that is due has been tried. */
  private isOutdated = false;
  /** What the log has said of those. */
  private noted: ReadonlySet<string> = new Set();
  /** What is due for a time for which it has happened. */
  private again: ReadonlySet<string> = new Set();

  constructor(parts: Parts, outbox: Outbox) {
    this.parts = parts;
    this.outbox = outbox;
    this.timed = isTimed(parts.plan);
  }

  /**
   * A transaction begins: others may have written, unless the one before goes on in it. Behind one
   * that came to the end of several goes, what was tried in vain is not tried again at once: who
   * waits for all that is due would wait without end.
   */
  begun(): void {
    const { isTried } = this;
    this.isTried = false;
    if (!this.more && !isTried) this.written();
  }

  /** Something was written, or undone: what could not be done before may be done now. */
  written(): void {
    this.stuck = false;
    this.isTried = false;
    if (this.left.size === 0) return;
    // Else what takes one go to be tried in vain would be tried in each, and nothing behind it.
    this.isOutdated = this.more;
    if (this.isOutdated) return;
    this.noted = new Set(this.left);
    this.left.clear();
  }

  /** Fires all that is due at `now`. */
  all(now: bigint): void {
    do this.within(now);
    while (this.more);
  }

  /** Fires what is due at `now`, so much as one transaction holds. */
  within(now: bigint): void {
    if (!this.timed) return;
    const wasMore = this.more;
    this.more = false;
    const go: Go = { happened: new Set(), again: new Set() };
    this.stuck = false;
    let count = 0;
    const endMs = performance.now() + GO_MS;
    for (;;) {
      this.more = count > 0 && performance.now() > endMs;
      if (this.more) break;
      const {
        program,
        storage: { session },
        calls,
      } = this.parts;
      if (!program.anyDue(session, now)) {
        if (calls.any) calls.sweep(session);
        break;
      }
      const known = go.again.size;
      const fired = this.fire(go, now);
      if (calls.any && fired < FIRED_AT_ONCE) calls.sweep(session);
      this.stuck = fired === 0 && go.again.size === known;
      if (this.stuck) break;
      count += fired;
    }
    this.again = go.again;
    this.isTried = wasMore && !this.more;
    if (!this.more && this.isOutdated) this.written();
    this.tell(count);
  }

  /** Says how far it has come, where it takes long. */
  private tell(count: number): void {
    const { behind } = this;
    if (!this.more && behind.count === 0) return;
    const nowMs = performance.now();
    if (behind.count === 0) behind.saidMs = nowMs;
    behind.count += count;
    const done = `${behind.count.toLocaleString("en")} of what was due`;
    if (this.more && nowMs - behind.saidMs > SAID_EACH_MS) {
      this.outbox.note({ what: "busy", text: `${done} is done, and more is due` });
      Object.assign(behind, { saidMs: nowMs, isSaid: true });
    }
    if (this.more) return;
    if (behind.isSaid) this.outbox.note({ what: "busy", text: `${done} is done: that is all` });
    this.behind = { count: 0, saidMs: 0, isSaid: false };
  }

  /** Fires some of what is due; gives how many were tried. */
  private fire(go: Go, now: bigint): number {
    const {
      program,
      storage: { session },
      calls,
    } = this.parts;
    this.parts.chooser?.begin(`time ${this.times++}`);
    const ambient = ambientOf(this.parts, now);
    const host = this.host(go, calls.any ? calls.firingHost(ambient, session) : ALONE(ambient));
    const fired = program.fireDue(session, ambient, FIRED_AT_ONCE, host);
    for (const { due, effects, left } of fired) {
      const name = firingName(due);
      if (!left) go.happened.add(name);
      else if (effects.asking === undefined) this.left.add(name);
      else if (this.isOthers()) {
        // What waits for a call is for the node that leads.
        this.left.add(name);
        calls.forget(name);
        continue;
      }
      if (!calls.fired(due, effects, session)) continue;
      if (!left || !this.noted.has(name)) this.outbox.note(...notesOf(effects));
      this.outbox.record(effects.events, session);
    }
    return fired.length;
  }

  /** Whether another node does what nobody asks for. */
  private isOthers(): boolean {
    const { shared } = this.parts.storage;
    return shared !== undefined && shared.lead().otherMs > 0;
  }

  /** Passes over what cannot be done, and what would happen a second time. */
  private host(go: Go, base: FiringHost): FiringHost {
    return {
      ...base,
      waiting: base.waiting + this.left.size + this.again.size + go.again.size,
      waits: (firing) => {
        const name = firingName(firing);
        if (this.left.has(name)) return true;
        if (!go.happened.has(name) && !this.again.has(name)) return base.waits(firing);
        if (!this.again.has(name) && !go.again.has(name)) {
          const text = `${firing.item} has happened, and is due for the same time again`;
          this.outbox.note({ what: "fault", text });
        }
        go.again.add(name);
        return true;
      },
    };
  }
}

/** Where nothing can wait for a call. */
const ALONE = (ambient: ReturnType<typeof ambientOf>): FiringHost => ({
  waiting: 0,
  waits: () => false,
  begin: () => ambient,
});
