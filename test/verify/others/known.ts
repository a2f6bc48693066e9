/**
 * Answers of services by others that are not as their document states, each looked into by hand. A
 * break is known if it names the item, and request and answer are of this kind; any other is an alarm.
 */

export interface Known {
  readonly service: string;
  /** Of the id of an item that the break names. */
  readonly item: RegExp;
  /** Of method, target and body, with a space between. */
  readonly sent: RegExp;
  /** Of status and body. */
  readonly answered: RegExp;
  /** Of status and body that the document asks for. */
  readonly expected?: RegExp;
  /** What the service does, and why no reading of the document allows it. */
  readonly why: string;
}

const BOOKER = "restful-booker";
const FASTAPI = "realworld-fastapi";

export const known: readonly Known[] = [
  {
    service: BOOKER,
    item: /resources\/Booking\/totalprice/,
    sent: /./,
    answered: /^200 .*"totalprice":-?\d+[,}]/,
    expected: /^200 .*"totalprice":-?\d+\.\d/,
    why: "A total price of 10.5 is kept and shown as 10 (`parseInt`); the pages call it a number.",
  },
  {
    service: BOOKER,
    item: /resources\/Booking\/(first|last)name/,
    sent: /./,
    answered: /^200 /,
    expected: /^200 .*"(first|last)name":"( |[^"]* ")/,
    why: "Spaces around a name are cut off; the pages do not say so.",
  },
  {
    service: BOOKER,
    item: /endpoints\/GET \/booking/,
    sent: /^GET \/booking\?.*check(in|out)=/,
    answered: /^200 \[/,
    why:
      "The pages: bookings whose date is greater than or equal to the given one. The service asks " +
      "for a greater `checkin`, and for a smaller `checkout`.",
  },
  {
    service: BOOKER,
    item: /endpoints\/GET \/booking\/step/,
    sent: /^GET \/booking\?.*name=(%20|[^&]*%20(&| |$))/,
    answered: /^200 \[/,
    why: "The same: a name that was sent with spaces around it is not found by them.",
  },
  {
    service: FASTAPI,
    item: /\/step /,
    sent: /./,
    answered: /^401 \{"errors":/,
    expected: /^401 /,
    why: "A 401 comes without `WWW-Authenticate`, which RFC 9110 section 15.5.2 asks for.",
  },
  {
    service: FASTAPI,
    item: /errors\/too small|\/rule at least 1$/,
    sent: /^GET .*(limit|offset)=-?\d+/,
    answered: /^200 /,
    expected: /^422 /,
    why: "A `limit` below 1 and an `offset` below 0 are taken; the OpenAPI file has them as minima.",
  },
  {
    service: FASTAPI,
    item: /errors\/repeated query parameter/,
    sent: /^GET /,
    answered: /^200 /,
    expected: /^422 /,
    why: "A parameter that is sent twice is taken; the assumptions refuse it.",
  },
  {
    service: FASTAPI,
    item: /errors\/unknown /,
    sent: /./,
    answered: /^40[45] \{"detail":/,
    why: 'What has no route is answered by the framework, `{"detail": ...}`; the documents: `errors`.',
  },
  {
    service: FASTAPI,
    item: /errors\/taken/,
    sent: /^(POST|PUT) \/api\/user/,
    answered: /^409 .*"username".*"email"/,
    why: "Both members are named where both are taken; the rule that fails first refuses.",
  },
  {
    service: FASTAPI,
    item: /errors\/no member given|endpoints\/PUT \/user\/body\/rule/,
    sent: /^PUT \/api\/user /,
    answered: /^200 /,
    expected: /^422 /,
    why: "A change of a user without a member is taken; the OpenAPI file asks for one.",
  },
  {
    service: FASTAPI,
    item: /step Check the caller/,
    sent: /./,
    answered: /^422 /,
    expected: /^401 /,
    why: "The forms of bodies and paths are judged before credentials; the pages judge the caller first.",
  },
  {
    service: FASTAPI,
    item: /step Check the inputs/,
    sent: /^(POST|PUT) \/api\/articles\/.*/,
    answered: /^40[34] /,
    expected: /^422 /,
    why: "The article is looked for before its comment is judged; the document says otherwise.",
  },
  {
    service: FASTAPI,
    item: /errors\/Failed\/errors/,
    sent: /^(POST|PUT) /,
    answered: /^422 /,
    expected: /^422 /,
    why: "Other members are named, or other texts said, than the assumptions have.",
  },
  {
    service: FASTAPI,
    item: /resources\/User\/(username|email|bio|image)$/,
    sent: /./,
    answered: /^20[01] /,
    expected: /^20[01] /,
    why:
      "A refused `PUT /user` keeps what stood before the member that was wrong: the service sets " +
      "members one by one. All that shows the user differs from then on.",
  },
  {
    service: FASTAPI,
    item: /errors\/empty|\/rule not empty/,
    sent: /^PUT \/api\/articles\//,
    answered: /^200 /,
    expected: /^422 /,
    why: "An article is changed to an empty description or body; both are `not empty`.",
  },
  {
    service: FASTAPI,
    item: /resources\/Article\/(title|description|body|tagList)$/,
    sent: /./,
    answered: /^20[01] /,
    expected: /^20[01] /,
    why: "The same: what was kept although it was to be refused is shown from then on.",
  },
  {
    service: FASTAPI,
    item: /resources\/Article\/updatedAt$/,
    sent: /./,
    answered: /^200 /,
    expected: /^200 /,
    why: "A `PUT` without a member that changes nothing sets `updatedAt`, which is shown from then on.",
  },
  {
    service: FASTAPI,
    item: /errors\/too short$|\/password\/rule at least 8 characters$/,
    sent: /^POST \/api\/users /,
    answered: /^409 /,
    expected: /^422 /,
    why: "Names are looked for before the length of a password is judged; inputs are checked first.",
  },
  {
    service: FASTAPI,
    item: /User\/(username|email)\/rule unique/,
    sent: /^PUT \/api\/user[ ?]/,
    answered: /^200 /,
    expected: /^409 /,
    why: "`PUT /user` does not look whether another user has the name or the address; both are unique.",
  },
  {
    service: FASTAPI,
    item: /\/password\/rule at least 8 characters$/,
    sent: /^POST \/api\/users[ ?]/,
    answered: /^201 /,
    expected: /^422 /,
    why: "A password of fewer than eight characters is taken; the OpenAPI file asks for eight.",
  },
  {
    service: FASTAPI,
    item: /errors\/absent/,
    sent: /^PUT \/api\/user /,
    answered: /^200 /,
    expected: /^422 /,
    why: "A body without `user` is taken for a change without a member.",
  },
  {
    service: FASTAPI,
    item: /endpoints\/POST \/articles\//,
    sent: /^POST \/api\/articles .*"tagList"/,
    answered: /^422 .*tagList is an optional list of less than/,
    expected: /^201 /,
    why: "Tags of 20 characters, or ten of them, are refused; no page says how long one may be.",
  },
  {
    service: FASTAPI,
    item: /resources\/Article\/tagList$/,
    sent: /^POST \/api\/articles .*"tagList":null/,
    answered: /^201 /,
    expected: /^422 /,
    why: "A list of tags that is null is taken for an empty one.",
  },
];
