/** The policy of the page: it may run its own script and styles, and ask nothing of any network. */

// The hashes of the texts of both, SHA-256 in base64; a test says what they are.
const SCRIPT_HASH = "NOs8pclqoZ1JLwUCSSSCJRAj1Hdtr7cKWWNiBSzGO6M=";
const STYLE_HASH = "0+O115Pc5wzGWbAP0sz9dE+NsvFlfUHignkcGOqy7YM=";

export const POLICY = [
  "default-src 'none'",
  `script-src 'sha256-${SCRIPT_HASH}'`,
  `style-src 'sha256-${STYLE_HASH}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");
