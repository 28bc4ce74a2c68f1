// SPDX-License-Identifier: Apache-2.0
#include "common/sim/decoder.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <map>
#include <tuple>

#include "common/base/error.h"
#include "common/ptx/control_flow.h"
#include "common/ptx/instruction_table.h"
#include "common/sim/handlers.h"

namespace warpgrade::sim {
namespace {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::StateSpace;
using ptx::Type;

constexpr std::uint32_t kLaneCount = run::kWarpSize;

// Bytes of a lane in a register's slot. An 8-bit value is held in 16 bits; a predicate is a mask.
std::uint32_t lane_bytes(Type type) {
  return type == Type::kPred ? 1 : std::max<std::uint32_t>(ptx::size_of(type), 2);
}

bool is_signed(Type type) {
  return type == Type::kS8 || type == Type::kS16 || type == Type::kS32 || type == Type::kS64;
}

class Decoder {
 public:
  Decoder(const ptx::Module& module, const ptx::Function& function, const AddressSpace& memory)
      : module_(module), function_(function), memory_(memory) {}

  std::variant<Code, std::vector<base::Diagnostic>> run() {
    unsupported_ = function_.unsupported;
    unsupported_.insert(unsupported_.end(), module_.unsupported.begin(), module_.unsupported.end());
    if (!unsupported_.empty()) return std::move(unsupported_);
    code_.function = &function_;
    for (const auto& reg : function_.registers) {
      registers_.push_back(new_slot(lane_bytes(reg.type), reg.vector));
    }
    lay_out_variables();
    emit_blocks();
    patch_targets();
    code_.register_bytes = next_slot_;
    if (!unsupported_.empty()) return std::move(unsupported_);
    return std::move(code_);
  }

 private:
  Slot new_slot(std::uint32_t bytes, std::uint32_t count = 1) {
    const auto slot = next_slot_;
    const auto size = bytes == 1 ? 64 : bytes * kLaneCount;
    next_slot_ += size * count;
    return slot;
  }

  Slot constant(std::uint64_t value, std::uint32_t bytes) {
    if (bytes < 8 && bytes > 1) value &= (std::uint64_t{1} << (8 * bytes)) - 1;
    const auto [entry, added] = constants_.try_emplace({value, bytes}, 0U);
    if (added) {
      entry->second = new_slot(bytes);
      code_.constants.push_back({entry->second, bytes, value, false, {}});
    }
    return entry->second;
  }

  Slot special(ptx::SpecialRegister which) {
    const auto [entry, added] = specials_.try_emplace(which, 0U);
    if (added) {
      entry->second = new_slot(4);
      code_.constants.push_back({entry->second, 4, 0, true, which});
    }
    return entry->second;
  }

  // Offsets of .shared and .local variables; extern .shared ones all begin where the static end.
  void lay_out_variables() {
    const auto place = [](std::uint32_t& end, const ptx::Variable& v) {
      const auto offset = (end + v.alignment - 1) / v.alignment * v.alignment;
      end = offset + static_cast<std::uint32_t>(v.bytes);
      return offset;
    };
    std::vector<std::uint32_t*> dynamic;
    std::uint32_t alignment = 1;
    const auto lay_out = [&](const std::vector<ptx::Variable>& variables,
                             std::vector<std::uint32_t>& offsets) {
      offsets.assign(variables.size(), 0);
      for (std::size_t i = 0; i < variables.size(); ++i) {
        const auto& variable = variables[i];
        if (variable.space == StateSpace::kShared && variable.is_extern) {
          dynamic.push_back(&offsets[i]);
          alignment = std::max(alignment, variable.alignment);
        } else if (variable.space == StateSpace::kShared) {
          offsets[i] = place(code_.shared_bytes, variable);
        } else if (variable.space == StateSpace::kLocal) {
          offsets[i] = place(code_.local_bytes, variable);
        }
      }
    };
    lay_out(module_.variables, variable_offsets_);
    lay_out(function_.variables, local_offsets_);
    code_.local_bytes = (code_.local_bytes + 15) / 16 * 16;
    const auto start = (code_.shared_bytes + alignment - 1) / alignment * alignment;
    if (!dynamic.empty()) code_.shared_bytes = start;
    for (auto* offset : dynamic) *offset = start;
  }

  void emit_blocks() {
    const auto blocks = ptx::basic_blocks(function_);
    const auto order = ptx::weak_topological_order(blocks);
    op_at_.assign(function_.instructions.size() + 1, 0);
    for (std::size_t i = 0; i < order.size(); ++i) {
      const auto& block = blocks[order[i]];
      op_at_[block.begin] = static_cast<std::uint32_t>(code_.ops.size());
      for (auto index = block.begin; index < block.end; ++index) emit(index);
      const bool next_follows = i + 1 < order.size() && order[i + 1] == order[i] + 1;
      if (block.falls_through && !next_follows) {
        MicroOp jump;
        jump.handler = jump_handler();
        jump.target = block.end;
        to_patch_.push_back(code_.ops.size());
        code_.ops.push_back(jump);
      } else if (!block.falls_through && needs_return(block)) {
        MicroOp leave;
        Instruction ret;
        ret.opcode = Opcode::ret;
        leave.handler = control_handler(ret);
        code_.ops.push_back(leave);
      }
    }
  }

  // A body may end without ret.
  bool needs_return(const ptx::BasicBlock& block) const {
    if (block.begin == block.end) return true;
    const auto& last = function_.instructions[block.end - 1];
    const bool ends = last.opcode == Opcode::ret || last.opcode == Opcode::exit ||
                      last.opcode == Opcode::trap || last.opcode == Opcode::bra ||
                      last.opcode == Opcode::brx;
    return !ends || last.guard.has_value();
  }

  void patch_targets() {
    for (const auto index : to_patch_) code_.ops[index].target = op_at_[code_.ops[index].target];
    for (auto& jump : code_.jumps) jump = op_at_[jump];
  }

  void refuse(const Instruction& instruction, std::uint32_t index, std::string_view what) {
    base::Diagnostic diagnostic;
    diagnostic.kind = base::DiagnosticKind::kUnsupported;
    diagnostic.where = ptx::location(function_, index);
    diagnostic.message =
        fmt::format("PTX line {}: the simulator does not execute {} of '{}'", instruction.ptx_line,
                    what, ptx::row_of(instruction.opcode).mnemonic);
    unsupported_.push_back(std::move(diagnostic));
  }

  static Handler choose(const Instruction& instruction) {
    for (const auto chooser :
         {integer_handler, float_handler, logic_handler, compare_handler, convert_handler,
          memory_handler, atomic_handler, control_handler, warp_handler}) {
      if (const auto handler = chooser(instruction)) return handler;
    }
    return nullptr;
  }

  void emit(std::uint32_t index) {
    const auto& instruction = function_.instructions[index];
    after_.clear();
    MicroOp op;
    op.instruction = index;
    op.space = instruction.space;
    op.is_volatile = instruction.modifiers.has(Modifier::volatile_);
    if (instruction.guard) {
      op.guard = registers_[*instruction.guard];
      op.guard_negated = instruction.guard_negated;
    }
    guard_ = op;
    try {
      fill(op, instruction);
    } catch (const UnsupportedForm& form) {
      refuse(instruction, index, form.what);
      return;
    }
    if (op.handler == nullptr) op.handler = choose(instruction);
    if (op.handler == nullptr) {
      refuse(instruction, index, "this form");
      return;
    }
    code_.ops.push_back(op);
    code_.ops.insert(code_.ops.end(), after_.begin(), after_.end());
  }

  struct UnsupportedForm {
    std::string_view what;
  };

  // Which operand goes into which slot, opcode by opcode where the manual's order is not d, a, b,
  // c.
  void fill(MicroOp& op, const Instruction& in) {
    const auto& o = in.operands;
    const auto type = in.types[0];
    switch (in.opcode) {
      case Opcode::ld:
      case Opcode::ldu:
        fill_load(op, in);
        return;
      case Opcode::st:
        op.operation = run::Operation::kStore;
        fill_store(op, in);
        return;
      case Opcode::atom:
      case Opcode::red:
        fill_atomic(op, in);
        return;
      case Opcode::prefetch:
        address(op, o[0]);
        return;
      case Opcode::nanosleep:
        return;
      case Opcode::bra:
        op.guard = kNoSlot;  // the branch looks at it itself
        if (in.guard) op.a = registers_[*in.guard];
        op.target = o[0].index;
        to_patch_.push_back(code_.ops.size());
        return;
      case Opcode::brx: {
        const auto& labels = function_.branch_targets[o[1].index].labels;
        op.a = source(o[0], 4);
        op.target = static_cast<std::uint32_t>(code_.jumps.size());
        op.offset = static_cast<std::int64_t>(labels.size());
        code_.jumps.insert(code_.jumps.end(), labels.begin(), labels.end());
        return;
      }
      case Opcode::bar:
      case Opcode::barrier:
        fill_barrier(op, in);
        return;
      case Opcode::mov:
        fill_mov(op, in);
        return;
      case Opcode::cvt:
        op.a = resized_source(o[1], in.types[1]);
        op.d = resized_result(o[0], type);
        return;
      case Opcode::isspacep:
        op.d = result(o[0], 1);
        op.a = source(o[1], 8);
        return;
      case Opcode::setp:
        fill_setp(op, in);
        return;
      case Opcode::selp:
        op.d = result(o[0], lane_bytes(type));
        op.a = source(o[1], lane_bytes(type));
        op.b = source(o[2], lane_bytes(type));
        op.c = source(o[3], 1);
        return;
      case Opcode::slct:
        op.d = result(o[0], lane_bytes(type));
        op.a = source(o[1], lane_bytes(type));
        op.b = source(o[2], lane_bytes(type));
        op.c = source(o[3], lane_bytes(in.types[1]));
        return;
      case Opcode::lop3:
        if (o[4].kind != Operand::Kind::kImmediate) throw UnsupportedForm{"a table in a register"};
        op.offset = static_cast<std::int64_t>(o[4].bits & 0xff);
        fill_sources(op, in, 4, 4, 4);
        return;
      case Opcode::shl:
      case Opcode::shr:
        fill_sources(op, in, lane_bytes(type), lane_bytes(type), 4);
        return;
      case Opcode::popc:
      case Opcode::clz:
      case Opcode::bfind:
        fill_sources(op, in, 4, lane_bytes(type), 0);
        return;
      case Opcode::testp:
        fill_sources(op, in, 1, lane_bytes(type), 0);
        return;
      case Opcode::bfe:
        op.d = result(o[0], lane_bytes(type));
        op.a = source(o[1], lane_bytes(type));
        op.b = source(o[2], 4);
        op.c = source(o[3], 4);
        return;
      case Opcode::bfi:
        op.d = result(o[0], lane_bytes(type));
        op.a = source(o[1], lane_bytes(type));
        op.b = source(o[2], lane_bytes(type));
        op.c = source(o[3], 4);
        op.e = source(o[4], 4);
        return;
      case Opcode::shfl: {
        const std::size_t shift = in.has_second_result ? 1 : 0;
        op.d = result(o[0], 4);
        if (in.has_second_result) op.p = result(o[1], 1);
        op.a = source(o[1 + shift], 4);
        op.b = source(o[2 + shift], 4);
        op.c = source(o[3 + shift], 4);
        op.e = source(o[4 + shift], 4);
        return;
      }
      case Opcode::vote:
        op.d = result(o[0], in.modifiers.has(Modifier::ballot) ? 4 : 1);
        op.a = source(o[1], 1);
        op.b = source(o[2], 4);
        return;
      case Opcode::match: {
        const std::size_t shift = in.has_second_result ? 1 : 0;
        op.d = result(o[0], 4);
        if (in.has_second_result) op.p = result(o[1], 1);
        op.a = source(o[1 + shift], lane_bytes(type));
        op.b = source(o[2 + shift], 4);
        return;
      }
      case Opcode::activemask:
        op.d = result(o[0], 4);
        return;
      case Opcode::redux:
        fill_sources(op, in, 4, 4, 4);
        return;
      case Opcode::mul:
      case Opcode::mad:
        if (in.modifiers.has(Modifier::wide)) {
          const auto wide = 2 * lane_bytes(type);
          op.d = result(o[0], wide);
          op.a = source(o[1], lane_bytes(type));
          op.b = source(o[2], lane_bytes(type));
          if (o.size() > 3) op.c = source(o[3], wide);
          return;
        }
        [[fallthrough]];
      default:
        fill_sources(op, in, lane_bytes(type), lane_bytes(type), lane_bytes(type));
    }
  }

  // d, a, b, c in the manual's order: the result and first source of given sizes, then the rest.
  void fill_sources(MicroOp& op, const Instruction& in, std::uint32_t d_bytes,
                    std::uint32_t a_bytes, std::uint32_t rest_bytes) {
    const auto& o = in.operands;
    if (o.empty()) return;
    op.d = result(o[0], d_bytes);
    if (o.size() > 1) op.a = source(o[1], a_bytes);
    if (o.size() > 2) op.b = source(o[2], rest_bytes);
    if (o.size() > 3) op.c = source(o[3], rest_bytes);
  }

  Slot register_slot(const Operand& operand) const {
    const auto& reg = function_.registers[operand.index];
    const auto bytes = lane_bytes(reg.type);
    return registers_[operand.index] + operand.component * (bytes == 1 ? 64U : bytes * kLaneCount);
  }

  std::uint32_t register_bytes(const Operand& operand) const {
    return lane_bytes(function_.registers[operand.index].type);
  }

  Slot result(const Operand& operand, std::uint32_t bytes) {
    if (operand.kind == Operand::Kind::kSink) return new_slot(bytes);
    if (operand.kind != Operand::Kind::kRegister) throw UnsupportedForm{"this result"};
    if (register_bytes(operand) != bytes) throw UnsupportedForm{"a result of another size"};
    return register_slot(operand);
  }

  // A source of `bytes` a lane (1: a predicate). Floats of an immediate are converted to that size.
  Slot source(const Operand& operand, std::uint32_t bytes) {
    switch (operand.kind) {
      case Operand::Kind::kRegister:
        if (register_bytes(operand) != bytes) throw UnsupportedForm{"an operand of another size"};
        if (operand.negated) return negated(register_slot(operand));
        return register_slot(operand);
      case Operand::Kind::kImmediate:
        return constant(immediate_bits(operand, bytes), bytes);
      case Operand::Kind::kSpecial:
        if (bytes != 4) throw UnsupportedForm{"a special register of this size"};
        return special(static_cast<ptx::SpecialRegister>(operand.index));
      case Operand::Kind::kVariable:
      case Operand::Kind::kLocal:
      case Operand::Kind::kParameter:
        return constant(address_of(operand), bytes);
      default:
        throw UnsupportedForm{"this operand"};
    }
  }

  static std::uint64_t immediate_bits(const Operand& operand, std::uint32_t bytes) {
    if (operand.number == Operand::Number::kFloat64 && bytes == 4) {
      const auto value = static_cast<float>(std::bit_cast<double>(operand.bits));
      return std::bit_cast<std::uint32_t>(value);
    }
    if (operand.number == Operand::Number::kFloat32 && bytes == 8) {
      const double value = std::bit_cast<float>(static_cast<std::uint32_t>(operand.bits));
      return std::bit_cast<std::uint64_t>(value);
    }
    return operand.bits;
  }

  Slot negated(Slot predicate) {
    MicroOp op = guard_;
    op.instruction = kNoInstruction;
    op.handler = negate_predicate_handler();
    op.a = predicate;
    op.d = new_slot(1);
    code_.ops.push_back(op);
    return op.d;
  }

  // Address of a variable in its own space, plus the operand's offset.
  std::uint64_t address_of(const Operand& operand) const {
    std::uint64_t base = 0;
    if (operand.kind == Operand::Kind::kVariable) {
      const auto& variable = module_.variables[operand.index];
      const bool on_chip =
          variable.space == StateSpace::kShared || variable.space == StateSpace::kLocal;
      base = on_chip ? variable_offsets_[operand.index] : memory_.variable_address(operand.index);
    } else if (operand.kind == Operand::Kind::kLocal) {
      base = local_offsets_[operand.index];
    } else if (operand.kind == Operand::Kind::kParameter) {
      base = kParameterBase + memory_.parameter_offset(operand.index);
    } else {
      throw UnsupportedForm{"this address"};
    }
    return base + static_cast<std::uint64_t>(operand.offset);
  }

  // [base + offset]: the base slot is always 64 bits wide.
  void address(MicroOp& op, const Operand& operand) {
    const auto& base = operand.elements.at(0);
    op.offset = operand.offset;
    if (base.kind == Operand::Kind::kRegister) {
      const auto bytes = register_bytes(base);
      op.a = bytes == 8 ? register_slot(base) : resized(register_slot(base), 8, bytes, false);
    } else if (base.kind == Operand::Kind::kImmediate) {
      op.a = constant(base.bits, 8);
    } else {
      op.a = constant(address_of(base), 8);
    }
  }

  Slot resized(Slot from, std::uint32_t to_bytes, std::uint32_t from_bytes, bool sign) {
    MicroOp op = guard_;
    op.instruction = kNoInstruction;
    op.handler = resize_handler(to_bytes, from_bytes, sign);
    op.a = from;
    op.d = new_slot(std::max<std::uint32_t>(to_bytes, 2));
    code_.ops.push_back(op);
    return op.d;
  }

  // The manual lets the registers of ld, st and cvt be wider than the type.
  Slot resized_source(const Operand& operand, Type type) {
    const auto bytes = lane_bytes(type);
    if (operand.kind != Operand::Kind::kRegister || register_bytes(operand) == bytes) {
      return source(operand, bytes);
    }
    if (register_bytes(operand) < bytes) throw UnsupportedForm{"a register too narrow"};
    return resized(register_slot(operand), bytes, register_bytes(operand), false);
  }

  Slot resized_result(const Operand& operand, Type type) {
    const auto bytes = lane_bytes(type);
    if (operand.kind != Operand::Kind::kRegister) return result(operand, bytes);
    const auto held = register_bytes(operand);
    if (held == bytes && ptx::size_of(type) != 1) return register_slot(operand);
    if (held < bytes) throw UnsupportedForm{"a register too narrow"};
    // Written at its own size, then extended as the type says.
    MicroOp op = guard_;
    op.instruction = kNoInstruction;
    op.handler = resize_handler(held, ptx::size_of(type), is_signed(type));
    op.a = new_slot(bytes);
    op.d = register_slot(operand);
    after_.push_back(op);
    return op.a;
  }

  void fill_load(MicroOp& op, const Instruction& in) {
    const auto& from = in.operands[1];
    const auto& base = from.elements.at(0);
    const bool fixed_parameter =
        in.space == StateSpace::kParam && base.kind == Operand::Kind::kParameter;
    if (fixed_parameter) {
      load_parameter(op, in, memory_.parameter_offset(base.index) + from.offset);
      return;
    }
    address(op, from);
    if (in.operands[0].kind == Operand::Kind::kVector) {
      vector(op, in.operands[0], [&](const Operand& e) { return resized_result(e, in.types[0]); });
    } else {
      op.d = resized_result(in.operands[0], in.types[0]);
    }
  }

  // A parameter does not change during a launch: loading it is a copy from a constant slot.
  void load_parameter(MicroOp& op, const Instruction& in, std::int64_t offset) {
    const auto type = in.types[0];
    const auto size = ptx::size_of(type);
    const auto& bytes = memory_.parameters();
    const auto load = [&](const Operand& to, std::int64_t at) {
      if (at < 0 || static_cast<std::uint64_t>(at) + size > bytes.size()) {
        throw UnsupportedForm{"a parameter past the last"};
      }
      std::uint64_t value = 0;
      std::memcpy(&value, bytes.data() + at, size);
      MicroOp copy = op;
      copy.handler = copy_handler(lane_bytes(type));
      copy.a = constant(value, lane_bytes(type));
      copy.d = resized_result(to, type);
      return copy;
    };
    if (in.operands[0].kind != Operand::Kind::kVector) {
      op = load(in.operands[0], offset);
      return;
    }
    std::vector<MicroOp> copies;
    for (const auto& element : in.operands[0].elements) {
      copies.push_back(load(element, offset));
      offset += size;
    }
    op = copies.back();
    for (std::size_t i = 0; i + 1 < copies.size(); ++i) {
      copies[i].instruction = kNoInstruction;
      code_.ops.push_back(copies[i]);
    }
  }

  template <typename ToSlot>
  void vector(MicroOp& op, const Operand& operand, const ToSlot& to_slot) {
    std::vector<Slot> slots;
    for (const auto& element : operand.elements) slots.push_back(to_slot(element));
    op.target = static_cast<std::uint32_t>(code_.vectors.size());
    code_.vectors.insert(code_.vectors.end(), slots.begin(), slots.end());
  }

  void fill_store(MicroOp& op, const Instruction& in) {
    address(op, in.operands[0]);
    if (in.operands[1].kind == Operand::Kind::kVector) {
      vector(op, in.operands[1], [&](const Operand& e) { return resized_source(e, in.types[0]); });
    } else {
      op.b = resized_source(in.operands[1], in.types[0]);
    }
  }

  void fill_atomic(MicroOp& op, const Instruction& in) {
    const auto& o = in.operands;
    const auto bytes = lane_bytes(in.types[0]);
    const bool returns = in.opcode == Opcode::atom;
    op.operation = returns ? run::Operation::kAtomic : run::Operation::kReduction;
    const std::size_t first = returns ? 1 : 0;
    if (returns) op.d = result(o[0], bytes);
    address(op, o[first]);
    op.b = source(o[first + 1], bytes);
    if (o.size() > first + 2) op.c = source(o[first + 2], bytes);
    if (in.space != StateSpace::kShared) code_.has_global_atomics = true;
  }

  void fill_barrier(MicroOp& op, const Instruction& in) {
    const auto& m = in.modifiers;
    const auto& o = in.operands;
    if (m.has(Modifier::warp)) {
      op.a = source(o[0], 4);
      return;
    }
    if (!m.has(Modifier::red)) {
      op.a = source(o[0], 4);
      if (o.size() > 1) op.b = source(o[1], 4);
      return;
    }
    // d, a [, b], c: the last is the predicate, the second the barrier.
    const bool counts = m.has(Modifier::popc);
    op.reduction = counts                  ? BarrierReduction::kPopc
                   : m.has(Modifier::and_) ? BarrierReduction::kAnd
                                           : BarrierReduction::kOr;
    op.d = result(o[0], counts ? 4 : 1);
    op.a = source(o[1], 4);
    if (o.size() > 3) op.b = source(o[2], 4);
    op.c = source(o.back(), 1);
  }

  void fill_mov(MicroOp& op, const Instruction& in) {
    const auto& to = in.operands[0];
    const auto& from = in.operands[1];
    const auto bytes = lane_bytes(in.types[0]);
    if (to.kind == Operand::Kind::kVector) {
      const auto part = bytes / static_cast<std::uint32_t>(to.elements.size());
      vector(op, to, [&](const Operand& e) { return result(e, part); });
      op.a = source(from, bytes);
      op.handler = unpack_handler(part, static_cast<std::uint32_t>(to.elements.size()));
    } else if (from.kind == Operand::Kind::kVector) {
      const auto part = bytes / static_cast<std::uint32_t>(from.elements.size());
      vector(op, from, [&](const Operand& e) { return source(e, part); });
      op.d = result(to, bytes);
      op.handler = pack_handler(part, static_cast<std::uint32_t>(from.elements.size()));
    } else {
      op.d = result(to, bytes);
      op.a = source(from, bytes);
      op.handler = copy_handler(bytes);
    }
    if (op.handler == nullptr) throw UnsupportedForm{"this vector"};
  }

  // p[|q], a, b [, c]
  void fill_setp(MicroOp& op, const Instruction& in) {
    const auto& o = in.operands;
    const std::size_t shift = in.has_second_result ? 1 : 0;
    const auto bytes = lane_bytes(in.types[0]);
    op.d = result(o[0], 1);
    if (in.has_second_result) op.p = result(o[1], 1);
    op.a = source(o[1 + shift], bytes);
    op.b = source(o[2 + shift], bytes);
    if (o.size() > 3 + shift) op.c = source(o[3 + shift], 1);
  }

  const ptx::Module& module_;
  const ptx::Function& function_;
  const AddressSpace& memory_;
  Code code_;
  std::vector<base::Diagnostic> unsupported_;
  std::vector<Slot> registers_;                  // by register
  std::vector<std::uint32_t> variable_offsets_;  // of .shared variables of the module
  std::vector<std::uint32_t> local_offsets_;     // of the function's variables
  std::map<std::pair<std::uint64_t, std::uint32_t>, Slot> constants_;
  std::map<ptx::SpecialRegister, Slot> specials_;
  std::vector<std::uint32_t> op_at_;   // by instruction; set where a block begins
  std::vector<std::size_t> to_patch_;  // micro-ops whose target is still an instruction
  std::vector<MicroOp> after_;         // to follow the instruction under way
  MicroOp guard_;                      // carries its guard
  Slot next_slot_ = 0;
};

}  // namespace

std::variant<Code, std::vector<base::Diagnostic>> decode(const ptx::Module& module,
                                                         const ptx::Function& function,
                                                         const AddressSpace& memory) {
  return Decoder(module, function, memory).run();
}

}  // namespace warpgrade::sim
