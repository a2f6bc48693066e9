/** One document is served, and verified against another that differs from it in a clause. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { check, occurrencesOf, plan } from "../../../src/check/index.ts";
import { read } from "../../../src/read/index.ts";
import { CannotServe, type Running, serve } from "../../../src/serve/index.ts";
import { readTold, type Session, verify } from "../../../src/verify/index.ts";
import { examples } from "../../export/examples.ts";
import { ROOT } from "../../peers/served.ts";

/** A document, and what its operator gives. */
export interface Document {
  readonly name: string;
  readonly text: string;
  readonly rows: string | undefined;
  readonly settings: Readonly<Record<string, string>>;
}

/** An example by its name. */
export function documentOf(name: string): Document {
  const example = examples.find((one) => one.name === name);
  if (example === undefined) throw new Error(`no document ${name}`);
  const { file = `examples/${name}/spec.md`, args = [], settings = {} } = example;
  const at = args.indexOf("--rows");
  const rows = at < 0 ? undefined : readFileSync(join(ROOT, args[at + 1] ?? ""), "utf8");
  return { name, text: readFileSync(join(ROOT, file), "utf8"), rows, settings };
}

type Compiled = NonNullable<ReturnType<typeof compiled>>;

/** What a text is compiled to; undefined: it has errors. */
export function compiled(text: string) {
  const checked = check(read(new TextEncoder().encode(text)));
  const planned = plan(checked);
  const isWrong = checked.findings.some((one) => one.severity === "error");
  if (planned === undefined || isWrong) return undefined;
  const lines = new Map(
    [...planned.origins].map(([id, { start }]) => [id, text.slice(0, start).split("\n").length]),
  );
  return { plan: planned.plan, lines, occurring: occurrencesOf(checked.service) };
}

interface Bounds {
  readonly seed: number;
  readonly requests: number;
  readonly seconds: number;
}

/** Ends at the first broken answer; undefined: the one document cannot be served. */
export async function trial(
  document: Document,
  { served, judged }: { readonly served: Compiled; readonly judged: Compiled },
  { seed, requests, seconds }: Bounds,
): Promise<Session | undefined> {
  const { settings, rows } = document;
  let running: Running;
  try {
    running = await serve(served.plan, {
      memory: true,
      inline: true,
      standIns: true,
      shake: String(seed),
      settings,
      ...(rows === undefined ? {} : { startRows: rows }),
    });
  } catch (fault) {
    if (fault instanceof CannotServe) return undefined;
    throw fault;
  }
  try {
    const given = JSON.stringify({ settings, rows: JSON.parse(rows ?? "{}") });
    const told = readTold(judged.plan, given);
    if (!("settings" in told)) throw new Error(told.join("\n"));
    const { session } = await verify(judged.plan, new URL(running.address), {
      seed,
      tag: `v${seed.toString(36)}`,
      requestsMax: requests,
      secondsMax: seconds,
      breaksMax: 1,
      shrinkMax: 0,
      settings: told.settings,
      given: told.rows,
      occurring: judged.occurring,
    });
    return session;
  } finally {
    await running.stop();
  }
}
