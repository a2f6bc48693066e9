/** The service that a document states, resolved: names bound, expressions typed, gaps in place. */
import type { Answer, Assignment, Expression, Gap, Refusal } from "./answer.ts";
import type {
  AnswerExample,
  AnswerHeader,
  AnswerTag,
  Idempotency,
  StatedAnswer,
} from "./answering.ts";
import type { Binding } from "./binding.ts";
import type {
  Actor,
  ErrorDefinition,
  Event,
  FailureRow,
  Limit,
  LimitAnswers,
  Scheme,
  Stream,
  Versioning,
  Webhook,
} from "./edge.ts";
import type { ItemId, Status } from "./items.ts";
import type { Step } from "./step.ts";
import type { Hash, Rule, Schema, ValueType } from "./value.ts";

export type { Hash };

export interface Setting {
  readonly id: ItemId;
  readonly name: string;
  readonly type: ValueType;
}

/** How a client may give a field: `required when` carries its condition over `body`. */
export type Given =
  | { readonly is: "required" | "optional" | "no" | "merged" }
  | { readonly is: "required when"; readonly condition: Expression }
  | { readonly is: "gap"; readonly gap: ItemId };

/** Who sees a field in the resource's own shape. `on create`: only the request that made it. */
export type Read =
  | { readonly is: "yes" | "no" | "on create" }
  | { readonly is: "actors"; readonly actors: readonly string[] }
  | { readonly is: "gap"; readonly gap: ItemId };

export interface Field {
  readonly id: ItemId;
  readonly name: string;
  /** The name of the member in requests and answers, where it is another. */
  readonly sentAs?: string;
  readonly type: ValueType;
  readonly create: Given;
  readonly update: Given;
  readonly read: Read;
  readonly rules: readonly Rule[];
  /** The type is not shown: whatever stores or shows the field is blocked. */
  readonly gap?: ItemId;
}

/** An invariant on a resource, judged when the steps end, inside the same transaction. */
export type ResourceInvariant = {
  readonly id: ItemId;
} /** Without `otherwise` a break is a fault of the document: `fault inside`. */ & (
  | { readonly kind: "always"; readonly condition: Expression; readonly otherwise?: Refusal }
  /** Without `otherwise`: no request makes or changes a row. */
  | {
      readonly kind: "unique";
      readonly fields: readonly string[];
      readonly where?: Expression;
      readonly otherwise?: Refusal;
    }
  /** A reference given by a client that names no row. */
  | { readonly kind: "missing"; readonly field: string; readonly otherwise: Refusal }
  | { readonly kind: "rows"; readonly where: Expression }
  | { readonly kind: "changed never" }
  | { readonly kind: "deleted never" }
  | {
      readonly kind: "deleted refused";
      readonly condition: Expression;
      readonly otherwise: Refusal;
    }
  /** Deleted by the service itself when `seconds` have passed since the field's time. */
  | { readonly kind: "kept for"; readonly durationText: string; readonly after: string }
  /** It states one of that key, which is not shown. */
  | { readonly kind: "gap"; readonly of: InvariantKey; readonly gap: ItemId }
);

/** The bullets that state invariants of a resource, by their keys. */
export type InvariantKey = "always" | "unique" | "rows" | "changed" | "deleted" | "kept";

/** `- Version tag`: sent as ETag, compared with If-Match by `Check the tag of`. */
export interface VersionTag {
  readonly id: ItemId;
  readonly field: string;
  readonly strong: boolean;
  readonly absent: Refusal;
  readonly other: Refusal;
}

export type StartRows =
  | { readonly is: "block"; readonly block: string; readonly rows: readonly StartRow[] }
  | { readonly is: "given when the service starts" };
/** Field name -> value as JSON text (so that no digit is lost). */
export type StartRow = Readonly<Record<string, string>>;

export interface Resource {
  readonly id: ItemId;
  readonly name: string;
  /** Name of the collection in expressions, if stated (`many`). */
  readonly many?: string;
  readonly keptInside: boolean;
  readonly fixed: boolean;
  readonly fields: readonly Field[];
  /** The field that names a row to clients: the one of type `id`, or with the rule `key`. */
  readonly key?: string;
  readonly invariants: readonly ResourceInvariant[];
  readonly versionTag?: VersionTag;
  /** Its tag is not shown: who checks it meets this. */
  readonly versionTagGap?: ItemId;
  readonly startRows: Answer<StartRows>;
}

/** A part (nested, with fields as a resource has them). */
export interface Part {
  readonly id: ItemId;
  readonly name: string;
  readonly fields: readonly Field[];
}

export interface ShapeField {
  readonly id: ItemId;
  /** Dotted names nest. */
  readonly name: string;
  /** What is sent in place of the last of these names. */
  readonly sentAs?: string;
  readonly type: ValueType;
  readonly value: Answer<Expression>;
  /** The value by the resource that an event is about, where there are several. */
  readonly byAbout?: Readonly<Record<string, Expression>>;
}

/** A view (of a resource, over `it`) or a shape (over its Given names). */
export interface Shape {
  readonly id: ItemId;
  readonly name: string;
  readonly viewOf?: string;
  /** `Fields: all but` / `Fields: only`: fields of the resource taken over before the table's. */
  readonly taken?: { readonly allBut: boolean; readonly fields: readonly string[] };
  readonly given: readonly { readonly name: string; readonly type: ValueType }[];
  readonly fields: readonly ShapeField[];
  /** Media type when sent as a body, where it differs from the body format. */
  readonly contentType?: Answer<string>;
  /** Which fields it takes over is not shown: whoever shows it meets this. */
  readonly gap?: ItemId;
}

export interface State {
  readonly name: string;
  readonly initial: boolean;
  readonly final: boolean;
}

/** What can cause a transition. */
export type Trigger =
  | { readonly is: "step" }
  | { readonly is: "time"; readonly field: string }
  | { readonly is: "every"; readonly durationText: string }
  | { readonly is: "transition"; readonly transition: string; readonly resource: string }
  | { readonly is: "refused"; readonly transition: string }
  | { readonly is: "call"; readonly call: string; readonly word: string }
  | { readonly is: "by itself"; readonly withinText: string }
  | { readonly is: "gap"; readonly gap: ItemId };

export interface Transition {
  readonly id: ItemId;
  readonly name: string;
  readonly from: readonly string[];
  readonly to: string;
  readonly on: Trigger;
  readonly when?: Expression;
  /** From or When is not shown: whether it can be taken is not known. */
  readonly gap?: ItemId;
  /** Over `it`. */
  readonly then: readonly Step[];
}

export interface Machine {
  readonly id: ItemId;
  readonly resource: string;
  readonly field: string;
  /** Which field holds the state, or which states there are, is not shown. */
  readonly gap?: ItemId;
  readonly states: readonly State[];
  readonly transitions: readonly Transition[];
  readonly anyOther: Refusal;
  /** How late a timed transition may be (duration text). */
  readonly clock: Answer<string>;
  /** Order of those that fall on the same instant. */
  readonly together: Answer<readonly { readonly by: Expression; readonly descending: boolean }[]>;
}

export interface Routine {
  readonly id: ItemId;
  readonly name: string;
  readonly given: readonly { readonly name: string; readonly type: ValueType }[];
  readonly steps: readonly Step[];
}

/** What a call says where no code is behind it, where a condition over `given` holds. */
export interface StandIn {
  readonly id: ItemId;
  readonly word: string;
  readonly with: readonly Assignment[];
  readonly when?: Expression;
}

/** The door to the user's own code. */
export interface Call {
  readonly id: ItemId;
  readonly name: string;
  readonly given: readonly { readonly name: string; readonly type: ValueType }[];
  readonly says: readonly {
    readonly word: string;
    readonly data: readonly { readonly name: string; readonly type: ValueType }[];
    readonly meaning: string;
    /** Its data are not shown: code that says the word, and whatever reads one, meets this. */
    readonly gap?: ItemId;
  }[];
  readonly kind: Answer<"pure" | "effect" | "long">;
  readonly sameKey: Answer<"first answer again" | "done again">;
  readonly timeOut: Answer<string>;
  readonly late: Answer<Refusal>;
  readonly undo: Answer<string>;
  readonly invariants: readonly Expression[];
  readonly standIn: Answer<string>;
  /** Where what is said depends on what is given, or has data; that of `standIn` is the last. */
  readonly standIns?: readonly StandIn[];
  /** What it can say is not shown: every work that calls it is blocked. */
  readonly gap?: ItemId;
}

/** A literal text, perhaps empty at the end of a path, or one parameter. */
export type PathSegment = { readonly literal: string } | PathParameter;

export interface PathParameter {
  readonly param: string;
  /** Literal text in front of it, within the segment. */
  readonly before?: string;
  /** Literal text behind it, within the segment. */
  readonly after?: string;
  /** It is this segment and all behind it, joined by `/`. */
  readonly rest?: true;
}

export type InputPlace = "path" | "query" | "header" | "body" | "cookie";

export interface Input {
  readonly id: ItemId;
  /** Dotted names nest in a body. */
  readonly name: string;
  /** What a client sends in place of the last of these names. */
  readonly sentAs?: string;
  readonly in: InputPlace;
  readonly type: ValueType;
  /** `not shown`: requests that do not send it meet `gaps.needed`. */
  readonly needed: "yes" | "no" | "not shown";
  readonly rules: readonly Rule[];
  readonly gaps?: InputGaps;
}

/** Cells of an input's row that are not shown. */
export interface InputGaps {
  /** Met by every request to the endpoint: it may stand anywhere. */
  readonly in?: ItemId;
  /** Met by requests that send it. */
  readonly type?: ItemId;
  /** Met by requests that do not send it. */
  readonly needed?: ItemId;
}

/** `Body: [`member`,] new|changed `R`` and the like. */
export interface Body {
  readonly id: ItemId;
  /** Undefined: the whole body. */
  readonly member?: string;
  readonly content:
    | { readonly is: "new" | "changed"; readonly resource: string }
    | { readonly is: "type"; readonly type: ValueType };
  readonly rules: readonly Rule[];
  readonly format?: string;
}

export interface Endpoint {
  readonly id: ItemId;
  readonly method: string;
  readonly path: readonly PathSegment[];
  readonly title?: string;
  /** Names of actors; none: nobody is asked. */
  readonly who: Answer<readonly string[]>;
  readonly inputs: readonly Input[];
  readonly body: Answer<Body>;
  /** Media type of the request's body, where the endpoint states its own. */
  readonly format?: string;
  /** It states one of its own, which is not shown. */
  readonly formatGap?: ItemId;
  readonly bindings: readonly Binding[];
  /** It is not shown which row the path names next, behind so many of `bindings`. */
  readonly pathGap?: { readonly gap: ItemId; readonly behind: number };
  readonly idempotency?: Idempotency;
  /** Failure answers that differ here. */
  readonly failures: readonly FailureRow[];
  /** Headers of every answer, those of all endpoints among them. */
  readonly headers?: readonly AnswerHeader[];
  readonly answerTag?: Answer<AnswerTag>;
  /** Which answers it may give, where its table says so: closed. */
  readonly answers?: readonly StatedAnswer[];
  /** Examples of its answers, in the order of the document. */
  readonly answerExamples?: readonly AnswerExample[];
  readonly steps: readonly Step[];
}

/** An `http` block: requests with the answers they must get, in order. */
export interface Example {
  readonly id: ItemId;
  readonly title: string;
  readonly text: string;
}

export interface About {
  readonly prose: readonly string[];
  readonly basePath: Answer<string>;
  readonly bodyFormat: Answer<string>;
  /** How names of forms and queries nest. */
  readonly nesting: Answer<"brackets" | "dots">;
  readonly isolation: Answer<"all or nothing, as if alone">;
  readonly precision: Answer<"seconds" | "milliseconds" | "microseconds">;
  /** Origins: `*` alone for every one. */
  readonly crossOrigin: Answer<{
    readonly origins: readonly string[];
    readonly headers: readonly string[];
    /** Pages may ask with cookies and other credentials. Never with every origin. */
    readonly credentials?: true;
    /** Headers of answers that scripts of these pages may read. */
    readonly shown?: readonly string[];
    /** Duration text. */
    readonly kept?: string;
  }>;
  readonly settings: readonly Setting[];
}

export interface Service {
  readonly title: string;
  readonly parts: readonly {
    readonly name: string;
    readonly facets: readonly {
      readonly name: string;
      readonly status: Status;
      /** The sentence that answers for it, where one does. */
      readonly sentence?: string;
    }[];
  }[];
  readonly about: About;
  readonly resources: readonly Resource[];
  readonly partTypes: readonly Part[];
  readonly shapes: readonly Shape[];
  /** Only where there are some. */
  readonly schemas?: readonly Schema[];
  readonly machines: readonly Machine[];
  /** Resources said to have no states. */
  readonly stateless: readonly string[];
  readonly routines: readonly Routine[];
  readonly calls: readonly Call[];
  /** The steps of `### Every endpoint`, done before an endpoint's own. */
  /** Headers of answers that are of no endpoint. */
  readonly headers?: readonly AnswerHeader[];
  readonly prologue: readonly Step[];
  readonly endpoints: readonly Endpoint[];
  readonly schemes: readonly Scheme[];
  readonly actors: readonly Actor[];
  readonly events: readonly Event[];
  readonly webhooks: readonly Webhook[];
  readonly streams: readonly Stream[];
  readonly errors: readonly ErrorDefinition[];
  readonly failures: readonly FailureRow[];
  readonly failuresReported: Answer<"first" | "all">;
  readonly limits: readonly Limit[];
  readonly limitAnswers: LimitAnswers;
  readonly versioning: Versioning;
  readonly examples: readonly Example[];
  readonly gaps: readonly Gap[];
}
