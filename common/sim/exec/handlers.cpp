// SPDX-License-Identifier: Apache-2.0
// Selects the function that executes an instruction: one chooser per ptx::Family, or several.
//
// In: an instruction whose operands have slots. Out: the handler of its opcode, types and
// modifiers, or nullptr. A form without a handler is unsupported.
#include "common/sim/exec/handlers.h"

#include <cfenv>
#include <initializer_list>

#include "common/ptx/instruction_facts.h"
#include "common/ptx/module.h"
#include "common/sim/block.h"
#include "common/sim/micro_op.h"
#include "common/sim/warp.h"

namespace warpgrade::sim {
namespace {

using ptx::Family;
using ptx::Instruction;

using Chooser = Handler (*)(const Instruction&);

// The first handler that a chooser returns.
Handler first_of(const Instruction& in, std::initializer_list<Chooser> choosers) {
  for (const auto chooser : choosers) {
    if (const auto handler = chooser(in)) return handler;
  }
  return nullptr;
}

}  // namespace

Handler handler_of(const Instruction& in) {
  switch (ptx::facts(in).family) {
    case Family::kArithmetic:
      return first_of(in, {integer_handler, packed_handler, float_handler, half_handler});
    case Family::kBits:
      return bits_handler(in);
    case Family::kBitFields:
      return bit_fields_handler(in);
    case Family::kLogic:
      return logic_handler(in);
    case Family::kPredicate:
      return first_of(in, {setp_handler, set_handler});
    case Family::kSet:
      return set_handler(in);
    case Family::kSelection:
      return selection_handler(in);
    case Family::kConversion:
      return first_of(in, {convert_handler, half_convert_handler, small_format_handler});
    case Family::kAddress:
      return address_handler(in);
    case Family::kCluster:
      return cluster_handler(in);
    case Family::kMemory:
      return memory_handler(in);
    case Family::kAtomic:
      return atomic_handler(in);
    case Family::kCopy:
      return first_of(in, {async_copy_handler, bulk_handler});
    case Family::kBarrierObject:
      return barrier_object_handler(in);
    case Family::kControl:
      return control_handler(in);
    case Family::kLanes:
      return warp_handler(in);
    case Family::kProduct:
      return mma_handler(in);
    case Family::kFragment:
      return wmma_memory_handler(in);
    case Family::kTiles:
      return matrix_tiles_handler(in);
    case Family::kCall:
      return call_handler(in);
    case Family::kOfLayout:
      return nullptr;
  }
  return nullptr;
}

}  // namespace warpgrade::sim
