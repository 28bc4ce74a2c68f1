// SPDX-License-Identifier: Apache-2.0
// Finds loads whose value only some lanes use, because the compiler moved them out of a condition.
//
// NVVM turns `if (t == 0) sum += x[0];` into a load by all lanes and a selection (selp), if it
// knows that the address is valid. In the source, lanes that do not select the value do not load
// it. Their load can neither race nor read uninitialised memory. Counters still count it.
//
// In: a function. Out: for such a load, predicates of which one must be true for a lane to use the
// value. Values are followed forwards through registers to selections, to logic of predicates, and
// to blocks that a branch guards. Predicates must be known when the load executes; if they are
// computed later from registers that are known, the instructions that compute them are listed.
// If a value may be used in another way, all lanes use it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "common/ptx/module.h"

namespace warpgrade::ptx {

struct ConditionalLoad {
  struct Condition {
    std::uint32_t predicate = 0;  ///< Register.
    bool negated = false;

    friend bool operator==(const Condition&, const Condition&) = default;
  };
  std::vector<Condition> conditions;  ///< A lane uses the value only if one of them holds.
  /// Instructions that compute the predicates, to be executed before the load, in this order. They
  /// write registers that nothing reads before their own place is reached.
  std::vector<std::uint32_t> computed_by;

  friend bool operator==(const ConditionalLoad&, const ConditionalLoad&) = default;
};

/// By instruction.
using ConditionalLoads = std::map<std::uint32_t, ConditionalLoad>;

/// Loads that are not listed are used by all their lanes.
std::shared_ptr<const ConditionalLoads> conditional_loads(const Function& function);

}  // namespace warpgrade::ptx
