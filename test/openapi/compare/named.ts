/** What the tests of openapi-diff name in words of their own, in ours. */

const RULES = ["rule made stricter", "annotation changed"];
const LOOSER = ["rule of an answer made looser"];
const STRICTER = ["rule of an answer made stricter"];
const STRICT = [...RULES, ...STRICTER];

/** For each of its properties of what is incompatible: the kinds that say the same. */
export const properties: Readonly<Record<string, readonly string[]>> = {
  // Their test of a body that is now needed names this one.
  OPENAPI_ENDPOINTS_DECREASED: ["endpoint removed", "input now needed"],
  OPERATION_ID_CHANGED: ["operation name changed"],
  REQUEST_BODY_REQUIRED_INCREASED: ["input now needed", "needed input added"],
  REQUEST_CONTENT_DECREASED: ["media type of requests removed"],
  REQUEST_ENUM_DECREASED: ["value removed from an input"],
  REQUEST_MAX_LENGTH_DECREASED: RULES,
  REQUEST_MIN_LENGTH_INCREASED: RULES,
  REQUEST_NUMERIC_RANGE_DECREASED: RULES,
  REQUEST_ONEOF_DECREASED: ["alternative removed from an input"],
  REQUEST_PARAMS_DECREASED: ["input removed"],
  REQUEST_PARAMS_REQUIRED_INCREASED: ["needed input added", "input now needed"],
  REQUEST_PARAM_ALLOWEMPTY_DECREASED: ["rule made stricter"],
  REQUEST_PARAM_EXPLODE_CHANGED: ["way an input is written changed"],
  REQUEST_PARAM_STYLE_CHANGED: ["way an input is written changed"],
  REQUEST_READONLY_INCREASED: ["input removed"],
  REQUEST_READONLY_REQUIRED_DECREASED: ["needed input added"],
  REQUEST_REQUIRED_INCREASED: ["input now needed", "needed input added"],
  RESPONSE_CONTENT_DECREASED: ["media type of answers removed"],
  RESPONSE_ENUM_INCREASED: ["value added to an answer"],
  RESPONSE_HEADERS_DECREASED: ["header removed from an answer"],
  RESPONSE_HEADER_EXPLODE_CHANGED: ["way an answer is written changed"],
  RESPONSE_HEADER_REQUIRED_DECREASED: ["header no longer always sent"],
  RESPONSE_HEADER_REQUIRED_INCREASED: ["header now always sent"],
  RESPONSE_MAX_LENGTH_INCREASED: LOOSER,
  RESPONSE_MIN_LENGTH_INCREASED: STRICTER,
  RESPONSE_NUMERIC_RANGE_INCREASED: [...LOOSER, "annotation changed"],
  RESPONSE_ONEOF_INCREASED: ["alternative added to an answer"],
  RESPONSE_REQUIRED_DECREASED: ["member no longer always sent", "member removed from an answer"],
  RESPONSE_RESPONSES_DECREASED: ["answer removed", "error answer removed"],
  RESPONSE_WRITEONLY_INCREASED: ["optional member removed from an answer"],
  RESPONSE_WRITEONLY_REQUIRED_DECREASED: ["member added to an answer"],
  SCHEMA_DISCRIMINATOR_CHANGED: ["discriminator changed"],
  SCHEMA_MAX_PROPERTIES_CHANGED: STRICT,
  SCHEMA_MIN_PROPERTIES_CHANGED: STRICT,
  SCHEMA_PATTERN_CHANGED: ["rule changed", ...STRICT],
  SCHEMA_TYPE_CHANGED: ["type of an input changed", "type of an answer changed"],
  SECURITY_REQUIREMENTS_DECREASED: ["alternative of security removed"],
  SECURITY_REQUIREMENT_SCHEMES_INCREASED: ["scheme now needed"],
  SECURITY_SCHEME_BEARER_FORMAT_CHANGED: ["credential changed"],
  SECURITY_SCHEME_OAUTH2_AUTH_URL_CHANGED: ["credential changed"],
  SECURITY_SCHEME_OAUTH2_REFRESH_URL_CHANGED: ["credential changed"],
  SECURITY_SCHEME_OAUTH2_TOKEN_URL_CHANGED: ["credential changed"],
  SECURITY_SCHEME_OPENIDCONNECT_URL_CHANGED: ["credential changed"],
  SECURITY_SCHEME_SCHEME_CHANGED: ["way credentials are sent changed"],
  SECURITY_SCHEME_SCOPES_INCREASED: ["scope now needed"],
};

/** A pair, and what its tests name one by one: the kind, and words of what it is about. */
type Named = readonly [before: string, now: string, changes: readonly string[]];

function numbered(name: string, ...changes: readonly string[]): Named {
  return [`${name}1.yaml`, `${name}2.yaml`, changes];
}

function examples(name: string, ...paths: readonly string[]): Named {
  const changes = paths.map((path) => `wording changed | ${path} | example`);
  return numbered(`issue-666-oas-${name}-examples-handling-`, ...changes);
}

const HEADER = "GET /response/headers";

export const named: readonly Named[] = [
  ["issue-317_1.json", "issue-317_2.json", ["value given by the service changed | assignment"]],
  numbered("content_diff_", "rule of an answer made stricter | application/json schema"),
  numbered("content_type_response_add_", "media type of answers added | application/xml"),
  numbered("content_type_request_add_", "media type of requests added | application/xml"),
  [
    "content_type_response_add_2.yaml",
    "content_type_response_add_1.yaml",
    ["media type of answers removed | application/xml"],
  ],
  [
    "content_type_request_add_2.yaml",
    "content_type_request_add_1.yaml",
    ["media type of requests removed | application/xml"],
  ],
  examples(
    "3-0",
    "/example/request/media-type",
    "/example/response/media-type",
    "/example/parameter/{id}",
    "/example/response/header",
    "field1.field1",
    "field1.field2",
  ),
  examples(
    "3-1",
    "/examples/request/media-type",
    "/examples/response/media-type",
    "/examples/parameter/{id}",
    "/examples/response/header",
    "TestDTO.field1",
  ),
  numbered(
    "operationDiff/operation_diff_",
    "operation name changed | /operation/operation-id | changed",
    "wording changed | /operation/summary summary | changed",
    "wording changed | /operation/description description | changed",
    "marked as deprecated | /operation/becomes-deprecated",
    "no longer marked as deprecated | /operation/becomes-not-deprecated",
  ),
  numbered(
    "parameterDiff/parameter_diff_",
    "optional input added | /parameter/added | param",
    "input removed | /parameter/removed | param",
    "marked as deprecated | /parameter/becomes-deprecated header X-Header",
    "no longer marked as deprecated | /parameter/becomes-not-deprecated header X-Header",
    "input no longer needed | /parameter/required query param",
    "wording changed | /parameter/description query param | changed",
    "way an input is written changed | /parameter/explode query param",
    "way an input is written changed | /parameter/style query param",
  ),
  [
    "parameterDiff/path_parameter_diff_param_schema_diff_old.yaml",
    "parameterDiff/path_parameter_diff_param_schema_diff_new.yaml",
    ["type of an input changed | username | integer → string"],
  ],
  [
    "parameterDiff/path_parameter_diff_param_name_diff_old.yaml",
    "parameterDiff/path_parameter_diff_param_name_diff_new.yaml",
    ["path parameter renamed | id → username"],
  ],
  ["path_1.yaml", "path_4.yaml", ["endpoint added | POST /pet/{petId2}"]],
  ["path_5.yaml", "path_6.yaml", []],
  numbered("response_schema_added_", "rule of an answer made stricter | GET /pets 200 | schema"),
  numbered(
    "responseHeaderDiff/response_header_",
    `wording changed | ${HEADER}/description | x-header-description-changed | "new description"`,
    `wording changed | ${HEADER}/description | x-header-description-added | none →`,
    `wording changed | ${HEADER}/description | x-header-description-removed | → none`,
    `header no longer always sent | ${HEADER}/required | x-header-required-changed`,
    `way an answer is written changed | ${HEADER}/explode | x-header-explode-changed`,
    `marked as deprecated | ${HEADER}/deprecated | x-header-becomes-deprecated`,
    `no longer marked as deprecated | ${HEADER}/deprecated | x-header-becomes-not-deprecated`,
  ),
  numbered(
    "schemaDiff/schema-props-defaults-handling-",
    "value given by the service changed | field1",
  ),
  numbered("schemaDiff/schema-props-type-handling-", "type of an input changed | field1"),
  numbered(
    "schemaDiff/schema-deprecated-handling-",
    "marked as deprecated | DeprecatedAdded",
    "no longer marked as deprecated | DeprecatedRemoved",
  ),
  numbered(
    "schemaDiff/schema-add-property-put-",
    "optional input added | extra_info",
    "member added to an answer | extra_info",
  ),
  numbered(
    "schemaDiff/schema-multiple-of-diff-",
    "rule made stricter | field1 multipleOf 10 → 20",
    "rule made stricter | field2 multipleOf 0.01 → 0.1",
    "rule made stricter | field3 multipleOf none → 10",
    "rule made looser | field4 multipleOf 10 → none",
  ),
  numbered(
    "schemaDiff/schema-min-max-items-diff-",
    "rule made stricter | field1 minItems 1 → 2",
    "rule made looser | field2 minItems 20 → 10",
    "rule made looser | field3 maxItems 90 → 100",
    "rule made stricter | field4 maxItems 100 → 90",
    "rule made looser | field5 minItems 1 → none",
    "rule made looser | field5 maxItems 100 → none",
    "rule made stricter | field6 minItems none → 1",
    "rule made stricter | field6 maxItems none → 100",
  ),
  numbered(
    "schemaDiff/schema-nullable-diff-",
    "type of an input narrowed | field1",
    "type of an input narrowed | field2",
    "type of an input widened | field3",
  ),
  numbered(
    "schemaDiff/schema-uniqueItems-diff-",
    "rule made looser | field1 uniqueItems true → false",
    "rule made stricter | field2 uniqueItems false → true",
    "rule made looser | field3 uniqueItems true → none",
    "rule made stricter | field4 uniqueItems none → true",
  ),
  numbered(
    "schemaDiff/schema-min-max-properties-diff-",
    "rule made stricter | field1 minProperties 1 → 10",
    "rule made looser | field2 minProperties 10 → 1",
    "rule made looser | field3 maxProperties 10 → 100",
    "rule made stricter | field4 maxProperties 100 → 10",
  ),
  numbered(
    "schemaDiff/required-property-",
    "input now needed | becomesRequired",
    "input no longer needed | becomesOptional",
    "member now always sent | becomesRequired",
    "member no longer always sent | becomesOptional",
  ),
  numbered(
    "schemaDiff/schema-pattern-diff-",
    "rule changed | patternModified",
    "rule made looser | patternRemoved",
    "rule made stricter | patternAdded",
  ),
  numbered(
    "schemaDiff/anyOf-diff-",
    "alternative removed from an input | TypeB",
    "alternative added to an input | TypeC",
    "input no longer needed | fieldA",
  ),
  numbered(
    "schemaDiff/allOf-diff-",
    "member of an input removed | fieldB",
    "optional input added | fieldC",
    "input no longer needed | fieldA",
  ),
  numbered(
    "security_diff_",
    "scope now needed | /pet/{petId} petstore_auth: read:pets",
    "alternative of security added | /pet/{petId} tenant and user",
    "credential changed | petstore_auth3 implicit authorizationUrl",
    "alternative of security added | /pet/findByStatus2 petstore_auth",
  ),
  ["petstore_v2_empty.yaml", "petstore_v2_2.yaml", ["endpoint added | POST /pet"]],
  ["petstore_v2_1.yaml", "petstore_v2_empty.yaml", ["endpoint removed | POST /pet"]],
  numbered("petstore_v2_", "needed input added | POST /pet | tags", "input removed | password"),
];
