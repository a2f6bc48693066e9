/** Jobs and replies as lists of values: names of members do not pass between threads each time. */
import type { Job, Reply } from "../jobs/job.ts";

/** Every member by name, so that none can be forgotten here. */
type Whole<T> = { readonly [K in keyof Required<T>]: T[K] };

export type PackedJob = ReturnType<typeof packJob>;
export type PackedReply = ReturnType<typeof packReply>;

/** The values of a job, in a fixed order. */
export function packJob(job: Job) {
  return [
    job.endpoint,
    job.params,
    job.query,
    job.headers,
    job.body,
    job.bodyBytes,
    job.now,
    job.pathBytes,
    job.headerBytes,
    job.address,
    job.bodyHash,
    job.presented,
    job.number,
    job.turn,
    job.begunMs,
    job.replay,
    job.hashed,
  ] as const;
}

/** The job whose values they are. */
export function unpackJob(packed: PackedJob): Job {
  const [
    endpoint,
    params,
    query,
    headers,
    body,
    bodyBytes,
    now,
    pathBytes,
    headerBytes,
    address,
    bodyHash,
    presented,
    number,
    turn,
    begunMs,
    replay,
    hashed,
  ] = packed;
  const job: Whole<Job> = {
    endpoint,
    params,
    query,
    headers,
    body,
    bodyBytes,
    now,
    pathBytes,
    headerBytes,
    address,
    bodyHash,
    presented,
    number,
    turn,
    begunMs,
    replay,
    hashed,
  };
  return job;
}

/** The values of a reply, in a fixed order. */
export function packReply(reply: Reply) {
  return [
    reply.status,
    reply.headers,
    reply.body,
    reply.binary,
    reply.note,
    reply.unfinished,
    reply.behind,
    reply.opening,
    reply.unhashed,
  ] as const;
}

/** The reply whose values they are. */
export function unpackReply(packed: PackedReply): Reply {
  const [status, headers, body, binary, note, unfinished, behind, opening, unhashed] = packed;
  const reply: Whole<Reply> = {
    status,
    headers,
    body,
    binary,
    note,
    unfinished,
    behind,
    opening,
    unhashed,
  };
  return reply;
}
