/** Descriptions as plain text: what HTML and Markdown put around the words is taken away. */

/** Characters of a description that are looked at. */
const LOOKED_AT_MAX = 20_000;

/** What entities of HTML stand for; of the others nothing is left. */
const ENTITIES: Readonly<Record<string, string>> = {
  ...{ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " ", copy: "©", reg: "®" },
  ...{ mdash: "—", ndash: "–", hellip: "…", rsquo: "’", lsquo: "‘", ldquo: "“", rdquo: "”" },
};

/** Elements of HTML that stand within a line; around the text of others there is a space. */
const WITHIN =
  /^(a|abbr|b|big|code|em|font|i|ins|kbd|mark|s|samp|small|span|strong|sub|sup|tt|u)$/i;

// Each of these looks at no character more than twice: none goes on behind its own beginning.
const COMMENT = /<!--(?:(?!<!--)[\s\S])*?-->/g;
const UNSEEN = /<(script|style)\b(?:(?!<(?:script|style)\b)[\s\S])*?<\/\1\s*>/gi;
const TAG = /<\/?([a-z][a-z0-9-]*)(?:[\s/][^<>]*)?>/gi;
const TAG_CUT = /<\/?[a-z][a-z0-9-]*\s[^<>]*$/i;
const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,31}));/gi;
const LINK = /!?\[([^[\]]*)\](?:\([^()\s]*(?:\s+["'][^"'()]*["'])?\)|\[[^[\]]*\])/g;
const HEADING = /^ {0,3}#{1,6} +([^\n]*)$/gm;
const HEADING_BELOW = /^([^\n]+)\n(?:={3,}|-{3,}) *$/gm;
const FENCE = /^ {0,3}(?:`{3,}|~{3,})[^\n`]*$/gm;
const RULE = /^ {0,3}(?:\|[-:| ]+\||[-*_](?: *[-*_]){2,}) *$/gm;
const ITEM = /^[ \t]*[-*+] +/gm;

const characterOf = (code: number): string =>
  code > 31 && code <= 0x10_ff_ff && !(code >= 0xd8_00 && code <= 0xdf_ff)
    ? String.fromCodePoint(code)
    : " ";

/** A line of a heading, followed by a mark where it ends without one. */
function asHeading(_: string, text: string): string {
  const title = text.replace(/(?<![ #])[ #]+$/, "");
  return /\p{P}$/u.test(title) ? `${title}\n` : `${title}:\n`;
}

/**
 * The words of a description on one line: tags, links, fences and marks of HTML and CommonMark are
 * taken away, entities are what they stand for. A text without any of them stays as it is.
 */
export function plainText(text: string): string {
  const words = text
    .slice(0, LOOKED_AT_MAX)
    .replaceAll(COMMENT, " ")
    .replaceAll(UNSEEN, " ")
    .replaceAll(TAG, (_, name: string) => (WITHIN.test(name) ? "" : " "))
    .replace(TAG_CUT, "")
    .replaceAll(ENTITY, (_, decimal?: string, hex?: string, name?: string) =>
      name === undefined
        ? characterOf(decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal))
        : (ENTITIES[name.toLowerCase()] ?? " "),
    )
    .replaceAll(FENCE, "")
    .replaceAll(HEADING_BELOW, asHeading)
    .replaceAll(RULE, "")
    .replaceAll(HEADING, asHeading)
    .replaceAll(ITEM, "- ");
  // Twice: an image may stand in a link.
  return words.replaceAll(LINK, "$1").replaceAll(LINK, "$1").replaceAll(/\s+/g, " ").trim();
}
