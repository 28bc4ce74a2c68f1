// SPDX-License-Identifier: Apache-2.0
// Builds the programs of warps from the stretches that they execute.
//
// The steps that a stretch adds depend only on its instructions and on the registers that still
// wait for memory before it. They are computed once and kept as a part. A warp's path is a list
// of parts, and each distinct path becomes a program once.
#include "common/timing/trace.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "common/timing/machine_code.h"
#include "common/timing/schedule.h"

namespace warpgrade::timing {
namespace {

std::uint64_t bits(std::uint32_t number) { return number; }
std::uint64_t bits(const Executed& executed) {
  return std::uint64_t{executed.instruction} << 32 | executed.requests << 1 |
         std::uint32_t{executed.is_off};
}
std::uint64_t bits(const Step& step) {
  std::uint64_t pipes = 0;
  for (const auto clocks : step.pipes) pipes = pipes << 16 | clocks;
  return (std::uint64_t{step.value} << 24 | std::uint64_t{step.slots} << 8 |
          static_cast<std::uint64_t>(step.kind)) ^
         pipes * 0x9e3779b97f4a7c15U;
}

// Merges two compute steps if their sums are small enough.
bool merge(Step& last, const Step& step) {
  constexpr int kMost = 0xffff;
  if (step.kind == Step::Kind::kPass && last.kind == Step::Kind::kPass) {
    last.value += step.value;
    return true;
  }
  if (step.kind != Step::Kind::kCompute || last.kind != Step::Kind::kCompute) return false;
  bool fits = last.slots + step.slots < kMost;
  for (std::size_t p = 0; p < kPipes; ++p) fits &= last.pipes[p] + step.pipes[p] < kMost;
  if (!fits) return false;
  last.slots = static_cast<std::uint16_t>(last.slots + step.slots);
  last.value += step.value;
  for (std::size_t p = 0; p < kPipes; ++p) {
    last.pipes[p] = static_cast<std::uint16_t>(last.pipes[p] + step.pipes[p]);
  }
  return true;
}

}  // namespace

void Programs::append(WarpProgram& program, const Step& step) {
  if (program.empty() || !merge(program.back(), step)) {
    program.push_back(step);
  } else if (lines_ != nullptr) {
    program.back().parts = lines_->merged(program.back().parts, step.parts);
  }
}

template <typename T>
std::size_t Programs::Hash<T>::operator()(const std::vector<T>& all) const {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const T& one : all) {
    hash = (hash ^ bits(one)) * 0x100000001b3U;
    hash ^= hash >> 29;
  }
  return hash;
}

void Programs::start(std::vector<MachineOp> ops, std::shared_ptr<StepLines> lines) {
  *this = {};
  ops_ = std::move(ops);
  lines_ = std::move(lines);
  parts_.emplace_back();
  pendings_.push_back(&pending_numbers_.try_emplace(Pending(), 0).first->first);
}

const std::vector<std::uint32_t>& Programs::extend(Path& path,
                                                   const std::vector<Executed>& stretch) {
  const std::uint32_t last = path.empty() ? 0 : path.back();
  std::uint32_t next = parts_[last].likely_next;
  if (next == 0 || *parts_[next].stretch != stretch) {
    next = number_of_part(parts_[last].pending, stretch);
    parts_[last].likely_next = next;
  }
  path.push_back(next);
  return parts_[next].order;
}

std::uint32_t Programs::number_of_part(std::uint32_t pending,
                                       const std::vector<Executed>& stretch) {
  const auto [known, is_new] = stretches_.try_emplace(stretch);
  if (is_new) known->second = schedule(ops_, stretch, lines_.get());
  const auto [number, is_new_part] = part_numbers_.try_emplace(
      {pending, &known->first}, static_cast<std::uint32_t>(parts_.size()));
  if (is_new_part) parts_.push_back(work_out(*pendings_[pending], known->first, known->second));
  return number->second;
}

Programs::Part Programs::work_out(Pending pending, const std::vector<Executed>& stretch,
                                  const std::vector<Step>& steps) {
  Part part;
  part.stretch = &stretch;
  std::map<std::uint32_t, std::uint32_t> numbers;  // of the stretch's outstanding requests
  for (Step step : steps) {
    if (step.kind == Step::Kind::kWait) {
      const auto found = pending.find(step.value);
      if (found == pending.end()) continue;
      step.value = found->second;
      // All values of a vector load arrive together.
      std::erase_if(pending, [&](const auto& entry) { return entry.second == step.value; });
    } else if (step.kind == Step::Kind::kWaitHere) {
      const auto found = numbers.extract(step.value);
      step = {Step::Kind::kWait, 0, found.mapped(), {}, step.parts};
    } else if (step.kind == Step::Kind::kRequest) {
      const auto number = static_cast<std::uint32_t>(part.order.size());
      numbers[step.value] = number;
      part.order.push_back(step.value);
      step.value = number;
    }
    part.steps.push_back(step);
  }
  // The value of each register after the stretch comes from its last writer.
  std::uint32_t behind = 0;
  for (const Executed& executed : stretch) {
    behind += executed.requests;
    if (executed.is_off) continue;
    const auto asked = executed.requests == 0 ? numbers.end() : numbers.find(behind - 1);
    for (const std::uint32_t r : ops_[executed.instruction].writes) {
      pending.erase(r);
      if (asked != numbers.end()) pending[r] = asked->second;
    }
  }
  const auto requests = static_cast<std::uint32_t>(part.order.size());
  for (auto& [r, request] : pending) request -= requests;
  std::erase_if(pending, [](const auto& entry) { return 0 - entry.second > kLongestWait; });
  const auto [known, is_new] = pending_numbers_.try_emplace(
      std::move(pending), static_cast<std::uint32_t>(pendings_.size()));
  if (is_new) pendings_.push_back(&known->first);
  part.pending = known->second;
  return part;
}

std::uint32_t Programs::number_of(const Path& path, std::vector<WarpProgram>& all) {
  const auto [known, is_new] = by_path_.try_emplace(path);
  if (!is_new) return known->second;
  WarpProgram program;
  std::uint32_t requests = 0;  // before the part
  for (const std::uint32_t p : path) {
    for (Step step : parts_[p].steps) {
      if (step.kind == Step::Kind::kWait || step.kind == Step::Kind::kRequest) {
        step.value += requests;
      }
      append(program, step);
    }
    requests += static_cast<std::uint32_t>(parts_[p].order.size());
  }
  return known->second = number_of(std::move(program), all);
}

std::uint32_t Programs::number_of(WarpProgram&& program, std::vector<WarpProgram>& all) {
  const auto [known, is_new] =
      by_steps_.try_emplace(std::move(program), static_cast<std::uint32_t>(all.size()));
  if (is_new) all.push_back(known->first);
  return known->second;
}

}  // namespace warpgrade::timing
