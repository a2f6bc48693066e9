/** What an endpoint does with answers besides its steps: headers, a tag, idempotency keys. */
import type { Answer, Expression, Refusal } from "./answer.ts";
import type { ItemId } from "./items.ts";
import type { ValueType } from "./value.ts";

export interface Idempotency {
  readonly id: ItemId;
  readonly header: Answer<string>;
  readonly kept: Answer<string>;
  readonly per: Answer<"caller" | "address" | "everyone">;
  /** Looked for among the keys of all endpoints that state it; else among those of this one. */
  readonly scope?: "every endpoint";
  readonly sameBody: Answer<"first answer again">;
  /** A header that the first answer carries when it is sent again. */
  readonly mark?: { readonly name: string; readonly value: Expression };
  readonly otherBody: Answer<Refusal>;
  readonly running: Answer<Refusal | "wait">;
  readonly keeps: Answer<"every answer" | "2xx answers" | "2xx and 4xx answers">;
  readonly compares: Answer<"bytes" | "values">;
}

/** A header of every answer of an endpoint; one whose value is null is not sent. */
export interface AnswerHeader {
  readonly id: ItemId;
  readonly name: string;
  readonly value: Answer<Expression>;
}

/** `- Version tag: of the answer`: a hash of the body is sent as ETag. */
export interface AnswerTag {
  readonly strong: boolean;
}

/** An answer that an endpoint may give: a row of its table of answers. */
export interface StatedAnswer {
  readonly id: ItemId;
  /** `200`, `4xx` or `any other`. */
  readonly status: string;
  readonly media: Answer<string>;
  readonly body: Answer<ValueType>;
  readonly meaning: Answer<string>;
}

/** A body that an endpoint may answer: a block `json example`. */
export interface AnswerExample {
  readonly id: ItemId;
  readonly status: number;
  /** Undefined: the body format. */
  readonly media?: string;
  /** JSON text. */
  readonly body: string;
}
