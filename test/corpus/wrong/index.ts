/** All wrong documents. */
import { resources } from "./resources.ts";
import { service } from "./service.ts";
import { states } from "./states.ts";
import { text } from "./text.ts";
import type { Wrong } from "./wrong.ts";

export const corpus: readonly Wrong[] = [...text, ...service, ...resources, ...states];
