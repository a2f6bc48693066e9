/* data table */
/** Wrong documents: expressions, in the places where they stand. */
import { edit, type Wrong } from "./wrong.ts";

const where = "Let `found` be every `Todo` where `!has(query.status) || it.status == query.status`";
const list = (put: string, code: string): Wrong =>
  edit("todo", where, `Let \`found\` be every \`Todo\` where \`${put}\``, code);
const next = "`size(page) == query.limit ? page[size(page) - 1].id : null`";
const total = "`sum(it.lines.map(l, l.unitPrice * l.quantity))`";

export const expressions: readonly Wrong[] = [
  list("it.status «=» query.status", "syntax"),
  list('it.status == "open" «and» it.note == null', "syntax"),
  list('(it.status == "open"«»', "syntax"),
  list('it.status == «"open»', "syntax"),
  list("it.status == 'open' «&» true", "syntax"),
  list("it.status == «#open»", "syntax"),
  list("«it.title == 1»", "wrong-type"),
  list("it.status == query.«status»", "unguarded"),
  list("int_or_null(it.title) != null && «int_or_null(it.title) + 1» > 1", "overflow"),
  list('it.status == «"opened"»', "wrong-type"),
  list('«todo».status == "open"', "unknown-name"),
  list('it.«state» == "open"', "unknown-name"),
  list("«it.status»", "wrong-type"),
  list("«isOpen»(it)", "unknown-name"),
  list('it.title.«contain»("a")', "unknown-name"),
  list("«it.title.contains(1)»", "wrong-type"),
  list('it.title.matches(«"[a"»)', "pattern"),
  list("«it.createdAt < 5»", "wrong-type"),
  list('«digest(it.title, "sha3")» == ""', "wrong-type"),
  list('«hmac(it.title, it.title, "sha1", "base32")» == ""', "wrong-type"),
  list("«range(size(it.title))» == [1]", "wrong-type"),
  list('«uuid_v5("dns", it.title)» == ""', "wrong-type"),
  list('«pad_left(it.title, size(it.title), "0")» == ""', "wrong-type"),
  list('extract_or_null(it.title, «"(a"») == null', "pattern"),
  list('«extract_or_null(it.title, "a")» > "a"', "unguarded"),
  list('size(«merge({"a": 1}, {"b": "c"})») == 1', "wrong-type"),
  list("it.createdAt + «days(size(it.title) * 1000000)» > now", "overflow"),
  list('positions(it.title.split("")).exists(i, it.title.split("a")[«i»] == "b")', "unguarded"),
  list("«it.createdAt + 5» > now", "wrong-type"),
  list("«size»(it.createdAt) > 1", "wrong-type"),
  list('«it.note» > "a"', "unguarded"),
  list("«todos.exists(1, true)»", "wrong-type"),
  list("«has(query)»", "wrong-type"),
  list("true «true»", "syntax"),
  list("it.title == «'''»", "syntax"),
  edit("orders", next, "`«size(page) == query.limit ? page[size(page) - 1].id : 0»`", "wrong-type"),
  edit("orders", next, '`page[«"last"»].id`', "wrong-type"),
  edit(
    "orders",
    next,
    "`size(page) == query.limit ? page[size(page) - 1].«key2» : null`",
    "unknown-name",
  ),
  edit("orders", total, "`«sum(it.lines)»`", "wrong-type"),
  edit("orders", total, "`sum(it.lines.map(l, l.«price» * l.quantity))`", "unknown-name"),
  edit("orders", total, "`sum(it.lines.map(l, «l.unitPrice * l.sku»))`", "wrong-type"),
  edit("orders", total, "`sum(«line».map(l, l.unitPrice))`", "unknown-name"),
  edit("orders", total, `\`«${"9".repeat(39)}»\``, "too-large"),
  edit(
    "orders",
    '`caller.tier == "gold" || size(open) < 20`',
    '`caller.tier == «"silver"» || size(open) < 20`',
    "wrong-type",
  ),
  edit(
    "orders",
    '`caller.tier == "gold" || size(open) < 20`',
    '`caller.tier == "gold" || «size(open) < 20.5»`',
    "wrong-type",
  ),
  edit(
    "orders",
    '`caller.tier == "gold" || size(open) < 20`',
    "`«order».total > 0.00`",
    "unknown-name",
  ),
  edit("bank", "`!has(body.runAt) || body.runAt >= now`", "`body.«runAt» >= now`", "unguarded"),
];
