/** The service's edge: authentication, events, errors, failures, limits and versioning. */
import type { Answer, Expression, Refusal } from "./answer.ts";
import type { Binding } from "./binding.ts";
import type { FailureCondition } from "./condition.ts";
import type { ItemId } from "./items.ts";
import type { Step } from "./step.ts";

export type CredentialLocation =
  | {
      readonly in: "header";
      readonly name: string;
      readonly before: string;
      readonly after: string;
    }
  | { readonly in: "query" | "cookie"; readonly name: string }
  /** HTTP Basic (RFC 7617): binds `username` and `password` instead of a credential. */
  | { readonly in: "basic" };

export type CredentialKind =
  /** Compared as text by the Caller condition, in which it is `credential`. */
  | { readonly is: "opaque"; readonly bytes?: number; readonly form?: "base64url" | "hex" }
  /** A JWT (RFC 7519): its claims are `token` in the Caller condition. */
  | {
      readonly is: "jwt";
      readonly algorithm: string;
      readonly key: Expression | "jwks";
      readonly jwks?: Expression;
    }
  | { readonly is: "basic" };

export interface Scheme {
  readonly id: ItemId;
  readonly name: string;
  readonly sent: Answer<CredentialLocation>;
  readonly credential: Answer<CredentialKind>;
  /** The row of `resource` that pins the caller, over `it` and `credential`, `token` ... */
  readonly caller: Answer<{
    readonly resource: string;
    readonly where: Expression;
    readonly otherwise: Refusal;
  }>;
  readonly issuer: Answer<string>;
  readonly audience: Answer<string>;
  /** What `sub` carries: an expression over `it`, the row that the token is issued for. */
  readonly subject: Answer<Expression>;
  /** Duration text. */
  readonly lifetime: Answer<string>;
  readonly clockSkew: Answer<string>;
  readonly revocation: Answer<string>;
  readonly rotation: Answer<string>;
}

export interface Actor {
  readonly id: ItemId;
  readonly name: string;
  /** `always`: without credentials; an expression over `caller`, which is then not null. */
  readonly holds: Answer<Expression> | { readonly is: "always"; readonly id: ItemId };
}

export interface Event {
  readonly id: ItemId;
  readonly name: string;
  /** Resource that `it` is. */
  readonly about: string;
  readonly data: Answer<{ readonly shape: string; readonly of: Expression }>;
  readonly sentTo: Answer<readonly { readonly to: "webhook" | "stream"; readonly name: string }[]>;
}

export type Signature =
  | { readonly form: "Standard Webhooks v1"; readonly secret: Expression }
  | {
      readonly form: "HMAC";
      readonly algorithm: HmacAlgorithm;
      readonly encoding: "hex" | "base64";
      /** What is signed, over `receiver` and the message. */
      readonly text: Expression;
      readonly secret: Expression;
    };

export type HmacAlgorithm = "HMAC-SHA1" | "HMAC-SHA256" | "HMAC-SHA512";

export interface WebhookHeader {
  readonly id: ItemId;
  readonly name: string;
  readonly value: Answer<Expression>;
}

export interface Webhook {
  readonly id: ItemId;
  readonly name: string;
  /** Receivers: rows of `resource` where a condition over `receiver`, `it` and `event` holds. */
  readonly receivers: Answer<{
    readonly resource: string;
    readonly where: Expression;
    /** The condition by the resource that an event is about, where there are several. */
    readonly byAbout?: Readonly<Record<string, Expression>>;
  }>;
  /** Over `receiver`. */
  readonly address: Answer<Expression>;
  readonly sends: Answer<{ readonly method: string; readonly shape: string }>;
  readonly signature: Answer<Signature>;
  /** Headers of each attempt, over `receiver`, the message and its signature. */
  readonly headers?: readonly WebhookHeader[];
  readonly delivered: Answer<{ readonly within: string }>;
  /** Durations between attempts: the first is at once. */
  readonly attempts: Answer<readonly string[]>;
  readonly afterLast: Answer<readonly Step[]>;
  readonly onStatus: readonly { readonly status: number; readonly then: readonly Step[] }[];
  readonly guarantee: Answer<string>;
  readonly order: Answer<string>;
}

export interface Stream {
  readonly id: ItemId;
  readonly name: string;
  readonly path: Answer<string>;
  readonly who: Answer<readonly string[]>;
  /** Which events a caller sees: over `it`, `event` and `caller`. */
  readonly sees: Answer<Expression>;
  /** The same by the resource that an event is about, where there are several. */
  readonly seesByAbout?: Readonly<Record<string, Expression>>;
  readonly resume: Answer<{ readonly kept: string }>;
  readonly ends: Answer<string>;
  /** Rows that its path names; not known at all behind a gap. */
  readonly bindings?: readonly Binding[];
  readonly bindingGap?: ItemId;
  /** Events behind which it ends. */
  readonly endsBehind?: readonly string[];
  /** Duration text. */
  readonly heartbeat?: Answer<string>;
}

export interface ErrorDefinition {
  readonly id: ItemId;
  readonly name: string;
  readonly status: Answer<number>;
  /** Further columns of the error table: text values for shapes. */
  readonly columns: readonly { readonly name: string; readonly value: Answer<string> }[];
  readonly headers: readonly { readonly name: string; readonly value: Answer<string> }[];
  /** Name of a shape. */
  readonly body: Answer<string>;
}

/** The answer to a failure condition; `on its name`: the offending member's name is the `on`. */
export interface FailureRow {
  readonly id: ItemId;
  readonly condition: FailureCondition;
  readonly answer:
    | {
        readonly is: "error";
        readonly error: string;
        readonly on?: string;
        readonly onItsName: boolean;
      }
    | { readonly is: "ignored" }
    | { readonly is: "as if none were sent" }
    | { readonly is: "cannot happen" }
    | { readonly is: "free" }
    | { readonly is: "gap"; readonly gap: ItemId };
  /** Further columns of the failure table: text values for shapes. */
  readonly columns: readonly { readonly name: string; readonly value: Answer<string> }[];
}

export type Counts =
  | { readonly is: "requests"; readonly endpoint?: string; readonly status?: number }
  | { readonly is: "body bytes" | "header bytes" | "path bytes" | "request time" }
  | { readonly is: "rows kept"; readonly resource: string }
  | {
      readonly is: "sum";
      readonly field: string;
      readonly resource: string;
      readonly transitions: readonly string[];
    }
  | { readonly is: "gap"; readonly gap: ItemId };

export interface Limit {
  readonly id: ItemId;
  readonly name: string;
  /** Undefined where it is not shown what it counts. */
  readonly facet?: "rate limits" | "size limits" | "time-outs" | "quotas";
  readonly counts: Counts;
  readonly per: Answer<
    | { readonly is: "caller" | "address" | "everyone" | "request" }
    | { readonly is: "field"; readonly field: string }
  >;
  /** One-sided knowledge: what is stated is only that the amount is at least this. */
  readonly amount: Answer<{ readonly value: Expression; readonly atLeast: boolean }>;
  readonly window: Answer<
    | { readonly is: "sliding" | "fixed"; readonly durationText: string }
    | { readonly is: "day"; readonly zone: Expression }
  >;
  readonly whenPassed: Answer<Refusal & { readonly retryAfter?: boolean }>;
}

/** Part-level answers about limits. */
export interface LimitAnswers {
  readonly sent: Answer<readonly string[]>;
}

export type EndFields = "Deprecation" | "Sunset" | "Deprecation and Sunset";

export interface Versioning {
  readonly version: Answer<string>;
  readonly chosenBy: Answer<{ readonly by: "path" | "header" | "query"; readonly name: string }>;
  /** How long a version is served after the next (duration text). */
  readonly oldVersions?: Answer<string>;
  /** Header fields of the answers of what is deprecated. */
  readonly endFields?: Answer<EndFields>;
  readonly rules: readonly {
    readonly id: ItemId;
    readonly change: string;
    readonly verdict: Answer<"compatible" | "breaking">;
  }[];
  readonly changes: readonly {
    readonly id: ItemId;
    readonly version: string;
    readonly item: string;
    readonly change: string;
    readonly breaks: Answer<"yes" | "no">;
  }[];
  readonly deprecations: readonly {
    readonly id: ItemId;
    readonly item: string;
    readonly on: Answer<string>;
    readonly removed: Answer<string>;
    readonly instead: Answer<string>;
  }[];
}
