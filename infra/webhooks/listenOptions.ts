import { optionsOf } from "../local/optionsOf.ts";
import { StageError } from "../local/stageError.ts";

export const usage = `Receives webhooks on this machine, checks their signatures, and prints their events, one a line.

  npm run --silent webhooks -- listen [options]

  --port N             port of 127.0.0.1, default 3999; 0 takes any free one
  --secret-env NAME    the environment variable that holds the endpoint's secret, whsec_…;
                       without it the secret is read from the first line of stdin, where a terminal asks for it
  --help               shows this

The local stage delivers to it: register http://127.0.0.1:3999/ by createWebhookEndpoint, whose answer shows the secret. A
deployed stage delivers to public https addresses only: register that of a tunnel that leads to this port.
`;

export interface ListenOptions {
  help: boolean;
  port: number;
  /** Undefined where it is to be read from stdin. */
  secretVariable: string | undefined;
}

const hint = "See npm run webhooks -- --help";

/** What the program is asked to do. @throws StageError for anything that is none of it */
export function parseListenOptions(parameters: readonly string[]): ListenOptions {
  const { values, positionals } = parse(parameters);
  const [command, ...more] = positionals;
  const help = values.help || parameters.length === 0;
  // What was not asked for is not told again: it may be the secret.
  if (!help && (command !== "listen" || more.length > 0)) {
    throw new StageError(`It is npm run webhooks -- listen [options]; the secret is no parameter. ${hint}`);
  }
  if (!/^\d{1,5}$/.test(values.port) || Number(values.port) > 65_535) {
    throw new StageError(`--port must be a number from 0 to 65535. ${hint}`);
  }
  return { help, port: Number(values.port), secretVariable: values["secret-env"] };
}

function parse(parameters: readonly string[]) {
  return optionsOf(parameters, hint, {
    options: {
      port: { type: "string", default: "3999" },
      "secret-env": { type: "string" },
      help: { type: "boolean", default: false },
    },
    allowPositionals: true,
  });
}
