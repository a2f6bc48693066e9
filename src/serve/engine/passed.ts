/** What becomes of a request that was ended when its time to answer had passed. */
import type { Outcome } from "../../run/index.ts";
import type { Job } from "../jobs/job.ts";
import { lateAbout } from "./failure-about.ts";
import type { EngineParts } from "./parts.ts";
import { ambientOf } from "./surroundings.ts";

/** Its outcome, with the answer that is stated for that. */
export function passed(parts: EngineParts, job: Job): Outcome {
  const { program, storage } = parts;
  const about = { condition: "time passed", ...lateAbout(job, parts) } as const;
  return program.fail(about, storage.session, ambientOf(parts, job.now));
}
