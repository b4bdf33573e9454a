import { createCrb, invitedAddress, until } from "../business.ts";
import type { Check } from "../trial.ts";

/** The mail of an invitation. */
export const mail: Check = {
  name: "a mail",
  page: "docs/guide/invited-users.md",
  async run(trial) {
    const { api, own, target } = trial.tried;
    const crb = await createCrb(trial.tried, { invited: true });
    const crbId = crb.split("/").at(-1);
    const types = async () => {
      const { data } = await api.answer("GET", `/service-providers/${own.spId}/events`);
      return (data as { type: string; crb_id: string }[])
        .filter((event) => event.crb_id === crbId)
        .map(({ type }) => type);
    };
    // The sweeper retries unsent mails within minutes.
    const seen = await until(trial.tried, 360, types, (seenTypes) =>
      seenTypes.some((type) => type.startsWith("invitation.")),
    );
    trial.holds("events of an invited business", "invitation.sent among them", seen.includes("invitation.sent"), seen);
    if (!target.local) return;
    const box = await fetch(`${target.local.endpoints.mailbox}/store`);
    const { emails } = (await box.json()) as { emails: { destination: { to: string[] } }[] };
    const arrived = emails.some(({ destination }) => destination.to.includes(invitedAddress(trial.tried)));
    trial.holds("the mailbox", "the invitation in it", arrived, `${emails.length} other mails`);
  },
};
