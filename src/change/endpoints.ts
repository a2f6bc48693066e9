/** Compares endpoints: who may ask, what is sent, what is done. */
import {
  type Answer,
  type AnswerHeader,
  type Binding,
  type Body,
  type Endpoint,
  type FailureRow,
  type Idempotency,
  type Input,
  type InputGaps,
  type ItemId,
  isStated,
  type PathSegment,
  pathForm,
  pathText,
  type StatedAnswer,
  type ValueType,
} from "../plan/index.ts";
import { typed } from "./fields.ts";
import {
  type Change,
  type Compare,
  each,
  gapBeside,
  type Members,
  type On,
  tell,
  tellAdded,
  tellGap,
  tellGone,
  told,
  wording,
} from "./found.ts";
import { moved, paired } from "./pairs.ts";
import { refusal } from "./refusals.ts";
import { ruleList } from "./rule-list.ts";
import { isSame, type Names } from "./same.ts";
import { stepList } from "./steps.ts";

/** `METHOD /path/{parameter}`. */
export function nameOf({ method, path }: Pick<Endpoint, "method" | "path">): string {
  return `${method} ${pathText(path)}`;
}

/** The same whatever the parameters are called. */
function routeOf({ method, path }: Endpoint): string {
  return `${method} ${pathForm(path)}`;
}

const path: Compare<readonly PathSegment[]> = (before, now, on) => {
  for (const [at, segment] of now.entries()) {
    const old = before[at];
    if (old === undefined || !("param" in old) || !("param" in segment)) continue;
    if (old.param === segment.param) continue;
    tell(on, "path parameter renamed", { was: old.param, is: segment.param });
  }
};

/** Names of actors, by which it is said who may ask. */
export const who: Compare<Answer<readonly string[]>> = (before, now, on) => {
  const item = (answer: typeof before, of: string): string => ("id" in answer ? answer.id : of);
  const at = { ...on, before: item(before, on.before), now: item(now, on.now) };
  if (isStated(before) && isStated(now)) {
    const { gone, added } = paired(before.value, now.value, (one) => one);
    for (const what of gone) tell(at, "actor removed from Who", { what });
    for (const what of added) tell(at, "actor added to Who", { what });
    return;
  }
  if (before.is === now.is || tellGap(before, now, on)) return;
  tell(at, isStated(now) ? "caller asked for" : "caller not asked for");
};

const gaps: Compare<InputGaps | undefined> = (before, now, on) => {
  const members: Members<InputGaps> = { in: gapBeside, type: gapBeside, needed: gapBeside };
  each(members, before ?? {}, now ?? {}, on);
};

function needed(input: Pick<Input, "needed">): Change["kind"] {
  return input.needed === "yes" ? "needed input added" : "optional input added";
}

const input: Members<Input> = {
  id: wording,
  name: wording,
  sentAs: told("sent name changed"),
  in: told("place of an input changed"),
  type: typed("type of an input changed"),
  needed: (before, now, on) => {
    if (before === now || before === "not shown" || now === "not shown") return;
    tell(on, now === "yes" ? "input now needed" : "input no longer needed");
  },
  rules: ruleList,
  gaps,
};

/** Names of headers ignore case. */
function inputName(one: Input): string {
  return one.in === "header" ? one.name.toLowerCase() : one.name;
}

/** The order in which places are read is fixed; within one it is that of the tables. */
const inputs: Compare<readonly Input[]> = (before, now, on) => {
  const pairs = paired(before, now, (one) => `${one.in} ${inputName(one)}`, inputName);
  for (const { id, name } of pairs.gone) tellGone(on, "input removed", id, { what: name });
  for (const { id, name, needed: how } of pairs.added) {
    tellAdded(on, needed({ needed: how }), id, { what: name });
  }
  for (const [old, one] of pairs.both) {
    each(input, old, one, { ...on, before: old.id, now: one.id });
  }
  for (const where of ["path", "query", "header", "cookie", "body"] as const) {
    const of = (all: readonly Input[]): Input[] => all.filter((one) => one.in === where);
    const same = paired(of(before), of(now), inputName);
    for (const [old, one] of moved(of(before), same)) {
      const at = { ...on, before: old.id, now: one.id };
      tell(at, "order of checks changed", { what: one.name });
    }
  }
};

const content: Compare<Body["content"]> = (before, now, on) => {
  if (before.is === "type" && now.is === "type") {
    return typed("request body changed")(before.type, now.type, on);
  }
  const type = (one: Body["content"]): ValueType | undefined =>
    one.is === "type" ? one.type : undefined;
  if (isSame(before, now) || tellGap(type(before), type(now), on)) return;
  tell(on, "request body changed");
};

const bodyMembers: Members<Body> = {
  id: wording,
  member: told("request body changed"),
  content,
  rules: ruleList,
  format: told("body format changed"),
};

const body: Compare<Answer<Body>> = (before, now, on) => {
  if (isStated(before) && isStated(now)) {
    const at = { ...on, before: before.value.id, now: now.value.id };
    return each(bodyMembers, before.value, now.value, at);
  }
  const isNone = ({ is }: Answer<Body>): boolean => is === "none" || is === "not asked";
  if (before.is === now.is || (isNone(before) && isNone(now)) || tellGap(before, now, on)) return;
  const item = (answer: Answer<Body>, of: string): string => ("id" in answer ? answer.id : of);
  const at = { before: item(before, on.before), now: item(now, on.now) };
  tell(on, isStated(now) ? "request body added" : "request body removed", at);
};

const rowChanged = told("row of a path changed");

const binding: Members<Binding> = {
  id: wording,
  param: wording,
  // Steps call the row so, and nobody else.
  as: wording,
  resource: rowChanged,
  by: rowChanged,
  anyCase: rowChanged,
  where: rowChanged,
  otherwise: refusal,
};

/** Each sees the rows that those above it name, and the first that finds none answers. */
export function bindings(before: readonly Binding[], now: readonly Binding[], on: On): Names {
  const pairs = paired(
    before,
    now,
    ({ param }) => param,
    ({ as }) => as,
  );
  for (const { id, param } of pairs.gone)
    tellGone(on, "row of a path changed", id, { what: param });
  for (const { id, param } of pairs.added) {
    tellAdded(on, "row of a path changed", id, { what: param });
  }
  const names = new Map(on.names);
  for (const [old, one] of pairs.both) {
    if (old.as !== one.as) names.set(old.as, one.as);
    each(binding, old, one, { ...on, names, before: old.id, now: one.id });
  }
  for (const [old, one] of moved(before, pairs)) {
    const at = { ...on, before: old.id, now: one.id };
    tell(at, "order of checks changed", { what: one.param });
  }
  return names;
}

const keyChanged = told("idempotency key changed");

const keyMembers: Members<Idempotency> = {
  id: wording,
  header: keyChanged,
  kept: keyChanged,
  per: keyChanged,
  scope: keyChanged,
  sameBody: keyChanged,
  mark: keyChanged,
  otherBody: keyChanged,
  running: keyChanged,
  keeps: keyChanged,
  compares: keyChanged,
};

const idempotency: Compare<Idempotency | undefined> = (before, now, on) => {
  if (before === undefined || now === undefined) return keyChanged(before, now, on);
  each(keyMembers, before, now, { ...on, before: before.id, now: now.id });
};

/** Rows of a failure table, by their conditions. */
export const failureList: Compare<readonly FailureRow[]> = (before, now, on) => {
  const { both, gone, added } = paired(before, now, ({ condition }) => condition);
  const kind = "answer to a failure changed";
  for (const { id, condition, answer } of gone) {
    if (answer.is === "gap") tellGone(on, "gap filled", answer.gap, { what: condition });
    else tellGone(on, kind, id, { what: condition });
  }
  for (const { id, condition, answer } of added) {
    if (answer.is === "gap") tellAdded(on, "gap recorded", answer.gap, { what: condition });
    else tellAdded(on, kind, id, { what: condition });
  }
  for (const [old, one] of both) {
    const at = { ...on, before: old.id, now: one.id };
    if (!isSame(old.answer, one.answer) && !tellGap(old.answer, one.answer, at)) {
      tell(at, kind, { what: one.condition, ...wordsOf(old, one) });
    }
    columnList(kind)(old.columns, one.columns, at);
  }
};

function wordsOf(before: FailureRow, now: FailureRow): { was: string; is: string } {
  const words = ({ answer }: FailureRow): string =>
    answer.is === "error" ? answer.error : answer.is;
  return { was: words(before), is: words(now) };
}

interface Column {
  readonly name: string;
  readonly value: Answer<string>;
}

/** The head of a column of the table in which a row stands. */
export function columnItem(row: ItemId, name: string): ItemId {
  return `${row.slice(0, row.lastIndexOf("/"))}/column ${name}`;
}

/** Texts of further columns; a column that says nothing is as good as none. */
export function columnList(kind: Change["kind"]): Compare<readonly Column[]> {
  return (before, now, on) => {
    const { both, gone, added } = paired(before, now, ({ name }) => name);
    for (const { name, value } of gone) {
      if (value.is !== "none") tell(on, kind, { what: name, before: columnItem(on.before, name) });
    }
    for (const { name, value } of added) {
      if (value.is !== "none") tell(on, kind, { what: name, now: columnItem(on.now, name) });
    }
    for (const [old, one] of both) {
      if (isSame(old.value, one.value) || tellGap(old.value, one.value, on)) continue;
      tell(on, kind, { what: one.name });
    }
  };
}

/** Headers of answers, by their names in any case. */
export const headerList: Compare<readonly AnswerHeader[] | undefined> = (before, now, on) => {
  const byName = ({ name }: AnswerHeader): string => name.toLowerCase();
  const { both, gone, added } = paired(before ?? [], now ?? [], byName);
  const kind = "header of answers changed";
  for (const { id, name } of gone) tellGone(on, kind, id, { what: name });
  for (const { id, name } of added) tellAdded(on, kind, id, { what: name });
  for (const [old, one] of both) {
    told(kind)(old.value, one.value, { ...on, before: old.id, now: one.id });
  }
};

/** Answers by their status and media type. */
const answerList: Compare<readonly StatedAnswer[] | undefined> = (before, now, on) => {
  const key = ({ status, media }: StatedAnswer): string =>
    `${status} ${isStated(media) ? media.value : ""}`;
  const { both, gone, added } = paired(before ?? [], now ?? [], key);
  for (const one of gone) {
    tellGone(on, "answer removed from an endpoint", one.id, { what: key(one).trim() });
  }
  for (const one of added) {
    tellAdded(on, "answer added to an endpoint", one.id, { what: key(one).trim() });
  }
  for (const [old, one] of both) {
    const at = { ...on, before: old.id, now: one.id };
    told("answer of an endpoint changed")(old.media, one.media, at);
    told("answer of an endpoint changed")(old.body, one.body, at);
  }
};

/** Which row a path names is told with its steps, which meet the gap where that is not shown. */
const endpoint: Members<Omit<Endpoint, "bindings" | "pathGap" | "steps">> = {
  id: wording,
  method: wording,
  path,
  title: wording,
  who,
  inputs,
  body,
  format: told("body format changed"),
  formatGap: gapBeside,
  idempotency,
  failures: failureList,
  headers: headerList,
  answerTag: told("version tag changed"),
  answers: answerList,
  answerExamples: wording,
};

/** Compares endpoints by method and path, whatever parameters are called. */
export const endpointList: Compare<readonly Endpoint[]> = (before, now, on) => {
  const { both, gone, added } = paired(before, now, routeOf);
  for (const one of gone) tellGone({ ...on, about: nameOf(one) }, "endpoint removed", one.id);
  for (const one of added) tellAdded({ ...on, about: nameOf(one) }, "endpoint added", one.id);
  for (const [old, one] of both) {
    const at = { ...on, about: nameOf(one), before: old.id, now: one.id };
    each(endpoint, old, one, at);
    const names = bindings(old.bindings, one.bindings, at);
    stepList(old.steps, one.steps, { ...at, names });
  }
};
