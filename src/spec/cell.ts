/** Takes cells of tables as they are kept, gives what each states at its own place. */
import type {
  AssignSlot,
  CellNode,
  Match,
  RefusalSlot,
  SlotValue,
  TextSlot,
  WrittenCell,
  WrittenStatus,
} from "./spec.ts";

const NONE: readonly never[] = [];

/** The status of a cell, however it is kept. */
export function statusOf(cell: CellNode): WrittenStatus {
  if ("first" in cell) return statusOf(cell.first);
  return "only" in cell ? "stated" : cell.status;
}

/** What a cell states, with the places of its own text. Linear in what it states. */
export function unfolded(cell: CellNode): WrittenCell {
  if ("status" in cell) return cell;
  const { start, end } = cell;
  if ("only" in cell) return { status: "stated", matches: [cell.only], gaps: NONE, start, end };
  const { status, matches, gaps } = unfolded(cell.first);
  const by = start - cell.first.start;
  return { status, matches: matches.map((match) => moved(match, by)), gaps, start, end };
}

function moved(match: Match, by: number): Match {
  const { form, slots, start, end } = match;
  let copies = slots;
  for (const name in slots) {
    if (copies === slots) copies = {};
    (copies as Record<string, SlotValue>)[name] = movedSlot(slots[name] as SlotValue, by);
  }
  return { form, slots: copies, start: start + by, end: end + by };
}

function movedText(slot: TextSlot, by: number): TextSlot {
  const { kind, text, shifts } = slot;
  const start = slot.start + by;
  const end = slot.end + by;
  return shifts === undefined ? { kind, text, start, end } : { kind, text, start, end, shifts };
}

function movedPair({ name, value, gap }: AssignSlot, by: number): AssignSlot {
  return { name: movedText(name, by), value: movedText(value, by), gap };
}

function movedRefusal(slot: RefusalSlot, by: number): RefusalSlot {
  return {
    ...slot,
    ...(slot.error === undefined ? {} : { error: movedText(slot.error, by) }),
    ...(slot.on === undefined ? {} : { on: movedText(slot.on, by) }),
    with: slot.with.map((pair) => movedPair(pair, by)),
    start: slot.start + by,
    end: slot.end + by,
  };
}

function movedSlot(value: SlotValue, by: number): SlotValue {
  const { kind } = value;
  switch (kind) {
    case "text":
      return movedText(value, by);
    case "refusal":
      return movedRefusal(value, by);
    case "type": {
      const { match, orNull, orAbsent, start, end } = value;
      return { kind, match: moved(match, by), orNull, orAbsent, start: start + by, end: end + by };
    }
    case "texts":
      return { kind, items: value.items.map((item) => movedText(item, by)) };
    case "assigns":
      return { kind, items: value.items.map((item) => movedPair(item, by)) };
    case "order":
      return { kind, keys: value.keys.map((key) => ({ ...key, by: movedText(key.by, by) })) };
    case "states":
      return {
        kind,
        items: value.items.map((item) => ({ ...item, name: movedText(item.name, by) })),
      };
    case "condition":
    case "step":
      return { kind, match: moved(value.match, by) };
  }
}

/** The offset in the document of the character at `index` of a slot's text. */
export function offsetIn(slot: Pick<TextSlot, "start" | "shifts">, index: number): number {
  let shift = 0;
  const shifts = slot.shifts ?? [];
  for (let i = 0; i < shifts.length && (shifts[i] ?? 0) <= index; i += 2)
    shift = shifts[i + 1] ?? 0;
  return slot.start + index + shift;
}
