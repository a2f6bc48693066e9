/** Runs the public suite of Todo-Backend in a headless browser against an address. */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { pathToFileURL } from "node:url";
import { type Outcome, skipped } from "./outcome.ts";
import { program, versionOf } from "./tools.ts";

const TIMEOUT_MS = 120_000;
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
};

/** What is used of the browser's driver. */
interface Route {
  request(): { url(): string };
  abort(): Promise<void>;
  continue(): Promise<void>;
}

interface Page {
  route(pattern: string, act: (route: Route) => Promise<void>): Promise<void>;
  goto(url: string): Promise<unknown>;
  waitForFunction(script: string, argument: undefined, options: { timeout: number }): Promise<void>;
  evaluate(script: string): Promise<unknown>;
}

interface Driver {
  readonly chromium: {
    launchPersistentContext(
      folder: string,
      options: object,
    ): Promise<{
      newPage(): Promise<Page>;
      close(): Promise<void>;
    }>;
  };
}

/** Serves the files of a folder on another port, so that the suite's requests cross origins. */
function pages(folder: string): Promise<Server> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const path = join(folder, normalize(pathname));
    if (!existsSync(path) || !statSync(path).isFile()) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "Content-Type": TYPES[extname(path)] ?? "application/octet-stream" });
    response.end(readFileSync(path));
  });
  return new Promise((done) => server.listen(0, "127.0.0.1", () => done(server)));
}

interface Seen {
  readonly passed: number;
  readonly all: number;
  readonly failed: readonly string[];
}

// The page's own global `runner` counts; its report shows the tests.
const ENDED = "typeof runner !== 'undefined' && Boolean(runner.stats?.end)";
const SEEN = `(() => {
  const titles = (kind) => [...document.querySelectorAll('.test.' + kind)].map((each) =>
    each.querySelector('h2').firstChild.textContent + ' ' +
      (each.querySelector('.error')?.textContent ?? ''));
  return { passed: runner.stats.passes, all: runner.total, failed: titles('fail') };
})()`;

async function watch(page: Page, url: string): Promise<Seen> {
  // The page shows a picture from elsewhere: nothing but this machine is asked.
  await page.route("**", (route) =>
    new URL(route.request().url()).hostname === "127.0.0.1" ? route.continue() : route.abort(),
  );
  await page.goto(url);
  await page.waitForFunction(ENDED, undefined, { timeout: TIMEOUT_MS });
  return (await page.evaluate(SEEN)) as Seen;
}

/** The suite in `folder` against the todos at `target`. */
export async function todoBackend(
  folder: string | undefined,
  target: string,
  packages: string,
): Promise<Outcome> {
  const suite = "Todo-Backend";
  if (folder === undefined || !existsSync(join(folder, "index.html"))) {
    return skipped(suite, "LACUNA_TODO_BACKEND names no folder with the suite, skipped");
  }
  const executablePath = program("LACUNA_CHROMIUM", "chromium", "chromium-browser");
  if (executablePath === undefined) return skipped(suite, "chromium not found, skipped");
  const { chromium } = (await import(
    pathToFileURL(join(packages, "playwright-core/index.mjs")).href
  )) as Driver;
  const server = await pages(folder);
  const profile = mkdtempSync(join(tmpdir(), "lacuna-browser-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    headless: true,
    args: FLAGS,
  });
  try {
    const { port } = server.address() as { port: number };
    const url = `http://127.0.0.1:${port}/index.html?${target}`;
    const { passed, all, failed } = await watch(await context.newPage(), url);
    return {
      suite: `${suite} (${versionOf(executablePath)})`,
      counts: [{ what: "checks", passed, all }],
      failures: failed,
    };
  } finally {
    await context.close();
    server.closeAllConnections();
    server.close();
    rmSync(profile, { recursive: true, force: true });
  }
}
