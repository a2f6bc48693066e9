/** The questions to the author, and the lines behind an answer. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { plan } from "../../src/check/index.ts";
import { facetQuestions } from "../../src/cli/ask/facets.ts";
import { askedBy } from "../../src/cli/ask/phrase.ts";
import { checkBytes } from "../../src/cli/pipeline.ts";
import { sampleRequest } from "../../src/cli/sample.ts";
import { parts } from "../../src/language/index.ts";
import { lacuna } from "./world.ts";

const root = join(import.meta.dirname, "../..");
const fileOf = (name: string): string => join(root, `examples/${name}/spec.md`);
const names = ["blank", "todo", "todo-backend", "orders", "conduit", "bank", "payments"];

test("each facet has its question", () => {
  const facets = parts.flatMap((part) => part.facets.map((each) => `${part.id}/${each.name}`));
  assert.deepEqual(Object.keys(facetQuestions), facets);
});

test("every gap of the examples is asked for once, as a question, with its place", async () => {
  for (const name of names) {
    const file = fileOf(name);
    const { gaps } = checkBytes(readFileSync(file));
    const { out, code } = await lacuna(["ask", file]);
    assert.equal(code, 0);
    const questions = [...out.matchAll(/^\d+\. (?:`[^`]*`: )?\*\*(.*)\*\*$/gm)];
    assert.equal(questions.length, gaps.length, name);
    for (const [, asks] of questions) assert.match(asks ?? "", /\?$/);
    for (const gap of gaps) {
      assert.match(askedBy(gap).blocks, /^(every|nothing|the|that|a|an) ?/, gap.id);
    }
    for (const [, line, source] of out.matchAll(/:(\d+):\d+`: `+ ?(.{3,20})/g)) {
      const written = readFileSync(file, "utf8").split("\n")[Number(line) - 1] ?? "";
      assert.ok(written.includes((source ?? "").replace(/`+$/, "").trim()), `${line}: ${source}`);
    }
  }
});

test("within a part the most blocking come first", async () => {
  const { out } = await lacuna(["ask", fileOf("conduit")]);
  for (const section of out.split(/^## /m).slice(1)) {
    const blocks = [...section.matchAll(/- Blocks (\w+)/g)].map(([, word]) => word === "nothing");
    assert.deepEqual(
      blocks,
      blocks.toSorted((a, b) => Number(a) - Number(b)),
      section,
    );
  }
});

test("a complete document has no question", async () => {
  const { out } = await lacuna(["ask", fileOf("todo")]);
  assert.match(out, /None: everything is said\.\n$/);
});

test("a condition that is not shown is asked for by its own words", async () => {
  const { out } = await lacuna(["ask", fileOf("conduit")]);
  assert.match(out, /`GET \/tags`: \*\*What happens when `size\(tags\) > 1`\?\*\*/);
  assert.match(out, /\*\*No endpoint has this path\. What does the request get\?\*\*/);
});

/** Source lines that `why` shows below a heading. */
function chapter(out: string, title: string): string[] {
  const [, body = ""] = out.split(`\n${title}\n`);
  return (body.split("\n\n")[0] ?? "").split("\n").map((line) => line.replace(/^ +\S+ +/, ""));
}

test("why: the lines of an endpoint, in the order in which they act", async () => {
  const { out, code } = await lacuna(["why", fileOf("todo"), "POST /todos/{id}/finish"], {
    columns: 200,
  });
  assert.equal(code, 0);
  const way = chapter(out, "On the way");
  assert.deepEqual(way.slice(0, 2), [
    "1. Check the limits, the inputs and the paths.",
    "1. Fire `finish` on `todo`.",
  ]);
  assert.match(way[2] ?? "", /^\| `finish` \| `open` \| `done`/);
  const ends = chapter(out, "What ends it");
  assert.ok(ends.some((line) => line.startsWith("2. Respond 200")));
  const rest = chapter(out, "What that rests on");
  assert.ok(rest.includes("- Base path: none"));
  assert.ok(chapter(out, "Errors").some((line) => line.startsWith("| `already_done` | 409")));
  assert.ok(chapter(out, "What is sent").some((line) => line.startsWith("### `Problem`")));
  for (const [, line, source] of out.matchAll(/spec\.md:(\d+) +(.+)$/gm)) {
    const written = readFileSync(fileOf("todo"), "utf8").split("\n")[Number(line) - 1]?.trim();
    assert.equal(source, written);
  }
});

test("why with a status: only what ends in it", async () => {
  const { out } = await lacuna(["why", fileOf("todo"), "PATCH /todos/{id}", "409"], {
    columns: 200,
  });
  assert.deepEqual(chapter(out, "Ends in 409"), [
    '1. Require `todo.status == "open"`, else `already_done`.',
  ]);
  assert.ok(chapter(out, "Errors").some((line) => line.startsWith("| `already_done` | 409")));
  const none = await lacuna(["why", fileOf("todo"), "GET /todos", "418"]);
  assert.deepEqual([none.code, none.out], [1, ""]);
  assert.match(none.err, /ends in 418\. It can end in 200, 400/);
});

test("why with a status: the checks and steps on the way, and what they look at", async () => {
  const to = async (name: string, endpoint: string, status: string) =>
    (await lacuna(["why", fileOf(name), endpoint, status], { columns: 400 })).out;
  const deep = await to("todo", "PATCH /todos/{id}", "200");
  assert.deepEqual(chapter(deep, "On the way"), [
    "1. Check the limits, the inputs and the paths.",
    '1. Require `todo.status == "open"`, else `already_done`.',
    "2. Set `todo` from `body`, given members only.",
  ]);
  const early = await to("conduit", "PUT /articles/{slug}", "401");
  assert.deepEqual(chapter(early, "On the way"), ["1. Check the caller."]);
  assert.match(early, /- Who: /);
  assert.doesNotMatch(early, /- (Body|Path `slug`):/);
  const bound = await to("todo", "GET /todos/{id}", "404");
  assert.ok(chapter(bound, "Ends in 404").some((line) => line.startsWith("- Path `id`")));
  assert.doesNotMatch(bound, /Respond/);
});

test("why: every endpoint of every example can be explained, by any name of its parameters", async () => {
  for (const name of names) {
    for (const { method, path } of checkBytes(readFileSync(fileOf(name))).service.endpoints) {
      const target = path.map((each) => ("literal" in each ? each.literal : "{x}")).join("/");
      const { out, code } = await lacuna([
        "why",
        fileOf(name),
        `${method.toLowerCase()} /${target}`,
      ]);
      assert.equal(code, 0, `${name} ${method} ${target}`);
      assert.match(out, /→ \d{3}/);
    }
  }
});

test("why: an endpoint is found by the path that a client sends", async () => {
  const first = async (wanted: string): Promise<string> =>
    (await lacuna(["why", fileOf("orders"), wanted])).out.split("→")[0]?.trim() ?? "";
  assert.equal(await first("POST /v1/orders"), "POST /orders");
  assert.equal(await first("GET /v1/orders/17?page=2"), "GET /orders/{id}");
  assert.equal(await first("HEAD /v1/orders/17"), "HEAD /v1/orders/17");
});

test("why: requests that belong to no endpoint", async () => {
  const asked = async (...args: string[]) => lacuna(["why", fileOf("orders"), ...args]);
  const path = await asked("GET /v2/orders/17");
  assert.equal(path.code, 0);
  assert.match(path.out, /^GET \/v2\/orders\/17 → 404: no endpoint has this path\n/);
  assert.match(path.out, /\| unknown path \|/);
  assert.match(path.out, /- Base path: `\/v1`/);
  const method = await asked("PUT /v1/orders/17", "405");
  assert.match(method.out, /\| unknown method \|/);
  assert.match(method.out, /### `GET \/orders\/\{id\}`/);
  assert.doesNotMatch(method.out, /### `POST \/orders`/);
  assert.match((await asked("OPTIONS /v1/orders")).out, /→ 204: .*\n\nWhat that rests on\n/);
  assert.equal(
    (await asked("OPTIONS /orders")).out.split(" → ")[1],
    (await asked("OPTIONS /v1/orders")).out.split(" → ")[1],
  );
  assert.match(
    (await asked("HEAD /orders/{id}", "404")).out,
    /^HEAD .* → 404: as `GET \/orders\/\{id\}`, without content\n/,
  );
  assert.match((await asked("OPTIONS *", "204")).out, /→ 204: [^]*- Cross-origin: none/);
  assert.doesNotMatch((await asked("OPTIONS *", "204")).out, /Base path|###/);
  const gap = await lacuna(["why", fileOf("conduit"), "OPTIONS *", "501"]);
  assert.match(gap.out, /Ends in 501\n.*- Cross-origin: not shown\n/);
  const never = await asked("OPTIONS *", "200");
  assert.deepEqual([never.code, never.out], [1, ""]);
  assert.match((await asked("GET *")).err, /has no endpoint `GET \*`/);
  const other = await asked("GET /nowhere", "409");
  assert.deepEqual([other.code, other.out], [1, ""]);
  assert.match(other.err, /ends in 404/);
  assert.match((await asked("orders")).err, /has no endpoint `orders`/);
});

test("why: where no GET is, a stream may be", async () => {
  const text = readFileSync(fileOf("bank"), "utf8");
  const asked = async (stdin: string, ...args: string[]) =>
    (await lacuna(["why", "-", ...args], { stdin, columns: 400 })).out;
  const line = "- Path: `GET /feed`";
  assert.ok((await asked(text, "PUT /v1/transfers", "405")).includes(line));
  assert.ok(!(await asked(text, "PUT /v1/accounts/17", "405")).includes(line));
  const hidden = text.replace(line, "- Path: not shown");
  assert.match(await asked(hidden, "PUT /v1/transfers", "501"), /Ends in 501\n.*- Path: not shown/);
  assert.equal(await asked(hidden, "PUT /v1/accounts/17", "501"), "");
});

test("why: what ends in 501 are the gaps that a request meets", async () => {
  const { out } = await lacuna(["why", fileOf("conduit"), "GET /tags", "501"], { columns: 400 });
  const ends = out.split("Ends in 501")[1]?.split("\n\n")[0] ?? "";
  assert.match(ends, /Cross-origin: not shown/);
  assert.match(ends, /fault inside \| not shown/);
  assert.doesNotMatch(ends, /Base path/);
  const blank = await lacuna(["why", fileOf("blank"), "GET /x"], { columns: 400 });
  assert.match(blank.out, /^GET \/x → 501: no endpoint is stated\n\nEnds in 501\n.*not shown/);
});

test("ask: a gap of a cell puts the question that it leaves open", async () => {
  const { out } = await lacuna(["ask", fileOf("conduit")]);
  assert.match(out, /`User\.bio`: \*\*What is stored when it is not given\?\*\*/);
});

test("the sample request reads, needs nothing, and is safe in a shell", () => {
  const planOf = (text: string) => plan(checkBytes(new TextEncoder().encode(text)))?.plan;
  const text = readFileSync(fileOf("todo"), "utf8").replaceAll(/^```http[^]*?^```$/gm, "");
  const served = planOf(text);
  assert.ok(served !== undefined);
  assert.equal(sampleRequest(served, "http://h:1"), "curl -i http://h:1/todos");
  const based = planOf(text.replace("Base path: none", "Base path: `/v1`"));
  assert.ok(based !== undefined);
  assert.equal(sampleRequest(based, "http://h:1"), "curl -i http://h:1/v1/todos");
  const blank = planOf(readFileSync(fileOf("blank"), "utf8"));
  assert.ok(blank !== undefined);
  assert.equal(sampleRequest(blank, "http://h:1"), "curl -i http://h:1/");
});

test("why and explain as JSON: the same lines, and no other format", async () => {
  const todo = join(import.meta.dirname, "../../examples/todo/spec.md");
  const { code, out } = await lacuna(["why", todo, "POST /todos", "400", "--format", "json"]);
  assert.equal(code, 0);
  const told = JSON.parse(out) as {
    endpoint: string;
    status: number;
    chapters: { title: string; lines: { file: string; line: number; text: string }[] }[];
  };
  assert.deepEqual([told.endpoint, told.status], ["POST /todos", 400]);
  const text = await lacuna(["why", todo, "POST /todos", "400"]);
  const lines = told.chapters.flatMap((one) => one.lines);
  assert.ok(lines.length > 5);
  for (const { file, line } of lines) assert.ok(text.out.includes(`${file}:${line} `), text.out);
  assert.equal(lines.length, text.out.split("\n").filter((one) => one.startsWith("  ")).length);
  const page = await lacuna(["explain", "silent", "--format", "json"]);
  const { severity, sections } = JSON.parse(page.out) as { severity: string; sections: object[] };
  assert.equal(severity, "error");
  assert.ok(sections.length > 2);
  const all = JSON.parse((await lacuna(["explain", "--format", "json"])).out) as {
    codes: object[];
  };
  assert.ok(all.codes.length > 150);
  for (const args of [["why", todo, "POST /todos"], ["explain"]]) {
    const odd = await lacuna([...args, "--format", "yaml"]);
    assert.equal(odd.code, 2);
    assert.match(odd.err, /there is no format `yaml`; there are text, json/);
  }
});
