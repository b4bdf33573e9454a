/** The ids that all examples share, so that they show the same resources. */
export const exampleIds = {
  serviceProvider: "0b7e3a52-6c1d-4f0e-9a38-5d2c7f41e690",
  crb: "5f0d9c1e-2b7a-4c63-8e15-a9340b6d27f8",
  template: "c2a41f67-93be-4d05-b7f1-08e6d5a93b4c",
  templateResult: "9d63b8e0-14f5-4a7c-8c2e-71f0a5b64d39",
  customer: "3c8f1b70-5d2e-5a94-b6c3-f27e90a1d845",
  product: "a7d20e5b-81c4-5f36-9b0d-4e62c9f7185a",
  tieredProduct: "d41b96f3-0e7a-5c28-a5f1-6093be8d27c4",
  salesFloor: "6e9c05d8-4b17-5a2f-8d63-b1f7420ce95a",
  vault: "f0a38b42-97d6-5e1c-b024-8c5d61ea7f93",
  inventory: "28b5f7c6-d390-5481-a7ec-09d1f4b3e862",
  retailSale: "b93e6a14-2fc8-5d70-91b5-e7a4038dc6f2",
  requirement: "4f61b8d3-27c0-4e9a-95d2-e80b3a7c16f5",
  document: "8a05e2c7-d619-4b34-a7f8-3c91f4d62eb0",
  endpoint: "e25b90d4-68f1-4c3a-b7e9-145ac08d7f36",
  insight: "5b8c2e19-7d40-5f63-9a1e-c4d07b95e318",
  accessReport: "3d1c7e90-5a42-4b8f-9e06-c27a84f1d653",
  statement: "a96f3d20-7b14-4e85-92c6-d18e05b7f43a",
  export: "f2b7d90e-51a8-4c36-9e04-6a8d13c7b520",
  credential: "3d1f7a86-52c9-4be0-9f17-c8a60d2e5b43",
  identityProvider: "7a2c94e1-8b3d-4f60-a5d7-1e90c6b24f38",
  issuer: "94c7e0b1-3d58-4a26-8f9e-b07d5c12a6e4",
  event: "c6f81d27-3a94-4be0-9d52-70e1b8a4f3c6",
  license: "CO-Ek8T10IL9sQXv4MStEOFPg",
  licenseNumber: "402R-00417",
  deposit: "20260302-000417",
  wholesaleSale: "71d4c0a9-ef52-5b86-83fa-2c96d05b1e47",
};

/** The envelope around example records (docs/spec.md#lists). */
export const exampleList = <const Items extends readonly object[]>(...data: Items) => ({
  metadata: { total: data.length, count: `1 - ${data.length}` },
  data,
});

/** The message of a 429 once POS systems have rejected too many credentials of a caller. */
export const rejectedTooOften =
  "POS systems have rejected too many credentials of this caller: at most 20 in ten minutes and 50 a UTC day may be rejected. Try again after Retry-After.";
