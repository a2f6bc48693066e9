/** The policy of the page: it may run its own script and styles, and ask nothing of any network. */

// The hashes of the texts of both, SHA-256 in base64; a test says what they are.
const SCRIPT_HASH = "lLjUNp8edjMptJCVrwJg9k5E+NaW7UQYBFnEIzFC00g=";
const STYLE_HASH = "BHkTL5XEMWzrFMtFSA2VkOoo/0DSijZOOU/txs90uoE=";

export const POLICY = [
  "default-src 'none'",
  `script-src 'sha256-${SCRIPT_HASH}'`,
  `style-src 'sha256-${STYLE_HASH}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");
