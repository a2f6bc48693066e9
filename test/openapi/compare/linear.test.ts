/** No pair of files makes a comparison quadratic, and none makes it run for ever. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { compare } from "../../../src/openapi/index.ts";
import { described } from "../described.ts";

type Json = Readonly<Record<string, unknown>>;

/** The same file twice: before, and with one more text in it. */
type Shape = (size: number, extra: string) => Json;

const times = <T>(size: number, make: (at: number) => T): T[] =>
  Array.from({ length: size }, (_, at) => make(at));

const named = <T>(size: number, make: (at: number) => T): Record<string, T> =>
  Object.fromEntries(times(size, (at) => [`N${at}`, make(at)]));

const ref = (at: number | string): Json => ({ $ref: `#/components/schemas/N${at}` });

/** An operation for each schema that is given, which answers with it. */
function file(schemas: Json, answers: readonly unknown[], more: Json = {}): Json {
  const operation = (schema: unknown, at: number): [string, Json] => [
    `/p${at}`,
    { get: { responses: { 200: { description: "", content: { "a/b": { schema } } } } } },
  ];
  const info = { title: "A", version: "1" };
  const paths = Object.fromEntries(answers.map(operation));
  return { openapi: "3.1.0", info, paths, components: { schemas }, ...more };
}

const text = (extra: string): Json => ({ type: "string", pattern: extra });

const SHAPES: Readonly<Record<string, Shape>> = {
  "one schema for all": (size, extra) =>
    file(
      { N0: text(extra) },
      times(size, () => ref(0)),
    ),
  "a chain of schemas": (size, extra) =>
    file(
      named(size, (at) => (at === size - 1 ? text(extra) : { properties: { a: ref(at + 1) } })),
      times(size, ref),
    ),
  "a chain of allOf": (size, extra) =>
    file(
      named(size, (at) =>
        at === 0
          ? text(extra)
          : { allOf: [ref(at - 1)], properties: { [`m${at}`]: { const: at } } },
      ),
      times(size, ref),
    ),
  "a large base of all": (size, extra) =>
    file(
      {
        ...named(size, () => ({ allOf: [{ $ref: "#/components/schemas/Base" }] })),
        Base: { properties: named(size, () => text(extra)) },
      },
      times(size, ref),
    ),
  "all know all": (size, extra) => {
    const side = Math.round(Math.sqrt(size));
    const all = named(side, ref);
    return file(
      named(side, () => ({ properties: all, pattern: extra })),
      times(side, ref),
    );
  },
  "many alternatives": (size, extra) => {
    const one = (at: number): Json => ({
      title: `t${at % 2}`,
      type: "object",
      pattern: `${at}${extra}`,
    });
    return file({ N0: { oneOf: times(size, one) } }, [ref(0)]);
  },
  "many values": (size, extra) =>
    file({ N0: { enum: times(size, (at) => `${at}${extra}`) } }, [ref(0)]),
  "many alternatives of security": (size, extra) =>
    file({}, [true], { security: times(size, (at) => ({ a: [], [`${extra}${at}`]: [] })) }),
  "siblings of a reference": (size, extra) =>
    file(
      { N0: { properties: named(size, () => text(extra)) } },
      times(size, () => ({ ...ref(0), description: extra })),
    ),
};

/** Milliseconds of processor time, the less of two. */
function costs(shape: Shape, size: number): number {
  const texts = ["a", "b"].map((extra) => JSON.stringify(shape(size, extra)));
  const runs = times(2, () => {
    const [before, now] = texts.map((each) => described(each));
    assert.ok(before && now);
    const begun = process.cpuUsage();
    const { changes } = compare(before, now);
    const { user, system } = process.cpuUsage(begun);
    assert.notEqual(changes.length, 0);
    return (user + system) / 1000;
  });
  return Math.min(...runs);
}

const SIZE = 600;
const TIMES = 4;
/** What is less is not measured well. */
const FLOOR_MS = 12;

for (const [name, shape] of Object.entries(SHAPES)) {
  test(`${TIMES} times the size costs no more than it must: ${name}`, () => {
    const [small, large] = [costs(shape, SIZE), costs(shape, TIMES * SIZE)];
    const most = 2.5 * TIMES * Math.max(small, FLOOR_MS);
    assert.ok(large < most, `${small.toFixed(0)} ms, then ${large.toFixed(0)} ms`);
  });
}

test("what is too much to be counted is told all the same", () => {
  const size = 6000;
  const chain = SHAPES["a chain of schemas"] as Shape;
  const [before, now] = ["a", "b"].map((extra) => described(JSON.stringify(chain(size, extra))));
  assert.ok(before && now);
  const { changes, isCut } = compare(before, now);
  assert.equal(isCut, true);
  assert.equal(changes.length, 1);
  assert.ok((changes[0]?.operations ?? 0) > 0);
});

test("references in a circle end, and what differs in it is told once", () => {
  const circle = (extra: string): string =>
    JSON.stringify(
      file(
        {
          N0: { properties: { a: ref(1), b: ref(0) }, allOf: [ref(2)] },
          N1: { oneOf: [ref(0), ref(1)], items: ref(0) },
          N2: { allOf: [ref(0), ref(2)], properties: { c: text(extra) } },
          N3: ref(3),
        },
        [ref(0), ref(1), ref(2), ref(3)],
      ),
    );
  const { changes } = compare(described(circle("a")), described(circle("b")));
  assert.deepEqual(
    changes.map(({ kind, about, operations }) => [kind, about, operations]),
    [["rule of an answer changed", "N2.c", 3]],
  );
});
