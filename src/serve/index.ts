/** The door of `serve`: a plan in, a running HTTP service out. */
export type { Clock, MovableClock } from "./clock.ts";
export { movableClock, systemClock } from "./clock.ts";
export type { HostBounds, ServeOptions } from "./options.ts";
export { CannotServe, DEFAULT_BOUNDS } from "./options.ts";
export type { Running } from "./host.ts";
export { serve } from "./serve.ts";
export { environmentName } from "./settings.ts";
