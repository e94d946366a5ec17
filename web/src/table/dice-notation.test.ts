import { expect, test } from "vitest";
import { average, written } from "./dice-notation";

test.each([
  ["1d20+7", 17.5],
  ["3d6+4", 14.5],
  ["d8[slashing]+3", 7.5],
  ["2d20kh1+7", 20.825],
  ["2d20kl1", 7.175],
  ["2d6-1+1d4", 8.5],
])("%s gives %d on average", (notation, expected) => {
  expect(average(notation)).toBeCloseTo(expected);
});

test.each(["4d6kh3", "2d6ro<2+6", "", "d"])("%s has no average that is calculated here", (notation) => {
  expect(average(notation)).toBeUndefined();
});

test.each([
  ["1d20+5", "1d20 + 5"],
  ["1d8[slashing]+3", "1d8 + 3 slashing"],
  ["2d6[fire]-1+1d4[cold]", "2d6 fire − 1 + 1d4 cold"],
])("%s is written as %s", (notation, expected) => {
  expect(written(notation)).toBe(expected);
});
