import { useState } from "preact/hooks";
import { states } from "../../../../api/enumerations.ts";
import { Choice, Field, Notice } from "../../../browser/parts.tsx";
import type { Input } from "../operations.ts";
import { Form } from "../parts/form.tsx";
import { Empty, Head } from "../parts/layout.tsx";
import { useCreation, useOverview, useSession } from "../session.tsx";

type Organization = NonNullable<Input<"createCrb">["body"]>["org"];

/** Invites the owner of a business, who agrees to the terms and connects the point of sale. An administrator's task. */
export function Invite() {
  const { person } = useSession();
  return (
    <>
      <nav class="crumbs" aria-label="Path">
        <span>
          <a href="#/">Portfolio</a> / Invite a business
        </span>
      </nav>
      <Head
        title="Invite a business"
        lead="Its owner gets a mail with a link, agrees to the terms and connects the point of sale. You do not need the owner’s password."
      />
      {person.role === "administrator" ? (
        <Invitation />
      ) : (
        <Empty title="Administrators invite businesses">
          Your role does not include it. Roles come from your bank’s own accounts.
        </Empty>
      )}
    </>
  );
}

/** A business that was just invited. */
interface Invited {
  id: string;
  name: string;
  email: string;
}

function Invitation() {
  const { api, announce } = useSession();
  const { reload } = useOverview();
  const create = useCreation();
  const [invited, setInvited] = useState<Invited>();

  async function send({
    email = "",
    firstName = "",
    lastName = "",
    onboarding_required,
    ...org
  }: Record<string, string>) {
    const { id, name } = await create("createCrb", {
      body: {
        org: org as unknown as Organization,
        users: [{ email, firstName, lastName }],
        options: { onboarding_required: onboarding_required !== undefined },
      },
    });
    setInvited({ id, name, email });
    announce(`${name} is invited.`);
    reload();
  }
  return (
    <>
      {invited && (
        <Notice kind="good">
          <p>
            <a href={`#/businesses/${invited.id}`}>{invited.name}</a> is invited: a mail to {invited.email} is on its
            way. Its link works for 30 days; the owner can request another one at{" "}
            <a href={`${api}connect`}>{api}connect</a>.
          </p>
        </Notice>
      )}
      <Form class="panel pad" draft="invitation" buttons={["Send the invitation"]} busyLabel="Sending …" send={send}>
        <Field name="name" label="Name of the business" required />
        <Choice name="state" label="State" required options={[["", "Choose a state"], ...states]} />
        <Choice
          name="business_type"
          label="Kind"
          options={[
            ["retail", "Retail"],
            ["wholesale", "Wholesale"],
          ]}
        />
        <Field name="firstName" label="First name of the owner" required />
        <Field name="lastName" label="Last name of the owner" required />
        <Field name="email" label="Mail address of the owner" type="email" required />
        <label class="choice">
          <input type="checkbox" name="onboarding_required" defaultChecked />
          <span>The owner sends the documents of your template before the business is approved</span>
        </label>
      </Form>
    </>
  );
}
