import { useState } from "preact/hooks";
import type { Place } from "../findScreen.ts";
import { BusinessChoice } from "../parts/businessChoice.tsx";
import { Head } from "../parts/head.tsx";
import { InsightSettings } from "../parts/insightSettings.tsx";
import { ReconciliationSettings } from "../parts/reconciliationSettings.tsx";
import { useSession } from "../session.tsx";

/** The settings of insights, and of the comparison of deposits of a business. */
export function Settings({ query }: Place) {
  const { person } = useSession();
  const [crbId, setCrbId] = useState(query.get("crb_id") ?? "");
  const canChange = person.role === "administrator";
  return (
    <>
      <Head
        title="Settings"
        lead={canChange ? undefined : "Your role reads the settings. Administrators change them."}
      />
      <InsightSettings canChange={canChange} />
      <section aria-labelledby="comparison">
        <div class="section-head">
          <h2 id="comparison">Comparison of deposits</h2>
        </div>
        <div class="panel pad">
          <BusinessChoice value={crbId} changed={setCrbId} />
          {crbId && <ReconciliationSettings key={crbId} crbId={crbId} canChange={canChange} />}
        </div>
      </section>
    </>
  );
}
