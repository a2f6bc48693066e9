/** Runs every rule of the checker over a resolved specification. */
import type { Finding } from "../../base/index.ts";
import type { ItemId } from "../../plan/index.ts";
import type { Spec } from "../../spec/index.ts";
import type { Resolution } from "../resolve/index.ts";
import type { GapReport } from "../types.ts";
import { answered } from "./answered.ts";
import { beginnings } from "./beginnings.ts";
import { beyondRows } from "./beyond-rows.ts";
import { calls } from "./calls.ts";
import { claims } from "./claims.ts";
import { newContext, type Rule } from "./context.ts";
import { denied } from "./denied.ts";
import { errorsAlike } from "./errors-alike.ts";
import { events } from "./events.ts";
import { examples } from "./examples.ts";
import { failures } from "./failures.ts";
import { filled } from "./filled.ts";
import { fired } from "./fired.ts";
import { withoutFollowers } from "./followers.ts";
import { forms } from "./forms.ts";
import { freedoms } from "./freedoms.ts";
import { groups } from "./groups.ts";
import { growing } from "./growing.ts";
import { grown } from "./grown.ts";
import { guards } from "./guards.ts";
import { hashed } from "./hashed.ts";
import { idleAnswers } from "./idle.ts";
import { instants } from "./instants.ts";
import { invariants } from "./invariants.ts";
import { limits } from "./limits.ts";
import { locations } from "./locations.ts";
import { neverGiven } from "./never-given.ts";
import { neverUsed } from "./never-used.ts";
import { parts } from "./parts.ts";
import { pins } from "./pins.ts";
import { prologue } from "./prologue.ts";
import { ranges } from "./ranges.ts";
import { reads } from "./reads.ts";
import { requestless } from "./requestless.ts";
import { requests } from "./requests.ts";
import { restricted } from "./restricted.ts";
import { rowsMade } from "./rows-made.ts";
import { rowsOpen } from "./rows-open.ts";
import { secretsShown } from "./secrets-shown.ts";
import { sent } from "./sent.ts";
import { sentNames } from "./sent-names.ts";
import { settings } from "./settings.ts";
import { settled } from "./settled.ts";
import { shown } from "./shown.ts";
import { starts } from "./starts.ts";
import { states } from "./states.ts";
import { subjects } from "./subjects.ts";
import { tags } from "./tags.ts";
import { timers } from "./timers.ts";
import { twice } from "./twice.ts";
import { unnamed } from "./unnamed.ts";
import { versions } from "./versions.ts";

interface Ruled {
  readonly findings: readonly Finding[];
  readonly gaps: ReadonlyMap<ItemId, GapReport>;
}

/** Every rule. Each stands alone: none reads what another found. */
const rules: readonly Rule[] = [
  requestless,
  sentNames,
  filled,
  neverGiven,
  rowsMade,
  parts,
  settings,
  starts,
  shown,
  restricted,
  beyondRows,
  rowsOpen,
  states,
  fired,
  tags,
  timers,
  grown,
  guards,
  hashed,
  requests,
  reads,
  sent,
  groups,
  neverUsed,
  settled,
  errorsAlike,
  events,
  pins,
  twice,
  invariants,
  calls,
  claims,
  ranges,
  limits,
  unnamed,
  forms,
  versions,
  prologue,
  failures,
  freedoms,
  growing,
  examples,
  beginnings,
  locations,
  subjects,
  instants,
  secretsShown,
  idleAnswers,
  answered,
  denied,
];

/** All findings and gaps: those of the resolution, and those of the rules. */
export function runRules(spec: Spec, resolution: Resolution, more: readonly Rule[] = []): Ruled {
  const context = newContext(spec, resolution);
  for (const rule of [...rules, ...more]) rule(context);
  return { findings: withoutFollowers(spec.text, context.findings), gaps: context.gaps };
}
