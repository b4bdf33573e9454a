import { type BusinessType, connectablePosTypes } from "../api/enumerations.ts";
import { credentialSets } from "../api/pos/credentialSets.ts";
import { posTypes } from "../api/pos/posTypes.ts";
import type { PosCredentialsSchema } from "../api/schemas/posCredentialsSchema.ts";
import { findConnector } from "./findConnector.ts";

/**
 * Returns the credentials that each POS type needs (docs/spec.md#pos-credentials-schema). POS types without a connector
 * on this stage are omitted.
 *
 * @param served the type of business whose POS types are returned; null for all POS types
 */
export function posCredentialsSchema(served: BusinessType | null = null): PosCredentialsSchema {
  const types = connectablePosTypes.filter(
    (posType) => findConnector(posType) && (served === null || posTypes[posType].businessType === served),
  );
  return Object.fromEntries(
    types.map((posType) => {
      const { businessType, locationRequired, credentialSet } = posTypes[posType];
      const { description, properties, required } = credentialSets[credentialSet];
      return [
        posType,
        {
          pos_type: posType,
          business_type: businessType,
          location_required: locationRequired,
          pos_credentials_schema: {
            credentials_name: credentialSet,
            credentials_description: description,
            credentials_properties: { ...properties },
            required_properties: [...required],
          },
        },
      ];
    }),
  );
}
