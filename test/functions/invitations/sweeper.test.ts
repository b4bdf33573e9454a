import { expect, test } from "vitest";
import { handler } from "../../../functions/invitations/sweeper.ts";
import { useQueues } from "../../useQueues.ts";
import { useTestTable } from "../../useTestTable.ts";
import { givenServiceProvider } from "../callHandler.ts";
import { storeInvitation } from "../onboarding/givenInvited.ts";

const queued = useQueues();
const table = useTestTable();

test("queues unsent invitations, and fails afterwards if some have been unsent for long", async () => {
  const given = async (minutes: number) => {
    const { crbId } = await givenServiceProvider(table());
    await storeInvitation(table(), crbId, new Date(Date.now() - minutes * 60_000));
    return { crb_id: crbId };
  };
  const [, unsent] = [await given(10), await given(40)];
  await handler();
  expect(queued.invitations).toEqual([unsent]);
  const [late, later] = [await given(70), await given(80)];
  await expect(handler()).rejects.toThrow("unsent for long");
  expect(queued.invitations).toHaveLength(3);
  expect(queued.invitations).toEqual(expect.arrayContaining([unsent, late, later]));
});
