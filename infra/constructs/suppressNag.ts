import { Validations } from "aws-cdk-lib";
import type { IConstruct } from "constructs";

/** Says why a construct breaks rules of cdk-nag, by the id of the finding; it counts for everything inside it too. */
export function suppressNag(construct: IConstruct, reasons: Readonly<Record<string, string>>): void {
  Validations.of(construct).acknowledge(...Object.entries(reasons).map(([id, reason]) => ({ id, reason })));
}
