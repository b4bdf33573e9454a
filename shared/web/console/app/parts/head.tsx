import type { ComponentChildren } from "preact";
import { useHeading } from "../../../browser/useHeading.ts";
import { useSession } from "../session.tsx";

interface HeadProps {
  title: string;
  /** The part of the subject that the screen shows, for the title of the tab. */
  about?: string;
  /** The answer of the screen, in plain words. */
  lead?: ComponentChildren;
  /** When the figures were read. */
  asOf?: string | undefined;
}

/** The head of a screen. Its heading takes the focus when the person comes from another screen. */
export function Head({ title, about, lead, asOf }: HeadProps) {
  const { institution } = useSession();
  const heading = useHeading([title, about, institution.name].filter(Boolean).join(" · "));
  return (
    <div class="head">
      <div>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {lead && <p>{lead}</p>}
      </div>
      {asOf && <p class="asof">As of {asOf}</p>}
    </div>
  );
}
