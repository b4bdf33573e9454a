import { describe, expect, test } from "vitest";
import { echo } from "../../../shared/api/echo.ts";

/** Has the form of an API key, but no credential has it. */
const key = "sk_6Ff1T8xMSYGeeHGjfN1gfQk3Vb8Rz5Lw2Tn7Ys4Hd0Gp6Jc1Xm9Qe3Ua5Io8Bf";
const token = key.replace("sk", "at");
const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);

describe("a value without secrets is echoed", () => {
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
    ["The Client of the Office"],
    ["https://dispensary.example.com:8080"],
    ["100% Cannabis, 50%off"],
    [nested(32)],
  ])("%j", (value) => {
    expect(echo(value)).toEqual({ value });
  });
});

describe("a value that may hold a secret is not echoed", () => {
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
    [`Bearer%20${key}`],
    [`x%2520%2573k_${key.slice(3)}`],
    [`Bearer ${key.replace("sk", "iv")}`],
    ["client%5Fsecret=x"],
    ["Authorization: Bearer abcdefghijklmnop"],
    ["Basic YWJjZGVmZ2hpamtsbW5vcA=="],
    [{ Authorization: "x" }],
    [{ a: { clientKey: "x" } }],
    [{ port: 5432 }],
    ['{"server_ip":"192.0.2.1"}'],
    [nested(33)],
  ])("%j", (value) => {
    expect(echo(value)).toEqual({});
  });

  test("a value nested far too deep is not echoed", () => {
    expect(echo(JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`))).toEqual({});
  });
});
