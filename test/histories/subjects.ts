/** The documents that histories are made for: examples, and right documents of the tests. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { check, plan } from "../../src/check/index.ts";
import type { Plan } from "../../src/plan/index.ts";
import { read } from "../../src/read/index.ts";
import { settingsFor } from "../served/settings.ts";
import { documentText } from "./documents.ts";
import type { Subject } from "./history.ts";
import { Random } from "./random.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Secrets kept by hashes of little cost: their meaning is compared, not their strength. */
export function cheap(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(cheap);
  if (typeof node !== "object" || node === null) return node;
  if ("kind" in node && node.kind === "argon2id" && "lanes" in node) {
    return { ...node, memoryKiB: 8 * Number(node.lanes), passes: 1 };
  }
  if ("kind" in node && node.kind === "scrypt" && "n" in node)
    return { ...node, n: 16, r: 1, p: 1 };
  return Object.fromEntries(Object.entries(node).map(([name, one]) => [name, cheap(one)]));
}

/** A plan without deliveries: who is told of an event is tested elsewhere. */
export function undelivered(made: Plan): Plan {
  const events = made.events.map((one) => ({
    ...one,
    sentTo: { is: "none", id: one.id } as const,
  }));
  return { ...(cheap(made) as Plan), events, webhooks: [] };
}

export function planOf(file: string, assumptions?: string): Plan {
  const given = assumptions === undefined ? undefined : read(readFileSync(ROOT + assumptions));
  const planned = plan(check(read(readFileSync(ROOT + file)), given));
  if (planned === undefined) throw new Error(`${file} has errors`);
  return undelivered(planned.plan);
}

/** The plan of a document that is not in a file. */
export function planOfText(text: string): Plan {
  const checked = check(read(Buffer.from(text)));
  const planned = plan(checked);
  if (planned === undefined) {
    const errors = checked.findings.filter((one) => one.severity === "error");
    throw new Error(
      `a made document has errors: ${JSON.stringify(errors.filter((one) => one.code !== "silent"))}\n${text}`,
    );
  }
  return undelivered(planned.plan);
}

export function subjectOf(name: string, made: Plan): Subject {
  const rows = `${ROOT}examples/${name.split(" ")[0]}/rows.json`;
  return {
    name,
    plan: made,
    settings: settingsFor(made),
    startRows: existsSync(rows) ? textRows(readFileSync(rows, "utf8")) : {},
  };
}

/** A plan that was made elsewhere, with texts of its settings. */
export function subjectFor(
  name: string,
  made: Plan,
  settings: Subject["settings"],
  startRows: Subject["startRows"] = {},
): Subject {
  return { name, plan: undelivered(made), settings, startRows };
}

/** Each field of each row as JSON text. */
export function textRows(text: string): Subject["startRows"] {
  const rows = JSON.parse(text) as Record<string, Record<string, unknown>[]>;
  return Object.fromEntries(
    Object.entries(rows).map(([name, list]) => [
      name,
      list.map((row) =>
        Object.fromEntries(
          Object.entries(row).map(([field, value]) => [field, JSON.stringify(value)]),
        ),
      ),
    ]),
  );
}

/** All documents that are written down. */
export function writtenSubjects(): readonly Subject[] {
  const assumed = "examples/conduit/assumptions.md";
  const examples = readdirSync(`${ROOT}examples`)
    .filter((name) => existsSync(`${ROOT}examples/${name}/spec.md`))
    .map((name) => subjectOf(name, planOf(`examples/${name}/spec.md`)));
  return [
    ...examples.filter((one) => one.plan.endpoints.length > 0),
    ...(existsSync(ROOT + assumed)
      ? [subjectOf("conduit assumed", planOf("examples/conduit/spec.md", assumed))]
      : []),
    subjectOf("kiosk", planOf("test/corpus/right/kiosk.md")),
    ...(existsSync(`${ROOT}test/crash/spec.md`)
      ? [subjectOf("ledger", planOf("test/crash/spec.md"))]
      : []),
  ];
}

/** The documents of test/six: large, and written by others. */
export function sixSubjects(): readonly Subject[] {
  const names = readdirSync(`${ROOT}test/six`).filter((name) => name.endsWith(".md"));
  return names.map((name) => subjectOf(`six/${name}`, planOf(`test/six/${name}`)));
}

/** A document made at random. */
export function madeSubject(seed: number): Subject {
  return subjectOf(`made ${seed}`, planOfText(documentText(new Random(seed))));
}
