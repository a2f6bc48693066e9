/** Why a service is not started, and where its settings are looked up. */

/** `jwt_key` is looked up as `LACUNA_SETTING_JWT_KEY`. */
export function environmentName(setting: string): string {
  return `LACUNA_SETTING_${setting.toUpperCase()}`;
}

/** Why a plan cannot be served as asked: one sentence for each reason. */
export class CannotServe extends Error {
  readonly reasons: readonly string[];
  /** `EADDRINUSE` where the address is in use, else `CANNOT_SERVE`. */
  readonly code: string;

  constructor(reasons: readonly string[], code = "CANNOT_SERVE") {
    super(reasons.join("\n"));
    this.name = "CannotServe";
    this.code = code;
    this.reasons = reasons;
  }
}
