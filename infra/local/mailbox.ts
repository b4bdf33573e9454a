import type { Server } from "node:http";
import { createRequire } from "node:module";
import type sesLocal from "aws-ses-v2-local";

// Required, since Node and Vitest disagree on what the default export of a CommonJS package with a `default` is.
const mailbox = createRequire(import.meta.url)("aws-ses-v2-local") as typeof sesLocal;

/** Starts what stands in for SES: takes mails and shows them on a page, on a free port of 127.0.0.1. */
export const startMailbox = (): Promise<Server> => mailbox.default({ host: "127.0.0.1", port: 0 });
