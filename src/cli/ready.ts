/** Reads and plans a document that is to be served, with all that stands beside it. */
import { plan as compile } from "../check/index.ts";
import type { Plan } from "../plan/index.ts";
import { type Call, ERRORS, refuse } from "./command.ts";
import { readInput } from "./files.ts";
import { originsOf } from "./origins.ts";
import { obstacles, readReport } from "./pipeline.ts";
import { refuseReport } from "./refusal.ts";
import { counted } from "./render/wrap.ts";

/** The files of which a service is made. */
export interface Wanted {
  readonly file: string;
  readonly assume: string | undefined;
  readonly rows: string | undefined;
}

/** What is needed to start. The checked document is not kept: it is larger than all the rest. */
export interface Ready {
  readonly plan: Plan;
  /** JSON text: item to file, line and column. */
  readonly origins: string;
  readonly file: string;
  /** How many answers are assumed, and where. */
  readonly assumed: string | undefined;
  /** Text of the file that `--rows` names. */
  readonly rows: string | undefined;
}

/** Everything that is needed to start, or the exit code where something is wrong. */
export async function readyOf(
  { io, errPaint }: Pick<Call, "io" | "errPaint">,
  wanted: Wanted,
): Promise<Ready | number> {
  const report = await readReport(io, wanted.file, wanted.assume);
  if (typeof report === "string") return refuse(io, report);
  const rows = wanted.rows === undefined ? undefined : await readInput(io, wanted.rows);
  if (typeof rows === "string") return refuse(io, rows);
  const planned = compile(report.checked);
  if (planned === undefined) {
    refuseReport(report, obstacles(report.checked), { io, errPaint });
    return ERRORS;
  }
  const {
    assumptions,
    checked: { assumed = [] },
  } = report;
  return {
    plan: planned.plan,
    origins: originsOf(report, planned),
    file: report.file,
    assumed: assumptions && `${counted(assumed.length, "answer")} of ${assumptions.file}`,
    rows: rows && new TextDecoder().decode(rows.bytes),
  };
}
