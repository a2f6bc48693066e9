/**
 * `npm run test:peers`: what others wrote to judge such services, run as published against the
 * examples. What is not there is skipped by name. Ends with 1 where a suite fails.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { generated } from "./generated.ts";
import { github, githubSettings } from "./github.ts";
import { failed, lines, type Outcome, skipped } from "./outcome.ts";
import { hurl, postman } from "./realworld.ts";
import { freePort, ROOT, served } from "./served.ts";
import { stripe } from "./stripe.ts";
import { todoBackend } from "./todo-backend.ts";
import { packages } from "./tools.ts";

const CORPORA = process.env["LACUNA_CORPORA"] ?? join(ROOT, "../shared/corpora");

/** Each suite gets a service and a database of its own. */
async function onConduit(run: (address: string) => Promise<Outcome>): Promise<Outcome> {
  const service = await served({
    args: ["examples/conduit/spec.md", "--assume", "examples/conduit/assumptions.md"],
    settings: { jwt_key: "a key of the peers' tests, 32 bytes or more" },
  });
  try {
    return await run(service.address);
  } finally {
    await service.stop();
  }
}

async function onTodoBackend(installed: string): Promise<Outcome> {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const service = await served({
    args: ["examples/todo-backend/spec.md"],
    port,
    settings: { public_url: address },
  });
  try {
    const folder = process.argv[2] ?? process.env["LACUNA_TODO_BACKEND"];
    return await todoBackend(folder, `${address}/todos`, installed);
  } finally {
    await service.stop();
  }
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
  const service = await served({
    args: ["examples/stripe/spec.md", "--rows", rows, "--stand-in", "--allow-private-receivers"],
  });
  try {
    return await stripe(installed, service.address);
  } finally {
    await service.stop();
  }
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
  const service = await served({
    args: ["examples/github/spec.md", "--rows", "examples/github/rows.json"],
    port,
    settings: githubSettings(address),
  });
  try {
    return await github(installed, service.address);
  } finally {
    await service.stop();
  }
}

async function code(): Promise<Outcome> {
  const installed = packages();
  return "missing" in installed
    ? skipped("GitHub, official client", installed.missing)
    : onGithub(installed.folder);
}

const hurlFiles = process.env["LACUNA_REALWORLD_HURL"];
const suites: readonly (readonly [name: string, run: () => Promise<Outcome>])[] = [
  ["RealWorld, Postman collection", classic],
  ["RealWorld, Hurl files", () => onConduit((address) => hurl(hurlFiles, address))],
  ["RealWorld by openapi-fetch, from the export", () => generated(onConduit)],
  ["Todo-Backend", todos],
  ["Stripe, official client", payments],
  ["GitHub, official client", code],
];
const only = process.env["SUITE"];
for (const [name, run] of suites) {
  if (only !== undefined && !name.startsWith(only)) continue;
  const outcome = await settled(name, run);
  process.stdout.write(lines(outcome));
  if (failed(outcome)) process.exitCode = 1;
}
