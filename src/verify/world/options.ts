/** What a model is made of, besides the plan. */
import type { Members } from "../../run/index.ts";

export interface WorldOptions<World> {
  readonly settings?: Members | undefined;
  /** The service may have had data before. */
  readonly hasPast?: boolean | undefined;
  /** Another model, whose rows it is about. */
  readonly beside?: World;
  /** What is learned there is not learned here. */
  readonly isApart?: boolean;
  /** So much that is due is done at once at most. Default: all. */
  readonly dueMax?: number;
}
