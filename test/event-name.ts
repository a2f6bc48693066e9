/** The name that a stream gives to an event: what a client may resume from. */

/** Opens the stream, lets an event happen, and gives its name. `make`: makes the event. */
export async function eventName(
  url: string,
  headers: Readonly<Record<string, string>>,
  make: () => Promise<unknown>,
): Promise<string> {
  const answer = await fetch(url, { headers });
  if (answer.body === null) throw new Error(`${url} sends nothing`);
  await make();
  let text = "";
  for await (const part of answer.body) {
    text += Buffer.from(part).toString("utf8");
    const name = /^id: (.+)$/m.exec(text)?.[1];
    if (name !== undefined) return name;
  }
  throw new Error(`${url} has ended`);
}
