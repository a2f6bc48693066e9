/** Versions that are chosen by a header or a query: right, wrong, absent; and what will go. */
import { endingsOf, statedOf } from "../../plan/index.ts";
import type { Request } from "../world/message.ts";
import { findLater, foreseen, isRight, type Probing } from "./probing.ts";

/** Endpoints at which versions are tried. */
const ENDPOINTS = 3;
const TRIES = 40;

type Choice = { readonly by: "path" | "header" | "query"; readonly name: string };

/** The request with these versions in place of its own. */
function choosing(request: Request, { by, name }: Choice, versions: readonly string[]): Request {
  if (by === "header") {
    const others = request.headers.filter(([one]) => one.toLowerCase() !== name.toLowerCase());
    return { ...request, headers: [...others, ...versions.map((one) => [name, one] as const)] };
  }
  const [path = "", query = ""] = request.target.split("?");
  const others = query.split("&").filter((one) => one !== "" && !one.startsWith(`${name}=`));
  const pairs = [...others, ...versions.map((one) => `${name}=${encodeURIComponent(one)}`)];
  return { ...request, target: pairs.length === 0 ? path : `${path}?${pairs.join("&")}` };
}

/** Asks for this version, for others and for none. */
export async function probeVersions(run: Probing): Promise<void> {
  const { endpoints, versioning } = run.session.plan;
  const choice = statedOf(versioning.chosenBy);
  const version = statedOf(versioning.version);
  if (choice === undefined || choice.by === "path" || version === undefined) return;
  const twice = choice.by === "header" ? [[version, `${version}0`]] : [];
  const all = [[version], [`${version}0`], ["none"], [], ...twice];
  let count = 0;
  for (const endpoint of endpoints) {
    const found = await findLater(run, {
      endpoints: [endpoint],
      tries: TRIES,
      fits: ({ outcome }) => outcome.response.status < 300,
    });
    if (found === undefined || run.isOver) continue;
    for (const versions of all) {
      const request = choosing(found.request, choice, versions);
      if (foreseen(run, request) === undefined) continue;
      if (!(await isRight(run, request))) return;
    }
    if (++count === ENDPOINTS) return;
  }
}

/** Asks each endpoint that will go: its answers tell when. */
export async function probeEnds(run: Probing): Promise<void> {
  const { endpoints, versioning } = run.session.plan;
  for (const endpoint of endpoints) {
    if (run.isOver || run.requestsLeft <= 0) return;
    const name = endpoint.id.slice(endpoint.id.indexOf("/") + 1);
    if (endingsOf(versioning, name).length === 0) continue;
    const found = await findLater(run, { endpoints: [endpoint], tries: TRIES, fits: () => true });
    if (found !== undefined) await isRight(run, found.request);
  }
}
