import { randomUUID } from "node:crypto";
import { demoServiceProvider } from "../../../../infra/local/demoBusinesses.ts";
import type { EventType } from "../../../../shared/api/enumerations.ts";
import { createEndpoint } from "../../../../shared/domain/webhooks/createEndpoint.ts";
import type { DeliverOptions } from "../../../../shared/domain/webhooks/deliverShard.ts";
import { deliverShard } from "../../../../shared/domain/webhooks/deliverShard.ts";
import type { Endpoint } from "../../../../shared/domain/webhooks/endpoint.ts";
import type { DeliveryOutcome, DeliveryRequest } from "../../../../shared/domain/webhooks/sendDelivery.ts";
import type { Table } from "../../../../shared/store/client.ts";
import { putServiceProvider } from "../../../../shared/store/crbs.ts";
import { commitWithEvents } from "../../../../shared/store/eventLog/commitWithEvents.ts";
import type { NewEvent } from "../../../../shared/store/eventLog/newEvent.ts";
import type { Clock } from "../../../../shared/time/clock.ts";
import { testTableOf } from "../../../testTable.ts";
import { crbOfShard, type ReceivedEvent } from "../../store/eventLog/eventsUnderTest.ts";

export const accepted: DeliveryOutcome = { statusCode: 200, error: null };
export const rejected: DeliveryOutcome = { statusCode: 500, error: "status" };
export const hung: DeliveryOutcome = { statusCode: null, error: "timeout" };

/** A clock that only tests advance. */
class TestClock implements Clock {
  time = Date.parse("2026-03-10T12:00:00.000Z");
  now = () => new Date(this.time);
  sleep = async (milliseconds: number) => {
    this.time += milliseconds;
  };
}

/** A service provider with a webhook endpoint, and a receiver that a test controls. */
export class WebhooksUnderTest {
  readonly clock = new TestClock();
  readonly spId = randomUUID();
  readonly table: Table;
  /** A CRB with its events in the shard that is delivered by default. */
  readonly crbId = crbOfShard(3);
  endpoint!: Endpoint;
  readonly received: ReceivedEvent[] = [];
  /** Returns the receiver's response to an event. */
  respond: (event: ReceivedEvent, sending: DeliveryRequest) => DeliveryOutcome | Promise<DeliveryOutcome> = () =>
    accepted;

  constructor(table: Table) {
    this.table = testTableOf(table, this.clock);
    this.table.client.middlewareStack.add(
      (next) => async (request) => {
        const result = await next(request);
        const { headers } = result.response as { headers?: Record<string, string> };
        if (headers) headers.date = this.clock.now().toUTCString();
        return result;
      },
      { step: "deserialize", name: "testClockDate", priority: "low" },
    );
  }

  async listen(eventTypes: readonly EventType[] = []): Promise<Endpoint> {
    const sent = { url: "https://receiver.example.com/", description: "", eventTypes };
    await putServiceProvider(this.table, { ...demoServiceProvider, id: this.spId });
    this.endpoint = (await createEndpoint(this.table, this.spId, sent)).endpoint;
    return this.endpoint;
  }

  async storeEvent(type: EventType, data: object = {}, crbId: string | null = this.crbId): Promise<void> {
    // Deliveries do not depend on the data.
    const event = { type, spId: this.spId, crbId, data: { ...data } } as NewEvent;
    await commitWithEvents(this.table, { writes: [], events: [event] }, this.clock);
  }

  deliver(shard = 3, options: Partial<DeliverOptions> = {}) {
    const message = { sp_id: this.spId, endpoint_id: this.endpoint.id, shard };
    return deliverShard(this.table, message, {
      deadline: new Date(this.clock.time + 35_000),
      random: () => 0.5,
      sendTo: async (sending) => {
        const event = JSON.parse(sending.body) as ReceivedEvent;
        this.received.push(event);
        this.clock.time++;
        return this.respond(event, sending);
      },
      ...options,
    });
  }
}
