import { useState } from "preact/hooks";
import type { Place } from "../findScreen.ts";
import { BusinessChoice } from "../parts/businessChoice.tsx";
import { InsightSettings } from "../parts/insightSettings.tsx";
import { Head, Section } from "../parts/layout.tsx";
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
      <Section title="Comparison of deposits">
        <div class="panel pad">
          <BusinessChoice value={crbId} changed={setCrbId} />
          {crbId && <ReconciliationSettings key={crbId} crbId={crbId} canChange={canChange} />}
        </div>
      </Section>
    </>
  );
}
