/** Loaded into every thread of a service that is to lose events. */
import { forgetEvents } from "./control.ts";

forgetEvents();
