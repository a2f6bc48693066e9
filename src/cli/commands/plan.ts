/** `lacuna plan`: prints the compiled plan as JSON, the same bytes for the same meaning. */
import type { Command } from "commander";
import { plan as compile, type Planned } from "../../check/index.ts";
import { type Call, type CommandModule, DONE, ERRORS, examples, refuse } from "../command.ts";
import { ASSUME, obstacles, readReport } from "../pipeline.ts";
import { refuseReport } from "../refusal.ts";
import { placeOf, type Report, sourceOf } from "../report/model.ts";

interface Options {
  readonly format: string;
  readonly origins?: boolean;
  readonly assume?: string;
}

function define(command: Command): void {
  command
    .description(
      "Prints what a document compiles to. The plan has no places of its own, so that moving a " +
        "line or rewriting a note changes nothing. What is silent stands in it as a gap.",
    )
    .argument("<file>", "a document; `-` is the standard input")
    .option("--format <format>", "json", "json")
    .option("--origins", "add where each item stands: `origins`, item to line and column")
    .option(...ASSUME)
    .addHelpText(
      "after",
      `${examples(
        ["lacuna plan spec.md > plan.json", "keep it, compare it"],
        ["lacuna plan spec.md --origins", "with the place of each item"],
      )}
Exit codes: 0 a plan, 1 errors other than silence, 2 wrong use.
`,
    );
}

/** Item to place, in the order of the document, then of the assumptions, whose file is named. */
function originsOf(report: Report, planned: Planned): Record<string, unknown> {
  const ordered = [...planned.origins].sort(
    ([a, x], [b, y]) =>
      (x.file ?? 0) - (y.file ?? 0) || x.start - y.start || x.end - y.end || (a < b ? -1 : 1),
  );
  return Object.fromEntries(
    ordered.map(([id, span]) => {
      const file = span.file === 1 ? { file: sourceOf(report, span).file } : {};
      return [id, { ...file, ...placeOf(report, span) }];
    }),
  );
}

async function run(call: Call<Options>): Promise<number> {
  const { io, options } = call;
  if (options.format !== "json") {
    return refuse(io, `there is no format \`${options.format}\`; there is json`);
  }
  const report = await readReport(io, call.args[0] ?? "", options.assume);
  if (typeof report === "string") return refuse(io, report);
  const planned = compile(report.checked);
  if (planned === undefined) {
    refuseReport(report, obstacles(report.checked), call);
    return ERRORS;
  }
  const origins = options.origins === true ? { origins: originsOf(report, planned) } : {};
  io.out(`${JSON.stringify({ ...planned.plan, ...origins }, null, 2)}\n`);
  return DONE;
}

export const plan: CommandModule<Options> = { define, run };
