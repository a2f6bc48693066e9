/** The ends that version tags of rows make: `Check the tag`, `304` for what is known already. */
import { whyNotCompared } from "../own-answer.ts";
import type { ItemId, Step } from "../types/index.ts";
import { resourceNamed } from "./steps.ts";
import { Uses } from "./uses.ts";
import { addEnd, endOf, type Walk } from "./walk.ts";

const NOT_MODIFIED_STATUS = 304;

/** A request without a tag, and one with the tag of another version. */
export function tagEnds(
  walk: Walk,
  { id, of }: Extract<Step, { kind: "check tag" }>,
  within: readonly ItemId[],
): void {
  const { service, endpoint, trail, timed } = walk;
  const name = resourceNamed(walk, of);
  const resource = service.resources.find((one) => one.name === name);
  if (resource?.versionTagGap !== undefined) {
    const gap = resource.versionTagGap;
    addEnd(walk, endOf(walk, { id: gap, refusal: { is: "gap", gap } }, [...within, id]));
  }
  const { versionTag } = resource ?? {};
  if (resource === undefined || versionTag === undefined) return;
  const tag = new Uses(service, endpoint);
  tag.add(versionTag.id);
  trail.pass({ id, items: tag.items, isLast: false });
  addEnd(walk, endOf(walk, { id: versionTag.id, refusal: versionTag.absent }, [...within, id]));
  const version = new Uses(service, endpoint);
  version.version(resource.name);
  trail.pass({ id, items: timed.all(version), isLast: false });
  addEnd(walk, endOf(walk, { id: versionTag.id, refusal: versionTag.other }, [...within, id]));
}

/** The answer to who has the row already as it is; `shown`: what that would be sent otherwise. */
export function knownEnd(
  walk: Walk,
  { id, status }: Extract<Step, { kind: "respond" }>,
  at: { readonly within: readonly ItemId[]; readonly shown: ReadonlySet<ItemId> },
): void {
  const { service, endpoint } = walk;
  const { answerTag } = endpoint;
  if (endpoint.method !== "GET" || status >= 300) return;
  if (status === 200 && (answerTag?.is === "stated" || answerTag?.is === "gap")) {
    if (answerTag.is === "gap") {
      const { gap } = answerTag;
      addEnd(walk, endOf(walk, { id, refusal: { is: "gap", gap } }, at.within));
    } else {
      const within = [...at.within, answerTag.id];
      addEnd(walk, { id, ...at, within, status: NOT_MODIFIED_STATUS });
    }
    return;
  }
  const why = whyNotCompared(service, endpoint);
  if (typeof why === "string") return;
  if (why === undefined) addEnd(walk, { id, ...at, status: NOT_MODIFIED_STATUS });
  else addEnd(walk, endOf(walk, { id, refusal: { is: "gap", gap: why.gap } }, at.within));
}
