/** Starts the shop in a process of its own, which a test may kill. */
import { type ChildProcess, spawn } from "node:child_process";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";

/** The process and the address at which it serves; killed when the test ends. */
export async function child(
  t: TestContext,
  file: string,
  code: string,
): Promise<{ process: ChildProcess; address: string }> {
  const path = fileURLToPath(new URL("child.ts", import.meta.url));
  const made = spawn(process.execPath, [path, file, code], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  t.after(() => made.kill("SIGKILL"));
  const address = await new Promise<string>((resolve) =>
    made.stdout?.once("data", (data) => resolve(String(data).trim())),
  );
  return { process: made, address };
}
