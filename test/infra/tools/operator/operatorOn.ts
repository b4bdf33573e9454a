import { expect } from "vitest";
import { operator } from "../../../../infra/tools/operator/operator.ts";
import { runHere } from "../../local/runHere.ts";

/**
 * The operator's program on a stage, without a terminal as input.
 * @param stage the options that name the stage
 */
export function operatorOn(...stage: string[]) {
  const run = (...parameters: string[]) => runHere(operator, [...parameters, ...stage]);
  return {
    run,

    /** @returns its output, if it succeeds */
    async expectDone(...parameters: string[]): Promise<string> {
      const { code, out, err } = await run(...parameters);
      expect({ code, err }).toEqual({ code: 0, err: "" });
      // As in a pipe: without colors.
      expect(out).not.toContain("\u001b");
      return out;
    },

    /** Expects an error of one line that contains a text. */
    async expectRefused(line: string, ...parameters: string[]): Promise<void> {
      const { code, out, err } = await run(...parameters);
      expect({ code, out }).toEqual({ code: 1, out: "" });
      expect(err).toMatch(/^[^\n]+\n$/);
      expect(err).toContain(line);
    },
  };
}
