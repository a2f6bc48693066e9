/** What `lacuna serve` prints when the service is there; starts nothing. */
import type { Plan } from "../plan/index.ts";
import { shownPlace } from "../store/index.ts";
import type { Call } from "./command.ts";
import type { Ready } from "./ready.ts";
import { counted } from "./render/wrap.ts";
import { sampleRequest } from "./sample.ts";
import type { ServeSettings } from "./serve-options.ts";

/** What the document does not say, and how much of it answers depend on. */
export function gapLine(plan: Plan): string {
  const silent = plan.gaps.filter((gap) => gap.silent).length;
  const blocking = plan.gaps.filter((gap) => gap.blocking).length;
  if (plan.gaps.length === 0) return "none: everything is said";
  const more = silent === 0 ? "" : `, ${silent} of them silent`;
  return `${counted(plan.gaps.length, "gap")}${more}; ${blocking} can be met, and answer 501`;
}

function callLine(
  { calls }: Plan,
  { code, "stand-in": standIn }: ServeSettings,
): string | undefined {
  if (calls.length === 0) return code && `none: ${code} is not used`;
  const all = counted(calls.length, "call");
  if (code !== undefined) return `${all}, by ${code}${standIn === true ? " and stand-ins" : ""}`;
  return standIn === true
    ? `${all}, by stand-ins`
    : `${all} without code, which answer 501: name it with --code`;
}

interface Started {
  readonly address: string;
  /** Where the operator's port is. */
  readonly admin: string | undefined;
  readonly ready: Ready;
  /** Documents of older versions. */
  readonly older: readonly Ready[];
  readonly data: string | undefined;
}

const IN_MEMORY = "in memory; it is gone when the service stops";

/** Says where the service is, what it serves, and what to try. */
export function announce(
  { io, paint }: Pick<Call, "io" | "paint">,
  settings: ServeSettings,
  { address, admin, ready, older, data }: Started,
): void {
  const { shake } = settings;
  const { plan, assumed } = ready;
  const title = plan.title === "" ? "The service" : plan.title;
  const row = (label: string, text: string): string => `  ${paint.dim(label.padEnd(8))} ${text}\n`;
  io.out(`${paint.bold(title)} is served at ${paint.code(address)}\n\n`);
  io.out(
    row(
      "serves",
      plan.endpoints.length === 0
        ? "nothing: no endpoint is stated"
        : counted(plan.endpoints.length, "endpoint"),
    ),
  );
  for (const one of older) {
    io.out(row("and", `${one.file}, ${counted(one.plan.endpoints.length, "endpoint")}`));
  }
  io.out(row("gaps", gapLine(plan)));
  for (const one of older) io.out(row("", `${gapLine(one.plan)} (${one.file})`));
  if (assumed !== undefined) io.out(row("assumed", assumed));
  const calls = callLine(plan, settings);
  if (calls !== undefined) io.out(row("calls", calls));
  io.out(row("data", data === undefined ? IN_MEMORY : shownPlace(data)));
  if (admin !== undefined) io.out(row("admin", `${admin}/metrics, /ready, /live, /gaps`));
  if (settings.examples === true) {
    io.out(
      row("examples", "answer what meets a gap, where the document has one: they are no fact"),
    );
  }
  if (shake !== undefined) {
    io.out(row("shaken", `by \`${shake}\`: what is free varies, and secrets can be guessed`));
  }
  io.out(row("try", paint.good(sampleRequest(plan, address))));
  io.out(`\nCtrl-C stops it.\n`);
}
