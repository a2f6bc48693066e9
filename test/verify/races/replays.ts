/** Runs what was found of races again, as replays and as scripts. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  Client,
  type ReplayFile,
  readReplay,
  replayAgain,
  replayText,
  type Shrunk,
  scriptOf,
} from "../../../src/verify/index.ts";

/** How often each showed what it is to show. */
export interface Replays {
  readonly of: number;
  readonly replay: number;
  readonly script: number;
  /** What was said last. */
  readonly why: string;
}

function shell(text: string, url: URL): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "lacuna-races-"));
  const file = join(folder, "race.sh");
  writeFileSync(file, text);
  return new Promise((done) => {
    execFile("sh", [file, url.href], (error) => {
      rmSync(folder, { recursive: true, force: true });
      done(error === null ? 0 : Number(error.code));
    });
  });
}

/** The replay of what was shrunk, written and read again. */
function fileOf({ replay }: Shrunk, url: URL): ReplayFile {
  const document = { file: "spec.md", title: "Box office", sha256: "0".repeat(64) };
  const read = readReplay(replayText({ ...replay, document, url: url.href, broken: [] }));
  if (typeof read === "string") throw new Error(read);
  return read;
}

/** Runs it so often, as a replay and as a script, and counts those that say `is`. */
export async function replays(
  shrunk: Shrunk,
  url: URL,
  { times, is }: { readonly times: number; readonly is: "still broken" | "fixed" },
): Promise<Replays> {
  const file = fileOf(shrunk, url);
  const script = scriptOf(file, shrunk.answers);
  const counts = { of: times, replay: 0, script: 0, why: "" };
  const client = new Client(url);
  for (let i = 0; i < times; i++) {
    const tag = `x${String(process.hrtime.bigint()).slice(-10)}`;
    const replayed = await replayAgain(file, client, { tag });
    if (replayed.is === is) counts.replay += 1;
    else counts.why = `${replayed.is}: ${replayed.why}`;
    const code = await shell(script, url);
    if (code === (is === "fixed" ? 0 : 1)) counts.script += 1;
    else counts.why += ` script ${code}`;
  }
  client.close();
  return counts;
}
