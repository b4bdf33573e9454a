// The check before scripts of package.json that need only the `dependencies`, which `npm start` installs.
import { requirePackages } from "./packages.mjs";

requirePackages({ forStart: true });
