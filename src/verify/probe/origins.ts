/** Pages of other origins: those that may ask and others, before they ask and when they do. */
import { type Endpoint, statedOf } from "../../plan/index.ts";
import { isUnsendable } from "../generate/explore.ts";
import { requestTo } from "../generate/requests.ts";
import { type Fields, fieldOf, type Request } from "../world/message.ts";
import {
  ALLOW_HEADERS,
  listed,
  lower,
  REQUEST_HEADERS,
  REQUEST_METHOD,
  unstatedAmong,
} from "../world/origins.ts";
import type { Ran } from "../world/world.ts";
import { find, findLater, foreseen, isRight, type Probing } from "./probing.ts";

/** Of the origins that are named, and of the methods that need permission, so many are tried. */
const ORIGINS = 3;
const METHODS = 3;
const TRIES = 40;
/** A page that nobody has named. */
const STRANGER = "https://page.example";
/** A header that nobody has stated. */
const UNSTATED = "x-not-stated";
/** Methods that a page may use without asking before. */
const SIMPLE = new Set(["GET", "HEAD", "POST"]);
const NONE: ReadonlySet<string> = new Set();

/** Where a page asks, and by which method. */
interface Place {
  readonly path: string;
  readonly method: string;
}

/** Origins that a careless comparison takes for one that is named: it begins so, or ends so. */
function strangersOf(origins: readonly string[]): readonly string[] {
  const [first = ""] = origins;
  const url = URL.parse(first);
  const like = url?.host
    ? [`${url.hostname}.${new URL(STRANGER).host}`, `page-${url.host}`]
    : [new URL(STRANGER).host];
  const scheme = url?.host ? url.protocol : "https:";
  return like.map((host) => `${scheme}//${host}`).filter((one) => !origins.includes(one));
}

function preflight({ path, method }: Place, origin: string, headers: readonly string[]): Request {
  // Browsers ask in lower case and in order (Fetch, section 4.8).
  const names = headers.map((one) => one.toLowerCase()).toSorted();
  const asked: Fields = names.length === 0 ? [] : [[REQUEST_HEADERS, names.join(",")]];
  const fields: Fields = [["Origin", origin], [REQUEST_METHOD, method], ...asked];
  return { method: "OPTIONS", target: path, headers: fields };
}

/** One endpoint of each method, those that need permission first. */
function placesOf(run: Probing): readonly Place[] {
  const { endpoints } = run.session.judge.world.plan;
  const rank = ({ method }: Endpoint): number => (SIMPLE.has(method) ? 1 : 0);
  const methods = new Map<string, Place>();
  for (const endpoint of endpoints.toSorted((a, b) => rank(a) - rank(b))) {
    const { method } = endpoint;
    const isEnough = methods.size >= METHODS || (methods.size > 0 && SIMPLE.has(method));
    if (isEnough || methods.has(method)) continue;
    const path = pathTo(run, endpoint, method);
    if (path !== undefined) methods.set(method, { path, method });
  }
  return [...methods.values()];
}

/** A path of the endpoint at which the document says what a preflight is answered. */
function pathTo(run: Probing, endpoint: Endpoint, method: string): string | undefined {
  for (let i = 0; i < TRIES; i++) {
    const [path = ""] = requestTo(run.making(), endpoint).target.split("?");
    const request = preflight({ path, method }, STRANGER, []);
    if (isUnsendable(request, NONE)) continue;
    const crossing = foreseen(run, request)?.crossing;
    if (crossing?.isPreflight) return path;
  }
  return undefined;
}

/** Sends them until one is answered otherwise than the document states. */
async function sendAll(run: Probing, requests: readonly Request[]): Promise<void> {
  for (const request of requests) {
    if (foreseen(run, request) === undefined) continue;
    if (!(await isRight(run, request))) return;
  }
}

/** A header that an answer to a preflight names, though nothing states it. */
function unstatedNamed({ session }: Probing, stated: readonly string[]): readonly string[] {
  const named = session.exchanges
    .filter(({ judgement }) => judgement.ran.crossing?.isKnown)
    .flatMap(({ answer }) => lower(listed(fieldOf(answer.headers, ALLOW_HEADERS))));
  return unstatedAmong(named, stated)
    .filter((one) => one !== "*")
    .slice(0, 1);
}

/** Asks as pages of origins that are named, and of others. */
export async function probeOrigins(run: Probing): Promise<void> {
  const stated = statedOf(run.session.plan.about.crossOrigin);
  if (stated === undefined) return;
  const isEvery = stated.origins.includes("*");
  const known = isEvery ? [STRANGER] : stated.origins.slice(0, ORIGINS);
  const strangers = isEvery ? [] : strangersOf(stated.origins);
  const [first = STRANGER, ...others] = known;
  const places = placesOf(run);
  const [place] = places;
  const headers = stated.headers.filter((one) => one !== "*");
  const asking = (origin: string, more: readonly string[] = []): readonly Request[] =>
    place === undefined ? [] : [preflight(place, origin, [...headers, ...more])];
  await sendAll(run, [
    ...places.map((one) => preflight(one, first, headers)),
    ...[...others, ...strangers.slice(0, 1)].flatMap((one) => asking(one)),
  ]);
  // All of them at once a service may refuse for the sake of one.
  for (const one of [UNSTATED, ...unstatedNamed(run, stated.headers)]) {
    await sendAll(run, asking(first, [one]));
  }
  await probeAnswers(run, [...known, ...strangers]);
}

/** What pages get when they ask: an answer, and a refusal. */
async function probeAnswers(run: Probing, origins: readonly string[]): Promise<void> {
  const { endpoints, streams } = run.session.judge.world.plan;
  // What opens a stream goes on when it is answered.
  const opening = new Set(streams.map(({ id }) => id));
  const reading = endpoints.filter(({ id, method }) => method === "GET" && !opening.has(id));
  const sought = { endpoints: reading.length > 0 ? reading : endpoints, tries: TRIES };
  const isGood = ({ outcome }: Ran): boolean => outcome.response.status < 300;
  const found =
    (await findLater(run, { ...sought, fits: isGood })) ??
    find(run, { ...sought, fits: () => true });
  if (found === undefined || run.isOver) return;
  const of = (request: Request, origin: string): Request => {
    const headers = request.headers.filter(([name]) => name.toLowerCase() !== "origin");
    return { ...request, headers: [...headers, ["Origin", origin]] };
  };
  const { request } = found;
  const nowhere = { ...request, target: `${request.target.split("?")[0]}/nowhere` };
  const refused = { ...nowhere, method: "GET", body: undefined };
  await sendAll(run, [
    ...origins.map((one) => of(request, one)),
    ...origins.slice(0, 1).map((one) => of(refused, one)),
  ]);
}
