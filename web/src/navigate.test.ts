/** Parsing of addresses, and addresses that stay on the site. */
import { expect, test } from "vitest";
import { parseAddress } from "./navigate";

test.each([
  ["/", "/", ""],
  ["/rules/", "/rules", ""],
  ["/scoreboard?page=2", "/scoreboard", "?page=2"],
  ["/team/a%2Fb", "/team/a%2Fb", ""],
  ["//confirm", "//confirm", ""],
  ["//[", "//[", ""],
])("%j", (address, path, search) => expect(parseAddress(address)).toEqual({ path, search }));
