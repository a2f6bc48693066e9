/* data table */
/** What to ask the author about each of the 28 facets, and what its gap blocks. */

interface FacetQuestion {
  readonly asks: string;
  readonly blocks: string;
}

const f = (asks: string, blocks: string): FacetQuestion => ({ asks, blocks });

/** By the id of the part and the name of the facet. */
export const facetQuestions: Readonly<Record<string, FacetQuestion>> = {
  "service/purpose": f(
    "What is the service for, and for whom?",
    "nothing: no request depends on it",
  ),
  "service/behaviour": f(
    "What does the service do as a whole: base path, body format, what one request sees of others?",
    "nothing by itself: its single points ask for themselves",
  ),
  "resources/resources": f(
    "What does the service keep: which resources are there?",
    "every request that would use a resource",
  ),
  "resources/fields": f("Which fields has each resource?", "every request that would use a field"),
  "resources/types": f(
    "Of which type is each field, and may it be null or absent?",
    "every request that would use a field",
  ),
  "resources/constraints": f(
    "Which values may each field have, and what must always hold?",
    "nothing by itself: no rule is kept",
  ),
  "states/states": f(
    "Which resources have states, and which?",
    "every request that would use a state",
  ),
  "states/transitions": f(
    "What leads from one state to another, when, and with what effect?",
    "every request that would cause a transition",
  ),
  "endpoints/methods": f("Which methods does the service answer at each path?", "every request"),
  "endpoints/paths": f("Which paths does the service have?", "every request"),
  "endpoints/request payloads": f(
    "What may and what must each request carry?",
    "every request with a body or an input",
  ),
  "endpoints/response payloads": f(
    "What does each answer carry, and with which status?",
    "every request",
  ),
  "authentication/scheme": f(
    "How do callers prove who they are?",
    "every request that needs a caller",
  ),
  "authentication/credentials": f(
    "What is the credential, and who issues it?",
    "every request that needs a caller",
  ),
  "authentication/headers": f(
    "In which header, parameter or cookie is the credential sent?",
    "every request that needs a caller",
  ),
  "authentication/token handling": f(
    "How long is a token good, and how does it end before its time?",
    "nothing: a token holds until the document says otherwise",
  ),
  "events/events": f(
    "Which events are there, and when does each happen?",
    "nothing: no event is sent",
  ),
  "events/notifications": f(
    "Can clients listen to events as they happen, and how?",
    "nothing: no stream is there",
  ),
  "events/callbacks": f(
    "Does the service call addresses of its clients, and how?",
    "nothing: no call is made",
  ),
  "errors/error codes": f("Which errors are there?", "every request that would be refused"),
  "errors/status codes": f("Which status has each error?", "every request that would be refused"),
  "errors/error payloads": f(
    "What is the body of each error?",
    "every request that would be refused",
  ),
  "limits/rate limits": f(
    "How many requests may be sent in which time, and what comes then?",
    "nothing: no such limit is kept",
  ),
  "limits/size limits": f(
    "How large may a request be, and what comes then?",
    "nothing: no such limit is kept",
  ),
  "limits/time-outs": f(
    "How long may an answer take, and what comes then?",
    "nothing: no such limit is kept",
  ),
  "limits/quotas": f(
    "How much may one caller keep or do, and what comes then?",
    "nothing: no such limit is kept",
  ),
  "versioning/versioning scheme": f(
    "Which version is this, and how does a request choose one?",
    "nothing: there is one version",
  ),
  "versioning/compatibility rules": f(
    "Which changes may come without notice?",
    "nothing: changes are listed and not judged",
  ),
};
