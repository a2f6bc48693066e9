/** Forms with files: every byte arrives, and what is no such form is malformed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseMultipart } from "../../../src/run/wire/multipart.ts";

const isFile = (name: string): boolean => name.startsWith("file");
const base64 = (text: string): string => Buffer.from(text, "latin1").toString("base64");
const parsed = (text: string, boundary: string | undefined = "b") => {
  const found = parseMultipart(base64(text), boundary, isFile);
  return found && Object.fromEntries(found);
};
const part = (name: string, content: string, more = ""): string =>
  `--b\r\nContent-Disposition: form-data; name=${name}\r\n${more}\r\n${content}\r\n`;

test("every byte of a file arrives", () => {
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
  const text = `${part('"file"', bytes.toString("latin1"), "Content-Type: image/png\r\n")}--b--`;
  assert.deepEqual(parsed(text), { file: `data:image/png;base64,${bytes.toString("base64")}` });
});

test("names and texts are UTF-8; parts of one name are a list; the rest is left alone", () => {
  const utf8 = Buffer.from("é🜁").toString("latin1");
  assert.deepEqual(parsed(`preamble\r\n${part(`"${utf8}"`, utf8)}--b--\r\nepilogue`), {
    "é🜁": "é🜁",
  });
  assert.deepEqual(parsed(`${part("a", "1")}${part("a", "")}--b--`), { a: ["1", ""] });
  assert.deepEqual(parsed(`${part('"a%22b"', "x--b")}--b--`), { 'a"b': "x--b" });
  assert.deepEqual(parsed("--b--"), {});
  assert.deepEqual(parsed(`${part("file", "", "")}--b  \r\n${part("x", "y").slice(5)}--b--`), {
    file: "data:text/plain;base64,",
    x: "y",
  });
});

for (const [what, text] of [
  ["no last delimiter", part("a", "1")],
  ["no delimiter", "a=1"],
  ["no name", "--b\r\nContent-Disposition: form-data\r\n\r\n1\r\n--b--"],
  ["no head", "--b\r\n\r\n1\r\n--b--"],
  ["a head without an end", "--b\r\nContent-Disposition: form-data; name=a\r\n--b--"],
  ["lines that end in LF", `${part("a", "1").replaceAll("\r", "")}--b--`],
  ["text that is no UTF-8", `${part("a", "\xff")}--b--`],
  ["another transfer encoding", `${part("a", "1", "Content-Transfer-Encoding: base64\r\n")}--b--`],
  ["a delimiter with a tail", `--bc\r\n${part("a", "1")}`],
  ["a media type that is none", `${part("file", "1", "Content-Type: text\r\n")}--b--`],
] as const) {
  test(`malformed: ${what}`, () => assert.equal(parsed(text), undefined));
}

test("malformed: a boundary that is none", () => {
  assert.equal(parseMultipart(base64(`${part("a", "1")}--b--`), undefined, isFile), undefined);
  assert.equal(parsed("--\r\n----", ""), undefined);
  assert.equal(parsed("--\r\n----", "b ".repeat(40)), undefined);
});

test("a form of very many parts ends", () => {
  const started = process.cpuUsage();
  assert.equal(parsed(`${part("a", "1").repeat(100_000)}--b--`), undefined);
  assert.ok(process.cpuUsage(started).user < 5_000_000);
});
