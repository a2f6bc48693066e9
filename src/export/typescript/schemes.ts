/** Credentials: what a client is given for each scheme, and how it is sent. */
import { gapOf, type Scheme, statedOf } from "../../plan/index.ts";
import type { World } from "../schemas/world.ts";
import { docComment, gapNote, placeOf } from "./comments.ts";
import { memberName } from "./names.ts";
import { indented } from "./types.ts";

/** How a credential is put into a request, as code; undefined: it is not shown. */
function senderOf({ sent }: Scheme): string | undefined {
  const place = statedOf(sent);
  if (place === undefined) return undefined;
  const text = (value: string): string => JSON.stringify(value);
  switch (place.in) {
    case "basic":
      return `({ headers }, credential: UserAndPassword) =>
  headers.set("Authorization", "Basic " + basic(credential))`;
    case "query":
      return `({ query }, credential: string) => query.push([${text(place.name)}, credential])`;
    case "cookie":
      return `({ cookies }, credential: string) =>
  cookies.push(${text(`${place.name}=`)} + credential)`;
    case "header": {
      const { name, before, after } = place;
      const value = [before === "" ? "" : `${text(before)} + `, "credential"].join("");
      const whole = after === "" ? value : `${value} + ${text(after)}`;
      return `({ headers }, credential: string) => headers.set(${text(name)}, ${whole})`;
    }
  }
}

const BASIC = `/** For HTTP Basic (RFC 7617). */
export interface UserAndPassword {
  username: string;
  password: string;
}

function basic({ username, password }: UserAndPassword): string {
  const bytes = new TextEncoder().encode(username + ":" + password);
  return btoa(Array.from(bytes, (one) => String.fromCharCode(one)).join(""));
}
`;

function notesOf(w: World, file: string, { id, sent }: Scheme): string[] {
  const place = statedOf(sent);
  const gap = gapOf(sent);
  const at = placeOf(file, w.from.lineOf(id));
  if (gap !== undefined) return [gapNote(file, w.gap(gap)), "It is never sent."];
  if (place === undefined) return [`(${at})`];
  if (place.in === "basic") return [`Sent by HTTP Basic (${at}).`];
  const note = place.in === "cookie" ? " Browsers send no cookie that a script sets here." : "";
  return [`Sent in the ${place.in} \`${place.name}\` (${at}).${note}`];
}

/** The types of credentials, and the table by which they are sent. */
export function credentialsOf(w: World, file: string): { types: string; table: string } {
  const { schemes } = w.plan;
  const members = schemes.map((scheme) => {
    const isBasic = statedOf(scheme.sent)?.in === "basic";
    const type = isBasic ? "UserAndPassword" : statedOf(scheme.sent) ? "string" : "unknown";
    const comment = docComment(notesOf(w, file, scheme));
    const line = `${comment}${memberName(scheme.name)}?: Credential<${type}> | undefined;`;
    return `  ${indented(line)}\n`;
  });
  const rows = schemes.flatMap((scheme) => {
    const sender = senderOf(scheme);
    return sender === undefined ? [] : [`  ${memberName(scheme.name)}: ${indented(sender)},\n`];
  });
  const hasBasic = schemes.some(({ sent }) => statedOf(sent)?.in === "basic");
  return {
    types: `/** Credentials by the schemes of the document. */
export interface Credentials {\n${members.join("")}}`,
    table: `${hasBasic ? `${BASIC}\n` : ""}/** How the credential of a scheme is sent. */
const SCHEMES: Readonly<Record<string, (to: Sent, credential: never) => unknown>> = {
${rows.join("")}};`,
  };
}
