/** Resolves the input tables of an endpoint. */
import type { Member, Type } from "../../../expr/index.ts";
import { hiddenRules, type Input, type InputPlace, type ItemId } from "../../../plan/index.ts";
import type { TextSlot } from "../../../spec/index.ts";
import { cellIn, gapIn, rowsOf, sentAs, type TableRow } from "../names/cells.ts";
import { commonNames } from "../names/common.ts";
import {
  firstMatch,
  origin,
  type Resolver,
  report,
  slotOf,
  textOf,
  unknownName,
} from "../names/resolver.ts";
import { ruledType } from "../names/ruled.ts";
import { exprType, hiddenType, hiddenValue, valueType } from "../names/types.ts";
import { resolveRules } from "../resources/rules.ts";
import { addMember, type Objects, type Place } from "./request.ts";

/** The inputs of the endpoint's own tables, then of those of `### Every endpoint`. */
export function inputs(place: Place, objects: Objects): Input[] {
  const rows = rowsOf(place.r, [place.section, place.every], "inputs");
  return rows.flatMap((at) => input(place, objects, at) ?? []);
}

/** Adds what is read beside the body; header names are compared without regard to case. */
function addRead(
  r: Resolver,
  into: Map<string, Member>,
  name: TextSlot,
  { in: where, member }: { readonly in: InputPlace; readonly member: Member },
): void {
  const key = where === "header" ? name.text.toLowerCase() : name.text;
  if (where === "path" && !into.has(key)) unknownName(r, name, "path parameter", into.keys());
  if (where !== "path" && into.has(key)) {
    report(r, "second-name", name, { message: `\`${name.text}\` is read already.` });
  }
  into.set(key, member);
  if (where === "header") into.set(name.text, member);
}

/** An input of which it is not shown where it is: it may be anywhere. */
function addHidden(place: Place, objects: Objects, name: TextSlot, gap: ItemId): void {
  const member: Member = { type: hiddenType(gap), absent: false };
  for (const where of ["path", "query", "header", "cookie"] as const) {
    // A parameter of the path is a text, until a row says what it is.
    if (where === "path" || !objects[where].has(name.text)) objects[where].set(name.text, member);
  }
  const [first = ""] = name.text.split(".");
  if (first === name.text && objects.body.has(first)) return;
  if (!objects.body.has(first)) objects.unplaced.add(first);
  addMember(place, objects.body, name, member);
}

/** What steps see of an input. */
function memberOf(input: Pick<Input, "id" | "rules" | "needed"> & { type: Type }): Member {
  const { id, rules, needed, type } = input;
  const unruled = hiddenRules({ id, rules });
  // Without its rules nobody knows what stands for one that is not sent.
  if (unruled !== undefined && needed !== "yes") {
    return { type: hiddenType(unruled), absent: false };
  }
  const filled = rules.some((rule) => rule.kind === "absent means");
  const empties = rules.some((rule) => rule.kind === "empty means absent");
  return {
    type: ruledType(type, rules),
    absent: !filled && (needed === "no" || (empties && needed !== "yes")),
  };
}

function input(place: Place, objects: Objects, at: TableRow): Input | undefined {
  const { r, names } = place;
  const { row, section } = at;
  const name = slotOf(firstMatch(row), "name");
  if (name === undefined) return undefined;
  const inCell = cellIn(at, "In");
  const typeCell = cellIn(at, "Type");
  const neededCell = cellIn(at, "Needed");
  const slot = typeCell?.matches[0]?.slots.type;
  const where = (textOf(inCell?.matches[0], "in") || "query") as InputPlace;
  const type = slot?.kind === "type" ? valueType(r, names, slot) : hiddenValue(`${row.id}/type`);
  const exprOf = exprType(names, type);
  const id = origin(r, row.id, name);
  const rules = resolveRules(
    r,
    {
      section,
      id,
      name: name.text,
      type,
      exprType: exprOf,
      on: "input",
      view: commonNames(r, "none"),
      createView: commonNames(r, "none"),
      cell: cellIn(at, "Rules") ?? row,
      fields: [],
      gaps: [],
    },
    cellIn(at, "Rules"),
  );
  const filled = rules.some((rule) => rule.kind === "absent means");
  const gaps = {
    in: gapIn(at, inCell, "in"),
    type: gapIn(at, typeCell, "type"),
    needed: gapIn(at, neededCell, "needed"),
  };
  const said = neededCell?.matches[0]?.form === "no" ? "no" : "yes";
  const needed = gaps.needed === undefined ? said : "not shown";
  if (filled && needed === "yes") {
    report(r, "contradiction", neededCell ?? row, {
      message: `\`${name.text}\` is needed, and has a value when it is not sent.`,
      hint: "Write `no` under Needed, or take `absent means` away.",
    });
  }
  const member = memberOf({ id, rules, needed, type: exprOf });
  if (gaps.in !== undefined) addHidden(place, objects, name, gaps.in);
  if (gaps.in === undefined && where === "body") addMember(place, objects.body, name, member);
  else if (gaps.in === undefined) addRead(r, objects[where], name, { in: where, member });
  const sent = sentAs(firstMatch(row));
  if (sent.sentAs !== undefined && (where === "path" || where === "header")) {
    report(r, "contradiction", name, {
      message: `\`${name.text}\` is read from the ${where}, where it has one name.`,
      hint: 'Write that name alone; a header with `-` is read as `header["Name"]`.',
    });
  }
  return {
    id,
    name: name.text,
    ...sent,
    in: where,
    type,
    needed,
    rules,
    ...(Object.values(gaps).some((gap) => gap !== undefined) ? { gaps } : {}),
  };
}
