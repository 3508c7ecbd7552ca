/** Settings of every site test. */
import { configure } from "@testing-library/dom";

// A busy machine can pause a test for seconds. A wait ends as soon as its condition holds.
configure({ asyncUtilTimeout: 10_000 });
