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
#include "grader/grade/explain/wrong_stores.h"
#include "grader/grade/plan/plan.h"
#include "grader/grade/plan/planned_case.h"

namespace warpgrade::grader::grade {
namespace {

using course::CauseId;

// Units of work of all runs, which take three seconds. Each run also counts the decoding of its
// program.
constexpr std::uint64_t kMostWork = std::uint64_t{3} << 27;
constexpr std::uint64_t kWorkOfARun = std::uint64_t{1} << 14;
// A case that is larger is not used.
constexpr std::uint64_t kMostTrialWork = std::uint64_t{1} << 24;
constexpr std::uint64_t kWorkWithoutOptimization = 8;  // Relative to an optimized program.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 20;
constexpr std::uint64_t kMostThreads = std::uint64_t{1} << 19;
constexpr std::size_t kMostInstructions = 20000;

struct Trial {
  const PlannedCase* planned = nullptr;
  std::shared_ptr<const cases::Expected> expected;
};

// The observers of a run.
enum class Watch : std::uint8_t { kNothing, kChecks, kExecuted };

struct Outcome {
  bool is_right = false;
  std::uint64_t work = 0;
  std::set<std::pair<std::uint32_t, std::uint32_t>> executed;  // Function, instruction.
  std::optional<std::uint64_t> wrong_block;  // A block that stores a wrong element.
  bool is_clean = false;                     // No finding of any kind.
  bool is_stopped = false;                   // By a finding of the simulator.
  std::vector<base::Diagnostic> found;       // By the checks.
};

std::uint64_t buffer_bytes(const PlannedCase& planned) {
  std::uint64_t out = 0;
  for (const auto& buffer : planned.sized->buffers) {
    out += buffer.bytes();
  }
  return out;
}

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

// Whether elements go to other places, so that two lines can disagree on these.
bool is_exchange(const Edit& edit) {
  return edit.kind == EditKind::kExchange || edit.kind == EditKind::kLayout;
}

// Whether it lets a loop go on for longer.
bool fills_more(const Edit& edit) {
  const bool is_number = edit.kind == EditKind::kOffset || edit.kind == EditKind::kBound;
  return edit.uses.loop_condition && is_number && !edit.uses.address && !edit.uses.data;
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
    // The cheapest first. A fault can have ended a run early, so the bytes count, too.
    std::ranges::stable_sort(small, {}, [](const auto* one) {
      const auto work = one->outcome ? one->outcome->measured.result.work : 0;
      return std::max({work, threads_of(*one), buffer_bytes(*one)});
    });
    for (const auto* one : small) trials_.push_back({one, nullptr});
  }

  std::vector<Edit> repairs() {
    std::vector<Edit> out;
    ignores_bad_addresses_ = false;
    const auto first = first_wrong();
    if (first == trials_.size()) return out;
    auto& trial = trials_[first];
    const auto executed = first_.executed;
    const base::Diagnostic* fault = nullptr;
    for (const auto& one : trials_) {
      if (fault == nullptr) fault = outside_of(*one.planned);
    }
    auto edits = edits_of(module_, program_.file, [&](std::uint32_t f, std::uint32_t i) {
      return executed.contains({f, i});
    });
    std::erase_if(edits, [&](const Edit& edit) {
      return edit.kind == EditKind::kGuard && (fault == nullptr || edit.line != fault->where.line);
    });
    if (fault != nullptr) add_guard(fault->where.line, edits);
    const bool has_moved = std::ranges::any_of(
        trials_, [](const Trial& one) { return is_of_other_element(*one.planned); });
    if (has_moved) put_exchanges_first(edits);
    // Reads of unwritten memory have few causes: threads that left too early, lengths of rows, and
    // in shared memory indices and bounds.
    bool is_unwritten = true;
    bool is_of_shared = true;
    for (const auto& one : trials_) {
      if (one.planned->is_right() || !one.planned->outcome) continue;
      const auto* unwritten = has_fault<base::UnwrittenRead>(*one.planned);
      is_unwritten = is_unwritten && unwritten != nullptr;
      is_of_shared =
          is_unwritten && is_of_shared && unwritten->place.memory == base::Place::Memory::kShared;
    }
    for (auto& edit : edits) {
      const bool is_more = is_of_shared && fills_more(edit);
      const bool is_possible_cause = edit.kind == EditKind::kExit || edit.uses.stride ||
                                     (is_of_shared && edit.rank <= Rank::kOperator);
      if (is_unwritten && !is_possible_cause) continue;
      if (is_arbitrary(edit) && !is_more) continue;
      // Threads that stay, and passes that are left out, would need guards at their accesses.
      ignores_bad_addresses_ = edit.ignores_bad_addresses || is_more;
      if (work_ > kMostWork || (!out.empty() && edit.rank > out.front().rank)) break;
      const auto changed = std::make_shared<ptx::Module>(edited(module_, edit));
      const auto limit = limit_of(trial, edit.kind);
      const bool is_possible =
          !block_ || run(changed, trial, limit, Watch::kNothing, block_).is_right;
      if (!is_possible || !run(changed, trial, limit, Watch::kNothing).is_right) continue;
      // The checks do not see what a warp stores beside the end of an array.
      if (edit.kind != EditKind::kGuard && !is_more &&
          !run(changed, trial, kWorkOfChecks * limit, Watch::kChecks).is_right) {
        continue;
      }
      if (is_right_everywhere(changed, first)) out.push_back(std::move(edit));
    }
    return out;
  }

  struct Barriers {
    std::optional<std::uint32_t> before;     // The line before which the first one belongs.
    std::optional<std::uint32_t> unordered;  // The line of a race that no barrier orders.
  };

  // Tries barriers of the block against the race that is the first finding, one after the other. If
  // none can order its accesses, these need not only an order. An access outside of an array can be
  // the consequence of such a race.
  Barriers try_barriers() {
    auto trial = std::ranges::find_if(
        trials_, [](const Trial& one) { return race_in_block(*one.planned) != nullptr; });
    const bool is_race = trial != trials_.end();
    if (!is_race) {
      trial = std::ranges::find_if(
          trials_, [](const Trial& one) { return outside_of(*one.planned) != nullptr; });
    }
    if (trial == trials_.end()) return {};
    ignores_bad_addresses_ = !is_race;  // They would end the run before the race.
    // One block is cheaper.
    for (const auto& block : {std::optional<std::uint64_t>(0), std::optional<std::uint64_t>()}) {
      auto module = std::make_shared<ptx::Module>(module_);
      auto outcome = run(module, *trial, kMostTrialWork, Watch::kChecks, block);
      if (outcome.work > kMostTrialWork) return {};
      const auto* race = first_race(outcome);
      if (race == nullptr || !(is_race || needs_barrier(*race))) continue;
      constexpr int kMostBarriers = 3;
      bool is_refused = false;
      Barriers out;
      for (int barriers = 0; barriers < kMostBarriers; ++barriers) {
        const auto best = best_barrier(module, *trial, block, outcome, barriers == 0);
        is_refused |= best.is_refused;
        if (!best.is_complete || (best.module == nullptr && is_refused)) return {};
        if (best.module == nullptr) {
          return {.before = {},
                  .unordered = is_race ? std::optional(race->where.line) : std::nullopt};
        }
        if (!out.before && best.line != 0) out.before = best.line;
        module = best.module;
        outcome = best.outcome;
        race = first_race(outcome);
        if (race == nullptr) return outcome.is_clean ? out : Barriers{};
      }
      return {};
    }
    return {};
  }

 private:
  // Whether it is a race between warps, in shared memory, that a barrier might order.
  static bool needs_barrier(const base::Diagnostic& finding) {
    const auto* race = std::get_if<base::Race>(&finding.facts);
    if (race == nullptr || race->place.memory != base::Place::Memory::kShared) return false;
    const auto* advice = std::get_if<base::BarrierAdvice>(&race->advice);
    return advice != nullptr && !advice->for_warp && !advice->for_cluster && !advice->has_flags;
  }

  // The first finding, if it is such a race, or a change of one element by several threads.
  static const base::Race* race_in_block(const PlannedCase& planned) {
    const auto* race = has_fault<base::Race>(planned);
    if (race == nullptr || race->place.memory != base::Place::Memory::kShared) return nullptr;
    const auto& first = std::get<FoundFaults>(planned.outcome->ending).diagnostics.front();
    const bool is_it =
        needs_barrier(first) || std::holds_alternative<base::UpdateAdvice>(race->advice);
    return is_it ? race : nullptr;
  }

  static const base::Diagnostic* first_race(const Outcome& outcome) {
    const auto found = std::ranges::find_if(outcome.found, [](const base::Diagnostic& one) {
      return std::holds_alternative<base::Race>(one.facts);
    });
    return found == outcome.found.end() ? nullptr : &*found;
  }

  static std::pair<std::uint32_t, std::uint32_t> lines_of(const base::Diagnostic& finding) {
    const auto& race = std::get<base::Race>(finding.facts);
    return std::minmax(finding.where.line,
                       race.other_line ? race.other_line->line : finding.where.line);
  }

  struct Barrier {
    std::shared_ptr<ptx::Module> module;  // With it; nullptr if none helps.
    std::uint32_t line = 0;               // The line of the statement behind it; 0 within one.
    Outcome outcome;
    bool is_complete = false;  // All places were tried, or one helps.
    bool is_refused = false;   // In a branch that not all threads take, which shows nothing.
  };

  // The barrier after which the first race is gone; the best one leaves no other finding. Within
  // the statements of the race a barrier must be enough.
  Barrier best_barrier(const std::shared_ptr<ptx::Module>& module, Trial& trial,
                       std::optional<std::uint64_t> block, const Outcome& before,
                       bool within_statements) {
    Barrier best;
    const auto lines = lines_of(*first_race(before));
    const auto limit = 2 * before.work + kWorkOfARun;
    for (const auto& [site, is_within] : places_of_barriers(*module, lines)) {
      if (is_within && !within_statements) continue;
      if (work_ > kMostWork) return best;
      const auto changed = std::make_shared<ptx::Module>(with_barrier(*module, site));
      auto outcome = run(changed, trial, limit, Watch::kChecks, block);
      best.is_refused |= outcome.is_stopped;
      const auto& function = changed->functions[site.function];
      const auto line = function.locations[function.instructions[site.instruction].location].line;
      if (outcome.is_clean) {
        best.module = changed;
        best.line = is_within ? 0 : line;
        best.outcome = std::move(outcome);
        break;
      }
      if (is_within || best.module != nullptr || outcome.found.empty()) continue;
      const auto* race = first_race(outcome);
      const bool is_gone =
          race != nullptr && outcome.found.size() <= before.found.size() &&
          std::ranges::none_of(outcome.found, [&](const base::Diagnostic& one) {
            return !std::holds_alternative<base::Race>(one.facts) || lines_of(one) == lines;
          });
      if (!is_gone) continue;
      best.module = changed;
      best.line = line;
      best.outcome = std::move(outcome);
    }
    best.is_complete = true;
    return best;
  }

  // The beginnings of statements, and the stores within the lines of the race (true).
  std::vector<std::pair<Edit::Site, bool>> places_of_barriers(
      const ptx::Module& module, std::pair<std::uint32_t, std::uint32_t> lines) const {
    std::vector<std::pair<Edit::Site, bool>> out;
    int stores = 0;
    for (std::uint32_t f = 0; f < module.functions.size(); ++f) {
      const auto& function = module.functions[f];
      std::uint32_t last = 0;
      for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
        const auto& in = function.instructions[i];
        const auto& where = function.locations[in.location];
        if (in.location == 0 || in.is_of_toolkit || where.line == 0 || where.file != program_.file)
          continue;
        const bool is_store =
            in.opcode == ptx::Opcode::st && !is_parameter(function, in.operands[0]);
        if (where.line != last) {
          out.push_back({{f, i}, false});
        } else if (is_store && (where.line == lines.first || where.line == lines.second)) {
          out.push_back({{f, i}, true});
          ++stores;
        }
        last = where.line;
      }
    }
    // Threads that exchange two elements need more than an order.
    if (stores > 1) std::erase_if(out, [](const auto& one) { return one.second; });
    return out;
  }

  // The first finding of the case, if it is an access outside of a buffer.
  static const base::Diagnostic* outside_of(const PlannedCase& planned) {
    const auto* outside = has_fault<base::OutsideAccess>(planned);
    if (outside == nullptr || outside->place.memory != base::Place::Memory::kBuffer) return nullptr;
    return &std::get<FoundFaults>(planned.outcome->ending).diagnostics.front();
  }

  // Whether the first wrong element has the value of another one.
  static bool is_of_other_element(const PlannedCase& planned) {
    using verify::CauseKind;
    static constexpr CauseKind kKinds[] = {CauseKind::kTransposed, CauseKind::kOtherPlace,
                                           CauseKind::kOtherElement};
    const auto* wrong =
        planned.outcome ? std::get_if<WrongResult>(&planned.outcome->ending) : nullptr;
    return wrong != nullptr &&
           std::ranges::find(kKinds, wrong->difference.kind) != std::end(kKinds);
  }

  static void put_exchanges_first(std::vector<Edit>& edits) {
    for (auto& edit : edits) {
      if (!is_exchange(edit)) continue;
      edit.rank = edit.rank == Rank::kLength ? Rank::kSuggestedPair : Rank::kSuggestedExchange;
    }
    std::ranges::stable_sort(edits, {}, &Edit::rank);
  }

  // After comparisons: a condition that can be corrected is there.
  static void add_guard(std::uint32_t line, std::vector<Edit>& edits) {
    constexpr auto kRank = Rank::kLimit;
    Edit guard;
    guard.kind = EditKind::kGuard;
    guard.rank = kRank;
    guard.line = line;
    guard.ignores_bad_addresses = true;
    guard.text = "guard";
    edits.insert(std::ranges::lower_bound(edits, kRank, {}, &Edit::rank), std::move(guard));
  }

  // A repaired kernel may do much more than the wrong one, above all if a finding stopped that, or
  // if passes of a loop were left out.
  std::uint64_t limit_of(const Trial& trial, EditKind kind) const {
    constexpr std::uint64_t kMostMore = std::uint64_t{1} << 18;
    constexpr std::uint64_t kWhole = std::uint64_t{1} << 22;
    const auto usual = 32 * trial.expected->warp_instructions;
    const auto more =
        first_.is_stopped ? std::clamp(4 * usual, kMostMore, kWhole) : std::min(usual, kMostMore);
    const bool is_more = kind == EditKind::kGuard || kind == EditKind::kRounding;
    return first_.work + first_.work / 2 + (is_more ? kWhole : more) + kWorkOfARun;
  }

  // The first case that is wrong without optimization, too.
  std::size_t first_wrong() {
    const auto own = std::make_shared<ptx::Module>(module_);
    for (std::size_t at = 0; at < trials_.size(); ++at) {
      auto& trial = trials_[at];
      if (trial.planned->is_right()) continue;
      if (work_ > kMostWork / 2) break;
      blocks_.reset();
      is_part_ = false;
      first_ = run(own, trial, kMostTrialWork, Watch::kExecuted);
      if (first_.is_right) continue;
      find_blocks(own, trial);
      if (first_.work > kMostTrialWork / 2) continue;
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

  // If the first blocks alone have the same result, edits are tried on these only. A repaired
  // kernel may need the others, so this is for cases with much work. If there is too much work for
  // all blocks, one that is wrong decides; the other cases decide about the others.
  void find_blocks(const std::shared_ptr<ptx::Module>& own, Trial& trial) {
    constexpr std::uint64_t kMostFirstBlocks = 16;
    constexpr std::uint64_t kMostSingleBlocks = 6;
    if (first_.work < kMostTrialWork / 4) return;
    const auto& sequence = trial.planned->sized->launches.sequence;
    if (sequence.launches.size() != 1 || sequence.launches[0].cooperative) return;
    const auto all = base::volume(sequence.launches[0].grid);
    const auto whole = std::move(after_);
    if (first_.work > kMostTrialWork) {
      is_part_ = true;
      for (std::uint64_t block = 0; block < std::min(all, kMostSingleBlocks) && all > 1; ++block) {
        blocks_ = run::BlockRange{block, block + 1};
        auto outcome = run(own, trial, kMostTrialWork, Watch::kExecuted);
        if (outcome.is_right || outcome.work > kMostTrialWork) continue;
        first_ = std::move(outcome);
        return;
      }
      is_part_ = false;
      blocks_.reset();
      return;
    }
    for (std::uint64_t count = 1; count <= kMostFirstBlocks && 2 * count <= all; count *= 4) {
      blocks_ = run::BlockRange{0, count};
      auto outcome = run(own, trial, kMostTrialWork, Watch::kExecuted);
      if (after_ != whole) continue;
      first_ = std::move(outcome);
      return;
    }
    blocks_.reset();
  }

  // Other wrong cases first, and small ones, up to a limit on the work for one edit.
  bool is_right_everywhere(const std::shared_ptr<ptx::Module>& changed, std::size_t first) {
    std::vector<Trial*> others;
    for (std::size_t i = 0; i < trials_.size(); ++i) {
      if (i != first || blocks_) others.push_back(&trials_[i]);
    }
    const auto blocks = std::exchange(blocks_, std::nullopt);
    const bool is_part = std::exchange(is_part_, false);
    for (auto* trial : others) fill(*trial);
    std::ranges::stable_sort(others, {}, [](const Trial* one) {
      return std::pair(one->planned->is_right(), one->expected->warp_instructions);
    });
    const auto begin = work_;
    int right = 0;
    for (auto* trial : others) {
      const auto usual = kWorkOfAnInstruction * trial->expected->warp_instructions;
      if (usual > kMostTrialWork || work_ - begin > kMostTrialWork) continue;
      // A submission may need more work than the reference, and needed it when it was graded.
      const auto& outcome = trial->planned->outcome;
      const auto own = outcome ? kWorkWithoutOptimization * outcome->measured.result.work : 0;
      const auto most = std::max({usual, kLeastLimit, std::min(own, kMostTrialWork)});
      const auto result = run(changed, *trial, most, Watch::kNothing);
      // A large case that does not end within the limit shows nothing. Small ones must be right.
      constexpr int kLeastRight = 2;
      const bool is_large = std::max(usual, own) > kLeastLimit / 4;
      const bool is_unknown = result.work > most && is_large && right >= kLeastRight;
      if (!result.is_right && !is_unknown) {
        blocks_ = blocks;
        is_part_ = is_part;
        return false;
      }
      if (result.is_right) ++right;
    }
    blocks_ = blocks;
    is_part_ = is_part;
    return !is_part || right > 0;
  }
  // Per warp instruction of the reference: code without optimization has more, and an access is
  // several units.
  static constexpr std::uint64_t kWorkOfAnInstruction = 256;
  static constexpr std::uint64_t kLeastLimit = std::uint64_t{1} << 22;
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
    if (!block && blocks_) options.blocks = {*blocks_};
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
          out.found = checks->diagnostics();
          is_clean = is_clean && out.found.empty();
          measure::keep_written(*checks, buffers);
        };
      }
      const auto result = measure::run_sequence(simulator, launches_of(planned, *planned.sized),
                                                buffers, options, around);
      out.work = result.work;
      work_ += result.work + kWorkOfARun;
      if (watch == Watch::kExecuted) {
        after_.clear();
        for (auto& buffer : buffers) after_.push_back(buffer.bytes);
      }
      out.wrong_block = stores.block;
      out.is_stopped = !result.diagnostics.empty();
      out.is_clean = is_clean && !out.is_stopped;
      out.is_right = is_clean && is_accepted(result.diagnostics) &&
                     are_right(planned, *trial.expected, buffers, block.has_value() || is_part_);
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
  std::optional<run::BlockRange> blocks_;      // The blocks that run; all without it.
  bool is_part_ = false;                       // These make only a part of the result.
  std::vector<std::vector<std::byte>> after_;  // The buffers after the last run with kExecuted.
  bool ignores_bad_addresses_ = false;
  std::uint64_t work_ = 0;
};

// Whether a repair can tell more than the finding does.
bool is_searched(const PlannedCase& planned) {
  if (!planned.outcome) return false;
  if (std::holds_alternative<WrongResult>(planned.outcome->ending)) return true;
  const auto* race = has_fault<base::Race>(planned);
  const auto* barrier = race == nullptr ? nullptr : std::get_if<base::BarrierAdvice>(&race->advice);
  const auto* blocks = race == nullptr ? nullptr : std::get_if<base::BlocksAdvice>(&race->advice);
  const bool is_of_blocks = blocks != nullptr && *blocks == base::BlocksAdvice::kOwnElement;
  const bool is_update =
      race != nullptr && std::holds_alternative<base::UpdateAdvice>(race->advice);
  return barrier != nullptr || is_update || is_of_blocks ||
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
    case EditKind::kGuard:
      return CauseId::kMissingGuard;
    case EditKind::kBits:
    case EditKind::kOrder:
      return CauseId::kWrongOperation;
    case EditKind::kFunction:
      return edit.uses.condition && !edit.uses.address && !edit.uses.data
                 ? CauseId::kWrongGuard
                 : CauseId::kWrongOperation;
    case EditKind::kExchange:
      return edit.uses.address || edit.uses.data ? CauseId::kSwappedIndices : CauseId::kWrongGuard;
    case EditKind::kRounding:
      return CauseId::kMissingEdge;
    case EditKind::kStart:
      return CauseId::kWrongStart;
    case EditKind::kComparison:
      if (edit.uses.quotient && edit.uses.loop_condition && !edit.uses.shortens) {
        return CauseId::kMissingEdge;
      }
      // A step too many has a wrong index.
      return edit.uses.loop_condition && edit.uses.shortens ? CauseId::kWrongIndex
                                                            : CauseId::kWrongGuard;
    case EditKind::kFixed:
      return CauseId::kWrongIndex;
    case EditKind::kExit:
      return CauseId::kDivergentBarrier;
    case EditKind::kBranch:
    case EditKind::kBound:
      return CauseId::kWrongGuard;
    default:
      break;
  }
  const bool is_first_value = edit.kind == EditKind::kConstant && edit.uses.accumulates &&
                              edit.uses.data && !edit.uses.counts && !edit.uses.address;
  if (is_first_value) return CauseId::kWrongStart;
  if (edit.uses.address) return edit.uses.stride ? CauseId::kWrongStride : CauseId::kWrongIndex;
  // An equality selects the thread that has a task.
  if (edit.uses.equality && !edit.uses.loop_condition) return CauseId::kWrongIndex;
  if (edit.uses.condition || edit.uses.loop_condition) return CauseId::kWrongGuard;
  if (edit.uses.accumulates) return CauseId::kWrongStart;
  return CauseId::kWrongOperation;
}

namespace {

// Two lines can disagree on an index or a length, and a change of either repairs the result. The
// first line is mostly a load, and the mistake is in the line that uses its elements.
const Edit& best_of(const std::vector<Edit>& found) {
  const auto& first = found.front();
  if (!is_exchange(first) && !first.uses.stride) return first;
  const auto last = std::find_if(found.rbegin(), found.rend(), [&](const Edit& one) {
    return one.rank == first.rank && is_exchange(one) == is_exchange(first) &&
           one.uses.stride == first.uses.stride;
  });
  return *last;
}

Trials trials_of(const Plan& plan, const std::vector<PlannedCase>& cases) {
  Trials out;
  if (cases.empty() || cases.front().target->is_gpu()) return out;
  if (std::ranges::none_of(cases, is_searched) || cases.front().program == nullptr) return out;
  const auto* content = std::get_if<compile::CompileRequest>(&plan.task.submission.content);
  if (content == nullptr) return out;
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
  if (program == nullptr) return out;
  std::size_t instructions = 0;
  for (const auto& function : program->ptx.module().functions) {
    instructions += function.instructions.size();
  }
  if (instructions > kMostInstructions) return out;
  if (fails_only_beyond_floats(cases)) {
    const auto line = float_line(program->ptx.module(), program->file);
    if (line != 0) out.repair = Repair{CauseId::kFloatIndex, line};
    return out;
  }
  Search search(plan, cases, *program);
  const auto barriers = search.try_barriers();
  out.barrier_before = barriers.before;
  if (barriers.unordered) {
    out.no_barrier_helps = true;
    out.repair = Repair{CauseId::kRace, *barriers.unordered};
  }
  const auto found = search.repairs();
  if (!found.empty()) {
    const auto& best = best_of(found);
    const bool is_exact = best.kind == EditKind::kComparison || best.kind == EditKind::kOffset;
    out.repair = Repair{cause_of(best), best.line, is_exact};
  }
  return out;
}

}  // namespace

Trials find_repair(const Plan& plan, const std::vector<PlannedCase>& cases) {
  // The verdict stands if the compiler fails or takes too long without optimization.
  try {
    return trials_of(plan, cases);
  } catch (const base::ToolError&) {
    return {};
  } catch (const base::UsageError&) {
    return {};
  }
}

}  // namespace warpgrade::grader::grade
