// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/explain/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "common/base/facts.h"
#include "grader/grade/explain/wrong_result_advice.h"
#include "grader/report/skew_text.h"

namespace warpgrade::grader::grade {
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

}  // namespace warpgrade::grader::grade
