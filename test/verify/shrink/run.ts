/**
 * `npm run test:shrink [-- --only NAME] [-- --from N] [-- --fault N] [-- --seconds N]`: services
 * with a fault each are verified, each in a process of its own, and what is found is shrunk. How
 * far each result is from the fewest requests that are known, and how often it shows again, in the
 * service with the fault and in one without. SEED is that of the requests. It ends with 1 where a
 * result has more than two requests more than need be, or a replay or script is wrong of what it
 * says.
 */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { campaignOptions } from "../../campaigns/options.ts";
import { lacuna, type Ran } from "../../cli/world.ts";
import { type Example, examples } from "../../export/examples.ts";
import { ROOT, type Served, type Serving, served } from "../../peers/served.ts";
import { campaignSeed } from "../../random.ts";
import { compiled } from "../clauses/trial.ts";
import { type Fault, faults } from "./faults.ts";

const REPLAYS = 10;
/** For so many operations; a larger document is given more. */
const SECONDS = 40;
const OPERATIONS = 12;
/** Requests more than the fewest that are known. */
const MORE_MAX = 2;

const options = campaignOptions({
  ...{ only: "text", from: "count", fault: "count", seconds: "count" },
} as const);
const seed = campaignSeed();

function given({ args = [], settings = {} }: Example): string {
  const at = args.indexOf("--rows");
  const rows = at < 0 ? {} : JSON.parse(readFileSync(join(ROOT, args[at + 1] ?? ""), "utf8"));
  return JSON.stringify({ settings, rows });
}

/** The exit code of a script. */
function shell(file: string, ...args: readonly string[]): Promise<number> {
  return new Promise((done) => {
    execFile("sh", [file, ...args], (error) => done(error === null ? 0 : Number(error.code)));
  });
}

interface Result {
  readonly requests: number;
  readonly shown: number;
  readonly script: number;
  readonly fixed: string;
  readonly fixedScript: number;
}

interface Tally {
  readonly not: readonly string[];
  readonly results: readonly Result[];
}

/** A service that is started anew where a limit lets no more accounts be opened in it. */
class Renewed {
  readonly #serving: Serving;
  #service: Served | undefined;

  constructor(serving: Serving, service?: Served) {
    this.#serving = serving;
    this.#service = service;
  }

  async address(): Promise<string> {
    this.#service ??= await served(this.#serving);
    return this.#service.address;
  }

  async stop(): Promise<void> {
    await this.#service?.stop();
    this.#service = undefined;
  }
}

function secondsFor(text: string): number {
  const operations = compiled(text)?.plan.endpoints.length ?? 0;
  return options.seconds ?? Math.round(SECONDS * Math.max(1, operations / OPERATIONS));
}

/** What replaying says, in a service that takes its requests. */
async function replayed(path: string, service: Renewed): Promise<Ran> {
  const args = ["replay", `${path}.json`];
  const ran = await lacuna([...args, await service.address()]);
  if (!/\b429\b/.test(ran.out.split("\n")[0] ?? "")) return ran;
  await service.stop();
  return lacuna([...args, await service.address()]);
}

/** The exit code of the script, in a service that takes its requests. */
async function scriptIn(path: string, service: Renewed): Promise<number> {
  const code = await shell(`${path}.sh`, await service.address());
  if (code !== 2) return code;
  await service.stop();
  return shell(`${path}.sh`, await service.address());
}

async function resultOf(path: string, wrong: Renewed, right: Renewed): Promise<Result> {
  let shown = 0;
  for (let i = 0; i < REPLAYS; i++) {
    const { code, out } = await replayed(path, wrong);
    if (code === 1) shown += 1;
    else console.log(`    not shown: ${out.split("\n")[0]}`);
  }
  const script = await scriptIn(path, wrong);
  const fixed = (await replayed(path, right)).out.split("\n")[0] ?? "";
  const { requests } = JSON.parse(readFileSync(`${path}.json`, "utf8"));
  const fixedScript = await scriptIn(path, right);
  return { requests: requests.length, shown, script, fixed, fixedScript };
}

async function tallyOf(
  fault: Fault,
  example: Example,
  { place, right }: { readonly place: string; readonly right: Renewed },
): Promise<Tally> {
  const { file = `examples/${example.name}/spec.md`, args = [], settings = {} } = example;
  const document = join(ROOT, file);
  const text = readFileSync(document, "utf8");
  if (!text.includes(fault.clause)) throw new Error(`${file} has no ${fault.clause}`);
  const other = join(place, "other.md");
  writeFileSync(
    other,
    text.replace(fault.clause, () => fault.instead),
  );
  writeFileSync(join(place, "given.json"), given(example));
  const replays = join(place, "replays");
  rmSync(replays, { recursive: true, force: true });
  const wrong = await served({ args: [other, ...args], settings });
  const again = new Renewed({ args: [other, ...args], settings }, wrong);
  try {
    const { out, err } = await lacuna([
      ...["verify", document, wrong.address, "--given", join(place, "given.json")],
      ...["--fresh", "--seed", String(seed), "--seconds", String(secondsFor(text))],
      ...["--format", "json", "--replays", replays],
    ]);
    if (out === "") throw new Error(err);
    const { broken } = JSON.parse(out) as {
      broken: { story?: object; noStory?: string; items: readonly string[] }[];
    };
    const names = new Set(readdirSync(replays).map((name) => name.replace(/\.\w+$/, "")));
    const results: Result[] = [];
    for (const name of names) {
      results.push(await resultOf(join(replays, name), again, right));
    }
    const told = new Set(broken.flatMap(({ story, items }) => (story === undefined ? [] : items)));
    const not = broken.flatMap(({ items: [item = ""], noStory }) =>
      told.has(item) || noStory === undefined ? [] : [`${item.slice(0, 80)}: ${noStory}`],
    );
    return { not, results };
  } finally {
    await again.stop();
  }
}

function wrongIn({ fewest }: Fault, result: Result): readonly string[] {
  const { requests, shown, script, fixed, fixedScript } = result;
  return [
    ...(requests > fewest + MORE_MAX ? [`${requests} requests`] : []),
    ...(shown < REPLAYS ? [`shown ${shown} of ${REPLAYS} times`] : []),
    ...(script === 1 ? [] : [`script ${script}`]),
    ...(fixed.startsWith("fixed") ? [] : [`not called fixed, but ${fixed}`]),
    ...(fixedScript === 0 ? [] : [`script ${fixedScript} where it is fixed`]),
  ];
}

/** What came of one fault. */
interface Came {
  readonly results: number;
  /** Requests more than the fewest that are known, at most. */
  readonly over: number;
  readonly isRight: boolean;
}

async function came(fault: Fault): Promise<Came> {
  const example = examples.find(({ name }) => name === fault.of);
  if (example === undefined) throw new Error(`no example ${fault.of}`);
  const { file = `examples/${example.name}/spec.md`, args = [], settings = {} } = example;
  const right = new Renewed({ args: [file, ...args], settings });
  const place = mkdtempSync(join(tmpdir(), "lacuna-shrink-"));
  try {
    const { results, not } = await tallyOf(fault, example, { place, right });
    const counts = results.map(({ requests }) => requests);
    console.log(`  known ${fault.fewest}, shrunk to ${counts.join(", ") || "nothing"}`);
    for (const one of not) console.log(`    not shrunk: ${one}`);
    const wrong = results.flatMap((result) => wrongIn(fault, result));
    for (const one of wrong) console.log(`    WRONG: ${one}`);
    const over = Math.max(0, ...counts.map((count) => count - fault.fewest));
    return { results: results.length, over, isRight: wrong.length === 0 };
  } finally {
    await right.stop();
    rmSync(place, { recursive: true, force: true });
  }
}

/** The same in a process of its own: what one fault leaves behind is in no way of the next. */
async function cameApart(number: number): Promise<Came> {
  const seconds = options.seconds === undefined ? [] : ["--seconds", String(options.seconds)];
  const args = [import.meta.filename, "--fault", String(number), ...seconds];
  const env = { ...process.env, SEED: String(seed) };
  const child = spawn(process.execPath, args, {
    env,
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  let found: Came | undefined;
  child.on("message", (one: Came) => {
    found = one;
  });
  await once(child, "close");
  if (found === undefined) throw new Error(`fault ${number} ended without a result`);
  return found;
}

if (options.fault !== undefined) {
  const fault = faults[options.fault - 1];
  if (fault === undefined) throw new Error(`no fault ${options.fault}`);
  const found = await came(fault);
  if (!found.isRight) process.exitCode = 1;
  process.send?.(found);
} else {
  console.log(`SEED=${seed}`);
  const all: Came[] = [];
  const unseen: string[] = [];
  for (const [i, { of, clause }] of faults.entries()) {
    if (options.only !== undefined && of !== options.only) continue;
    if (options.from !== undefined && i + 1 < options.from) continue;
    const name = `${i + 1}. ${of}: ${clause.replaceAll("\n", " ").slice(0, 60)}`;
    console.log(name);
    const one = await cameApart(i + 1);
    all.push(one);
    if (one.results === 0) unseen.push(name);
  }
  if (all.some(({ isRight }) => !isRight)) process.exitCode = 1;
  const results = all.reduce((sum, one) => sum + one.results, 0);
  const over = Math.max(0, ...all.map((one) => one.over));
  console.log(`${results} results, at most ${over} requests over what is known`);
  for (const one of unseen) console.log(`no result: ${one}`);
}
