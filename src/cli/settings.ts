/**
 * What an operator tells `lacuna serve`, from the flags, the environment and a configuration file,
 * in this order of precedence: each option and each bound is taken from the first that names it.
 */
import { nearest } from "../base/index.ts";
import type { HostBounds } from "../serve/index.ts";
import { BOUND_PREFIX, boundInEnvironment, boundOf } from "./bounds.ts";
import type { Configured } from "./config.ts";
import {
  environmentOf,
  OPTION_NAMES,
  type OptionName,
  optionAt,
  type ServeSettings,
  valueOf,
} from "./serve-options.ts";

type Value = boolean | number | string | readonly string[];

/** One source of settings: what it names, each with where it stands, for messages. */
interface Source {
  readonly options: ReadonlyMap<OptionName, Said>;
  readonly bounds: readonly SaidBound[];
}

interface Said {
  readonly text: Value;
  readonly place: string;
}

interface SaidBound {
  readonly name: string;
  readonly text: string;
  readonly place: string;
}

/** What holds of all that was told. */
export interface Settled {
  readonly settings: ServeSettings;
  readonly bounds: Partial<HostBounds>;
}

/** The flags as commander gives them: by names in camel case. */
export type Flags = Readonly<Record<string, unknown>> & {
  readonly bound?: readonly string[];
  readonly config?: string;
};

/** Takes each option and bound from the first source that names it; texts tell what is wrong. */
export function settled(
  flags: Flags,
  environment: Readonly<Record<string, string | undefined>>,
  file?: Configured,
): Settled | readonly string[] {
  const wrong: string[] = [];
  const fromEnvironment = ofEnvironment(environment, wrong);
  const sources = [ofFlags(flags), fromEnvironment, ...(file ? [ofFile(file, wrong)] : [])];
  const settings: Partial<Record<OptionName, Value>> = {};
  const bounds: Partial<Record<keyof HostBounds, number>> = {};
  // The last that is taken wins.
  for (const source of sources.toReversed()) {
    for (const [name, { text, place }] of source.options) {
      const read = typeof text === "string" ? valueOf(name, text) : { value: text };
      if (typeof read === "string") wrong.push(`${place}: ${read}`);
      else settings[name] = read.value;
    }
    for (const { name, text, place } of source.bounds) {
      const set = boundOf(name, text);
      if (typeof set === "string") wrong.push(`${place}: ${set}`);
      else bounds[set.key] = set.value;
    }
  }
  return wrong.length > 0 ? wrong : { settings: settings as ServeSettings, bounds };
}

function camel(name: string): string {
  return name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

function ofFlags(flags: Flags): Source {
  const options = new Map<OptionName, Said>();
  for (const name of OPTION_NAMES) {
    const text = flags[camel(name)] as Value | undefined;
    if (text !== undefined) options.set(name, { text, place: `\`--${name}\`` });
  }
  const bounds = (flags.bound ?? []).map((one) => {
    const at = one.indexOf("=");
    const [name, text] = at < 0 ? [one, ""] : [one.slice(0, at), one.slice(at + 1)];
    return { name, text, place: `\`--bound ${one}\`` };
  });
  return { options, bounds };
}

/**
 * Other names that begin with `LACUNA_` are let be: a cluster sets such names of its own for a
 * service that is called lacuna.
 */
function ofEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  wrong: string[],
): Source {
  const options = new Map<OptionName, Said>();
  for (const name of OPTION_NAMES) {
    const text = environment[environmentOf(name)];
    if (text !== undefined) options.set(name, { text, place: environmentOf(name) });
  }
  const bounds: SaidBound[] = [];
  for (const [variable, text] of Object.entries(environment)) {
    if (!variable.startsWith(BOUND_PREFIX) || text === undefined) continue;
    const bound = boundInEnvironment(variable);
    if (typeof bound === "string") wrong.push(bound);
    else bounds.push({ name: bound.name, text, place: variable });
  }
  return { options, bounds };
}

/** The key of a configuration file below which the bounds stand. */
const BOUNDS_KEY = "bounds";

function ofFile({ members }: Configured, wrong: string[]): Source {
  const options = new Map<OptionName, Said>();
  const bounds: SaidBound[] = [];
  for (const { path, place, value } of members) {
    const [key = "", inner] = path;
    const name = OPTION_NAMES.find((one) => one === key);
    if (key === BOUNDS_KEY) {
      if (inner !== undefined && typeof value === "number") {
        bounds.push({ name: inner, text: String(value), place });
      } else if (inner !== undefined) wrong.push(`${place}: \`${inner}\` is to be a number`);
      else if (!isEmptyObject(value)) wrong.push(`${place}: \`bounds\` is to be an object`);
    } else if (name !== undefined && inner === undefined && isOfKind(name, value)) {
      options.set(name, { text: typeof value === "number" ? String(value) : value, place });
    } else if (name !== undefined) wrong.push(`${place}: \`${key}\` is to be ${kindOf(name)}`);
    else wrong.push(`${place}: there is no option \`${key}\`${hintFor(key)}`);
  }
  return { options, bounds };
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function hintFor(key: string): string {
  const near = nearest(key, [...OPTION_NAMES, BOUNDS_KEY]);
  return near === undefined ? "" : `; did you mean \`${near}\`?`;
}

function isOfKind(name: OptionName, value: unknown): value is Value {
  const { kind } = optionAt(name);
  switch (kind) {
    case "yes":
      return typeof value === "boolean";
    case "number":
      return typeof value === "number";
    case "list":
      return Array.isArray(value) && value.every((one) => typeof one === "string");
    case "text":
    case "word":
      return typeof value === "string";
  }
}

function kindOf(name: OptionName): string {
  const { kind } = optionAt(name);
  switch (kind) {
    case "yes":
      return "`true` or `false`";
    case "number":
      return "a number";
    case "list":
      return "a list of texts";
    case "text":
    case "word":
      return "a text";
  }
}
