import assert from "node:assert/strict";
import { test } from "node:test";
import { serve } from "../../src/serve/index.ts";
import { document } from "../serve/document.ts";
import { post } from "../serve/talk.ts";
import { documentOf, USERS } from "./credentials/documents.ts";
import { Line } from "./wire.ts";

const MADE = "Respond `201` with `Note` of `note`.";

/** A service that sends the text of a note in a header, with a body or without one. */
function echoing(end: string): string {
  const text = documentOf("opaque");
  assert.ok(text.includes(MADE), "the document makes a note");
  return text.replace(MADE, `Respond ${end}, header \`X-Text\` = \`note.text\`.`);
}

const TEXTS = [
  "plain",
  "tab\there",
  "é",
  "€ 5",
  "😀",
  "a\r\nX-Evil: 1\r\n\r\nHTTP/1.1 200 OK",
  "a\nb",
  "\u0000",
  "\u007f",
  "\u0085\u009f",
  "x".repeat(3000),
];

for (const end of ["`201` with `Note` of `note`", "`204` with no body"]) {
  test(`no text of a client ends the service or begins a header: ${end}`, async (t) => {
    const running = await serve(document(echoing(end)).plan, {
      memory: true,
      settings: { token_key: "x" },
      startRows: JSON.stringify({ User: USERS }),
    });
    t.after(() => running.stop());
    const line = new Line(running.port);
    for (const text of TEXTS) {
      const bytes = Buffer.from(
        post(
          "/notes",
          JSON.stringify({ text }).replace(
            /[^ -~]/g,
            (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`,
          ),
          "Authorization: Bearer the key of ada\r\n",
        ),
      );
      const { answers, rest } = await line.exchange({ bytes, methods: ["POST"], open: false });
      assert.equal(answers.length, 1, JSON.stringify(text));
      const [answer] = answers;
      assert.ok(answer?.status === 201 || answer?.status === 204, JSON.stringify(text));
      const sent = Buffer.from(answer.headers.get("x-text") ?? "", "latin1").toString("utf8");
      const seen = text.replace(/[\u0000-\u001f\u007f]/g, " ").trim();
      assert.equal(sent.replaceAll("\t", " "), seen);
      assert.equal(answer.headers.has("x-evil"), false);
      assert.equal(rest, "");
      if (answer.status !== 201) continue;
      const body = JSON.parse(Buffer.from(answer.body, "latin1").toString("utf8")) as {
        text: string;
      };
      assert.equal(body.text, text);
    }
    line.close();
  });
}
