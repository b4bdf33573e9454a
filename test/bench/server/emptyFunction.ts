/** Responds at once without reading or checking anything, to measure the cost of the server alone. */
export const handler = async () => ({ statusCode: 200, headers: { "Content-Type": "application/json" }, body: "{}" });
