/** Edits that are made of the tables of types and of rules, on rows that are there. */
import assert from "node:assert/strict";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { CannotServe, serve } from "../../src/serve/index.ts";
import { type Document, document } from "../serve/document.ts";
import { ask, type Row } from "./base.ts";
import { RULES, type RuleSample, TYPES, type TypeSample, thing } from "./kinds.ts";

/** What became of one edit. */
export interface Edited {
  readonly what: string;
  readonly was: string;
  readonly is: string;
  readonly became: "taken" | "refused";
  /** What is wrong; undefined: nothing is. */
  readonly wrong?: string;
}

const wordsOf = (fault: unknown): string =>
  fault instanceof Error ? fault.message : String(fault);

async function filled(file: string, { plan, origins }: Document, values: readonly unknown[]) {
  const { address, stop } = await serve(plan, { file, origins, inline: true });
  try {
    await ask(address, "/teams", { name: "red" });
    for (const value of values) await ask(address, "/things", { f: value });
  } finally {
    await stop();
  }
}

/** The value that is meant, however it is sent: numbers as texts, moments as milliseconds. */
function meant(value: unknown): unknown {
  if (typeof value === "number") return value > 1e9 ? String(value * 1000) : String(value);
  if (typeof value === "string" && /^\d{4}-\d\d-\d\dT.*Z$/.test(value)) {
    return String(Date.parse(value));
  }
  if (Array.isArray(value)) return value.map(meant);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, meant(one)]));
}

/** Serves the document on a copy of the store; throws where a value is read as another. */
async function tried(
  stored: string,
  { plan, origins }: Document,
  values: readonly unknown[],
): Promise<"taken" | "refused"> {
  const file = `${stored}.try`;
  copyFileSync(stored, file);
  let running: Awaited<ReturnType<typeof serve>>;
  try {
    running = await serve(plan, { file, origins, inline: true });
  } catch (fault) {
    assert.ok(fault instanceof CannotServe, wordsOf(fault));
    assert.match(fault.message, /\((before|now): spec\.md:\d+:\d+/, "the lines");
    return "refused";
  }
  try {
    const rows = (await ask(running.address, "/things")) as Row[];
    const shown = rows.map((row) => meant(row["f"]));
    const thing = plan.resources.find(({ name }) => name === "Thing");
    const kind = thing?.fields.find(({ name }) => name === "f")?.type.type.kind;
    // A secret is shown to nobody.
    if (kind !== "secret") assert.deepEqual(shown, values.map(meant), "what was written");
    return "taken";
  } finally {
    await running.stop();
  }
}

async function edit(
  about: Omit<Edited, "became" | "wrong">,
  run: () => Promise<"taken" | "refused">,
  expected?: "taken" | "refused",
): Promise<Edited> {
  try {
    const became = await run();
    const wrong = expected === undefined || became === expected ? {} : { wrong: `not ${expected}` };
    return { ...about, became, ...wrong };
  } catch (fault) {
    return { ...about, became: "taken", wrong: wordsOf(fault) };
  }
}

const rulesOf = (type: string): string =>
  type.startsWith("secret")
    ? "kept as SHA-256"
    : type.includes("Team")
      ? "deleted with it"
      : "none";

/** Every type in place of every other. `some`: which pairs. */
export async function* retyped(
  folder: string,
  some: (at: number) => boolean = () => true,
): AsyncGenerator<Edited> {
  const samples = Object.values(TYPES).flatMap((one): readonly TypeSample[] =>
    typeof one === "string" ? [] : one,
  );
  const documents = samples.map(({ type }) => document(thing(type, rulesOf(type))));
  for (const [a, { type: was, value }] of samples.entries()) {
    const others = samples.map((_, b) => b).filter((b) => b !== a && some(a * samples.length + b));
    if (others.length === 0) continue;
    const file = join(folder, `type-${a}.sqlite`);
    await filled(file, documents[a] as Document, [value]);
    for (const b of others) {
      const is = samples[b]?.type ?? "";
      const now = documents[b] as Document;
      yield await edit({ what: "another type", was, is }, () => tried(file, now, [value]));
    }
  }
}

/** Every kind of rule added, and taken away, with rows that fit and rows that do not. */
export async function* reruled(
  folder: string,
  some: (kind: string) => boolean = () => true,
): AsyncGenerator<Edited> {
  for (const [kind, sample] of Object.entries(RULES)) {
    if (typeof sample === "string" || !some(kind)) continue;
    yield* ofRule(folder, kind, sample);
  }
}

async function* ofRule(folder: string, kind: string, sample: RuleSample): AsyncGenerator<Edited> {
  const { type, rule, beside, fits, not, isForm } = sample;
  const without = document(thing(type, beside ?? rulesOf(type)));
  const isMore = beside === undefined && rulesOf(type) !== "none" && kind !== "when gone";
  const ruled = isMore ? `${rulesOf(type)}; ${rule}` : rule;
  const create = kind === "counts up" || kind === "random" ? "optional" : "required";
  const given = document(thing(type, ruled, create));
  const form = isForm === true ? "refused" : "taken";
  const name = (which: string): string => join(folder, `rule-${kind}-${which}.sqlite`);
  await filled(name("fits"), without, fits);
  const added = { what: `rule added: ${kind}`, was: type, is: `${type}; ${rule}` };
  yield await edit(added, () => tried(name("fits"), given, fits), form);
  if (not !== undefined) {
    await filled(name("not"), without, not);
    const unfit = { ...added, what: `rule added, a row does not fit: ${kind}` };
    yield await edit(unfit, () => tried(name("not"), given, not), "refused");
  }
  const dropped = { what: `rule dropped: ${kind}`, was: `${type}; ${rule}`, is: type };
  await filled(name("dropped"), given, fits);
  yield await edit(dropped, () => tried(name("dropped"), without, fits), form);
}
