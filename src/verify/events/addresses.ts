/** Where a document lets clients say to which address messages are sent, and which of them. */
import { type Code, partsOf } from "../../expr/index.ts";
import { isStated, type Plan } from "../../plan/index.ts";

function membersIn(code: Code, found: Set<string>): void {
  if (code.op === "get") found.add(code.member);
  for (const part of partsOf(code)) membersIn(part, found);
}

/** Names of the fields of which addresses are made, and by which receivers are chosen. */
export function addressFields({ webhooks }: Plan): {
  readonly fields: ReadonlySet<string>;
  readonly chosenBy: ReadonlySet<string>;
} {
  const [fields, chosenBy] = [new Set<string>(), new Set<string>()];
  for (const { address, receivers } of webhooks) {
    if (isStated(address)) membersIn(address.value.code, fields);
    if (isStated(receivers)) membersIn(receivers.value.where.code, chosenBy);
  }
  return { fields, chosenBy };
}
