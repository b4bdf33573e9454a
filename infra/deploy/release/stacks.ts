import {
  CloudFormationClient,
  CloudFormationServiceException,
  DescribeStacksCommand,
  UpdateStackCommand,
  waitUntilStackUpdateComplete,
} from "@aws-sdk/client-cloudformation";
import { StageError } from "../../cli/stageError.ts";

/** The statuses of a stack that was never created successfully. */
const neverMade = /^(REVIEW_IN_PROGRESS|CREATE_FAILED|ROLLBACK_(COMPLETE|FAILED)|DELETE_COMPLETE)$/;

/** Whether an error means that the stack does not exist. */
export const isNoSuchStack = (error: unknown): boolean =>
  error instanceof CloudFormationServiceException && / does not exist/.test(error.message);

export interface DeployedStack {
  parameters: Readonly<Record<string, string>>;
  outputs: Readonly<Record<string, string>>;
}

/**
 * The maximum duration of an update that changes only parameters, in seconds. CloudFormation checks all nested stacks
 * of the API in each such update.
 */
const maxUpdateSeconds = 30 * 60;

/** CloudFormation in a region. */
export class Stacks {
  readonly #client: CloudFormationClient;
  readonly #region: string;

  constructor(region: string) {
    this.#region = region;
    this.#client = new CloudFormationClient({ region });
  }

  /** Finds a stack by its name; undefined if it does not exist or was never created. */
  async find(StackName: string): Promise<DeployedStack | undefined> {
    try {
      const { Stacks: [stack] = [] } = await this.#client.send(new DescribeStacksCommand({ StackName }));
      // A stack that was never created has no outputs and no deployment.
      if (!stack || neverMade.test(stack.StackStatus ?? "")) return undefined;
      const parameters = stack.Parameters?.map(({ ParameterKey = "", ParameterValue = "" }) => [
        ParameterKey,
        ParameterValue,
      ]);
      const outputs = stack.Outputs?.map(({ OutputKey = "", OutputValue = "" }) => [OutputKey, OutputValue]);
      return { parameters: Object.fromEntries(parameters ?? []), outputs: Object.fromEntries(outputs ?? []) };
    } catch (error) {
      if (isNoSuchStack(error)) return undefined;
      throw error;
    }
  }

  /**
   * Changes only parameters of a stack. Parameters that its template lacks are skipped.
   *
   * @throws StageError when CloudFormation rolled back the update
   */
  async setParameters(name: string, changed: Readonly<Record<string, string>>): Promise<void> {
    const { parameters = {} } = (await this.find(name)) ?? {};
    const Parameters = Object.entries(parameters).map(([ParameterKey]) => {
      const value = changed[ParameterKey];
      return value === undefined ? { ParameterKey, UsePreviousValue: true } : { ParameterKey, ParameterValue: value };
    });
    await this.#update(name, { UsePreviousTemplate: true, Parameters });
  }

  /**
   * Returns a stack to a template among the CDK's assets.
   *
   * @param template `bucket/key`
   * @param parameters the values to set; all other parameters get their defaults
   * @throws StageError when CloudFormation rolled back the update
   */
  async setTemplate(name: string, template: string, parameters: Readonly<Record<string, string>>): Promise<void> {
    await this.#update(name, {
      TemplateURL: `https://s3.${this.#region}.amazonaws.com/${template}`,
      Parameters: Object.entries(parameters).map(([ParameterKey, ParameterValue]) => ({
        ParameterKey,
        ParameterValue,
      })),
    });
  }

  async #update(
    StackName: string,
    what: Omit<ConstructorParameters<typeof UpdateStackCommand>[0], "StackName">,
  ): Promise<void> {
    try {
      await this.#client.send(
        new UpdateStackCommand({
          StackName,
          ...what,
          Capabilities: ["CAPABILITY_IAM", "CAPABILITY_NAMED_IAM", "CAPABILITY_AUTO_EXPAND"],
        }),
      );
    } catch (error) {
      if (error instanceof CloudFormationServiceException && /No updates are to be performed/.test(error.message))
        return;
      throw error;
    }
    try {
      const retryOptions = { maxWaitTime: maxUpdateSeconds, minDelay: 1, maxDelay: 10 };
      await waitUntilStackUpdateComplete({ client: this.#client, ...retryOptions }, { StackName });
    } catch (error) {
      const { Stacks: [stack] = [] } = await this.#client.send(new DescribeStacksCommand({ StackName }));
      throw new StageError(
        `CloudFormation could not change ${StackName} (${stack?.StackStatus ?? (error as Error).name}): see the stack's events.`,
      );
    }
  }
}
