/** Puts one document through the whole pipeline and says what is wrong with how it went. */
import { check, plan } from "../../src/check/index.ts";
import { read } from "../../src/read/index.ts";
import { format } from "../../src/write/index.ts";

export const TIME_MAX_MS = 1000;

/** Reads, checks, plans and formats; throws whatever they throw, or where a span is no span. */
export function pipeline(bytes: Uint8Array): void {
  const reading = read(bytes);
  const { length } = reading.spec.text;
  const checked = check(reading);
  for (const { code, span } of checked.findings) {
    if (!(span.start >= 0 && span.start <= span.end && span.end <= length)) {
      throw new Error(`${code} stands at ${span.start} to ${span.end} of ${length}`);
    }
  }
  const planned = plan(checked);
  if (planned !== undefined) JSON.stringify(planned.plan);
  if (typeof format(reading.spec.text) !== "string") throw new Error("format gave no text");
}

/** What went wrong, or undefined where nothing did; `tookMs` is the time of the first attempt. */
export function fault(bytes: Uint8Array): { readonly tookMs: number; readonly fault?: string } {
  const started = performance.now();
  try {
    pipeline(bytes);
  } catch (error) {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { tookMs: performance.now() - started, fault: stack };
  }
  const tookMs = performance.now() - started;
  return tookMs > TIME_MAX_MS ? { tookMs, fault: `took ${Math.round(tookMs)} ms` } : { tookMs };
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Whether the two faults are one: thrown at the same place. */
function alike(a: string, b: string): boolean {
  const place = (stack: string): string =>
    /at .*?\(?([^\s()]+:\d+:\d+)\)?/.exec(stack)?.[1] ?? stack;
  return place(a) === place(b);
}

/** The shortest text found, by leaving out lines and then characters, that fails in the same way. */
export function shrunk(bytes: Uint8Array, was: string, triesMax = 4000): string {
  let text = decoder.decode(bytes);
  let tries = 0;
  const fails = (candidate: string): boolean => {
    tries++;
    const found = fault(encoder.encode(candidate)).fault;
    return found !== undefined && alike(found, was);
  };
  for (const unit of ["\n", ""]) {
    let pieces = text.split(unit);
    for (let size = Math.ceil(pieces.length / 2); size >= 1 && tries < triesMax; ) {
      let cutOne = false;
      for (let from = 0; from < pieces.length && tries < triesMax; ) {
        const without = [...pieces.slice(0, from), ...pieces.slice(from + size)];
        if (fails(without.join(unit))) {
          pieces = without;
          cutOne = true;
        } else from += size;
      }
      if (size === 1 && !cutOne) break;
      size = size === 1 ? 1 : Math.ceil(size / 2);
    }
    text = pieces.join(unit);
  }
  return text;
}
