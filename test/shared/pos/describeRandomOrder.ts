import { expect, test } from "vitest";
import { dice } from "../../../shared/pos/sandbox/dice.ts";
import { kindsOf, type PosName } from "./fakes/fakePos.ts";
import type { FakePosUnderTest } from "./fakes/fakePosUnderTest.ts";
import type { ShopSize } from "./fakes/shop.ts";

/** Tests that lists whose order changes between requests are not taken for complete. */
export function describeRandomOrder(name: PosName, fake: FakePosUnderTest, size: ShopSize): void {
  test.each(kindsOf(name))("a list in random order makes the pull fail, or is read completely (%s)", async (kind) => {
    await fake.restart(1, size);
    const { pos } = fake;
    const expected = await fake.pull(kind);
    const maxRequests = 300 + 10 * pos.server.requests.length;
    pos.server.requests.length = 0;
    pos.shop.views.shuffledBy = dice("random order", 1);
    pos.server.faults = ({ number }) =>
      number > maxRequests ? { kind: "answer", answer: { status: 401 } } : undefined;
    const pulled = fake.puller(kind);
    const failure = await pulled.pull(fake.now).then(
      () => null,
      (error: unknown) => error,
    );
    if (failure) expect(failure).toMatchObject({ name: "PosError", failure: "notUnderstood" });
    // An incomplete pull is marked as such.
    else if (pulled.readAll || pulled.complete) expect(pulled.ids).toEqual(expected.ids);
  });
}
