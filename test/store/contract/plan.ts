/** The plan whose store the contract is tried on, and rows that a store may lose a part of. */
import type { Call, Limit, Plan, Webhook } from "../../../src/plan/index.ts";
import type { Value } from "../../../src/run/index.ts";
import { document } from "../../run/document.ts";
import { planOf } from "../../run/service.ts";

/** A resource with a field of each way of keeping a value, and one whose references may dangle. */
export const contractPlan: Plan = planOf(
  document({
    resources: `### \`Line\`, a part

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`sku\` | string | required | no | yes | none |
| \`price\` | decimal 2 or null | required | no | yes | none |

### \`Row\`, many \`rows\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`text\` | string or null or absent | optional | no | yes | none |
| \`TEXT\` | string | required | no | yes | none |
| \`big\` | integer | required | no | yes | none |
| \`small\` | integer | required | no | yes | 0 to 100 |
| \`price\` | decimal 2 | required | no | yes | none |
| \`float\` | number | required | no | yes | none |
| \`flag\` | boolean | required | no | yes | none |
| \`at\` | timestamp | required | no | yes | none |
| \`lines\` | list of \`Line\` | required | no | yes | in the order given |
| \`counts\` | map of integer | required | no | yes | none |
| \`any\` | json | required | no | yes | none |
| \`other\` | \`Row\` or null | no | no | no | starts \`null\`; set to null when it is deleted |`,
    states: "- No states: `Row`",
  }),
);

/** Values that a store may lose a part of. */
export function hostileRow(): Value[] {
  return [
    undefined,
    "\u{1F600}\u0000'\"",
    -(10n ** 38n - 1n),
    100n,
    10n ** 30n + 1n,
    5e-324,
    true,
    -62135596800000001n,
    [
      new Map<string, Value>([
        ["sku", "x"],
        ["price", 123456789012345678901n],
      ]),
      new Map<string, Value>([
        ["sku", ""],
        ["price", null],
      ]),
    ],
    new Map<string, Value>([
      ["__proto__", 9007199254740993n],
      ["2", 1n],
      ["1", 2n],
    ]),
    new Map<string, Value>([
      ["n", { numberText: "1.50e400" }],
      ["m", [null, true, "t", new Map()]],
      ["2", ""],
      ["1", { numberText: "-0" }],
    ]),
    null,
  ];
}

const none = { is: "none", id: "none" } as const;

const limit: Limit = {
  id: "limits/x",
  name: "x",
  facet: "quotas",
  counts: { is: "sum", resource: "Row", field: "price", transitions: [] },
  per: none,
  amount: none,
  window: none,
  whenPassed: none,
};

const webhook: Webhook = {
  id: "events/hook",
  name: "hook",
  receivers: none,
  address: none,
  sends: none,
  signature: none,
  delivered: none,
  attempts: none,
  afterLast: none,
  onStatus: [],
  guarantee: none,
  order: none,
};

const call: Call = {
  id: "calls/charge",
  name: "charge",
  given: [],
  says: [],
  kind: none,
  sameKey: none,
  timeOut: none,
  late: none,
  undo: none,
  invariants: [],
  standIn: none,
};

const [endpoint] = contractPlan.endpoints;

/** The plan with all that a store keeps besides rows: sums, answers, events, messages, calls. */
export const wholePlan: Plan = {
  ...contractPlan,
  limits: [limit],
  webhooks: [webhook],
  calls: [call],
  events: [{ id: "events/e", name: "e", about: "Row", data: none, sentTo: none }],
  endpoints: [
    {
      id: "endpoints/x",
      method: "POST",
      path: [],
      who: none,
      inputs: [],
      body: none,
      bindings: [],
      failures: [],
      steps: [],
      ...endpoint,
      idempotency: {
        id: "key",
        header: none,
        kept: none,
        per: none,
        sameBody: none,
        otherBody: none,
        running: none,
        keeps: none,
        compares: none,
      },
    },
  ],
};
