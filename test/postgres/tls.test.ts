/** Connections are encrypted as a URL says it, and the certificate of the server is checked so. */
import assert from "node:assert/strict";
import { chmodSync, chownSync, copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { serve } from "../../src/serve/index.ts";
import { connectionOf } from "../../src/store/index.ts";
import { planOf } from "../histories/subjects.ts";
import { AS, programs, type Server, skip, startServer } from "./server.ts";

const bin = programs();
const folder = mkdtempSync(join(tmpdir(), "lacuna-certificates-"));
const CA = join(import.meta.dirname, "tls/ca.pem");
let encrypted: Server | undefined;
let plain: Server | undefined;

/** A file as the server wants it: its own, and nobody else may read it. */
function ownFile(name: string): string {
  const path = join(folder, name);
  copyFileSync(join(import.meta.dirname, "tls", name), path);
  chmodSync(path, 0o600);
  if (AS.uid !== undefined) chownSync(path, AS.uid, AS.gid ?? AS.uid);
  return path;
}

before(async () => {
  if (bin === undefined) return;
  if (AS.uid !== undefined) chownSync(folder, AS.uid, AS.gid ?? AS.uid);
  const [certificate, key] = [ownFile("server.pem"), ownFile("server.key")];
  const tls = ["ssl=on", `ssl_cert_file=${certificate}`, `ssl_key_file=${key}`];
  encrypted = await startServer(bin, ["fsync=off", ...tls]);
  plain = await startServer(bin, ["fsync=off"]);
});
after(async () => {
  await encrypted?.stop();
  await plain?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const at = (server: Server | undefined, host: string, said: string): string =>
  `postgres://lacuna@${host}:${server?.port}/postgres?${said}`;

/** Whether the server says that a connection is encrypted; a text: why there is none. */
async function isEncrypted(url: string): Promise<boolean | string> {
  try {
    const { wire } = (await connectionOf({ postgres: url })) ?? assert.fail();
    const asked = wire.ask("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()");
    wire.close();
    return asked[0]?.[0] === "t";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

test("what is checked of a server is what `sslmode` says", { skip }, async () => {
  const asked = async (host: string, said: string) => isEncrypted(at(encrypted, host, said));
  assert.equal(await asked("127.0.0.1", ""), false);
  assert.equal(await asked("127.0.0.1", "sslmode=disable"), false);
  assert.equal(await asked("127.0.0.1", "sslmode=require"), true);
  assert.equal(await asked("127.0.0.1", `sslmode=verify-ca&sslrootcert=${CA}`), true);
  assert.equal(await asked("localhost", `sslmode=verify-full&sslrootcert=${CA}`), true);
  // The certificate is for `localhost`, and nobody who is known by himself has signed it.
  const refused: readonly (readonly [string, string, RegExp])[] = [
    ["127.0.0.1", `sslmode=verify-full&sslrootcert=${CA}`, /does not match certificate/],
    ["localhost", "sslmode=verify-full", /certificate: `sslrootcert` names/],
    ["localhost", `sslmode=require&sslrootcert=${join(folder, "server.pem")}`, /certificate/],
    ["localhost", "sslmode=verify-full&sslrootcert=/nowhere", /file for TLS .*\/nowhere/],
    ["localhost", "sslmode=prefer", /`sslmode=prefer` does not say/],
    ["localhost", "sslmode=require&ssl=true", /`ssl` is not known/],
  ];
  for (const [host, said, why] of refused) assert.match(String(await asked(host, said)), why);
  const url = at(plain, "127.0.0.1", "sslmode=require");
  assert.match(String(await isEncrypted(url)), /takes no encrypted connections/);
});

test("a node writes, reads and hears over them", { skip }, async () => {
  const running = await serve(planOf("examples/todo/spec.md"), {
    file: at(encrypted, "localhost", `sslmode=verify-full&sslrootcert=${CA}&schema=tls`),
    environment: {},
  });
  try {
    const made = await fetch(`${running.address}/todos`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ title: "a" }),
    });
    assert.equal(made.status, 201, await made.text());
    const listed = (await (await fetch(`${running.address}/todos`)).json()) as unknown[];
    assert.equal(listed.length, 1);
    const { wire } = (await connectionOf({ postgres: at(encrypted, "127.0.0.1", "") })) ?? {};
    const open = wire?.ask(
      "SELECT bool_and(ssl)::text, count(*) > 2 FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) " +
        "WHERE application_name = 'lacuna' AND pid <> pg_backend_pid()",
    );
    wire?.close();
    assert.deepEqual(open, [["true", "t"]]);
  } finally {
    await running.stop();
  }
});
