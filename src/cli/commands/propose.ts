/** `lacuna propose`: conventional effects for endpoints that do not say what they do. */
import type { Command } from "commander";
import { check, plan as compile } from "../../check/index.ts";
import { writtenDocument } from "../../openapi/index.ts";
import { propose } from "../../propose/index.ts";
import { read } from "../../read/index.ts";
import { type Call, type CommandModule, DONE, ERRORS, examples, refuse } from "../command.ts";
import { describeInput, unreadable } from "../described.ts";
import { type Input, readInput } from "../files.ts";
import { isDescription } from "../notation.ts";
import { obstacles } from "../pipeline.ts";
import { refuseReport } from "../refusal.ts";
import { counted } from "../render/wrap.ts";
import { reportOn } from "../report/model.ts";
import { textReport } from "../report/terminal.ts";

function define(command: Command): void {
  command
    .description(
      "Writes an assumptions file for endpoints of which the document does not say what they do: " +
        "create, read, list, replace, merge and delete on paths that look like collections and " +
        "their items, each with its reason. Nothing of it is stated by anybody: it is for a " +
        "person to read, to edit and to accept. For a file in OpenAPI or Swagger the proposals " +
        "are for the document that `lacuna import` writes of it.",
    )
    .argument("<file>", "a document, or a file in OpenAPI or Swagger; `-` is the standard input")
    .addHelpText(
      "after",
      `${examples(
        ["lacuna propose spec.md > assumed.md", "read it, edit it"],
        ["lacuna serve spec.md --assume assumed.md", "runs with what you accept"],
      )}
Exit codes: 0 written, 1 errors in the file, or nothing to propose, 2 wrong use.
`,
    );
}

/** The bytes of the document: of a description those that an import would write. */
function documentBytes(input: Input, call: Call): Uint8Array | number {
  if (!isDescription(input)) return input.bytes;
  const described = describeInput(input);
  if (!("code" in described)) return Buffer.from(writtenDocument(described, input.file));
  const options = { paint: call.errPaint, columns: call.io.columns, all: true, complete: false };
  call.io.err(textReport([unreadable(input, described)], options));
  return ERRORS;
}

async function run(call: Call): Promise<number> {
  const { io, args } = call;
  const input = await readInput(io, args[0] ?? "");
  if (typeof input === "string") return refuse(io, input);
  const bytes = documentBytes(input, call);
  if (typeof bytes === "number") return bytes;
  const checked = check(read(bytes));
  const planned = compile(checked);
  if (planned === undefined) {
    refuseReport(reportOn(input.file, checked), obstacles(checked), call);
    return ERRORS;
  }
  const { text, proposed, leftOut } = propose(planned.plan);
  const open = leftOut.length;
  if (proposed === 0) {
    const why = open === 0 ? "no endpoint leaves open what it does" : "no path looks like one";
    io.err(`lacuna: nothing is proposed for ${input.file}: ${why}\n`);
    return ERRORS;
  }
  io.out(text);
  const left = open === 0 ? "" : `; ${counted(open, "endpoint")} left open`;
  io.err(`lacuna: ${counted(proposed, "effect")} proposed${left}\n`);
  return DONE;
}

export const propose_: CommandModule = { define, run };
