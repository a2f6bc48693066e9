/** Ids that an answer gives to a new row though another row has them. */
import { sentName } from "../../plan/index.ts";
import type { Reading } from "../world/reading.ts";
import type { World } from "../world/world.ts";
import type { Compared, Difference } from "./compare.ts";

/** The same, and that what the service made names two rows: then it made nothing. */
export function withTaken(world: World, { made = [] }: Reading, compared: Compared): Compared {
  if (made.length === 0 || compared.differences.length > 0 || world.past.isOpen) return compared;
  const differences = world.plan.resources.flatMap(({ name, key, fields }): Difference[] => {
    const place = fields.findIndex((one) => one.name === key);
    const field = fields[place];
    if (field === undefined || field.type.type.kind !== "id") return [];
    const keys = world.session.all(name).map(({ values }) => String(values[place]));
    const own = keys.filter((one) => made.some((text) => one.endsWith(text)));
    const twice = own.find((one, at) => own.indexOf(one) !== at);
    if (twice === undefined) return [];
    const [expected, observed] = ["an id that no other row has", JSON.stringify(twice)];
    return [{ in: "body", where: [sentName(field)], expected, observed }];
  });
  return { ...compared, differences };
}
