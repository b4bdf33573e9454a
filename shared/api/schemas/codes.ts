import * as z from "zod";
import { countries } from "../countries.ts";
import {
  accessScopes,
  businessTypes,
  connectablePosTypes,
  crbStatuses,
  entityTypes,
  posTypeNames,
  productCategories,
  states,
  timezones,
  uniformLicenseTypes,
} from "../enumerations.ts";
import { openEnum } from "./scalars.ts";

/**
 * Value lists that records and requests share (docs/spec.md#patterns-and-value-lists). Each list appears once in the
 * API description.
 */

export const accessScope = z
  .enum(accessScopes)
  .meta({ id: "AccessScope", description: "A permission of a credential" });

export const state = z
  .enum(states)
  .meta({ id: "State", description: "State or territory of the United States, two letters" });

export const country = z.enum(countries).meta({ id: "Country", description: "Country" });

export const timezone = z.enum(timezones).meta({ id: "Timezone", description: "Time zone" });

export const businessType = z
  .enum(businessTypes)
  .meta({ id: "BusinessType", description: "Whether a business sells to consumers or to other businesses" });

export const entityType = z.enum(entityTypes).meta({ id: "EntityType", description: "Legal form" });

export const posTypeName = openEnum(posTypeNames, { id: "PosTypeName", description: "A POS system" });

/**
 * This list has no name of its own in the API description: a generated Go client would declare constants with the same
 * names for this list and for the list of all POS types.
 */
export const connectablePosType = z.enum(connectablePosTypes).describe("A POS type that a CRB can be connected to");

export const crbStatus = z
  .enum(crbStatuses)
  .meta({
    id: "CrbStatus",
    description:
      "Due-diligence status: `svc_…` is set by the service and its operator during onboarding, `bank_…` belongs to the service provider's review",
  });

export const productCategory = z
  .enum(productCategories)
  .meta({ id: "ProductCategory", description: "Standardized product category" });

export const uniformLicenseType = z
  .enum(uniformLicenseTypes)
  .meta({ id: "UniformLicenseType", description: "License type, standardized over all states" });
