import type { ComponentChildren } from "preact";
import type { Onboarding } from "../../../api/schemas/onboarding.ts";

/** The sections of the terms, with their lists and links. */
export function TermsText({ sections }: { sections: Onboarding["terms"]["sections"] }) {
  return (
    <div class="terms">
      {sections.map(({ title, text }) => (
        <section key={title}>
          <h3>{title}</h3>
          {text.split("\n\n").map((paragraph) => (
            <Paragraph key={paragraph} lines={paragraph.split("\n")} />
          ))}
        </section>
      ))}
    </div>
  );
}

/** Text lines and then the items of a list, which begin with `- `. */
function Paragraph({ lines }: { lines: string[] }) {
  const texts = lines.filter((line) => !line.startsWith("- "));
  const items = lines.filter((line) => line.startsWith("- ")).map((line) => line.slice(2));
  return (
    <>
      {texts.length > 0 && (
        <p>{items.length > 0 ? <strong>{withLinks(texts.join(" "))}</strong> : withLinks(texts.join(" "))}</p>
      )}
      {items.length > 0 && (
        <ul>
          {items.map((item) => (
            <li key={item}>{withLinks(item)}</li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Turns `https` addresses into links. A dot or comma after an address is not part of it. */
const withLinks = (text: string): ComponentChildren[] =>
  text.split(/(https:\/\/\S*[^\s.,;:)])/).map((part) =>
    part.startsWith("https://") ? (
      <a key={part} href={part} target="_blank" rel="noreferrer">
        {part}
      </a>
    ) : (
      part
    ),
  );
