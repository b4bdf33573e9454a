import { describe, expect, test } from "vitest";
import { echo } from "../../../shared/api/echo.ts";

/** Of our form, but nobody's. */
const key = "sk_6Ff1T8xMSYGeeHGjfN1gfQk3Vb8Rz5Lw2Tn7Ys4Hd0Gp6Jc1Xm9Qe3Ua5Io8Bf";
const token = key.replace("sk", "at");
const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);

describe("what is told", () => {
  test.each<[unknown]>([
    ["High Plains"],
    [null],
    [0],
    [{ a: [{ b: null }] }],
    ["base64.docx"],
    ["The Secret Garden"],
    ["at_home"],
    ["Top Secret, LLC"],
    ["flat_layout_of_second_floor.exe"],
    [{ format_of_the_document_file: 1 }],
    [nested(32)],
  ])("%j", (value) => {
    expect(echo(value)).toEqual({ value });
  });
});

describe("what is left out", () => {
  test.each<[unknown]>([
    [undefined],
    [key],
    [`Bearer ${token}`],
    [key.slice(0, 40)],
    [{ [key]: 1 }],
    [{ a: [{ CLIENT_SECRET: "x" }] }],
    [{ clientSecret: "x" }],
    [{ recApiKey: "x" }],
    ['{"client_secret":"x"}'],
    ['"{\\"password\\" : \\"x\\"}"'],
    ["grant_type=client_credentials&client_secret=x"],
    ["data:application/pdf;base64,JVBERi0xLjQK"],
    [nested(33)],
  ])("%j", (value) => {
    expect(echo(value)).toEqual({});
  });

  test("what is far too deep, and texts made to take long", () => {
    expect(echo(JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`))).toEqual({});
    const started = performance.now();
    for (const text of ["secret", "secret   ", "sk_", "api-key\\"]) echo(text.repeat((1024 * 1024) / text.length));
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
