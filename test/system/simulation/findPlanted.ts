import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { plantedDefects } from "./plantedDefects.ts";

const program = fileURLToPath(new URL("run.ts", import.meta.url));
const planting = new URL("plantDefect.ts", import.meta.url).href;

/**
 * Plants each defect in a separate process, which runs histories until it finds a fault, and prints a table row for
 * it.
 *
 * @param endpoint of the engine that all processes use
 * @param only the number of a defect, from 1 on; all when undefined
 * @returns whether all of them were found
 */
export async function findPlanted(
  endpoint: string,
  { first, last }: { first: number; last: number },
  only?: number,
): Promise<boolean> {
  let missed = 0;
  for (const [i, { name, histories }] of plantedDefects.entries()) {
    if (only !== undefined && i + 1 !== only) continue;
    const seeds = ["--seed", String(first), "--seeds", String(last - first + 1)];
    const child = spawn(
      process.execPath,
      ["--import", planting, program, "--until-wrong", ...seeds, ...(histories ? [`--${histories}`] : [])],
      {
        stdio: ["ignore", "pipe", "inherit"],
        env: { ...process.env, AWS_ENDPOINT_URL_DYNAMODB: endpoint, PLANTED_DEFECT: String(i + 1) },
      },
    );
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    const [exitCode] = await once(child, "close");
    const [, seed, fault] = /^seed (\d+): ([^;\n]*)/m.exec(output) ?? [];
    // A crashed process does not show that the defect stays unnoticed.
    if (!seed && exitCode !== 0) throw new Error(`the process of defect ${i + 1} ended with ${exitCode}: run it again`);
    if (!seed) missed++;
    const found = seed ? `seed ${seed}: ${fault}` : `not found in ${last - first + 1} seeds`;
    process.stdout.write(`| ${i + 1} | ${name} | ${found} |\n`);
  }
  return missed === 0;
}
