/** The door of `serve`: a plan in, a running HTTP service out; loads little before it is used. */
import type { Plan } from "../plan/index.ts";
import type { Migrated, MigrateOptions } from "./engine/migrate.ts";
import type { AddOptions, Printing, RowsOptions } from "./engine/rows.ts";
import type { Running } from "./host.ts";
import type { ServeOptions } from "./options.ts";

export type { Decision, Migrated, MigrateOptions } from "./engine/migrate.ts";
export type { Running } from "./host.ts";
export type { BoundKey, HostBounds } from "./http/bounds.ts";
export { BOUNDS, boundNamed, DEFAULT_BOUNDS } from "./http/bounds.ts";
export type { NextDocument } from "./opened.ts";
export type { ServeOptions } from "./options.ts";
export { CannotServe, environmentName } from "./settings/refused.ts";
export type { Thread } from "./threads/thread-start.ts";
export { startThread } from "./threads/thread-start.ts";
export type { Clock, MovableClock } from "./time/clock.ts";
export { movableClock, systemClock } from "./time/clock.ts";
export { eventLine } from "./watch/log.ts";

/**
 * Opens the store and listens. Rejects with `CannotServe` for what the operator can mend (a setting
 * that is missing, a store of another document, an address in use).
 */
export async function serve(plan: Plan, options: ServeOptions): Promise<Running> {
  const { servePlan } = await import("./serve.ts");
  return servePlan(plan, options);
}

/**
 * Makes a store of one document one of another, in one transaction, with a copy before it. Rejects
 * with `CannotServe` for what the operator can mend; the store is as it was then.
 */
export async function migrate(
  options: MigrateOptions,
  say: (text: string) => void = () => {},
): Promise<Migrated> {
  const { migrateStore } = await import("./engine/migrate.ts");
  return migrateStore(options, say);
}

/** Gives rows of a store as JSON texts, some at a time. Rejects with `CannotServe`. */
export async function printRows(options: RowsOptions, to: Printing): Promise<void> {
  const rows = await import("./engine/rows.ts");
  await rows.printRows(options, to);
}

/** Adds rows to a store that nobody serves, all or none. Rejects with `CannotServe`. */
export async function addRows(options: AddOptions): Promise<number> {
  const rows = await import("./engine/rows.ts");
  return rows.addRows(options);
}
