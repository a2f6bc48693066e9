/** Resolves states and transitions: what causes each, what guards it, what it does. */
import {
  type Answer,
  canRefuse,
  gapOf,
  isStated,
  itemOf,
  type Machine,
  type Refusal,
  type State,
  type Step,
  statedOf,
  type Transition,
  type Trigger,
} from "../../../plan/index.ts";
import type { RowNode, SectionNode, TextSlot, WrittenCell } from "../../../spec/index.ts";
import { answer, answers, silent, text } from "../names/asking.ts";
import { cellGap, cellIn, gapIn, rowsOf, type TableRow } from "../names/cells.ts";
import { type Collected, nameOf } from "../names/collect.ts";
import { BOOLEAN, refusalAt, resolve, type View } from "../names/expression.ts";
import { orderKeys } from "../names/ordering.ts";
import {
  firstMatch,
  isAmong,
  known,
  lineEnd,
  origin,
  type Resolver,
  report,
  slotOf,
  tablesOf,
  textOf,
  textsOf,
  unknownName,
} from "../names/resolver.ts";
import { cellSteps, type Flow } from "../steps/flow.ts";
import { resolveSteps } from "../steps/steps.ts";
import { causedView, HIDDEN, type Place, viewOf } from "./place.ts";

function stateNames(place: Place, slots: readonly TextSlot[]): string[] {
  const all = place.states.map((state) => state.name);
  for (const slot of place.states === HIDDEN ? [] : slots) {
    if (!all.includes(slot.text)) unknownName(place.r, slot, "state", all);
  }
  return slots.map((slot) => slot.text);
}

function transitionNames(section: SectionNode | undefined): string[] {
  const rows = tablesOf(section, "transitions").flatMap((table) => table.rows);
  return rows.map((row) => textOf(firstMatch(row), "name"));
}

/** Reports a word that the call's table does not have. */
function saidWord(r: Resolver, call: string, word: TextSlot): void {
  const section = r.declared.get("call")?.get(call)?.section;
  const rows = tablesOf(section, "says").flatMap((table) => table.rows);
  if (rows.length === 0) return;
  const words = rows.map((row) => textOf(firstMatch(row), "name"));
  if (!words.includes(word.text)) unknownName(r, word, `word of \`${call}\``, words);
}

function trigger(
  place: Place,
  row: RowNode,
  cell: WrittenCell | undefined,
  own: ReadonlySet<string>,
): Trigger {
  const { r, section } = place;
  const match = cell?.matches[0];
  if (cell === undefined || cell.status !== "stated" || match === undefined) {
    const subject = `what causes \`${textOf(firstMatch(row), "name")}\``;
    return { is: "gap", gap: cellGap({ r, section, row }, cell, "on", subject) };
  }
  switch (match.form) {
    case "step":
      return { is: "step" };
    case "time": {
      const field = slotOf(match, "field") as TextSlot;
      const fields = r.objects.get(`row:${place.resource}`);
      const type = fields?.get(field.text)?.type;
      const bare = type?.kind === "nullable" ? type.of : type;
      if (type === undefined) {
        unknownName(r, field, `field of \`${place.resource}\``, fields?.keys() ?? []);
      } else if (bare?.kind !== "timestamp" && bare?.kind !== "unknown") {
        report(r, "wrong-type", field, { message: `\`${field.text}\` is no timestamp.` });
      }
      const drafts = place.names.fields.get(place.resource);
      const gap = drafts?.find(({ name }) => name.text === field.text)?.gap;
      return gap === undefined ? { is: "time", field: field.text } : { is: "gap", gap };
    }
    case "every":
      return { is: "every", durationText: textOf(match, "period") };
    case "refused": {
      const name = slotOf(match, "transition") as TextSlot;
      isAmong(r, name, "transition", own);
      return { is: "refused", transition: name.text };
    }
    case "transition": {
      const resource = slotOf(match, "resource") as TextSlot;
      const name = slotOf(match, "transition") as TextSlot;
      const other = r.declared.get("machine")?.get(resource.text)?.section;
      if (known(r, "machine", resource, "resource with states")) {
        const all = new Set(transitionNames(other));
        isAmong(r, name, `transition of \`${resource.text}\``, all);
      }
      return { is: "transition", transition: name.text, resource: resource.text };
    }
    case "call": {
      const call = slotOf(match, "call") as TextSlot;
      if (known(r, "call", call)) saidWord(r, call.text, slotOf(match, "word") as TextSlot);
      return { is: "call", call: call.text, word: textOf(match, "word") };
    }
    default:
      return { is: "by itself", withinText: textOf(match, "time") };
  }
}

/** The steps of a Then cell. */
function thenSteps(place: Place, row: RowNode, cell: WrittenCell | undefined, view: View): Step[] {
  if (cell === undefined || cell.status === "none") return [];
  if (cell.status !== "stated") {
    const gap = cellGap({ ...place, row }, cell, "then", "effects");
    return [{ id: gap, kind: "gap", gap }];
  }
  const flow: Flow = {
    section: place.section,
    names: place.names,
    kind: "effect",
    view,
    ended: false,
  };
  return resolveSteps(place.r, cellSteps(place.r, row.id, cell.matches), flow).steps;
}

/** Where a transition begins and ends; where that is not shown, it may begin in any state. */
function ends(place: Place, at: TableRow) {
  const [begin, end] = [cellIn(at, "From"), cellIn(at, "To")];
  const unknown = gapIn(at, begin, "from");
  const all = place.states.filter((state) => !state.final).map((state) => state.name);
  const from = unknown === undefined ? stateNames(place, textsOf(begin?.matches[0], "from")) : all;
  const gap = gapIn(at, end, "to");
  const to = slotOf(end?.matches[0], "to");
  const state = to === undefined ? from[0] : stateNames(place, [to])[0];
  return { from, unknown, to: { state: state ?? "", gap } };
}

function transition(place: Place, at: TableRow, own: ReadonlySet<string>): Transition | undefined {
  const { r, row } = at;
  const name = slotOf(firstMatch(row), "name");
  if (name === undefined) return undefined;
  const on = trigger(place, row, cellIn(at, "On"), own);
  const view = causedView(place, on);
  const guard = cellIn(at, "When");
  const { from, to, unknown } = ends(place, at);
  const slot = slotOf(guard?.matches[0], "when");
  const resolved = slot === undefined ? undefined : resolve(r, slot, view, BOOLEAN);
  const guardGap = gapIn(at, guard, "when", "guard");
  const gap = unknown ?? guardGap;
  const seen = resolved === undefined ? view : { ...view, facts: resolved.checked.whenTrue };
  return {
    id: origin(r, row.id, name),
    name: name.text,
    from,
    to: to.state,
    on,
    ...(resolved === undefined ? {} : { when: resolved.expression }),
    ...(gap === undefined ? {} : { gap }),
    then: [
      ...(to.gap === undefined ? [] : [{ id: `${row.id}/to`, kind: "gap" as const, gap: to.gap }]),
      ...thenSteps(place, row, cellIn(at, "Then"), seen),
    ],
  };
}

function heldIn(place: Place): Answer<string> {
  const { r } = place;
  const fields = r.objects.get(`row:${place.resource}`);
  return answer(place, "held in", (match) => {
    const slot = slotOf(match, "field") as TextSlot;
    const drafts = place.names.fields.get(place.resource);
    const draft = drafts?.find((one) => one.name.text === slot.text);
    if (draft === undefined) {
      unknownName(r, slot, `field of \`${place.resource}\``, fields?.keys() ?? []);
    } else if (draft.gap === undefined && draft.type.type.kind !== "state") {
      report(r, "wrong-type", slot, { message: `\`${slot.text}\` is not of type state.` });
    }
    return slot.text;
  });
}

function statesIn(r: Resolver, section: SectionNode): Answer<State[]> {
  return answer({ r, section }, "list of states", (match) => {
    const value = match.slots["states"];
    if (value?.kind !== "states") return undefined;
    const seen = new Set<string>();
    for (const { name } of value.items) {
      if (seen.has(name.text)) {
        const message = `The state \`${name.text}\` stands here again.`;
        report(r, "second-name", name, { message });
      }
      seen.add(name.text);
    }
    const first = value.items.filter((item) => item.initial);
    if (first.length !== 1) {
      report(r, "initial-state", match, {
        message: `${first.length === 0 ? "No state is" : "Two states are"} marked (initial).`,
        hint: "A new row enters one state.",
      });
    }
    return value.items.map(({ name, initial, final }) => ({ name: name.text, initial, final }));
  });
}

function anyOther(place: Place): Refusal {
  const { r, section } = place;
  const read = refusalAt(r, section, viewOf(place, false));
  const said = answer(place, "any other transition", read);
  if (isStated(said)) return said.value;
  return { is: "gap", gap: itemOf(said) ?? section.id };
}

function machine(r: Resolver, names: Collected, resource: string, section: SectionNode): Machine {
  const listed = statesIn(r, section);
  const states = isStated(listed) ? listed.value : listed.is === "gap" ? HIDDEN : [];
  const place: Place = { r, names, section, resource, states };
  const own = new Set(transitionNames(section));
  const transitions = rowsOf(r, [section], "transitions").flatMap(
    (at) => transition(place, at, own) ?? [],
  );
  const timed = transitions.filter((one) => one.on.is === "time" || one.on.is === "every");
  for (const one of timed) askRefusal(place, one, transitions);
  const held = heldIn(place);
  const [gap] = [held, listed].flatMap((one) => gapOf(one) ?? []);
  return {
    id: origin(r, section.id, nameOf(section)),
    resource,
    field: statedOf(held) ?? "",
    ...(gap === undefined ? {} : { gap }),
    states,
    transitions,
    anyOther: anyOther(place),
    ...answers<Machine>(place, {
      clock: ["clock", text("late"), { raised: timed.length > 0 }],
      together: [
        "same time",
        (match) => orderKeys(r, match.slots["keys"], viewOf(place, false)),
        { raised: timed.length > 0 },
      ],
    }),
  };
}

/** A timed transition that a guard, a step or an invariant can refuse needs a row for it. */
function askRefusal(place: Place, one: Transition, all: readonly Transition[]): void {
  const judged =
    place.names.resources
      .get(place.resource)
      ?.bullets.some(
        (bullet) => bullet.key === "always" && bullet.match.slots.tail !== undefined,
      ) === true;
  const alone = all.filter((other) => other.name === one.name).length === 1;
  const sets =
    one.then.some((step) => step.kind !== "set" && canRefuse(step)) ||
    (judged && one.then.some((step) => step.kind === "set"));
  const guarded = one.when !== undefined && alone;
  const handled = all.some(
    (other) => other.on.is === "refused" && other.on.transition === one.name,
  );
  if (handled || (!guarded && !sets)) return;
  const said = place.section.sentences.some(
    (sentence) => sentence.subject.text.toLowerCase() === `refusal of ${one.name}`.toLowerCase(),
  );
  if (said) return;
  const at = lineEnd(place.r, place.section.end);
  silent(place.r, {
    question: "timed refusal",
    section: place.section,
    id: `${one.id}/refused`,
    span: place.r.origins.get(one.id) ?? place.section,
    about: `\`${one.name}\``,
    fix: { at, insert: `\n\nRefusal of ${one.name}: not shown.` },
  });
}

/** Resolves every machine. */
export function resolveMachines(r: Resolver, names: Collected): Machine[] {
  return [...names.machines].map(([resource, section]) => machine(r, names, resource, section));
}
