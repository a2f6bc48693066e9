/** Resolves part 1: prose, base path, body format, settings. */
import {
  type About,
  everyStep,
  generalBodies,
  type Setting,
  stepKinds,
  type WithBodies,
} from "../../../plan/index.ts";
import type { Match, SectionNode } from "../../../spec/index.ts";
import { answers, NOT_ASKED, text } from "../names/asking.ts";
import type { Collected } from "../names/collect.ts";
import {
  bulletsOf,
  origin,
  type Resolver,
  report,
  sectionsOf,
  shownGap,
  slotOf,
  textOf,
  textsOf,
} from "../names/resolver.ts";
import { valueType } from "../names/types.ts";

/** Literal segments, with no `/` at the end. */
const BASE_PATH = /^(\/[A-Za-z0-9._~!$&'()*+,;=:@-]+)+$/;

function basePath(r: Resolver, match: Match): string {
  const slot = slotOf(match, "path");
  const path = slot?.text ?? "";
  if (slot !== undefined && !BASE_PATH.test(path)) {
    report(r, "bad-path", slot, {
      message: `\`${path}\` is no base path.`,
      hint: "It begins with `/`, has literal segments, and does not end with `/`.",
    });
  }
  return path;
}

function crossOrigin(r: Resolver, match: Match) {
  const listed = textsOf(match, "origins");
  const shown = textsOf(match, "shown").map((slot) => slot.text);
  const kept = textOf(match, "time");
  const hasCredentials = textOf(match, "credentials") !== "";
  const every = listed.find((slot) => slot.text === "*");
  if (hasCredentials && every !== undefined) {
    report(r, "unknown-bullet", every, {
      message: "`with credentials` cannot stand with every origin.",
      hint: "Name the origins: else each page of the world asks as whoever looks at it.",
    });
  }
  return {
    origins: match.form === "cross-origin listed" ? listed.map((slot) => slot.text) : ["*"],
    headers: textsOf(match, "headers").map((slot) => slot.text),
    ...(hasCredentials ? { credentials: true as const } : {}),
    ...(shown.length === 0 ? {} : { shown }),
    ...(kept === "" ? {} : { kept }),
  };
}

function settings(r: Resolver, names: Collected, section: SectionNode): Setting[] {
  return bulletsOf([section], "setting").flatMap((bullet) => {
    const slot = bullet.match.slots["type"];
    if (slot?.kind !== "type") return [];
    const name = textOf(bullet.match, "name");
    return [{ id: origin(r, bullet.id, bullet), name, type: valueType(r, names, slot) }];
  });
}

/** How names of forms and queries nest, where that is said: no document is asked. */
function nesting(r: Resolver, section: SectionNode): About["nesting"] {
  const [bullet] = bulletsOf([section], "nested names");
  if (bullet === undefined) return NOT_ASKED;
  const id = origin(r, bullet.id, bullet);
  switch (bullet.status) {
    case "stated": {
      const hasDots = textOf(bullet.match, "nesting") === "with dots";
      return { is: "stated", id, value: hasDots ? "dots" : "brackets" };
    }
    case "not shown":
      return { is: "gap", gap: shownGap(r, section, bullet, "nested names") };
    case "none":
    case "free":
      return { is: bullet.status, id };
  }
}

/** Resolves part 1; what it asks depends on what the rest does. */
export function resolveAbout(r: Resolver, names: Collected, others: WithBodies): About {
  const { endpoints } = others;
  const [section] = sectionsOf(r, "service");
  if (section === undefined) {
    return {
      prose: [],
      basePath: NOT_ASKED,
      bodyFormat: NOT_ASKED,
      nesting: NOT_ASKED,
      isolation: NOT_ASKED,
      precision: NOT_ASKED,
      crossOrigin: NOT_ASKED,
      settings: [],
    };
  }
  const steps = endpoints.flatMap((endpoint) => everyStep(endpoint.steps));
  const raised = endpoints.length > 0;
  return {
    prose: section.prose.map((line) => line.text),
    ...answers<Omit<About, "nesting">>(
      { r, section },
      {
        basePath: ["base path", (match) => basePath(r, match), { raised }],
        bodyFormat: ["body format", text("media"), { raised: generalBodies(others).length > 0 }],
        isolation: [
          "one request",
          () => "all or nothing, as if alone",
          { raised: steps.some((step) => stepKinds[step.kind].writes) },
        ],
        precision: ["precision", text("precision"), { raised: false }],
        crossOrigin: ["cross-origin", (match) => crossOrigin(r, match), { raised }],
      },
    ),
    nesting: nesting(r, section),
    settings: settings(r, names, section),
  };
}
