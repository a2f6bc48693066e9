/** Reads the histories that others recorded: etcd's of Jepsen, and those of a store of texts. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isLinearizable } from "./check.ts";
import type { Registering, Texting } from "./models.ts";
import { register, text } from "./models.ts";

type Open = Map<string, number>;

const ROOT = join(import.meta.dirname, "../../..");
const CORPORA = process.env["LACUNA_CORPORA"] ?? join(ROOT, "../shared/corpora");
export const FOLDER = join(CORPORA, "linearizability");

export interface Judged {
  readonly histories: number;
  /** Names of histories that were not judged as their authors judged them. */
  readonly otherwise: readonly string[];
}

/** Judges the histories whose names are wanted; undefined where they are not there. */
export function judgeCorpus(wanted: (name: string) => boolean): Judged | undefined {
  if (!existsSync(FOLDER)) return undefined;
  const verdicts = JSON.parse(readFileSync(join(FOLDER, "expected.json"), "utf8")) as Readonly<
    Record<string, boolean>
  >;
  const names = Object.keys(verdicts).filter(wanted);
  const otherwise = names.filter((name) => {
    const log = readFileSync(join(FOLDER, name), "utf8");
    const verdict = name.startsWith("jepsen/") ? jepsenVerdict(log) : textsVerdict(log);
    return verdict !== verdicts[name];
  });
  return { histories: names.length, otherwise };
}

/** Lines `process :type :f value`: an operation that timed out may have had an effect. */
export function jepsenVerdict(log: string): boolean | undefined {
  const history: { start: number; end: number; is: Registering }[] = [];
  const open: Open = new Map();
  for (const [at, line] of log.split("\n").entries()) {
    const found = /- (\d+)\s+:(\w+)\s+:(\w+)\s+(.*?)\s*$/.exec(line);
    if (found === null) continue;
    const [, process = "", type = "", f = "", value = ""] = found;
    if (type === "invoke") {
      open.set(process, history.length);
      const [from = "", to = ""] = value.replace(/[[\]]/g, "").split(" ");
      history.push({
        start: at,
        end: Number.POSITIVE_INFINITY,
        is:
          f === "cas"
            ? { op: "swap", from, to }
            : f === "read"
              ? { op: "read" }
              : { op: "write", value },
      });
      continue;
    }
    const made = history[open.get(process) ?? -1];
    const isKnown = type === "ok" || (type === "fail" && made?.is.op === "swap");
    if (made === undefined || !isKnown) continue;
    made.end = at;
    if (made.is.op === "read") made.is = { op: "read", value };
    else if (made.is.op === "swap") made.is = { ...made.is, done: type === "ok" };
  }
  return isLinearizable(history, { initial: "nil", step: register });
}

/** Lines of a store of texts by key; each key is a history of its own. */
export function textsVerdict(log: string): boolean | undefined {
  const byKey = new Map<string, { start: number; end: number; is: Texting }[]>();
  const open = new Map<string, { start: number; end: number; is: Texting }>();
  for (const [at, line] of log.split("\n").entries()) {
    const found =
      /:process (\d+), :type :(\w+), :f :(\w+), :key "(.*)", :value (?:nil|"(.*)")\}/.exec(line);
    if (found === null) continue;
    const [, process = "", type = "", f = "", key = "", value = ""] = found;
    if (type === "invoke") {
      const made = {
        start: at,
        end: Number.POSITIVE_INFINITY,
        is: { op: f as Texting["op"], value },
      };
      open.set(process, made);
      byKey.set(key, [...(byKey.get(key) ?? []), made]);
      continue;
    }
    const made = open.get(process);
    if (made === undefined) continue;
    made.end = at;
    if (made.is.op === "get") made.is = { op: "get", value };
  }
  let verdict: boolean | undefined = true;
  for (const history of byKey.values()) {
    const one = isLinearizable<Texting>(history, { initial: "", step: text });
    if (one === false) return false;
    verdict = one && verdict;
  }
  return verdict;
}
