// The check before scripts of package.json that need its `dependencies` only, which `npm start` has installed.
import { requirePackages } from "./packages.mjs";

requirePackages({ forStart: true });
