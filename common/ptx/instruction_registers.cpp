// SPDX-License-Identifier: Apache-2.0
#include "common/ptx/instruction_registers.h"

#include <algorithm>

#include "common/ptx/instruction_facts.h"

namespace warpgrade::ptx {
namespace {

std::size_t most_results(const Instruction& in) {
  switch (facts(in).results) {
    case Results::kNoResult:
      return 0;
    case Results::kOneResult:
      return 1;
    case Results::kOneOrTwo:
      return in.has_second_result ? 2 : 1;
  }
  return 0;
}

}  // namespace

std::size_t results(const Instruction& in) {
  return std::min(most_results(in), in.operands.size());
}

}  // namespace warpgrade::ptx
