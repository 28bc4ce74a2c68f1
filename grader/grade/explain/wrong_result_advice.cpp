// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/explain/wrong_result_advice.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "common/base/counted.h"

namespace warpgrade::grader::grade {
namespace {

using verify::CauseKind;

// A float that is too far from the expected one. Rounding of a few operations stays below a part in
// a million; numbers of 8 to 11 bits are off by up to a part in a few hundred.
std::string next_of_inaccurate(const verify::OutputDifference& difference) {
  constexpr double kRounding = 1e-6;
  constexpr double kFewBits = 4e-3;
  const auto& element = difference.element;
  const auto off = std::abs(difference.deviation.relative);
  if (off < kRounding) {
    return fmt::format(
        "{} is off by only {:.0e} of its value, so no term is missing. Look for a constant, a "
        "division, a type or an order of additions that rounds differently from the reference.",
        element, off);
  }
  if (off < kFewBits) {
    return fmt::format(
        "{} is off by only {:.0e} of its value, so no term is missing, but digits are. Look for a "
        "rounded constant, a fast intrinsic, or a type with fewer bits than float, such as half.",
        element, off);
  }
  return fmt::format(
      "Rounding does not explain this difference. Which term of {} is missing, counted twice, or "
      "has a wrong factor?",
      element);
}

std::string trace_by_hand(std::string_view element) {
  return fmt::format("Trace {} by hand: which thread writes it, and what does that thread read?",
                     element);
}

// The value reveals no cause, so the advice uses the places of the wrong elements.
std::string next_of_unknown(const verify::OutputDifference& difference) {
  const auto wrong = difference.deviation.wrong;
  const auto elements = difference.deviation.elements;
  constexpr std::uint64_t kFew = 10;        // One in ten.
  constexpr std::uint64_t kManyRight = 32;  // As many as a warp.
  const auto& element = difference.element;
  auto trace = trace_by_hand(element);
  const auto& indices = difference.indices;
  if (indices.size() == 1 && indices[0] >= kManyRight) {
    return fmt::format(
        "The elements before {0} are right. What begins there: a warp, a block, the rest of a "
        "division? {1}",
        element, trace);
  }
  if (wrong == 0 || wrong * kFew > elements) return trace;
  return fmt::format(
      "{} of {} elements {} wrong: an edge, the last block, the rest of a division? {}",
      base::grouped(wrong), base::grouped(elements), wrong == 1 ? "is" : "are", trace);
}

// The step for a likely cause, with {} for the element; empty if it depends on numbers.
std::string_view step_of(CauseKind kind) {
  switch (kind) {
    case CauseKind::kUnwritten:
      return "No thread writes {}. Which thread should, and which condition, loop bound or return "
             "keeps it from doing so?";
    case CauseKind::kNan:
      return "Look at each value that {} is computed from: which one is read before it is set, or "
             "divided by zero?";
    case CauseKind::kWholeNumbers:
      return "Look for an int on the way to {}: a variable, a parameter, a cast, or a division of "
             "two ints.";
    case CauseKind::kHalf:
      return "Look for a half on the way to {}. Add in float, and convert once at the end.";
    case CauseKind::kNarrowInteger:
      return "Look for a narrow type or a mask on the way to {}, such as unsigned short or & "
             "0xffff.";
    case CauseKind::kTransposed:
      return "Write down row and column of the load and of the store for {}. Which of the two "
             "should exchange them?";
    case CauseKind::kNeighbour:
      return "The index is off by one. Compare the load's index with the store's for {}.";
    case CauseKind::kRowLength:
      return "Look at the row length in the index: width and height are exchanged, or a constant "
             "is in the place of one.";
    case CauseKind::kOtherPlace:
      return "The value is right, and its place is wrong. Compute the index of the store for the "
             "thread that writes {}.";
    case CauseKind::kZero:
      return "Follow the loop that computes {}: does it run at all, and does its first value come "
             "from the input?";
    case CauseKind::kTwice:
      return "Something counts twice: do two threads, or two iterations of one, do the same work "
             "for {}?";
    case CauseKind::kCount:
    case CauseKind::kInaccurate:
    case CauseKind::kOtherElement:
    case CauseKind::kUnknown:
      break;
  }
  return {};
}

std::string next_of(const verify::OutputDifference& difference) {
  const auto& element = difference.element;
  if (difference.kind == CauseKind::kCount) {
    return difference.deviation.difference < 0
               ? fmt::format("Which elements of the input does no thread count in {}?", element)
               : fmt::format("Which elements of the input are counted twice, or wrongly in {}?",
                             element);
  }
  if (difference.kind == CauseKind::kInaccurate) return next_of_inaccurate(difference);
  const auto step = step_of(difference.kind);
  return step.empty() ? next_of_unknown(difference) : fmt::format(fmt::runtime(step), element);
}

}  // namespace

std::string next_of_wrong_result(const Findings& found) {
  for (const auto& item : found.cases) {
    if (!item.difference) continue;
    if (item.depends_on_order) {
      return "The result depends on the order of warps and blocks. Which thread uses a value of "
             "another one, without anything that makes it wait?";
    }
    if (item.difference->indices.empty()) {
      return fmt::format(
          "Follow one element of the input to {}: is any element left out, or added twice?",
          item.difference->element);
    }
    return next_of(*item.difference);
  }
  return trace_by_hand("one wrong element");
}

}  // namespace warpgrade::grader::grade
