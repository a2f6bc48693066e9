/** Writes what shows a service to be wrong: for each break a replay and a script. */
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ReplayFile, replayText, type Shrunk, scriptOf } from "../verify/index.ts";
import { reasonOf } from "./files.ts";
import type { DocumentReport } from "./report/model.ts";
import type { Looked } from "./report/verified/model.ts";

/** SHA-256 of the texts of a document and of those that belong to it. */
export function digestOf({ text, others = [] }: DocumentReport): string {
  const hash = createHash("sha256").update(text);
  for (const other of others) hash.update(other.text);
  return hash.digest("hex");
}

/** The replays of what was found, in the order of the breaks. */
function replaysOf(
  looked: Looked,
): readonly { readonly file: ReplayFile; readonly shrunk: Shrunk }[] {
  const { report, address, verified } = looked.outcome;
  const document = {
    file: report.file,
    title: report.checked.title ?? "",
    sha256: digestOf(report),
  };
  return verified.shrunk.flatMap((shrunk) => {
    if (!("replay" in shrunk)) return [];
    const broken = shrunk.broken.items.flatMap((id) => {
      const item = looked.byId.get(id);
      if (item === undefined) return [];
      const { file, line, column } = item;
      const text = looked.lineOf(item)?.text ?? "";
      return [{ item: id, file, line, column, text }];
    });
    return [{ file: { document, url: address, broken, ...shrunk.replay }, shrunk }];
  });
}

/** `2-patch-todos-id`: the number of a break and the words of the request that shows it. */
function nameOf({ requests, race }: ReplayFile, at: number): string {
  const { method = "", target = "" } = requests.at(race?.wrong ?? -1) ?? {};
  const path = (target.split("?")[0] ?? "").replaceAll(/[a-z]*_?\{\{[^}]*\}\}/g, "id");
  const words = `${method} ${path}`.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return [String(at + 1), ...words].join("-").slice(0, 60);
}

/** Writes `N-WORDS.json` and `N-WORDS.sh` for each; says why it cannot, if so. */
export function writeReplays(looked: Looked, folder: string): readonly string[] {
  try {
    mkdirSync(folder, { recursive: true });
    for (const [i, { file, shrunk }] of replaysOf(looked).entries()) {
      const path = join(folder, nameOf(file, i));
      writeFileSync(`${path}.json`, replayText(file));
      writeFileSync(`${path}.sh`, scriptOf(file, shrunk.answers), { mode: 0o755 });
    }
    return [];
  } catch (error) {
    return [`${folder}: ${reasonOf(error)}`];
  }
}
