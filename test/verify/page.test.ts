/** The page of a verification: whole in itself, escaped, read in a browser where there is one. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { lacuna } from "../cli/world.ts";
import { Browser, findChromium, type Tab } from "../export/html/browser.ts";
import { CONTRAST } from "../export/html/contrast.ts";
import { DOCUMENT, GIVEN, hostileService, SECRETS } from "./hostile.ts";

const place = mkdtempSync(join(tmpdir(), "lacuna-page-"));
const file = join(place, "page.html");
let html = "";

before(async () => {
  const document = join(place, "hostile.md");
  const given = join(place, "given.json");
  writeFileSync(document, DOCUMENT);
  writeFileSync(given, JSON.stringify(GIVEN));
  const service = await hostileService();
  const more = [
    "--given",
    given,
    "--requests",
    "12",
    "--shrink",
    "0",
    "--format",
    "html",
    "--output",
    file,
  ];
  const { code, out, err } = await lacuna(["verify", document, service.address, ...more]);
  service.stop();
  assert.equal(code, 1, err);
  assert.equal(out, "");
  html = readFileSync(file, "utf8");
});
after(() => rmSync(place, { recursive: true, force: true }));

test("the page runs its own script and style, and nothing else", () => {
  const [, policy = ""] = /Content-Security-Policy" content="([^"]*)"/.exec(html) ?? [];
  for (const tag of ["script", "style"]) {
    const own = [...html.matchAll(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, "g"))];
    assert.equal(own.length, 1, tag);
    const hash = createHash("sha256")
      .update(own[0]?.[1] ?? "")
      .digest("base64");
    assert.ok(policy.includes(`${tag}-src 'sha256-${hash}'`), tag);
  }
  const tags = html.match(/<[a-z][^>]*>/g) ?? [];
  for (const tag of tags) {
    assert.doesNotMatch(tag, /^<(?:img|iframe|link|b o)|\s(?:on\w+|style|src)=|href="(?!#)/);
  }
});

test("each link leads to a place, each place has a name of its own", () => {
  const ids = [...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
  assert.equal(new Set(ids).size, ids.length);
  const links = [...html.matchAll(/href="#([^"]*)"/g)].map(([, id]) => id);
  assert.ok(links.length > 20);
  for (const one of links) assert.ok(ids.includes(one), one);
});

test("the document's own lines stand in their order, each with what was found", () => {
  const lines = [...html.matchAll(/class="row (\S+?)(?: h)?" id="L(\d+)"/g)];
  assert.equal(lines.length, DOCUMENT.split("\n").length);
  assert.deepEqual(
    lines.map(([, , number]) => Number(number)),
    lines.map((_, i) => i + 1),
  );
  const [, verdict] = lines.find(([, , number]) => number === "63") ?? [];
  assert.equal(verdict, "v-not-reached");
});

test("no secret stands in the page", () => {
  for (const secret of [SECRETS[0], "pin_0123456789", "cookie_0123"]) {
    assert.ok(!html.includes(secret), secret);
  }
});

function looked(chromium: string): void {
  let browser: Browser;
  before(() => {
    browser = new Browser(chromium);
  });
  after(() => browser.close());

  async function at(
    width: number,
    theme: "light" | "dark",
    judge: (tab: Tab) => Promise<void>,
  ): Promise<void> {
    const tab = await browser.tab();
    await tab.size(width, theme);
    await tab.open(pathToFileURL(file).href);
    await judge(tab);
    assert.deepEqual(tab.requests.length, 1, "nothing is asked of a network");
    assert.deepEqual(tab.problems, []);
    await tab.close();
  }

  test("it does not scroll sideways, and can be read, light and dark", async () => {
    for (const [width, theme] of [
      [390, "light"],
      [1280, "light"],
      [1280, "dark"],
    ] as const) {
      await at(width, theme, async (tab) => {
        await tab.ask(`for (const one of document.querySelectorAll("details")) one.open = true`);
        const wide = await tab.ask<number>("document.documentElement.scrollWidth");
        assert.ok(wide <= width, `${wide} at ${width}`);
        const judged = await tab.ask<{ count: number; poor: string[] }>(CONTRAST);
        assert.ok(judged.count > 100);
        assert.deepEqual(judged.poor, [], theme);
      });
    }
  });

  test("choices hide lines without a script, and a link shows what they hide", async () => {
    await at(1280, "light", async (tab) => {
      const shown = (query: string): Promise<number> =>
        tab.ask(
          `[...document.querySelectorAll("${query}")].filter((one) => one.checkVisibility()).length`,
        );
      const all = await shown(".row");
      await tab.ask(`document.querySelector("#show-broken").checked = true`);
      const broken = await shown(".row");
      assert.ok(broken > 0 && broken < all);
      assert.equal(await shown(".row:not(.v-broken)"), 0);
      await tab.ask(`document.querySelector("#part-errors").checked = true`);
      assert.equal(await shown(".lines:not([data-part=errors]) .row"), 0);
      await tab.ask(`location.hash = "L3"; new Promise((done) => setTimeout(done, 50))`);
      assert.equal(await shown(".row"), all);
    });
  });
}

const chromium = findChromium();
if (chromium === undefined) test("Chromium not found, skipped", { skip: true }, () => {});
else describe("the page in a browser", () => looked(chromium));
