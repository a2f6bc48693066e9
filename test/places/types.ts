/** For every type of the table: how it is written, right values, wrong ones, and a literal. */
import { types, typeTails } from "../../src/language/types.ts";

export interface Right {
  /** JSON text as it is sent. */
  readonly json: string;
  /** JSON text as it is shown; undefined: as it is sent. */
  readonly shown?: string;
}

/** JSON text that is refused, and the condition that refuses it. */
export type Wrong = readonly [json: string, condition: string];

export interface TypeSample {
  /** As it stands in a Type cell. */
  readonly text: string;
  /** At least two values that differ. */
  readonly right: readonly Right[];
  readonly wrong: readonly Wrong[];
  /** An expression without names that has this type; none where the language has no such literal. */
  readonly literal?: { readonly expression: string; readonly shown: string };
  /** Never shown to anybody. */
  readonly isSecret?: true;
  /** What the frame needs besides. */
  /** Shown in another form than it is sent. */
  readonly isShownElse?: true;
  readonly needs?: "rows" | "part" | "machine" | "events";
}

const right = (json: string, shown?: string): Right =>
  shown === undefined ? { json } : { json, shown };
const text = (value: string, shown?: string): Right =>
  right(JSON.stringify(value), shown === undefined ? undefined : JSON.stringify(shown));
const wrongType = (...all: readonly string[]): readonly Wrong[] =>
  all.map((one) => [one, "wrong type"] as const);
const NINES = "9".repeat(38);

type Made = Omit<TypeSample, "text">;

const sample = (written: string, made: Made): TypeSample => ({ text: written, ...made });

const instants = (written: string, fraction: string): TypeSample =>
  sample(written, {
    right: [
      text("2026-01-02T03:04:05Z", `2026-01-02T03:04:05${fraction}Z`),
      text("0001-01-01T00:00:00+00:00", `0001-01-01T00:00:00${fraction}Z`),
      text("2026-03-29T02:30:00+02:00", `2026-03-29T00:30:00${fraction}Z`),
    ],
    wrong: wrongType(
      "1",
      '"2026-01-02"',
      '"2026-01-02T03:04:60Z"',
      '"2026-01-02T03:04:05.1234567Z"',
    ),
    literal: {
      expression: 'timestamp("2026-01-02T03:04:05Z")',
      shown: `"2026-01-02T03:04:05${fraction}Z"`,
    },
  });

/** The place of a type's form in the table names its samples. */
export const typeSamples: Readonly<Record<string, readonly TypeSample[]>> = {
  string: [
    sample("string", {
      right: [text("a"), text(""), text('Zoë 𝔘 "q" \\ \u0001')],
      wrong: wrongType("1", "true", "[]", '{"a":"b"}'),
      literal: { expression: '"word"', shown: '"word"' },
    }),
  ],
  "integer string": [
    sample("integer as string", {
      right: [text("12"), text("0"), text(`-${NINES}`)],
      wrong: wrongType("12", '"1.5"', '"01"', '"-0"', `"1${NINES}"`, '""'),
      literal: { expression: "7", shown: '"7"' },
    }),
  ],
  integer: [
    sample("integer", {
      right: [right("12"), right("0"), right(`-${NINES}`)],
      wrong: wrongType('"12"', "1.5", "1e3", `1${NINES}`, "true", "[]"),
      literal: { expression: "7", shown: "7" },
    }),
  ],
  "decimal string": [
    sample("decimal 2 as string", {
      right: [text("1.50"), text("0.00"), text("-12345678901234567890.05")],
      wrong: wrongType('"1.5"', '"1.505"', "1.50", '"-0.00"', `"${NINES}.00"`),
      literal: { expression: "1.25", shown: '"1.25"' },
    }),
  ],
  decimal: [
    sample("decimal 2", {
      right: [right("1.5", "1.50"), right("0", "0.00"), right("-7.25")],
      wrong: wrongType('"1.50"', "1.505", "1e1", `${NINES}.00`),
      literal: { expression: "1.25", shown: "1.25" },
    }),
  ],
  number: [
    sample("number", {
      right: [right("1.5"), right("0"), right("1e-7"), right("10.0", "10")],
      wrong: wrongType('"1.5"', "1e400", "true"),
      literal: { expression: "2.5e0", shown: "2.5" },
    }),
  ],
  boolean: [
    sample("boolean", {
      right: [right("true"), right("false")],
      wrong: wrongType("1", '"true"', "[]"),
      literal: { expression: "true", shown: "true" },
    }),
  ],
  "timestamp seconds": [
    sample("timestamp as unix seconds", {
      right: [right("1700000000"), right("0"), right("-1")],
      wrong: wrongType('"1700000000"', "1.5", "99999999999999"),
      literal: { expression: 'timestamp("2026-01-02T03:04:05Z")', shown: "1767323045" },
    }),
  ],
  "timestamp milliseconds": [
    sample("timestamp as unix milliseconds", {
      right: [right("1700000000123"), right("0"), right("-1")],
      wrong: wrongType('"1700000000123"', "1.5", "99999999999999999"),
      literal: { expression: 'timestamp("2026-01-02T03:04:05Z")', shown: "1767323045000" },
    }),
  ],
  "timestamp in": [
    instants("timestamp in seconds", ""),
    instants("timestamp in microseconds", ".000000"),
  ],
  timestamp: [instants("timestamp", ".000")],
  date: [
    sample("date", {
      right: [text("2024-02-29"), text("0001-01-01"), text("9999-12-31")],
      wrong: wrongType('"2026-02-29"', '"2026-1-1"', "20260101", '"2026-01-01T00:00:00Z"'),
      literal: { expression: 'date("2024-02-29")', shown: '"2024-02-29"' },
    }),
  ],
  duration: [
    sample("duration", {
      right: [text("P1DT2H", "PT93600S"), text("PT0.5S"), text("PT0S")],
      wrong: wrongType('"1h"', "60", '"P1M"', '"PT0.0000001S"'),
      literal: { expression: 'duration("90s")', shown: '"PT90S"' },
    }),
  ],
  "time zone": [
    sample("time zone", {
      right: [text("Europe/Berlin"), text("UTC")],
      wrong: wrongType('"Nowhere/Else"', "1"),
    }),
  ],
  email: [
    sample("email", {
      right: [text("a.b@example.com"), text("Q@x.example")],
      wrong: wrongType('"no"', '"a@"', "1"),
    }),
  ],
  uri: [
    sample("uri", {
      right: [text("https://a.example/x?y#z"), text("urn:isbn:1")],
      wrong: wrongType('"/x"', '"a b"', "1"),
    }),
  ],
  uuid: [
    sample("uuid", {
      right: [
        text("0E37DF36-f698-11e6-8dd4-cb9ced3df976", "0e37df36-f698-11e6-8dd4-cb9ced3df976"),
        text("00000000-0000-0000-0000-000000000000"),
      ],
      wrong: wrongType('"0e37df36"', "1"),
    }),
  ],
  "id prefix": [
    sample("id `ord_`", {
      right: [text("ord_abc"), text("ord_1")],
      wrong: wrongType('"abc"', "1"),
    }),
  ],
  id: [sample("id", { right: [text("abc"), text("1")], wrong: wrongType("1") })],
  secret: [
    sample("secret", {
      right: [text("geheim-eins"), text("geheim-zwei")],
      wrong: wrongType("1", "[]"),
      isSecret: true,
    }),
  ],
  "one of": [
    sample("one of `red`, `green-ish`", {
      right: [text("red"), text("green-ish")],
      wrong: [...wrongType("1"), ['"blue"', "not one of"]],
      literal: { expression: '"red"', shown: '"red"' },
    }),
  ],
  list: [
    sample("list of string", {
      right: [right('["b","a"]'), right("[]"), right('["a","a"]')],
      wrong: wrongType('"a"', "{}", "[1]"),
      literal: { expression: '["x"]', shown: '["x"]' },
    }),
  ],
  map: [
    sample("map of integer", {
      right: [right('{"b":1,"a":2}'), right("{}"), right('{"":3}')],
      wrong: wrongType("[]", '"a"', '{"a":"b"}'),
      literal: { expression: '{"k": 1}', shown: '{"k":1}' },
    }),
  ],
  json: [
    sample("json", {
      right: [
        right('{"b":1.50,"a":[null,{"x":12345678901234567890.10}]}'),
        right('{"b":1.5,"a":[null,{"x":-2}]}'),
        right('"x"'),
        right("[]"),
        right("0"),
      ],
      wrong: [],
      literal: { expression: '{"a": [1]}', shown: '{"a":[1]}' },
    }),
  ],
  schema: [
    sample('schema `{"maxLength":3,"type":"string"}`', {
      right: [text("abc"), text("Zo𝔘")],
      wrong: wrongType("1", '"abcd"', '["a"]', "{}"),
    }),
  ],
  file: [
    sample("file", {
      right: [text("data:text/plain;base64,aGk="), text("data:image/png;base64,")],
      wrong: wrongType('"aGk="', "1"),
    }),
  ],
  state: [
    sample("state", {
      right: [text("open"), text("shut")],
      wrong: [...wrongType("1"), ['"ajar"', "not one of"]],
      literal: { expression: '"open"', shown: '"open"' },
      needs: "machine",
    }),
  ],
  "event name": [
    sample("event name", {
      right: [text("thing.made"), text("thing.gone")],
      wrong: [...wrongType("1"), ['"thing.lost"', "not one of"]],
      needs: "events",
    }),
  ],
  "error name": [
    sample("error name", {
      right: [text("taken"), text("invalid")],
      wrong: [...wrongType("1"), ['"unheard"', "not one of"]],
    }),
  ],
  "reference as": [
    sample("`Other` as `OtherView`", {
      right: [text("o1"), text("o2")],
      wrong: wrongType("1"),
      needs: "rows",
      isShownElse: true,
    }),
  ],
  named: [
    sample("`Other`", {
      right: [text("o1"), text("o2")],
      wrong: wrongType("1", "[]"),
      needs: "rows",
    }),
    sample("`Inner`", {
      right: [
        right('{"x":1,"y":"b"}'),
        right('{"x":2}'),
        right('{"y":"c","x":0}', '{"x":0,"y":"c"}'),
      ],
      wrong: [
        ...wrongType('"a"', "[]", '{"x":"b"}'),
        ['{"y":"c"}', "absent"],
        ['{"x":null}', "null"],
        ['{"x":1,"z":1}', "unknown member"],
      ],
      literal: { expression: '{"x": 3, "y": "lit"}', shown: '{"x":3,"y":"lit"}' },
      needs: "part",
    }),
  ],
};

/** Words behind a type, by their place in the table. */
export const tailTexts: Readonly<Record<string, string>> = {
  "or null": " or null",
  "or absent": " or absent",
};

/** Entries of the tables that have no sample: a form added later fails the test at once. */
export function typesWithoutSample(): readonly string[] {
  return [
    ...types.filter(({ id }) => (typeSamples[id] ?? []).length === 0),
    ...typeTails.filter(({ id }) => tailTexts[id] === undefined),
  ].map(({ id }) => id);
}
