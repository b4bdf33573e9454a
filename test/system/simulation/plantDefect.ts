import { registerHooks } from "node:module";
import { plantedDefects } from "./plantedDefects.ts";

// A program imports it first (`node --import`). It changes the source of one module while it is loaded; files stay
// unchanged.

const number = Number(process.env.PLANTED_DEFECT);
const defect = plantedDefects[number - 1];
if (!defect) throw new Error(`PLANTED_DEFECT must be a number from 1 to ${plantedDefects.length}`);
const url = new URL(`../../../${defect.file}`, import.meta.url).href;

registerHooks({
  load(loaded, context, nextLoad) {
    const module = nextLoad(loaded, context);
    if (loaded !== url) return module;
    let source = Buffer.from(module.source as Uint8Array).toString();
    for (const [before, after] of defect.replacements) {
      const parts = source.split(before);
      if (parts.length !== 2) throw new Error(`${defect.file} has changed: adapt planted defect ${number}`);
      source = parts.join(after);
    }
    return { ...module, source };
  },
});
