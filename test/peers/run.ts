/**
 * `npm run test:peers`: what others wrote to judge such services, run as published against the
 * examples. What is not there is skipped by name. Ends with 1 where a suite fails.
 * PROXY=fresh, or PROXY=past: the same through `lacuna proxy`, which is told that the service has no
 * data yet, or is not told; what it calls broken fails the suite.
 * PEERS_STORE=postgres://...: the services keep their data there. REACHED names a file to which
 * the items are written that each suite has reached.
 */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lacuna } from "../cli/world.ts";
import { type Example, examples } from "../export/examples.ts";
import { generated } from "./generated.ts";
import { github, githubSettings } from "./github.ts";
import { failed, lines, type Outcome, skipped } from "./outcome.ts";
import { proxied, type Reached } from "./proxied.ts";
import { reachedPage } from "./reached.ts";
import { hurl, postman } from "./realworld.ts";
import { freePort, ROOT, type Serving, served } from "./served.ts";
import { stripe } from "./stripe.ts";
import { todoBackend } from "./todo-backend.ts";
import { packages } from "./tools.ts";

/** So much of what the proxy calls broken is told. */
const BROKEN_SHOWN = 2_000;
const CORPORA = process.env["LACUNA_CORPORA"] ?? join(ROOT, "../shared/corpora");

const PROXY = process.env["PROXY"];
const reached: (Reached & { readonly suite: string })[] = [];

/** Runs a suite on a service and a database of its own; through the proxy, where that is wished. */
async function on(serving: Serving, run: (address: string) => Promise<Outcome>): Promise<Outcome> {
  if (PROXY === undefined) {
    const service = await served(serving);
    try {
      return await run(service.address);
    } finally {
      await service.stop();
    }
  }
  const service = await proxied(serving, PROXY === "fresh");
  let outcome: Outcome | undefined;
  try {
    outcome = await run(service.address);
  } finally {
    if (outcome === undefined) await service.stop();
  }
  const found = await service.found();
  reached.push({ ...found, suite: outcome.suite });
  process.stdout.write(`${outcome.suite}, by the proxy: ${found.tally}\n`);
  const broken = found.broken.map((one) => `broken: ${JSON.stringify(one).slice(0, BROKEN_SHOWN)}`);
  return { ...outcome, failures: [...(outcome.failures ?? []), ...broken] };
}

function onConduit(run: (address: string) => Promise<Outcome>): Promise<Outcome> {
  const serving = {
    args: ["examples/conduit/spec.md", "--assume", "examples/conduit/assumptions.md"],
    settings: { jwt_key: "a key of the peers' tests, 32 bytes or more" },
  };
  return on(serving, run);
}

async function onTodoBackend(installed: string): Promise<Outcome> {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const folder = process.argv[2] ?? process.env["LACUNA_TODO_BACKEND"];
  const settings = { public_url: address };
  return on({ args: ["examples/todo-backend/spec.md"], port, settings }, () =>
    todoBackend(folder, `${address}/todos`, installed),
  );
}

/** An outcome whatever happens: a service that does not start has failed its suite. */
async function settled(suite: string, run: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await run();
  } catch (fault) {
    return { suite, counts: [], failures: [String(fault)] };
  }
}

async function classic(): Promise<Outcome> {
  const suite = "RealWorld, Postman collection";
  if (!existsSync(CORPORA)) return skipped(suite, `${CORPORA} not found, skipped`);
  const installed = packages();
  if ("missing" in installed) return skipped(suite, installed.missing);
  return onConduit((address) => postman(CORPORA, address, installed.folder));
}

async function todos(): Promise<Outcome> {
  const installed = packages();
  return "missing" in installed
    ? skipped("Todo-Backend", installed.missing)
    : onTodoBackend(installed.folder);
}

async function onStripe(installed: string): Promise<Outcome> {
  const rows = "examples/stripe/rows.json";
  const options = ["--rows", rows, "--stand-in", "--allow-private-receivers"];
  return on({ args: ["examples/stripe/spec.md", ...options] }, (address) =>
    stripe(installed, address),
  );
}

async function payments(): Promise<Outcome> {
  const installed = packages();
  return "missing" in installed
    ? skipped("Stripe, official client", installed.missing)
    : onStripe(installed.folder);
}

async function onGithub(installed: string): Promise<Outcome> {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const args = ["examples/github/spec.md", "--rows", "examples/github/rows.json"];
  return on({ args, port, settings: githubSettings(address) }, (at) => github(installed, at));
}

async function code(): Promise<Outcome> {
  const installed = packages();
  return "missing" in installed
    ? skipped("GitHub, official client", installed.missing)
    : onGithub(installed.folder);
}

/** The examples that stand in a document, asked of its own service through the proxy. */
function own({ name, file = `examples/${name}/spec.md`, args = [], settings }: Example) {
  const suite = `Examples in ${file}`;
  const serving = { args: [file, ...args], ...(settings === undefined ? {} : { settings }) };
  return on(serving, async (address) => {
    const { out, err } = await lacuna([
      "try",
      join(ROOT, file),
      ...assumed(args),
      "--url",
      address,
      "--format",
      "json",
    ]);
    if (out === "") return skipped(suite, err.trim());
    const { examples: all } = JSON.parse(out) as { examples: { exchanges?: number }[] };
    if (all.length === 0) return skipped(suite, "the document has no examples");
    const asked = all.filter(({ exchanges }) => exchanges !== undefined).length;
    return { suite, counts: [{ what: "examples asked", passed: asked, all: asked }] };
  });
}

function assumed(args: readonly string[]): readonly string[] {
  const at = args.indexOf("--assume");
  return at < 0 ? [] : ["--assume", join(ROOT, args[at + 1] ?? "")];
}

const hurlFiles = process.env["LACUNA_REALWORLD_HURL"];
const suites: readonly (readonly [name: string, run: () => Promise<Outcome>])[] = [
  ["RealWorld, Postman collection", classic],
  ["RealWorld, Hurl files", () => onConduit((address) => hurl(hurlFiles, address))],
  ["RealWorld by openapi-fetch, from the export", () => generated(onConduit)],
  ["Todo-Backend", todos],
  ["Stripe, official client", payments],
  ["GitHub, official client", code],
  // Without the proxy, `npm test` runs them.
  ...(PROXY === undefined ? [] : examples).map(
    (one) => [`Examples of ${one.name}`, () => own(one)] as const,
  ),
];
const only = process.env["SUITE"];
for (const [name, run] of suites) {
  if (only !== undefined && !name.startsWith(only)) continue;
  const outcome = await settled(name, run);
  process.stdout.write(lines(outcome));
  if (failed(outcome)) process.exitCode = 1;
}
const page = process.env["REACHED"];
if (page !== undefined) writeFileSync(page, reachedPage(reached));
