/* data table */
/** The closed list of changes between two documents: what each means, and for whom it matters. */
import type { ChangeKind, FileChange } from "../plan/index.ts";
import { type ChangeEntry, k } from "./change-entry.ts";
import { fileChanges } from "./file-changes.ts";

type DocumentChange = Exclude<ChangeKind, FileChange>;

const changes: Readonly<Record<DocumentChange, ChangeEntry>> = {
  "base path changed": k("sends", "Another `Base path`."),
  "body format changed": k("sends reads", "Another `Body format`, of all bodies or of one."),
  "nested names changed": k("sends", "Another answer to `Nested names`."),
  "isolation of requests changed": k("sends", "Another answer to `One request`."),
  "precision of timestamps changed": k("reads", "Another answer to `Timestamps`."),
  "cross-origin access changed": k("sends", "Other origins, headers, credentials or times."),
  "setting added": k("runs", "A setting more.", "setting removed"),
  "setting removed": k("runs", "A setting less.", "setting added"),
  "type of a setting changed": k("runs", "A setting has another type."),

  "resource added": k("runs", "A resource more.", "resource removed"),
  "resource removed": k("runs", "A resource less.", "resource added"),
  "resource changed": k("sends runs", "`fixed`, `kept inside`, or the field that names a row."),
  "rows at the start changed": k("reads runs", "Other rows stand there from the start."),
  "field added": k("runs", "A field that no client gives and none sees.", "field removed"),
  "field removed": k("runs", "A field that no client gave and none saw.", "field added"),
  "member added to an answer": k(
    "reads receives",
    "A field that is shown: of a resource, a part, a view or a shape.",
    "member removed from an answer",
    "optional member removed from an answer",
  ),
  "member removed from an answer": k(
    "reads receives",
    "A field that is not shown any more.",
    "member added to an answer",
  ),
  "type of a member changed": k(
    "sends reads receives",
    "A field has another type, or may now (or no longer) be null or absent.",
  ),
  "sent name changed": k(
    "sends reads receives",
    "A member or an input is sent under another name.",
  ),
  "header of answers changed": k("reads", "A header of every answer more, less or otherwise."),
  "answer added to an endpoint": k(
    "reads",
    "A row of its table of answers more.",
    "answer removed from an endpoint",
  ),
  "answer removed from an endpoint": k(
    "reads",
    "A row of its table of answers less.",
    "answer added to an endpoint",
  ),
  "answer of an endpoint changed": k(
    "reads",
    "Another media type or body in its table of answers.",
  ),
  "value of a member changed": k(
    "reads receives",
    "A member of a view or shape is made otherwise.",
  ),
  "readers of a member changed": k("reads", "Others see a field, or see it at another time."),
  "order of members changed": k("reads", "Members are sent, or judged, in another order."),
  "value added to a list of values": k(
    "sends reads receives",
    "A type `one of` with a value more.",
    "value removed from a list of values",
  ),
  "value removed from a list of values": k(
    "sends reads receives",
    "A type `one of` with a value less.",
    "value added to a list of values",
  ),
  "optional input added": k(
    "sends",
    "A client may give something more.",
    "input removed",
    "request body removed",
    "member of an input removed",
  ),
  "needed input added": k(
    "sends",
    "A client must give something more.",
    "input removed",
    "request body removed",
    "member of an input removed",
  ),
  "input removed": k(
    "sends",
    "A client gives something no longer.",
    "optional input added",
    "needed input added",
  ),
  "input no longer needed": k("sends", "What had to be given may be left out.", "input now needed"),
  "input now needed": k(
    "sends",
    "What could be left out has to be given.",
    "input no longer needed",
  ),
  "use of an input changed": k("sends", "It is needed in other cases, or merged, or was."),
  "type of an input changed": k("sends", "An input of an endpoint has another type."),
  "place of an input changed": k("sends", "An input is sent in another place."),
  "rule made stricter": k(
    "sends",
    "A rule or invariant more, or one that lets less in.",
    "rule made looser",
  ),
  "rule made looser": k(
    "sends",
    "A rule or invariant less, or one that lets more in.",
    "rule made stricter",
  ),
  "rule changed": k("sends", "A rule or invariant that lets other things in."),
  "order of checks changed": k("sends", "What is wrong twice is told by another check."),
  "value given by the service changed": k(
    "reads",
    "A rule `starts`, `set to`, `absent means`, `counts up` or random bytes.",
  ),
  "form of kept values changed": k("runs", "A rule `kept as`."),
  "order of a list changed": k("reads", "Another order of the items of a list."),
  "deletion changed": k("sends reads", "What may be deleted, and what happens then."),
  "rows that are seen changed": k("reads", "Another `Rows` of a resource."),
  "version tag changed": k("sends reads", "Another `Version tag`."),
  "part added": k("runs", "A part more.", "part removed"),
  "part removed": k("runs", "A part less.", "part added"),
  "shape added": k("runs", "A view or shape more.", "shape removed"),
  "shape removed": k("runs", "A view or shape less.", "shape added"),
  "shape changed": k("reads receives", "A view or shape is made of other things."),
  "schema added": k("runs", "A schema more.", "schema removed"),
  "schema removed": k("runs", "A schema less.", "schema added"),
  "schema changed": k("sends reads receives", "A schema with a heading is another one."),
  "content type changed": k("reads", "Another `Content type` of a shape."),

  "state added": k("reads", "A state more.", "state removed"),
  "state removed": k("reads", "A state less.", "state added"),
  "state changed": k("sends reads", "Another state is initial or final."),
  "state field changed": k("reads runs", "Another `Held in`."),
  "transition added": k("sends", "A row of a transition more.", "transition removed"),
  "transition removed": k("sends", "A row of a transition less.", "transition added"),
  "transition changed": k("sends reads", "From, To, On or When of a transition."),
  "clock of transitions changed": k("reads", "Another `Clock` or `At the same time`."),
  "step added": k("sends reads", "A step more.", "step removed"),
  "step removed": k("sends reads", "A step less.", "step added"),
  "step changed": k("sends reads", "A step does something else."),
  "order of steps changed": k("sends reads", "The same steps in another order."),
  "status changed": k("reads", "Another status of an answer or an error."),
  "body of an answer changed": k("reads", "Something else is sent."),
  "header added to an answer": k("reads", "A header more.", "header removed from an answer"),
  "header removed from an answer": k("reads", "A header less.", "header added to an answer"),
  "header of an answer changed": k("reads", "A header with another value."),
  "refusal changed": k("reads", "Another error where something is refused."),
  "named steps added": k("runs", "Named steps more.", "named steps removed"),
  "named steps removed": k("runs", "Named steps less.", "named steps added"),
  "named steps changed": k("runs", "Named steps are given other things."),
  "call added": k("runs", "A call more, behind which code is asked.", "call removed"),
  "call removed": k("runs", "A call less.", "call added"),
  "call changed": k("runs", "What a call is given or says, or what is said of it."),

  "endpoint added": k("sends", "A method and path more.", "endpoint removed"),
  "endpoint removed": k("sends", "A method and path less.", "endpoint added"),
  "path parameter renamed": k("reads", "A parameter of a path, which a refusal may name."),
  "actor added to Who": k("sends", "Somebody more may ask.", "actor removed from Who"),
  "actor removed from Who": k("sends", "Somebody may ask no longer.", "actor added to Who"),
  "caller asked for": k("sends", "`Who` names actors, and was `none`.", "caller not asked for"),
  "caller not asked for": k("sends", "`Who` is `none`, and named actors.", "caller asked for"),
  "request body added": k("sends", "A body where there was none.", "request body removed"),
  "request body removed": k(
    "sends",
    "No body where there was one.",
    "request body added",
    "needed input added",
    "optional input added",
  ),
  "request body changed": k("sends", "A body of another form."),
  "row of a path changed": k("sends", "A `Path` bullet finds another row, or there is none."),
  "idempotency key changed": k("sends", "Any of what is said of an idempotency key."),
  "answer to a failure changed": k("reads", "A row of the failure table."),

  "scheme added": k("sends", "A scheme more.", "scheme removed"),
  "scheme removed": k("sends", "A scheme less.", "scheme added"),
  "way credentials are sent changed": k("sends", "Another `Sent in`."),
  "credential changed": k("sends", "Another `Credential`, `Issuer`, `Audience` or `Clock skew`."),
  "caller of a credential changed": k("sends", "Another `Caller`."),
  "token handling changed": k(
    "sends",
    "Another `Subject`, `Lifetime`, `Revocation` or `Rotation`.",
  ),
  "actor added": k("runs", "An actor more.", "actor removed"),
  "actor removed": k("runs", "An actor less.", "actor added"),
  "actor changed": k("sends", "An actor holds in other cases."),

  "event added": k("receives", "An event more.", "event removed"),
  "event removed": k("receives", "An event less.", "event added"),
  "event changed": k("receives", "An event is about something else, or carries other data."),
  "way an event is sent changed": k("receives", "Other webhooks or streams carry an event."),
  "webhook added": k("receives", "A webhook more.", "webhook removed"),
  "webhook removed": k("receives", "A webhook less.", "webhook added"),
  "webhook changed": k("receives", "Who is sent what by a webhook, how, and how often."),
  "stream added": k("receives", "A stream more.", "stream removed"),
  "stream removed": k("receives", "A stream less.", "stream added"),
  "stream changed": k("receives", "Who sees what on a stream, where, and how long."),

  "error added": k("reads", "A row of the error table more.", "error removed"),
  "error removed": k("reads", "A row of the error table less.", "error added"),
  "error body changed": k("reads", "Another body of an error, or other texts in it."),
  "failures reported changed": k("reads", "Another answer to `Failures reported`."),

  "limit added": k("sends", "A limit more.", "limit removed"),
  "limit removed": k("sends", "A limit less.", "limit added"),
  "limit lowered": k("sends", "A smaller amount.", "limit raised"),
  "limit raised": k("sends", "A greater amount.", "limit lowered"),
  "limit changed": k("sends", "It counts something else, or in another window."),
  "headers of limits changed": k("reads", "Another answer to `Sent with every answer`."),

  "version changed": k("reads", "Another `This version`."),
  "choice of a version changed": k("sends", "Another `Chosen by`."),
  "time of old versions changed": k("sends", "Another `Old versions`."),
  "compatibility changed": k("reads", "A row of the compatibility table."),
  "history changed": k("reads", "A row of the history."),
  "deprecation changed": k(
    "sends reads",
    "A row of the deprecations, or what answers tell of them.",
  ),

  "gap recorded": k(
    "sends reads receives runs",
    "`not shown` where something was said.",
    "gap filled",
  ),
  "gap filled": k("sends reads receives runs", "Said what was not shown.", "gap recorded"),
  "facet answered otherwise": k("sends reads", "`none` or `free` of a whole facet."),
};

/** A change of the closed list. */
export type ChangeName = ChangeKind;

export interface NamedChange extends ChangeEntry {
  readonly name: ChangeKind;
  /** Whether only files in OpenAPI know it. */
  readonly ofFiles: boolean;
}

/** In the order of the parts of a document; behind them those of files alone. */
export const changeKinds: readonly NamedChange[] = [
  ...named(changes, false),
  ...named(fileChanges, true),
];

function named(
  all: Readonly<Partial<Record<ChangeKind, ChangeEntry>>>,
  ofFiles: boolean,
): readonly NamedChange[] {
  return (Object.entries(all) as [ChangeKind, ChangeEntry][]).map(([name, entry]) => {
    const { reversed } = entry;
    return { ...entry, name, ofFiles, reversed: reversed.length === 0 ? [name] : reversed };
  });
}
