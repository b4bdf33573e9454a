import type { Reporter, SerializedError, TestModule } from "vitest/node";

/** Ends the output with the counts alone on a line, for whoever reads it by program: "12 passed, 0 failed". */
export default class CountsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    // A file that cannot be loaded or a hook that throws fails the run though no test did.
    const groups = modules.flatMap((module) => [module, ...module.children.allSuites()]);
    const outside = errors.length + groups.reduce((sum, group) => sum + group.errors().length, 0);
    const skipped = count("skipped");
    const failed = count("failed") + outside;
    process.stdout.write(`${count("passed")} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ""}\n`);
  }
}
