/** The policy of the page: it may run its own script and styles, and ask nothing of any network. */

// The hashes of the texts of both, SHA-256 in base64; a test says what they are.
const SCRIPT_HASH = "p+gXSsUdQutpSDxLNvdsp3VTZLEerozrcGTK+I8Q5OI=";
const STYLE_HASH = "Hn70jv3Bsu0erhfij8cHXBMxSHgA36vQnnCZ/YiNgtE=";

export const POLICY = [
  "default-src 'none'",
  `script-src 'sha256-${SCRIPT_HASH}'`,
  `style-src 'sha256-${STYLE_HASH}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");
