/** Verifies the shop, with a fault or without, and says which lines of its document are named. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Break, type Verified, verify } from "../../../src/verify/index.ts";
import { exportableOf } from "../../export/exported.ts";
import { type Fault, seeded } from "./seeded.ts";
import { running } from "./shop.ts";

const FILE = join(import.meta.dirname, "shop.md");
const TEXT = readFileSync(FILE, "utf8").split("\n");
const { plan, occursAt, lineOf } = exportableOf(FILE);

/** Numbers of the lines that have the text; behind ` > `: in the section whose heading has what is before. */
function linesOf(place: string): readonly number[] {
  const [first = "", ...rest] = place.split(" > ");
  const inner = rest.join(" > ").replace(/ >$/, "");
  const heading = first.replace(/ >$/, "");
  const isSection = rest.length > 0 || place.endsWith(" >");
  const found: number[] = [];
  let isInside = !isSection;
  for (const [i, line] of TEXT.entries()) {
    if (isSection && line.startsWith("#")) isInside = line.startsWith(heading);
    if (isInside && line.includes(isSection ? inner : heading)) found.push(i + 1);
  }
  if (found.length === 0) throw new Error(`no line of shop.md has ${place}`);
  return found;
}

/** What a run of verification came to. */
export interface Judged {
  readonly requests: number;
  readonly seconds: number;
  readonly ended: Verified["ended"];
  readonly breaks: readonly Break[];
  /** Lines that were named. */
  readonly named: readonly number[];
  /** Whether a line was named of which one is to be. */
  readonly isNamed: boolean;
}

/** Broken answers behind which others may come of those before. */
const BREAKS_MAX = 4;
/** Requests that may be made to show them in fewer, which tells what is broken by what came before. */
const SHRINK_MAX = 400;

interface Bounds {
  readonly requests?: number;
  readonly seconds?: number;
  readonly breaks?: number;
}

/** Verifies a new shop. */
export async function judged(
  seed: number,
  fault?: Fault,
  { requests = 3000, seconds: secondsMax = 60, breaks: breaksMax = BREAKS_MAX }: Bounds = {},
): Promise<Judged> {
  const wanted = new Set(fault === undefined ? [] : seeded[fault].slice(1).flatMap(linesOf));
  const service = await running(fault === undefined ? [] : [fault]);
  const namedBy = ({ items }: Break): readonly number[] =>
    items.flatMap((item) => lineOf(item) ?? []);
  const isRight = (one: Break): boolean => namedBy(one).some((line) => wanted.has(line));
  try {
    const { session, seconds, ended } = await verify(plan, new URL(service.address), {
      ...{
        seed,
        tag: `f${seed}`,
        breaksMax,
        shrinkMax: SHRINK_MAX,
        occurring: occursAt,
      },
      ...{ requestsMax: requests, secondsMax },
    });
    const { breaks } = session;
    const named = [...new Set(breaks.flatMap(namedBy))];
    return {
      requests: session.requests,
      seconds,
      ended,
      breaks,
      named,
      isNamed: breaks.some(isRight),
    };
  } finally {
    await service.stop();
  }
}

/** A break in one line. */
export function told({ request, answer, expected, differences }: Break): string {
  const { method, target, body = "" } = request;
  const where = differences.map((one) => `${one.in} ${one.where.join(".")}`).join(", ");
  const asked = `${method} ${target} ${body.slice(0, 300)}`;
  const [mine, theirs] = [expected, answer].map((one) => `${one.status} ${one.body ?? ""}`);
  return `${asked}\n    answered ${theirs}\n    expected ${mine}\n    (${where})`;
}
