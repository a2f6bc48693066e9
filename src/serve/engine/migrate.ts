/** Migrates a store from one document to another, by what is decided of what they do not tell. */
import { type Renamed, type Subject, subjectText } from "../../change/index.ts";
import type { Code } from "../../expr/index.ts";
import { clockField, hasClock, type Plan, withStreams } from "../../plan/index.ts";
import { type Ambient, compile, EvaluationFault, GapFault, type Program } from "../../run/index.ts";
import {
  type Decisions,
  type Outlook,
  placeNamed,
  prepareStore,
  rehoused,
  Stopped,
  StorageFault,
  shownPlace,
  type Valued,
} from "../../store/index.ts";
import { digest } from "../crypto/digest.ts";
import { pooledRandom } from "../crypto/random.ts";
import { hashSecret, verifySecret } from "../secrets/secrets.ts";
import { CannotServe } from "../settings/refused.ts";
import { readSettings, settingTexts } from "../settings/settings.ts";
import { retold } from "../streams/reader.ts";
import { firstValue } from "./first-value.ts";

/** A document: its plan, and the JSON text of where its items stand. */
export interface Planned {
  readonly plan: Plan;
  readonly origins: string;
}

/** What is decided of one thing. */
export interface Decision {
  readonly subject: Subject;
  readonly what:
    | { readonly is: "renamed"; readonly from: string }
    | { readonly is: "dropped" }
    /** Code over `it`, a row as the first document has it. */
    | { readonly is: "value"; readonly code: Code };
}

export interface MigrateOptions {
  readonly file: string;
  readonly before: Planned;
  readonly now: Planned;
  readonly decisions: readonly Decision[];
  /** The file of the copy that is made before; it is not there yet. */
  readonly backup: string;
  readonly isDry: boolean;
  /** Microseconds since 1970-01-01T00:00:00Z: `now` in expressions. */
  readonly at: bigint;
  /** Where `LACUNA_SETTING_<NAME>` is looked up. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export type Migrated =
  /** The store is one of the second document already. */
  | { readonly is: "done before" }
  /** Some changes ask for a decision. */
  | { readonly is: "open"; readonly outlook: Extract<Outlook, { readonly is: "changes" }> }
  | {
      readonly is: "done" | "dry";
      readonly outlook: Extract<Outlook, { readonly is: "changes" }>;
      readonly said: readonly string[];
      /** Where the store stays as it was; "" where it is as it was. */
      readonly kept: string;
    };

function ambientOf(plan: Plan, { at, environment }: MigrateOptions): Ambient {
  const random = pooledRandom();
  const settings = readSettings(plan, settingTexts(plan, {}, environment));
  const hash: Ambient["hooks"]["hash"] = (how, secret) => hashSecret(how, secret, random);
  return { now: at, random, digest, settings, hooks: { hash, verify: verifySecret } };
}

/** The name of the field for which a value is decided: a time that a transition has is one, too. */
function fieldOf({ machines }: Plan, subject: Subject): readonly [string, string] | undefined {
  if (subject.is === "field") return [subject.holder, subject.field];
  if (subject.is !== "transition") return undefined;
  const machine = machines.find((one) => one.resource === subject.resource);
  const found = machine?.transitions.find(
    (one) => one.name === subject.transition && hasClock(one),
  );
  return found && [subject.resource, clockField(found)];
}

/** Says of which row it is that a value cannot be made. */
function valued(subject: Subject, run: Valued): Valued {
  return (session, row) => {
    try {
      return run(session, row);
    } catch (fault) {
      if (!(fault instanceof EvaluationFault || fault instanceof GapFault)) throw fault;
      const where = `row ${row.key} of \`${row.resource}\``;
      throw new StorageFault(
        "MIGRATION",
        `the value of ${subjectText(subject)} cannot be made of ${where}: ${fault.message}`,
      );
    }
  };
}

interface Programs {
  readonly before: ReturnType<Program["kept"]>;
  readonly now: ReturnType<Program["kept"]>;
}

function decisionsOf({ decisions, now }: MigrateOptions, programs: Programs): Decisions {
  const renamed: Renamed[] = [];
  const dropped: Subject[] = [];
  const values: { subject: Subject; value: Valued }[] = [];
  for (const { subject, what } of decisions) {
    if (what.is === "renamed") renamed.push({ subject, from: what.from });
    else if (what.is === "dropped") dropped.push(subject);
    else {
      const field = fieldOf(now.plan, subject);
      if (field === undefined) throw new Error(`${subjectText(subject)} has no value`);
      const evaluate = programs.before.evaluate(what.code);
      const stored = programs.now.stored(...field);
      const run: Valued = (session, row) => stored(session, evaluate(session, row));
      values.push({ subject, value: valued(subject, run) });
    }
  }
  return { renamed, dropped, values };
}

/**
 * Migrates a store, wherever it is: all is done or nothing is. Rejects with `CannotServe` for what
 * the operator can mend. `say` is told how far it is.
 */
export async function migrateStore(
  options: MigrateOptions,
  say: (text: string) => void,
): Promise<Migrated> {
  const place = placeNamed(options.file);
  if ("file" in place) return migrateFile(options);
  let meanwhile = "";
  try {
    const { made, kept = "" } = await rehoused(place.postgres, {
      run: (file) => {
        meanwhile = file;
        return migrateFile({ ...options, file, backup: `${file}.before` });
      },
      isDone: ({ is }) => is === "done",
      say,
    });
    return made.is === "done" ? { ...made, kept: `the schema ${kept}` } : made;
  } catch (fault) {
    if (fault instanceof StorageFault) throw new CannotServe([fault.message]);
    if (!(fault instanceof CannotServe) || meanwhile === "") throw fault;
    const own = fault.reasons.map((one) => one.replaceAll(meanwhile, shownPlace(options.file)));
    throw new CannotServe(own, fault.code);
  }
}

/** Migrates a file in one transaction, with a copy before it. Throws as `migrateStore` rejects. */
function migrateFile(options: MigrateOptions): Migrated {
  const { file, isDry, backup, at } = options;
  const [before, now] = [withStreams(options.before.plan), withStreams(options.now.plan)];
  const programs = {
    before: compile(before).kept(ambientOf(before, options)),
    now: compile(now).kept(ambientOf(now, options)),
  };
  let outlook: Outlook | undefined;
  const open = prepareStore(now, {
    ...{ store: { file }, mode: "write", first: firstValue, retell: retold },
    places: options.now.origins,
    migration: {
      decisions: decisionsOf(options, programs),
      from: { plan: before, places: options.before.origins },
      ...{ isDry, backup: { to: backup, takenAt: new Date(Number(at / 1000n)).toISOString() } },
      look: (found) => {
        outlook = found;
        return found.is === "changes" && found.all.every((one) => !one.isOpen);
      },
    },
  });
  try {
    const store = open(programs.now);
    store.close();
    if (outlook?.is !== "changes") throw new Error("a store was migrated unseen");
    return { is: "done", outlook, said: store.said, kept: backup };
  } catch (fault) {
    if (fault instanceof Stopped && outlook !== undefined) return stoppedWith(outlook, isDry);
    if (!(fault instanceof StorageFault)) throw fault;
    const isUnfit = fault.code === "SCHEMA" || fault.code === "MIGRATION";
    throw new CannotServe([fault.message], isUnfit ? "UNFIT" : undefined);
  }
}

function stoppedWith(outlook: Outlook, isDry: boolean): Migrated {
  if (outlook.is === "done before") return outlook;
  const isOpen = outlook.all.some((one) => one.isOpen);
  return isOpen || !isDry ? { is: "open", outlook } : { is: "dry", outlook, said: [], kept: "" };
}
