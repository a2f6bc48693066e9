/** Resolves part 1: prose, base path, body format, settings. */
import {
  type About,
  everyStep,
  generalBodies,
  stepKinds,
  type WithBodies,
} from "../../../plan/index.ts";
import type { SectionNode } from "../../../spec/index.ts";
import { answer, NOT_ASKED } from "../names/asking.ts";
import type { Collected } from "../names/collect.ts";
import {
  bulletsOf,
  origin,
  type Resolver,
  report,
  sectionsOf,
  slotOf,
  textOf,
  textsOf,
} from "../names/resolver.ts";
import { valueType } from "../names/types.ts";

function basePath(r: Resolver, section: SectionNode, raised: boolean): About["basePath"] {
  return answer(r, {
    question: "base path",
    key: "base path",
    label: "Base path",
    sections: [section],
    raised,
    read: (match) => {
      const slot = slotOf(match, "path");
      const path = slot?.text ?? "";
      if (slot !== undefined && !/^(\/[A-Za-z0-9._~!$&'()*+,;=:@-]+)+$/.test(path)) {
        report(r, "bad-path", slot, {
          message: `\`${path}\` is no base path.`,
          hint: "It begins with `/`, has literal segments, and does not end with `/`.",
        });
      }
      return path;
    },
  });
}

function crossOrigin(r: Resolver, section: SectionNode, raised: boolean): About["crossOrigin"] {
  return answer(r, {
    question: "cross-origin",
    key: "cross-origin",
    label: "Cross-origin",
    sections: [section],
    raised,
    read: (match) => {
      const listed = textsOf(match, "origins").map((slot) => slot.text);
      const kept = textOf(match, "time");
      return {
        origins: match.form === "cross-origin listed" ? listed : ["*"],
        headers: textsOf(match, "headers").map((slot) => slot.text),
        ...(kept === "" ? {} : { kept }),
      };
    },
  });
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
      isolation: NOT_ASKED,
      precision: NOT_ASKED,
      crossOrigin: NOT_ASKED,
      settings: [],
    };
  }
  const steps = endpoints.flatMap((endpoint) => everyStep(endpoint.steps));
  const any = endpoints.length > 0;
  return {
    prose: section.prose.map((line) => line.text),
    basePath: basePath(r, section, any),
    bodyFormat: answer(r, {
      question: "body format",
      key: "body format",
      label: "Body format",
      sections: [section],
      raised: generalBodies(others).length > 0,
      read: (match) => textOf(match, "media"),
    }),
    isolation: answer(r, {
      question: "one request",
      key: "one request",
      label: "One request",
      sections: [section],
      raised: steps.some((step) => stepKinds[step.kind].writes),
      read: () => "all or nothing, as if alone" as const,
    }),
    precision: answer(r, {
      question: "precision",
      key: "timestamps",
      label: "Timestamps",
      sections: [section],
      raised: false,
      read: (match) => textOf(match, "precision") as "seconds",
    }),
    crossOrigin: crossOrigin(r, section, any),
    settings: bulletsOf([section], "setting").flatMap((bullet) => {
      const slot = bullet.match.slots.type;
      if (slot?.kind !== "type") return [];
      return [
        {
          id: origin(r, bullet.id, bullet),
          name: textOf(bullet.match, "name"),
          type: valueType(r, names, slot),
        },
      ];
    }),
  };
}
