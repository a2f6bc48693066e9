/**
 * Services that others have written, and how they are run on this machine where somebody has put
 * them: a folder named by an environment variable. Nothing of them stands here.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { freePort, ROOT } from "../../peers/served.ts";

export interface Other {
  readonly name: string;
  /** Names the folder of the service, with what it needs installed. */
  readonly variable: string;
  readonly document: string;
  /** The document as it is about the service. */
  readonly edit?: (text: string) => string;
  /** Text of assumptions, and what only the operator knows. */
  readonly assumptions?: () => string;
  readonly settings?: Readonly<Record<string, string>>;
  /** How it is started in its folder, on 127.0.0.1 alone. */
  readonly start: (port: number) => {
    readonly command: string;
    readonly args: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
  };
}

type Changes = readonly (readonly [from: string, to: string])[];

function changed(text: string, changes: Changes): string {
  return changes.reduce((before, [from, to]) => {
    if (!before.includes(from)) throw new Error(`there is no: ${from}`);
    return before.replace(from, to);
  }, text);
}

/** What a slug is made of is the service's own: any text that no other article has. */
const [ID, NUMBER, SLUG] = [
  "| `id` | id | no | no | no | none |\n",
  "| `number` | integer | no | no | no | counts up from 1 |\n",
  "| `slug` | string | no | no | yes | unique, else not shown; starts: not shown |\n",
];
const withSlugs = (text: string): string =>
  changed(text, [[ID + NUMBER + SLUG, `${NUMBER}| \`slug\` | id | no | no | yes | none |\n`]]);

/** What the project's suites choose, but for what they leave to each service. */
function realworldAssumptions(): string {
  const own = readFileSync(join(ROOT, "examples/conduit/assumptions.md"), "utf8");
  return changed(own.replace(/^\| `slug` \|.*\n/m, ""), [
    ["in ascending order", "in any order"],
    [
      "When `body.article.title` is given, do nothing.",
      "When `body.article.title` is given, not shown.",
    ],
  ]);
}

const MANY = "100000";

export const others: readonly Other[] = [
  {
    name: "restful-booker",
    variable: "LACUNA_RESTFUL_BOOKER",
    document: "test/verify/others/booker.md",
    start: (port) => ({
      command: process.execPath,
      args: ["-e", `require("./app").listen(${port}, "127.0.0.1")`],
      env: { SEED: "true" },
    }),
  },
  {
    name: "realworld-fastapi",
    variable: "LACUNA_REALWORLD_FASTAPI",
    document: "examples/conduit/spec.md",
    edit: withSlugs,
    assumptions: realworldAssumptions,
    settings: { jwt_key: "a key of the tests of others, 32 bytes or more" },
    start: (port) => ({
      command: process.env["LACUNA_PYTHON"] ?? "python3",
      args: [
        ...["-m", "uvicorn", "realworld_dummy_server:app", "--host", "127.0.0.1"],
        ...["--port", String(port), "--log-level", "warning"],
      ],
      // Its sizes and its sessions are its own; the documents show no limits.
      env: {
        PATH_PREFIX: "/api",
        DISABLE_ISOLATION_MODE: "true",
        MAX_SESSIONS_PER_IP: MANY,
        MAX_USERS_PER_SESSION: MANY,
        MAX_ARTICLES_PER_SESSION: MANY,
        MAX_COMMENTS_PER_SESSION: MANY,
        MAX_FOLLOWS_PER_SESSION: MANY,
        MAX_FAVORITES_PER_SESSION: MANY,
      },
    }),
  },
];

interface Running {
  readonly address: string;
  stop(): Promise<void>;
}

const STARTS_WITHIN = 60_000;
const LOOKS_EVERY = 200;

/** Starts a service in its folder; rejects where it does not listen in time. */
export async function running({ start }: Other, folder: string): Promise<Running> {
  const port = await freePort();
  const { command, args, env = {} } = start(port);
  const options = { cwd: folder, env: { ...process.env, ...env }, stdio: "ignore" } as const;
  const child: ChildProcess = spawn(command, args, options);
  const ended = new Promise<void>((done) => child.once("exit", () => done()));
  child.once("error", () => {});
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.pid === undefined) return;
    child.kill("SIGTERM");
    await ended;
  };
  const address = `http://127.0.0.1:${port}`;
  for (const began = performance.now(); performance.now() - began < STARTS_WITHIN; ) {
    const answered = await fetch(address).then(
      () => true,
      () => false,
    );
    if (answered) return { address, stop };
    await wait(LOOKS_EVERY);
  }
  await stop();
  throw new Error(`${command} in ${folder} does not listen on ${address}`);
}
