// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/explain/explanation.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/compile/source_outline.h"
#include "grader/grade/explain/causes.h"
#include "grader/grade/explain/repair.h"
#include "grader/grade/judge/judged.h"
#include "grader/grade/plan/plan.h"
#include "grader/report/render_measurements.h"
#include "grader/report/report.h"
#include "grader/text/messages.h"

namespace warpgrade::grader::grade {

std::vector<std::string> source_remarks(std::string_view source, std::string_view name) {
  bool uses_thrust = false;
  bool includes_own = false;
  bool has_kernel = false;
  for (const auto& token : compile::tokens_of(source)) {
    const auto text = source.substr(token.begin, token.end - token.begin);
    if (token.kind == compile::TokenKind::kDirective) {
      const bool includes = text.find("include") != std::string_view::npos;
      uses_thrust |= includes && text.find("<thrust/") != std::string_view::npos;
      includes_own |= includes && text.find('"') != std::string_view::npos;
    }
    has_kernel |= text == "__global__";
  }
  std::vector<std::string> out;
  if (uses_thrust) {
    out.emplace_back(
        "thrust is called by the host, and only device code is graded: its headers and what uses "
        "them take no part. Write the work into the kernel.");
  }
  if (includes_own && !has_kernel) {
    out.push_back(fmt::format(
        "This file has no kernel of its own: {} is taken from a file that it includes.", name));
  }
  return out;
}

namespace {

std::string next_of_first_failed(const report::ExerciseReport& report, bool is_performance) {
  for (const auto& gate : report.gates) {
    const bool is_wanted = gate.definition.judges_time() == is_performance;
    if (is_wanted && gate.decision && !gate.has_passed()) return gate.definition.next;
  }
  return {};
}

// Whether the first wrong answer is the 0 of the untouched file.
bool lacks_answers(const report::ExerciseReport& report) {
  return !report.wrong_answers.empty() && report.wrong_answers.front().given == 0;
}

std::string next_without_a_verdict(const report::ExerciseReport& report) {
  if (report.verdict == report::Verdict::kInconclusive) {
    for (const auto& gate : report.gates) {
      if (const auto why = report::unmodelled_text(gate.unmodelled()); !why.empty()) {
        return "The result is right. " + why;
      }
    }
    return "The result is right. The speed could not be decided, which is not the submission's "
           "fault: grade it again on an idle machine, or with --backend sim.";
  }
  if (!report.tool_trouble.empty()) {
    return "This grader could not judge the submission: " + report.tool_trouble;
  }
  return "No fault of the submission was found, but this grader could not judge it.";
}

std::string next_of_race(const base::Diagnostic& found) {
  const auto* race = std::get_if<base::Race>(&found.facts);
  if (race != nullptr) {
    const auto* barrier = std::get_if<base::BarrierAdvice>(&race->advice);
    const auto* blocks = std::get_if<base::BlocksAdvice>(&race->advice);
    if (std::holds_alternative<base::UpdateAdvice>(race->advice)) {
      return "Two threads read the same old value before either of them writes. Which atomic reads "
             "and writes in one step?";
    }
    if ((barrier != nullptr && barrier->both_write) ||
        (blocks != nullptr && *blocks == base::BlocksAdvice::kOwnElement)) {
      return "Two threads write this element. Which one should, and which index gives each thread "
             "an element of its own?";
    }
    if (barrier != nullptr && barrier->one_line && barrier->is_repeated && found.where.line != 0) {
      return fmt::format(
          "Line {} runs once per iteration. What makes each thread wait until the others have "
          "finished the iteration before? If threads only add to a shared element, use "
          "atomicAdd().",
          found.where.line);
    }
    if (race->other_line && found.where.line != 0) {
      return fmt::format(
          "Decide which access must come first, the one in line {} or the one in {}. What makes "
          "the other thread wait for it?",
          found.where.line, base::text(*race->other_line));
    }
  }
  return "Decide which of the two accesses must come first. What makes the other thread wait for "
         "it? If both threads only add to this element, use atomicAdd().";
}

// The first step towards the mistake. The message itself contains the correction.
std::string next_of_diagnostic(const report::ExerciseReport& report) {
  using base::DiagnosticKind;
  if (report.diagnostics.empty()) return {};
  const auto& first = report.diagnostics.front();
  switch (first.kind) {
    case DiagnosticKind::kOutOfBounds:
      return "Compute the index by hand for the block and thread shown. Is each row length right, "
             "and which condition should have kept this thread from the access?";
    case DiagnosticKind::kMisaligned:
      return "Compute the address by hand for the block and thread shown. Does every row begin "
             "at a multiple of the size of the type?";
    case DiagnosticKind::kUninitializedRead:
      return first.thread
                 ? "Find the store that should come first. Which thread makes it, and what "
                   "keeps the read from coming earlier?"
                 : "Find the first assignment to the variable. Does every path reach it "
                   "before the read?";
    case DiagnosticKind::kInputModified:
      return "Check the destination of the store in this line: are two pointers exchanged?";
    case DiagnosticKind::kRace:
      return next_of_race(first);
    case DiagnosticKind::kDivergentBarrier:
    case DiagnosticKind::kDeadlock:
      return "List the threads that do not reach this barrier. Keep only the work inside the "
             "condition or loop, and the barrier outside.";
    case DiagnosticKind::kRunaway:
      return "Follow the loop at this line with the values of one thread. What makes its condition "
             "false, and how many times does it run until then?";
    case DiagnosticKind::kTrap:
      return "Compute the values of the thread shown by hand, up to this line.";
    case DiagnosticKind::kUnsupported:
    case DiagnosticKind::kCompileError:
      break;
  }
  return "Change the line shown as the message says.";
}

// `kernel` is nullptr for a file of answers. Only a kernel that compiles has cases.
std::string next_of_compile_error(const course::KernelExercise* kernel,
                                  const report::ExerciseReport& report) {
  if (kernel == nullptr) {
    const bool is_any_graded = std::ranges::any_of(
        report.gates, [](const auto& gate) { return gate.decision.has_value(); });
    return is_any_graded ? "Fix the file at the position shown; the answer there was not graded."
                         : "Fix the file at the position shown; nothing was graded.";
  }
  const auto& found = report.diagnostics;
  if (!found.empty() && std::holds_alternative<base::SharedTooLarge>(found.front().facts)) {
    return "Which array can be smaller, have fewer copies, or be kept in registers?";
  }
  if (!report.cases.empty()) {
    return "The file compiles. Change the property that the message names, so that the course's "
           "launch fits the kernel.";
  }
  return fmt::format("Make the file compile as {}; the first message matters most.",
                     kernel->signatures());
}

// The hint that the exercise names for the cause, if it names one.
void add_hint_of_cause(const course::Exercise& exercise, report::ExerciseReport& report) {
  if (!report.cause) return;
  const auto found = exercise.hint_for.find(report.cause->id);
  if (found != exercise.hint_for.end()) report.hint = exercise.shown_hint(found->second);
}

}  // namespace

void add_advice(const course::Exercise& exercise, report::ExerciseReport& report) {
  const auto* kernel = exercise.kernel();
  const auto& cause = report.cause;
  if (cause) report.next = cause->next;
  const bool has_next = !report.next.empty();
  switch (report.reason) {
    case report::Reason::kNone:
      return;
    case report::Reason::kTool:
      report.next = next_without_a_verdict(report);
      return;
    case report::Reason::kCompile:
      report.next = next_of_compile_error(kernel, report);
      return;
    case report::Reason::kDiagnostic:
      add_hint_of_cause(exercise, report);
      if (has_next) return;
      report.next =
          cause && cause->is_of_result ? next_of_wrong_result(report) : next_of_diagnostic(report);
      return;
    case report::Reason::kIncorrect:
      if (kernel != nullptr) {
        add_hint_of_cause(exercise, report);
        if (!has_next) report.next = next_of_wrong_result(report);
        return;
      }
      report.next = lacks_answers(report)
                        ? "Write an answer into the file; the report explains it if it is wrong."
                        : "Redo the first wrong answer by hand; the reasoning below leads to it.";
      break;
    case report::Reason::kMechanism:
    case report::Reason::kPerformance:
      if (has_next) break;
      report.next = next_of_first_failed(report, report.reason == report::Reason::kPerformance);
      break;
  }
  if (exercise.hint_for.empty() || !cause) {
    report.hint = exercise.shown_hint(0);
  } else {
    add_hint_of_cause(exercise, report);
  }
}

namespace {

using Remarks = std::vector<std::string>;

void append(const Remarks& further, Remarks& out) {
  out.insert(out.end(), further.begin(), further.end());
}

// Remarks on gates that are waived or missing, and on requested counters that are missing.
Remarks plan_remarks(const Plan& plan, const std::vector<report::Gate>& gates) {
  const auto& exercise = plan.kernel();
  std::vector<std::string> out;
  for (const auto& gate : gates) {
    if (gate.waiver) out.push_back(waiver_text(*gate.waiver, gate.definition.id));
  }
  for (const auto& target : plan.targets) {
    if (target.fit.divisor > 1) {
      out.push_back(
          fmt::format("This card's memory is small: the measured sizes are divided by {} here.",
                      target.fit.divisor));
    }
  }
  if (gates.empty() && !exercise.gates.empty()) {
    const auto devices = exercise.devices();
    out.push_back(fmt::format(
        "No gate of this exercise is for {}: only the result is graded here. Its gates are for {}.",
        plan.only_device, text::joined(std::span<const std::string>(devices))));
  }
  const auto& gpu = plan.services.gpu;
  // The report compares the GPU's counters with the simulated ones of its profile.
  const bool has_profile = std::ranges::any_of(plan.targets, [&](const Target& target) {
    return !target.is_gpu() && gpu && target.device == gpu->bench->profile().name;
  });
  if (gpu && gpu->counters && !has_profile) {
    out.push_back(fmt::format("no counters of the card: its profile, {}, is not simulated here",
                              gpu->bench->profile().name));
  }
  return out;
}

Remarks text_remarks(const Plan& plan) {
  const auto* source = std::get_if<compile::CompileRequest>(&plan.task.submission.content);
  if (source == nullptr) return {};
  const std::string_view kernel = plan.kernel().steps.front().kernel;
  return source_remarks(source->source, kernel.substr(0, kernel.find('<')));
}

// The places behind the numbers of failed gates.
Remarks gate_remarks(const report::ExerciseReport& report, const std::vector<PlannedCase>& cases) {
  Remarks out;
  for (const auto& gate : report.gates) {
    if (!gate.has_failed() || !has_places(gate.definition.metric) || cases.empty()) continue;
    const auto text = places_text(gate.definition.metric, cases.front());
    if (!text.empty()) out.push_back(fmt::format("{}: {}", gate.definition.id, text));
  }
  return out;
}

}  // namespace

void explain(const Plan& plan, const std::vector<PlannedCase>& cases,
             report::ExerciseReport& report) {
  auto remarks = plan_remarks(plan, report.gates);
  append(text_remarks(plan), remarks);
  append(report.warnings, remarks);
  append(gate_remarks(report, cases), remarks);
  report.warnings = std::move(remarks);
  put_failing_thread_first(plan, cases, report);
  if (plan.services.pictures) report.pictures = draw_pictures(plan, cases);
  const auto trials = find_repair(plan, cases);
  if (auto causes = ranked_causes(cases, report, &plan.kernel(), trials); !causes.empty()) {
    report.cause = std::move(causes.front());
  }
  add_advice(plan.exercise(), report);
}

}  // namespace warpgrade::grader::grade
