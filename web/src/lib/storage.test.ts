// @vitest-environment jsdom
import { beforeEach, expect, it } from "vitest";
import { anyToken, bySeat, keysOf, rememberKeys } from "./storage";

beforeEach(() => localStorage.clear());

it("adds seats to those held before", () => {
  rememberKeys("t", { seats: { 0: "a" }, owner: "o" });
  rememberKeys("t", { seats: bySeat([{ seat: 2, token: "c" }]) });
  expect(keysOf("t")).toMatchObject({ seats: { 0: "a", 2: "c" }, owner: "o" });
  expect(keysOf("other").seats).toEqual({});
});

it("shows a seat's token first, then the owner's, then the invitation", () => {
  expect(anyToken({ seats: { 1: "s" }, owner: "o", touched: 0 })).toBe("s");
  expect(anyToken({ seats: {}, owner: "o", invitation: "i", touched: 0 })).toBe("o");
  expect(anyToken({ seats: {}, invitation: "i", touched: 0 })).toBe("i");
  expect(anyToken({ seats: {}, touched: 0 })).toBeNull();
});

it("forgets the tables longest untouched, and survives foreign words in its place", () => {
  for (let k = 0; k < 230; k++) rememberKeys(`t${k}`, { seats: { 0: "x" } });
  expect(Object.keys(JSON.parse(localStorage.getItem("ludens.tables")!))).toHaveLength(200);
  localStorage.setItem("ludens.tables", "{");
  expect(keysOf("t229").seats).toEqual({});
});
