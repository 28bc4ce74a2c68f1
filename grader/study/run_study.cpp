// SPDX-License-Identifier: Apache-2.0
#include "grader/study/run_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "common/base/error.h"
#include "common/base/finding_text.h"
#include "common/compile/compiler.h"
#include "common/measure/model_launch.h"
#include "common/measure/sim_bench.h"
#include "common/memory/shared_banks.h"
#include "common/sim/memory/sparse_buffer.h"
#include "grader/cases/sized_case.h"
#include "grader/cases/submission.h"
#include "grader/cases/work_ahead.h"
#include "grader/profile/profiling.h"
#include "grader/study/study_result.h"

namespace warpgrade::grader::study {
namespace {

using State = Run::State;

// Limit on the units of work (common/sim/micro_op.h) of a block: far beyond any study, and soon
// reached by an endless loop.
constexpr std::uint64_t kBlockBudget = std::uint64_t{1} << 30;

// Clocks that L1's stages work for each load of a launch of one block.
double l1_clocks(const measure::Measurement& measured, const device::Profile& profile) {
  double seconds = 0;
  for (const auto& share : measured.shares) {
    const bool is_l1 =
        share.resource == timing::Bound::kL1Data || share.resource == timing::Bound::kTagLookups;
    if (is_l1) seconds += share.seconds;
  }
  const auto loads = measured.metrics.find("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum");
  return loads == measured.metrics.end() || loads->second == 0
             ? 0
             : seconds * profile.sm.clock_hz / loads->second;
}

bool runs_at(const Kernel& kernel, const text::Variables& variables) {
  return !kernel.when || evaluate(*kernel.when, variables) != 0;
}

std::optional<double> wavefronts_by_rule(const BankRule& rule, const device::Profile& profile,
                                         text::Variables variables) {
  std::array<std::uint64_t, memory::kLanes> addresses{};
  memory::Request request{addresses.data(), ~std::uint32_t{0}, 0};
  for (std::uint32_t lane = 0; lane < memory::kLanes; ++lane) {
    variables["lane"] = lane;
    addresses.at(lane) = evaluate_count(rule.address, variables);
  }
  request.bytes = static_cast<std::uint32_t>(evaluate_count(rule.bytes, variables));
  return memory::shared_access(profile.rules.shared_banks, request).wavefronts;
}

class StudyRunner {
 public:
  StudyRunner(const Study& study, const Tools& services) : services_(services) {
    result_.study = &study;
    for (const auto& part : study.parts) {
      all_ += part.devices.size() * part.kernels.size() * part.values.size();
      begin_compilations(part);
    }
    for (const auto& access : study.accesses) services_.compilations->begin(request_for(access));
  }

  Result run() {
    for (const auto& part : result_.study->parts) {
      auto& out = result_.parts.emplace_back();
      out.part = &part;
      out.runs.resize(part.devices.size() * part.kernels.size() * part.values.size());
      for (const auto& point : out.points()) {
        if (services_.progress) services_.progress(done_, all_);
        run_point(out, point);
        ++done_;
      }
    }
    if (services_.progress) services_.progress(done_, all_);
    for (const auto& access : result_.study->accesses) run_access(access);
    return std::move(result_);
  }

 private:
  static compile::CompileRequest read_file(const Kernel& kernel) {
    auto source = compile::read_source(kernel.file);
    if (const auto* wrong = std::get_if<std::vector<base::Diagnostic>>(&source)) {
      throw base::UsageError(fmt::format("{}: {}", kernel.shown_file, base::text(wrong->front())));
    }
    auto request = std::get<compile::CompileRequest>(std::move(source));
    request.file = kernel.shown_file;
    return request;
  }

  // The file of `kernel` with all instances that its part needs of it, so it compiles once.
  static compile::CompileRequest request_for(const Part& part, const Kernel& kernel) {
    auto request = read_file(kernel);
    std::set<std::string> names;
    for (const auto& other : part.kernels) {
      if (other.file != kernel.file) continue;
      for (const auto value : part.values) {
        const auto variables = part.variables_at(value, other);
        if (!runs_at(other, variables)) continue;
        const auto name = course::kernel_name(other.kernel, variables);
        if (name.find('<') != std::string::npos) names.insert(name);
      }
    }
    request.instantiations.assign(names.begin(), names.end());
    return request;
  }

  void begin_compilations(const Part& part) {
    for (const auto& device : part.devices) {
      for (const auto& kernel : part.kernels) {
        auto request = request_for(part, kernel);
        request.architecture = services_.bench(device).profile().architecture;
        services_.compilations->begin(request);
      }
    }
  }

  void run_point(PartResult& out, const PointIndex& point) {
    const auto& part = *out.part;
    const auto& kernel = part.kernels[point.kernel];
    const auto variables = part.variables_at(part.values[point.value], kernel);
    auto& run = out.at(point);
    if (!runs_at(kernel, variables)) return;
    run.state = State::kFailed;
    auto& bench = services_.bench(part.devices[point.device]);
    const auto name = course::kernel_name(kernel.kernel, variables);
    if (failed_.contains({kernel.shown_file, name})) return;

    auto request = request_for(part, kernel);
    request.architecture = bench.profile().architecture;
    if (const auto found = find(request, kernel, name)) {
      measure(bench, *found->program, *found->kernel, out, point, variables);
    }
  }

  struct Compiled {
    const compile::Program* program;
    const compile::Kernel* kernel;
  };

  // The kernel called `name`; nullopt if it does not compile or is not there, which is noted.
  std::optional<Compiled> find(const compile::CompileRequest& request, const Kernel& kernel,
                               const std::string& name) {
    const auto& compiled = services_.compilations->get(request);
    if (const auto* wrong = std::get_if<std::vector<base::Diagnostic>>(&compiled)) {
      fail(kernel, name, wrong->front(), request.source);
      return std::nullopt;
    }
    const auto& program = std::get<compile::Program>(compiled);
    const auto found = compile::find_kernel(program, name);
    if (const auto* wrong = std::get_if<base::Diagnostic>(&found)) {
      fail(kernel, name, *wrong, request.source);
      return std::nullopt;
    }
    return Compiled{&program, std::get<const compile::Kernel*>(found)};
  }

  compile::CompileRequest request_for(const AccessPicture& picture) const {
    auto request = read_file(picture.kernel);
    request.architecture = services_.bench(picture.device).profile().architecture;
    return request;
  }

  void run_access(const AccessPicture& picture) {
    const auto& kernel = picture.kernel;
    const auto found = find(request_for(picture), kernel, kernel.kernel);
    if (!found) return;
    auto buffers = make_buffers(cases::size_buffers(kernel.parameters, {}),
                                cases::contents_seed(picture.title, "", cases::kDefaultSeed));
    const auto launch =
        cases::make_launch(kernel.parameters, kernel.launch, found->kernel->name, {});
    AccessRecorder recorder(picture);
    auto options = limited();
    options.observers.push_back(&recorder);
    auto& bench = services_.bench(picture.device);
    const auto measured = bench.measure(*found->program, launch, buffers, options);
    if (!measured.result.diagnostics.empty()) {
      return fail(kernel, kernel.kernel, measured.result.diagnostics.front(),
                  found->program->source);
    }
    result_.accesses.push_back(cells_of(picture, bench.profile(), recorder.accesses()));
  }

  static run::Options limited() {
    run::Options options;
    options.block_budget = kBlockBudget;
    return options;
  }

  // The whole launch, or a sample of its blocks with the time only if they represent the others.
  static measure::Measurement measured(measure::SimBench& bench, const compile::Program& program,
                                       const compile::Kernel& compiled, const run::Launch& launch,
                                       const Part& part, const Kernel& kernel,
                                       const text::Variables& variables) {
    const auto sized = cases::size_buffers(kernel.parameters, variables);
    const auto seed = cases::contents_seed(part.id, "", cases::kDefaultSeed);
    const auto whole = [&] {
      auto buffers = make_buffers(sized, seed);
      return bench.measure(program, launch, buffers, limited());
    };
    if (!part.sampled) return whole();
    auto buffers = sim::sparse_buffers(make_patterns(sized, seed));
    auto sample = bench.measure_sample(program, compiled, launch, buffers, limited(),
                                       cases::kDefaultSeed, measure::SampleUse::kTime);
    if (!sample.time.is_even && !sample.is_drawn_widely) return whole();
    measure::Measurement out;
    out.result = std::move(sample.result);
    out.seconds = sample.time.seconds;
    out.bound_by = sample.time.bound_by;
    return out;
  }

  void measure(measure::SimBench& bench, const compile::Program& program,
               const compile::Kernel& compiled, PartResult& out, const PointIndex& point,
               const text::Variables& variables) {
    const auto& part = *out.part;
    const auto& kernel = part.kernels[point.kernel];
    auto& run = out.at(point);
    const auto launch =
        cases::make_launch(kernel.parameters, kernel.launch, compiled.name, variables);
    run.note = measure::does_not_fit(bench.profile(), compiled, launch);
    if (!run.note.empty()) {
      run.state = State::kDoesNotFit;
      return;
    }
    measure::Measurement found;
    try {
      profile::check_geometry(launch, bench.profile());
      found = measured(bench, program, compiled, launch, part, kernel, variables);
    } catch (const base::UsageError& error) {
      throw base::UsageError(fmt::format("kernel `{}`: {}", kernel.id, error.what()));
    }
    if (!found.result.diagnostics.empty()) {
      return fail(kernel, course::kernel_name(kernel.kernel, variables),
                  found.result.diagnostics.front(), program.source);
    }
    run.state = State::kDone;
    run.seconds = found.seconds;
    run.bound_by = found.bound_by;
    if (kernel.bytes) run.bytes = evaluate(*kernel.bytes, variables);
    if (part.quantity == Quantity::kFraction && part.baseline == kCopyBaseline) {
      run.copy_seconds = bench.copy_seconds(static_cast<std::uint64_t>(run.bytes));
    }
    const auto metric = found.metrics.find(part.metric);
    if (metric != found.metrics.end()) run.metric = metric->second;
    if (part.quantity == Quantity::kL1Clocks) run.metric = l1_clocks(found, bench.profile());
    if (part.rule) run.rule = wavefronts_by_rule(*part.rule, bench.profile(), variables);
  }

  void fail(const Kernel& kernel, const std::string& name, const base::Diagnostic& diagnostic,
            const std::string& source) {
    if (!failed_.insert({kernel.shown_file, name}).second) return;
    if (diagnostic.kind != base::DiagnosticKind::kUnsupported) result_.only_unsupported = false;
    const auto& called = kernel.id.empty() ? name : kernel.id;
    result_.diagnostics.push_back(
        fmt::format("kernel `{}`: {}", called, base::render(diagnostic, source)));
  }

  const Tools& services_;
  Result result_;
  std::set<std::pair<std::string, std::string>> failed_;  // File and kernel.
  std::size_t done_ = 0;
  std::size_t all_ = 0;
};

}  // namespace

Result run_study(const Study& study, const Tools& services) {
  return StudyRunner(study, services).run();
}

Result run_simulated(const Study& study,
                     std::function<void(std::size_t done, std::size_t all)> progress) {
  cases::Compilations compilations(compile::compile, std::thread::hardware_concurrency());
  Benches benches;
  return run_study(
      study,
      {&compilations, [&](const Device& device) -> measure::SimBench& { return benches(device); },
       std::move(progress)});
}

measure::SimBench& Benches::operator()(const Device& device) {
  for (const auto& made : made_) {
    if (made->device == device) return *made->bench;
  }
  auto& made = *made_.emplace_back(std::make_unique<Made>());
  made.device = device;
  made.profile = device::find(device.name);
  if (device.eight_byte_banks) made.profile.rules.shared_banks = device::SharedBanks::kKepler64;
  made.bench = measure::sim_bench(made.profile);
  return *made.bench;
}

}  // namespace warpgrade::grader::study
