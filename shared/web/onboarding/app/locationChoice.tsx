import { Notice, Problem } from "../../browser/parts.tsx";

/** A location of the POS. */
export interface Location {
  id: string;
  name: string;
  address: string | null;
}

interface LocationChoiceProps {
  posType: string;
  locations: readonly Location[];
  chosen: string;
  choose(id: string): void;
  problem?: string | undefined;
}

/** Lets the visitor choose one of the POS's locations for these credentials. */
export function LocationChoice({ posType, locations, chosen, choose, problem }: LocationChoiceProps) {
  if (locations.length === 0) {
    return <Notice kind="problem">{posType} lists no location for these credentials.</Notice>;
  }
  return (
    <fieldset aria-describedby={problem ? "location-problem" : undefined}>
      <legend>{posType} accepts the credentials. Which location is it?</legend>
      {locations.map(({ id, name, address }, index) => (
        <label key={id} class="choice">
          <input
            type="radio"
            name="location"
            checked={chosen === id}
            onChange={() => choose(id)}
            data-first={index === 0 ? true : undefined}
          />
          <span>
            <strong>{name}</strong>
            {address && <span class="hint">{address}</span>}
          </span>
        </label>
      ))}
      <Problem id="location-problem">{problem}</Problem>
    </fieldset>
  );
}
