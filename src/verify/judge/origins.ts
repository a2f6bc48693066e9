/** What answers tell pages of other origins, judged by what a browser makes of it (Fetch, 3.3). */
import type { Response } from "../../run/index.ts";
import { type Answer, fieldOf, headersOf, type Request } from "../world/message.ts";
import {
  ALLOW_CREDENTIALS,
  ALLOW_HEADERS,
  ALLOW_METHODS,
  ALLOW_ORIGIN,
  EXPOSE_HEADERS,
  FREELY_SENT,
  listed,
  lower,
  MAX_AGE,
  type Page,
  pageOf,
  unstatedAmong,
} from "../world/origins.ts";
import type { Ran } from "../world/world.ts";
import { type Compared, compare, type Difference, type Loose, TIGHT } from "./compare.ts";
import { statedIn } from "./stated.ts";

/** Methods that a page may use without being permitted to; OPTIONS is no method of a document. */
const FREE_METHODS = new Set(["GET", "HEAD", "POST", "OPTIONS"]);
/** Headers of answers that each page may read. */
const FREELY_READ = new Set([
  ...["cache-control", "content-language", "content-length", "content-type"],
  ...["expires", "last-modified", "pragma"],
]);

const isSuccess = ({ status }: Pick<Answer, "status">): boolean => status >= 200 && status < 300;

/** What a browser has before it when it reads one of the fields. */
interface Reading {
  readonly page: Page;
  /** An asterisk stands for all names. */
  readonly isEvery: boolean;
}

/** Judges one field; `expected`: undefined where nothing is to be permitted. */
type Judging = (
  expected: string | undefined,
  observed: string | undefined,
  reading: Reading,
) => boolean;

const allowsOrigin: Judging = (expected, observed, { page: { origin } }) => {
  if (expected === undefined) return observed !== "*" && observed !== origin;
  return observed === expected || (expected === "*" && observed === origin);
};

const allowsMethods: Judging = (expected, observed, { isEvery }) => {
  const named = listed(observed);
  const isFree = (one: string): boolean => FREE_METHODS.has(one) || named.includes(one);
  return (isEvery && named.includes("*")) || listed(expected).every(isFree);
};

const allowsHeaders: Judging = (expected, observed, { page, isEvery }) => {
  const [stated, named] = [lower(listed(expected)), lower(listed(observed))];
  const isAny = isEvery && named.includes("*");
  // An asterisk never stands for credentials.
  const isAllowed = (one: string): boolean =>
    named.includes(one) || (isAny && one !== "authorization");
  const asked = page.headers.filter((one) => stated.includes(one) && !FREELY_SENT.has(one));
  return asked.every(isAllowed) && !unstatedAmong(page.headers, stated).some(isAllowed);
};

const exposesHeaders: Judging = (expected, observed) => {
  const own = (text: string | undefined): ReadonlySet<string> =>
    new Set(lower(listed(text)).filter((one) => !FREELY_READ.has(one)));
  const [stated, shown] = [own(expected), own(observed)];
  return (
    stated.has("*") || (stated.size === shown.size && [...shown].every((one) => stated.has(one)))
  );
};

const FIELDS: ReadonlyMap<string, Judging> = new Map<string, Judging>([
  [ALLOW_ORIGIN, allowsOrigin],
  [ALLOW_CREDENTIALS, (expected, observed) => (expected === "true") === (observed === "true")],
  [ALLOW_METHODS, allowsMethods],
  [ALLOW_HEADERS, allowsHeaders],
  [MAX_AGE, (expected, observed = "") => /^\d+$/.test(observed) && +observed === Number(expected)],
  [EXPOSE_HEADERS, exposesHeaders],
]);

function isRight(name: string, expected: string | undefined, page: Page, answer: Answer): boolean {
  const { headers } = answer;
  // Where pages ask with credentials, an asterisk is a name like any other.
  const isEvery = fieldOf(headers, ALLOW_CREDENTIALS) !== "true";
  return FIELDS.get(name)?.(expected, fieldOf(headers, name), { page, isEvery }) === true;
}

/** Whether a field of an answer means to a page what was expected; undefined: it is none for it. */
export function meansSame(
  name: string,
  expected: string | undefined,
  { request, answer }: { readonly request: Request; readonly answer: Answer },
): boolean | undefined {
  const page = pageOf(headersOf(request));
  return page && FIELDS.has(name) ? isRight(name, expected, page, answer) : undefined;
}

/** What the answer tells a page otherwise than the document states. */
function crossed({ crossing, outcome: { response } }: Ran, answer: Answer): readonly Difference[] {
  if (crossing === undefined) return [];
  const { item, page, isKnown, isPreflight, mayFail, permits } = crossing;
  if (isPreflight && !isSuccess(answer)) {
    const [expected, observed] = [String(response.status), String(answer.status)];
    return mayFail ? [] : [{ in: "status", where: ["status"], expected, observed, item }];
  }
  // A preflight that is refused need not tell what would have been permitted.
  if (isKnown && mayFail && !isRight(ALLOW_ORIGIN, "*", page, answer)) return [];
  const own = isPreflight ? [] : lower(response.headers.map(([name]) => name));
  return permits.flatMap(([name, expected]): Difference[] => {
    // What a step states by itself is judged as any other header is.
    if (own.includes(name.toLowerCase()) || isRight(name, expected, page, answer)) return [];
    const observed = fieldOf(answer.headers, name);
    return [{ in: "header", where: [name], expected, observed, item }];
  });
}

/** Compares an answer with all that the request comes to, what it is to tell a page among it. */
export function compareAll(ran: Ran, answer: Answer, loose: Loose = TIGHT): Compared {
  const { differences, known } = compare(statedIn(ran, answer), answer, loose);
  return { differences: [...differences, ...crossed(ran, answer)], known };
}

/** What is told to be expected in place of an answer. */
export function expectedOf(ran: Ran, answer: Answer): Response {
  const { crossing, outcome } = ran;
  if (crossing === undefined) return outcome.response;
  const { isPreflight, mayFail, permits } = crossing;
  const isOpen = isPreflight && (mayFail || isSuccess(answer));
  const response = isOpen ? statedIn(ran, answer) : outcome.response;
  const told = permits.flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return { ...response, headers: [...response.headers, ...told] };
}
