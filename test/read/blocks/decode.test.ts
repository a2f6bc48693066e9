/** Bytes to text: bad UTF-8, marks, line ends and characters that nobody sees. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inspectCharacters } from "../../../src/read/blocks/characters.ts";
import { FILE_BYTES_MAX } from "../../../src/read/blocks/decode.ts";
import { decode } from "../../../src/read/blocks/index.ts";
import { FINDINGS_MAX, newReport } from "../../../src/read/blocks/report.ts";
import { testSeed } from "../../random.ts";
import { newRandom } from "./random.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const codes = (input: Uint8Array): string[] => decode(input).findings.map((it) => it.code);

test("right text comes back as it is, without findings", () => {
  const text = "# Äpfel 😀\n\n- a: `b`\tc\n";
  assert.deepEqual(decode(bytes(text)), { text, findings: [] });
  assert.deepEqual(decode(new Uint8Array()), { text: "", findings: [] });
  assert.deepEqual(codes(bytes("a\r\nb\r\n")), []);
});

test("each bad sequence is reported where its U+FFFD stands", () => {
  const cases: readonly (readonly number[])[] = [
    [0x61, 0xff, 0x62],
    [0xc0, 0xaf],
    [0xe2, 0x82],
    [0xed, 0xa0, 0x80],
    [0xf0, 0x9f, 0x98, 0x61],
    [0xf4, 0x90, 0x80, 0x80],
    [0xe2, 0x82, 0xac, 0x80, 0xf0, 0x9f, 0x98, 0x80, 0xf8],
  ];
  for (const input of cases) {
    const { text, findings } = decode(Uint8Array.from(input));
    const places =
      [...text].length === 0 ? [] : [...text.matchAll(/\uFFFD/g)].map((it) => it.index);
    assert.ok(places.length > 0);
    assert.deepEqual(
      findings.map((it) => it.span.start),
      places,
    );
    assert.ok(findings.every((it) => it.code === "encoding" && it.severity === "error"));
  }
});

test("random bytes: as many findings as replacement characters, each at its place", (t) => {
  const seed = testSeed;
  t.diagnostic(`SEED=${seed}`);
  const random = newRandom(seed);
  const common = [0x61, 0xc3, 0xa4, 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x98, 0x80, 0xed, 0xbf, 0xff];
  for (let round = 0; round < 2000; round++) {
    const input = Uint8Array.from({ length: random.below(40) }, () =>
      random.chance(0.8) ? random.pick(common) : random.below(256),
    );
    const { text, findings } = decode(input);
    const found = findings.filter((it) => it.code === "encoding").map((it) => it.span.start);
    const places = [...text.matchAll(/\uFFFD/g)].map((it) => it.index);
    assert.deepEqual(found, places, `SEED=${seed} round ${round}`);
  }
});

test("a byte-order mark is a note and left out; inside the text it is invisible", () => {
  const { text, findings } = decode(bytes("\uFEFF# A"));
  assert.equal(text, "# A");
  assert.deepEqual(
    findings.map((it) => [it.code, it.severity]),
    [["byte-order-mark", "note"]],
  );
  assert.deepEqual(codes(bytes("a\uFEFFb")), ["invisible-character"]);
});

test("mixed line ends are one note at the first that differs", () => {
  const { findings } = decode(bytes("a\nb\nc\r\nd\re\n"));
  assert.deepEqual(
    findings.map((it) => [it.code, it.severity, it.span.start]),
    [["line-ends", "note", 5]],
  );
  assert.deepEqual(codes(bytes("a\rb\r\n")), ["line-ends"]);
});

test("characters that nobody sees are errors with their place and number", () => {
  const bidirectional = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069";
  for (const char of bidirectional) {
    assert.deepEqual(codes(bytes(`a${char}b`)), ["bidirectional-control"]);
  }
  for (const char of "\0\u0001\b\v\f\u001b\u007f\u0085\u2028") {
    assert.deepEqual(codes(bytes(`a${char}b`)), ["control-character"]);
  }
  for (const char of ["\u00ad", "\u200b", "\u2060", "\u{e0041}"]) {
    assert.deepEqual(codes(bytes(`a${char}b`)), ["invisible-character"]);
  }
  const [finding] = decode(bytes("ä😀\0\0c")).findings;
  assert.deepEqual(finding?.span, { start: 3, end: 5 });
  assert.match(finding?.message ?? "", /U\+0000/);
  assert.deepEqual(codes(bytes("नि\u200dक \u{1f468}\u200d\u{1f469} e\u0301 \ufe0f")), []);
});

test("a lone surrogate in a text is reported, a pair is not", () => {
  const report = newReport();
  inspectCharacters("a\ud83d b\ude00 😀", report);
  assert.deepEqual(
    report.findings().map((it) => [it.code, it.span.start]),
    [
      ["lone-surrogate", 1],
      ["lone-surrogate", 4],
    ],
  );
});

test("a file past the bound is refused with one finding", () => {
  const { text, findings } = decode(new Uint8Array(FILE_BYTES_MAX + 1).fill(97));
  assert.equal(text, "");
  assert.deepEqual(
    findings.map((it) => it.code),
    ["too-large"],
  );
});

test("findings of one kind are listed up to a bound and then counted", () => {
  const { findings } = decode(bytes("a\0".repeat(FINDINGS_MAX + 7)));
  assert.equal(findings.length, FINDINGS_MAX + 1);
  const last = findings.at(-1);
  assert.equal(last?.code, "too-many");
  assert.match(last?.message ?? "", /^7 more/);
  assert.equal(last?.span.start, 2 * FINDINGS_MAX + 1);
});
