/** PocketBase as a peer: built by Go from its own source, and given the same table. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Bench, Filled } from "./parts.ts";
import { CATEGORIES, getRequest, newProducts, postRequest } from "./scenarios.ts";
import type { Command, Server } from "./servers.ts";

/** The newest that Go 1.25 builds. */
const MODULE = "github.com/pocketbase/pocketbase/examples/base@v0.36.0";
const FOLDER = join(tmpdir(), "lacuna-bench-pocketbase");
const ROWS = 1000;
const USER = { identity: "bench@example.com", password: "correct horse" };
const RECORDS = "/api/collections/products/records";

const always = { listRule: "", viewRule: "", createRule: "", updateRule: "", deleteRule: "" };
const number = { type: "number", onlyInt: true };
const FIELDS = [
  { name: "name", type: "text", required: true, max: 80 },
  { name: "category", type: "select", required: true, values: CATEGORIES, maxSelect: 1 },
  { name: "cents", ...number, min: 0, max: 100_000_000 },
  { name: "stock", ...number, min: 0, max: 1_000_000 },
  { name: "note", type: "text", max: 500 },
  { name: "onSale", type: "bool" },
  { name: "created", type: "autodate", onCreate: true },
  { name: "updated", type: "autodate", onCreate: true, onUpdate: true },
];
const INDEX = "CREATE INDEX newest ON products (category, created DESC, id DESC)";

/** The command and what fills it, or why there is none. */
export async function pocketBase({
  folder,
  seed,
}: Bench): Promise<
  { readonly command: Command; filled(server: Server): Promise<Filled> } | string
> {
  const program = join(FOLDER, "base");
  if (!existsSync(program)) {
    const env = { ...process.env, GOBIN: FOLDER };
    const { status, error } = spawnSync("go", ["install", MODULE], { env, stdio: "inherit" });
    if (error !== undefined) return "not measured, for there is no Go to build it with";
    if (status !== 0) return "not measured, for it could not be built";
  }
  const data = ["--dir", join(folder, "pocketbase")];
  const user = [USER.identity, USER.password];
  const made = spawnSync(program, ["superuser", "upsert", ...user, ...data]);
  if (made.status !== 0) throw new Error(`PocketBase: ${String(made.stderr)}`);
  const args = (port: number): readonly string[] => [
    ...["serve", "--http", `127.0.0.1:${port}`, ...data],
  ];
  return {
    command: { name: "PocketBase", program, args, probe: "/api/health" },
    filled: (server) => filled(server, seed),
  };
}

async function filled(server: Server, seed: number): Promise<Filled> {
  const address = `http://127.0.0.1:${server.port}`;
  let token = "";
  const ask = async (method: string, path: string, body: unknown): Promise<unknown> => {
    const headers = { "content-type": "application/json", authorization: token };
    const answer = await fetch(address + path, { method, headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`PocketBase, ${path}: ${await answer.text()}`);
    return answer.json();
  };
  const login = "/api/collections/_superusers/auth-with-password";
  ({ token } = (await ask("POST", login, USER)) as { token: string });
  // Its log of requests would be a further write for each.
  await ask("PATCH", "/api/settings", { logs: { maxDays: 0 } });
  const collection = { name: "products", type: "base", fields: FIELDS, indexes: [INDEX] };
  await ask("POST", "/api/collections", { ...collection, ...always });
  const paths: string[] = [];
  for (const product of newProducts(ROWS, seed)) {
    const { id } = (await ask("POST", RECORDS, product)) as { id: string };
    paths.push(`${RECORDS}/${id}`);
  }
  const sorted = "sort=-created,-id&perPage=20&skipTotal=1";
  const list = CATEGORIES.flatMap((one) =>
    [1, 2].map((page) =>
      getRequest(`${RECORDS}?filter=(category%3D'${one}')&${sorted}&page=${page}`),
    ),
  );
  const create = newProducts(2 * ROWS, seed).map((one) => postRequest(RECORDS, one));
  return { server, paths, requests: { list, create } };
}
