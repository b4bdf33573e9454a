import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type PosName, posNames, standInEnvironment, startFakePos } from "./fakePos.ts";
import { demoSize } from "./shop.ts";

const usage = `Usage: npm run fake-pos -- NAME [--port PORT]

A stand-in for a POS, in which something is sold or changed every few seconds.
NAME is ${posNames.join(", ")}.
`;

const { positionals, values } = parseArgs({ allowPositionals: true, options: { port: { type: "string" } } });
const name = posNames.find((known) => known === positionals[0]);
if (name) await serve(name, Number(values.port ?? 0));
else {
  process.stderr.write(usage);
  process.exitCode = 1;
}

async function serve(name: PosName, port: number): Promise<void> {
  const { shop, connection, address } = await startFakePos(name, "stand-in", demoSize, undefined, port);
  const { posType, credentials, locationId } = connection;
  const settings = Object.entries(standInEnvironment(name, address)).map(([variable, value]) => `${variable}=${value}`);
  process.stdout.write(`A stand-in for ${posType}. Start the service with it:

  ${settings.join(" ")} npm start

and connect a business to it:

  "pos_info": ${JSON.stringify({ pos_type: posType, ...(locationId && { location_id: locationId }), pos_credentials: credentials })}
`);
  for (;;) {
    await sleep(5_000);
    shop.change();
  }
}
