/** Takes the bytes of a file, gives its text and what is wrong with its characters; no Markdown. */
import type { Finding } from "../../base/index.ts";
import { inspectCharacters, inspectLineEnds } from "./characters.ts";
import { newReport } from "./report.ts";
import { badSequences } from "./utf8.ts";

/** Bytes of the largest file that is read. */
export const FILE_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Decodes UTF-8 (RFC 3629; bad sequences become U+FFFD as the WHATWG Encoding Standard counts
 * them). A byte-order mark is reported and left out of the text. Offsets of the findings are UTF-16
 * offsets into the text given back. A file past the bound gives the empty text and one finding.
 */
export function decode(bytes: Uint8Array): { text: string; findings: Finding[] } {
  const report = newReport();
  if (bytes.length > FILE_BYTES_MAX) {
    const detail = `The file has ${bytes.length} bytes; at most ${FILE_BYTES_MAX} are read`;
    report.add("too-large", 0, 0, detail);
    return { text: "", findings: report.findings() };
  }
  const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  if (marked) report.add("byte-order-mark", 0, 0);
  const body = marked ? bytes.subarray(3) : bytes;
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(body);
  if (text.includes("\uFFFD")) {
    badSequences(body, (offset) => report.add("encoding", offset, offset + 1));
  }
  inspectLineEnds(text, report);
  inspectCharacters(text, report);
  return { text, findings: report.findings() };
}
