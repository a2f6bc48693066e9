/**
 * Everything that an operator can tell `lacuna serve`, in one table: the flags, the names in the
 * environment, the keys of a configuration file, the help and the documentation are made of it.
 */

/** How the value of an option is written. */
interface OptionEntry {
  /** `yes`: said or not. `list`: several texts; its flag may be named several times. */
  readonly kind: "text" | "number" | "yes" | "list" | "word";
  /** What stands for the value in the help. */
  readonly value?: string;
  /** Words that the value may be. */
  readonly words?: readonly string[];
  /** The smallest number; default 0. */
  readonly least?: number;
  /** The largest number. */
  readonly most?: number;
  /** What the number is. Default: its name says it. */
  readonly noun?: string;
  /** Its name in the environment, where that is not `LACUNA_` and its name in capitals. */
  readonly environment?: string;
  readonly means: string;
}

const PORT_MAX = 65_535;
const THREADS_MAX = 64;

/** The options by their names: `--NAME`, `LACUNA_NAME`, `"NAME": ...`. */
const SERVE_OPTIONS = {
  port: {
    kind: "number",
    value: "n",
    most: PORT_MAX,
    // A cluster may set LACUNA_PORT itself, for a service that is called lacuna.
    environment: "PORT",
    means: "port, 8080 if not named; 0 takes a free one",
  },
  host: {
    kind: "text",
    value: "address",
    means: "address to listen on, 127.0.0.1 if not named",
  },
  data: {
    kind: "text",
    value: "path",
    means: "the database, or `postgres://...`; else `.lacuna/NAME.sqlite` below the current folder",
  },
  memory: { kind: "yes", means: "keep nothing: everything is gone when the service stops" },
  rows: {
    kind: "text",
    value: "file",
    means: "JSON with the rows that the document says are given when the service starts",
  },
  watch: {
    kind: "yes",
    means: "serve the document as it is edited, where the rows that are kept allow that",
  },
  threads: {
    kind: "number",
    value: "n",
    least: 1,
    most: THREADS_MAX,
    noun: "number of threads",
    means: "threads for reads that go through many rows, 1 if not named; each keeps a core busy",
  },
  admin: {
    kind: "text",
    value: "address",
    means:
      "a port for the operator, such as `9090` or `10.0.0.5:9090`; on 127.0.0.1 if no address is " +
      "named",
  },
  otel: {
    kind: "yes",
    means: "write traces by OpenTelemetry's library, where `@opentelemetry/sdk-node` is installed",
  },
  "trust-proxy": {
    kind: "list",
    value: "address",
    means:
      "a proxy, or a network of them, that says in `Forwarded` or `X-Forwarded-For` whose a " +
      "request is; may be named several times",
  },
  log: {
    kind: "word",
    value: "how",
    words: ["text", "json"],
    means: "a line for each request on standard error: `text`, or `json` for other programs",
  },
  assume: {
    kind: "text",
    value: "file",
    means: "assumptions that fill gaps; every answer that one touches says so in `Lacuna-Assumed`",
  },
  code: {
    kind: "text",
    value: "where",
    means: "the code behind calls: an ES module, or an http address",
  },
  "stand-in": {
    kind: "yes",
    means: "in tests: stand-ins answer the calls behind which no code is",
  },
  "allow-private-receivers": {
    kind: "yes",
    means: "send events to loopback, private and link-local addresses too, which are refused else",
  },
  examples: {
    kind: "yes",
    means:
      "answer a request that meets a gap with an example of the document, where it has one; such " +
      "an answer says so in `Lacuna-Example`",
  },
  explain: {
    kind: "yes",
    means:
      "with a store in PostgreSQL: the log tells which statements each transaction has sent, and " +
      "in how many round trips",
  },
  shake: {
    kind: "text",
    value: "seed",
    means:
      "vary what the document leaves free by this seed: to try clients with, for what is made at " +
      "random can be guessed",
  },
} as const satisfies Readonly<Record<string, OptionEntry>>;

export type OptionName = keyof typeof SERVE_OPTIONS;

type ValueOf<E> = E extends { kind: "yes" }
  ? boolean
  : E extends { kind: "number" }
    ? number
    : E extends { kind: "list" }
      ? readonly string[]
      : E extends { kind: "word"; words: readonly (infer W)[] }
        ? W
        : string;

/** What the options say; one that is not there was not told. */
export type ServeSettings = {
  readonly [Name in OptionName]?: ValueOf<(typeof SERVE_OPTIONS)[Name]>;
};

export const OPTION_NAMES = Object.keys(SERVE_OPTIONS) as OptionName[];

/** An option as the table has it. */
export function optionAt(name: OptionName): OptionEntry {
  return SERVE_OPTIONS[name];
}

/** As the command line has it, for commander: `--port <n>`, `--memory`. */
export function flagOf(name: OptionName): string {
  const { value } = optionAt(name);
  return value === undefined ? `--${name}` : `--${name} <${value}>`;
}

/** Its name in the environment. */
export function environmentOf(name: OptionName): string {
  return optionAt(name).environment ?? `LACUNA_${capitals(name)}`;
}

/** A name as the environment has it: in capitals, with `_` for `-`. */
export function capitals(name: string): string {
  return name.toUpperCase().replaceAll("-", "_");
}

/** Reads a value that is written as text; a text with an end in a sentence tells what is wrong. */
export function valueOf(
  name: OptionName,
  text: string,
): { readonly value: boolean | number | string | readonly string[] } | string {
  const { kind, words = [], least = 0, most = 0, noun = name } = optionAt(name);
  switch (kind) {
    case "text":
      return text === "" ? "it is empty" : { value: text };
    case "yes":
      return text === "true" || text === "false"
        ? { value: text === "true" }
        : `\`${text}\` is neither \`true\` nor \`false\``;
    case "word":
      return words.includes(text)
        ? { value: text }
        : `there is no ${name} \`${text}\`; there are ${words.join(", ")}`;
    case "list":
      return text.trim() === "" ? "it is empty" : { value: text.split(",").map((it) => it.trim()) };
    case "number":
      return /^\d{1,10}$/.test(text) && Number(text) >= least && Number(text) <= most
        ? { value: Number(text) }
        : `\`${text}\` is no ${noun}; a ${noun} is a number from ${least} to ${most}`;
  }
}
