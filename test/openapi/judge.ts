/** Judges one file as a campaign does: read, surveyed, reported, counted a second time. */
import assert from "node:assert/strict";
import { load } from "js-yaml";
import { describedReport } from "../../src/cli/described.ts";
import type { Io } from "../../src/cli/io.ts";
import { paintFor } from "../../src/cli/paint.ts";
import { textReport } from "../../src/cli/report/terminal.ts";
import { countsOf } from "./count.ts";
import { asyncCountsOf } from "./count-async.ts";

type Values = Parameters<typeof countsOf>[0];

/** What became of one file. */
export type Judged =
  | { readonly is: "read"; readonly version: string; readonly operations: number }
  | { readonly is: "skipped"; readonly code: string; readonly message: string };

/** The version of a language without what stands behind its second number. */
const lineOf = (version: string): string => version.split(".").slice(0, 2).join(".");

function valuesOf(text: string): Values {
  return (/^\s*\{/.test(text) ? JSON.parse(text) : load(text)) as Values;
}

const PAINT = paintFor({ env: {} } as Io, false, false);

/** Throws where something is wrong with what is said of the file. */
export function judge(file: string, bytes: Uint8Array): Judged {
  const report = describedReport({ file, bytes });
  const { counts, checked, text, others = [] } = report;
  if (counts === undefined) {
    const [first] = checked.findings;
    assert.ok(first, "a file that is not read has a finding");
    return { is: "skipped", code: first.code, message: first.message };
  }
  const values = valuesOf(text);
  const expected = counts.kind === "asyncapi" ? asyncCountsOf(values) : countsOf(values);
  assert.deepEqual({ ...counts }, expected);
  for (const { code, span, related = [] } of checked.findings) {
    for (const { start, end, file: other } of [span, ...related.map((each) => each.span)]) {
      const length = (other === undefined ? text : (others[other - 1]?.text ?? "")).length;
      assert.ok(start >= 0 && start <= end && end <= Math.max(length, 1), `${code}: its place`);
    }
  }
  const options = { paint: PAINT, columns: 100, all: true, complete: false };
  const shown = textReport([report], options);
  assert.ok(shown.length > 0);
  return {
    is: "read",
    version: `${counts.kind} ${lineOf(counts.version)}`,
    operations: counts.operations,
  };
}
