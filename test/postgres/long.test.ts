/** Texts that are longer than what an index of PostgreSQL holds are kept and found as in a file. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { serve } from "../../src/serve/index.ts";
import { connectionOf } from "../../src/store/index.ts";
import { planOf } from "../histories/subjects.ts";
import { settingsFor } from "../served/settings.ts";
import { programs, Server, skip, testServer } from "./server.ts";

const folder = mkdtempSync(join(tmpdir(), "lacuna-long-"));
const { url } = testServer();
after(() => rmSync(folder, { recursive: true, force: true }));

/** A text that cannot be pressed together, alike with others up to its 300th character. */
function longText(seed: string, length: number): string {
  let text = "same".repeat(75);
  for (let i = 0; text.length < length; i++) {
    text += createHash("sha512").update(`${seed} ${i}`).digest("base64url");
  }
  return text.slice(0, length);
}

const NAMES = [longText("a", 4_000), longText("b", 4_000), longText("c", 6_000), "short"];
const TAGS = [longText("x", 3_000), longText("y", 5_000), "tag"];
const TIMES = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

/** What a service on a store says to the same requests, without its times and tokens. */
async function said(file: string): Promise<readonly string[]> {
  const plan = planOf("examples/conduit/spec.md", "examples/conduit/assumptions.md");
  const running = await serve(plan, { file, settings: settingsFor(plan), environment: {} });
  const all: string[] = [];
  const ask = async (path: string, token = "", body?: unknown): Promise<string> => {
    const response = await fetch(`${running.address}/api/${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        "Content-Type": "application/json",
        ...(token === "" ? {} : { Authorization: `Token ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const plain = text.replace(TIMES, "TIME").replace(/"token":"[^"]*"/g, '"token":""');
    all.push(`${response.status} ${plain}`);
    return text;
  };
  try {
    for (const [i, username] of NAMES.entries()) {
      const user = { username, email: `u${i}@example.com`, password: "a long password" };
      const { token } = (
        JSON.parse(await ask("users", "", { user })) as { user: { token: string } }
      ).user;
      // The same name again, and the same title at another's.
      await ask("users", "", { user: { ...user, email: `again${i}@example.com` } });
      const article = { description: "d", body: "b", tagList: TAGS.slice(i % 2) };
      await ask("articles", token, { article: { ...article, title: `${username} one` } });
      for (const name of NAMES) await ask(`profiles/${name}`, token);
    }
    for (const name of NAMES) await ask(`articles?author=${name}`);
    for (const tag of TAGS) await ask(`articles?tag=${tag}`);
    await ask("tags");
    return all;
  } finally {
    await running.stop();
  }
}

/** A server on which what is not set for a session would be something else. */
const HOSTILE = [
  "fsync=off",
  "default_transaction_isolation=serializable",
  "default_transaction_read_only=on",
  "extra_float_digits=-15",
  "standard_conforming_strings=off",
  "array_nulls=off",
  "transform_null_equals=on",
  "synchronous_commit=off",
  "statement_timeout=20s",
  "DateStyle=SQL, DMY",
  "IntervalStyle=sql_standard",
  "TimeZone=Pacific/Chatham",
  "bytea_output=escape",
  "enable_indexscan=off",
];

test("what is kept, found and listed is the same as in a file, whatever the server is set to", {
  skip,
}, async () => {
  const wanted = await said(join(folder, "long.sqlite"));
  assert.deepEqual(await said(url("long")), wanted);
  const bin = programs();
  const hostile = bin === undefined ? undefined : await Server.start(bin, HOSTILE);
  try {
    const place = `${hostile?.url}?schema=long`;
    assert.deepEqual(await said(place), wanted);
    const { wire } = (await connectionOf({ postgres: place })) ?? {};
    const set = wire?.ask(
      "SELECT current_setting('synchronous_commit'), current_setting('statement_timeout'), " +
        "0.1::float8 + 0.2::float8",
    );
    wire?.close();
    assert.deepEqual(set, [["on", "0", "0.30000000000000004"]]);
  } finally {
    await hostile?.stop();
  }
  const [first = "", again = ""] = wanted;
  assert.deepEqual([first.slice(0, 3), again.slice(0, 1)], ["201", "4"]);
});
