/** Resolves endpoints: path, who, inputs, body, bindings, idempotency, steps. */
import type { Member, Type } from "../../expr/index.ts";
import type {
  Answer,
  Binding,
  Body,
  BulletNode,
  Endpoint,
  FailureRow,
  Idempotency,
  Input,
  InputPlace,
  Match,
  PathSegment,
  Refusal,
  RowNode,
  Rule,
  SectionNode,
  Step,
  TableNode,
  TextSlot,
} from "../../model/index.ts";
import type { Collected } from "./collect.ts";
import { type CallerState, commonNames } from "./common.ts";
import {
  BOOLEAN,
  type RefusalPlace,
  refusalSlot,
  resolve,
  resolveRefusal,
  withNames,
} from "./expression.ts";
import { failureRows } from "./failures.ts";
import type { Flow } from "./flow.ts";
import { splitEndpoint } from "./path.ts";
import {
  answer,
  bulletsOf,
  cellOf,
  declare,
  headSpan,
  known,
  lineEnd,
  origin,
  report,
  type Resolver,
  sectionsOf,
  shownGap,
  silent,
  slotOf,
  tablesOf,
  textOf,
  textsOf,
  unknownName,
} from "./resolver.ts";
import { resolveRules } from "./rules.ts";
import { resolveSteps } from "./steps.ts";
import { exprType, valueType } from "./types.ts";

const METHODS_WITH_BODY = new Set(["POST", "PUT", "PATCH"]);

interface Place {
  readonly r: Resolver;
  readonly names: Collected;
  readonly section: SectionNode;
  readonly every: SectionNode | undefined;
  readonly id: string;
  readonly key: string;
}

/** Members of the objects that an endpoint's steps see, while they are collected. */
interface Objects {
  readonly path: Map<string, Member>;
  readonly query: Map<string, Member>;
  readonly header: Map<string, Member>;
  readonly cookie: Map<string, Member>;
  readonly body: Map<string, Member>;
  /** The type of the whole body where it is no object of members. */
  whole?: Type;
}

export function whoOf(
  r: Resolver,
  sections: readonly [SectionNode, ...(SectionNode | undefined)[]],
  question = "who",
): Answer<readonly string[]> {
  return answer<readonly string[]>(r, {
    question,
    key: "who",
    label: "Who",
    sections,
    read: (match) => {
      const actors = textsOf(match, "actors");
      for (const actor of actors) known(r, "actor", actor);
      return actors.map((actor) => actor.text);
    },
  });
}

/** Who asks, as far as the actors tell. `always`: names of actors without credentials. */
export function callerState(
  who: Answer<readonly string[]>,
  always: ReadonlySet<string>,
): CallerState {
  if (who.is !== "stated") return who.is === "none" ? "none" : "maybe";
  const open = who.value.filter((actor) => always.has(actor)).length;
  return open === 0 ? "sure" : open === who.value.length ? "none" : "maybe";
}

function addMember(place: Place, into: Map<string, Member>, name: TextSlot, member: Member): void {
  const parts = name.text.split(".");
  let members = into;
  let path = `${place.key}`;
  for (const part of parts.slice(0, -1)) {
    path += `.${part}`;
    const object = `body:${path}`;
    let inner = place.r.objects.get(object);
    if (inner === undefined) {
      inner = new Map();
      place.r.objects.set(object, inner);
      members.set(part, { type: { kind: "object", name: object }, absent: false });
    }
    members = inner;
  }
  const last = parts.at(-1) ?? "";
  if (members.has(last))
    report(place.r, "second-name", name, { message: `\`${name.text}\` is read already.` });
  members.set(last, member);
}

function inputs(place: Place, objects: Objects): Input[] {
  return [place.section, place.every].flatMap((section) =>
    tablesOf(section, "inputs").flatMap((table) =>
      table.rows.flatMap((row) =>
        section === undefined ? [] : (input(place, objects, { section, table, row }) ?? []),
      ),
    ),
  );
}

interface InputRow {
  readonly section: SectionNode;
  readonly table: TableNode;
  readonly row: RowNode;
}

function input(place: Place, objects: Objects, at: InputRow): Input | undefined {
  const { r, names } = place;
  const { table, row, section } = at;
  const name = slotOf(row.cells[0]?.matches[0], "name");
  if (name === undefined) return undefined;
  const inCell = cellOf(table, row, "In");
  const typeCell = cellOf(table, row, "Type");
  const neededCell = cellOf(table, row, "Needed");
  const slot = typeCell?.matches[0]?.slots.type;
  const where = (textOf(inCell?.matches[0], "in") || "query") as InputPlace;
  const type =
    slot?.kind === "type"
      ? valueType(r, names, slot)
      : { type: { kind: "json" as const }, orNull: false, orAbsent: false };
  const missing = [inCell, typeCell, neededCell].find((cell) => cell?.status === "not shown");
  const gap =
    missing === undefined
      ? undefined
      : shownGap(
          r,
          section,
          { id: `${row.id}/gap`, start: missing.start, end: missing.end },
          "input",
        );
  const exprOf = slot?.kind === "type" ? exprType(names, type) : { kind: "unknown" as const };
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
      cell: cellOf(table, row, "Rules") ?? row,
      fields: [],
      gaps: [],
    },
    cellOf(table, row, "Rules"),
  );
  const needed = neededCell?.matches[0]?.form === "no" ? "no" : "yes";
  const filled = rules.some((rule) => rule.kind === "absent means");
  if (filled && needed === "yes") {
    report(r, "contradiction", neededCell ?? row, {
      message: `\`${name.text}\` is needed, and has a value when it is not sent.`,
      hint: "Write `no` under Needed, or take `absent means` away.",
    });
  }
  const empties = rules.some((rule) => rule.kind === "empty means absent");
  const member: Member = { type: exprOf, absent: !filled && (needed === "no" || empties) };
  const key = where === "header" ? name.text.toLowerCase() : name.text;
  const read = where === "body" || where === "path" ? undefined : objects[where].get(key);
  if (read !== undefined) {
    report(r, "second-name", name, { message: `\`${name.text}\` is read already.` });
  }
  if (where === "body") addMember(place, objects.body, name, member);
  else objects[where].set(key, member);
  if (where === "header") objects.header.set(name.text, member);
  return {
    id,
    name: name.text,
    in: where,
    type,
    needed,
    rules,
    ...(gap === undefined ? {} : { gap }),
  };
}

function bodyRules(place: Place, bullet: BulletNode): Rule[] {
  if (bullet.match.slots.rule === undefined) return [];
  return [{ id: origin(place.r, `${bullet.id}/rule`, bullet), kind: "at least one member" }];
}

function readBody(
  place: Place,
  objects: Objects,
  match: Match,
  bullet: BulletNode,
): Body | undefined {
  const { r, names } = place;
  const [format] = bulletsOf([place.section, place.every], "body format");
  const media = textOf(format?.match, "media");
  const common = {
    id: bullet.id,
    rules: bodyRules(place, bullet),
    ...(media === "" ? {} : { format: media }),
  };
  const member = slotOf(match, "member");
  const resource = slotOf(match, "resource");
  if (resource !== undefined) {
    const kind = textOf(match, "kind") as "new" | "changed";
    const isPart = names.parts.has(resource.text);
    if (!names.resources.has(resource.text) && !isPart) {
      unknownName(r, resource, "resource", names.resources.keys());
      return undefined;
    }
    const type: Type = { kind: "object", name: `${kind}:${resource.text}` };
    if (member === undefined) objects.whole = type;
    else addMember(place, objects.body, member, { type, absent: false });
    return {
      ...common,
      ...(member === undefined ? {} : { member: member.text }),
      content: { is: kind, resource: resource.text },
    };
  }
  const slot = match.slots.type;
  if (slot?.kind !== "type") return undefined;
  const type = valueType(r, names, slot);
  objects.whole = exprType(names, type);
  return { ...common, content: { is: "type", type } };
}

/** Bullets `Body: `member`, type` are inputs of the body, as rows of the input table are. */
function bodyInputs(place: Place, objects: Objects): Input[] {
  const { r, names } = place;
  return bulletsOf([place.section, place.every], "body").flatMap((bullet): Input[] => {
    const name = slotOf(bullet.match, "member");
    const slot = bullet.match.slots.type;
    if (name === undefined || slot?.kind !== "type" || bullet.status !== "stated") return [];
    const type = valueType(r, names, slot);
    addMember(place, objects.body, name, { type: exprType(names, type), absent: type.orAbsent });
    const id = origin(r, bullet.id, bullet);
    const needed = type.orAbsent ? "no" : "yes";
    return [{ id, name: name.text, in: "body", type, needed, rules: [] }];
  });
}

function body(place: Place, objects: Objects, method: string): Answer<Body> {
  const members = objects.body.size > 0;
  const isWhole = (one: BulletNode) => one.match.form !== "body member type";
  const bullet = bulletsOf([place.section, place.every], "body").find(isWhole);
  if (members && bullet?.match.slots.member === undefined && bullet?.status === "stated") {
    report(place.r, "contradiction", bullet, {
      message: "The whole body stands here, and members of it in the " + "input table.",
      hint: "State the body in one of the two.",
    });
  }
  return answer<Body>(place.r, {
    question: "body",
    key: "body",
    label: "Body",
    sections: [place.section, place.every],
    raised: METHODS_WITH_BODY.has(method) && !members,
    only: isWhole,
    read: (match, one) => readBody(place, objects, match, one),
  });
}

function binding(
  place: Place,
  objects: Objects,
  bullet: BulletNode,
  caller: CallerState,
): Binding | undefined {
  const { r, names } = place;
  const { match } = bullet;
  const param = slotOf(match, "param") as TextSlot;
  if (bullet.status !== "stated") {
    shownGap(r, place.section, bullet, `path ${param.text}`);
    return undefined;
  }
  if (!objects.path.has(param.text)) {
    unknownName(r, param, "path parameter", objects.path.keys());
  }
  const resource = slotOf(match, "resource") as TextSlot;
  const members = r.objects.get(`row:${resource.text}`);
  if (!names.resources.has(resource.text)) {
    unknownName(r, resource, "resource", names.resources.keys());
    return undefined;
  }
  const by = slotOf(match, "field") as TextSlot;
  if (!members?.has(by.text)) {
    unknownName(r, by, `field of \`${resource.text}\``, members?.keys() ?? []);
  }
  const view = withNames(commonNames(r, caller), [
    ["it", { kind: "row", resource: resource.text }],
    ["path", { kind: "object", name: `path:${place.key}` }],
  ]);
  const where = slotOf(match, "where");
  const tail = refusalSlot(match, "tail");
  const otherwise: Refusal =
    tail === undefined
      ? { is: "gap", gap: bullet.id }
      : resolveRefusal(r, tail, { id: bullet.id, section: place.section, view });
  return {
    id: origin(r, bullet.id, bullet),
    param: param.text,
    as: textOf(match, "as"),
    resource: resource.text,
    by: by.text,
    otherwise,
    ...(where === undefined ? {} : { where: resolve(r, where, view, BOOLEAN).expression }),
  };
}

/** Refusals of an endpoint's bullets see no more than every place does. */
function refusalPlace(place: Place, bullet: BulletNode): RefusalPlace {
  return { id: bullet.id, section: place.section, view: commonNames(place.r) };
}

function refusalAnswer(place: Place, question: string, label: string): Answer<Refusal> {
  return answer<Refusal>(place.r, {
    question,
    key: label.toLowerCase(),
    label,
    sections: [place.section, place.every],
    read: (match, bullet) => {
      const slot = refusalSlot(match, "refusal");
      return slot === undefined
        ? undefined
        : resolveRefusal(place.r, slot, refusalPlace(place, bullet));
    },
  });
}

function idempotency(place: Place, objects: Objects): Idempotency | undefined {
  const { r } = place;
  const sections = [place.section, place.every] as const;
  const [bullet] = bulletsOf(sections, "idempotency key");
  if (bullet === undefined || bullet.status === "none") return undefined;
  const text = <T extends string>(question: string, label: string, slot: string): Answer<T> =>
    answer<T>(r, {
      question,
      key: label.toLowerCase(),
      label,
      sections,
      read: (match) => textOf(match, slot) as T,
    });
  const header = textOf(bullet.match, "header");
  if (!objects.header.has(header) && bullet.status === "stated") {
    silent(r, {
      question: "key needed",
      section: place.section,
      id: `${place.id}/key needed`,
      span: bullet,
    });
  }
  if (bullet.status === "not shown") shownGap(r, place.section, bullet, "idempotency key");
  const running = answer<Refusal | "wait">(r, {
    question: "running",
    key: "same key while the first runs",
    label: "Same key while the first runs",
    sections,
    read: (match, one) => {
      const slot = refusalSlot(match, "refusal");
      return slot === undefined ? "wait" : resolveRefusal(r, slot, refusalPlace(place, one));
    },
  });
  return {
    id: origin(r, bullet.id, bullet),
    header,
    running,
    kept: text("key kept", "Key kept", "time"),
    per: text("key per", "Key per", "per"),
    sameBody: answer(r, {
      question: "same body",
      key: "same key and same body",
      label: "Same key and same body",
      sections,
      read: () => "first answer again" as const,
    }),
    otherBody: refusalAnswer(place, "other body", "Same key and other body"),
    keeps: text("answers kept", "Answers kept under a key", "which"),
    compares: text("bodies compared", "Bodies are the same when", "what"),
  };
}

function pathMembers(place: Place, path: readonly PathSegment[]): Map<string, Member> {
  const found = new Map<string, Member>();
  for (const segment of path) {
    if (!("param" in segment)) continue;
    if (found.has(segment.param)) {
      report(place.r, "second-name", headSpan(place.r, place.section), {
        message: `The path has \`{${segment.param}}\` twice.`,
      });
    }
    found.set(segment.param, { type: { kind: "string" }, absent: false });
  }
  return found;
}

function steps(
  place: Place,
  objects: Objects,
  bindings: readonly Binding[],
  caller: CallerState,
): Step[] {
  const { r, names, section } = place;
  for (const kind of ["path", "query", "header", "cookie", "body"] as const) {
    r.objects.set(`${kind}:${place.key}`, objects[kind]);
  }
  const known: (readonly [string, Type])[] = (["path", "query", "header", "cookie"] as const).map(
    (kind) => [kind, { kind: "object", name: `${kind}:${place.key}` }] as const,
  );
  const whole: Type = objects.whole ?? { kind: "object", name: `body:${place.key}` };
  const view = withNames(commonNames(r, caller), [
    ...known,
    ["body", whole],
    ...bindings.map((one) => [one.as, { kind: "row", resource: one.resource }] as const),
  ]);
  if (section.steps.length === 0) {
    if (section.sentences.every((sentence) => sentence.subject.text.toLowerCase() !== "steps")) {
      silent(r, {
        question: "steps",
        section,
        id: `${place.id}/steps`,
        fix: { at: lineEnd(r, section.end), insert: "\n\nSteps: not shown." },
      });
    }
    return [{ id: `${place.id}/steps`, kind: "gap", gap: gapOf(place, "steps") }];
  }
  const flow: Flow = { section, names, kind: "endpoint", view, ended: false };
  const made = resolveSteps(r, section.steps, flow);
  if (!made.flow.ended) {
    const last = section.steps.at(-1) ?? section;
    report(
      r,
      "no-answer",
      { start: last.start, end: last.end },
      {
        message: "The steps can end here without an answer.",
        hint: "Every path ends in one Respond or Refuse.",
      },
    );
  }
  return made.steps;
}

/** The gap of a free sentence with that subject, or the silent one. */
function gapOf(place: Place, subject: string): string {
  const sentence = place.section.sentences.find(
    (one) => one.subject.text.toLowerCase() === subject,
  );
  if (sentence === undefined) return `${place.id}/${subject}`;
  return shownGap(place.r, place.section, sentence, subject);
}

function endpoint(
  r: Resolver,
  names: Collected,
  section: SectionNode,
  always: ReadonlySet<string>,
): Endpoint | undefined {
  const slot = slotOf(section.heading, "endpoint") as TextSlot;
  const split = splitEndpoint(r, slot);
  if (split === undefined) return undefined;
  const [every] = sectionsOf(r, "every endpoint");
  const id = origin(r, section.id, section.heading ?? section);
  const place: Place = { r, names, section, every, id, key: slot.text };
  if (!declare(r, "endpoint", slot, section)) return undefined;
  const objects: Objects = {
    path: pathMembers(place, split.path),
    query: new Map(),
    header: new Map(),
    cookie: new Map(),
    body: new Map(),
  };
  const who = whoOf(r, [section, every]);
  const caller = callerState(who, always);
  const rows = [...bodyInputs(place, objects), ...inputs(place, objects)];
  const stated = body(place, objects, split.method);
  const bindings = bulletsOf([section], "path").flatMap(
    (bullet) => binding(place, objects, bullet, caller) ?? [],
  );
  const key = idempotency(place, objects);
  const failures: FailureRow[] = failureRows(r, section);
  const title = textOf(section.heading, "title");
  return {
    id,
    method: split.method,
    path: split.path,
    ...(title === "" ? {} : { title }),
    who,
    inputs: rows,
    body: stated,
    bindings,
    ...(key === undefined ? {} : { idempotency: key }),
    failures,
    steps: steps(place, objects, bindings, caller),
  };
}

/** The steps of `### Every endpoint`. */
export function resolvePrologue(r: Resolver, names: Collected): Step[] {
  const [every] = sectionsOf(r, "every endpoint");
  const [first] = sectionsOf(r, "endpoint");
  const [top] = sectionsOf(r, "endpoints");
  if (every === undefined || every.steps.length === 0) {
    const section = every ?? top;
    if (first === undefined || section === undefined) return [];
    const said = every?.sentences.find(
      (one) => one.subject.text.toLowerCase() === "order of checks",
    );
    const id = "endpoints/order of checks";
    if (said !== undefined) {
      return [{ id, kind: "gap", gap: shownGap(r, section, said, "order of checks") }];
    }
    const at = lineEnd(r, headSpan(r, section).end);
    const lead = every === undefined ? "\n\n### Every endpoint" : "";
    const gap = silent(r, {
      question: "order of checks",
      section,
      id,
      fix: { at, insert: `${lead}\n\nOrder of checks: not shown.` },
    });
    return [{ id, kind: "gap", gap }];
  }
  for (const kind of ["path", "query", "header", "cookie", "body"] as const) {
    r.objects.set(`${kind}:every`, new Map());
  }
  const flow: Flow = {
    section: every,
    names,
    kind: "prologue",
    view: commonNames(r),
    ended: false,
  };
  return resolveSteps(r, every.steps, flow).steps;
}

/** Resolves all endpoints. `always`: actors that hold without credentials. */
export function resolveEndpoints(
  r: Resolver,
  names: Collected,
  always: ReadonlySet<string>,
): Endpoint[] {
  return sectionsOf(r, "endpoint").flatMap((section) => endpoint(r, names, section, always) ?? []);
}
