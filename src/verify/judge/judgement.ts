/** What an answer is judged to be. */
import type { ItemId } from "../../plan/index.ts";
import type { Answer, Request } from "../world/message.ts";
import type { Ran } from "../world/world.ts";
import type { Difference } from "./compare.ts";

export type Judgement =
  | {
      readonly is: "as stated";
      readonly ran: Ran;
      /** Data of other clients is in its lists, here and below. */
      readonly others?: true;
      /** The model has taken from it what it did not know. */
      readonly learned?: true;
    }
  | {
      readonly is: "broken";
      readonly ran: Ran;
      /** From the nearest reading. */
      readonly differences: readonly Difference[];
      /** Items that would explain the answer if they were stated otherwise. */
      readonly suspects: readonly ItemId[];
      /** Broken unless it comes out that data of other clients is in the lists of the endpoint. */
      readonly unlessOthers?: true;
    }
  /** The document does not say what is to be answered here. */
  | {
      readonly is: "unstated";
      readonly ran: Ran;
      readonly gap?: ItemId;
      readonly why: string;
      readonly others?: true;
      /** Items of which the answer shows what they state all the same. */
      readonly items?: readonly ItemId[];
    };

/** An answer that is broken; the world is as it was before the request. */
export interface Wrong {
  readonly request: Request;
  readonly answer: Answer;
  readonly ran: Ran;
  readonly differences: readonly Difference[];
}
