/** The page in a browser: read at any width, light and dark, by keyboard, by search, on paper. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { exporters } from "../../../src/export/index.ts";
import { exportableOf } from "../exported.ts";
import { Browser, findChromium, type Tab } from "./browser.ts";
import { CONTRAST } from "./contrast.ts";
import { documents, HOSTILE } from "./documents.ts";

const chromium = findChromium();
const folder = mkdtempSync(join(tmpdir(), "lacuna-html-"));
const urls = new Map<string, string>();

function write(name: string, file: string, bytes?: Uint8Array): void {
  const path = join(folder, `${name}.html`);
  const from = exportableOf(file, bytes);
  writeFileSync(path, exporters["html"]?.(from, { openapi: "3.1" }) ?? "");
  urls.set(name, pathToFileURL(path).href);
}

const urlOf = (name: string): string => urls.get(name) ?? assert.fail(name);

let browser: Browser;

/** A page at a width, closed again when it has been judged. */
async function at(
  name: string,
  width: number,
  judge: (tab: Tab) => Promise<void>,
  theme: "light" | "dark" = "light",
): Promise<void> {
  const tab = await browser.tab();
  await tab.size(width, theme);
  await tab.open(urlOf(name));
  await judge(tab);
  const own = tab.requests.filter((one) => !one.startsWith(pathToFileURL(folder).href));
  assert.deepEqual(own, [], "nothing is asked of a network");
  assert.deepEqual(tab.problems, [], "no error in the page");
  await tab.close();
}

/** What a script of the page shows in its next frame. */
const frame = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))";

function looked(found: string): void {
  before(() => {
    for (const file of documents) write(basename(dirname(file)), file);
    write("hostile", "hostile.md", Buffer.from(HOSTILE));
    browser = new Browser(found);
  });
  after(async () => {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test("no page scrolls sideways at 360, 768 or 1280 pixels", async () => {
    for (const name of urls.keys()) {
      await at(name, 360, async (tab) => {
        for (const width of [360, 768, 1280]) {
          await tab.size(width);
          const shown = await tab.ask("innerWidth");
          const wide = await tab.ask<number>("document.documentElement.scrollWidth");
          assert.ok(shown === width && wide <= width, `${name} at ${width}: ${wide}`);
        }
      });
    }
  });

  test("all text has a contrast of 4.5, or 3 where it is large", async () => {
    for (const name of ["orders", "blank", "stripe"]) {
      for (const theme of ["light", "dark"] as const) {
        await at(
          name,
          1280,
          async (tab) => {
            await tab.ask(`location.hash = "endpoints"`);
            await tab.ask(`document.querySelector("#search").focus()`);
            await tab.write("not");
            await tab.press("ArrowDown");
            await tab.ask(frame);
            const judged = await tab.ask<{ count: number; poor: string[] }>(CONTRAST);
            assert.ok(judged.count > 100, `${judged.count} texts`);
            assert.deepEqual(judged.poor, [], `${name}, ${theme}`);
          },
          theme,
        );
      }
    }
  });

  test("the page follows the system, and the switch changes it", async () => {
    const dark = `(() => {
      const [r, g, b] = getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number);
      return [r + g + b < 200, document.querySelector("#theme").getAttribute("aria-checked")];
    })()`;
    for (const theme of ["light", "dark"] as const) {
      const tab = await browser.tab();
      await tab.size(1280, theme);
      await tab.open(urlOf("blank"));
      await tab.ask("localStorage.clear()");
      await tab.open(urlOf("blank"));
      const isDark = theme === "dark";
      assert.deepEqual(await tab.ask(dark), [isDark, String(isDark)]);
      await tab.ask(`document.querySelector("#theme").focus()`);
      await tab.press(" ", " ");
      assert.deepEqual(await tab.ask(dark), [!isDark, String(!isDark)]);
      await tab.open(urlOf("blank"));
      assert.deepEqual(await tab.ask(dark), [!isDark, String(!isDark)], "it is kept");
      await tab.ask("localStorage.clear()");
      await tab.close();
    }
  });

  test("a key opens search, which finds names, paths and text", async () => {
    const first = `document.querySelector("#found [role=option]")?.dataset.to`;
    const cases = [
      ["not_found", "error-not_found"],
      ["/orders/{id}/payment", "endpoints-post-orders-id-payment"],
      ["shipped", "state-order-shipped"],
      ["thirty minutes", "L8"],
    ] as const;
    for (const width of [360, 1280]) {
      await at("orders", width, async (tab) => {
        for (const [words, place] of cases) {
          await tab.press("/", "/");
          assert.equal(await tab.ask("document.activeElement.id"), "search");
          await tab.write(words);
          await tab.ask(frame);
          assert.equal(await tab.ask(first), place, words);
          await tab.press("ArrowDown");
          await tab.press("Enter");
          await tab.ask(frame);
          assert.equal(await tab.ask("decodeURIComponent(location.hash)"), `#${place}`);
          assert.equal(await tab.ask("document.activeElement.id"), place, "the focus goes there");
        }
        await tab.press("/", "/");
        await tab.write("nothing has this name");
        assert.equal(await tab.ask(`document.querySelector("#said").textContent`), "Nothing found");
        await tab.press("Escape");
        assert.equal(await tab.ask(`document.querySelector("#found").hidden`), true);
      });
    }
  });

  test("Tab reaches all that can be used, and shows where it is", async () => {
    for (const width of [360, 1280]) {
      await at("todo", width, async (tab) => {
        const count = await tab.ask<number>(`(() => {
          window.wanted = [...document.querySelectorAll(
            "a[href], button, input, summary, [tabindex='0']")]
            .filter((one) => one.checkVisibility() && one.tabIndex >= 0);
          window.seen = new Set();
          window.unseen = new Set();
          addEventListener("focusin", ({ target }) => {
            seen.add(target);
            const { outlineStyle, outlineWidth } = getComputedStyle(target);
            if (outlineStyle === "none" || parseFloat(outlineWidth) < 2) unseen.add(target.outerHTML);
          });
          return wanted.length;
        })()`);
        assert.ok(count > 30, `${count} places`);
        for (let i = 0; i <= count; i++) await tab.press("Tab");
        const left = await tab.ask(
          "wanted.filter((one) => !seen.has(one)).map((one) => one.outerHTML)",
        );
        assert.deepEqual(left, []);
        assert.deepEqual(await tab.ask("[...unseen]"), []);
      });
    }
  });

  test("what scrolls in itself can be reached by keyboard, and nothing else can", async () => {
    await at("orders", 360, async (tab) => {
      const judged = await tab.ask<[number, number]>(`(() => {
        const all = [...document.querySelectorAll(".scroll, pre")];
        const over = all.filter((one) => one.scrollWidth > one.clientWidth + 1);
        return [over.length, all.filter((one) => over.includes(one) !== (one.tabIndex === 0)).length];
      })()`);
      assert.ok(judged[0] > 3);
      assert.equal(judged[1], 0);
    });
  });

  test("a link leads to an endpoint, below the bar", async () => {
    const tab = await browser.tab();
    await tab.size(1280);
    await tab.open(`${urlOf("orders")}#endpoints-post-orders`);
    await tab.ask(frame);
    const top = await tab.ask<number>(
      `document.querySelector("#endpoints-post-orders h3").getBoundingClientRect().top`,
    );
    assert.ok(top >= 56 && top < 300, `${top}`);
    const current = `document.querySelector(".side [aria-current]").textContent`;
    assert.equal(await tab.ask(current), "POST /orders");
    await tab.close();
  });

  test("without scripts the page is whole", async () => {
    const tab = await browser.tab(false);
    await tab.size(360);
    await tab.open(urlOf("orders"));
    const { root } = (await tab.send("DOM.getDocument", { depth: 0 })) as {
      root: { nodeId: number };
    };
    const nodeOf = async (selector: string): Promise<number> => {
      const asked = { nodeId: root.nodeId, selector };
      return ((await tab.send("DOM.querySelector", asked)) as { nodeId: number }).nodeId;
    };
    const heightOf = async (selector: string): Promise<number> => {
      const nodeId = await nodeOf(selector);
      const { model } = (await tab.send("DOM.getBoxModel", { nodeId })) as {
        model: { height: number };
      };
      return model.height;
    };
    assert.ok((await heightOf("#contents")) > 400, "contents are open");
    assert.ok((await heightOf("#errors table")) > 400);
    assert.ok((await heightOf("#states-order svg")) > 200);
    await assert.rejects(heightOf("#search"), "what needs a script is not shown");
    await assert.rejects(heightOf("#theme"));
    await tab.close();
  });

  test("on paper nothing is cut off, and there is no bar", async () => {
    await at("orders", 700, async (tab) => {
      await tab.send("Emulation.setEmulatedMedia", { media: "print" });
      const shown = (one: string): string => `document.querySelector("${one}").checkVisibility()`;
      assert.equal(await tab.ask(shown(".bar")), false);
      assert.equal(await tab.ask(shown(".side")), false);
      const cut = await tab.ask<number>(`[...document.querySelectorAll(".scroll, pre")]
        .filter((one) => getComputedStyle(one).overflowX !== "visible").length`);
      assert.equal(cut, 0);
      const { data } = (await tab.send("Page.printToPDF", { preferCSSPageSize: true })) as {
        data: string;
      };
      assert.equal(Buffer.from(data, "base64").subarray(0, 5).toString(), "%PDF-");
    });
  });

  test("a hostile document runs nothing of its own", async () => {
    await at("hostile", 1280, async (tab) => {
      assert.equal(await tab.ask("document.scripts.length"), 1);
      assert.equal(await tab.ask(`document.querySelectorAll("img, iframe, b[onload]").length`), 0);
    });
  });

  test("the page of a large document opens at once", async () => {
    await at("stripe", 1280, async (tab) => {
      const took = `performance.getEntriesByType("navigation")[0].loadEventEnd`;
      assert.ok((await tab.ask<number>(took)) < 3000);
    });
  });
}

if (chromium === undefined) test("Chromium not found, skipped", { skip: true }, () => {});
else describe("the page in a browser", () => looked(chromium));
