/** `lacuna proxy`: stands in front of a running service and judges the traffic that it passes. */
import type { Command } from "commander";
import { plan as compile, occurrencesOf } from "../../check/index.ts";
import { CannotListen, type Proxied, Proxy } from "../../verify/index.ts";
import { type Call, type CommandModule, DONE, ERRORS, examples, refuse } from "../command.ts";
import { interruptible } from "../interrupted.ts";
import { ASSUME, obstacles, readReport } from "../pipeline.ts";
import { refuseReport } from "../refusal.ts";
import { counted } from "../render/wrap.ts";
import { lookedAt } from "../report/verified/model.ts";
import {
  defineReports,
  type ReportOptions,
  writeReports,
  wrongReports,
} from "../report/verified/outputs.ts";
import { Panel } from "../report/verified/panel.ts";
import { toldIn, urlIn } from "../told.ts";

interface Options extends ReportOptions {
  readonly assume?: string;
  readonly given?: string;
  readonly host: string;
  readonly port: string;
  readonly fresh?: boolean;
  readonly keepHost?: boolean;
}

/** It could not be judged. */
const UNJUDGED = 3;
const PORT_MAX = 65_535;
/** How often the terminal is told how it goes, in milliseconds. */
const LOOK_MS = 200;

function define(command: Command): void {
  defineReports(
    command
      .description(
        "Stands in front of a running service, passes its traffic on at once, and judges it " +
          "behind that as `lacuna verify` does: of each item of the document, held, broken, not " +
          "reached or unstated. Ctrl-C ends it and prints what was found.",
      )
      .argument("<file>", "a document; `-` is the standard input")
      .argument("<url>", "where the service is: `http://127.0.0.1:8080`")
      .option(...ASSUME)
      .option("--given <file>", "JSON with the settings, and rows that the service has now")
      .option("--port <n>", "where it listens; 0: any free port", "8081")
      .option("--host <address>", "the address at which it listens", "127.0.0.1")
      .option("--fresh", "the service has no data but what its document states for the start")
      .option("--keep-host", "pass on the header `Host` of the client, not that of the URL"),
  ).addHelpText(
    "after",
    `${examples(
      ["lacuna proxy spec.md http://127.0.0.1:8080", "judges what comes to port 8081"],
      ["lacuna proxy spec.md URL --fresh", "of a service that was just started, empty"],
      ["lacuna proxy spec.md URL --format json", "the report for other tools"],
    )}
Exit codes, when it is stopped: 0 nothing is broken, 1 something is, 2 wrong use,
3 nothing was judged.
`,
  );
}

/** What is wrong with the options; undefined: nothing. */
function wrongIn(options: Options, url: string): string | undefined {
  const { port } = options;
  if (urlIn(url) === undefined) return `\`${url}\` is no address such as http://127.0.0.1:8080`;
  const isPort = /^\d{1,5}$/.test(port) && Number(port) <= PORT_MAX;
  return isPort ? wrongReports(options) : `\`--port ${port}\` is no port: 0 to ${PORT_MAX}`;
}

async function run(call: Call<Options>): Promise<number> {
  const { io, args, options } = call;
  const [file = "", address = ""] = args;
  const wrong = wrongIn(options, address);
  if (wrong !== undefined) return refuse(io, wrong);
  const report = await readReport(io, file, options.assume);
  if (typeof report === "string") return refuse(io, report);
  const planned = compile(report.checked);
  if (planned === undefined) {
    refuseReport(report, obstacles(report.checked), call);
    return UNJUDGED;
  }
  const { plan, origins } = planned;
  const told = await toldIn(io, plan, options.given);
  if (!("settings" in told)) return refuse(io, ...told);
  const occurring = occurrencesOf(report.checked.service);
  const proxy = await started(call, plan, urlIn(address) as URL, { told, occurring });
  if (typeof proxy === "number") return proxy;
  const host = options.host.includes(":") ? `[${options.host}]` : options.host;
  const stands = `The proxy stands at http://${host}:${proxy.port} before ${address}`;
  const panel = new Panel(io, call.errPaint, origins);
  const { result: found } = await interruptible(
    (signal) => {
      // Who reads this may send the signal at once.
      io.err(`${stands}; Ctrl-C ends it.\n`);
      return watched(proxy, panel, signal);
    },
    () => panel.say("It is being stopped; press Ctrl-C again to end at once."),
  ).finally(() => panel.end());
  const { session, seconds } = found;
  const verified = { session, shrunk: [], seconds, ended: "stopped" as const };
  const showsSecrets = options.showSecrets === true;
  const looked = lookedAt({
    ...{ report, origins, verified, address, seed: 0, told, occurring, showsSecrets },
  });
  const unwritten = await writeReports(looked, call);
  if (unwritten !== undefined) return refuse(io, unwritten);
  io.err(`${tallyLine(found)}\n`);
  if (found.tally.broken > 0) return ERRORS;
  return found.tally.asStated === 0 ? UNJUDGED : DONE;
}

type Known = Pick<Parameters<typeof Proxy.start>[2], "occurring"> & {
  readonly told: Pick<Parameters<typeof Proxy.start>[2], "settings"> & {
    readonly rows: Parameters<typeof Proxy.start>[2]["given"];
  };
};

/** The proxy that listens; or the exit code where it cannot. */
async function started(
  { io, options }: Call<Options>,
  plan: Parameters<typeof Proxy.start>[0],
  url: URL,
  { told, occurring }: Known,
): Promise<Proxy | number> {
  const { host, keepHost = false, fresh: isFresh = false } = options;
  const port = Number(options.port);
  const { settings, rows: given } = told;
  try {
    const parts = { host, port, keepHost, isFresh, settings, given, occurring };
    return await Proxy.start(plan, url, parts);
  } catch (fault) {
    if (!(fault instanceof CannotListen)) throw fault;
    const isTaken = fault.code === "EADDRINUSE";
    const text = isTaken
      ? `port ${port} is in use; \`--port 0\` takes a free one`
      : `it cannot listen at ${host}, port ${port}: ${fault.message}`;
    return refuse(io, text);
  }
}

/** Waits for the signal that ends it, and tells meanwhile how it goes. */
async function watched(proxy: Proxy, panel: Panel, signal: AbortSignal): Promise<Proxied> {
  const timer = setInterval(() => panel.update(proxy.found.session), LOOK_MS);
  await new Promise<void>((end) => signal.addEventListener("abort", () => end(), { once: true }));
  clearInterval(timer);
  return proxy.stop();
}

/** How many exchanges were judged, and why others were not. */
function tallyLine({ tally }: Proxied): string {
  const { asStated, broken, unjudged } = tally;
  const not = [...unjudged.values()].reduce((all, one) => all + one, 0);
  const why = [...unjudged].map(([name, count]) => `${count} ${name}`).join(", ");
  const all = counted(asStated + broken + not, "exchange");
  const rest = not === 0 ? "" : `, ${not} not judged (${why})`;
  return `${all}: ${asStated} as stated, ${broken} broken${rest}`;
}

export const proxy: CommandModule<Options> = { define, run };
