/** Resolves endpoints: path, who, inputs, body, bindings, idempotency, steps. */
import type { Type } from "../../../expr/index.ts";
import type { Binding, Endpoint, FailureRow, Step } from "../../../plan/index.ts";
import type { SectionNode, TextSlot } from "../../../spec/index.ts";
import { callerState, whoOf } from "../access/who.ts";
import { failureRows } from "../failures/failures.ts";
import { silent } from "../names/asking.ts";
import type { Collected } from "../names/collect.ts";
import { type CallerState, commonNames, withRequest, withService } from "../names/common.ts";
import { type View, withNames } from "../names/expression.ts";
import { pathMembers, splitEndpoint } from "../names/path.ts";
import {
  bulletsOf,
  declare,
  groupOf,
  headSpan,
  lineEnd,
  origin,
  type Resolver,
  report,
  sectionsOf,
  shownGap,
  slotOf,
  textOf,
} from "../names/resolver.ts";
import { hiddenType } from "../names/types.ts";
import type { Flow } from "../steps/flow.ts";
import { resolveSteps } from "../steps/steps.ts";
import { answerExamples, answers } from "./answers.ts";
import { hiddenBinding, bindings as pathBindings, pathGapOf } from "./bindings.ts";
import { body, bodyInputs } from "./body.ts";
import { answerHeaders, answerTag } from "./headers.ts";
import { idempotency } from "./idempotency.ts";
import { inputs } from "./inputs.ts";
import type { Objects, Place } from "./request.ts";

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
  const open = hiddenBinding(bulletsOf([section], "path"));
  const shared = withRequest(r, withService(r, commonNames(r, caller)));
  const common: View = { ...shared, ...(open === undefined ? {} : { open }) };
  const view = withNames(common, [
    ...known,
    ["body", whole],
    ...bindings.map((one) => [one.as, { kind: "row", resource: one.resource }] as const),
  ]);
  const flow: Flow = { section, names, kind: "endpoint", view, ended: false };
  const made = resolveSteps(r, section.steps, flow);
  if (section.steps.every((step) => groupOf(section, step) !== undefined)) {
    if (section.sentences.every((sentence) => sentence.subject.text.toLowerCase() !== "steps")) {
      silent(r, {
        question: "steps",
        section,
        id: `${place.id}/steps`,
        fix: { at: lineEnd(r, section.end), insert: "\n\nSteps: not shown." },
      });
    }
    const hidden: Step = { id: `${place.id}/steps`, kind: "gap", gap: gapOf(place, "steps") };
    return [...made.steps, hidden];
  }
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
  if (open === undefined) return made.steps;
  return [{ id: `${place.id}/path`, kind: "gap", gap: open }, ...made.steps];
}

/** The gap of a free sentence with that subject, or the silent one. */
function gapOf(place: Place, subject: string): string {
  const sentence = place.section.sentences.find(
    (one) => one.subject.text.toLowerCase() === subject,
  );
  if (sentence === undefined) return `${place.id}/${subject}`;
  return shownGap(place.r, place.section, sentence, subject);
}

/** What endpoints are resolved by. */
interface Around {
  /** Actors that hold without credentials. */
  readonly always: ReadonlySet<string>;
  /** What the table of `### Every endpoint` gives. */
  readonly shared: readonly (readonly [name: string, type: Type])[];
}

function endpoint(
  r: Resolver,
  names: Collected,
  section: SectionNode,
  { always, shared }: Around,
): Endpoint | undefined {
  const slot = slotOf(section.heading, "endpoint") as TextSlot;
  const split = splitEndpoint(r, slot);
  if (split === undefined) return undefined;
  const [every] = sectionsOf(r, "every endpoint");
  const id = origin(r, section.id, section.heading ?? section);
  const place: Place = { r, names, section, every, id, key: slot.text };
  if (!declare(r, "endpoint", slot, section)) return undefined;
  const objects: Objects = {
    path: pathMembers(r, headSpan(r, section), split.path),
    query: new Map(),
    header: new Map(),
    cookie: new Map(),
    body: new Map(),
    unplaced: new Set(),
  };
  const who = whoOf(place, "who");
  const caller = callerState(who, always);
  const rows = [...bodyInputs(place, objects), ...inputs(place, objects)];
  const whole = body(place, objects, split.method);
  if (whole.is === "gap") objects.whole = hiddenType(whole.gap);
  const typed = new Set(rows.filter((one) => one.in === "path").map((one) => one.name));
  const paths = bulletsOf([section], "path");
  const bindings = pathBindings(place, objects, paths, { caller, typed });
  const pathGap = pathGapOf(paths);
  const key = idempotency(place, objects, shared);
  const failures: FailureRow[] = failureRows(r, section);
  const headers = answerHeaders(place, shared);
  const tag = answerTag(place);
  const stated = answers(place);
  const examples = answerExamples(place);
  const title = textOf(section.heading, "title");
  const [formatBullet] = bulletsOf([section, every], "body format");
  const format = textOf(formatBullet?.match, "media");
  if (formatBullet !== undefined) origin(r, formatBullet.id, formatBullet);
  const formatGap =
    formatBullet?.status === "not shown"
      ? shownGap(r, section, formatBullet, "body format")
      : undefined;
  return {
    id,
    method: split.method,
    path: split.path,
    ...(title === "" ? {} : { title }),
    who,
    inputs: rows,
    body: whole,
    ...(format === "" ? {} : { format }),
    ...(formatGap === undefined ? {} : { formatGap }),
    bindings,
    ...(pathGap === undefined ? {} : { pathGap }),
    ...(key === undefined ? {} : { idempotency: key }),
    failures,
    ...(headers.length === 0 ? {} : { headers }),
    ...(tag === undefined ? {} : { answerTag: tag }),
    ...(stated === undefined ? {} : { answers: stated }),
    ...(examples.length === 0 ? {} : { answerExamples: examples }),
    steps: steps(place, objects, bindings, caller),
  };
}

/** Resolves all endpoints. */
export function resolveEndpoints(r: Resolver, names: Collected, around: Around): Endpoint[] {
  return sectionsOf(r, "endpoint").flatMap((section) => endpoint(r, names, section, around) ?? []);
}
