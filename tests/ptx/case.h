// SPDX-License-Identifier: Apache-2.0
// A case of tests/ptx/cases with its results on an H200, and its kernel.
//
// tests/evidence/golden/h200_ptx/results.txt has one line per case: bits of the result, kinds of
// the sources, PTX text, and the card's result bits for each row of inputs.txt with these kinds.
// case.ptx and prelude.ptx turn the text into a kernel, as in tests/evidence/cuda/conformance.py,
// which made the files.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace warpgrade::ptx_test {

using Row = std::vector<std::uint64_t>;

struct Case {
  std::uint32_t bits = 0;
  std::vector<std::string> kinds;
  std::string text;
  std::vector<std::uint64_t> expected;  ///< One per row.
};

/// Every case, in the file's order.
std::vector<Case> read_cases();

/// Rows of values by the kinds of the sources, such as "f32,f32".
std::map<std::string, std::vector<Row>> read_inputs();
std::string joined(const std::vector<std::string>& kinds);

/// A module with the case's kernel `k`. The case's text is on a line of its own.
std::string module_text(const Case& c);
/// The number of that line, from 1.
std::uint32_t text_line(const std::string& module_text, const Case& c);

}  // namespace warpgrade::ptx_test
