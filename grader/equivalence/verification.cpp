// SPDX-License-Identifier: Apache-2.0
#include "grader/equivalence/verification.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "common/base/error.h"
#include "common/base/text.h"
#include "common/compile/compiler.h"
#include "common/compile/instances.h"
#include "common/compile/program.h"
#include "common/compile/ptx_file.h"
#include "common/compile/signature.h"
#include "common/measure/sim_bench.h"
#include "common/ptx/module.h"
#include "common/run/runner.h"
#include "common/verify/element.h"
#include "common/verify/values.h"
#include "grader/cases/reference.h"
#include "grader/cases/sized_case.h"
#include "grader/cases/submission.h"
#include "grader/course/launch_reader.h"
#include "grader/equivalence/parameters.h"
#include "grader/profile/prepared_launches.h"
#include "grader/report/verification_report.h"
#include "grader/text/messages.h"

namespace warpgrade::grader::equivalence {
namespace {

using report::Equivalence;

// Limits in units of work (common/sim/micro_op.h). All cases together do about the work of a grade.
constexpr std::uint64_t kAllWork = std::uint64_t{1} << 32;
constexpr std::uint64_t kCaseWork = std::uint64_t{1} << 30;
// A new kernel that does so many times the work of the old one is called a runaway.
constexpr std::uint64_t kMostTimes = 64;
constexpr std::uint64_t kSpareWork = std::uint64_t{1} << 24;
// A case may have this many bytes in its buffers: both kernels need copies.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 29;
constexpr std::size_t kMostConstants = 64;
constexpr std::size_t kMostReductions = 48;
// The largest integer in the code that may be meant as a size.
constexpr std::uint64_t kLargestConstant = std::uint64_t{1} << 31;

// One of the two kernels, compiled.
struct Loaded {
  compile::Program program;
  const compile::Kernel* kernel = nullptr;
};

using Faults = std::vector<base::Diagnostic>;

// Compiles one side. `option` names its kernel.
std::variant<Loaded, Faults> load(const Side& side, const Asked& asked, std::string architecture,
                                  const std::string& option, report::VerifiedKernel& shown) {
  shown.file = side.file.string();
  auto bytes = compile::read_source_bytes(side.file);
  shown.sha256 = base::sha256_hex(bytes);
  const bool is_ptx = compile::is_ptx_file(side.file);
  auto source = compile::source_of(side.file, std::move(bytes));
  if (auto* wrong = std::get_if<Faults>(&source)) return std::move(*wrong);
  auto request = std::get<compile::CompileRequest>(std::move(source));
  request.architecture = std::move(architecture);
  request.include_folders = asked.include_folders;
  request.options = asked.compiler_options;
  if (!is_ptx) {
    request.instantiations =
        compile::instances_for(request.source, side.kernel.empty() ? std::vector<std::string>()
                                                                   : std::vector{side.kernel});
  }
  shown.source = request.source;
  auto compiled =
      is_ptx ? compile::read_ptx_file(side.file, request.architecture) : compile::compile(request);
  if (auto* wrong = std::get_if<Faults>(&compiled)) return std::move(*wrong);
  Loaded out{std::get<compile::Program>(std::move(compiled)), nullptr};
  const auto name =
      side.kernel.empty() ? compile::only_kernel(out.program, option).signature : side.kernel;
  const auto found = compile::find_kernel(out.program, name);
  if (const auto* wrong = std::get_if<base::Diagnostic>(&found)) return Faults{*wrong};
  const auto& kernel = *std::get<const compile::Kernel*>(found);
  shown.signature = kernel.signature;
  shown.resources = kernel.resources;
  out.kernel = &kernel;  // A move of the program does not move its kernels.
  return out;
}

// The element type in the notation of --arg for a canonical C++ type; empty for others.
std::string_view short_type(const std::string& type) {
  if (type == "bool") return "bool";
  const auto element = course::element_of(type == "__half" ? "half" : type);
  return element ? verify::name_of(*element) : std::string_view();
}

// The --arg for a parameter of this type. `count` is the number of elements of a buffer.
std::string example_argument(std::string type, const std::string& name, const std::string& count) {
  const bool is_pointer = type.ends_with('*');
  if (is_pointer) type.pop_back();
  constexpr std::string_view kConst = " const";
  const bool is_input = type.ends_with(kConst);
  if (is_input) type.resize(type.size() - kConst.size());
  const auto shown = short_type(type);
  if (is_pointer) {
    return fmt::format("{}:{}:{}", is_input ? "in" : "out", shown.empty() ? "f32" : shown, count);
  }
  const bool is_size = !name.empty();
  const auto value = is_size ? name : shown == "f32" || shown == "f64" ? "1.5" : "1";
  return fmt::format("{}:{}", shown.empty() ? "i32" : shown, value);
}

// The types of the parameters. An extern "C" kernel has no types, only sizes: then types of these
// sizes.
std::vector<std::string> types_of(const compile::Kernel& kernel) {
  auto out = compile::parse_signature(kernel.signature).parameters;
  if (!out.empty()) return out;
  for (const auto& parameter : kernel.parameters) {
    const bool is_double = parameter.is_float && parameter.size_bytes == 8;
    out.emplace_back(is_double                   ? "double"
                     : parameter.is_float        ? "float"
                     : parameter.size_bytes == 8 ? "float*"
                                                 : "int");
  }
  return out;
}

// The reason why `fresh` cannot be called with the arguments of `old`; empty if it can.
std::string wrong_parameters(const compile::Kernel& fresh, const compile::Kernel& old,
                             bool names_both) {
  const auto is_extern_c = [](const compile::Kernel& one) {
    return one.signature.find('(') == std::string::npos;
  };
  const auto types = [](const compile::Kernel& one) {
    return compile::parse_signature(one.signature).parameters;
  };
  const bool same_layout = fresh.parameters == old.parameters;
  const bool same_types = names_both || is_extern_c(fresh) || is_extern_c(old) ||
                          std::ranges::equal(types(fresh), types(old), compile::is_same_type);
  if (same_layout && same_types) return {};
  return fmt::format("the parameters of {} differ from those of {}{}", fresh.signature,
                     old.signature,
                     same_layout ? "; name both kernels, by --kernel and --old-kernel, if that is "
                                   "meant"
                                 : "");
}

// The numbers that the code of both kernels contains.
struct Constants {
  std::set<std::uint64_t> integers;  // Their bits; negative ones have 64.
  std::set<double> floats;
};

void add_constants(const ptx::Operand& operand, Constants& out) {
  for (const auto& element : operand.elements) add_constants(element, out);
  if (operand.kind != ptx::Operand::Kind::kImmediate) return;
  if (operand.number == ptx::Operand::Number::kFloat64) {
    double value = 0;
    std::memcpy(&value, &operand.bits, sizeof value);
    if (std::isfinite(value)) out.floats.insert(value);
  } else if (operand.number == ptx::Operand::Number::kFloat32) {
    float value = 0;
    std::memcpy(&value, &operand.bits, sizeof value);
    if (std::isfinite(value)) out.floats.insert(value);
  } else if (operand.bits >= 2) {
    out.integers.insert(operand.bits);
  }
}

void add_constants(const Loaded& loaded, Constants& out) {
  for (const auto& in : loaded.program.ptx.kernel(loaded.kernel->name).instructions) {
    for (const auto& operand : in.operands) add_constants(operand, out);
  }
}

// Puts numbers of the code, and their neighbours, into a quarter of the elements of `buffer`. An
// integer is also the bits of a float, because code can compare those. Integers of a type have its
// extremes, too.
void put_constants(const Constants& constants, verify::ElementType type, std::uint64_t seed,
                   run::Buffer& buffer) {
  const std::vector<double> floats(constants.floats.begin(), constants.floats.end());
  std::vector<std::uint64_t> integers(constants.integers.begin(), constants.integers.end());
  const auto size = verify::size_of(type);
  if (!verify::is_float(type)) {
    integers.insert(integers.end(), {0, std::uint64_t{1} << (8 * size - 1)});
  }
  const auto count = floats.size() + integers.size();
  if (count == 0) return;
  const verify::Mixer mixer(seed, 0xc0);
  for (std::size_t i = 0; i < buffer.bytes.size() / size; ++i) {
    const auto bits = mixer(i);
    if (bits % 4 != 0) continue;
    const auto pick = (bits >> 8) % count;
    const auto side = static_cast<int>((bits >> 4) % 3) - 1;
    const bool is_negated = (bits >> 6 & 1) != 0;
    auto* const at = buffer.bytes.data() + i * size;
    const auto integer = pick < floats.size() ? 0 : integers[pick - floats.size()];
    if (pick >= floats.size() && (!verify::is_float(type) || (bits >> 7 & 1) != 0)) {
      const auto near = integer + static_cast<std::uint64_t>(side);
      const auto word = is_negated ? 0 - near : near;
      std::memcpy(at, &word, size);
      continue;
    }
    auto value = pick < floats.size() ? floats[pick]
                                      : static_cast<double>(static_cast<std::int64_t>(integer));
    if (!verify::is_float(type)) {
      value += side;
    } else if (type == verify::ElementType::kF64) {
      if (side != 0) value = std::nextafter(value, side * HUGE_VAL);
    } else if (side != 0) {
      value = std::nextafter(static_cast<float>(value), static_cast<float>(side) * HUGE_VALF);
    }
    const auto encoded = text::encode(type, is_negated ? -value : value);
    if (encoded) std::copy(encoded->begin(), encoded->end(), at);
  }
}

struct PlannedCase {
  text::Variables sizes;
  const InputKind* inputs = nullptr;
  bool is_timed = false;
};

// The outcome of one case.
struct Undecided {
  std::string why;
  Faults faults;
  bool is_limit = false;  // No further case can be run.
};
struct Differs {
  std::optional<verify::OutputDifference> difference;  // nullopt: see faults
  Faults faults;
  bool in_other_order = false;
};
struct Same {};
using Outcome = std::variant<Same, Differs, Undecided>;

// A kernel's run in one case.
struct Ran {
  measure::Measurement measured;
  std::vector<run::Buffer> after;
  std::string not_simulated;  // Why the simulator cannot run it; empty if it can.
};

bool is_kind(const Faults& faults, base::DiagnosticKind kind) {
  return !faults.empty() &&
         std::ranges::all_of(faults, [&](const auto& one) { return one.kind == kind; });
}

bool is_same_geometry(const run::Launch& a, const run::Launch& b) {
  return a.grid == b.grid && a.block == b.block && a.dynamic_shared_bytes == b.dynamic_shared_bytes;
}

class Verifier {
 public:
  Verifier(const Asked& asked, measure::SimBench& bench, const Loaded& fresh, const Loaded& old,
           report::VerificationReport& report)
      : asked_(asked), bench_(bench), fresh_(fresh), old_(old), report_(report) {
    const auto name = compile::parse_signature(fresh.kernel->signature).name;
    const std::string base(compile::base_name(name));
    parameters_ =
        parse_parameters(asked.arguments, profile::parameter_names(fresh.program.source, base));
    add_constants(fresh, constants_);
    add_constants(old, constants_);
    salt_ = asked.seed ^ cases::input_salt(fresh.program.source) ^
            (cases::input_salt(old.program.source) << 1);
  }

  void run() {
    const auto all = planned_cases();
    report_.planned = all.size();
    std::optional<Undecided> undecided;
    for (const auto& one : all) {
      auto outcome = try_case(one);
      report_.cases.push_back({one.sizes, std::string(one.inputs->name)});
      if (auto* found = std::get_if<Differs>(&outcome)) {
        report_different(one, std::move(*found));
        return;
      }
      auto* open = std::get_if<Undecided>(&outcome);
      if (open == nullptr) continue;
      report_.cases.pop_back();
      const bool is_limit = open->is_limit;
      if (!undecided) {
        open->why = fmt::format("at {}: {}", in_words(one), open->why);
        undecided = std::move(*open);
      }
      if (is_limit) break;
    }
    report_.verdict = undecided ? Equivalence::kUndecided : Equivalence::kEqual;
    if (!undecided) return;
    report_.why = fmt::format("{} of {} cases were compared; {}", report_.cases.size(), all.size(),
                              undecided->why);
    report_.diagnostics = std::move(undecided->faults);
    if (report_.not_measured.empty() && !report_.measured_at) {
      report_.not_measured = "the case for it was not run";
    }
  }

 private:
  static std::string in_words(const PlannedCase& one) {
    return fmt::format("{}{}inputs {}", text::in_words(one.sizes), one.sizes.empty() ? "" : ", ",
                       one.inputs->name);
  }

  std::vector<PlannedCase> planned_cases() const {
    std::vector<std::uint64_t> integers;
    for (const auto value : constants_.integers) {
      if (value <= kLargestConstant) integers.push_back(value);
    }
    const verify::Mixer order(salt_, 7);
    std::ranges::sort(integers, {}, [&](std::uint64_t value) { return order(value); });
    integers.resize(std::min(integers.size(), kMostConstants));
    const bool varies = std::ranges::find(parameters_.varies, true) != parameters_.varies.end();
    std::vector<const InputKind*> kinds;
    for (const auto& kind : input_kinds()) {
      if (asked_.inputs.empty() ? kind.is_given != varies : kind.name == asked_.inputs) {
        kinds.push_back(&kind);
      }
    }
    std::vector<PlannedCase> out;
    const auto sizes = draw_sizes(asked_.sizes, integers, asked_.seed, asked_.cases);
    // If there are few sizes, each has several kinds of inputs.
    const auto count = std::max(sizes.size(), std::min(asked_.cases, kinds.size() * sizes.size()));
    for (std::size_t i = 0; i < count; ++i) {
      const auto round = i / sizes.size();
      const auto* kind = kinds[(i + round) % kinds.size()];
      out.push_back({sizes[i % sizes.size()], kind, false});
      // Zeros hide most differences.
      if (kind->floats == verify::Fill::kZeros && kinds.size() > 1) {
        out.push_back({sizes[i % sizes.size()], kinds.front(), false});
      }
    }
    std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) {
      return product(a.sizes) < product(b.sizes);
    });
    auto limits = asked_.sizes;
    for (auto& limit : limits) {
      const auto at = std::ranges::find(asked_.at, limit.name, &SizeLimits::name);
      if (at != asked_.at.end()) limit = *at;
    }
    out.push_back({largest_sizes(limits), kinds.front(), true});
    return out;
  }

  // Runs a kernel in the order by number, with all checks.
  Ran run_by_number(const Loaded& loaded, const run::Launch& launch,
                    const std::vector<run::Buffer>& before, std::uint64_t limit, bool is_timed,
                    const std::string& what) {
    Ran out;
    out.after = before;
    run::Options options;
    options.block_budget = limit;
    options.launch_budget = limit;
    try {
      out.measured = is_timed ? bench_.measure(loaded.program, launch, out.after, options)
                              : bench_.count(loaded.program, launch, out.after, options);
    } catch (const base::UsageError& error) {
      throw base::UsageError(fmt::format("{}: {}", what, error.what()));
    } catch (const base::ToolError& error) {
      out.not_simulated = error.what();
    }
    work_ += out.measured.result.work;
    return out;
  }

  std::uint64_t left() const { return kAllWork - std::min(kAllWork, work_); }

  // Sets how outputs are compared, after the old kernel's results are known.
  void set_tolerance(const PlannedCase& one, const std::vector<run::Buffer>& right,
                     std::vector<cases::SizedBuffer>& buffers) const {
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      auto& buffer = buffers[i];
      if (!buffer.is_by_element()) continue;
      verify::Tolerance tolerance;
      tolerance.moves_bits = true;  // A NaN of the old kernel is right.
      auto variables = one.sizes;
      variables["largest"] = largest(buffer.type, right[i]);
      if (verify::is_float(buffer.type)) {
        tolerance.ulps = evaluate_count(asked_.ulps, variables);
        tolerance.magnitude = evaluate(asked_.magnitude, variables);
      }
      buffer.comparison = tolerance;
    }
  }

  // The largest finite magnitude of floats.
  static double largest(verify::ElementType type, const run::Buffer& buffer) {
    double out = 0;
    const auto size = verify::size_of(type);
    const auto note = [&](double value) {
      if (std::isfinite(value)) out = std::max(out, std::abs(value));
    };
    for (std::size_t i = 0; i + size <= buffer.bytes.size(); i += size) {
      const auto* at = buffer.bytes.data() + i;
      const auto as = [&]<class T>(T value) {
        std::memcpy(&value, at, sizeof value);
        return value;
      };
      if (type == verify::ElementType::kF16) note(verify::half_to_float(as(std::uint16_t{})));
      if (type == verify::ElementType::kF32) note(as(0.0F));
      if (type == verify::ElementType::kF64) note(as(0.0));
    }
    return out;
  }

  // The first run in another order that has a fault or another result than `expected`.
  std::optional<Differs> differs_in_order(const Loaded& loaded, const run::Launch& launch,
                                          const Ran& ran, const cases::Expected& expected,
                                          const std::vector<cases::SizedBuffer>& buffers) {
    const auto seeds =
        cases::schedule_seeds(asked_.seed, ran.measured, cases::kMostGradedInstructions);
    auto runs = bench_.run_in_schedules(loaded.program, launch, expected.before, ran.measured,
                                        seeds, left());
    for (auto& run : runs) {
      work_ += run.work;
      if (!run.diagnostics.empty()) return Differs{std::nullopt, std::move(run.diagnostics), true};
      if (auto difference = first_difference(buffers, expected, run.buffers)) {
        return Differs{std::move(difference), {}, true};
      }
    }
    return std::nullopt;
  }

  static Undecided out_of_work() {
    return {"the limit on work is reached; permit smaller sizes only, or fewer --cases", {}, true};
  }

  Outcome try_case(const PlannedCase& one) {
    const auto parameters = with_inputs(parameters_, *one.inputs);
    auto buffers = cases::size_buffers(parameters, one.sizes);
    std::uint64_t bytes = 0;
    for (const auto& buffer : buffers) {
      if (buffer.elements() == 0) {
        throw base::UsageError(
            fmt::format("--arg: `{}` has no element at {}: a buffer has at "
                        "least one",
                        buffer.name, text::in_words(one.sizes)));
      }
      bytes += buffer.bytes();
    }
    if (bytes > kMostBytes || left() == 0) return out_of_work();
    const auto seed = cases::contents_seed("verify", in_words(one), salt_);
    cases::Expected expected;
    expected.before = make_buffers(buffers, seed);
    if (one.inputs->has_constants) {
      for (std::size_t i = 0; i < buffers.size(); ++i) {
        if (parameters_.varies[i]) {
          put_constants(constants_, buffers[i].type, seed + i, expected.before[i]);
        }
      }
    }
    const auto launch_of = [&](const Side& side, const Loaded& loaded) {
      return cases::make_launch(parameters, side.geometry, loaded.kernel->name, one.sizes);
    };
    const auto at = " at " + text::in_words(one.sizes);
    const auto old_limit = std::min(left(), kCaseWork);
    const auto old_launch = launch_of(asked_.old, old_);
    auto old = run_by_number(old_, old_launch, expected.before, old_limit, one.is_timed,
                             "the old kernel" + at);
    if (!old.not_simulated.empty()) {
      return Undecided{"the simulator cannot run the old kernel: " + old.not_simulated, {}, false};
    }
    auto& old_faults = old.measured.result.diagnostics;
    if (is_kind(old_faults, base::DiagnosticKind::kRunaway)) return out_of_work();
    if (!old_faults.empty()) {
      return Undecided{
          "the old kernel fails itself. Give limits on sizes, or a fill of its "
          "inputs, for which it is right",
          std::move(old_faults), false};
    }
    expected.after = old.after;
    set_tolerance(one, expected.after, buffers);
    if (auto wrong = differs_in_order(old_, old_launch, old, expected, buffers)) {
      return Undecided{
          wrong->faults.empty()
              ? fmt::format("the old kernel's own result depends on the order of warps and blocks "
                            "({}). If floats may differ by rounding, pass --ulps",
                            wrong->difference->text)
              : "the old kernel fails in another order of warps and blocks",
          std::move(wrong->faults), false};
    }
    const auto wanted = kSpareWork + kMostTimes * old.measured.result.work;
    const auto limit = std::min(left(), wanted);
    const auto launch = launch_of(asked_.fresh, fresh_);
    Ran fresh;
    try {
      fresh = run_by_number(fresh_, launch, expected.before, limit, one.is_timed,
                            "the new kernel" + at);
    } catch (const base::UsageError& error) {
      // A launch that suits the old kernel is right, so the new kernel is at fault.
      if (!is_same_geometry(launch, old_launch)) throw;
      return Differs{
          std::nullopt, {compile::compile_error(report_.fresh.file, 0, 0, error.what())}, false};
    }
    if (!fresh.not_simulated.empty()) {
      return Undecided{
          "the simulator cannot run the new kernel: " + fresh.not_simulated, {}, false};
    }
    auto& faults = fresh.measured.result.diagnostics;
    if (is_kind(faults, base::DiagnosticKind::kUnsupported)) {
      return Undecided{"the simulator cannot run the new kernel", std::move(faults), false};
    }
    if (is_kind(faults, base::DiagnosticKind::kRunaway) && limit < wanted) return out_of_work();
    if (!faults.empty()) return Differs{std::nullopt, std::move(faults), false};
    if (auto difference = first_difference(buffers, expected, fresh.after)) {
      return Differs{std::move(difference), {}, false};
    }
    if (auto wrong = differs_in_order(fresh_, launch, fresh, expected, buffers)) {
      return *std::move(wrong);
    }
    if (report_.warnings.empty()) report_.warnings = fresh.measured.result.warnings;
    if (one.is_timed) {
      report_.measured_at = one.sizes;
      report_.old.measured = std::move(old.measured);
      report_.fresh.measured = std::move(fresh.measured);
    }
    return Same{};
  }

  // Looks for a smaller case that differs, and reports the smallest.
  void report_different(PlannedCase one, Differs found) {
    std::size_t tries = 0;
    bool is_smaller = true;
    while (is_smaller && tries < kMostReductions) {
      is_smaller = false;
      for (auto& sizes : smaller_sizes(asked_.sizes, one.sizes)) {
        if (++tries > kMostReductions || left() == 0) break;
        auto outcome = try_case({sizes, one.inputs, false});
        auto* still = std::get_if<Differs>(&outcome);
        if (still == nullptr) continue;
        one.sizes = std::move(sizes);
        found = std::move(*still);
        is_smaller = true;
        break;
      }
    }
    report_.verdict = Equivalence::kDifferent;
    report_.diagnostics = std::move(found.faults);
    report_.counterexample = report::Counterexample{
        {one.sizes, std::string(one.inputs->name)}, found.in_other_order, found.difference, {}};
    report_.measured_at.reset();
    report_.not_measured = "the kernels differ";
  }

  const Asked& asked_;
  measure::SimBench& bench_;
  const Loaded& fresh_;
  const Loaded& old_;
  report::VerificationReport& report_;
  Parameters parameters_;
  Constants constants_;
  std::uint64_t salt_ = 0;
  std::uint64_t work_ = 0;
};

}  // namespace

ExampleCall example_call(const Side& side, const Asked& asked, std::string architecture) {
  report::VerifiedKernel shown;
  const auto loaded = load(side, asked, std::move(architecture), "--kernel", shown);
  const auto* found = std::get_if<Loaded>(&loaded);
  if (found == nullptr) return {};
  const auto& kernel = *found->kernel;
  const auto types = types_of(kernel);
  const auto name = compile::parse_signature(kernel.signature).name;
  auto names = profile::parameter_names(found->program.source, name);
  names.resize(types.size());
  std::vector<std::string> sizes;
  for (std::size_t i = 0; i < types.size(); ++i) {
    const bool is_integer =
        short_type(types[i]).starts_with('i') || short_type(types[i]).starts_with('u');
    if (is_integer && !names[i].empty()) {
      sizes.push_back(names[i]);
    } else {
      names[i].clear();
    }
  }
  if (sizes.empty()) sizes.emplace_back("n");
  ExampleCall out{kernel.signature, {}};
  const bool is_plane = sizes.size() > 1;
  std::string count;
  for (const auto& size : sizes) {
    out.options += fmt::format(" --size {}=1..{}", size, is_plane ? 100 : 1000);
    count += (count.empty() ? "" : " * ") + size;
  }
  out.options += is_plane ? fmt::format(" --grid 'ceil_div({}, 32),ceil_div({}, 8)' --block 32,8",
                                        sizes[0], sizes[1])
                          : fmt::format(" --grid 'ceil_div({}, 256)' --block 256", sizes[0]);
  for (std::size_t i = 0; i < types.size(); ++i) {
    out.options += " --arg " + text::shell_word(example_argument(types[i], names[i], count));
  }
  return out;
}

report::VerificationReport verify(const Asked& asked, measure::SimBench& bench) {
  report::VerificationReport report;
  const auto& profile = bench.profile();
  report.device = profile.name;
  report.seed = asked.seed;
  if (asked.ulps.text() != "0") {
    report.tolerance = fmt::format("{} ULPs{}", asked.ulps.text(),
                                   asked.magnitude.text() == "0"
                                       ? ""
                                       : fmt::format(" of at least {}", asked.magnitude.text()));
  }
  if (!asked.inputs.empty()) input_kind(asked.inputs);
  const std::string architecture(profile.architecture);
  auto old = load(asked.old, asked, architecture, "--old-kernel", report.old);
  if (auto* wrong = std::get_if<Faults>(&old)) {
    report.warnings = compile::take_warnings(*wrong);
    report.why = "the old kernel cannot be compiled";
    report.diagnostics = std::move(*wrong);
    return report;
  }
  auto fresh = load(asked.fresh, asked, architecture, "--kernel", report.fresh);
  if (auto* wrong = std::get_if<Faults>(&fresh)) {
    report.warnings = compile::take_warnings(*wrong);
    const bool is_ours = is_kind(*wrong, base::DiagnosticKind::kUnsupported);
    report.verdict = is_ours ? Equivalence::kUndecided : Equivalence::kDifferent;
    if (is_ours) report.why = "the new kernel cannot be simulated";
    report.diagnostics = std::move(*wrong);
    return report;
  }
  const auto& old_kernel = std::get<Loaded>(old);
  const auto& new_kernel = std::get<Loaded>(fresh);
  const auto wrong = wrong_parameters(*new_kernel.kernel, *old_kernel.kernel, asked.names_both);
  if (!wrong.empty()) {
    report.verdict = Equivalence::kDifferent;
    report.diagnostics = {compile::compile_error(report.fresh.file, 0, 0, wrong)};
    return report;
  }
  Verifier(asked, bench, new_kernel, old_kernel, report).run();
  return report;
}

}  // namespace warpgrade::grader::equivalence
