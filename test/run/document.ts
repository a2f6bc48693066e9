/** Short documents for tests: what a test states, inside the frame that every document has. */

export interface Passages {
  readonly about?: string;
  readonly resources?: string;
  readonly states?: string;
  /** Steps of `### Every endpoint`; default: check the inputs, then the paths. */
  readonly every?: string;
  readonly endpoints?: string;
  readonly authentication?: string;
  readonly events?: string;
  readonly errors?: string;
  readonly failures?: string;
  readonly limits?: string;
}

const NONE = "Authentication scheme, credentials, headers and token handling: none.";

/** A document of nine parts. Errors `bad`, `gone`, `taken`, `refused` and `broken` are stated. */
export function document(passages: Passages): string {
  const { about = "", resources = "", states = "", endpoints = "", events = "" } = passages;
  const { authentication = NONE, errors = "", failures = "", limits = "" } = passages;
  const every = passages.every ?? "- Who: none\n\n1. Check the inputs.\n2. Check the paths.";
  return `# Test

## What the service does

It is tested.

- Base path: none
- Body format: \`application/json\`
- Timestamps: in microseconds
${about}

## Resources and their fields

### Every resource

- Rows at the start: none

${resources}

## States and transitions

${states}

## Endpoints

### Every endpoint

${every}

${endpoints}

## Authentication

${authentication}

## Events

${events}

## Errors

| Error | Status | Body |
|---|---|---|
| \`bad\` | 400 | \`Problem\` |
| \`gone\` | 404 | \`Problem\` |
| \`taken\` | 409 | \`Problem\` |
| \`refused\` | 422 | \`Problem\` |
| \`broken\` | 500 | \`Problem\` |
${errors}

| Failure | Error |
|---|---|
| absent | \`bad\` on its name |
| wrong type | \`bad\` on its name |
| too small | \`bad\` on its name |
| fault inside | \`broken\` |
${failures}

- Failures reported: first

### \`Problem\`, a shape

| Field | Type | Value |
|---|---|---|
| \`error\` | string | \`error.name\` |
| \`field\` | string or null | \`field\` |

## Limits

${limits}

## Versioning

- This version: \`1\`
- Chosen by: none
`;
}
