// SPDX-License-Identifier: Apache-2.0
#include "common/memory/memory_operation.h"

#include <string_view>

namespace warpgrade::memory {
namespace {

std::string_view space_name(run::Space space) {
  switch (space) {
    case run::Space::kGlobal:
      return "global";
    case run::Space::kShared:
      return "shared";
    case run::Space::kLocal:
      return "local";
    case run::Space::kConstant:
      return "constant";
    case run::Space::kParam:
      return "param";
    case run::Space::kCluster:
      return "cluster";
  }
  return "";
}

std::string_view operation_name(run::Operation operation) {
  switch (operation) {
    case run::Operation::kLoad:
      return "load";
    case run::Operation::kStore:
      return "store";
    case run::Operation::kAtomic:
      return "atomic";
    case run::Operation::kReduction:
      return "reduction";
  }
  return "";
}

}  // namespace

std::string name(const MemoryOperation& operation) {
  std::string out(space_name(operation.space));
  out += ' ';
  return out += operation_name(operation.operation);
}

}  // namespace warpgrade::memory
