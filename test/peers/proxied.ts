/** A service with `lacuna proxy` before it, which judges what a suite sends; knows no suite. */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT, type Served, type Serving, served } from "./served.ts";

/** What the proxy has found of what a suite has sent. */
export interface Reached {
  readonly document: string;
  /** Exchanges that were as stated, broken, and not judged with the reasons: as it says them. */
  readonly tally: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly items: readonly {
    readonly id: string;
    readonly part: string;
    readonly line: number;
    readonly verdict: string;
  }[];
  readonly broken: readonly unknown[];
}

export interface Proxied extends Served {
  /** Stops both; gives what the proxy has found. */
  found(): Promise<Reached>;
}

/** The file that tells the proxy what only the operator knows. */
function givenIn(folder: string, { args, settings = {} }: Serving): string {
  const at = args.indexOf("--rows");
  const rows = at < 0 ? {} : JSON.parse(readFileSync(join(ROOT, args[at + 1] ?? ""), "utf8"));
  const file = join(folder, "given.json");
  writeFileSync(file, JSON.stringify({ settings, rows }));
  return file;
}

/**
 * Starts the service and the proxy before it, at the port that is asked for. `isFresh`: the proxy
 * is told that the service has no data yet.
 */
export async function proxied(serving: Serving, isFresh: boolean): Promise<Proxied> {
  const { args, port = 0 } = serving;
  const service = await served({ ...serving, port: 0 });
  const folder = mkdtempSync(join(tmpdir(), "lacuna-proxied-"));
  const output = join(folder, "report.json");
  const at = args.indexOf("--assume");
  const all = [
    ...[join(ROOT, "src/cli/main.ts"), "proxy", args[0] ?? "", service.address],
    ...["--port", String(port), "--format", "json", "--output", output],
    ...["--given", givenIn(folder, serving)],
    ...(at < 0 ? [] : args.slice(at, at + 2)),
    ...(isFresh ? ["--fresh"] : []),
  ];
  const child = spawn(process.execPath, all, { cwd: ROOT });
  let said = "";
  const ended = new Promise<number | null>((done) => child.once("exit", done));
  const address = await new Promise<string>((done, fail) => {
    child.stderr.on("data", (chunk) => {
      said += String(chunk);
      const found = /stands at (\S+)/.exec(said)?.[1];
      if (found !== undefined) done(found);
    });
    child.once("exit", (code) => fail(new Error(`the proxy ended with ${code}: ${said}`)));
  });
  const stop = async (): Promise<number | null> => {
    child.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true, force: true });
    return service.stop();
  };
  const found = async (): Promise<Reached> => {
    child.kill("SIGTERM");
    await ended;
    const { counts, items, broken } = JSON.parse(readFileSync(output, "utf8"));
    await stop();
    const tally = said.trim().split("\n").at(-1) ?? "";
    return { document: args[0] ?? "", tally, counts, items, broken };
  };
  return { address, stop, found };
}
