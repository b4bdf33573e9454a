import { Validations } from "aws-cdk-lib";
import type { IConstruct } from "constructs";

/** Gives reasons for broken rules of cdk-nag, by finding id, for a construct and its children. */
export function suppressNag(construct: IConstruct, reasons: Readonly<Record<string, string>>): void {
  Validations.of(construct).acknowledge(...Object.entries(reasons).map(([id, reason]) => ({ id, reason })));
}
