// The check before scripts of package.json that need all packages.
import { requirePackages } from "./packages.mjs";

requirePackages({ forStart: false });
