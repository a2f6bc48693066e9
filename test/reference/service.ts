/** The reference service: a plan, a world and a clock in; one answer for each request out. */
import type {
  Endpoint,
  PathParameter,
  PathSegment,
  Plan,
  Step,
  ValueType,
} from "../../src/plan/index.ts";
import { conditionAnswer, errorAnswer, failuresAnswer, gapAnswer } from "./answers.ts";
import { meet } from "./coverage.ts";
import {
  type Counted,
  checkBodySize,
  checkCaller,
  checkKey,
  checkLimits,
  endFields,
  isKeeping,
  issuerOf,
  type Keeping,
} from "./edge.ts";
import { sha256 } from "./encodings.ts";
import { GapFault } from "./evaluate.ts";
import { type Asked, besides } from "./headers.ts";
import { type Inputs, readInputs, type Sent } from "./inputs.ts";
import { alikeInAnyCase, judgeInvariants } from "./invariants.ts";
import { parse } from "./json.ts";
import { tagTellsAll } from "./own.ts";
import { withItems, withParts } from "./parts.ts";
import { type Reading, readValue, Told } from "./reading.ts";
import { NamesNone, resolveBody, resolvePlace, resolveRefs } from "./refs.ts";
import { createRow } from "./rows.ts";
import { answered, caused, doSteps, type Names, runThen, tagOf } from "./steps.ts";
import { answerLater, isTimed, tick } from "./timers.ts";
import { equal, Fault, GapMet, type Ref, type Value } from "./values.ts";
import { type Ending, type Outside, Work } from "./work.ts";
import {
  type Answer,
  copyWorld,
  emptyWorld,
  fieldOf,
  type Row,
  resourceOf,
  type World,
} from "./world.ts";

export interface Request {
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array;
  readonly address: string;
}

interface Route {
  readonly endpoint: Endpoint;
  readonly params: ReadonlyMap<string, string>;
}

/** A service in memory that does what the plan states, naively. */
export class Reference {
  readonly plan: Plan;
  readonly outside: Outside;
  world: World = emptyWorld();
  private readonly timed: boolean;

  constructor(plan: Plan, outside: Outside) {
    this.plan = plan;
    this.outside = outside;
    this.timed = isTimed(plan);
  }

  /** Fills the empty world with the rows that are there at the start. */
  start(
    now: bigint,
    given: Readonly<Record<string, readonly Readonly<Record<string, string>>[]>>,
  ): void {
    const work = new Work(this.plan, this.outside, this.world, now);
    for (const resource of this.plan.resources) {
      const { startRows } = resource;
      const stated =
        startRows.is === "stated" && startRows.value.is === "block" ? startRows.value.rows : [];
      for (const row of [...stated, ...(given[resource.name] ?? [])]) {
        startRow(work, resource.name, row);
      }
    }
    this.world = work.world;
  }

  /** Lets time pass: what is due by now happens. */
  time(now: bigint): void {
    const { plan, outside } = this;
    const parts = { plan, outside, run: runThen, answered, caused };
    if (this.world.later.length > 0) this.world = answerLater(parts, this.world, now);
    if (this.timed) this.world = tick(parts, this.world, now);
    if (this.world.later.length > 0) this.world = answerLater(parts, this.world, now);
  }

  /** The service is started again: what fell due and met a gap is tried anew. */
  again(now: bigint): void {
    const rows = [...this.world.rows].map(([name, all]) => [name, all.map(triedAgain)] as const);
    this.world = { ...this.world, rows: new Map(rows) };
    this.time(now);
  }

  /** Answers a request at an instant; one of HEAD has no content (RFC 9110 section 9.3.2). */
  request(request: Request, now: bigint): Answer {
    const answer = this.whole(request, now);
    const isSilent = request.method === "HEAD" || [204, 304].includes(answer.status);
    return isSilent ? { ...answer, body: undefined } : answer;
  }

  private whole(request: Request, now: bigint): Answer {
    this.time(now);
    const [path = "", ...query] = request.target.split("?");
    const routes = this.routesOf(path);
    const work = new Work(this.plan, this.outside, copyWorld(this.world), now);
    const asked = askedOf(request, request.method);
    const wanted = request.method === "HEAD" ? ["HEAD", "GET"] : [request.method];
    const route = routes.find((one) => wanted.includes(one.endpoint.method));
    const hidden = route === undefined ? this.hiddenAt(path, routes) : undefined;
    if (hidden !== undefined) return gapAnswer(hidden);
    if (routes.length === 0) meet("failure", "unknown path");
    if (routes.length === 0)
      return answerSafely(() =>
        besides(work, this.plan.headers, conditionAnswer(work, undefined, "unknown path"), asked),
      );
    const allow = allowed(routes.map(({ endpoint }) => endpoint.method));
    if (["HEAD", "OPTIONS"].includes(request.method)) meet("method", request.method);
    if (route === undefined && request.method === "OPTIONS") {
      const answer: Answer = { status: 204, headers: [["Allow", allow]], body: undefined };
      return answerSafely(() => besides(work, this.plan.headers, answer, asked));
    }
    if (route === undefined) {
      const answer = answerSafely(() =>
        besides(work, this.plan.headers, conditionAnswer(work, undefined, "unknown method"), asked),
      );
      return { ...answer, headers: [["Allow", allow], ...answer.headers] };
    }
    const headers = new Map<string, string>();
    for (const [name, value] of request.headers) headers.set(name.toLowerCase(), value);
    const sent = {
      target: request.target,
      params: route.params,
      query: query.join("?"),
      headers,
      body: request.body,
    };
    const answer = new Attempt(work, route.endpoint, { request, sent }).answer((world) => {
      this.world = world;
    });
    // What the request has left overdue happens now.
    this.time(now);
    return answer;
  }

  /** The gap of a stream that a GET of this path may open, for all that is shown. */
  private hiddenAt(path: string, routes: readonly Route[]): string | undefined {
    const { basePath } = this.plan.about;
    const base = basePath.is === "stated" ? basePath.value.split("/").filter(Boolean) : [];
    const hasGet = routes.some(({ endpoint }) => endpoint.method === "GET");
    const found = this.plan.streams.flatMap((one) => (one.path.is === "gap" ? [one.path.gap] : []));
    try {
      const parts = path.split("/").slice(1).map(decodeURIComponent);
      const isBelow = parts.length > base.length && base.every((one, i) => one === parts[i]);
      return isBelow && !hasGet ? found[0] : undefined;
    } catch {
      return undefined;
    }
  }

  /** Endpoints whose path fits; where a literal and a parameter fit, the literal alone. */
  private routesOf(path: string): readonly Route[] {
    const { basePath } = this.plan.about;
    const base =
      basePath.is === "stated" ? basePath.value.split("/").filter((one) => one !== "") : [];
    let parts: readonly string[];
    try {
      parts = path.split("/").slice(1).map(decodeURIComponent);
    } catch {
      return [];
    }
    const fitting = this.plan.endpoints.flatMap((endpoint) => {
      const segments = [...base.map((literal) => ({ literal })), ...endpoint.path];
      const params = fittingParams(segments, parts);
      const rank = segments.map(rankOf).join("");
      return params === undefined ? [] : [{ endpoint, params, rank }];
    });
    return fitting.sort((a, b) => (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : 0));
  }
}

/** What the segments of a request give to the parameters of a path; undefined: it is another. */
function fittingParams(
  path: readonly PathSegment[],
  parts: readonly string[],
): Map<string, string> | undefined {
  const escaped = (text = ""): string =>
    encodeURIComponent(text).replaceAll(/[.*()$]/g, String.raw`\$&`);
  const pattern = path.map((one) => {
    if ("literal" in one) return `/${escaped(one.literal)}`;
    if (one.rest) return "((?:/[^/]+)+)";
    return `/${escaped(one.before)}([^/]+)${escaped(one.after)}`;
  });
  const sent = parts.map((one) => `/${encodeURIComponent(one)}`).join("");
  const found = new RegExp(`^${pattern.join("")}$`).exec(sent);
  if (found === null) return undefined;
  for (const one of path) {
    if ("literal" in one) {
      if (one.literal === "") meet("path", "slash at the end");
    } else if (one.rest) meet("path", "the rest");
    else if (one.before || one.after) meet("path", "text around");
  }
  const names = path.flatMap((one) => ("param" in one ? [one] : []));
  const value = (one: PathParameter, i: number): string => {
    const text = decodeURIComponent(found[i + 1] ?? "");
    return one.rest ? text.slice(1) : text;
  };
  return new Map(names.map((one, i) => [one.param, value(one, i)]));
}

/** The smaller is taken, segment by segment. */
function rankOf(one: PathSegment): string {
  if ("literal" in one) return "0";
  if (one.rest) return "9";
  const length = (text = ""): string => String(99 - text.length).padStart(2, "0");
  return `1${length(one.before)}${length(one.after)}`;
}

/** A request by what a proxy calls it. */
function askedOf({ headers, target }: Request, method: string): Asked {
  const id = headers.find(([name]) => name.toLowerCase() === "x-request-id")?.[1] ?? "";
  return { id, method, url: target };
}

/** The row, of which it is not known any more only what does not come again. */
function triedAgain({ unknown = [], ...row }: Row): Row {
  const stay = unknown.filter(({ stays }) => stays);
  return stay.length === 0 ? row : { ...row, unknown: stay };
}

function allowed(methods: readonly string[]): string {
  const all = new Set(methods);
  if (all.has("GET")) all.add("HEAD");
  all.add("OPTIONS");
  return [...all].join(", ");
}

function startValue(work: Work, resource: string, name: string, text: string): Value {
  const field = fieldOf(work.plan, resource, name);
  const reading: Reading = {
    plan: work.plan,
    names: new Map(),
    host: work,
    failures: [],
    form: "json",
  };
  const { type } = field;
  const sent = parse(text)?.tree;
  const value = readValue(
    reading,
    { type, rules: [], sent },
    { name, holder: `${resource}.${name}`, said: true },
  );
  const named = resolveRefs(work, type, value, () => new Error(`${name} of a row at the start`));
  return withParts(work, type, named);
}

function answerSafely(make: () => Answer): Answer {
  try {
    return make();
  } catch (thrown) {
    if (thrown instanceof GapMet) return gapAnswer(thrown.gap);
    throw thrown;
  }
}

/** One request to one endpoint. */
class Attempt {
  private readonly work: Work;
  private readonly endpoint: Endpoint;
  private readonly request: Request;
  private readonly sent: Sent;
  private readonly names: Names = new Map();
  private readonly counted: Counted = { now: [], later: [], told: [] };
  private readonly done = new Set<string>();
  private readonly first: World;
  private keeping: Keeping | undefined;
  private inputs: Inputs | undefined;
  /** It is a first answer, sent again. */
  private isAgain = false;

  constructor(
    work: Work,
    endpoint: Endpoint,
    of: { readonly request: Request; readonly sent: Sent },
  ) {
    this.work = work;
    this.endpoint = endpoint;
    this.request = of.request;
    this.sent = of.sent;
    this.first = copyWorld(work.world);
    work.makeToken = issuerOf(work);
  }

  /** The answer; what is to be kept of the request goes to `keep`. */
  answer(keep: (world: World) => void): Answer {
    const { work } = this;
    const { answer, commit } = this.settle();
    const world = commit ? work.world : this.first;
    world.hits = [
      ...world.hits,
      ...this.counted.now,
      ...this.counted.later.flatMap((one) => (one.status === answer.status ? [one.hit] : [])),
    ];
    if (this.keeping?.keeps(answer.status) === true && answer.gap === undefined) {
      const { name, likeness } = this.keeping;
      const others = world.kept.filter((one) => one.name !== name);
      world.kept = [...others, { name, likeness, at: work.now, answer }];
    }
    keep(world);
    const full = answerSafely(() => this.headed(answer));
    const ends = answer.gap === undefined ? endFields(work.plan, this.endpoint) : [];
    const told = { ...full, headers: [...full.headers, ...this.counted.told, ...ends] };
    return answer.status === 401 ? this.challenged(told) : told;
  }

  /** The answer with what is stated for every one. */
  private headed(answer: Answer): Answer {
    const { work, request } = this;
    const { headers, method, idempotency } = this.endpoint;
    const { query, header, cookie } = this.read();
    const given = new Map<string, Value>(Object.entries({ query, header, cookie }));
    const asked = askedOf(request, method);
    const mark = this.isAgain ? idempotency?.mark : undefined;
    const value = mark && ({ is: "stated", id: "", value: mark.value } as const);
    const marks = mark && value ? [{ id: "", name: mark.name, value }] : [];
    return besides(work, [...marks, ...(headers ?? [])], answer, asked, given);
  }

  private challenged(answer: Answer): Answer {
    if (answer.headers.some(([name]) => name === "WWW-Authenticate")) return answer;
    const words = this.work.plan.schemes.map(({ name, sent }) => {
      if (sent.is !== "stated") return name;
      if (sent.value.in === "basic") return "Basic";
      return (sent.value.in === "header" && sent.value.before.trim()) || name;
    });
    const added = [...new Set(words)].map((one) => ["WWW-Authenticate", one] as const);
    return { ...answer, headers: [...answer.headers, ...added] };
  }

  private settle(): { readonly answer: Answer; readonly commit: boolean } {
    try {
      const made = this.finish(this.run());
      const hidden = this.work.plan.schemes.find(({ sent }) => sent.is === "gap")?.sent;
      if (made.answer.status !== 401 || hidden?.is !== "gap") return made;
      return { answer: gapAnswer(hidden.gap), commit: false };
    } catch (thrown) {
      if (thrown instanceof GapMet || thrown instanceof GapFault) {
        return { answer: gapAnswer(thrown.gap), commit: false };
      }
      if (!(thrown instanceof Fault)) throw thrown;
      const { work, endpoint } = this;
      const answer = answerSafely(() => conditionAnswer(work, endpoint, "fault inside"));
      return { answer, commit: false };
    }
  }

  /** A hash of what a GET shows, where that is stated: it stands instead of a row's tag. */
  private tagged(answer: Answer): Answer {
    const { method, answerTag } = this.endpoint;
    if (method !== "GET" || answer.status !== 200 || answerTag === undefined) return answer;
    if (answerTag.is === "gap") throw new GapMet(answerTag.gap);
    if (answerTag.is !== "stated" || answer.body === undefined) return answer;
    const digits = sha256(answer.body).slice(0, 32);
    const others = answer.headers.filter(([name]) => name !== "ETag");
    const tag = `${answerTag.value.strong ? "" : "W/"}"${digits}"`;
    return { ...answer, headers: [...others, ["ETag", tag]] };
  }

  /** Who names the tag of what a GET shows gets 304 (RFC 9110 section 13.1.2). */
  private unlessKnown(shown: Answer): Answer {
    const answer = this.tagged(shown);
    const tag = answer.headers.find(([name]) => name === "ETag")?.[1];
    const sent = this.sent.headers.get("if-none-match");
    if (this.endpoint.method !== "GET" || tag === undefined || sent === undefined) return answer;
    const isOwn = this.endpoint.answerTag?.is === "stated" && answer.status === 200;
    const tells = isOwn || tagTellsAll(this.work.plan, this.endpoint);
    if (tells === false) return answer;
    const bare = (text: string): string => text.trim().replace(/^W\//, "");
    const isKnown = sent.trim() === "*" || sent.split(",").some((one) => bare(one) === bare(tag));
    meet("tag", isKnown ? "known" : "not known");
    if (!isKnown) return answer;
    if (tells !== true) return gapAnswer(tells.gap);
    return {
      status: 304,
      body: undefined,
      headers: answer.headers.filter(([name]) => name !== "Content-Type"),
    };
  }

  private finish(ending: Ending): { readonly answer: Answer; readonly commit: boolean } {
    const { work, endpoint } = this;
    switch (ending.is) {
      case "respond": {
        const broken = judgeInvariants(work);
        return broken === undefined
          ? { answer: this.unlessKnown(ending.make()), commit: true }
          : this.finish(broken);
      }
      case "error": {
        const broken = ending.keep ? judgeInvariants(work) : undefined;
        if (broken !== undefined) return this.finish(broken);
        return {
          answer: errorAnswer(work, { outcome: ending, field: ending.on, failures: [] }),
          commit: ending.keep,
        };
      }
      case "failures": {
        const answer = failuresAnswer(work, endpoint, ending.failures);
        if (answer === undefined) throw new Fault("failures that are all ignored");
        return { answer, commit: false };
      }
      case "gap":
        return { answer: gapAnswer(ending.gap), commit: false };
      case "again":
        this.isAgain = true;
        return { answer: ending.answer, commit: false };
    }
  }

  private run(): Ending {
    const { work, endpoint, names } = this;
    names.set("request", new Map([["url", this.sent.target]]));
    const all = [...work.plan.prologue, ...endpoint.steps];
    const missing = (["caller", "inputs", "paths"] as const).filter(
      (what) => !all.some((step) => step.kind === "check" && step.what === what),
    );
    const steps: Step[] = [
      ...work.plan.prologue,
      ...missing.map((what) => ({ id: what, kind: "check", what }) as const),
      ...endpoint.steps,
    ];
    const check = (step: Extract<Step, { kind: "check" | "check tag" }>): Ending | undefined =>
      step.kind === "check" ? this.check(step.what) : this.checkTag(step.of);
    const ending = doSteps({ work, names, check }, steps);
    if (ending === undefined) throw new Fault("the steps end without an answer");
    return ending;
  }

  private check(what: Extract<Step, { kind: "check" }>["what"]): Ending | undefined {
    const { work, endpoint, sent } = this;
    if (this.done.has(what)) return undefined;
    this.done.add(what);
    meet("check", what);
    switch (what) {
      case "caller":
        return checkCaller(work, endpoint, sent);
      case "limits":
        return this.checkLimits();
      case "inputs":
        return this.checkInputs();
      case "idempotency key": {
        const header = endpoint.idempotency?.header;
        if (header?.is === "gap") return { is: "gap", gap: header.gap };
        const name = header?.is === "stated" ? header.value.toLowerCase() : "";
        const key = this.read().header.get(name);
        const per = endpoint.idempotency?.per;
        const isNobodys = per?.is === "stated" && per.value === "caller" && work.caller === null;
        const tooLarge =
          typeof key === "string" && !isNobodys ? checkBodySize(work, sent.body.length) : undefined;
        if (tooLarge !== undefined && endpoint.idempotency !== undefined) return tooLarge;
        const found = checkKey(work, endpoint, {
          key: typeof key === "string" ? key : undefined,
          address: this.request.address,
          sent,
        });
        if (!isKeeping(found)) return found;
        this.keeping = found;
        return undefined;
      }
      case "paths":
        return this.bindPaths();
    }
  }

  private checkLimits(): Ending | undefined {
    const { request, sent, counted } = this;
    const bytes = request.headers.reduce(
      (sum, [name, value]) => sum + name.length + value.length + 4,
      0,
    );
    const sizes = {
      "body bytes": sent.body.length,
      "path bytes": request.target.length,
      "header bytes": bytes,
    };
    return checkLimits(this.work, this.endpoint, { sizes, address: request.address, counted });
  }

  private read(): Inputs {
    this.inputs ??= readInputs(this.work, this.endpoint, this.sent);
    return this.inputs;
  }

  private checkInputs(): Ending | undefined {
    const { work, endpoint, names } = this;
    const tooLarge = checkBodySize(work, this.sent.body.length);
    if (tooLarge !== undefined) return tooLarge;
    const inputs = this.read();
    if (inputs.failures.length > 0) return { is: "failures", failures: inputs.failures };
    try {
      for (const place of ["path", "query", "header", "cookie"] as const) {
        const found = resolvePlace(work, endpoint, place, inputs[place]);
        names.set(place, found);
        if (place !== "path") work.asked.set(place, found);
      }
      names.set("body", madeBody(work, endpoint, resolveBody(work, endpoint, inputs.body)));
    } catch (thrown) {
      if (thrown instanceof NamesNone) return thrown.ending(work, names);
      if (thrown instanceof Told) return undefined;
      throw thrown;
    }
    return undefined;
  }

  private bindPaths(): Ending | undefined {
    const { work, endpoint, names, sent } = this;
    // Checked inputs have rows in place of keys.
    if (!names.has("path")) names.set("path", this.read().path);
    const { bindings, pathGap } = endpoint;
    for (const [i, binding] of bindings.entries()) {
      if (pathGap?.behind === i) throw new GapMet(pathGap.gap);
      const field = fieldOf(work.plan, binding.resource, binding.by);
      const text = sent.params.get(binding.param) ?? "";
      const key = keyOf(field.type.type.kind, text);
      const row = work.first(
        binding.resource,
        (it) =>
          (binding.anyCase ? alikeInAnyCase : equal)(work.field(it, binding.by), key) &&
          (binding.where === undefined ||
            work.eval(binding.where, [...names, ["it", it]]) === true),
      );
      meet("path", row === undefined ? "names no row" : "names a row");
      if (binding.anyCase && row !== undefined) meet("path", "names a row in any case");
      if (row === undefined) return work.refuse(binding.otherwise, names);
      names.set(binding.as, row);
    }
    if (pathGap?.behind === bindings.length) throw new GapMet(pathGap.gap);
    return undefined;
  }

  private checkTag(of: string): Ending | undefined {
    const { work, names } = this;
    const row = (names.get(of) ?? (of === "caller" ? work.caller : null)) as Ref;
    const tag = resourceOf(work.plan, row.resource).versionTag;
    const header = this.sent.headers.get("if-match");
    if (tag === undefined) return undefined;
    if (header === undefined) {
      meet("tag", "none sent");
      return work.refuse(tag.absent, names);
    }
    const own = tagOf(work, row) ?? "";
    const listed = header.split(",").map((one) => one.trim());
    // Compared strongly: a weak tag equals none (RFC 9110 section 8.8.3.2).
    const strength = tag.strong ? "strong" : "weak";
    const same = listed.includes("*") || (!own.startsWith("W/") && listed.includes(own));
    meet("tag", `${strength}, ${same ? "the same" : "another"}`);
    return same ? undefined : work.refuse(tag.other, names);
  }
}

function keyOf(kind: string, text: string): Value {
  if (kind !== "integer") return text;
  return /^-?(0|[1-9]\d{0,37})$/.test(text) ? BigInt(text) : undefined;
}

/** The body with its parts made: rows of the input table first, then what the bullet names. */
function madeBody(work: Work, endpoint: Endpoint, body: Value): Value {
  let made = body;
  const make = (path: readonly string[], type: ValueType, patch = false): void => {
    const value = path.reduce<Value>(
      (of, name) => (of instanceof Map ? of.get(name) : undefined),
      made,
    );
    if (value === undefined || value === null) return;
    made = withMember(
      made as ReadonlyMap<string, Value>,
      path,
      (patch ? withItems : withParts)(work, type, value),
    );
  };
  for (const input of endpoint.inputs) {
    if (input.in === "body") make(input.name.split("."), input.type);
  }
  if (endpoint.body.is !== "stated") return made;
  const { content, member } = endpoint.body.value;
  const path = member?.split(".") ?? [];
  if (content.is === "type") {
    make(path, content.type);
    return made;
  }
  for (const field of resourceOf(work.plan, content.resource).fields) {
    const given = content.is === "new" ? field.create : field.update;
    if (given.is !== "no") make([...path, field.name], field.type, given.is === "merged");
  }
  return made;
}

function withMember(of: ReadonlyMap<string, Value>, path: readonly string[], value: Value): Value {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  return new Map([
    ...of,
    [name, withMember(of.get(name) as ReadonlyMap<string, Value>, rest, value)],
  ]);
}

/** Makes a row at the start; one that meets a gap is not there, which is noted. */
function startRow(work: Work, resource: string, row: Readonly<Record<string, string>>): void {
  const undo = work.save();
  try {
    const assigned = new Map(
      Object.entries(row).map(([name, text]) => [name, startValue(work, resource, name, text)]),
    );
    createRow(work, resource, { from: undefined, assigned });
  } catch (thrown) {
    if (!(thrown instanceof GapMet || thrown instanceof GapFault)) throw thrown;
    undo();
    const { unmade } = work.world;
    if (!unmade.has(resource)) unmade.set(resource, thrown.gap);
  }
}
