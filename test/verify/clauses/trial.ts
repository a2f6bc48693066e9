/** One document is served, and verified against another that differs from it in a clause. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { check, occurrencesOf, plan } from "../../../src/check/index.ts";
import type { Plan } from "../../../src/plan/index.ts";
import { read } from "../../../src/read/index.ts";
import { CannotServe, type Running, serve } from "../../../src/serve/index.ts";
import { readTold, type Session, type Told, verify } from "../../../src/verify/index.ts";
import { ROOT } from "../../peers/served.ts";
import { documents } from "../documents.ts";

/** A document, and what its operator gives. */
export interface Document {
  readonly name: string;
  readonly text: string;
  readonly rows: string | undefined;
  readonly settings: Readonly<Record<string, string>>;
}

/** An example, or another document of the tests, by its name. */
export function documentOf(name: string): Document {
  const example = documents.find((one) => one.name === name);
  if (example === undefined) throw new Error(`no document ${name}`);
  const { file = `examples/${name}/spec.md`, args = [], settings = {} } = example;
  const at = args.indexOf("--rows");
  const rows = at < 0 ? undefined : readFileSync(join(ROOT, args[at + 1] ?? ""), "utf8");
  return { name, text: readFileSync(join(ROOT, file), "utf8"), rows, settings };
}

export type Compiled = NonNullable<ReturnType<typeof compiled>>;

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

/** A receiver of messages by HTTPS that the services of this process trust; made by `openssl`. */
let receiver: { readonly certificate: string; readonly key: string } | undefined;

function secureReceiver() {
  if (receiver !== undefined) return receiver;
  const folder = mkdtempSync(join(tmpdir(), "lacuna-receiver-"));
  const [certificate, key] = [join(folder, "certificate.pem"), join(folder, "key.pem")];
  const made = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];
  const name = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"];
  const files = ["-keyout", key, "-out", certificate];
  execFileSync("openssl", ["req", "-x509", ...made, ...name, ...files], { stdio: "ignore" });
  receiver = { certificate: readFileSync(certificate, "utf8"), key: readFileSync(key, "utf8") };
  rmSync(folder, { recursive: true, force: true });
  setDefaultCACertificates([...getCACertificates("default"), receiver.certificate]);
  return receiver;
}

/** Whether receivers must have addresses of HTTPS. */
const isSecure = ({ text }: Document): boolean => /scheme `https`/.test(text);

type Row = Readonly<Record<string, unknown>>;

/** What an operator tells of a service: no more than the document names. */
function knownIn(
  { about, resources }: Plan,
  settings: Document["settings"],
  rows: Readonly<Record<string, readonly Row[]>>,
) {
  const named = new Set(about.settings.map(({ name }) => name));
  const fields = new Map(
    resources.map((one) => [one.name, new Set(one.fields.map(({ name }) => name))]),
  );
  const ofRow = (own: ReadonlySet<string>, row: Row): Row =>
    Object.fromEntries(Object.entries(row).filter(([member]) => own.has(member)));
  return {
    settings: Object.fromEntries(Object.entries(settings).filter(([name]) => named.has(name))),
    rows: Object.fromEntries(
      Object.entries(rows).flatMap(([name, list]) => {
        const own = fields.get(name);
        return own === undefined ? [] : [[name, list.map((row) => ofRow(own, row))]];
      }),
    ),
  };
}

export interface Bounds {
  readonly seed: number;
  readonly requests: number;
  readonly seconds: number;
  /** Milliseconds that are waited for what happens by itself. */
  readonly patience?: number;
}

const PATIENCE_MS = 2_000;

/** What is wrong with answers and messages. */
export const breaksOf = ({ breaks, eventBreaks }: Pick<Session, "breaks" | "eventBreaks">) => [
  ...breaks,
  ...eventBreaks,
];

/** What the operator tells, as a document takes it. */
export function toldOf(document: Document, judged: Plan): Told {
  const known = knownIn(judged, document.settings, JSON.parse(document.rows ?? "{}"));
  const way = isSecure(document) ? { receiver: secureReceiver() } : {};
  const told = readTold(judged, JSON.stringify({ ...known, ...way }));
  if (!("settings" in told)) throw new Error(told.join("\n"));
  return told;
}

/** The letters of all data that a trial makes. */
export const tagOf = (seed: number): string => `v${seed.toString(36)}`;

/** Ends at the first broken answer; undefined: the one document cannot be served. */
export async function trial(
  document: Document,
  { served, judged }: { readonly served: Compiled; readonly judged: Compiled },
  { seed, requests, seconds, patience = PATIENCE_MS }: Bounds,
): Promise<{ readonly session: Session; readonly told: Told } | undefined> {
  const { settings, rows } = document;
  let running: Running;
  try {
    running = await serve(served.plan, {
      memory: true,
      inline: true,
      standIns: true,
      allowPrivateReceivers: true,
      shake: String(seed),
      settings,
      ...(rows === undefined ? {} : { startRows: rows }),
    });
  } catch (fault) {
    if (fault instanceof CannotServe) return undefined;
    throw fault;
  }
  try {
    const told = toldOf(document, judged.plan);
    const { session } = await verify(judged.plan, new URL(running.address), {
      seed,
      tag: tagOf(seed),
      requestsMax: requests,
      secondsMax: seconds,
      breaksMax: 1,
      shrinkMax: 0,
      settings: told.settings,
      given: told.rows,
      receiver: told.receiver,
      patienceMs: patience,
      occurring: judged.occurring,
    });
    return { session, told };
  } finally {
    await running.stop();
  }
}
