/** Options of campaigns: what is unknown, or no number where one is wanted, ends with exit code 2. */
import { parseArgs } from "node:util";

/** A text, a whole number from 1 on, some with commas between, `2/5`, or whether it is given. */
type Kind = "text" | "count" | "counts" | "part" | "flag";

/** One part of a run that is made in `of` parts; the first is 1. */
interface Part {
  readonly part: number;
  readonly of: number;
}

interface Values {
  readonly text: string | undefined;
  readonly count: number | undefined;
  readonly counts: ReadonlySet<number> | undefined;
  readonly part: Part | undefined;
  readonly flag: boolean;
}

type Given<Kinds extends Readonly<Record<string, Kind>>> = {
  readonly [Name in keyof Kinds]: Values[Kinds[Name]];
};

/** Wrong use of a campaign. */
export class WrongUse extends Error {}

function countOf(name: string, text: string): number {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new WrongUse(`--${name} wants a whole number from 1 on, and \`${text}\` is none.`);
}

function partOf(name: string, text: string): Part {
  const [part = 0, of = 0] = text.split("/").map((one) => countOf(name, one));
  if (part <= of) return { part, of };
  throw new WrongUse(`--${name} wants a part such as 2/5, and \`${text}\` is none.`);
}

const takes: { readonly [K in Kind]: (name: string, given: unknown) => Values[K] } = {
  text: (_, given) => (given === undefined ? undefined : String(given)),
  count: (name, given) => (given === undefined ? undefined : countOf(name, String(given))),
  counts: (name, given) =>
    given === undefined
      ? undefined
      : new Set(
          String(given)
            .split(",")
            .map((one) => countOf(name, one)),
        ),
  part: (name, given) => (given === undefined ? undefined : partOf(name, String(given))),
  flag: (_, given) => given === true,
};

/** Throws `WrongUse`. */
export function optionsIn<const Kinds extends Readonly<Record<string, Kind>>>(
  args: readonly string[],
  kinds: Kinds,
): Given<Kinds> {
  const options = Object.fromEntries(
    Object.entries(kinds).map(([name, kind]) => [
      name,
      { type: kind === "flag" ? ("boolean" as const) : ("string" as const) },
    ]),
  );
  try {
    const { values } = parseArgs({ args: [...args], options, strict: true });
    return Object.fromEntries(
      Object.entries(kinds).map(([name, kind]) => [name, takes[kind](name, values[name])]),
    ) as Given<Kinds>;
  } catch (fault) {
    throw fault instanceof TypeError ? new WrongUse(fault.message) : fault;
  }
}

/** Says what is wrong with the use of a campaign, and ends. */
export function wrongUse(message: string): never {
  console.error(message);
  process.exit(2);
}

/** The options that the command line gives. */
export function campaignOptions<const Kinds extends Readonly<Record<string, Kind>>>(
  kinds: Kinds,
): Given<Kinds> {
  try {
    return optionsIn(process.argv.slice(2), kinds);
  } catch (fault) {
    if (fault instanceof WrongUse) return wrongUse(fault.message);
    throw fault;
  }
}
