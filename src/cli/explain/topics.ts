/* data table */
/** Why the findings of a topic matter, and the page of the reference that says how it is right. */
import type { Topic } from "../../base/index.ts";

interface TopicEntry {
  /** Two sentences, true of each finding of the topic that gives no reason of its own. */
  readonly why: string;
  /** A page below docs. */
  readonly page: string;
  readonly title: string;
}

const entry = (page: string, title: string, why: string): TopicEntry => ({
  page: page.startsWith("/") ? page.slice(1) : `reference/${page}`,
  title,
  why,
});

export const topics: Readonly<Record<Topic, TopicEntry>> = {
  answers: entry(
    "steps.md",
    "Steps",
    "Each request must come to exactly one answer, and each line must have a request that comes to it. Where that is not so, the document promises something that nobody will see, or leaves a client without a word.",
  ),
  assumptions: entry(
    "/assumptions.md",
    "Assumptions",
    "Assumptions stand in a file of their own so that nobody takes them for what the author has stated. One that fits no open question of the document would be believed, and change nothing.",
  ),
  attackers: entry(
    "authentication.md",
    "Authentication",
    "The document is whole, and served as it stands; this is a question about what it allows. Whoever means harm reads it too, and tries first what is usually forgotten.",
  ),
  bounds: entry(
    "host.md#bounds",
    "Bounds",
    "What is read is bounded, so that each document is judged in a time that its size tells. What stands past a bound is not judged, so the service could not keep it.",
  ),
  calls: entry(
    "calls.md",
    "Calls and named steps",
    "What code outside has done, such as money taken or mail sent, no transaction takes back. The order of the steps decides whether that can be left behind by a request that was refused.",
  ),
  characters: entry(
    "text.md",
    "Text",
    "People agree on what a viewer shows them, and the program reads what is written. A character that is hidden, replaced or moved lets both hold different documents for the same one.",
  ),
  checks: entry(
    "steps.md",
    "Steps",
    "A request that is wrong in two ways gets one answer first, and which one is seen by clients. So the checks are steps: each stands once, in its order, and none is made that no step names.",
  ),
  contradictions: entry(
    "text.md#five-values",
    "Five values",
    "Two statements that exclude each other cannot both be served. To take one of them would be to guess which one the author meant.",
  ),
  credentials: entry(
    "authentication.md",
    "Authentication",
    "Who calls is found out by exactly what is stated here, for each request. A part of it that fits no other part locks out everybody, or tells nobody apart.",
  ),
  descriptions: entry(
    "/descriptions.md",
    "Descriptions in OpenAPI and AsyncAPI",
    "Each reader of a description fills in what it leaves open, and two readers do it in two ways. Here each such place is counted and shown with its line, so that somebody who knows can answer it.",
  ),
  endpoints: entry(
    "endpoints.md",
    "Endpoints",
    "Method, path and inputs are what clients write code against, and it is dear to change them later. An endpoint that cannot be called as it stands, or that ignores what it asks for, is found by the first client.",
  ),
  errors: entry(
    "errors.md",
    "Errors and failures",
    "A client decides by the error what to do next: mend the request, try again, ask a person. An error that never comes, or cannot be told from another, leads to the wrong one of these.",
  ),
  events: entry(
    "events.md",
    "Events",
    "Receivers build on the events that a document lists. One that never comes is waited for without an end, and nobody gets an error for it.",
  ),
  examples: entry(
    "text.md#examples-in-a-document",
    "Examples in a document",
    "Readers copy examples before they read anything else. So each one is judged against what is stated, and `lacuna try` runs it.",
  ),
  expressions: entry(
    "expressions.md",
    "Expressions",
    "An expression is judged before the service runs, so that no request meets a mistake in it. What has no meaning here would have to be answered by a failure that no line states.",
  ),
  gaps: entry(
    "gaps.md",
    "Gaps when the service runs",
    "What a document leaves open, each builder fills in another way, and clients come to rely on it. Here nothing is filled in: the place is named, and a request that depends on it gets `501`.",
  ),
  growth: entry(
    "steps.md",
    "Steps",
    "It is quick with the ten rows of a test, and slow with the million rows of a good year. By then clients rely on the answer as it is, and a bound breaks them.",
  ),
  invariants: entry(
    "resources.md",
    "Resources and their fields",
    "An invariant holds for every row after every request, whichever steps have changed it. One that steps break, or that has no error of its own, turns requests that look right into refusals or faults.",
  ),
  layout: entry(
    "text.md",
    "Text",
    "Every document has the same order and the same few shapes, so that a reader finds each statement, or sees that it is missing. What stands elsewhere is overlooked by one reader and believed by another.",
  ),
  limits: entry(
    "limits.md",
    "Limits",
    "A limit is met by those who use the service most, often first when it matters. One that never counts, or counts what was not meant, is noticed only then.",
  ),
  markdown: entry(
    "text.md",
    "Text",
    "A document is read by people in a viewer, and by the program as text. Where viewers disagree, or show less than is written, two readers would agree on different services.",
  ),
  money: entry(
    "types.md",
    "Types",
    "The document is whole, and served as it stands; this is a question about what it allows. A wrong amount is noticed by the one who loses by it, and late.",
  ),
  names: entry(
    "expressions.md",
    "Expressions",
    "A statement means something only if each name in it stands for one thing of the document. A name that stands for nothing, or for two things, would have to be guessed.",
  ),
  programs: entry(
    "errors.md",
    "Errors and failures",
    "The document is whole, and served as it stands; this is a question about what it allows. Programs, not people, are the first readers of answers and the first writers of requests.",
  ),
  resources: entry(
    "resources.md",
    "Resources and their fields",
    "The tables of fields say what is kept, who gives it and who sees it, and all other parts rest on them. A value that nobody can give, name or see makes endpoints that look right useless.",
  ),
  retries: entry(
    "endpoints.md",
    "Endpoints",
    "Clients, proxies and browsers send a request again when its answer is lost, and follow links unasked. What the method promises (RFC 9110 section 9.2) is all that they know of an endpoint.",
  ),
  rules: entry(
    "rules.md",
    "Rules",
    "A rule decides what is stored and what is refused, for every request. One that no value keeps, or that is not for this type, would refuse everything or nothing.",
  ),
  secrets: entry(
    "resources.md",
    "Resources and their fields",
    "What has been shown once cannot be taken back. The Read column, `Rows` and the type `secret` say who may see what, and this place is past them.",
  ),
  statements: entry(
    "text.md",
    "Text",
    "The language is a closed list of forms, so that each sentence has one meaning. What fits no form would have to be guessed, or be passed over in silence.",
  ),
  states: entry(
    "states.md",
    "States and transitions",
    "Rows live in their states for years, and each step of that life has to be possible as it is drawn. A state without a way in or out, or a choice of two ways, comes to light with the first row that is stuck.",
  ),
  steps: entry(
    "steps.md",
    "Steps",
    "Steps say what a request does, in order, and there are no others. A sentence that fits no form, or a case that has none, would leave what happens to whoever builds it.",
  ),
  times: entry(
    "states.md",
    "States and transitions",
    "What happens by itself has no client who gets an error. A time that never comes, comes at once or comes in a circle is noticed by what is missing later.",
  ),
  types: entry(
    "types.md",
    "Types",
    "A type says which values there are, and how each is written in JSON. One that is not in the list would be read in one way by the service and in another by its clients.",
  ),
  versions: entry(
    "versioning.md",
    "Versioning",
    "Clients decide by this part whether they may upgrade, and until when they must. An entry that does not fit the document tells them something that is not so.",
  ),
};
