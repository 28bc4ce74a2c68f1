// SPDX-License-Identifier: Apache-2.0
#include "common/measure/undefined_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/base/text.h"
#include "common/check/finding.h"
#include "common/measure/model_launch.h"
#include "common/ptx/instruction_facts.h"
#include "common/ptx/module.h"
#include "common/run/observer.h"
#include "common/run/runner.h"
#include "common/sim/simulator.h"

namespace warpgrade::measure {
namespace {

bool is_store(const ptx::Instruction& in) {
  return ptx::facts(in).memory == ptx::MemoryRole::kStore && in.type_count > 0 &&
         !in.operands.empty() && in.operands[0].kind == ptx::Operand::Kind::kAddress &&
         !in.operands[0].elements.empty();
}

std::int64_t bytes_of(const ptx::Instruction& in) {
  return std::int64_t{ptx::size_of(in.types[0])} * in.vector;
}

bool is_float(ptx::Type type) { return type == ptx::Type::kF32 || type == ptx::Type::kF64; }

bool is_byte(const ptx::Instruction& in) { return ptx::size_of(in.types[0]) == 1; }

// Whether b stores directly after a, at the same source position and through the same pointer.
bool is_next(const ptx::Instruction& a, const ptx::Instruction& b) {
  const auto& at = a.operands[0];
  const auto& other = b.operands[0];
  const bool same_base = at.elements[0].kind == other.elements[0].kind &&
                         at.elements[0].index == other.elements[0].index;
  return a.location == b.location && a.space == b.space && same_base &&
         at.offset + bytes_of(a) == other.offset;
}

// Stores that may be the padding of a struct that is copied member by member: bytes beside a wider
// store, and integers after such bytes. An unrolled copy of a byte array has no wider store in its
// middle.
std::vector<bool> struct_padding(const std::vector<ptx::Instruction>& all) {
  std::vector<bool> found(all.size());
  std::vector<std::size_t> stores;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (is_store(all[i])) stores.push_back(i);
  }
  const auto may_be = [&](std::size_t i) {
    return std::any_of(stores.begin(), stores.end(), [&](std::size_t j) {
      if (!is_byte(all[i])) return found[j] && is_byte(all[j]) && is_next(all[j], all[i]);
      return (found[j] || !is_byte(all[j])) && (is_next(all[j], all[i]) || is_next(all[i], all[j]));
    });
  };
  for (bool more = true; more;) {
    more = false;
    for (const auto i : stores) {
      if (found[i] || is_float(all[i].types[0]) || !may_be(i)) continue;
      found[i] = more = true;
    }
  }
  return found;
}

}  // namespace

std::unique_ptr<run::Observer> StoredGarbage::fork() const {
  return std::make_unique<StoredGarbage>(garbage_);
}

void StoredGarbage::join(run::Observer& observer) {
  const auto& other = static_cast<const StoredGarbage&>(observer);
  used_.resize(std::max(used_.size(), other.used_.size()));
  for (std::size_t b = 0; b < other.used_.size(); ++b) {
    auto& mine = used_[b];
    mine.resize(std::max(mine.size(), other.used_[b].size()));
    std::transform(other.used_[b].begin(), other.used_[b].end(), mine.begin(), mine.begin(),
                   std::logical_or<>());
  }
}

void StoredGarbage::on_launch(const run::LaunchContext& context) {
  used_.clear();
  addresses_ = *context.buffer_addresses;
  for (const auto& buffer : *context.buffers) {
    used_.emplace_back(buffer.read_only ? 0 : buffer.bytes.size());
  }
  const auto& all = context.function->instructions;
  const auto padding = struct_padding(all);
  value_bytes_.clear();
  for (std::size_t i = 0; i < all.size(); ++i) {
    // A vector of floats is several values. A vector of integers may be any struct.
    const auto one = is_store(all[i]) && is_float(all[i].types[0])
                         ? std::int64_t{ptx::size_of(all[i].types[0])}
                     : is_store(all[i]) ? bytes_of(all[i])
                                        : 1;
    value_bytes_.push_back(padding[i] ? 0 : static_cast<std::uint8_t>(one));
  }
}

void StoredGarbage::on_memory(const run::MemoryEvent& event) {
  if (event.space != run::Space::kGlobal || event.operation == run::Operation::kLoad) return;
  const bool is_store = event.operation == run::Operation::kStore && event.data != nullptr;
  const std::uint32_t value = is_store ? value_bytes_[event.instruction] : event.bytes;
  if (value == 0) return;
  for (auto left = event.mask; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
    for (std::uint32_t at = 0; at < event.bytes; at += value) {
      const auto size = std::min(value, event.bytes - at);
      const auto* data = is_store ? event.data + std::size_t{lane} * event.bytes + at : nullptr;
      const bool is_garbage = data == nullptr || std::all_of(data, data + size, [&](auto byte) {
                                return byte == garbage_;
                              });
      if (is_garbage) use(event.address[lane] + at, size);
    }
  }
}

void StoredGarbage::use(std::uint64_t address, std::uint32_t bytes) {
  for (std::size_t b = 0; b < used_.size(); ++b) {
    const auto offset = address - addresses_[b];
    if (offset >= used_[b].size() || bytes > used_[b].size() - offset) continue;
    std::fill_n(used_[b].begin() + static_cast<std::ptrdiff_t>(offset), bytes, true);
    return;
  }
}

namespace {

// The first run uses Options::garbage: -1, NaN, true. These are zero and false, and for every type
// one large and one small number. A sum, a test against zero, a minimum or a maximum that begins
// with garbage differs for at least one of them.
constexpr std::byte kOtherGarbage[] = {std::byte{0}, std::byte{0x7b}, std::byte{0xfb}};

// Other garbage may lead to more work. Beyond this multiple of the first run's work, plus a few
// units, the result counts as different.
constexpr std::uint64_t kMostTimes = 4;
constexpr std::uint64_t kSpareRepeatWork = std::uint64_t{1} << 22;

template <typename Predicate>
bool any_of_other_garbage(const Predicate& predicate) {
  return std::any_of(std::begin(kOtherGarbage), std::end(kOtherGarbage), predicate);
}

std::vector<base::Diagnostic> faults(std::vector<base::Diagnostic> diagnostics) {
  std::erase_if(diagnostics, is_undefined_read);
  return diagnostics;
}

}  // namespace

UndefinedValues::UndefinedValues(sim::Simulator& simulator, const run::Sequence& sequence,
                                 const run::Options& options, const run::Result& result,
                                 std::vector<run::Buffer>& after,
                                 const std::vector<std::vector<std::byte>>& before)
    : simulator_(simulator),
      sequence_(sequence),
      options_(options),
      result_(result),
      after_(after),
      before_(before) {
  options_.observers.clear();
  for (const auto& undefined : result.undefined_registers) registers_ = undefined.number + 1;
}

class UndefinedValues::Copies {
 public:
  explicit Copies(std::byte first_garbage) : first_garbage_(first_garbage) {}

  /// Starts a further run with this garbage.
  void begin_run(std::byte garbage) { garbage_.push_back(garbage); }
  /// Records that a byte of a buffer was `first` and is `now`. Returns false if there are too many.
  bool add(std::size_t buffer, std::size_t offset, std::byte first, std::byte now) {
    auto& byte = bytes_[{buffer, offset}];
    byte.first = first;
    byte.values.resize(garbage_.size(), first);
    byte.values.back() = now;
    return bytes_.size() <= kMost;
  }
  /// Whether some bit neither agrees in all runs nor equals the garbage in all runs.
  bool any_computed() const {
    return std::any_of(bytes_.begin(), bytes_.end(),
                       [&](const auto& one) { return is_computed(one.second); });
  }

 private:
  static constexpr std::size_t kMost = std::size_t{1} << 18;
  struct Byte {
    std::byte first{};
    std::vector<std::byte> values{};  // by run; missing values equal `first`
  };

  bool is_computed(const Byte& byte) const {
    const auto value = [&](std::size_t run) {
      return run < byte.values.size() ? byte.values[run] : byte.first;
    };
    std::byte changes{};
    for (std::size_t run = 0; run < garbage_.size(); ++run) changes |= byte.first ^ value(run);
    if ((byte.first & changes) != (first_garbage_ & changes)) return true;
    for (std::size_t run = 0; run < garbage_.size(); ++run) {
      if ((value(run) & changes) != (garbage_[run] & changes)) return true;
    }
    return false;
  }

  std::byte first_garbage_;
  std::vector<std::byte> garbage_;                             // by run
  std::map<std::pair<std::size_t, std::size_t>, Byte> bytes_;  // by buffer and offset
};

bool UndefinedValues::memory_matters() {
  Copies copies(options_.garbage);
  const auto decides = [&](std::byte garbage) {
    auto options = options_;
    options.register_garbage.assign(registers_, options.garbage);
    options.garbage = garbage;
    const OutputGarbage outputs{.value = garbage};
    return differs(std::move(options), &outputs, &copies);
  };
  return any_of_other_garbage(decides) || copies.any_computed();
}

bool UndefinedValues::read_matters(const check::UndefinedRead& read) {
  Copies copies(options_.garbage);
  const auto decides = [&](std::byte garbage) {
    auto options = options_;
    for (const bool is_read : read.shared) {
      options.shared_garbage.push_back(is_read ? garbage : options.garbage);
    }
    const OutputGarbage outputs{.value = garbage, .read = &read};
    return differs(std::move(options), &outputs, &copies);
  };
  return any_of_other_garbage(decides) || copies.any_computed();
}

bool UndefinedValues::register_matters(std::uint32_t number) {
  return any_of_other_garbage([&](std::byte garbage) {
    auto options = options_;
    options.register_garbage.assign(number + 1, options.garbage);
    options.register_garbage.back() = garbage;
    return differs(std::move(options), nullptr);
  });
}

void UndefinedValues::waive_reads(std::vector<base::Diagnostic>& found,
                                  const std::vector<check::UndefinedRead>& reads) {
  if (!memory_matters()) {
    std::erase_if(found, is_undefined_read);
    return;
  }
  const auto matters = [&](const base::Diagnostic& diagnostic) {
    bool is_known = false;
    const bool any = std::any_of(reads.begin(), reads.end(), [&](const auto& read) {
      if (read.where.file != diagnostic.where.file || read.where.line != diagnostic.where.line) {
        return false;
      }
      is_known = true;
      return untested_ || read_matters(read);
    });
    return any || !is_known;
  };
  const auto count = std::count_if(found.begin(), found.end(), is_undefined_read);
  if (count == 1) return;
  std::vector<base::Diagnostic> left;
  for (const auto& each : found) {
    if (!is_undefined_read(each) || matters(each)) left.push_back(each);
  }
  // Otherwise they only matter together.
  if (std::any_of(left.begin(), left.end(), is_undefined_read)) found = std::move(left);
}

std::vector<base::Diagnostic> UndefinedValues::registers_that_matter() {
  const auto& undefined = result_.undefined_registers;
  const auto any_matters = [&](std::byte garbage) {
    auto options = options_;
    options.register_garbage.assign(registers_, garbage);
    return differs(std::move(options), nullptr);
  };
  if (undefined.empty() || !any_of_other_garbage(any_matters)) return {};
  std::vector<base::Diagnostic> found;
  const auto add = [&](const base::Diagnostic& diagnostic) {
    if (std::find(found.begin(), found.end(), diagnostic) == found.end()) {
      found.push_back(diagnostic);
    }
  };
  for (const auto& one : undefined) {
    if (undefined.size() == 1 || register_matters(one.number)) add(one.diagnostic);
  }
  if (untested_) found.clear();  // any of them may matter
  if (found.empty()) {           // they only matter together
    for (const auto& one : undefined) add(one.diagnostic);
  }
  return found;
}

base::Diagnostic UndefinedValues::not_tested(const std::string& units) const {
  base::Diagnostic out;
  out.kind = base::DiagnosticKind::kUninitializedRead;
  out.severity = base::Severity::kWarning;
  if (!result_.undefined_registers.empty()) {
    out.where = result_.undefined_registers.front().diagnostic.where;
  }
  out.message = fmt::format(
      "the kernel reads undefined values. The runs that test whether they matter have reached "
      "their "
      "limit of {} units of work, and have found no difference so far. Initialize every variable",
      units);
  return out;
}

// Runs the launch again, unless the budget of such runs is used up. It is what the first run has
// left of the launch's budget, but at least as much as the first run used.
run::Result UndefinedValues::run_again(std::vector<run::Buffer>& buffers, run::Options options) {
  const auto unused = options_.launch_budget - std::min(result_.work, options_.launch_budget);
  const auto budget = std::max(unused, result_.work);
  const auto left = budget - std::min(work_, budget);
  if (left < result_.work) untested_ = not_tested(base::grouped(budget));
  if (untested_) return {};
  options.launch_budget = std::min(left, kMostTimes * result_.work + kSpareRepeatWork);
  options.block_budget = std::min(options.block_budget, options.launch_budget);
  auto again = run_sequence(simulator_, sequence_, buffers, options);
  work_ += again.work;
  return again;
}

// The buffers for a further run. Undefined outputs begin with `garbage`, or with nullptr with their
// original content. give_back_inputs() returns the inputs.
std::vector<run::Buffer> UndefinedValues::buffers_before(const OutputGarbage* garbage) {
  std::vector<run::Buffer> out(after_.size());
  for (std::size_t b = 0; b < out.size(); ++b) {
    if (after_[b].read_only && !other_) {
      out[b] = std::move(after_[b]);
      continue;
    }
    out[b] = {after_[b].name, after_[b].read_only ? other_->inputs[b] : before_[b],
              after_[b].element_bytes, after_[b].read_only, after_[b].defined};
    out[b].symbol = after_[b].symbol;
    if (garbage == nullptr || out[b].defined) continue;
    auto& bytes = out[b].bytes;
    if (garbage->read == nullptr) {
      std::fill(bytes.begin(), bytes.end(), garbage->value);
    } else if (b < garbage->read->buffers.size()) {
      const auto& is_read = garbage->read->buffers[b];
      for (std::size_t i = 0; i < is_read.size(); ++i) {
        if (is_read[i]) bytes[i] = garbage->value;
      }
    }
  }
  return out;
}

void UndefinedValues::give_back_inputs(std::vector<run::Buffer>& buffers) {
  if (other_) return;
  for (std::size_t b = 0; b < buffers.size(); ++b) {
    if (buffers[b].read_only) after_[b] = std::move(buffers[b]);
  }
}

void UndefinedValues::compare_with_another_run() {
  options_.threads = 1;
  options_.ignores_bad_addresses = true;
  OtherRun other;
  for (std::size_t b = 0; b < after_.size(); ++b) {
    other.inputs.push_back(!after_[b].read_only ? std::vector<std::byte>()
                           : before_[b].empty() ? after_[b].bytes
                                                : before_[b]);
  }
  other_ = std::move(other);
  other_->after = buffers_before(nullptr);
  other_->faults = faults(run_again(other_->after, options_).diagnostics);
}

// Whether the results of a run with `options` differ from those of the reference run. Output bytes
// that may be copies of garbage go into `copies`, if given, and do not count.
bool UndefinedValues::differs(run::Options options, const OutputGarbage* output_garbage,
                              Copies* copies) {
  auto again = buffers_before(output_garbage);
  if (!sequence_.is_one_launch()) copies = nullptr;  // buffers swap roles
  // Zero is a common value, so a store of zero proves nothing in the run whose garbage is zero.
  std::optional<StoredGarbage> stored;
  if (copies != nullptr) {
    if (output_garbage->value != std::byte{}) {
      options.observers = {&stored.emplace(output_garbage->value)};
    }
    copies->begin_run(output_garbage->value);
  }
  const auto is_used = [&](std::size_t b, std::size_t i) {
    return stored && stored->is_used(b, i);
  };
  const auto ended = faults(run_again(again, std::move(options)).diagnostics);
  give_back_inputs(again);
  if (untested_) return false;  // no run has shown a difference
  const auto first = other_ ? other_->faults : faults(result_.diagnostics);
  if (ended != first) return true;
  if (!first.empty() && !other_) return false;  // and outputs are incomplete
  const auto& after = other_ ? other_->after : after_;
  for (std::size_t b = 0; b < again.size(); ++b) {
    if (after[b].read_only || again[b].bytes == after[b].bytes) continue;
    const auto from = sequence_.places.empty() ? b : sequence_.places[b];
    const bool is_filled = output_garbage != nullptr && !after[from].defined;
    for (std::size_t i = 0; i < after[b].bytes.size(); ++i) {
      const auto now = again[b].bytes[i];
      if (after[b].bytes[i] == now) continue;
      const bool never_written =
          is_filled && after[b].bytes[i] == before_[from][i] && now == output_garbage->value;
      if (never_written) continue;
      const bool may_be_copy =
          copies != nullptr && !is_used(b, i) && copies->add(b, i, after[b].bytes[i], now);
      if (!may_be_copy) return true;
    }
  }
  return false;
}

}  // namespace warpgrade::measure
