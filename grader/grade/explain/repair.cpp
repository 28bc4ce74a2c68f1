// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/explain/repair.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "common/base/error.h"
#include "common/check/checks.h"
#include "common/compile/compiler.h"
#include "common/measure/model_launch.h"
#include "common/ptx/instruction_facts.h"
#include "common/sim/simulator.h"
#include "common/verify/element.h"
#include "grader/cases/reference.h"
#include "grader/grade/explain/program_edits.h"
#include "grader/grade/explain/value_uses.h"
#include "grader/grade/plan/plan.h"
#include "grader/grade/plan/planned_case.h"

namespace warpgrade::grader::grade {
namespace {

using course::CauseId;

// Units of work of all runs, which take a quarter of a second. Each run also counts the decoding of
// its program.
constexpr std::uint64_t kMostWork = std::uint64_t{1} << 25;
constexpr std::uint64_t kWorkOfARun = std::uint64_t{1} << 14;
// A case that is larger is not used.
constexpr std::uint64_t kMostTrialWork = std::uint64_t{1} << 23;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 20;
constexpr std::uint64_t kMostThreads = std::uint64_t{1} << 16;
constexpr std::size_t kMostInstructions = 20000;

struct Trial {
  const PlannedCase* planned = nullptr;
  std::shared_ptr<const cases::Expected> expected;
};

// What to observe in a run besides its result.
enum class Watch : std::uint8_t { kNothing, kChecks, kExecuted };

struct Outcome {
  bool is_right = false;
  std::uint64_t work = 0;
  std::set<std::pair<std::uint32_t, std::uint32_t>> executed;  // Function, instruction.
  std::optional<std::uint64_t> wrong_block;  // A block that stores a wrong element.
};

std::uint64_t buffer_bytes(const PlannedCase& planned) {
  std::uint64_t out = 0;
  for (const auto& buffer : planned.sized->buffers) {
    out += buffer.bytes();
  }
  return out;
}

bool is_right_bytes(const cases::SizedBuffer& buffer, const std::byte* right,
                    const std::byte* mine) {
  if (std::memcmp(right, mine, verify::size_of(buffer.type)) == 0) return true;
  return verify::is_float(buffer.type) &&
         verify::is_within(buffer.type, right, mine, buffer.tolerance());
}

// The first block that stores to each output a value that is wrong. For one host thread.
class WrongStores final : public run::Observer {
 public:
  WrongStores(const std::vector<cases::SizedBuffer>& buffers, const cases::Expected& expected)
      : buffers_(buffers), expected_(expected) {}

  std::unique_ptr<run::Observer> fork() const override {
    return std::make_unique<WrongStores>(buffers_, expected_);
  }
  void join(run::Observer& other) override {
    if (!block) block = static_cast<WrongStores&>(other).block;
  }
  void on_launch(const run::LaunchContext& context) override {
    addresses_ = *context.buffer_addresses;
  }
  void on_block_begin(std::uint64_t linear_block) override { block_ = linear_block; }
  void on_memory(const run::MemoryEvent& event) override {
    if (block || event.space != run::Space::kGlobal || event.data == nullptr) return;
    for (std::uint32_t lane = 0; lane < run::kWarpSize; ++lane) {
      if ((event.mask >> lane & 1U) != 0) look_at(event, lane);
    }
  }

  std::optional<std::uint64_t> block;

 private:
  void look_at(const run::MemoryEvent& event, std::uint32_t lane) {
    for (std::size_t i = 0; i < buffers_.size() && i < addresses_.size(); ++i) {
      if (!buffers_[i].is_by_element()) continue;
      const auto& right = expected_.after[i].bytes;
      const auto size = verify::size_of(buffers_[i].type);
      const auto offset = event.address[lane] - addresses_[i];
      if (offset >= right.size()) continue;
      for (std::uint64_t at = 0; at + size <= event.bytes && offset + at + size <= right.size();
           at += size) {
        const auto* mine = event.data + std::size_t{lane} * event.bytes + at;
        if (!is_right_bytes(buffers_[i], &right[offset + at], mine)) block = block_;
      }
    }
  }

  const std::vector<cases::SizedBuffer>& buffers_;
  const cases::Expected& expected_;
  std::vector<std::uint64_t> addresses_;
  std::uint64_t block_ = 0;
};

// The first finding of the case, if it has these facts.
template <typename FactsOfFinding>
const FactsOfFinding* has_fault(const PlannedCase& planned) {
  const auto* faults =
      planned.outcome ? std::get_if<FoundFaults>(&planned.outcome->ending) : nullptr;
  if (faults == nullptr || faults->diagnostics.empty()) return nullptr;
  return std::get_if<FactsOfFinding>(&faults->diagnostics.front().facts);
}

// A condition with another constant or operator shows little about the mistake: many conditions
// select the threads and elements of a small case.
bool is_arbitrary(const Edit& edit) {
  if (edit.kind == EditKind::kBranch) return true;
  const bool is_far = edit.kind == EditKind::kConstant || edit.kind == EditKind::kOperator;
  const auto& uses = edit.uses;
  const bool is_of_condition = (uses.condition && !uses.equality) || uses.loop_condition;
  return is_far && is_of_condition && (uses.loop_condition || (!uses.address && !uses.data));
}

class Search {
 public:
  Search(const Plan& plan, const std::vector<PlannedCase>& cases, const compile::Program& program)
      : plan_(plan), program_(program), module_(program.ptx.module()) {
    std::vector<const PlannedCase*> small;
    for (const auto& planned : cases) {
      const bool is_small = !planned.item->measured && !planned.target->is_gpu();
      const bool is_first = planned.target == cases.front().target;
      if (is_small && is_first && !planned.kernels.empty() && buffer_bytes(planned) <= kMostBytes &&
          threads_of(planned) <= kMostThreads) {
        small.push_back(&planned);
      }
    }
    std::ranges::stable_sort(small, {}, [](const auto* one) { return threads_of(*one); });
    for (const auto* one : small) trials_.push_back({one, nullptr});
  }

  std::vector<Edit> repairs() {
    std::vector<Edit> out;
    const auto first = first_wrong();
    if (first == trials_.size()) return out;
    auto& trial = trials_[first];
    const auto executed = first_.executed;
    auto edits = edits_of(module_, program_.file, [&](std::uint32_t f, std::uint32_t i) {
      return executed.contains({f, i});
    });
    const auto limit = limit_of(trial);
    // If the only findings are reads of unwritten memory, threads may have left too early.
    const bool is_unwritten = std::ranges::none_of(trials_, [](const Trial& one) {
      return !one.planned->is_right() && one.planned->outcome &&
             !has_fault<base::UnwrittenRead>(*one.planned);
    });
    for (auto& edit : edits) {
      if (is_unwritten && edit.kind != EditKind::kExit) continue;
      if (is_arbitrary(edit)) continue;
      // Threads that stay would need guards at their accesses.
      ignores_bad_addresses_ = edit.kind == EditKind::kExit;
      if (work_ > kMostWork || (!out.empty() && edit.rank > out.front().rank)) break;
      const auto changed = std::make_shared<ptx::Module>(edited(module_, edit));
      const bool is_possible =
          !block_ || run(changed, trial, limit, Watch::kNothing, block_).is_right;
      if (!is_possible || !run(changed, trial, limit, Watch::kNothing).is_right) continue;
      if (!run(changed, trial, kWorkOfChecks * limit, Watch::kChecks).is_right) continue;
      if (is_right_everywhere(changed, first)) out.push_back(std::move(edit));
    }
    return out;
  }

 private:
  // A repaired kernel may do much more than the wrong one.
  std::uint64_t limit_of(const Trial& trial) const {
    constexpr std::uint64_t kMostMore = std::uint64_t{1} << 18;
    return first_.work + first_.work / 2 +
           std::min(32 * trial.expected->warp_instructions, kMostMore) + kWorkOfARun;
  }

  // The first case that is wrong without optimization, too.
  std::size_t first_wrong() {
    const auto own = std::make_shared<ptx::Module>(module_);
    for (std::size_t at = 0; at < trials_.size(); ++at) {
      auto& trial = trials_[at];
      if (trial.planned->is_right()) continue;
      first_ = run(own, trial, kMostTrialWork, Watch::kExecuted);
      if (first_.work > kMostTrialWork / 2) return trials_.size();
      if (first_.is_right) continue;
      block_ = first_.wrong_block;
      const auto& sequence = trial.planned->sized->launches.sequence;
      const bool is_alone = sequence.launches.size() == 1 && !sequence.launches[0].cooperative &&
                            base::volume(sequence.launches[0].grid) > 1;
      // One block alone must be wrong, too.
      if (!is_alone ||
          (block_ && run(own, trial, kMostTrialWork, Watch::kNothing, block_).is_right)) {
        block_.reset();
      }
      return at;
    }
    return trials_.size();
  }

  bool is_right_everywhere(const std::shared_ptr<ptx::Module>& changed, std::size_t first) {
    for (std::size_t i = 0; i < trials_.size(); ++i) {
      auto& trial = trials_[i];
      if (i == first) continue;
      fill(trial);
      const auto usual = kWorkOfAnInstruction * trial.expected->warp_instructions;
      if (usual > kMostTrialWork) continue;
      const auto most = std::max(usual, kLeastLimit);
      if (!run(changed, trial, most, Watch::kNothing).is_right) return false;
    }
    return true;
  }
  // Per warp instruction of the reference: code without optimization has more, and an access is
  // several units.
  static constexpr std::uint64_t kWorkOfAnInstruction = 256;
  static constexpr std::uint64_t kLeastLimit = std::uint64_t{1} << 20;
  static constexpr std::uint64_t kWorkOfChecks = 16;  // Relative to a run without checks.

  void fill(Trial& trial) {
    if (trial.expected) return;
    const auto& planned = *trial.planned;
    trial.expected = plan_.services.simulator.reference->expected(plan_.lab(), *planned.sized,
                                                                  planned.variant, 1);
  }

  // Whether all elements are right, or all that the run has changed.
  static bool are_right(const PlannedCase& planned, const cases::Expected& expected,
                        const std::vector<run::Buffer>& got, bool only_changed) {
    const auto& buffers = planned.sized->buffers;
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      const auto& buffer = buffers[i];
      if (!buffer.is_output()) continue;
      const auto& right = expected.after[i].bytes;
      const auto& before = expected.before[i].bytes;
      const auto& mine = got[i].bytes;
      if (!buffer.has_pieces() && mine == right) continue;
      if (!buffer.is_by_element()) {
        if (only_changed || cases::whole_difference(buffer, before, right, mine)) return false;
        continue;
      }
      const auto size = verify::size_of(buffer.type);
      for (std::size_t at = 0; at + size <= right.size() && at + size <= mine.size(); at += size) {
        if (only_changed && std::memcmp(&before[at], &mine[at], size) == 0) continue;
        if (!is_right_bytes(buffer, &right[at], &mine[at])) return false;
      }
    }
    return true;
  }

  Outcome run(const std::shared_ptr<ptx::Module>& module, Trial& trial, std::uint64_t most,
              Watch watch, std::optional<std::uint64_t> block = std::nullopt) {
    const auto& planned = *trial.planned;
    fill(trial);
    compile::Program program;
    program.file = program_.file;
    program.architecture = program_.architecture;
    program.ptx = ptx::SharedModule(
        {}, {},
        [module](const std::string& /*text*/, const std::string& /*file*/) { return *module; });
    auto buffers = trial.expected->before;
    run::Options options;
    options.threads = 1;
    options.launch_budget = most;
    options.ignores_bad_addresses = ignores_bad_addresses_;
    options.block_budget = most;
    if (block) options.blocks = {{*block, *block + 1}};
    Outcome out;
    WrongStores stores(planned.sized->buffers, *trial.expected);
    try {
      sim::Simulator simulator(program);
      measure::AroundLaunch around;
      std::optional<check::Checks> checks;
      bool is_clean = true;
      if (watch == Watch::kExecuted) {
        around.before = [&](const run::Launch& /*launch*/, run::Options& own) {
          own.observers = {&stores};
        };
        around.after = [&](std::size_t index, const run::Result& result) {
          note(simulator.function(launches_of(planned, *planned.sized).launches[index].kernel),
               result, out);
        };
      } else if (watch == Watch::kChecks) {
        around.before = [&](const run::Launch& /*launch*/, run::Options& own) {
          checks.emplace();
          own.observers = {&*checks};
        };
        around.after = [&](std::size_t /*index*/, const run::Result& /*result*/) {
          is_clean = is_clean && checks->diagnostics().empty();
        };
      }
      const auto result = measure::run_sequence(simulator, launches_of(planned, *planned.sized),
                                                buffers, options, around);
      out.work = result.work;
      work_ += result.work + kWorkOfARun;
      out.wrong_block = stores.block;
      out.is_right = is_clean && is_accepted(result.diagnostics) &&
                     are_right(planned, *trial.expected, buffers, block.has_value());
    } catch (const base::UsageError&) {
      out.work = most + 1;
      work_ += kWorkOfARun;
    } catch (const base::ToolError&) {
      work_ += kWorkOfARun;
    }
    return out;
  }

  bool is_accepted(const std::vector<base::Diagnostic>& found) const {
    return std::ranges::all_of(found, [&](const base::Diagnostic& one) {
      return ignores_bad_addresses_ && one.kind == base::DiagnosticKind::kOutOfBounds;
    });
  }

  static void note(const ptx::Function& linked, const run::Result& result, Outcome& out) {
    for (const auto& part : linked.parts) {
      for (auto i = part.instructions.begin; i < part.instructions.end; ++i) {
        if (i < result.instructions.size() && result.instructions[i].warps > 0) {
          out.executed.insert({part.function, i - part.instructions.begin});
        }
      }
    }
  }

  const Plan& plan_;
  const compile::Program& program_;
  const ptx::Module& module_;
  std::vector<Trial> trials_;
  Outcome first_;
  std::optional<std::uint64_t> block_;
  bool ignores_bad_addresses_ = false;
  std::uint64_t work_ = 0;
};

// Two threads of a block store an element that should belong to one of them.
bool is_double_store(const base::Race& race) {
  const auto* barrier = std::get_if<base::BarrierAdvice>(&race.advice);
  return barrier != nullptr && barrier->both_write &&
         race.place.memory == base::Place::Memory::kBuffer;
}

// Whether a repair can tell more than the finding does.
bool is_searched(const PlannedCase& planned) {
  if (!planned.outcome) return false;
  if (std::holds_alternative<WrongResult>(planned.outcome->ending)) return true;
  const auto* race = has_fault<base::Race>(planned);
  return (race != nullptr && is_double_store(*race)) ||
         has_fault<base::OutsideAccess>(planned) != nullptr ||
         has_fault<base::UnwrittenRead>(planned) != nullptr;
}

// Whether only cases with more elements than a float can count are wrong.
bool fails_only_beyond_floats(const std::vector<PlannedCase>& cases) {
  constexpr std::uint64_t kFloatCounts = std::uint64_t{1} << 24;
  bool any_right = false;
  for (const auto& planned : cases) {
    if (!planned.outcome) continue;
    any_right = any_right || planned.is_right();
    const bool is_large = std::ranges::any_of(planned.sized->buffers, [](const auto& buffer) {
      return buffer.elements() >= kFloatCounts;
    });
    if (!planned.is_right() && !is_large) return false;
  }
  return any_right;
}

// The line of the arithmetic in float behind an address; 0 without any.
std::uint32_t float_line(const ptx::Module& module, std::string_view file) {
  const ValueUses uses(module);
  for (std::uint32_t f = 0; f < module.functions.size(); ++f) {
    const auto& function = module.functions[f];
    const auto& slice = uses.address_slice(f);
    std::uint32_t arithmetic = 0;
    std::uint32_t rounded = 0;
    for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
      const auto& in = function.instructions[i];
      const auto& where = function.locations[in.location];
      if (where.line == 0 || where.file != file || in.type_count == 0) continue;
      const bool is_arithmetic = in.types[0] == ptx::Type::kF32 &&
                                 (in.opcode == ptx::Opcode::add || in.opcode == ptx::Opcode::sub ||
                                  in.opcode == ptx::Opcode::mul || in.opcode == ptx::Opcode::fma ||
                                  in.opcode == ptx::Opcode::mad || in.opcode == ptx::Opcode::div);
      const bool is_of_address = rounded == 0 && slice.contains(i);
      if (is_arithmetic && (arithmetic == 0 || is_of_address)) arithmetic = where.line;
      const bool is_integer = in.types[0] >= ptx::Type::kB32 && in.types[0] <= ptx::Type::kS64;
      if (in.opcode == ptx::Opcode::cvt && in.type_count > 1 && is_integer &&
          in.types[1] == ptx::Type::kF32 && uses.uses_of(f, i).address) {
        rounded = where.line;
      }
    }
    if (rounded != 0) return arithmetic != 0 ? arithmetic : rounded;
  }
  return 0;
}

}  // namespace

CauseId cause_of(const Edit& edit) {
  switch (edit.kind) {
    case EditKind::kFloat:
      return CauseId::kFloatIndex;
    case EditKind::kExchange:
      return edit.uses.address || edit.uses.data ? CauseId::kSwappedIndices : CauseId::kWrongGuard;
    case EditKind::kRounding:
      return CauseId::kMissingEdge;
    case EditKind::kStart:
      return CauseId::kWrongStart;
    case EditKind::kComparison:
      // A step too many has a wrong index.
      return edit.uses.loop_condition && edit.uses.shortens ? CauseId::kWrongIndex
                                                            : CauseId::kWrongGuard;
    case EditKind::kExit:
      return CauseId::kDivergentBarrier;
    case EditKind::kBranch:
      return CauseId::kWrongGuard;
    default:
      break;
  }
  if (edit.uses.address) return edit.uses.stride ? CauseId::kWrongStride : CauseId::kWrongIndex;
  // An equality selects the thread that has a task.
  if (edit.uses.equality && !edit.uses.loop_condition) return CauseId::kWrongIndex;
  if (edit.uses.condition || edit.uses.loop_condition) return CauseId::kWrongGuard;
  if (edit.uses.accumulates) return CauseId::kWrongStart;
  return CauseId::kWrongOperation;
}

namespace {

std::optional<Repair> repair_of(const Plan& plan, const std::vector<PlannedCase>& cases) {
  if (cases.empty() || cases.front().target->is_gpu()) return std::nullopt;
  if (std::ranges::none_of(cases, is_searched) || cases.front().program == nullptr)
    return std::nullopt;
  const auto* content = std::get_if<compile::CompileRequest>(&plan.task.submission.content);
  if (content == nullptr) return std::nullopt;
  auto request = *content;
  request.include_folders = plan.lab().include_folders;
  for (const auto& planned : cases) {
    for (const auto& [name, lowered] : planned.program->lowered) {
      if (std::ranges::find(request.instantiations, name) == request.instantiations.end()) {
        request.instantiations.push_back(name);
      }
    }
  }
  const auto& architecture = cases.front().program->architecture;
  request.architecture = "compute_" + architecture.substr(architecture.find('_') + 1);
  request.options.emplace_back("-G");
  const auto compiled = compile::compile(request);
  const auto* program = std::get_if<compile::Program>(&compiled);
  if (program == nullptr) return std::nullopt;
  std::size_t instructions = 0;
  for (const auto& function : program->ptx.module().functions) {
    instructions += function.instructions.size();
  }
  if (instructions > kMostInstructions) return std::nullopt;
  if (fails_only_beyond_floats(cases)) {
    const auto line = float_line(program->ptx.module(), program->file);
    return line != 0 ? std::optional(Repair{CauseId::kFloatIndex, line}) : std::nullopt;
  }
  Search search(plan, cases, *program);
  const auto found = search.repairs();
  if (found.empty()) return std::nullopt;
  const auto& best = found.front();
  return Repair{cause_of(best), best.line};
}

}  // namespace

std::optional<Repair> find_repair(const Plan& plan, const std::vector<PlannedCase>& cases) {
  // The verdict stands if the compiler fails or takes too long without optimization.
  try {
    return repair_of(plan, cases);
  } catch (const base::ToolError&) {
    return std::nullopt;
  } catch (const base::UsageError&) {
    return std::nullopt;
  }
}

}  // namespace warpgrade::grader::grade
