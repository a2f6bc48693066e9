/** Reads the histories that others recorded: etcd's of Jepsen, and those of a store of texts. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { linearize, linearizeParts, type Operation } from "../../../src/verify/races/linearize.ts";
import { type Registering, registerModel, type Texting, textModel } from "./models.ts";

type Verdict = ReturnType<typeof linearize>["is"];

const ROOT = join(import.meta.dirname, "../../..");
const CORPORA = process.env["LACUNA_CORPORA"] ?? join(ROOT, "../shared/corpora");
export const FOLDER = join(CORPORA, "linearizability");
const BUDGET = 5_000_000;

export interface Judged {
  readonly histories: number;
  /** Names of histories that were not judged as their authors judged them. */
  readonly otherwise: readonly string[];
}

/** Judges all histories; undefined where they are not there. */
export function judgeCorpus(): Judged | undefined {
  if (!existsSync(FOLDER)) return undefined;
  const verdicts: Readonly<Record<string, boolean>> = JSON.parse(
    readFileSync(join(FOLDER, "expected.json"), "utf8"),
  );
  const names = Object.keys(verdicts);
  const otherwise = names.filter((name) => {
    const log = readFileSync(join(FOLDER, name), "utf8");
    const verdict = name.startsWith("jepsen/") ? jepsenVerdict(log) : textsVerdict(log);
    return verdict !== (verdicts[name] ? "yes" : "no");
  });
  return { histories: names.length, otherwise };
}

/** Lines `process :type :f value`: an operation that timed out may have had an effect. */
export function jepsenVerdict(log: string): Verdict {
  const history: Operation<Registering>[] = [];
  const open = new Map<string, number>();
  for (const [at, line] of log.split("\n").entries()) {
    const found = /- (\d+)\s+:(\w+)\s+:(\w+)\s+(.*?)\s*$/.exec(line);
    if (found === null) continue;
    const [, process = "", type = "", f = "", value = ""] = found;
    if (type === "invoke") {
      open.set(process, history.length);
      const what = asked(f, value);
      history.push({ called: at, returned: Number.POSITIVE_INFINITY, what });
      continue;
    }
    const place = open.get(process) ?? -1;
    const made = history[place];
    const isKnown = type === "ok" || (type === "fail" && made?.what.op === "swap");
    if (made === undefined || !isKnown) continue;
    history[place] = { ...made, returned: at, what: answered(made.what, type, value) };
  }
  return linearize(history, registerModel("nil"), BUDGET).is;
}

function asked(f: string, value: string): Registering {
  const [from = "", to = ""] = value.replace(/[[\]]/g, "").split(" ");
  if (f === "cas") return { op: "swap", from, to };
  return f === "read" ? { op: "read" } : { op: "write", value };
}

function answered(what: Registering, type: string, value: string): Registering {
  if (what.op === "read") return { op: "read", value };
  return what.op === "swap" ? { ...what, done: type === "ok" } : what;
}

/** Lines of a store of texts by key; each key is a history of its own. */
export function textsVerdict(log: string): Verdict {
  const history: Operation<Texting>[] = [];
  const open = new Map<string, number>();
  for (const [at, line] of log.split("\n").entries()) {
    const found =
      /:process (\d+), :type :(\w+), :f :(\w+), :key "(.*)", :value (?:nil|"(.*)")\}/.exec(line);
    if (found === null) continue;
    const [, process = "", type = "", f = "", key = "", value = ""] = found;
    if (type === "invoke") {
      open.set(process, history.length);
      const what = { op: f as Texting["op"], key, value };
      history.push({ called: at, returned: Number.POSITIVE_INFINITY, what });
      continue;
    }
    const place = open.get(process) ?? -1;
    const made = history[place];
    if (made === undefined) continue;
    const what = made.what.op === "get" ? { ...made.what, value } : made.what;
    history[place] = { ...made, returned: at, what };
  }
  return linearizeParts(history, ({ key }) => key, { modelOf: textModel, budget: BUDGET });
}
