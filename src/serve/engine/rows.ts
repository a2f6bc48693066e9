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
import {
  connectionOf,
  keptDocument,
  keptInSchema,
  type OpenStore,
  placeNamed,
  prepareStore,
  StorageFault,
  shownPlace,
} from "../../store/index.ts";
import { digest } from "../crypto/digest.ts";
import { pooledRandom } from "../crypto/random.ts";
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
  readonly lines: AsyncIterable<string>;
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

async function documentOf(file: string): Promise<Pick<Kept, "plan" | "places" | "isServed">> {
  const place = placeNamed(file);
  if ("file" in place) return keptDocument(file);
  return { ...(await keptInSchema(place.postgres)), isServed: true };
}

async function keptOf({ file, resource: name }: RowsOptions): Promise<Kept> {
  const { plan, places, isServed } = await documentOf(file);
  const resource = withClocks(plan).resources.find((one) => one.name === name);
  if (resource === undefined) {
    const names = plan.resources.map((one) => `\`${one.name}\``).join(", ");
    throw new CannotServe([`\`${name}\` is no resource of ${shownPlace(file)}; it has ${names}.`]);
  }
  const at = JSON.parse(places) as Readonly<Record<string, Place>>;
  const placeOf = (item: ItemId): string => {
    const found = at[item];
    return found === undefined ? "" : ` (${found.file}:${found.line}:${found.column})`;
  };
  return { plan, places, isServed, resource, placeOf };
}

/** Opens the store by its own document, and closes it again. */
async function within<T>(
  { file }: RowsOptions,
  { plan, places }: Kept,
  mode: "read" | "write",
  run: (store: OpenStore) => Promise<T>,
): Promise<T> {
  try {
    const place = placeNamed(file);
    const open = prepareStore(plan, { store: place, mode, places });
    const store = open(undefined, undefined, await connectionOf(place));
    try {
      return await run(store);
    } finally {
      store.close();
    }
  } catch (fault) {
    const isMendable = fault instanceof StorageFault || fault instanceof StartRowFault;
    throw isMendable ? new CannotServe(fault.message.split("\n")) : fault;
  }
}

/** So many lines are written at once. */
const LINES_AT_ONCE = 200;
const NONE = "No row was added.";

/** Where printed rows go. */
export interface Printing {
  /** Settles when there is room for further lines. */
  lines(texts: readonly string[]): Promise<void>;
  say(text: string): void;
}

/**
 * Gives the rows of a resource as JSON texts to `lines`, some at a time, and what is in none of
 * them to `say`. A store that is served is read beside. Throws `CannotServe`.
 */
export async function printRows(options: RowsOptions, { lines, say }: Printing): Promise<void> {
  const kept = await keptOf(options);
  const program = compile(kept.plan);
  const ambient: Ambient = {
    ...{ now: options.now, settings: new Map(), digest, hooks: {} },
    random: pooledRandom(),
  };
  await within(options, kept, kept.isServed ? "read" : "write", async (store) => {
    store.begin("read");
    try {
      const printed = program.print(store.session, ambient, options.resource);
      for (const { id, name, type } of printed.hidden) {
        const why = type.type.kind === "secret" ? "is a secret" : "is not shown";
        say(`\`${options.resource}.${name}\` ${why}, and is not printed${kept.placeOf(id)}`);
      }
      let texts: string[] = [];
      for (const text of printed.lines) {
        if (texts.push(text) < LINES_AT_ONCE) continue;
        await lines(texts);
        texts = [];
      }
      if (texts.length > 0) await lines(texts);
    } finally {
      store.rollback();
    }
  });
}

/** So many lines that are wrong are told. */
const REASONS_MAX = 1000;

/** Reads lines; what is wrong with one is among the reasons. */
class LineReader {
  readonly reasons: string[] = [];
  readonly #options: AddOptions;
  readonly #read: ReturnType<typeof rowReader>;
  #line = "";

  constructor(options: AddOptions, { plan, resource, placeOf }: Kept) {
    this.#options = options;
    this.#read = rowReader(resource, namesOf(plan), (at, why, member) => {
      const found = this.#line.indexOf(JSON.stringify(member));
      const field = resource.fields.find((one) => one.name === member);
      const stated = placeOf(field?.id ?? resource.id);
      this.#wrong(`${at}:${member === undefined ? 1 : found + 1}: ${why}${stated}`);
    });
  }

  #wrong(what: string): void {
    if (this.reasons.length < REASONS_MAX) this.reasons.push(`${this.#options.name}:${what}`);
  }

  /** The row on a line; undefined: there is none, or it is wrong. */
  row(text: string, line: number): Members | undefined {
    if (text.trim() === "") return undefined;
    this.#line = text;
    const parsed = parseJson(text);
    if (parsed.ok) return this.#read(parsed.value, String(line));
    this.#wrong(`${line}:${parsed.at + 1}: no JSON: ${parsed.message}`);
    return undefined;
  }
}

/** Which line each row stands on, where blank lines make it another than its place. */
class LinePlaces {
  readonly #skips: { readonly place: number; readonly line: number }[] = [];
  #next = 1;

  note(place: number, line: number): void {
    if (line !== this.#next) this.#skips.push({ place, line });
    this.#next = line + 1;
  }

  lineOf(place: number): number {
    const skip = this.#skips.findLast((one) => one.place <= place);
    return skip === undefined ? place + 1 : skip.line + place - skip.place;
  }
}

/**
 * Adds rows, all or none, judged as the rows are that are given when a service starts; gives how
 * many. Throws `CannotServe`, also where the store is served.
 */
export async function addRows(options: AddOptions): Promise<number> {
  const { file, resource: name, now, environment } = options;
  if (!("file" in placeNamed(file))) {
    throw new CannotServe([
      "Rows are added to a store in a file: copy it there (`lacuna copy`), add them, and copy it " +
        "back.",
    ]);
  }
  const kept = await keptOf(options);
  const { plan, resource, placeOf } = kept;
  const settings = readSettings(plan, settingTexts(plan, {}, environment));
  const random = pooledRandom();
  const hooks: Ambient["hooks"] = {
    hash: (how, secret) => hashSecret(how, secret, random),
    verify: verifySecret,
  };
  const program = compile(plan);
  const ambient: Ambient = { now, settings, digest, hooks, random };
  return await within(options, kept, "write", async (store) => {
    if (store.unfilled.size > 0) {
      throw new CannotServe([`${file} lacks its rows at the start: serve it once before.`]);
    }
    const places = new LinePlaces();
    store.begin("write");
    try {
      const reader = new LineReader(options, kept);
      const rows = program.adding(store.session, ambient, name);
      let [count, line] = [0, 0];
      for await (const text of options.lines) {
        line++;
        const row = reader.row(text, line);
        // What is wrong with further lines is told, too.
        if (row === undefined || reader.reasons.length > 0) continue;
        places.note(count, line);
        count++;
        rows.add(row);
      }
      if (reader.reasons.length > 0) throw new CannotServe([...reader.reasons, NONE]);
      rows.end();
      store.commit();
      return count;
    } catch (fault) {
      store.rollback();
      if (!(fault instanceof StartRowFault)) throw fault;
      const at = fault.place === undefined ? "" : `${places.lineOf(fault.place)}:1: `;
      const what = `${options.name}:${at}${fault.message}${placeOf(resource.id)}`;
      throw new CannotServe([what, NONE]);
    }
  });
}
