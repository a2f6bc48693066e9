/** Loaded before a command: says on standard error what it took. */
import process from "node:process";

process.on("exit", () => {
  const { user, system } = process.cpuUsage();
  const megabytes = Math.round(process.resourceUsage().maxRSS / 1024);
  process.stderr.write(`took ${((user + system) / 1e6).toFixed(2)} s, ${megabytes} MB\n`);
});
