/** Prints rows of a store, and adds rows to it, by the document that it keeps. */
import { type ItemId, type Plan, type Resource, withClocks } from "../../plan/index.ts";
import {
  type Ambient,
  compile,
  type Members,
  namesOf,
  parseJson,
  StartRowFault,
} from "../../run/index.ts";
import { keptDocument, type OpenStore, prepareStore, StorageFault } from "../../store/index.ts";
import { pooledRandom } from "../crypto/random.ts";
import { sha256 } from "../crypto/sha256.ts";
import { hashSecret, verifySecret } from "../secrets/secrets.ts";
import { CannotServe } from "../settings/refused.ts";
import { readSettings, rowReader, settingTexts } from "../settings/settings.ts";

export interface RowsOptions {
  readonly file: string;
  readonly resource: string;
  /** Microseconds since 1970-01-01T00:00:00Z. */
  readonly now: bigint;
}

export interface AddOptions extends RowsOptions {
  /** JSON text: an object on each line. */
  readonly text: string;
  /** Name of the text, for what is told of it. */
  readonly name: string;
  /** Where `LACUNA_SETTING_<NAME>` is looked up. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** What a store says of itself. */
interface Kept {
  readonly plan: Plan;
  readonly places: string;
  readonly isServed: boolean;
  readonly resource: Resource;
  placeOf(item: ItemId): string;
}

function keptOf({ file, resource: name }: RowsOptions): Kept {
  const { plan, places, isServed } = keptDocument(file);
  const resource = withClocks(plan).resources.find((one) => one.name === name);
  if (resource === undefined) {
    const names = plan.resources.map((one) => `\`${one.name}\``).join(", ");
    throw new CannotServe([`\`${name}\` is no resource of ${file}; it has ${names}.`]);
  }
  const at = JSON.parse(places) as Readonly<Record<string, Place>>;
  const placeOf = (item: ItemId): string => {
    const found = at[item];
    return found === undefined ? "" : ` (${found.file}:${found.line}:${found.column})`;
  };
  return { plan, places, isServed, resource, placeOf };
}

/** Opens the store by its own document, and closes it again. */
function within<T>(
  { file }: RowsOptions,
  { plan, places }: Kept,
  mode: "read" | "write",
  run: (store: OpenStore) => T,
): T {
  try {
    const store = prepareStore(plan, { store: { file }, mode, places })();
    try {
      return run(store);
    } finally {
      store.close();
    }
  } catch (fault) {
    const isMendable = fault instanceof StorageFault || fault instanceof StartRowFault;
    throw isMendable ? new CannotServe(fault.message.split("\n")) : fault;
  }
}

/**
 * Gives each row of a resource as JSON text to `line`, and what is in none of them to `say`. A
 * store that is served is read beside. Throws `CannotServe`.
 */
export function printRows(
  options: RowsOptions,
  { line, say }: { line(text: string): void; say(text: string): void },
): void {
  const kept = keptOf(options);
  const program = compile(kept.plan);
  const ambient: Ambient = {
    ...{ now: options.now, settings: new Map(), sha256, hooks: {} },
    random: pooledRandom(),
  };
  within(options, kept, kept.isServed ? "read" : "write", (store) => {
    store.begin("read");
    try {
      const printed = program.print(store.session, ambient, options.resource);
      for (const { id, name, type } of printed.hidden) {
        const why = type.type.kind === "secret" ? "is a secret" : "is not shown";
        say(`\`${options.resource}.${name}\` ${why}, and is not printed${kept.placeOf(id)}`);
      }
      for (const text of printed.lines) line(text);
    } finally {
      store.rollback();
    }
  });
}

/** A row that is given, and the line on which it stands. */
interface Given {
  readonly values: Members;
  readonly line: number;
}

function readRows({ text, name }: AddOptions, { plan, resource, placeOf }: Kept): readonly Given[] {
  const reasons: string[] = [];
  const lines = text.split(/\r?\n/);
  const read = rowReader(resource, namesOf(plan), (at, why, member) => {
    const line = Number(at);
    const found = lines[line - 1]?.indexOf(JSON.stringify(member)) ?? -1;
    const field = resource.fields.find((one) => one.name === member);
    const stated = placeOf(field?.id ?? resource.id);
    reasons.push(`${name}:${line}:${member === undefined ? 1 : found + 1}: ${why}${stated}`);
  });
  const rows = lines.flatMap((one, i) => {
    if (one.trim() === "") return [];
    const parsed = parseJson(one);
    if (parsed.ok) return [{ values: read(parsed.value, String(i + 1)), line: i + 1 }];
    reasons.push(`${name}:${i + 1}:${parsed.at + 1}: no JSON: ${parsed.message}`);
    return [];
  });
  if (reasons.length > 0) throw new CannotServe([...reasons, "No row was added."]);
  return rows;
}

/** No two rows of a resource have one name. `added`: how many are new, which stand last. */
function judgeKeys({ session }: OpenStore, { name, key, fields }: Resource, added: number): void {
  const at = fields.findIndex((one) => one.name === key);
  if (at === -1) return;
  const all = session.all(name);
  const first = all.length - added;
  const names = new Set<unknown>();
  for (const [i, { values }] of all.entries()) {
    if (names.has(values[at]) && values[at] !== null && values[at] !== undefined) {
      const fault = new StartRowFault(`there is a row with this \`${key}\` already`);
      throw Object.assign(fault, { place: Math.max(0, i - first) });
    }
    names.add(values[at]);
  }
}

/**
 * Adds rows, all or none, as the rows that are given when a service starts; gives how many. Throws
 * `CannotServe`, also where the store is served.
 */
export function addRows(options: AddOptions): number {
  const { file, resource: name, now, environment } = options;
  const kept = keptOf(options);
  const { plan, resource, placeOf } = kept;
  const rows = readRows(options, kept);
  const settings = readSettings(plan, settingTexts(plan, {}, environment));
  const random = pooledRandom();
  const hooks: Ambient["hooks"] = {
    hash: (how, secret) => hashSecret(how, secret, random),
    verify: verifySecret,
  };
  const program = compile(plan);
  const ambient: Ambient = { now, settings, sha256, hooks, random };
  within(options, kept, "write", (store) => {
    if (store.unfilled.size > 0) {
      throw new CannotServe([`${file} lacks its rows at the start: serve it once before.`]);
    }
    store.begin("write");
    try {
      const given = new Map([[name, rows.map(({ values }) => values)]]);
      const wanted = { given, unfilled: new Set([name]), isWhole: true };
      program.start(store.session, ambient, wanted);
      judgeKeys(store, resource, rows.length);
      store.commit();
    } catch (fault) {
      store.rollback();
      if (!(fault instanceof StartRowFault)) throw fault;
      const line = fault.place === undefined ? undefined : rows[fault.place]?.line;
      const at = line === undefined ? `${options.name}: ` : `${options.name}:${line}:1: `;
      throw new CannotServe([`${at}${fault.message}${placeOf(resource.id)}`, "No row was added."]);
    }
  });
  return rows.length;
}
