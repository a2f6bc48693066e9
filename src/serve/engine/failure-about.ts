/** What a failure that no endpoint's steps meet is about. */
import type { Asked, Late } from "../../run/index.ts";
import type { Job } from "../jobs/job.ts";
import type { Limits } from "../limits/limits.ts";

export interface FailureAbout {
  readonly asked: Asked;
  readonly endpoint?: number;
  readonly allow?: readonly string[];
  readonly refusal?: Exclude<Late, string>;
}

interface Endpoints {
  readonly endpoints: readonly { readonly method: string }[];
}

/** The endpoint of a job, what the job is called, and how it was sent. */
export function aboutOf(
  { endpoint, id, path, query }: Job,
  { endpoints }: Endpoints,
): { readonly endpoint: number; readonly asked: Asked } {
  const method = endpoints[endpoint]?.method ?? "";
  return { endpoint, asked: { id, method, url: query === "" ? path : `${path}?${query}` } };
}

interface Judging {
  readonly limits: Limits;
  readonly program: Endpoints;
}

/** The same of a late request, with what the stated time to answer says. */
export function lateAbout(job: Job, { limits: { time }, program }: Judging): FailureAbout {
  const refusal = time === undefined || time.late === "time passed" ? undefined : time.late;
  return { ...aboutOf(job, program), ...(refusal === undefined ? {} : { refusal }) };
}
