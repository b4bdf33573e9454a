import { createCrb } from "../business.ts";
import type { Check } from "../trial.ts";

/** Links a license of the registers to a business, and unlinks it. */
export const licenses: Check = {
  name: "linked licenses",
  page: "docs/guide/licenses.md",
  async run(trial) {
    const { api, own } = trial.tried;
    const crb = await createCrb(trial.tried, { invited: true });
    const linked = async () => (await api.answer("GET", `${crb}/licenses`)).data;
    const unknown = `CO-${"x".repeat(22)}`;
    trial.equal("an unknown license", 404, (await api.call("PUT", `${crb}/licenses/${unknown}`)).status);
    const found = await api.answer("GET", `/service-providers/${own.spId}/licenses-search?limit=1`);
    const [license] = found.data;
    // Licenses that an earlier release imported have no id.
    if (!license?.id) {
      trial.equal("linked licenses", [], await linked());
      trial.note("no license to link: import a register");
      return;
    }
    const answer = await api.answer("PUT", `${crb}/licenses/${license.id}`);
    trial.equal("the linked license", license.id, answer.id);
    trial.equal("linked licenses", [{ ...answer, also_linked_to: [] }], await linked());
    trial.equal("the unlinked license", answer, await api.answer("DELETE", `${crb}/licenses/${license.id}`));
    trial.equal("linked licenses after unlinking", [], await linked());
  },
};
