/** Which official CEL cases lie outside the profile, and why: read as documentation of both. */

/** Excludes the cases of which all given patterns match: `section/part/case`, the expression. */
export interface Exclusion {
  readonly reason: string;
  readonly path?: RegExp;
  readonly text?: RegExp;
}

const BINDINGS =
  /^(basic\/variables\/unbound_is|basic\/functions\/unbound_is|parse\/receiver_function)/;

export const exclusions: readonly Exclusion[] = [
  { reason: "extension libraries of CEL", path: /^(bindings|block|encoders|math|network)_ext\// },
  { reason: "extension macros with two variables", path: /^macros2\// },
  { reason: "optional values", path: /^optionals\// },
  {
    reason: "protocol buffers: messages, enums, wrappers",
    path: /^(proto[23](_ext)?|enums|wrappers)\//,
  },
  { reason: "dynamic types of protocol buffers", path: /^dynamic\// },
  { reason: "messages cannot be constructed", text: /[A-Za-z]\s*\{/ },
  { reason: "inferred types of type parameters, messages and dyn", path: /^type_deductions\// },
  {
    reason: "containers and dotted variables",
    path: /^(namespace\/|fields\/qualified_identifier)/,
  },
  {
    reason: "text functions that the profile lacks",
    path: /^string_ext\/(?!replace|split|trim|join|index_of|last_index_of|substring)/,
  },
  {
    reason: "forms of split, join and replace with a limit or without separator",
    text: /replace\(.*, -?[0-9]+\)|split\(.*, -?[0-9]+\)|join\(\)/,
  },
  {
    reason: "a position from which the last place is sought backwards",
    text: /lastIndexOf\(.*, [0-9]+\)/,
  },
  { reason: "unsigned integers", text: /\b(0x[0-9a-fA-F]+|[0-9]+)[uU]\b|\buint\b/ },
  { reason: "bytes", text: /\b[bB][rR]?["']|\b[rR][bB]["']|\bbytes\b/ },
  { reason: "dynamic typing: dyn()", text: /\bdyn\b/ },
  {
    reason: "types as values",
    text: /\btype\(|\b(null_type|list|map)$|^(type|bool|int|double|string)$/,
  },
  { reason: "a conversion to the type double", text: /\bdouble\(/ },
  { reason: "a conversion to the type bool", text: /\bbool\(/ },
  { reason: "strings in triple quotes", text: /'''|"""/ },
  { reason: "names in backquotes", text: /\.`/ },
  { reason: "comments", path: /^parse\/comments\// },
  {
    reason: "a literal with a point is a decimal here: it does not mix with binary64",
    text: /(^|[^0-9])-?[0-9]*\.[0-9]+($|[^0-9e]).*[0-9]e[+-]?[0-9]|[0-9]e[+-]?[0-9].*[0-9]\.[0-9]+($|[^0-9e])/,
  },
  {
    reason: "a literal with a point is a decimal here: it does not mix with binary64",
    path: /comparisons\/bound\/double_/,
  },
  { reason: "decimals are divided with a stated rounding", text: /[0-9]\.[0-9]+ ?\/ / },
  { reason: "decimals are divided with a stated rounding", text: /0\.0\/0\.0/ },
  {
    reason: "only a literal is widened to more places",
    path: /^fp_math\/fp_math\/add_associative$/,
  },
  {
    reason: "mixed types: integer with double",
    path: /^comparisons\/eq_literal\/eq_(list_elem_|map_value_)?mixed_types$/,
  },
  {
    reason: "equality of different types is refused by check, not false",
    path: /not_eq_list_length|not_eq_map_false|not_eq_list_false_vs|not_eq_map_value_null/,
  },
  {
    reason: "lists and maps hold one type",
    text: /\[(1|17), '(dos|foo|elem|pancakes)'|\[1, 'elem', 2\]|'k2': 'dos'|\{'map': .*'list'/,
  },
  {
    reason: "the keys of a map are strings",
    text: /[{,]\s*(-?[0-9][0-9.]*|true|false|null)\s*:|7 in \{\}|\{0: /,
  },
  { reason: "booleans have no order", text: /^(true|false) [<>]=? (true|false|x)$/ },
  {
    reason: "the member of a map is read behind a guard",
    path: /^(parse\/selectors|parse\/struct_field_names)|fields\/map_fields\/map_(no_such_key|field)/,
    text: /\.[a-z_]+$/,
  },
  { reason: "a duration of a duration", path: /^conversions\/identity\/duration$/ },
  { reason: "operands of && and || that are no booleans", path: /short_circuit_type/ },
  { reason: "branches of different types", path: /^logic\/conditional\/mixed_type$/ },
  { reason: "unknown names and functions are found by check, never absorbed", path: BINDINGS },
  {
    reason: "integers have 38 digits, not 64 bits",
    path: /^integer_math\/int64_math\/int64_(overflow|min_negate)/,
  },
  {
    reason: "time between any two timestamps fits our durations",
    path: /^timestamps\/timestamp_range\/sub_time_duration/,
  },
  { reason: "finer than a microsecond", text: /\.[0-9]{7,9}(Z|s)|[0-9]ns\b/ },
  {
    reason: "conversions between timestamps and integers have other names",
    text: /\bint\((timestamp|duration)|timestamp\([0-9]|\bint\(-?[0-9]+(\.[0-9]+|e[0-9]+)\)/,
  },
];
