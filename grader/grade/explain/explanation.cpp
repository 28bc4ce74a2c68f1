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
#include "grader/grade/explain/pictures.h"
#include "grader/grade/explain/wrong_result.h"
#include "grader/grade/judge/findings.h"
#include "grader/grade/judge/judged.h"
#include "grader/grade/plan/plan.h"
#include "grader/grade/time/timed_runs.h"
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

std::string next_of_first_failed(const Findings& found, bool is_performance) {
  for (const auto& gate : found.gates) {
    const bool is_wanted = gate.gate.is_performance() == is_performance;
    if (is_wanted && gate.decision && !gate.has_passed()) return gate.gate.next;
  }
  return {};
}

std::string next_without_a_verdict(const Findings& found, const Judgement& judgement) {
  if (judgement.verdict == report::Verdict::kInconclusive) {
    for (const auto& gate : found.gates) {
      if (const auto why = report::unmodelled_text(gate.unmodelled()); !why.empty()) {
        return "The result is right. " + why;
      }
    }
    return "The result is right. The speed could not be decided, which is not the submission's "
           "fault: grade it again on an idle machine, or with --backend sim.";
  }
  if (!found.tool_trouble.empty()) {
    return "This grader could not judge the submission: " + found.tool_trouble;
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
std::string next_of_diagnostic(const Findings& found) {
  using base::DiagnosticKind;
  if (found.diagnostics.empty()) return {};
  const auto& first = found.diagnostics.front();
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

}  // namespace

Advice advice_for(const Findings& found, const Judgement& judgement,
                  const course::Exercise& exercise) {
  const auto* kernel = exercise.kernel();
  switch (judgement.reason) {
    case report::Reason::kNone:
      return {};
    case report::Reason::kTool:
      return {next_without_a_verdict(found, judgement), {}};
    case report::Reason::kCompile:
      if (kernel == nullptr) {
        const bool is_any_graded = std::any_of(found.gates.begin(), found.gates.end(),
                                               [](const auto& gate) { return gate.decision; });
        return {is_any_graded
                    ? "Fix the file at the position shown; the answer there was not graded."
                    : "Fix the file at the position shown; nothing was graded.",
                {}};
      }
      if (found.refuses_launch) {
        return {
            "The file compiles. Change the property that the message names, so that the course's "
            "launch fits the kernel.",
            {}};
      }
      return {fmt::format("Make the file compile as {}; the first message matters most.",
                          kernel->signatures()),
              {}};
    case report::Reason::kDiagnostic:
      return {next_of_diagnostic(found), {}};
    case report::Reason::kIncorrect:
      if (kernel != nullptr) return {next_of_wrong_result(found), {}};
      return {"Redo the first wrong answer by hand; the reasoning below leads to it.",
              exercise.shown_hint(0)};
    case report::Reason::kMechanism:
    case report::Reason::kPerformance:
      return {next_of_first_failed(found, judgement.reason == report::Reason::kPerformance),
              exercise.shown_hint(0)};
  }
  return {};
}

namespace {

std::vector<report::GateReport> awarded(std::vector<report::GateReport> gates,
                                        const std::vector<Award>& awards) {
  for (std::size_t i = 0; i < gates.size(); ++i) {
    gates[i].points = awards[i].points;
    gates[i].lacks = awards[i].lacks;
  }
  return gates;
}

}  // namespace

report::ExerciseReport assemble(const GradingTask& task, Judged judged) {
  Findings found = std::move(judged.found);
  const auto& judgement = judged.judgement;
  const auto& exercise = *task.exercise;
  const auto& submission = task.submission;
  auto advice = advice_for(found, judgement, exercise);
  report::ExerciseReport out;
  out.lab = task.lab->id;
  out.exercise = exercise.id;
  out.title = exercise.title;
  out.file = submission.shown;
  out.sha256 = submission.sha256;
  if (const auto* source = std::get_if<compile::CompileRequest>(&submission.content)) {
    out.source = source->source;
  }
  out.points = judgement.points;
  out.max_points = judgement.max_points;
  out.verdict = judgement.verdict;
  out.reason = judgement.reason;
  out.correct = judgement.correct;
  out.warnings = std::move(found.warnings);
  out.left_out = std::move(found.left_out);
  out.tool_trouble = std::move(found.tool_trouble);
  out.cases = std::move(found.cases);
  out.gates = awarded(std::move(found.gates), judgement.awards);
  out.rooflines = std::move(found.rooflines);
  out.counted = std::move(found.counted);
  out.diagnostics = std::move(found.diagnostics);
  out.race_warnings = std::move(found.race_warnings);
  out.lines = std::move(found.lines);
  out.wrong_answers = std::move(found.wrong_answers);
  out.result_lines = std::move(found.result_lines);
  out.pictures = std::move(found.pictures);
  out.printed = std::move(found.printed);
  out.printed_thread = std::move(found.printed_thread);
  out.printed_first = std::move(found.printed_first);
  out.printed_case = std::move(found.printed_case);
  out.next = std::move(advice.next);
  out.hint = std::move(advice.hint);
  return out;
}

namespace {

using Remarks = std::vector<std::string>;

void append(const Remarks& further, Remarks& out) {
  out.insert(out.end(), further.begin(), further.end());
}

// Remarks on gates that are waived or missing, and on requested counters that are missing.
Remarks plan_remarks(const Plan& plan, const GatePlan& gates) {
  const auto& exercise = plan.kernel();
  std::vector<std::string> out;
  for (const auto& planned : gates) {
    if (planned.waiver) out.push_back(waiver_text(*planned.waiver, planned.gate->id));
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
Remarks gate_remarks(const Findings& found, const std::vector<CaseRun>& runs) {
  Remarks out;
  for (const auto& gate : found.gates) {
    if (!gate.has_failed() || !has_places(gate.gate.metric) || runs.empty()) continue;
    const auto text = places_text(gate.gate.metric, runs.front().place);
    if (!text.empty()) out.push_back(fmt::format("{}: {}", gate.gate.id, text));
  }
  return out;
}

}  // namespace

report::ExerciseReport explain(const Plan& plan, const TimedRuns& timed, Judged judged) {
  auto& found = judged.found;
  auto remarks = plan_remarks(plan, timed.gates);
  append(text_remarks(plan), remarks);
  append(found.warnings, remarks);
  append(gate_remarks(found, timed.runs), remarks);
  found.warnings = std::move(remarks);
  put_failing_thread_first(plan, timed.runs, found);
  if (plan.services.pictures) found.pictures = draw_pictures(plan, timed.runs);
  return assemble(plan.task, std::move(judged));
}

}  // namespace warpgrade::grader::grade
