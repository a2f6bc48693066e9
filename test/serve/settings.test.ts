import assert from "node:assert/strict";
import { test } from "node:test";
import type { Setting } from "../../src/plan/index.ts";
import { CannotServe, environmentName } from "../../src/serve/index.ts";
import { readSettings, readStartRows, settingTexts } from "../../src/serve/settings/settings.ts";
import { field, plan, resource, type } from "../run/read/plans.ts";

const setting = (name: string, kind: Parameters<typeof type>[0], orNull = false): Setting => ({
  id: name,
  name,
  type: type(kind, { orNull }),
});

const withSettings = plan({
  about: {
    ...plan().about,
    settings: [
      setting("key", "secret"),
      setting("most", "integer"),
      setting("zone", "time zone", true),
    ],
  },
});

test("settings come from what is given, or else from the environment, by type", () => {
  const environment = { LACUNA_SETTING_KEY: "k", LACUNA_SETTING_MOST: "7", OTHER: "x" };
  assert.equal(environmentName("most"), "LACUNA_SETTING_MOST");
  const texts = settingTexts(withSettings, { most: "12345678901234567890" }, environment);
  assert.deepEqual(texts, { key: "k", most: "12345678901234567890" });
  assert.deepEqual(
    readSettings(withSettings, texts),
    new Map<string, unknown>([
      ["key", "k"],
      ["most", 12345678901234567890n],
      ["zone", null],
    ]),
  );
});

test("what is missing or wrong is named, and no value is told", () => {
  const refused = (texts: Record<string, string>): readonly string[] => {
    try {
      readSettings(withSettings, texts);
    } catch (fault) {
      assert.ok(fault instanceof CannotServe);
      return fault.reasons;
    }
    return [];
  };
  const [missing, wrong] = refused({ most: "hunter2" });
  assert.match(missing ?? "", /`key`.*LACUNA_SETTING_KEY/);
  assert.match(wrong ?? "", /`most`.*integer/);
  assert.ok(!JSON.stringify(refused({ most: "hunter2" })).includes("hunter2"));
});

test("rows at the start are read by the fields' types", () => {
  const account = resource("Account", [field("name"), field("limit", { type: type("decimal") })]);
  const whole = plan({ resources: [account] });
  const rows = readStartRows(whole, '{"Account":[{"name":"a","limit":1.50}]}');
  assert.deepEqual(rows?.get("Account"), [
    new Map<string, unknown>([
      ["name", "a"],
      ["limit", 150n],
    ]),
  ]);
  for (const [text, why] of [
    ["[", /no JSON/],
    ["[]", /an object/],
    ['{"X":[]}', /`X`/],
    ['{"Account":1}', /list/],
    ['{"Account":[1]}', /Start row 1/],
    ['{"Account":[{"x":1}]}', /`x` is no field/],
    ['{"Account":[{"limit":1.555}]}', /`limit` is no decimal/],
  ] as const) {
    assert.throws(() => readStartRows(whole, text), why);
  }
});
