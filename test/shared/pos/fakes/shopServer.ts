import { type FakeAnswer, type FakeRequest, FakeServer } from "./fakeServer.ts";
import { Shop, type ShopSize } from "./shop.ts";

/** A fake POS with one shop. */
export abstract class ShopServer extends FakeServer {
  readonly seed: number | string;
  readonly shop: Shop;

  constructor(seed: number | string, size: ShopSize, now?: () => Date) {
    super((request) => this.answer(request));
    if (now) this.now = now;
    this.seed = seed;
    this.shop = new Shop(seed, size, () => this.now());
  }

  protected abstract answer(request: FakeRequest): FakeAnswer;
}
