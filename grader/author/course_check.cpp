// SPDX-License-Identifier: Apache-2.0
#include "grader/author/course_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/error.h"
#include "common/base/text.h"
#include "grader/course/course.h"
#include "grader/course/manifest.h"
#include "grader/grade/grading_session.h"
#include "grader/report/report.h"
#include "grader/text/messages.h"

namespace warpgrade::grader::author {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kHeadLines = 10;
// After the mark of a comment: // in a kernel, # in a file of answers.
constexpr std::string_view kMark = "fails:";
constexpr std::string_view kCauseMark = "cause:";

std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> out;
  std::error_code ignored;
  for (const auto& entry : fs::recursive_directory_iterator(folder, ignored)) {
    if (!entry.is_directory()) out.push_back(entry.path());
  }
  std::sort(out.begin(), out.end());
  return out;
}

// The exercise whose id begins the file's name; the longest, if one id begins another.
const course::Exercise* exercise_of(const course::Lab& lab, const std::string& stem) {
  const course::Exercise* best = nullptr;
  for (const auto& exercise : lab.exercises) {
    const bool fits = stem.starts_with(exercise.id + "_");
    if (fits && (best == nullptr || exercise.id.size() > best->id.size())) best = &exercise;
  }
  return best;
}

void check_stray(const course::Course& course, const fs::path& folder,
                 const std::set<fs::path>& known, std::vector<std::string>& findings) {
  for (const auto& file : files_below(folder)) {
    if (known.contains(file)) continue;
    findings.push_back(fmt::format("{}: a stray file: it belongs to no exercise",
                                   base::escape_controls(shown_path(course, file))));
  }
}

void add_wrong(const course::Course& course, const course::Lab& lab, const fs::path& file,
               std::vector<Expectation>& out, std::vector<std::string>& findings) {
  const auto shown = shown_path(course, file);
  const auto* exercise = exercise_of(lab, file.stem().string());
  if (exercise == nullptr) {
    findings.push_back(fmt::format("{}: the name must begin with an exercise's id and _", shown));
    return;
  }
  try {
    const auto claim = read_claim(read(file), shown);
    if (claim) {
      out.push_back({Expectation::Kind::kWrong,
                     {&lab, exercise, cases::read_submission(file, shown)},
                     *claim});
    } else {
      findings.push_back(fmt::format("{}: no line `{} {} REASON` in its head", shown,
                                     file.extension() == ".cu" ? "//" : "#", kMark));
    }
  } catch (const base::UsageError& error) {
    findings.emplace_back(error.what());
  }
}

void add_lab(const course::Course& course, const course::Lab& lab, std::vector<Expectation>& out,
             std::vector<std::string>& findings) {
  const auto solutions = course.root / "solutions" / lab.id;
  std::set<fs::path> known = {lab.folder / "grader.toml", lab.folder / "reference.cu",
                              lab.folder / course::kSkeletonValuesFile};
  for (const auto& folder : lab.include_folders) {
    for (const auto& file : files_below(folder)) {
      known.insert(lab.folder / file.lexically_relative(fs::weakly_canonical(lab.folder)));
    }
  }
  std::set<fs::path> known_solutions;
  for (const auto& exercise : lab.exercises) {
    const course::Selected selected{&lab, &exercise};
    for (const auto kind : {Expectation::Kind::kSkeleton, Expectation::Kind::kSolution}) {
      const bool skeleton = kind == Expectation::Kind::kSkeleton;
      auto task =
          skeleton ? grade::student_task(course, selected) : grade::solution_task(course, selected);
      (skeleton ? known : known_solutions).insert(task.submission.file);
      if (!fs::is_regular_file(task.submission.file)) {
        findings.push_back(fmt::format("{}: missing", task.submission.shown));
        continue;
      }
      out.push_back({kind, std::move(task), {}});
    }
  }
  for (const auto& file : files_below(solutions / "wrong")) {
    if (file.extension() != ".cu" && file.extension() != ".toml") continue;
    known_solutions.insert(file);
    add_wrong(course, lab, file, out, findings);
  }
  // Kernels with launches of their own, which no gate grades: tests/labs holds them to be right.
  for (const auto& file : files_below(solutions / "further")) {
    if (file.extension() == ".cu") known_solutions.insert(file);
  }
  check_stray(course, lab.folder, known, findings);
  check_stray(course, solutions, known_solutions, findings);
}

// Whether a value in skeletons.toml agrees with the measured one: counters exactly, fractions in
// the two digits that reports show. With a GPU the inputs are random, and so are counters that
// depend on them. With random columns of a sparse matrix they differ by less than 0.1 %.
bool agrees_with(double said, double measured, bool is_random) {
  const bool is_count = measured == std::floor(measured);
  const double tolerance = !is_count ? 0.005 : is_random ? 0.005 * measured : 0;
  return std::abs(said - measured) <= tolerance;
}

// The value of a gate that the skeleton reaches; nullopt if its result is wrong.
std::optional<double> measured_on_skeleton(const report::ExerciseReport& report,
                                           const report::Gate& gate) {
  return report.correct ? gate.value() : std::nullopt;
}

std::string wrong_skeleton_value(const report::ExerciseReport& report) {
  constexpr std::string_view kRemedy = "run `warpgrade check --write`";
  const bool is_random = std::ranges::any_of(
      report.gates, [](const auto& gate) { return gate.backend == run::Backend::kGpu; });
  for (const auto& gate : report.gates) {
    // The file holds simulated values.
    if (gate.backend == run::Backend::kGpu) continue;
    const auto measured = measured_on_skeleton(report, gate);
    const auto& said = gate.definition.skeleton;
    if (said && !measured) {
      return fmt::format("gate `{}`: {} has {}, but {}; {}", gate.definition.id,
                         course::kSkeletonValuesFile, *said,
                         report.correct ? "nothing was measured" : "its result is wrong", kRemedy);
    }
    if (measured && !(said && agrees_with(*said, *measured, is_random))) {
      return fmt::format("gate `{}`: {} has {}, but {} was measured; {}", gate.definition.id,
                         course::kSkeletonValuesFile, said ? fmt::format("{}", *said) : "no value",
                         *measured, kRemedy);
    }
  }
  return {};
}

// Speed is easy to reach by a copy that does nothing new, so its points need work.
std::string rewarded_speed(const report::ExerciseReport& report) {
  const auto fails = [&](const std::string& id) {
    return std::ranges::any_of(report.gates, [&](const report::Gate& other) {
      return other.definition.id == id && other.has_failed();
    });
  };
  for (const auto& gate : report.gates) {
    const bool is_free = gate.definition.judges_time() && gate.definition.points > 0 &&
                         !gate.waiver && gate.has_passed() &&
                         std::ranges::none_of(gate.definition.needs, fails);
    if (!is_free) continue;
    return fmt::format(
        "the skeleton passes gate `{}`, which has points: raise its bound, or let it need a gate "
        "that the skeleton fails",
        gate.definition.id);
  }
  return {};
}

// Reports wrong values first: a skeleton earns points only if its values are unknown.
std::string broken_skeleton(const report::ExerciseReport& report) {
  if (report.reason == report::Reason::kCompile) return "the skeleton does not compile";
  if (auto wrong = wrong_skeleton_value(report); !wrong.empty()) return wrong;
  if (report.verdict != report::Verdict::kFail) {
    return fmt::format("a skeleton must fail, but the verdict is {}", name(report.verdict));
  }
  if (report.points != 0) {
    return fmt::format("a skeleton must earn nothing, but earns {} of {} points", report.points,
                       report.max_points);
  }
  return rewarded_speed(report);
}

}  // namespace

// Adds `cause: ID line=N`, which may be in any line of the head.
static void add_cause(std::string_view source, const std::string& shown, Claim& claim) {
  for (std::uint32_t number = 1; number <= kHeadLines; ++number) {
    auto line = base::line_of(source, number);
    line.remove_prefix(line.starts_with("// ") ? 3 : 0);
    if (!line.starts_with(kCauseMark)) continue;
    const auto fail = [&](const std::string& why) {
      throw base::UsageError(
          fmt::format("{}:{}: `{}`: {}", shown, number, base::escape_controls(line), why));
    };
    std::istringstream words{std::string(line.substr(kCauseMark.size()))};
    std::string word;
    words >> word;
    claim.cause = course::cause_called(word);
    if (!claim.cause) fail(text::not_one_of(word, course::kCauseNames));
    while (words >> word) {
      const auto at = word.starts_with("line=") ? text::parse_count(word.substr(5)) : std::nullopt;
      if (!at) fail(fmt::format("`{}` is not line=NUMBER", base::escape_controls(word)));
      claim.line = static_cast<std::uint32_t>(*at);
    }
    return;
  }
}

std::optional<Claim> read_claim(std::string_view source, const std::string& shown) {
  for (std::uint32_t number = 1; number <= kHeadLines; ++number) {
    auto line = base::line_of(source, number);
    line.remove_prefix(line.starts_with("// ") ? 3 : line.starts_with("# ") ? 2 : 0);
    if (!line.starts_with(kMark)) continue;
    const auto fail = [&](const std::string& why) {
      throw base::UsageError(
          fmt::format("{}:{}: `{}`: {}", shown, number, base::escape_controls(line), why));
    };
    std::istringstream words{std::string(line.substr(kMark.size()))};
    std::string word;
    words >> word;
    Claim out;
    static constexpr std::array kReasons = {report::Reason::kCompile, report::Reason::kDiagnostic,
                                            report::Reason::kIncorrect, report::Reason::kMechanism,
                                            report::Reason::kPerformance};
    const auto reason = std::find_if(kReasons.begin(), kReasons.end(),
                                     [&](report::Reason one) { return name(one) == word; });
    if (reason == kReasons.end()) {
      fail("must be one of compile, diagnostic KIND, incorrect, mechanism, performance");
    }
    out.reason = *reason;
    if (out.reason == report::Reason::kDiagnostic && !(words >> out.diagnostic)) {
      fail("which diagnostic? Write `diagnostic race`, for example");
    }
    while (words >> word) {
      if (word.starts_with("gate=")) {
        out.gate = word.substr(5);
      } else if (word.starts_with("case=")) {
        out.case_name = word.substr(5);
      } else {
        fail(fmt::format("`{}` is neither gate=ID nor case=NAME", base::escape_controls(word)));
      }
    }
    add_cause(source, shown, out);
    return out;
  }
  return std::nullopt;
}

// How the cause of `report` differs from the one that the file states.
static std::string broken_cause(const Claim& claim, const report::ExerciseReport& report) {
  if (!claim.cause) return {};
  const auto found = report.cause ? name(report.cause->id) : std::string_view("none");
  if (!report.cause || report.cause->id != *claim.cause) {
    return fmt::format("states the cause `{}`, but the report names `{}`", name(*claim.cause),
                       found);
  }
  const auto& cause = *report.cause;
  if (claim.line == 0 || cause.line == claim.line || cause.other_line == claim.line) return {};
  return fmt::format("states the cause in line {}, but the report names line {}", claim.line,
                     cause.line);
}

std::string broken_claim(const Claim& claim, const report::ExerciseReport& report) {
  if (report.reason != claim.reason) {
    return fmt::format("says it fails by `{}`, but the verdict is {}, reason {}",
                       name(claim.reason), name(report.verdict), name(report.reason));
  }
  const auto& found = report.diagnostics;
  if (!claim.diagnostic.empty() &&
      std::none_of(found.begin(), found.end(), [&](const base::Diagnostic& one) {
        return base::name(one.kind) == claim.diagnostic;
      })) {
    return fmt::format("no diagnostic `{}`, but `{}`", claim.diagnostic,
                       base::name(found.front().kind));
  }
  const auto is_failed = [&](const report::Gate& gate) {
    return gate.definition.id == claim.gate && gate.decision && !gate.has_passed();
  };
  if (!claim.gate.empty() && std::none_of(report.gates.begin(), report.gates.end(), is_failed)) {
    return fmt::format("the gate `{}` does not fail", claim.gate);
  }
  const auto is_wrong = [&](const report::Case& run) {
    return run.name == claim.case_name && run.state == report::Case::State::kIncorrect;
  };
  if (!claim.case_name.empty() &&
      std::none_of(report.cases.begin(), report.cases.end(), is_wrong)) {
    return fmt::format("the case `{}` is not wrong", claim.case_name);
  }
  return broken_cause(claim, report);
}

std::vector<Expectation> expectations(const course::Course& course,
                                      std::vector<std::string>& findings) {
  std::vector<Expectation> out;
  for (const auto& lab : course.labs) add_lab(course, lab, out, findings);
  return out;
}

std::string broken_expectation(const Expectation& expectation,
                               const report::ExerciseReport& report) {
  switch (expectation.kind) {
    case Expectation::Kind::kWrong:
      return broken_claim(expectation.claim, report);
    case Expectation::Kind::kSkeleton:
      return broken_skeleton(report);
    case Expectation::Kind::kSolution:
      if (report.verdict == report::Verdict::kPass && report.points == report.max_points) return {};
      return fmt::format("a solution must earn all {} points, but earns {}; verdict {}, reason {}",
                         report.max_points, report.points, name(report.verdict),
                         name(report.reason));
  }
  return {};
}

void take_skeleton_values(const report::ExerciseReport& report, course::KernelExercise& exercise) {
  for (auto& gate : exercise.gates) {
    const auto found = std::ranges::find_if(
        report.gates, [&](const report::Gate& one) { return one.definition.id == gate.id; });
    const auto measured =
        found == report.gates.end() ? std::nullopt : measured_on_skeleton(report, *found);
    // A value that is right to the digits shown stays, so that the file changes only with a reason.
    if (measured && gate.skeleton && agrees_with(*gate.skeleton, *measured, /*is_random=*/false))
      continue;
    gate.skeleton.reset();
    if (measured) gate.skeleton = std::round(*measured * 1000) / 1000;
  }
}

namespace {

constexpr double kNear = 0.03;

// A gate with a minimum passes larger values.
bool is_better(const report::Gate& gate, double a, double b) {
  return gate.deciding_bounds().min ? a > b : a < b;
}

double bound(const report::GateBounds& bounds) {
  return bounds.min ? *bounds.min : bounds.max.value_or(0);
}

bool is_near(const report::GateBounds& bounds, double value) {
  return std::abs(value - bound(bounds)) < kNear * std::abs(bound(bounds));
}

}  // namespace

std::vector<Margin> margins(const std::vector<Expectation>& expectations,
                            const std::vector<report::ExerciseReport>& reports) {
  std::vector<Margin> out;
  for (std::size_t i = 0; i < expectations.size(); ++i) {
    if (expectations[i].kind != Expectation::Kind::kSolution) continue;
    for (const auto& gate : reports[i].gates) {
      Margin margin{reports[i].lab + "/" + reports[i].exercise, gate, gate.value(), {}, {}};
      for (std::size_t other = 0; other < reports.size(); ++other) {
        if (expectations[other].task.exercise != expectations[i].task.exercise) continue;
        for (const auto& same : reports[other].gates) {
          const auto value = same.value();
          if (same.definition.id != gate.definition.id || !same.decision || !value) continue;
          if (same.deciding_bounds().contain(*value)) continue;
          if (margin.best_outside && !is_better(gate, *value, *margin.best_outside)) continue;
          margin.best_outside = value;
          margin.best_outside_file = reports[other].file;
        }
      }
      out.push_back(std::move(margin));
    }
  }
  return out;
}

std::vector<std::string> too_near(const Margin& margin) {
  std::vector<std::string> out;
  const auto& gate = margin.gate;
  if (!gate.definition.judges_time()) return out;
  const auto say = [&](std::string_view what, double value, const report::GateBounds& bounds) {
    if (!is_near(bounds, value)) return;
    out.push_back(fmt::format("{}: gate {}: {} reaches {}, within 3 % of the bound {}",
                              margin.exercise, gate.definition.id, what, text::number(value),
                              text::number(bound(bounds))));
  };
  if (margin.solution) say("the solution", *margin.solution, gate.deciding_bounds());
  if (margin.best_outside) {
    say(margin.best_outside_file, *margin.best_outside,
        gate.deciding_bounds().for_model(gate.model_margin));
  }
  return out;
}

std::string too_wide(const Margin& margin) {
  const auto& gate = margin.gate;
  if (gate.model_margin == 0 || gate.definition.points == 0) return {};
  const auto allowed = gate.deciding_bounds().for_model(gate.model_margin);
  std::string what;
  double value = 0;
  if (gate.skeleton_passes()) {
    what = "the skeleton";
    value = *gate.definition.skeleton;
  } else if (margin.best_outside && allowed.contain(*margin.best_outside)) {
    what = margin.best_outside_file;
    value = *margin.best_outside;
  } else {
    return {};
  }
  return fmt::format("{}: gate {}: the time model's margin is {:.0f} % on {}, so {} passes with {}",
                     margin.exercise, gate.definition.id, 100 * gate.model_margin,
                     gate.definition.device, what, text::number(value));
}

}  // namespace warpgrade::grader::author
