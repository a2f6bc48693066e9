/** Does steps one after another over names; checks are done by who knows the request. */
import type { Literal } from "../../src/expr/index.ts";
import type { Assignment, Step, Transition } from "../../src/plan/index.ts";
import { mediaOf } from "./answers.ts";
import { meet, pass } from "./coverage.ts";
import { draftOf, readOf, sameKept } from "./drafts.ts";
import { contentOf } from "./files.ts";
import { alikeInAnyCase, judgeInvariants, uniquenessOf } from "./invariants.ts";
import { fire, open, type RunSteps } from "./machines.ts";
import type { Failure } from "./reading.ts";
import { changeRow, changesOf, createRow, deleteRow } from "./rows.ts";
import { plainText, rowText, shapeText } from "./show.ts";
import { type Caused, compareNull } from "./timers.ts";
import { equal, Fault, GapMet, isList, isRef, type Ref, type Value } from "./values.ts";
import type { Ending, Work } from "./work.ts";
import { type Answer, type LaterCall, resourceOf } from "./world.ts";

export type Names = Map<string, Value>;
/** Does a `Check ...` step. */
export type Check = (
  step: Extract<Step, { kind: "check" | "check tag" }>,
  names: Names,
) => Ending | undefined;

export interface Doing {
  readonly work: Work;
  readonly names: Names;
  readonly check: Check;
}

type Of<K extends Step["kind"]> = Extract<Step, { kind: K }>;

export function doSteps(doing: Doing, steps: readonly Step[]): Ending | undefined {
  for (const step of steps) {
    meet("step", step.kind);
    pass(step);
    const ending = doStep(doing, step);
    if (ending === undefined) continue;
    meet("step ends", `${step.kind}, ${ending.is}`);
    return ending;
  }
  return undefined;
}

/** The row that a name stands for; `caller` is a name of its own. */
function rowIn({ work, names }: Doing, name: string): Ref {
  const row = names.get(name) ?? (name === "caller" ? work.caller : undefined);
  if (!isRef(row)) throw new Fault(`\`${name}\` is no row`);
  return row;
}

const noCheck: Check = () => {
  throw new Error("a check among the steps of a transition");
};

/** Steps of Then cells. */
export const runThen: RunSteps = (work, transition, it) =>
  doSteps({ work, names: new Map([["it", it]]), check: noCheck }, transition.then);

function doStep(doing: Doing, step: Step): Ending | undefined {
  const { work, names } = doing;
  switch (step.kind) {
    case "check":
    case "check tag":
      return doing.check(step, names);
    case "require":
      return work.eval(step.condition, names) === true
        ? undefined
        : work.refuse(step.otherwise, names);
    case "let one":
      return letOne(doing, step);
    case "let every":
      names.set(
        step.as,
        work.every(
          step.resource,
          (it) =>
            step.where === undefined || work.eval(step.where, [...names, ["it", it]]) === true,
        ),
      );
      return undefined;
    case "let":
      names.set(step.as, work.name(step.value, names));
      return undefined;
    case "order":
      names.set(step.list, ordered(doing, step));
      return undefined;
    case "page":
    case "page after":
      return page(doing, step);
    case "create":
      return create(doing, step);
    case "set from": {
      const target = rowIn(doing, step.target);
      const from = work.eval(step.from, names) as ReadonlyMap<string, Value>;
      const failures: Failure[] = [];
      const sent = { from, givenOnly: step.givenOnly };
      const changes = changesOf(work, target, sent, failures);
      if (failures.length > 0) return { is: "failures", failures };
      changeRow(work, target, changes);
      return undefined;
    }
    case "set":
      changeRow(
        work,
        rowIn(doing, step.target),
        new Map([[step.field, work.eval(step.value, names)]]),
      );
      return undefined;
    case "delete":
      return deleteRow(work, rowIn(doing, step.target));
    case "delete every":
      for (const it of work.every(
        step.resource,
        (row) => work.eval(step.where, [...names, ["it", row]]) === true,
      )) {
        const ending = deleteRow(work, it);
        if (ending !== undefined) return ending;
      }
      return undefined;
    default:
      return doOther(doing, step);
  }
}

function doOther(doing: Doing, step: Step): Ending | undefined {
  const { work, names } = doing;
  switch (step.kind) {
    case "fire": {
      const it = rowIn(doing, step.on);
      const ending = fire(work, it, step.transitions, runThen);
      return ending === "refused" ? refused(doing, it, step.otherwise) : ending;
    }
    case "may fire": {
      const it = rowIn(doing, step.on);
      return open(work, it, [step.transition]).length > 0
        ? undefined
        : refused(doing, it, step.otherwise);
    }
    case "emit":
      return emit(doing, step);
    case "do": {
      const routine = work.plan.routines.find((one) => one.name === step.routine);
      return doSteps({ ...doing, names: named(doing, step.with) }, routine?.steps ?? []);
    }
    case "respond":
      return respond(doing, step);
    case "refuse":
      return work.refuse(step.refusal, names, step.keep);
    case "when":
      return work.eval(step.condition, names) === true
        ? doSteps(doing, step.then)
        : doSteps(doing, step.otherwise ?? []);
    case "cases": {
      const subjects = step.subjects.map((one) => work.eval(one, names));
      const taken = step.cases.find((one) =>
        one.values.every((literals, i) => fits(literals, subjects[i])),
      );
      if (taken === undefined) throw new Fault("no case fits");
      pass(taken);
      return doSteps(doing, taken.steps);
    }
    case "for each":
      return forEach(doing, step);
    case "any order":
      return anyOrder(doing, step);
    case "gap":
      return { is: "gap", gap: step.gap };
    case "call":
      return callOut(doing, step);
    default:
      throw new Error(`the reference does not do ${step.kind}`);
  }
}

function fits(literals: readonly Literal[], value: Value): boolean {
  const text = typeof value === "bigint" ? value.toString() : value;
  return literals.length === 0 || literals.some((one) => one === text || one === value);
}

function refused({ work, names }: Doing, it: Ref, own: Of<"fire">["otherwise"]): Ending {
  if (own !== undefined) return work.refuse(own, names);
  const machine = work.plan.machines.find((one) => one.resource === it.resource);
  if (machine === undefined) throw new Error(`${it.resource} has no states`);
  return work.refuse(machine.anyOther, [["it", it]]);
}

function assigned({ work, names }: Doing, list: readonly Assignment[]): Names {
  return new Map(list.map((one) => [one.name, work.eval(one.value, names)]));
}

/** The same for what is handed on: rows, not references. */
function named({ work, names }: Doing, list: readonly Assignment[]): Names {
  return new Map(list.map((one) => [one.name, work.name(one.value, names)]));
}

function letOne({ work, names }: Doing, step: Of<"let one">): Ending | undefined {
  const found = work
    .rows(step.resource)
    .filter((it) => work.eval(step.where, [...names, ["it", it]]) === true);
  for (const one of found) work.meetThere(one);
  if (found.length === 0) work.meetMore(step.resource);
  if (found.length > 1) throw new Fault("more than one row");
  if (found[0] === undefined && step.otherwise !== undefined) {
    return work.refuse(step.otherwise, names);
  }
  names.set(step.as, found[0] ?? null);
  return undefined;
}

/** A stable sort: rows that are alike stay in the order they had. */
function ordered({ work, names }: Doing, step: Of<"order">): readonly Value[] {
  const keyed = (names.get(step.list) as readonly Value[]).map((it) => ({
    it,
    keys: step.keys.map((key) => work.eval(key.by, [...names, ["it", it]])),
  }));
  keyed.sort((a, b) => {
    for (const [i, { descending }] of step.keys.entries()) {
      const order = compareNull(a.keys[i], b.keys[i]);
      if (order !== 0) return descending ? -order : order;
    }
    return 0;
  });
  return keyed.map(({ it }) => it);
}

function page(doing: Doing, step: Of<"page"> | Of<"page after">): Ending | undefined {
  const { work, names } = doing;
  const list = names.get(step.of) as readonly Value[];
  const most = work.eval(step.atMost, names) as bigint;
  let from = 0n;
  if (step.kind === "page") from = work.eval(step.from, names) as bigint;
  else {
    const after = work.eval(step.after, names) ?? null;
    if (after !== null) {
      const at = list.findIndex(
        (row) =>
          isRef(row) &&
          (isRef(after)
            ? equal(row, after)
            : equal(work.field(row, resourceOf(work.plan, row.resource).key ?? ""), after)),
      );
      if (at < 0) return work.refuse(step.otherwise, names);
      from = BigInt(at + 1);
    }
    if (step.backward) {
      const end = after === null ? BigInt(list.length) : from - 1n;
      const first = most < end ? end - most : 0n;
      if (most < 0n) throw new Fault("a page below zero");
      names.set(step.as, list.slice(Number(first), Number(end)));
      return undefined;
    }
  }
  if (from < 0n || most < 0n) throw new Fault("a page below zero");
  names.set(
    step.as,
    list.filter((_, i) => BigInt(i) >= from && BigInt(i) < from + most),
  );
  return undefined;
}

function create(doing: Doing, step: Of<"create">): Ending | undefined {
  const { work, names } = doing;
  const from =
    step.from === undefined
      ? undefined
      : (work.eval(step.from, names) as ReadonlyMap<string, Value> | undefined);
  const given = { from, assigned: assigned(doing, step.with) };
  const row =
    (step.unlessThere ? alike(work, step.resource, given) : undefined) ??
    createRow(work, step.resource, given);
  if (step.as !== undefined) names.set(step.as, row);
  return undefined;
}

/** The row that a unique rule of the resource would not let be made again. */
function alike(
  work: Work,
  resource: string,
  given: Parameters<typeof createRow>[2],
): Ref | undefined {
  for (const rule of uniquenessOf(work, resource)) {
    const names = [...rule.own, ...rule.within];
    const { where } = rule;
    const it = draftOf(work, resource, given, [...names, ...(where ? readOf(where.code) : [])]);
    if (it === undefined) continue;
    if (names.some((name) => it.get(name) === undefined || it.get(name) === null)) continue;
    if (where !== undefined && work.eval(where, [["it", it]]) !== true) continue;
    const found = work.first(
      resource,
      (row) =>
        names.every((name) =>
          rule.anyCase && rule.own.includes(name)
            ? alikeInAnyCase(work.field(row, name), it.get(name))
            : sameKept(work.field(row, name), it.get(name)),
        ) &&
        (where === undefined || work.eval(where, [["it", row]]) === true),
    );
    if (found !== undefined) {
      if (rule.unruled !== undefined) throw new GapMet(rule.unruled);
      meet("create", "one was there");
      if (rule.anyCase) meet("create", "one was there in any case");
      return found;
    }
  }
  return undefined;
}

function emit({ work, names }: Doing, step: Of<"emit">): Ending | undefined {
  const event = work.plan.events.find((one) => one.name === step.event);
  if (event === undefined) throw new Error(`no event ${step.event}`);
  const it = work.name(step.of, names) as Ref;
  if (event.data.is === "gap") return { is: "gap", gap: event.data.gap };
  if (event.sentTo.is === "gap") return { is: "gap", gap: event.sentTo.gap };
  const value =
    event.data.is === "stated" ? work.eval(event.data.value.of, [["it", it]]) : undefined;
  work.telling = true;
  const data = event.data.is === "stated" ? shown(work, event.data.value.shape, value) : null;
  work.telling = false;
  work.world.events.push({
    event: event.name,
    resource: it.resource,
    key: it.key,
    data,
    at: work.now,
  });
  return undefined;
}

/** A value in the shape of a name: a row in a view or resource, else under the one Given name. */
function shown(work: Work, name: string, value: Value): string {
  const shape = work.plan.shapes.find((one) => one.name === name);
  if (shape === undefined || shape.viewOf !== undefined) {
    if (!isRef(value)) throw new Fault("no row");
    return rowText(work, value, name);
  }
  return shapeText(work, shape, new Map([[shape.given[0]?.name ?? "it", value]]));
}

function respond(doing: Doing, step: Of<"respond">): Ending {
  const { work, names } = doing;
  const make = (): Answer => {
    const headers: [string, string][] = [];
    const { body } = step;
    let text: string | undefined;
    let shape: string | undefined;
    meet("body", body.is === "shape" && body.list ? "list" : body.is);
    if (body.is === "shape") {
      const of = work.name(body.of, names);
      shape = body.shape;
      text =
        body.list && isList(of)
          ? `[${of.map((one) => shown(work, body.shape, one)).join(",")}]`
          : shown(work, body.shape, of);
      const tag = body.list || !isRef(of) ? undefined : tagOf(work, of);
      const made = work.plan.shapes.find((one) => one.name === body.shape);
      if (tag !== undefined && (made === undefined || made.viewOf !== undefined)) {
        headers.push(["ETag", tag]);
      }
    } else if (body.is === "shape with") {
      shape = body.shape;
      const found = work.plan.shapes.find((one) => one.name === shape);
      if (found === undefined) throw new Error(`no shape ${shape}`);
      text = shapeText(work, found, named(doing, body.with));
    } else if (body.is === "text") {
      text = work.eval(body.value, names) as string;
      headers.push(["Content-Type", body.media]);
    } else if (body.is === "value") {
      const value = work.eval(body.value, names);
      const { type } = body.value.code;
      const isFile = (type.kind === "nullable" ? type.of : type).kind === "file";
      const file = isFile && typeof value === "string" ? contentOf(value) : undefined;
      if (file !== undefined) headers.push(["Content-Type", file.media]);
      text = file?.text ?? plainText(work, body.value.code.type, value);
    }
    if (text !== undefined && !headers.some(([name]) => name === "Content-Type")) {
      const own = work.plan.shapes.find((one) => one.name === shape)?.contentType;
      headers.push(["Content-Type", mediaOf(work, own)]);
    }
    for (const { name, value } of step.headers) {
      const sent = work.eval(value, names) ?? null;
      // A control character is none of a header value: a space stands for it (RFC 9110 section 5.5).
      const text = [...String(sent)].map((one) => (isControl(one) ? " " : one)).join("");
      if (sent !== null) headers.push([name, text.trim()]);
    }
    return { status: step.status, headers, body: text };
  };
  return { is: "respond", make };
}

function isControl(char: string): boolean {
  const code = char.codePointAt(0) ?? 0;
  return code === 127 || (code < 32 && code !== 9);
}

/** Where no code is behind the door, the call says its stand-in, without the data of that word. */
function callOut(doing: Doing, step: Of<"call">): Ending | undefined {
  const { work, names } = doing;
  const given = named(doing, step.with);
  const call = work.plan.calls.find((one) => one.name === step.call);
  const hidden = call?.given.find(({ type }) => type.gap !== undefined)?.type.gap;
  if (hidden !== undefined) return { is: "gap", gap: hidden };
  if (call?.standIn.is !== "stated" && call?.standIns === undefined)
    return { is: "gap", gap: call?.id ?? step.id };
  if (call.kind.is === "stated" && call.kind.value === "long") {
    work.world.later.push({ call: call.name, given });
    return undefined;
  }
  if (step.as !== undefined) names.set(step.as, saidBy(work, { call: call.name, given }));
  return answered(work, { call: call.name, given });
}

/** What a call says: its word, and where code echoes what it was given. */
function saidBy(work: Work, { call: name, given }: LaterCall): ReadonlyMap<string, Value> {
  const call = work.plan.calls.find((one) => one.name === name);
  const word = call?.standIn.is === "stated" ? call.standIn.value : "";
  const known = [["given", given] as const];
  for (const one of call?.standIns ?? []) {
    if (one.when !== undefined && work.eval(one.when, known) !== true) continue;
    const data = one.with.map(({ name, value }) => [name, work.eval(value, known)] as const);
    return new Map<string, Value>([["word", one.word], ...data]);
  }
  if (call?.standIn.is === "gap") throw new GapMet(call.standIn.gap);
  return new Map<string, Value>([["word", word], ...(work.outside.echoes === true ? given : [])]);
}

/** What the stand-in of a call says, and what that causes on the rows that it was given. */
export function answered(work: Work, { call: name, given }: LaterCall): Ending | undefined {
  const call = work.plan.calls.find((one) => one.name === name);
  const said = saidBy(work, { call: name, given });
  for (const invariant of call?.invariants ?? []) {
    if (
      work.eval(invariant, [
        ["given", given],
        ["said", said],
      ]) !== true
    )
      throw new Fault(`${name}: an invariant`);
  }
  for (const it of [...given.values()].flatMap(refsIn)) {
    if (work.find(it) === undefined) continue;
    const ending = fireSaid(work, it, { call: name, said });
    if (ending !== undefined) return ending;
  }
  return undefined;
}

/** What a call's stand-in brings about on rows that it was given, each by the word that is said. */
export function caused(work: Work, { call, given }: LaterCall): readonly Caused[] {
  const word = saidBy(work, { call, given }).get("word");
  const isSuch = ({ on }: Transition): boolean =>
    on.is === "call" && on.call === call && on.word === word;
  return [...given.values()]
    .flatMap(refsIn)
    .filter(({ resource }) =>
      work.plan.machines.some((one) => one.resource === resource && one.transitions.some(isSuch)),
    )
    .map((it) => ({ it, at: work.now, item: `${call} ${word}` }));
}

/** The rows in a value, however deep. */
function refsIn(value: Value): readonly Ref[] {
  if (isRef(value)) return [value];
  if (isList(value)) return value.flatMap(refsIn);
  return value instanceof Map ? [...value.values()].flatMap((one) => refsIn(one as Value)) : [];
}

/** The transitions that an answer causes on a row that the call was given. */
function fireSaid(
  work: Work,
  it: Ref,
  answer: { readonly call: string; readonly said: ReadonlyMap<string, Value> },
): Ending | undefined {
  const machine = work.plan.machines.find((one) => one.resource === it.resource);
  const named = (machine?.transitions ?? [])
    .filter(
      ({ on }) =>
        on.is === "call" && on.call === answer.call && on.word === answer.said.get("word"),
    )
    .map((one) => one.name);
  if (named.length === 0) return undefined;
  work.said = answer.said;
  const ending = fire(work, it, named, runThen);
  work.said = undefined;
  return ending === "refused" ? undefined : ending;
}

/** The version tag of a row; undefined: its resource has none. */
export function tagOf(work: Work, row: Ref): string | undefined {
  const { versionTag, versionTagGap } = resourceOf(work.plan, row.resource);
  if (versionTagGap !== undefined) throw new GapMet(versionTagGap);
  if (versionTag === undefined) return undefined;
  const text = String(work.field(row, versionTag.field));
  return `${versionTag.strong ? "" : "W/"}"${text}"`;
}

function forEach(doing: Doing, step: Of<"for each">): Ending | undefined {
  const { work, names } = doing;
  const results: Value[] = [];
  for (const element of work.name(step.in, names) as readonly Value[]) {
    names.set(step.as, element);
    if (!step.own) {
      const ending = doSteps(doing, step.steps);
      if (ending !== undefined) return ending;
      continue;
    }
    meet("for each", "on its own");
    const undo = work.save();
    const outer = work.touched;
    work.touched = [];
    const done = doSteps(doing, step.steps);
    const kept = done === undefined || (done.is === "error" && done.keep);
    const ending = (kept ? judgeInvariants(work) : undefined) ?? done;
    const touched = work.touched;
    work.touched = [...outer];
    for (const one of touched) work.touch(one);
    if (ending !== undefined && ending.is !== "error") return ending;
    if (ending !== undefined) meet("for each", ending.keep ? "refused, kept" : "refused");
    if (ending !== undefined && !ending.keep) undo();
    results.push(
      new Map<string, Value>([
        ["element", element],
        ["done", ending === undefined],
        ["error", ending?.error ?? null],
      ]),
    );
  }
  if (step.into !== undefined) names.set(step.into, results);
  return undefined;
}

function anyOrder(doing: Doing, step: Of<"any order">): Ending | undefined {
  const answers = new Set<string>();
  let first: Ending | undefined;
  for (const one of step.steps) {
    const ending = doStep(doing, one);
    if (ending === undefined) continue;
    if (ending.is !== "error") return ending;
    first ??= ending;
    const stated = one.kind === "require" || one.kind === "may fire" ? one.otherwise : undefined;
    const given =
      stated?.is === "error" ? stated.with.map((each) => [each.name, each.value.code]) : [];
    answers.add(JSON.stringify([ending.error, ending.on, given]));
  }
  if (answers.size > 1) throw new GapMet(step.gap ?? step.id);
  return first;
}
