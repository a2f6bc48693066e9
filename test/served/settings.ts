/** Values for the settings of a document. */
import type { Plan } from "../../src/plan/index.ts";

/** A value of its type for each setting that the operator would give. */
export function settingsFor(made: Plan): Record<string, string> {
  return Object.fromEntries(
    made.about.settings.map((setting) => {
      const { kind } = setting.type.type;
      const value =
        kind === "time zone"
          ? "Europe/Berlin"
          : kind === "uri"
            ? "http://todo.example"
            : kind === "integer"
              ? "7"
              : "a-value-of-at-least-64-characters-as-keys-of-HS512-want-them-to-be";
      return [setting.name, value];
    }),
  );
}
