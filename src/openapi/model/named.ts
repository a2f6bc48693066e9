/** What has a name in a description. */
import type { MapNode, Place } from "../tree/index.ts";

/** Something with a name, where it stands, and what it is when references are followed. */
export interface Named {
  readonly name: string;
  readonly node: MapNode;
  readonly place: Place;
}
