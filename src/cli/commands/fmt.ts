/** `lacuna fmt`: puts documents in their normal form; no meaning changes. */
import type { Command } from "commander";
import { check } from "../../check/index.ts";
import { read } from "../../read/index.ts";
import { format, sameStatements } from "../../write/index.ts";
import { type Call, type CommandModule, DONE, ERRORS, examples, refuse } from "../command.ts";
import { encodedLike, type Input, readInputs, replaceFile } from "../files.ts";
import { counted } from "../render/wrap.ts";
import { locator, reportOn } from "../report/model.ts";

interface Options {
  readonly check?: boolean;
}

function define(command: Command): void {
  command
    .description(
      "Puts documents in their normal form: aligned tables, one blank line between blocks, gap " +
        "lines as a list. No meaning changes; prose, notes, blocks and code spans stay as they " +
        "are. A document with errors of reading is left alone.",
    )
    .argument("<file...>", "documents; `-` is the standard input, written to the standard output")
    .option("--check", "write nothing; exit code 1 where a document is not in its normal form")
    .addHelpText(
      "after",
      `${examples(
        ["lacuna fmt spec.md", "write it back in its normal form"],
        ["lacuna fmt --check *.md", "for continuous integration"],
      )}
Exit codes: 0 done, 1 a document cannot be read (with --check: or differs), 2 wrong use.
`,
    );
}

/** The normal form of a document, or one line that says why it is left alone. */
function normalForm(input: Input): { readonly text: string; readonly was: string } | string {
  const reading = read(input.bytes);
  const errors = reading.findings
    .filter((each) => each.severity === "error")
    .toSorted((a, b) => a.span.start - b.span.start);
  const [first] = errors;
  if (first !== undefined) {
    const at = locator(reportOn(input.file, check(reading)), first.span);
    return (
      `${at}: left as it is: ${counted(errors.length, "error")} of reading; the first: ` +
      first.message
    );
  }
  const was = reading.spec.text;
  const text = format(was);
  const again = read(new TextEncoder().encode(text));
  if (
    again.findings.every((each) => each.severity !== "error") &&
    sameStatements(reading.spec, again.spec)
  )
    return { text, was };
  return (
    `${input.file}: left as it is: its normal form would read otherwise, which is a fault ` +
    "of lacuna; please report it with the document"
  );
}

function formatOne(input: Input, call: Call<Options>): number {
  const { io, options, paint } = call;
  const form = normalForm(input);
  if (typeof form === "string") {
    io.err(`lacuna: ${form}\n`);
    return ERRORS;
  }
  const isNormal = form.text === form.was;
  if (options.check === true) {
    if (!isNormal) io.out(`${paint.code(input.file)} is not in its normal form\n`);
    return isNormal ? DONE : ERRORS;
  }
  const bytes = encodedLike(input.bytes, form.text);
  if (input.file === "-") {
    io.out(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
    return DONE;
  }
  if (isNormal) return DONE;
  const wrong = replaceFile(input.file, bytes);
  if (wrong !== undefined) return refuse(io, wrong);
  io.out(`${paint.code(input.file)} written\n`);
  return DONE;
}

async function run(call: Call<Options>): Promise<number> {
  const inputs = await readInputs(call.io, call.args);
  const [first] = inputs;
  if (first === undefined || typeof first === "string") {
    return refuse(call.io, ...(inputs as string[]));
  }
  return Math.max(...(inputs as Input[]).map((input) => formatOne(input, call)));
}

export const fmt: CommandModule<Options> = { define, run };
