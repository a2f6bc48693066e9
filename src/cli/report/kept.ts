/** What a document keeps for an export, in words. */
import type { KeptReport } from "../../check/index.ts";

const thousands = new Intl.NumberFormat("en-US");

/** `Kept for export, not served: 12 members in 3 blocks (8 texts, 4 names).` */
export function keptText({ blocks, members, kinds }: KeptReport): string {
  const all = Object.entries(kinds).map(([kind, count]) => `${thousands.format(count)} ${kind}`);
  return (
    `Kept for export, not served: ${thousands.format(members)} ` +
    `${members === 1 ? "member" : "members"} in ${thousands.format(blocks)} ` +
    `${blocks === 1 ? "block" : "blocks"} (${all.join(", ")}).`
  );
}
