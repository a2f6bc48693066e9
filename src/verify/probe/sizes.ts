/** Sizes of requests, and rows that are kept: as many as are stated, and one more. */
import { type ItemId, itemOf, type Limit, type Plan } from "../../plan/index.ts";
import { amountOf, sizesOf } from "../world/edge.ts";
import type { Request } from "../world/message.ts";
import type { Ran } from "../world/world.ts";
import { findLater, foreseen, isRight, type Probing, whoAsks } from "./probing.ts";

/** Larger ones are not sent. */
const BYTES_MAX = 4 * 1024 * 1024;
const ROWS_MAX = 60;
const TRIES = 80;
/** Fields that a client adds by itself: how many bytes there are is not known to one. */
const FIELDS_ADDED = 512;

/** A request made larger. */
type Padding = (request: Request, bytes: number) => Request | undefined;

const inBody: Padding = (request, bytes) => {
  const { body } = request;
  const missing = bytes - Buffer.byteLength(body ?? "");
  if (body?.startsWith("{") !== true || missing < 0) return undefined;
  // White space is no part of a JSON value.
  return { ...request, body: `{${" ".repeat(missing)}${body.slice(1)}` };
};

const inPath: Padding = (request, bytes) => {
  const start = `${request.target}${request.target.includes("?") ? "&" : "?"}pad=`;
  const missing = bytes - Buffer.byteLength(start);
  return missing < 0 ? undefined : { ...request, target: start + "a".repeat(missing) };
};

const inHeaders: Padding = (request, bytes) => {
  const headers = [...request.headers, ["X-Pad", ""] as const];
  const missing = bytes - sizesOf({ ...request, headers })["header bytes"];
  if (missing < 0) return undefined;
  return { ...request, headers: [...request.headers, ["X-Pad", "a".repeat(missing)]] };
};

interface Sized {
  readonly pad: Padding;
  /** Apart from the amount: within it, and beyond. */
  readonly by: readonly [number, number];
}

const SIZES: Readonly<Record<string, Sized>> = {
  "body bytes": { pad: inBody, by: [0, 1] },
  "path bytes": { pad: inPath, by: [0, 1] },
  "header bytes": { pad: inHeaders, by: [-FIELDS_ADDED, 1] },
};

const failsAt = (limit: Limit, { trace }: Ran): boolean =>
  trace.some(([item, came]) => item === limit.id && came === "failed");

/** Sends requests that are as large as may be, and one byte larger. */
export async function probeSizes(run: Probing): Promise<void> {
  const { plan, judge } = run.session;
  for (const limit of plan.limits) {
    const sized = SIZES[limit.counts.is];
    const amount = Number(amountOf(limit, judge.world.settings) ?? Number.POSITIVE_INFINITY);
    if (run.isOver) return;
    if (sized !== undefined && amount <= BYTES_MAX) await probeSize(run, limit, sized, amount);
  }
}

async function probeSize(
  run: Probing,
  limit: Limit,
  { pad, by: [within, beyond] }: Sized,
  amount: number,
): Promise<void> {
  const isFit = ({ outcome: { response } }: Ran, request: Request): boolean => {
    if (response.status >= 300) return false;
    const [one, other] = [within, beyond].map((more) => pad(request, amount + more));
    if (one === undefined || other === undefined) return false;
    const [small, large] = [foreseen(run, one), foreseen(run, other)];
    if (small === undefined || large === undefined) return false;
    return !failsAt(limit, small) && failsAt(limit, large);
  };
  const found = (await findLater(run, { tries: TRIES, fits: isFit }))?.request;
  for (const more of found === undefined ? [] : [within, beyond]) {
    const request = found && pad(found, amount + more);
    if (request === undefined || !(await isRight(run, request))) return;
  }
  if (found !== undefined && within === 0) held(run, itemOf(limit.amount));
}

function held({ session: { verdicts, requests } }: Probing, item: ItemId | undefined): void {
  if (item !== undefined) verdicts.held([item], requests);
}

/** Makes rows until a limit on how many are kept refuses one more. */
export async function probeKept(run: Probing): Promise<void> {
  const { plan, judge } = run.session;
  for (const limit of plan.limits) {
    const { counts } = limit;
    if (counts.is !== "rows kept") continue;
    const amount = Number(amountOf(limit, judge.world.settings) ?? Number.POSITIVE_INFINITY);
    const endpoints = makersOf(plan, counts.resource);
    if (amount > ROWS_MAX || endpoints.length === 0) continue;
    let who: string | undefined;
    for (let i = 0; i <= amount + 1 && !run.isOver; i++) {
      const isSame = (request: Request): boolean =>
        who === undefined || whoAsks(plan, request) === who;
      const next = await findLater(run, {
        endpoints,
        tries: 2 * TRIES,
        fits: (ran, request) =>
          isSame(request) && (failsAt(limit, ran) || ran.outcome.response.status < 300),
      });
      if (next === undefined || run.requestsLeft <= 0) break;
      who = whoAsks(plan, next.request);
      if (!(await isRight(run, next.request)) || failsAt(limit, next.ran)) break;
    }
  }
}

/** Endpoints that make a row of the resource. */
function makersOf({ endpoints }: Plan, resource: string) {
  return endpoints.filter(({ steps }) =>
    steps.some((one) => one.kind === "create" && one.resource === resource),
  );
}
