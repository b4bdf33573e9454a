import type { Reporter, SerializedError, TestModule } from "vitest/node";

/** The printed part of a coverage summary, in percent. */
interface Coverage {
  getCoverageSummary(): Record<"lines" | "branches", { pct: number }>;
}

/** Ends the output with a line of counts for programs to read: "12 passed, 0 failed". */
export default class CountsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    // A file that cannot be loaded, or a hook that throws, fails the run even if no test failed.
    const groups = modules.flatMap((module) => [module, ...module.children.allSuites()]);
    const outside = errors.length + groups.reduce((sum, group) => sum + group.errors().length, 0);
    const skipped = count("skipped");
    const failed = count("failed") + outside;
    process.stdout.write(`${count("passed")} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ""}\n`);
  }

  /** Called before the counts, only with `--coverage`, for the folders that vitest.config.ts includes. */
  onCoverage(coverage: unknown): void {
    const { lines, branches } = (coverage as Coverage).getCoverageSummary();
    process.stdout.write(
      `Coverage of shared/{auth,api,domain/documents,domain/licenses,http,platform/crypto,pos,text,time} by their own tests: ` +
        `${lines.pct} % of lines, ${branches.pct} % of branches\n`,
    );
  }
}
