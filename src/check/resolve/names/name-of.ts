/** The name that a heading gives to what stands under it. */
import type { SectionNode, TextSlot } from "../../../spec/index.ts";
import { slotOf } from "./resolver.ts";

/** The name in a section's heading; empty, at its start, where it has none. */
export function nameOf(section: SectionNode): TextSlot {
  return (
    slotOf(section.heading, "name") ?? {
      kind: "text",
      text: "",
      start: section.start,
      end: section.start,
    }
  );
}
