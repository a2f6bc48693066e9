/** All cells: places by types with their tails, columns and rules. */
import { DOORS, givenCase } from "./given.ts";
import type { Cell } from "./judge.ts";
import { ruleSamples } from "./rules.ts";
import {
  type Columns,
  type Slot,
  slotOf,
  TAILS,
  type Tail,
  USUAL,
  WRAPS,
  type Wrap,
} from "./slot.ts";
import { type Case, HOLDERS, storedCase } from "./stored.ts";
import { type StartRows, settingCase, startCase, wrongStartCase } from "./supplied.ts";
import { typeSamples } from "./types.ts";
import { USES, usedCase } from "./used.ts";

/** A place that takes a slot and gives a document with its traffic. */
export interface Place {
  readonly name: string;
  /** Whether values are kept there: columns and rules of storing mean something. */
  readonly isStored: boolean;
  /** Whether rules may stand beside it, and whether it may be left out. */
  readonly hasRow: boolean;
  /** Whether every combination is tried; else those that differ from place to place. */
  readonly isWhole: boolean;
  /** Whether it stands on a literal, which not every type has. */
  readonly isLiteral?: boolean;
  /** Which of the wrong values of a type stands there. */
  readonly wrongAt?: number;
  make(slot: Slot): Case;
}

const STARTS: readonly StartRows[] = ["block", "given", "kept inside", "fixed"];

/** Places in which every combination is tried. */
const WHOLE = new Set(["field", "part", "query", "body row", "form"]);

export function places(): readonly Place[] {
  return [
    ...Object.entries(HOLDERS).map(([name, holder]) => ({
      name,
      isStored: true,
      hasRow: true,
      isWhole: WHOLE.has(name),
      make: (slot: Slot) => storedCase(slot, holder),
    })),
    ...Object.entries(DOORS).map(([name, door]) => ({
      name,
      isStored: false,
      hasRow: door.rows !== undefined,
      isWhole: WHOLE.has(name),
      make: (slot: Slot) => givenCase(slot, door),
    })),
    ...Object.entries(USES).map(([name, use]) => ({
      name,
      isStored: true,
      hasRow: false,
      isWhole: false,
      isLiteral: use.needsLiteral === true,
      make: (slot: Slot) => usedCase(slot, use),
    })),
    ...[0, 1].map((at) => ({
      name: `setting ${at + 1}`,
      isStored: false,
      hasRow: false,
      isWhole: false,
      make: (slot: Slot) => settingCase(slot, at),
    })),
    ...STARTS.map((how) => ({
      name: `start rows, ${how}`,
      isStored: true,
      hasRow: true,
      isWhole: false,
      make: (slot: Slot) => startCase(slot, how),
    })),
    ...[0, 1, 2].map((at) => ({
      name: `wrong start row ${at + 1}`,
      isStored: true,
      hasRow: false,
      isWhole: false,
      wrongAt: at,
      make: (slot: Slot) => wrongStartCase(slot, at),
    })),
  ];
}

/** A secret is not shown: Read says so. An id is made by the service. */
function columnsFor(id: string, place: Place, { tail, wrap }: { tail: Tail; wrap: Wrap }): Columns {
  const create = tail.orAbsent ? "optional" : "required";
  if (!place.isStored) return { ...USUAL, create };
  if (id === "secret") return { ...USUAL, create, read: "no" };
  if (wrap !== "plain") return { ...USUAL, create };
  if (id === "id" || id === "id prefix" || (id === "state" && place.name === "field"))
    return { create: "no", update: "no", read: "yes" };
  return { ...USUAL, create };
}

/** Types that behave in a way of their own inside a list or a map. */
const NESTED = new Set(["string", "secret", "named", "reference as", "json", "id", "file"]);

function isTried({ isWhole }: Place, id: string, wrap: Wrap, tail: number): boolean {
  if (wrap === "plain") return true;
  if (wrap === "list of lists" || wrap === "map of lists") return NESTED.has(id) && tail === 0;
  return isWhole ? tail !== 3 : NESTED.has(id) && tail < 2;
}

function typeCells(place: Place): readonly Cell[] {
  return Object.entries(typeSamples).flatMap(([id, samples]) =>
    samples.flatMap((sample) =>
      WRAPS.flatMap((wrap: Wrap) =>
        TAILS.filter((_, i) => isTried(place, id, wrap, i)).map((tail): Cell => {
          const columns = columnsFor(id, place, { tail, wrap });
          const slot = slotOf({ sample, wrap, tail, columns, isMade: columns.create === "no" });
          return {
            name: `${place.name} / type / ${slot.type}`,
            slot,
            make: () => place.make(slot),
          };
        }),
      ),
    ),
  );
}

const CREATES: readonly Columns["create"][] = ["required", "optional", "required when", "no"];
const UPDATES: readonly Columns["update"][] = [
  "required",
  "optional",
  "required when",
  "no",
  "merged",
];
const READS: readonly Columns["read"][] = ["yes", "no", "on create", "actors"];
const COLUMN_TYPES: readonly (readonly [id: string, at: number])[] = [
  ["string", 0],
  ["secret", 0],
  ["json", 0],
  ["map", 0],
  ["named", 0],
  ["named", 1],
];

/** Two columns that are not as usual are mixed everywhere for text and secrets; three in few places. */
function isMixed(
  { isWhole }: Place,
  [id, create, update, read]: readonly [string, string, string, string],
  orAbsent: boolean,
): boolean {
  const odd = [
    create !== "required",
    update !== "optional",
    read !== (id === "secret" ? "no" : "yes"),
  ];
  const count = odd.filter(Boolean).length;
  if (orAbsent !== (create === "optional" || create === "required when"))
    return isWhole && count < 2;
  return count < 2 || (isWhole && (id === "string" || id === "secret" || count < 3));
}

function columnCells(place: Place): readonly Cell[] {
  return COLUMN_TYPES.flatMap(([id, at]) =>
    CREATES.flatMap((create) =>
      UPDATES.flatMap((update) =>
        READS.flatMap((read) =>
          [false, true].flatMap((orAbsent): Cell[] => {
            const sample = typeSamples[id]?.[at];
            if (sample === undefined || !isMixed(place, [id, create, update, read], orAbsent))
              return [];
            const slot = slotOf({
              sample,
              tail: { orNull: false, orAbsent },
              columns: { create, update, read },
            });
            const name = `${place.name} / columns / ${slot.type}, ${create}, ${update}, ${read}`;
            return [{ name, slot, make: () => place.make(slot) }];
          }),
        ),
      ),
    ),
  );
}

function neededCells(place: Place): readonly Cell[] {
  return ["string", "integer", "json", "list"].flatMap((id) =>
    (["required", "optional"] as const).flatMap((create) =>
      TAILS.map((tail): Cell => {
        const sample = typeSamples[id]?.[0] as NonNullable<(typeof typeSamples)[string]>[number];
        const slot = slotOf({ sample, tail, columns: { ...USUAL, create } });
        const name = `${place.name} / columns / ${slot.type}, ${create}`;
        return { name, slot, make: () => place.make(slot) };
      }),
    ),
  );
}

function ruleCells(place: Place): readonly Cell[] {
  return Object.entries(ruleSamples).flatMap(([id, samples]) =>
    samples.map((one): Cell => {
      const columns = one.columns ?? USUAL;
      const slot: Slot = {
        ...slotOf({ sample: one.type, columns, rules: [one.text], ...one.of }),
      };
      return {
        name: `${place.name} / rule / ${id}: ${one.text} on ${slot.type}, ${columns.create}`,
        slot,
        make: () => place.make(slot),
      };
    }),
  );
}

/** Every cell once, in the order of the places. */
export function allCells(): readonly Cell[] {
  const cells = places().flatMap((place) => [
    ...typeCells(place).filter(
      ({ slot }) =>
        (!place.isLiteral || slot.literal !== undefined) &&
        (place.wrongAt === undefined || slot.wrong[place.wrongAt] !== undefined),
    ),
    ...(place.isStored && place.hasRow ? columnCells(place) : []),
    ...(place.hasRow && !place.isStored ? neededCells(place) : []),
    ...(place.hasRow ? ruleCells(place) : []),
  ]);
  return [...new Map(cells.map((one) => [one.name, one])).values()];
}
