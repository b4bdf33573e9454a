import { Metric, type MetricOptions } from "aws-cdk-lib/aws-cloudwatch";
import { FilterPattern, type ILogGroup, MetricFilter } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import type { Route } from "../../shared/api/operation.ts";
import { operationRegistry } from "../../shared/api/operationRegistry.ts";
import { metricNamespace } from "../../shared/platform/aws/metricSeries.ts";
import type { DeployedStage } from "../stages/deployedStage.ts";

/** A metric filter cannot set the dimension of the stage, so the namespace has it. */
const nameOf = ({ name }: DeployedStage) => ({
  metricNamespace: `${metricNamespace}/${name}`,
  metricName: "granted requests",
});

/** Counts requests in the gateway's log that a function has granted, so each of them has a line in the access log. */
export function countGrantedRequests(scope: Construct, logGroup: ILogGroup, stage: DeployedStage): void {
  new MetricFilter(scope, "GrantedRequests", {
    logGroup,
    ...nameOf(stage),
    metricValue: "1",
    defaultValue: 0,
    filterPattern: FilterPattern.literal(grantedPattern()),
  });
}

/** The number of requests that functions have granted. */
export const grantedRequests = (stage: DeployedStage, options: MetricOptions): Metric => {
  const { metricNamespace: namespace, metricName } = nameOf(stage);
  return new Metric({ namespace, metricName, statistic: "Sum", ...options });
};

/** Matches successful requests of the routes that need a credential, and not those of pages and of CORS. */
function grantedPattern(): string {
  const routes: Route[] = operationRegistry.flatMap(({ routes: all }) => [...all]);
  const firstPart = ({ path }: Route) => `/${path.split("/")[1]}`;
  const withCredential = new Set(routes.filter(({ caller }) => caller !== "nobody").map(firstPart));
  const others = routes.filter((route) => route.caller === "nobody" && withCredential.has(firstPart(route)));
  return `{ ${[
    '($.status = "2*" || $.status = "304")',
    '$.method != "OPTIONS"',
    `(${[...withCredential].map((part) => `$.route = "${part}*"`).join(" || ")})`,
    ...others.map(({ path }) => `$.route != "${path}"`),
  ].join(" && ")} }`;
}
