/** What one work does not know of rows, since a time has met a gap, or may meet one at any time. */
import { type Doubt, doubtsOf, durationOf, type ItemId, type Touch } from "../../plan/index.ts";
import { GapFault } from "../evaluate/index.ts";
import type { Alike, HostDoubts, Row, Session } from "../ports/index.ts";
import type { Model, ResourceInfo } from "./model.ts";
import { isMarked, type Mark, marksOf } from "./row-marks.ts";
import { unmadeGap } from "./unmade.ts";

/** The work that asks. */
interface Asking {
  readonly model: Model;
  readonly session: Session;
  readonly ambient: { readonly now: bigint };
  /** Rows that it has made or changed, by resource and key: no time has passed for them. */
  readonly touched: ReadonlyMap<string, unknown>;
}

/** A gap that what came for a row has met, or may meet, and all that may come of it. */
interface Met {
  readonly gap: ItemId;
  readonly doubts: readonly Doubt[];
}

const nameOf = ({ resource, key }: Row): string => `${resource} ${key}`;

/** Whether the row's value may be another by now; without a name: any of its values. */
function isOfOwn(
  doubts: readonly Doubt[],
  { name, isFixed }: { readonly name: string | undefined; readonly isFixed: boolean },
): boolean {
  const [first] = doubts;
  if (first?.isExact !== true && !isFixed) return true;
  return doubts.some(({ own }) =>
    name === undefined ? own.gone || own.fields.size > 0 : own.fields.has(name),
  );
}

/** Throws `GapFault` where the host does not know what the text is; undefined: it knows all. */
export function meetingTexts(doubts: HostDoubts | undefined): ((text: string) => void) | undefined {
  if (doubts === undefined) return undefined;
  return (text) => {
    const gap = doubts.text(text);
    if (gap !== undefined) throw new GapFault(gap);
  };
}

/** What keeps rows from being known in one work. */
export class Unknowns {
  readonly #work: Asking;
  #isMarked: boolean | undefined;
  readonly #met = new Map<string, ReadonlyMap<string, readonly Met[]>>();

  constructor(work: Asking) {
    this.#work = work;
  }

  get #host(): HostDoubts | undefined {
    return this.#work.model.options.doubts;
  }

  /** Whether neither the plan nor the host can leave anything of rows open. */
  #isSure({ isOpen }: ResourceInfo): boolean {
    return !isOpen && this.#host?.isSure !== false;
  }

  /** To be called where rows are as they were before: what was found of them is looked for anew. */
  forget(): void {
    this.#met.clear();
  }

  /** Whether any row of the store is marked. */
  #hasMarks(): boolean {
    this.#isMarked ??= isMarked(this.#work.session);
    return this.#isMarked;
  }

  /** What has come for the row and met a gap, or may come at any time. */
  #metBy(info: ResourceInfo, row: Row): readonly Met[] {
    const marks = marksOf(info, row);
    if (marks.length > 0) return marks.map((one) => this.#metOf(info, row, one));
    const restless = info.gaps.restless.get(row.values[info.state ?? -1] as string);
    if (restless === undefined) return [];
    return [this.#metOf(info, row, { gap: restless.gap, of: restless.transition })];
  }

  #metOf(info: ResourceInfo, row: Row, { gap, of: item, at }: Mark): Met {
    const { of, ofAny } = doubtsOf(this.#work.model.plan);
    const doubt = of.get(item) ?? ofAny.get(info.name);
    const first = doubt === undefined ? [] : [doubt];
    return { gap, doubts: [...first, ...this.#keeping(info, row, { doubt, at })] };
  }

  /** The end of the row's keeping may have come since. */
  #keeping(
    info: ResourceInfo,
    row: Row,
    { doubt, at }: { readonly doubt: Doubt | undefined; readonly at: bigint | undefined },
  ): readonly Doubt[] {
    const { now } = this.#work.ambient;
    return info.resource.invariants.flatMap((one) => {
      if (one.kind !== "kept for") return [];
      const delay = durationOf(one.durationText);
      const time = row.values[info.at.get(one.after) ?? -1];
      const isPast = typeof time === "bigint" && time + delay <= now;
      const isSet = doubt?.own.fields.has(one.after) === true;
      const mayBePast = isSet && (at === undefined || at + delay <= now);
      const kept = doubtsOf(this.#work.model.plan).of.get(one.id);
      return kept !== undefined && (isPast || mayBePast) ? [kept] : [];
    });
  }

  /** Rows of a resource whose time has met a gap, or may meet one, by their names. */
  #metIn(resource: string): ReadonlyMap<string, readonly Met[]> {
    const known = this.#met.get(resource);
    if (known !== undefined) return known;
    const { model, session } = this.#work;
    const info = model.info(resource);
    const isAny = info.gaps.restless.size > 0 || (info.mark !== undefined && this.#hasMarks());
    const found = new Map<string, readonly Met[]>();
    for (const row of isAny ? session.all(resource) : []) {
      const met = this.#metBy(info, row);
      if (met.length > 0) found.set(nameOf(row), met);
    }
    this.#met.set(resource, found);
    return found;
  }

  /** The first gap of another row that may have touched rows of the resource in some way. */
  #touching(resource: string, isSuch: (touch: Touch) => boolean): ItemId | undefined {
    const { model, touched } = this.#work;
    for (const doubter of model.info(resource).doubters) {
      for (const [name, met] of this.#metIn(doubter)) {
        if (touched.has(name)) continue;
        const found = met.find(({ doubts }) =>
          doubts.some(({ others }) => {
            const touch = others.get(resource);
            return touch !== undefined && isSuch(touch);
          }),
        );
        if (found !== undefined) return found.gap;
      }
    }
    return undefined;
  }

  /** The gap that keeps it from being known whether there are more rows than those found. */
  more(resource: string, alike: Alike = [], isOne = false): ItemId | undefined {
    const { model, session } = this.#work;
    const told = this.#host?.more(resource, alike, isOne);
    if (told !== undefined) return told;
    const { gaps, mayLackRows } = model.info(resource);
    if (gaps.start !== undefined) return gaps.start;
    const unmade = mayLackRows ? unmadeGap(model, session, resource) : undefined;
    return unmade ?? this.#touching(resource, ({ made }) => made);
  }

  /** The gap that keeps the value of a row at a place from being known; -1: any of its values. */
  value(row: Row, place: number): ItemId | undefined {
    const info = this.#work.model.info(row.resource);
    const { gaps, fieldNames } = info;
    if (this.#isSure(info)) return undefined;
    const told = place < 0 ? undefined : this.#host?.value(row, place);
    if (told !== undefined) return told;
    if (gaps.used !== undefined) return gaps.used;
    if (this.#work.touched.has(nameOf(row))) return undefined;
    const name = fieldNames[place];
    const isFixed = name !== undefined && gaps.fixed.has(name);
    const met = this.#metBy(info, row).find(({ doubts }) => isOfOwn(doubts, { name, isFixed }));
    if (met !== undefined) return met.gap;
    return this.#touching(row.resource, ({ gone, fields }) =>
      name === undefined ? gone || fields.size > 0 : fields.has(name) || (gone && !isFixed),
    );
  }

  /** The gap that keeps it from being known whether the row is there still. */
  there(row: Row): ItemId | undefined {
    const info = this.#work.model.info(row.resource);
    if (this.#isSure(info) || this.#work.touched.has(nameOf(row))) return undefined;
    const told = this.#host?.there(row);
    if (told !== undefined) return told;
    const met = this.#metBy(info, row).find(({ doubts }) => doubts.some(({ own }) => own.gone));
    if (met !== undefined) return met.gap;
    return this.#touching(row.resource, ({ gone }) => gone);
  }

  /** Whether some row of the resource may have values that are not known, or be there no more. */
  some(resource: string): boolean {
    const info = this.#work.model.info(resource);
    const { gaps, mark } = info;
    if (this.#isSure(info)) return false;
    if (this.#host?.isSure === false) return true;
    if (gaps.used !== undefined || gaps.restless.size > 0) return true;
    if (mark !== undefined && this.#hasMarks()) return true;
    const found = this.#touching(resource, ({ gone, fields }) => gone || fields.size > 0);
    return found !== undefined;
  }
}
