// SPDX-License-Identifier: Apache-2.0
#include "common/memory/access_trace.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <iterator>
#include <memory>
#include <tuple>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/base/text.h"
#include "common/device/profile.h"
#include "common/memory/counters.h"
#include "common/memory/machine_access.h"
#include "common/ptx/module.h"
#include "common/run/observer.h"

namespace warpgrade::memory {
namespace {

bool is_same_place(const base::SourceLocation& a, const base::SourceLocation& b) {
  return a.line == b.line && a.file == b.file;
}

bool is_same_line(const TracedLine& a, const TracedLine& b) {
  return is_same_place(a.where, b.where) && a.operation == b.operation && a.form == b.form &&
         a.bytes == b.bytes && a.memory == b.memory;
}

}  // namespace

std::unique_ptr<run::Observer> AccessTrace::fork() const {
  return std::make_unique<AccessTrace>(*profile_, limits_, machine_);
}

void AccessTrace::join(run::Observer& other) {
  for (auto& more : static_cast<AccessTrace&>(other).lines_) {
    const auto known = std::find_if(lines_.begin(), lines_.end(),
                                    [&](const auto& line) { return is_same_line(line, more); });
    if (known == lines_.end()) {
      lines_.push_back(std::move(more));
    } else {
      std::move(more.requests.begin(), more.requests.end(), std::back_inserter(known->requests));
    }
  }
}

void AccessTrace::on_launch(const run::LaunchContext& context) {
  classifier_.on_launch(context);
  const auto& function = *context.function;
  places_.clear();
  for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
    places_.push_back(ptx::location(function, i));
  }
  const auto& buffers = *context.buffers;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const auto first = (*context.buffer_addresses)[i];
    buffers_.push_back({buffers[i].name, first, buffers[i].bytes.size()});
  }
  for (const auto& variable : context.global_variables) {
    buffers_.push_back({base::source_name(variable.name), variable.address, variable.bytes});
  }
  for (const auto& variable : context.shared_variables) {
    shared_.push_back({base::source_name(variable.name), variable.offset, variable.bytes});
  }
}

void AccessTrace::on_block_begin(std::uint64_t linear_block) {
  block_ = linear_block;
  const auto& traced = limits_.blocks;
  const auto found = std::find(traced.begin(), traced.end(), linear_block);
  warps_ = found == traced.end() ? 0 : found == traced.begin() ? limits_.warps : 1;
}

void AccessTrace::on_memory(const run::MemoryEvent& event) {
  if (event.is_bulk) return;                        // not a warp's request
  if (event.warp - limits_.warp >= warps_) return;  // wraps below the first warp
  classifier_.classify(access_of(machine_, event.instruction), event, *this);
}

void AccessTrace::keep(const run::MemoryEvent& event) {
  auto* line = line_for(event, event.address[std::countr_zero(event.mask)]);
  if (line == nullptr) return;
  const auto passes = static_cast<std::uint32_t>(std::count_if(
      line->requests.begin(), line->requests.end(),
      [&](const auto& known) { return known.block == block_ && known.warp == event.warp; }));
  const bool is_first = event.warp == limits_.warp && block_ == limits_.blocks.front();
  if (passes >= (is_first ? limits_.passes : limits_.passes_elsewhere)) return;
  TracedRequest request{block_, event.warp, passes, event.mask, {}};
  for (std::uint32_t left = event.mask; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(left));
    request.address.at(lane) = event.address[lane];
  }
  line->requests.push_back(request);
}

std::vector<TracedLine> AccessTrace::lines() const {
  auto out = lines_;
  const auto key = [](const TracedLine& line) {
    return std::tie(line.where.file, line.where.line);
  };
  std::stable_sort(out.begin(), out.end(),
                   [&](const auto& a, const auto& b) { return key(a) < key(b); });
  const auto first = limits_.blocks.front();
  for (auto& line : out) {
    std::stable_sort(line.requests.begin(), line.requests.end(), [&](const auto& a, const auto& b) {
      const auto later = [&](const TracedRequest& one) { return one.block != first; };
      return std::tuple(later(a), a.block, a.warp) < std::tuple(later(b), b.block, b.warp);
    });
  }
  return out;
}

TracedLine* AccessTrace::line_for(const run::MemoryEvent& event, std::uint64_t address) {
  const auto& where = places_.at(event.instruction);
  const MemoryOperation operation{event.space, event.operation};
  const auto form = classifier_.form(event);
  for (auto& line : lines_) {
    const auto& memory = line.memory;
    const bool holds = address - memory.first < memory.bytes;
    if (is_same_place(line.where, where) && line.operation == operation && line.form == form &&
        line.bytes == event.bytes && (holds || memory.name.empty())) {
      return &line;
    }
  }
  if (lines_.size() >= limits_.lines) return nullptr;
  return &lines_.emplace_back(
      TracedLine{where, operation, form, event.bytes, memory_at(event.space, address), {}});
}

TracedMemory AccessTrace::memory_at(run::Space space, std::uint64_t address) const {
  const auto& all = space == run::Space::kShared ? shared_ : buffers_;
  const auto found = std::find_if(all.begin(), all.end(), [&](const TracedMemory& memory) {
    return address - memory.first < memory.bytes;
  });
  return found == all.end() ? TracedMemory{} : *found;
}

}  // namespace warpgrade::memory
