/** What a running service is made of, and what takes its place when the document is another. */
import type { Plan } from "../plan/index.ts";
import type { Members } from "../run/index.ts";
import type { Caller } from "./calls/caller.ts";
import type { Courier } from "./delivery/courier.ts";
import type { Engine } from "./engine/engine.ts";
import type { Note } from "./jobs/job.ts";
import type { Hub } from "./streams/hub.ts";
import type { MakeLongReads } from "./threads/long-reads.ts";
import type { Others } from "./threads/others.ts";
import type { Writer } from "./threads/writer.ts";
import type { Alarm } from "./time/alarm.ts";

/** A document that is to be served in place of another. */
export interface NextDocument {
  readonly plan: Plan;
  /** Places of items as JSON text. */
  readonly origins: string;
  /** As in the options of a start. */
  readonly startRows: string | undefined;
}

/** All that is needed to serve another document is ready. */
export interface Renewal {
  readonly plan: Plan;
  readonly settings: Members;
  /** Rejects with `CannotServe` where the store does not take it; all is then as before. */
  take(): Promise<Opened>;
  drop(): void;
}

/** What a service runs on. `inline`: the writer uses the engine of this thread. */
export interface Opened {
  readonly engine: Engine;
  readonly writer: Writer;
  readonly alarm: Alarm;
  readonly inline: boolean;
  /** Delivers messages, where a webhook is stated. */
  readonly courier?: Courier;
  /** Other nodes on the same store. Default: there are none. */
  readonly others?: Others;
  /** Makes calls, where the document has any. */
  readonly caller?: Caller;
  readonly hub: Hub;
  /** Those of older documents, the oldest first. Default: there are none. */
  readonly olderHubs?: readonly Hub[];
  /** Makes what reads apart where a read takes long. Default: all is read here, to its end. */
  readonly long?: MakeLongReads;
  /** Told of what happens apart from requests, whatever the document. */
  readonly heard?: { note(note: Note): void };
  /** Resolves, to the reason, when nothing is written any more. Default: that cannot be. */
  readonly failed?: Promise<string>;
  /** Makes ready for another document. Rejects with `CannotServe` where it cannot be served. */
  renew?(next: NextDocument): Promise<Renewal>;
}
