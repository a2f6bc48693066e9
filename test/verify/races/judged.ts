/** Verifies the box office, right or with a fault that only requests at the same time show. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { check, plan as compile, occurrencesOf } from "../../../src/check/index.ts";
import { read } from "../../../src/read/index.ts";
import { type Verified, verify } from "../../../src/verify/index.ts";
import { type Fault, service } from "./service.ts";

const checked = check(read(readFileSync(join(import.meta.dirname, "spec.md"))));
const planned = compile(checked);
if (planned === undefined) throw new Error("spec.md has errors");
const { plan } = planned;

const BOOK = "endpoints/POST /shows/{id}/bookings";

/** Each fault with the items of which one is to be named. */
export const faults: Readonly<Record<Fault, readonly string[]>> = {
  "lost update": ["resources/Show/title", "resources/Show/note", "resources/Show/seats"],
  "double transition": ["states/Booking"],
  "duplicate create": ["resources/Show/code/rule unique, else taken"],
  "stale read": ["resources/Show/seats", "resources/Show/title", "resources/Show/note"],
  "over-sell": [
    `${BOOK}/step Require show.seats >= body.seats, else sold_out`,
    "resources/Show/seats",
  ],
  "too many of a kind": [
    "endpoints/POST /shows/{id}/wishes/step Require size(wishes) < 3, else too_many",
  ],
  "a number twice": ["resources/Booking/number"],
  "a key used twice": [`${BOOK}/idempotency key`],
};

interface Bounds {
  readonly requests?: number;
  readonly races?: number;
  readonly shrink?: number;
  then?(found: Verified, url: URL): Promise<void>;
}

/** Verifies a new office; `then` is done before it is stopped. */
export async function verified(
  seed: number,
  fault?: Fault,
  { requests = 120, races = 600, shrink = 0, then }: Bounds = {},
): Promise<Verified> {
  const served = await service(fault);
  try {
    const found = await verify(plan, served.url, {
      ...{ seed, tag: `r${seed}tag`, requestsMax: requests, secondsMax: 60, racesMax: races },
      ...{ shrinkMax: shrink, breaksMax: 25, occurring: occurrencesOf(checked.service) },
    });
    await then?.(found, served.url);
    return found;
  } finally {
    await served.stop();
  }
}
