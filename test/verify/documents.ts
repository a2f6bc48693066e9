/** The documents whose services are verified: the examples, the six services, and `test/unseen`. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Example, examples } from "../export/examples.ts";
import { subjects } from "../gaps/subjects.ts";
import { ROOT } from "../peers/served.ts";

const SETTING = "LACUNA_SETTING_";

/** Documents that were written for other tests, by somebody who did not know `verify`. */
function unseen(): readonly Example[] {
  return subjects().flatMap(({ name, environment = {} }) => {
    if (!name.startsWith("unseen/")) return [];
    const file = `test/${name}.md`;
    const rows = `test/${name}.rows.json`;
    const text = readFileSync(join(ROOT, file), "utf8");
    const named = Object.entries(environment).map(
      ([variable, value]) => [variable.slice(SETTING.length).toLowerCase(), value] as const,
    );
    const given = existsSync(join(ROOT, rows)) ? ["--rows", rows] : [];
    const settings = named.filter(([one]) => text.includes(`Setting \`${one}\``));
    const args = [...given, ...(text.includes(", a call") ? ["--stand-in"] : [])];
    return [{ name, file, args, settings: Object.fromEntries(settings) }];
  });
}

export const documents: readonly Example[] = [...examples, ...unseen()];
