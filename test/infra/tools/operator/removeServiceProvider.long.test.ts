import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { demoServiceProvider } from "../../../../infra/local/demoBusinesses.ts";
import { openTarget } from "../../../../infra/tools/operator/target.ts";
import { createCrb } from "../../../../infra/tools/smoke/business.ts";
import { Caller } from "../../../../infra/tools/smoke/caller.ts";
import { purgeCrbJournaled } from "../../../../shared/domain/crbs/journaledCrbChanges.ts";
import { useStage } from "../../../api/useStage.ts";
import { scan } from "../../../tableState.ts";
import { operatorOn } from "./operatorOn.ts";

const { stage, data } = useStage();

test("a service provider is removed with everything that belongs to it, once its CRBs are purged", async () => {
  const { expectDone, expectRefused } = operatorOn("--data", data());
  const shown = (out: string, name: string) => new RegExp(`${name} +(\\S+)`).exec(out)?.[1] ?? expect.fail(out);
  const file = join(data(), "provider.json");
  writeFileSync(file, JSON.stringify({ ...demoServiceProvider, id: undefined }));
  const spId = shown(await expectDone("service-provider", "create", file), "sp_id");
  const issued = await expectDone("credential", "issue", spId);
  const key = shown(issued, "client_secret");
  const clientId = shown(issued, "client_id");
  const target = openTarget({ stage: "local", data: data() });
  try {
    const api = new Caller(stage().description.base_url, key);
    const tried = { stage: "local", target, api, own: { spId, clientId, key } } as const;
    const crb = await createCrb({ ...tried, signal: new AbortController().signal }, { invited: true });
    const crbId = crb.slice(-36);
    const body = { url: "http://127.0.0.1:9/hook" };
    const endpoint = await api.answer("POST", `/service-providers/${spId}/webhook-endpoints`, { body });
    await api.answer("POST", `${crb}/access`);

    const remove = ["service-provider", "remove", spId, "--yes"];
    await expectRefused("Remove service provider Front Range Community Bank with all", ...remove.slice(0, 3));
    await expectRefused(`run association end and crb purge first, for ${crbId}.`, ...remove);
    await expectDone("association", "end", crbId, "--yes");
    await expectRefused(`run association end and crb purge first, for ${crbId}.`, ...remove);
    expect((await api.call("GET", `/service-providers/${spId}`)).status).toBe(200);
    await purgeCrbJournaled({ table: target.table, bucket: target.documents() }, crbId, { quietPeriodMs: 0 });

    expect(await expectDone(...remove)).toBe("Removed Front Range Community Bank.\n");
    const of = [spId, clientId, crbId, endpoint.id];
    const left = (await scan(stage().table)).filter((item) => of.some((id) => JSON.stringify(item).includes(id)));
    // The records of deliveries expire, as after the deletion of an endpoint by its owner.
    expect(left.filter(({ pk, expires }) => !(pk.startsWith(`WEBHOOK#${endpoint.id}#`) && expires))).toEqual([]);
    await expectRefused(`There is no service provider ${spId}`, ...remove);
    expect(await expectDone("service-provider", "list")).not.toContain(spId);
  } finally {
    target.close();
  }
});
