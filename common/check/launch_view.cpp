// SPDX-License-Identifier: Apache-2.0
// The facts of a launch for checkers: source lines, thread indices, arrays in memory.
//
// The parts of a launch that findings need are copied. Each instruction gets a number for its
// source line once per launch, so merging findings by line compares integers.
#include "common/check/launch_view.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/base/text.h"
#include "common/check/dependence.h"
#include "common/check/flags_and_locks.h"
#include "common/check/update_pairs.h"
#include "common/ptx/control_flow.h"
#include "common/ptx/instruction_facts.h"
#include "common/ptx/module.h"
#include "common/run/observer.h"

namespace warpgrade::check {

RepeatedLines::RepeatedLines(const ptx::Function& function)
    : function_(function), blocks_(ptx::basic_blocks(function)) {}

bool RepeatedLines::is_repeated(std::uint32_t instruction) const {
  if (reaches(instruction, instruction, /*past_barriers=*/true)) return true;
  const auto& where = ptx::location(function_, instruction);
  std::uint32_t stores = 0;
  for (std::uint32_t i = 0; i < function_.instructions.size(); ++i) {
    const auto& other = ptx::location(function_, i);
    const bool is_there = other.line == where.line && other.file == where.file;
    const auto memory = ptx::facts(function_.instructions[i]).memory;
    if (is_there && memory == ptx::MemoryRole::kStore) ++stores;
  }
  return stores > 1;
}

// A barrier with a predicate or a number of threads may let some pass.
static bool stops_all(const ptx::Instruction& in) {
  return ptx::facts(in).memory == ptx::MemoryRole::kBarrier && !in.guard && in.operands.size() == 1;
}

bool RepeatedLines::reaches(std::uint32_t from, std::uint32_t to, bool past_barriers) const {
  const auto start = std::ranges::find_if(
      blocks_, [&](const ptx::BasicBlock& one) { return from >= one.begin && from < one.end; });
  if (start == blocks_.end()) return false;
  std::vector<bool> is_seen(blocks_.size());
  std::vector<std::uint32_t> open;
  const auto meets = [&](const ptx::BasicBlock& block, std::uint32_t first) {
    for (auto i = first; i < block.end; ++i) {
      if (i == to) return true;
      if (!past_barriers && stops_all(function_.instructions[i])) return false;
    }
    open.insert(open.end(), block.successors.begin(), block.successors.end());
    return false;
  };
  if (meets(*start, from + 1)) return true;
  while (!open.empty()) {
    const auto block = open.back();
    open.pop_back();
    if (is_seen[block]) continue;
    is_seen[block] = true;
    if (meets(blocks_[block], blocks_[block].begin)) return true;
  }
  return false;
}

RepeatedLines::Way RepeatedLines::way(std::uint32_t from, std::uint32_t to) const {
  if (reaches(from, to, /*past_barriers=*/false)) return Way::kFree;
  return reaches(from, to, /*past_barriers=*/true) ? Way::kBarred : Way::kNone;
}

namespace {

// The variables as laid out by the simulator. If that is unknown and the kernel's module has a
// single shared variable, that one at offset 0.
std::vector<run::SharedVariable> shared_variables(const run::LaunchContext& context) {
  if (!context.shared_variables.empty()) return context.shared_variables;
  std::vector<run::SharedVariable> found;
  const auto collect = [&](const std::vector<ptx::Variable>& variables) {
    for (const auto& variable : variables) {
      if (variable.space == ptx::StateSpace::kShared) {
        found.push_back({variable.name, 0, context.shared_bytes});
      }
    }
  };
  if (context.module != nullptr) collect(context.module->variables);
  if (context.function != nullptr) collect(context.function->variables);
  if (found.size() != 1) found.clear();
  return found;
}

// The C++ type of an access. A plain store in PTX has no sign.
std::string_view type_name(const ptx::Instruction& in) {
  using ptx::Type;
  if (in.type_count == 0) return "int";
  const bool has_sign = ptx::facts(in).memory != ptx::MemoryRole::kStore;
  switch (in.types[0]) {
    case Type::kF32:
      return "float";
    case Type::kF64:
      return "double";
    case Type::kU32:
      return has_sign ? "unsigned" : "int";
    case Type::kS64:
      return "long long";
    case Type::kU64:
    case Type::kB64:
      return has_sign ? "unsigned long long" : "long long";
    default:
      return "int";
  }
}

bool reads_read_only_cache(const ptx::Instruction& in) {
  return ptx::facts(in).read_only || in.modifiers.has(ptx::Modifier::nc);
}

}  // namespace

void LaunchView::begin_launch(const run::LaunchContext& context) {
  auto facts = std::make_shared<Facts>();
  facts->grid = context.launch->grid;
  facts->block = context.launch->block;
  facts->cluster = context.cluster;
  facts->cluster_blocks = static_cast<std::uint32_t>(base::volume(context.cluster));
  facts->shared_bytes = context.shared_bytes;
  facts->warps_per_block = context.warps_per_block;
  facts->shared_variables = shared_variables(context);
  facts->global_variables = context.global_variables;
  facts->locations = context.function->locations;
  if (facts->locations.empty()) facts->locations.emplace_back();
  const auto known = static_cast<std::uint32_t>(facts->locations.size());
  std::map<std::pair<std::string_view, std::uint32_t>, std::uint32_t> first_of_line;
  std::vector<std::uint32_t> line_numbers;
  for (std::uint32_t i = 0; i < known; ++i) {
    const auto& where = facts->locations[i];
    line_numbers.push_back(first_of_line.try_emplace({where.file, where.line}, i).first->second);
  }
  for (const auto& instruction : context.function->instructions) {
    const auto location = instruction.location < known ? instruction.location : 0;
    // Instructions without a source line are distinguished by PTX line.
    const bool has_line = facts->locations[location].line != 0;
    facts->places.push_back({location, instruction.ptx_line,
                             has_line ? line_numbers[location] : known + instruction.ptx_line,
                             reads_read_only_cache(instruction), type_name(instruction)});
    facts->has_read_only_loads |= facts->places.back().is_read_only_load;
  }
  if (context.buffers != nullptr && context.buffer_addresses != nullptr) {
    for (std::size_t i = 0; i < context.buffers->size(); ++i) {
      const auto& buffer = (*context.buffers)[i];
      facts->buffers.push_back({buffer.name, (*context.buffer_addresses)[i], buffer.bytes.size(),
                                buffer.element_bytes, buffer.read_only, buffer.defined,
                                buffer.written});
    }
  }
  facts->function = context.function;
  stored_loads_.clear();
  repeated_lines_.reset();
  facts_ = std::move(facts);
  moment_ = {};
}

void LaunchView::find_load_uses() const {
  if (!stored_loads_.empty()) return;
  const auto& function = *facts_->function;
  auto deciding = *function.analyses.get<DecidingLoads>([&] { return deciding_loads(function); });
  stored_loads_ = stored_loads(function, /*repeats=*/false);
  repeated_loads_ = stored_loads(function, /*repeats=*/true);
  for (std::size_t i = 0; i < deciding.decides.size(); ++i) {
    if (deciding.decides[i]) stored_loads_[i] = repeated_loads_[i] = true;
  }
  tests_ = std::move(deciding.is_test);
}

bool LaunchView::is_test(std::uint32_t load) const {
  find_load_uses();
  return tests_[load];
}

bool LaunchView::is_stored(std::uint32_t load, std::uint32_t other) const {
  find_load_uses();
  const auto& m = facts_->function->instructions[other].modifiers;
  const bool repeats = m.has(ptx::Modifier::min) || m.has(ptx::Modifier::max);
  return (repeats ? repeated_loads_ : stored_loads_)[load];
}

std::optional<base::RaceAdvice> LaunchView::update_advice(std::uint32_t before,
                                                          std::uint32_t now) const {
  const auto& function = *facts_->function;
  if (const auto attempt = open_attempt_before(function, before, now)) {
    return base::LockAdvice{line(*attempt, now)};
  }
  if (updates_in_place(function, before, now)) return advice_for(before, now);
  if (updates_in_place(function, now, before)) return advice_for(now, before);
  for (std::uint32_t read = 0; before == now && read < now; ++read) {
    if (updates_in_place(function, read, now)) return advice_for(read, now);
  }
  return std::nullopt;
}

base::RaceAdvice LaunchView::advice_for(std::uint32_t read, std::uint32_t write) const {
  if (const auto attempt = open_attempt_before(*facts_->function, read, write)) {
    return base::LockAdvice{line(*attempt, write)};
  }
  const auto& m = facts_->function->instructions[write].modifiers;
  return base::UpdateAdvice{one_step(*facts_->function, read, write), line(read, write),
                            line(write, write), m.has(ptx::Modifier::cas)};
}

const RepeatedLines& LaunchView::repeated_lines() const {
  if (!repeated_lines_) repeated_lines_ = std::make_shared<RepeatedLines>(*facts_->function);
  return *repeated_lines_;
}

bool LaunchView::is_repeated(std::uint32_t instruction) const {
  return repeated_lines().is_repeated(instruction);
}

base::LineRef LaunchView::line(std::uint32_t instruction, std::uint32_t seen_from) const {
  const auto& where = location(instruction);
  const bool is_there = where.file == location(seen_from).file;
  return {where.line, facts_->places[instruction].ptx_line, is_there ? "" : where.file};
}

base::Between LaunchView::between(std::uint32_t first, std::uint32_t second) const {
  using Form = base::Between::Form;
  const auto here = line(second, second);
  const auto there = line(first, second);
  if (line_number(first) == line_number(second)) return {here, here, Form::kPasses};
  const bool backward =
      location(first).file == location(second).file && location(first).line > location(second).line;
  // In a loop, a barrier may be on the way down from the upper line, or on the way back.
  using Way = RepeatedLines::Way;
  const auto upper = backward ? second : first, lower = backward ? first : second;
  const auto down = repeated_lines().way(upper, lower), back = repeated_lines().way(lower, upper);
  if (down != Way::kFree && back == Way::kFree) {
    return {line(lower, second), line(upper, second), Form::kNext};
  }
  if (down == Way::kFree && back == Way::kBarred) {
    return {line(upper, second), line(lower, second), Form::kLines};
  }
  if (!backward) return {there, here, Form::kLines};
  return {here, there, is_repeated(second) ? Form::kLoop : Form::kLines};
}

base::Dim3 LaunchView::thread(std::uint32_t warp, std::uint32_t lane) const {
  const auto blocks = facts_->cluster_blocks;
  const auto own = blocks == 1 ? warp : warp % (facts_->warps_per_block / blocks);
  return base::index_at(std::uint64_t{own} * run::kWarpSize + lane, facts_->block);
}

base::Place LaunchView::shared_place(std::uint64_t offset, std::uint32_t bytes,
                                     std::uint32_t warp) const {
  base::Place place;
  const auto rank = rank_of_offset(offset);
  if (rank != rank_of_warp(warp)) place.rank = rank;
  offset -= std::uint64_t{rank} * (facts_->shared_bytes / facts_->cluster_blocks);
  place.memory = base::Place::Memory::kShared;
  place.offset = static_cast<std::int64_t>(offset);
  place.bytes = bytes;
  for (const auto& variable : facts_->shared_variables) {
    if (offset < variable.offset || offset - variable.offset >= variable.bytes) continue;
    place.array = base::source_name(variable.name);
    place.offset -= static_cast<std::int64_t>(variable.offset);
    place.array_bytes = variable.bytes;
    break;
  }
  return place;
}

bool LaunchView::is_shared_by_threads(std::uint64_t address, std::uint32_t bytes) const {
  const auto buffer = buffer_at(address, bytes);
  if (buffer != kNoBuffer) return !buffers()[buffer].read_only;
  return is_in_heap(address) || variable_at(address) != nullptr;
}

// Headers of the toolkit declare hundreds of variables.
const run::GlobalVariable* LaunchView::variable_at(std::uint64_t address) const {
  const auto& variables = facts_->global_variables;
  const auto after =
      std::ranges::upper_bound(variables, address, {}, &run::GlobalVariable::address);
  if (after == variables.begin()) return nullptr;
  const auto& variable = *std::prev(after);
  return address - variable.address < variable.bytes ? &variable : nullptr;
}

base::Place LaunchView::global_place(std::uint64_t address, std::uint32_t bytes) const {
  const auto buffer = buffer_at(address, bytes);
  if (buffer != kNoBuffer) {
    return buffer_place(buffers()[buffer], address - buffers()[buffer].address, bytes);
  }
  base::Place place;
  place.memory = is_in_heap(address) ? base::Place::Memory::kHeap : base::Place::Memory::kAddress;
  place.offset = static_cast<std::int64_t>(address);
  place.bytes = bytes;
  if (const auto* variable = variable_at(address)) {
    place.memory = base::Place::Memory::kVariable;
    place.array = base::source_name(variable->name);
    place.offset = static_cast<std::int64_t>(address - variable->address);
    place.array_bytes = variable->bytes;
  }
  return place;
}

base::Dim3 LaunchView::block_index(std::uint64_t linear, std::uint32_t warp) const {
  auto index = base::index_at(linear, facts_->grid);
  const auto at = base::index_at(rank_of_warp(warp), facts_->cluster);
  return {index.x + at.x, index.y + at.y, index.z + at.z};
}

base::Diagnostic LaunchView::diagnostic(base::DiagnosticKind kind, std::uint32_t instruction,
                                        std::uint64_t block, std::uint32_t warp, std::uint32_t lane,
                                        base::Facts facts) const {
  base::Diagnostic out;
  out.kind = kind;
  out.where = location(instruction);
  out.block = block_index(block, warp);
  out.thread = thread(warp, lane);
  out.facts = std::move(facts);
  return out;
}

base::RelatedPlace LaunchView::related(std::uint32_t instruction, std::uint64_t block,
                                       std::uint32_t warp, std::uint32_t lane,
                                       base::Does does) const {
  return {location(instruction), does, block_index(block, warp), thread(warp, lane)};
}

base::Place buffer_place(const BufferView& buffer, std::uint64_t offset, std::uint32_t bytes) {
  base::Place place;
  place.memory = base::Place::Memory::kBuffer;
  place.array = buffer.name;
  place.offset = static_cast<std::int64_t>(offset);
  place.bytes = bytes;
  place.array_bytes = buffer.bytes;
  place.element_bytes = std::max(buffer.element_bytes, 1U);
  return place;
}

base::Does does(run::Operation operation) {
  if (operation == run::Operation::kLoad) return base::Does::kRead;
  return is_atomic(operation) ? base::Does::kAtomicUpdate : base::Does::kWrite;
}

}  // namespace warpgrade::check
