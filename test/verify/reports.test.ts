/** The reports of `lacuna verify`: each form, of a service whose texts no report may obey. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { lacuna, type Ran } from "../cli/world.ts";
import { ROOT } from "../peers/served.ts";
import { DOCUMENT, EVIL, GIVEN, hostileService, SECRETS } from "./hostile.ts";
import { elementsOf } from "./xml.ts";

const place = mkdtempSync(join(tmpdir(), "lacuna-reports-"));
const document = join(place, "hostile.md");
const given = join(place, "given.json");
const fileOf = (format: string): string => join(place, `report.${format}`);
const textOf = (format: string): string => readFileSync(fileOf(format), "utf8");
const jsonOf = (format: string) => JSON.parse(textOf(format));
const FORMATS = ["json", "junit", "sarif", "har"] as const;

let ran: Ran;

before(async () => {
  writeFileSync(document, DOCUMENT);
  writeFileSync(given, JSON.stringify(GIVEN));
  const service = await hostileService();
  const address = service.address.replace("http://", "http://user:word_0123456789@");
  const reports = FORMATS.flatMap((one) => ["--report", `${one}=${fileOf(one)}`]);
  const limits = ["--given", given, "--requests", "12", "--shrink", "30"];
  ran = await lacuna(["verify", document, address, ...limits, ...reports]);
  service.stop();
});
after(() => rmSync(place, { recursive: true, force: true }));

describe("all reports of one run", () => {
  test("the run says what is broken", () => {
    assert.equal(ran.code, 1, ran.err);
    assert.match(ran.out, /1\. broken in 1 request, found by requests? \d+/);
  });

  test("no secret stands in any of them", () => {
    for (const text of [ran.out, ...FORMATS.map(textOf)]) {
      for (const secret of [SECRETS[0], "pin_0123456789", "cookie_0123", "word_0123"]) {
        assert.ok(!text.includes(secret), secret);
      }
    }
    assert.ok(textOf("har").includes("Bearer REDACTED"));
  });

  test("text: nothing that a terminal obeys", () => {
    assert.doesNotMatch(ran.out, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/u);
    for (const line of ran.out.split("\n")) assert.ok(line.length <= 100, line);
  });

  test("JSON: as its schema says, each verdict counted, each request that is named is there", () => {
    const file = join(ROOT, "docs/schema/verify.schema.json");
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false });
    const isReport = ajv.compile(JSON.parse(readFileSync(file, "utf8")));
    const report = jsonOf("json");
    const isRight: boolean = isReport(jsonOf("json"));
    assert.ok(isRight, JSON.stringify(isReport.errors));
    for (const [verdict, count] of Object.entries(report.counts)) {
      const own = report.items.filter((one: { verdict: string }) => one.verdict === verdict);
      assert.equal(own.length, count, verdict);
    }
    const shown = new Set(report.evidence.map((one: { request: number }) => one.request));
    for (const { requests } of report.items) {
      for (const number of requests) assert.ok(shown.has(number), `${number}`);
    }
  });

  test("JSON: why an item was not reached", () => {
    const { items } = jsonOf("json");
    const whyOf = (id: string) => items.find((one: { id: string }) => one.id === id)?.why;
    assert.equal(whyOf("errors/broken/status").condition, "fault inside");
    assert.equal(whyOf("errors/broken/fault inside").is, "fault");
    assert.equal(whyOf("service/timestamps").is, "no answer");
  });

  test("JUnit: well formed, a case for each item, a failure for each that is broken", () => {
    const elements = elementsOf(textOf("junit"));
    const { items, counts } = jsonOf("json");
    const named = (name: string) => elements.filter((one) => one.name === name);
    assert.equal(named("testcase").length, items.length);
    assert.equal(named("failure").length, counts.broken);
    assert.equal(named("skipped").length, counts["not reached"] + counts.unstated);
    const [all] = named("testsuites");
    assert.equal(all?.attributes.get("tests"), String(items.length));
    assert.equal(all?.attributes.get("failures"), String(counts.broken));
    const said = named("failure").map(({ text }) => text);
    assert.ok(said.some((text) => text.includes("</script><img src=x onerror=alert(1)>]]>&")));
  });

  test("SARIF: a result for each broken item, at its place, with its exchange", () => {
    const { version, runs } = jsonOf("sarif");
    assert.equal(version, "2.1.0");
    const [run] = runs;
    const { items, counts } = jsonOf("json");
    assert.equal(run.results.length, counts.broken);
    for (const result of run.results) {
      const [{ physicalLocation, logicalLocations }] = result.locations;
      const [{ fullyQualifiedName: id }] = logicalLocations;
      const item = items.find((one: { id: string }) => one.id === id);
      assert.equal(physicalLocation.region.startLine, item.line);
      assert.equal(physicalLocation.region.startColumn, item.column);
      assert.match(physicalLocation.artifactLocation.uri, /^file:\/\/\/.*hostile\.md$/);
      assert.equal(run.tool.driver.rules[result.ruleIndex].id, result.ruleId);
      assert.equal(result.kind, "fail");
      assert.equal(result.webResponse.statusCode, 200);
      assert.match(result.webRequest.method, /^[A-Z]+$/);
    }
  });

  test("HAR: every exchange with all that HAR 1.2 asks for", () => {
    const { log } = jsonOf("har");
    assert.equal(log.version, "1.2");
    assert.equal(log.entries.length, jsonOf("json").run.requests);
    const parts = {
      request: ["method", "url", "httpVersion", "cookies", "headers", "queryString"],
      response: ["status", "statusText", "httpVersion", "cookies", "headers", "content"],
      timings: ["send", "wait", "receive"],
    };
    for (const entry of log.entries) {
      assert.match(entry.startedDateTime, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      assert.equal(entry.time, entry.timings.send + entry.timings.wait + entry.timings.receive);
      assert.ok(URL.canParse(entry.request.url));
      for (const [part, names] of Object.entries(parts)) {
        for (const name of names) assert.ok(name in entry[part], `${part}.${name}`);
      }
      assert.equal(entry.response.cookies[0].name, "session");
      if (entry.request.method === "HEAD") continue;
      assert.ok(JSON.parse(entry.response.content.text)[EVIL] !== undefined);
    }
  });
});

test("secrets are shown where that is asked for", async (t) => {
  const service = await hostileService();
  t.after(() => service.stop());
  const more = ["--given", given, "--requests", "6", "--show-secrets", "--format", "har"];
  const { out } = await lacuna(["verify", document, service.address, ...more]);
  assert.ok(out.includes(`Bearer ${SECRETS[0]}`));
});

test("what only the operator can tell is asked for by name", async (t) => {
  const service = await hostileService();
  t.after(() => service.stop());
  const { out } = await lacuna(["verify", document, service.address, "--requests", "4"]);
  assert.match(out, /only the operator knows the rows of `Account` at the start/);
  assert.match(out, /\{"rows":\{"Account":\[\{"id":"<id>","key":"<secret>"\}\]\}\}/);
});

const wrong: readonly [args: readonly string[], says: RegExp][] = [
  [["--report", "xml=a.xml"], /no format `xml`; there are text, json, junit, sarif, har, html/],
  [["--report", "junit"], /`--report junit` names no file: junit=FILE/],
  [["--report", "har=a.har", "--report", "json=a.har"], /a\.har: two reports/],
  [["--output", "no-such-folder/a.txt"], /there is no folder for it/],
  [["--output", tmpdir()], /this is a folder/],
];

for (const [args, says] of wrong) {
  test(`wrong use: ${args.join(" ")}`, async () => {
    const { code, err } = await lacuna(["verify", document, "http://127.0.0.1:1", ...args]);
    assert.equal(code, 2);
    assert.match(err, says);
  });
}
