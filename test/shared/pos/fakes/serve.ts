import { setTimeout as sleep } from "node:timers/promises";
import { Argument } from "@commander-js/extra-typings";
import { integer, newProgram, runCommander } from "../../../../infra/cli/program.ts";
import { runProgram } from "../../../../infra/cli/runProgram.ts";
import { type PosName, posNames, startFakePos, testEndpointEnvironment } from "./fakePos.ts";
import { demoSize } from "./shop.ts";

const program = newProgram(
  "npm run fake-pos --",
  "Starts a test double of a POS. A sale or a change happens every few seconds, until Ctrl-C.",
)
  .addArgument(new Argument("<NAME>", "the POS").choices(posNames))
  .option("--port <N>", "port on 127.0.0.1; 0 chooses a free one", integer("--port", 0, 65_535), 0)
  .action((name, { port }) => serve(name, port));

if (import.meta.main) {
  process.exitCode = await runProgram(
    (parameters, terminal) => runCommander(program, parameters, terminal),
    process.argv.slice(2),
    process,
  );
}

async function serve(name: PosName, port: number): Promise<void> {
  const { shop, connection, address } = await startFakePos(name, "stand-in", demoSize, undefined, port);
  const { posType, credentials, locationId } = connection;
  const settings = Object.entries(testEndpointEnvironment(name, address)).map(
    ([variable, value]) => `${variable}=${value}`,
  );
  process.stdout.write(`A test double of ${posType}. Start the service with it:

  ${settings.join(" ")} npm start

and connect a business to it:

  "pos_info": ${JSON.stringify({ pos_type: posType, ...(locationId && { location_id: locationId }), pos_credentials: credentials })}
`);
  for (;;) {
    await sleep(5_000);
    shop.change();
  }
}
