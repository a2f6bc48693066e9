/** Names of members and inputs in what is sent. */

interface Named {
  readonly name: string;
  readonly sentAs?: string | undefined;
}

/** The name of a member or an input that has no dots. */
export function sentName({ name, sentAs }: Named): string {
  return sentAs ?? name;
}

/** Where a member stands in what is sent: dotted names nest, the last may be sent as another. */
export function sentPath({ name, sentAs }: Named): readonly string[] {
  const path = name.split(".");
  return sentAs === undefined ? path : [...path.slice(0, -1), sentAs];
}
