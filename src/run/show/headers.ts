/** Header fields of what is shown: the version tag of a row, the content type of a body. */
import type { Answer } from "../../plan/index.ts";
import type { CompilerServices } from "../compile/services.ts";
import { Stop } from "../context/step-outcome.ts";
import type { Transaction } from "../context/transaction.ts";
import type { Row } from "../ports/index.ts";

/** The version tag of a row as ETag (RFC 9110 section 8.8.3); undefined: its resource has none. */
export function tagOf(services: CompilerServices, tx: Transaction, row: Row): string | undefined {
  const info = services.model.info(row.resource);
  const { versionTag: tag, versionTagGap: gap } = info.resource;
  if (gap !== undefined) throw new Stop({ is: "gap", gap });
  if (tag === undefined) return undefined;
  const place = info.at.get(tag.field) ?? -1;
  tx.meet(row, place);
  const value = row.values[place];
  return `${tag.strong ? "" : "W/"}"${String(value)}"`;
}

/** The content type of a body: the shape's own, else the stated body format. */
export function contentTypeOf(services: CompilerServices, own: Answer<string> | undefined): string {
  const format = own ?? services.model.plan.about.bodyFormat;
  switch (format.is) {
    case "stated":
      return format.value;
    case "gap":
      throw new Stop({ is: "gap", gap: format.gap });
    case "none":
      throw new Stop({ is: "gap", gap: format.id, silent: true });
    case "not asked":
      throw new Stop({ is: "gap", gap: "service/body format", silent: true });
    case "free":
      return "application/json";
  }
}
