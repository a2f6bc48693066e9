/* data table */
/** The changes that only files in OpenAPI and Swagger know: what each means, and for whom. */
import type { ChangeKind, FileChange } from "../plan/index.ts";
import { type ChangeEntry, k } from "./change-entry.ts";

/** A change with its opposite, which is told in the same words. */
function pair(who: string, means: string, reversed: ChangeKind): ChangeEntry {
  return k(who, means, reversed);
}

export const fileChanges: Readonly<Record<FileChange, ChangeEntry>> = {
  "server added": pair("sends", "An address more.", "server removed"),
  "server removed": pair("sends", "An address less.", "server added"),
  "alternative of security added": pair(
    "sends",
    "One more set of schemes that lets a caller in.",
    "alternative of security removed",
  ),
  "alternative of security removed": pair(
    "sends",
    "One set of schemes less that lets a caller in.",
    "alternative of security added",
  ),
  "scheme now needed": pair("sends", "One more is asked for.", "scheme no longer needed"),
  "scheme no longer needed": pair("sends", "One less.", "scheme now needed"),
  "scope now needed": pair("sends", "A scope more has to be held.", "scope no longer needed"),
  "scope no longer needed": pair("sends", "A scope less has to be held.", "scope now needed"),
  "scope added to a scheme": pair(
    "sends",
    "A scope more to ask for.",
    "scope removed from a scheme",
  ),
  "scope removed from a scheme": pair("sends", "One less.", "scope added to a scheme"),
  "operation name changed": k("sends", "Another `operationId`."),
  "marked as deprecated": pair("sends reads", "`deprecated`.", "no longer marked as deprecated"),
  "no longer marked as deprecated": pair("sends reads", "Not any more.", "marked as deprecated"),
  "way an input is written changed": k("sends", "Another style, or encoding of a part."),
  "way an answer is written changed": k("reads", "The same of what is answered."),
  "media type of requests added": pair(
    "sends",
    "A body may be of one more.",
    "media type of requests removed",
  ),
  "media type of requests removed": pair(
    "sends",
    "A body may be of one less.",
    "media type of requests added",
  ),
  "media type of answers added": pair(
    "reads",
    "An answer may be of one more.",
    "media type of answers removed",
  ),
  "media type of answers removed": pair(
    "reads",
    "An answer may be of one less.",
    "media type of answers added",
  ),
  "answer added": pair("reads", "A status below 400, or `default`, more.", "answer removed"),
  "answer removed": pair("reads", "One less.", "answer added"),
  "error answer added": pair("reads", "A status from 400 on more.", "error answer removed"),
  "error answer removed": pair("reads", "One less.", "error answer added"),
  "header now always sent": pair("reads", "A header is required.", "header no longer always sent"),
  "header no longer always sent": pair("reads", "No longer.", "header now always sent"),
  "link of an answer changed": k("reads", "A link more, less or otherwise."),
  "type of an input widened": pair("sends", "Of more types.", "type of an input narrowed"),
  "type of an input narrowed": pair("sends", "Of fewer types.", "type of an input widened"),
  "type of an answer widened": pair(
    "reads receives",
    "What is sent may be of more types, or null.",
    "type of an answer narrowed",
  ),
  "type of an answer narrowed": pair(
    "reads receives",
    "Of fewer types.",
    "type of an answer widened",
  ),
  "type of an answer changed": k("reads receives", "Of other types."),
  "rule of an answer made stricter": pair(
    "reads receives",
    "What is sent keeps a rule more.",
    "rule of an answer made looser",
  ),
  "rule of an answer made looser": pair(
    "reads receives",
    "A rule less, or one that lets more through.",
    "rule of an answer made stricter",
  ),
  "rule of an answer changed": k("reads receives", "Another rule."),
  "member of an input removed": k(
    "sends",
    "Of an object that may have others.",
    "optional input added",
    "needed input added",
  ),
  "optional member removed from an answer": pair(
    "reads receives",
    "A member that was not always sent.",
    "member added to an answer",
  ),
  "member now always sent": pair(
    "reads receives",
    "A member is required.",
    "member no longer always sent",
  ),
  "member no longer always sent": pair("reads receives", "No longer.", "member now always sent"),
  "value added to an input": pair("sends", "Of an `enum`.", "value removed from an input"),
  "value removed from an input": pair("sends", "Of an `enum`.", "value added to an input"),
  "value added to an answer": pair(
    "reads receives",
    "Of an `enum`.",
    "value removed from an answer",
  ),
  "value removed from an answer": pair(
    "reads receives",
    "Of an `enum`.",
    "value added to an answer",
  ),
  "alternative added to an input": pair(
    "sends",
    "Of a `oneOf` or `anyOf`.",
    "alternative removed from an input",
  ),
  "alternative removed from an input": pair("sends", "One less.", "alternative added to an input"),
  "alternative added to an answer": pair(
    "reads receives",
    "Of a `oneOf` or `anyOf`.",
    "alternative removed from an answer",
  ),
  "alternative removed from an answer": pair(
    "reads receives",
    "One less.",
    "alternative added to an answer",
  ),
  "discriminator changed": k("sends reads", "What tells alternatives apart."),
  "callback added": pair("receives", "A callback more.", "callback removed"),
  "callback removed": pair("receives", "A callback less.", "callback added"),
  "named schema added": pair("sends reads", "A name more.", "named schema removed"),
  "named schema removed": pair("sends reads", "A name less.", "named schema added"),
  "unused schema changed": k("sends reads", "A named schema that no operation reaches."),
  "annotation changed": k("sends reads", "An extension, or `readOnly` where nothing is sent."),
  "wording changed": k("sends reads", "A description, title, example or tag."),
};
