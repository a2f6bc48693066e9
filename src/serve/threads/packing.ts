/** Jobs and replies as lists of values: names of members do not pass between threads each time. */
import type { Job, Reply } from "../jobs/job.ts";

/** The values of a job or reply, in a fixed order. */
export type Packed<T> = readonly T[keyof T][];

/** Takes apart and puts together objects with these members; a forgotten one does not compile. */
function packing<T extends object>(members: Readonly<Record<keyof T, true>>) {
  const names = Object.keys(members) as (keyof T)[];
  return {
    pack: (whole: T): Packed<T> => names.map((name) => whole[name]),
    unpack: (packed: Packed<T>): T => {
      // Always in one order, so that the engine of JavaScript knows one shape of them.
      const whole: Partial<T> = {};
      for (const [i, name] of names.entries()) whole[name] = packed[i];
      return whole as T;
    },
  };
}

export const { pack: packJob, unpack: unpackJob } = packing<Job>({
  id: true,
  endpoint: true,
  older: true,
  path: true,
  params: true,
  query: true,
  headers: true,
  body: true,
  bodyBytes: true,
  now: true,
  pathBytes: true,
  headerBytes: true,
  address: true,
  line: true,
  bodyHash: true,
  presented: true,
  number: true,
  turn: true,
  begunMs: true,
  replay: true,
  hashed: true,
});

export const { pack: packReply, unpack: unpackReply } = packing<Reply>({
  status: true,
  headers: true,
  body: true,
  binary: true,
  notes: true,
  unfinished: true,
  behind: true,
  opening: true,
  unhashed: true,
  elsewhere: true,
  isEarly: true,
});
