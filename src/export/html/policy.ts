/** The policy of the page: it may run its own script and styles, and ask nothing of any network. */

// The hashes of the texts of both, SHA-256 in base64; a test says what they are.
const SCRIPT_HASH = "8m+luLwkc+RaMBEa9XeUExCjY7vVxljooS4uE5HmvrQ=";
const STYLE_HASH = "wTcK0Dsw7OqHdrM2o8uLapI7Tn+zyakko584AR0xxZw=";

export const POLICY = [
  "default-src 'none'",
  `script-src 'sha256-${SCRIPT_HASH}'`,
  `style-src 'sha256-${STYLE_HASH}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");
