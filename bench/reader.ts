/** Times the block reader on a document made by repeating a real one; prints, judges nothing. */
import { readFileSync } from "node:fs";
import { type Block, decode, readBlocks, tokens } from "../src/read/blocks/index.ts";

const MEGABYTE = 1_000_000;
const file = process.argv[2] ?? "examples/conduit/spec.md";

/** The document over and over, to at least `megabytes`. */
function repeated(source: string, megabytes: number): Uint8Array {
  const bytes = new TextEncoder().encode(`${source.replace(/<!--[\s\S]*?-->/g, "")}\n\n`);
  const times = Math.ceil((megabytes * MEGABYTE) / bytes.length);
  const whole = new Uint8Array(times * bytes.length);
  for (let i = 0; i < times; i++) whole.set(bytes, i * bytes.length);
  return whole;
}

/** Counts all tokens, as a stage that reads every inline once would. */
function countTokens(text: string, blocks: readonly Block[]): number {
  let count = 0;
  for (const block of blocks) {
    if ("inline" in block) count += tokens(text, block.inline).length;
    if ("children" in block) count += countTokens(text, block.children);
    if (block.kind === "paragraph") for (const it of block.lines) count += tokens(text, it).length;
    if (block.kind !== "table") continue;
    for (const row of [block.header, ...block.rows]) {
      for (const cell of row.cells) count += tokens(text, cell).length;
    }
  }
  return count;
}

function peakMegabytes(): number {
  return Math.round(process.resourceUsage().maxRSS / 1024);
}

function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const source = readFileSync(file, "utf8");
for (const megabytes of [1, 1, 10, 10]) {
  const bytes = repeated(source, megabytes);
  const size = bytes.length / MEGABYTE;
  let text = "";
  let read: ReturnType<typeof readBlocks> = { blocks: [], findings: [] };
  let count = 0;
  const decodeMs = cpuMs(() => {
    text = decode(bytes).text;
  });
  const readMs = cpuMs(() => {
    read = readBlocks(text);
  });
  const tokensMs = cpuMs(() => {
    count = countTokens(text, read.blocks);
  });
  const each = (ms: number): string => (ms / size).toFixed(1);
  console.log(
    `${size.toFixed(1)} MB: decode ${each(decodeMs)}, blocks ${each(readMs)}, ` +
      `tokens ${each(tokensMs)} ms CPU per MB; ${read.blocks.length} blocks, ${count} tokens, ` +
      `${read.findings.length} findings; peak ${peakMegabytes()} MB`,
  );
}
