/** What an export is made from, and what it is told. */
import type { CheckedSpec } from "../check/index.ts";
import type { Conditions, Endpoint, ItemId, Plan } from "../plan/index.ts";
import type { Spec } from "../spec/index.ts";

/** A document without errors other than silence, read, checked and compiled. */
export interface Exportable {
  /** The document's name as given to the command. */
  readonly file: string;
  readonly spec: Spec;
  readonly checked: CheckedSpec;
  readonly plan: Plan;
  /** The line (one-based) at which an item of the plan stands. */
  lineOf(item: ItemId): number | undefined;
  /** The failure conditions that can occur at an endpoint, and where nothing is read of a body. */
  occursAt(endpoint: Endpoint): { readonly occurs: Conditions; readonly unread: Conditions };
}

export interface ExportOptions {
  /** The version of OpenAPI that is written. */
  readonly openapi: "3.1" | "3.2";
}

/** Gives the whole text of the exported file. Total: each gap is exported as a gap. */
export type Exporter = (from: Exportable, options: ExportOptions) => string;
