/** The document of the matrix with each kind of scheme, and the rows that it starts with. */
import { readFileSync } from "node:fs";

export type Kind = "opaque" | "query" | "cookie" | "basic" | "HS256" | "RS256";

export const ISSUER = "https://id.example";
export const AUDIENCE = "notes";

const OPAQUE = /- Sent in: header[^]*?- Revocation: by the Caller condition\n/;

const BASIC = `- Sent in: HTTP Basic
- Credential: user name and password
- Caller: the \`User\` where \`it.name == username && ${""}password_matches(it.key, password) && !it.blocked\`, else \`unauthorized\`
- Revocation: by the Caller condition
`;

const token = (
  algorithm: string,
): string => `- Sent in: header ${""}\`Authorization\`, form \`Bearer {credential}\`
- Credential: JWT signed with \`${algorithm}\`, key \`setting.token_key\`
- Caller: the \`User\` where \`it.name == claims.sub && !it.blocked\`, else \`unauthorized\`
- Issuer: \`${ISSUER}\`
- Audience: \`${AUDIENCE}\`
- Subject: \`it.name\`
- Lifetime: 1 h
- Clock skew: none
- Revocation: by the Caller condition
- Rotation: none
`;

/** The text of the document with that kind of scheme. */
export function documentOf(kind: Kind): string {
  const text = readFileSync(new URL("spec.md", import.meta.url), "utf8");
  if (kind === "opaque") return text;
  if (kind === "query" || kind === "cookie") {
    const place = kind === "query" ? "query parameter `api_key`" : "cookie `sid`";
    return text.replace(/- Sent in: header.*/, `- Sent in: ${place}`);
  }
  return text.replace(OPAQUE, kind === "basic" ? BASIC : token(kind));
}

/** Who is there. `gone` may not come in any more. */
export const USERS = [
  { name: "ada", role: "user", blocked: false, key: "the key of ada" },
  { name: "bob", role: "user", blocked: false, key: "the key of bob" },
  { name: "root", role: "admin", blocked: false, key: "the key of root" },
  { name: "gone", role: "admin", blocked: true, key: "the key of gone" },
] as const;
