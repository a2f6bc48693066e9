/** What `serve` is told: by flags, by the environment, by a file; each option of the table. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { configOf } from "../../src/cli/config.ts";
import { environmentOf, OPTION_NAMES, optionAt } from "../../src/cli/serve-options.ts";
import { type Flags, type Settled, settled } from "../../src/cli/settings.ts";
import { BOUNDS } from "../../src/serve/index.ts";
import { folder, lacuna } from "./world.ts";

const root = join(import.meta.dirname, "../..");
const todo = join(root, "examples/todo/spec.md");

type Environment = Readonly<Record<string, string>>;

async function told(flags: Flags, environment: Environment, text?: string): Promise<Settled> {
  const file = text === undefined ? undefined : await configOf("c.json", text);
  assert.ok(file === undefined || !("length" in file), String(file));
  const all = settled(flags, environment, file);
  assert.ok(!("length" in all), String(all));
  return all;
}

async function wrong(text: string): Promise<readonly string[]> {
  const file = await configOf("c.json", text);
  const all = "length" in file ? file : settled({}, {}, file);
  assert.ok("length" in all, `${text} is taken`);
  return all;
}

/** Two values of an option, and how the environment has them. */
function samples(name: (typeof OPTION_NAMES)[number]): readonly [unknown, string][] {
  const { kind, words = [] } = optionAt(name);
  switch (kind) {
    case "yes":
      return [true, false].map((value) => [value, String(value)]);
    case "number":
      return [7, 8].map((value) => [value, String(value)]);
    case "word":
      return words.slice(0, 2).map((value) => [value, value]);
    case "list":
      return [["a"], ["b", "c"]].map((value) => [value, value.join(",")]);
    case "text":
      return ["one", "two"].map((value) => [value, value]);
  }
}

for (const name of OPTION_NAMES) {
  test(`${name}: a flag goes before the environment, that before the file`, async () => {
    const [[first, firstText] = [], [second] = []] = samples(name);
    const camel = name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
    const flags = { [camel]: typeof first === "number" ? firstText : first };
    const file = JSON.stringify({ [name]: second });
    const environment = { [environmentOf(name)]: firstText ?? "" };
    const at = async (...given: Parameters<typeof told>) => (await told(...given)).settings[name];
    assert.deepEqual(await at({}, {}, file), second);
    assert.deepEqual(await at({}, environment, file), first);
    assert.deepEqual(await at(flags, {}, file), first);
    const other = { [environmentOf(name)]: samples(name)[1]?.[1] ?? "" };
    assert.deepEqual(await at({}, other), second);
    assert.deepEqual(await at(flags, other), first);
    assert.equal(await at({}, {}), undefined);
  });
}

test("every bound is set by a flag, the environment and a file, in this order", async () => {
  for (const [key, { name }] of Object.entries(BOUNDS)) {
    const variable = `LACUNA_BOUND_${name.toUpperCase().replaceAll("-", "_")}`;
    const file = JSON.stringify({ bounds: { [name]: 3 } });
    assert.deepEqual((await told({}, {}, file)).bounds, { [key]: 3 });
    assert.deepEqual((await told({}, { [variable]: "2" }, file)).bounds, { [key]: 2 });
    const flags = { bound: [`${name}=9`, `${name}=1`] };
    assert.deepEqual((await told(flags, { [variable]: "2" }, file)).bounds, { [key]: 1 });
  }
});

test("comments and a last comma may stand in a file; an empty object tells nothing", async () => {
  const { settings } = await told({}, {}, '{ // a port\n  "port": 1, /* no more */\n}');
  assert.deepEqual(settings, { port: 1 });
  assert.deepEqual(await told({}, {}, '{"bounds": {}}'), { settings: {}, bounds: {} });
});

test("what is wrong in a file is refused with its line and column", async () => {
  const cases: [text: string, says: RegExp][] = [
    ['{\n  "prot": 1\n}', /^c\.json:2:3: there is no option `prot`; did you mean `port`\?$/],
    ['{"port": "1"}', /^c\.json:1:2: `port` is to be a number$/],
    ['{"port": 99999}', /^c\.json:1:2: `99999` is no port; a port is a number from 0 to 65535$/],
    ['{"port": {"a": 1}}', /^c\.json:1:11: `port` is to be a number$/],
    ['{"port": {}}', /`port` is to be a number$/],
    ['{"memory": "yes"}', /^c\.json:1:2: `memory` is to be `true` or `false`$/],
    ['{"log": "xml"}', /^c\.json:1:2: there is no log `xml`; there are text, json$/],
    ['{"data": null}', /`data` is to be a text$/],
    ['{"data": ""}', /^c\.json:1:2: it is empty$/],
    ['{"port": 1,\n "port": 2}', /^c\.json:2:2: `port` stands here a second time$/],
    ['{"bounds": 1}', /^c\.json:1:2: `bounds` is to be an object$/],
    ['{"bounds": {"bodybytes": 1}}', /^c\.json:1:13: `bodybytes` is no bound; did you mean/],
    ['{"bounds": {"body-bytes": "1"}}', /^c\.json:1:13: `body-bytes` is to be a number$/],
    ['{"bounds": {"body-bytes": 1.5}}', /^c\.json:1:13: `body-bytes` is set to `1.5`/],
    ['{"bounds": {"body-bytes": 1, "body-bytes": 1}}', /^c\.json:1:30: .* a second time$/],
    ['{"port" 1}', /^c\.json:1:9: this is no JSON: colon expected$/],
    ["[]", /^c\.json:1:1: this is no JSON object$/],
    ["", /^c\.json:1:1: this is no JSON/],
  ];
  for (const [text, says] of cases) assert.match((await wrong(text)).join("\n"), says, text);
});

test("what is wrong in the environment is refused by its name; names of others are let be", () => {
  const cases: [environment: Environment, says: RegExp | undefined][] = [
    [{ PORT: "tcp://10.0.0.1:80" }, /^PORT: `tcp:.* is no port/],
    [{ LACUNA_MEMORY: "1" }, /^LACUNA_MEMORY: `1` is neither `true` nor `false`$/],
    [{ LACUNA_BOUND_BODY_BYTE: "1" }, /did you mean `LACUNA_BOUND_BODY_BYTES`\?/],
    [{ LACUNA_BOUND_BODY_BYTES: "much" }, /^LACUNA_BOUND_BODY_BYTES: `body-bytes` is set to/],
    [{ LACUNA_PORT: "tcp://10.0.0.1:80", LACUNA_SERVICE_HOST: "10.0.0.1" }, undefined],
  ];
  for (const [environment, says] of cases) {
    const all = settled({}, environment);
    if (says === undefined) assert.deepEqual(all, { settings: {}, bounds: {} });
    else assert.match(String(all), says);
  }
});

test("the command reads the file that a flag or the environment names", async (t) => {
  const path = folder(t);
  const file = join(path, "lacuna.json");
  writeFileSync(file, '{ "memory": true, "bounds": { "no": 1 } }');
  const cases: [args: readonly string[], env: Environment][] = [
    [["--config", file], {}],
    [[], { LACUNA_CONFIG: file }],
    [["--config", file], { LACUNA_CONFIG: "elsewhere" }],
  ];
  for (const [args, env] of cases) {
    const { code, err } = await lacuna(["serve", todo, ...args], { env });
    assert.equal(code, 2);
    assert.ok(err.startsWith(`lacuna: ${file}:1:31: \`no\` is no bound`), err);
  }
  const gone = await lacuna(["serve", todo, "--config", join(path, "none.json")]);
  assert.deepEqual([gone.code, /there is no such file/.test(gone.err)], [2, true]);
});

test("the files of the documentation are right", async () => {
  const text = readFileSync(join(root, "docs/cli.md"), "utf8");
  const files = [...text.matchAll(/```jsonc config\n([\s\S]*?)```/g)];
  assert.ok(files.length > 0);
  for (const [, file] of files) await told({}, {}, file);
});
