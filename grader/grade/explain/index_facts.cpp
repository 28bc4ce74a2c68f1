// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/explain/index_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <system_error>
#include <utility>
#include <vector>

#include "common/base/text.h"
#include "common/verify/element.h"
#include "grader/cases/student_terms.h"
#include "grader/grade/explain/kernel_flow.h"
#include "grader/grade/explain/kernel_text.h"
#include "grader/grade/explain/value_uses.h"

namespace warpgrade::grader::grade {
namespace {

using Assignment = KernelFlow::Assignment;

bool is_number(std::string_view word) {
  return !word.empty() && std::isdigit(static_cast<unsigned char>(word[0])) != 0;
}

// The value of sums of products; nullopt if it has anything else than numbers and known names.
std::optional<double> value_at(const Facts& facts, const cases::SizedCase& sized,
                               std::string_view text, std::uint32_t line, int depth) {
  constexpr int kDeepest = 5;
  if (depth > kDeepest) return std::nullopt;
  const auto words = words_of(text);
  const auto& launch = sized.launches.sequence.first();
  double sum = 0;
  double product = 1;
  bool wants_operand = true;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto word = words[i];
    if (!wants_operand) {
      if (word != "*" && word != "+") return std::nullopt;
      if (word == "+") sum += std::exchange(product, 1);
      wants_operand = true;
      continue;
    }
    wants_operand = false;
    const bool is_extent = (word == "gridDim" || word == "blockDim") && i + 2 < words.size();
    if (is_extent) {
      const auto& extent = word == "gridDim" ? launch.grid : launch.block;
      const auto axis = words[i + 2];
      product *= axis == "x" ? extent.x : axis == "y" ? extent.y : extent.z;
      i += 2;
    } else if (is_number(word)) {
      auto digits = word;
      while (!digits.empty() &&
             std::string_view("uUlL").find(digits.back()) != std::string_view::npos) {
        digits.remove_suffix(1);
      }
      std::uint64_t number = 0;
      const auto [end, error] =
          std::from_chars(digits.data(), digits.data() + digits.size(), number);
      if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
      product *= static_cast<double>(number);
    } else if (const auto found = sized.variables.find(word); found != sized.variables.end()) {
      product *= found->second;
    } else {
      const auto all = facts.flow.before(word, line);
      if (all.size() != 1 || all.front()->is_compound || all.front()->is_element)
        return std::nullopt;
      const auto value = value_at(facts, sized, all.front()->value, all.front()->line, depth + 1);
      if (!value) return std::nullopt;
      product *= *value;
    }
  }
  return wants_operand ? std::nullopt : std::optional(sum + product);
}

}  // namespace

std::optional<double> number_of(const Facts& facts, const cases::SizedCase& sized,
                                std::string_view text, std::uint32_t line) {
  return value_at(facts, sized, text, line, 0);
}

namespace {

// A text that an index consists of, and its line.
struct Part {
  std::string text;
  std::uint32_t line = 0;
};

// The subscripts of `array` and of its pointers in `line`, and the definitions behind them.
std::vector<Part> index_parts(const Facts& facts, std::string_view array, std::uint32_t line) {
  std::vector<Part> out;
  const auto statement = facts.source.statement_at(line);
  const auto words = words_of(statement);
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const bool is_access = is_identifier(words[i]) && (words[i + 1] == "[" || words[i + 1] == "+");
    if (!is_access || facts.flow.array_behind(words[i], line) != array) continue;
    const auto subscript = KernelText::subscript_of(
        words[i], statement.substr(static_cast<std::size_t>(words[i].data() - statement.data())));
    out.push_back({subscript, line});
    for (const auto* one : facts.flow.sources_of(std::string(words[i]) + " " + subscript, line)) {
      out.push_back({one->value, one->line});
    }
  }
  return out;
}

// A variable that a product or a sum has as a whole operand.
struct Operand {
  std::string_view name;
  bool is_factor = false;
};

std::vector<Operand> operands_of(std::string_view text) {
  const auto words = words_of(text);
  std::vector<Operand> out;
  for (std::size_t i = 1; i + 1 < words.size(); ++i) {
    if (words[i] == "*") {
      const bool is_divided = i > 1 && (words[i - 2] == "%" || words[i - 2] == "/");
      const bool is_member = i > 1 && (words[i - 2] == "." || words[i - 2] == "->");
      if (!is_divided && !is_member) out.push_back({words[i - 1], true});
      out.push_back({words[i + 1], true});
    }
    const bool is_sum = words[i] == "+" || words[i] == "-";
    const bool is_alone = i + 2 == words.size() || words[i + 2] == "+" || words[i + 2] == "-" ||
                          words[i + 2] == "]" || words[i + 2] == ")";
    if (is_sum && is_alone) out.push_back({words[i + 1], false});
  }
  return out;
}

std::optional<double> size_called(const Facts& facts, const cases::SizedCase& sized,
                                  std::string_view name, std::uint32_t line) {
  if (const auto found = sized.variables.find(name); found != sized.variables.end()) {
    return found->second;
  }
  // The number of threads or blocks as a length.
  const auto all = facts.flow.before(name, line);
  const bool is_of_grid = all.size() == 1 &&
                          all.front()->value.find("gridDim") != std::string::npos &&
                          all.front()->value.find("blockIdx") == std::string::npos;
  return is_of_grid ? number_of(facts, sized, name, line) : std::nullopt;
}

// data[row * pitch + column] of a structure or a function that gets the array and a length.
std::optional<std::uint32_t> passed_length(const Facts& facts, const cases::SizedCase& sized,
                                           const cases::SizedBuffer& buffer) {
  const auto& words = facts.source.words();
  const auto columns = static_cast<double>(buffer.columns);
  for (std::size_t i = 1; i + 1 < words.size(); ++i) {
    const bool begins =
        words[i - 1].text == "(" || words[i - 1].text == "{" || words[i - 1].text == ",";
    if (!begins || words[i].text != buffer.name || words[i + 1].text != ",") continue;
    bool has_columns = false;
    bool has_other = false;
    int depth = 0;
    for (auto k = i + 1; k < words.size() && depth >= 0; ++k) {
      const auto& word = words[k].text;
      depth += word == "(" || word == "{" || word == "["   ? 1
               : word == ")" || word == "}" || word == "]" ? -1
                                                           : 0;
      const bool is_whole =
          words[k - 1].text == "," && k + 1 < words.size() &&
          (words[k + 1].text == "," || words[k + 1].text == ")" || words[k + 1].text == "}");
      const auto found = sized.variables.find(word);
      if (depth != 0 || !is_whole || found == sized.variables.end()) continue;
      has_columns = has_columns || found->second == columns;
      has_other = has_other || found->second != columns;
    }
    if (has_other && !has_columns) return words[i].line;
  }
  return std::nullopt;
}

}  // namespace

std::optional<IndexFault> index_fault(const Facts& facts, const cases::SizedCase& sized,
                                      std::string_view array, std::uint32_t line) {
  const auto* buffer = sized.buffer_called(array);
  if (buffer == nullptr || !buffer->is_matrix) return std::nullopt;
  const auto columns = static_cast<double>(buffer->columns);
  const auto parts = index_parts(facts, array, line);
  // A length of the file's own: it should come from the size with the right value.
  for (const auto& part : parts) {
    const auto index = facts.source.matrix_index(part.text);
    if (part.line != line || !index || sized.variables.contains(index->length)) continue;
    const auto made_from = facts.source.value_of(index->length);
    const bool is_right =
        number_of(facts, sized, made_from, part.line) == columns ||
        std::ranges::any_of(sized.variables, [&](const auto& one) {
          return one.second == columns && KernelText::count_of(one.first, made_from) != 0;
        });
    if (!made_from.empty() && !is_right) return IndexFault{false, part.line};
  }
  if (buffer->rows == buffer->columns) return std::nullopt;
  bool has_columns = false;
  std::optional<IndexFault> wrong;
  for (const auto& part : parts) {
    for (const auto& operand : operands_of(part.text)) {
      const auto size = size_called(facts, sized, operand.name, part.line);
      if (!size) {
        // A number or a constant.
        const auto number = number_of(facts, sized, operand.name, part.line);
        has_columns = has_columns || (operand.is_factor && number == columns);
        continue;
      }
      if (*size == columns) {
        has_columns = has_columns || operand.is_factor;
      } else if (!operand.is_factor) {
        return IndexFault{false, part.line};
      } else if (!wrong) {
        wrong = IndexFault{false, part.line};
      }
    }
  }
  if (wrong && !has_columns) return wrong;
  if (parts.empty()) {
    const auto passed = passed_length(facts, sized, *buffer);
    if (passed) return IndexFault{false, *passed};
  }
  // The guard of the column.
  const auto value_of = [&](std::string text) -> std::optional<double> {
    if (text.ends_with(" - 1")) text.resize(text.size() - 4);
    const auto found = sized.variables.find(text);
    return found == sized.variables.end() ? std::nullopt : std::optional(found->second);
  };
  for (const auto& part : parts) {
    const auto index = facts.source.matrix_index(part.text);
    if (!index) continue;
    for (const auto& test : facts.source.tests_near(line)) {
      const auto limit = value_of(test.right);
      if (test.comparison == "<" && test.left == index->column && limit && *limit != columns) {
        return IndexFault{true, test.line};
      }
    }
    for (const auto& test : facts.source.equalities()) {
      const auto limit = value_of(test.right);
      if (test.left == index->column && limit && *limit != columns) {
        return IndexFault{true, test.line};
      }
    }
  }
  return std::nullopt;
}

namespace {

// blockIdx.x * blockDim.x + threadIdx.x, or a part of the number within a block.
bool is_thread_number(std::string_view value) {
  if (KernelText::count_of("threadIdx", value) == 0) return false;
  if (KernelText::count_of("blockIdx", value) == 0) return true;
  std::string_view axis_of_block;
  std::string_view axis_of_thread;
  std::size_t others = 0;
  const auto words = words_of(value);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "/" || words[i] == "%" || words[i] == "-") return false;
    if (words[i] == "blockIdx" && i + 2 < words.size()) axis_of_block = words[i + 2];
    if (words[i] == "threadIdx" && i + 2 < words.size()) axis_of_thread = words[i + 2];
    const bool is_axis = i > 0 && words[i - 1] == ".";
    const bool is_index =
        words[i] == "blockIdx" || words[i] == "threadIdx" || words[i] == "blockDim";
    if (is_identifier(words[i]) && !is_axis && !is_index) ++others;
  }
  return axis_of_block == axis_of_thread && others <= 1;
}

// All subscripts of a statement with their arrays.
std::string subscripts_of(std::string_view statement) {
  std::string out;
  const auto words = words_of(statement);
  int depth = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "]") --depth;
    const bool is_array = i + 1 < words.size() && words[i + 1] == "[";
    if (depth > 0 || is_array) out += (out.empty() ? "" : " ") + std::string(words[i]);
    if (words[i] == "[") ++depth;
  }
  return out;
}

}  // namespace

std::uint32_t index_source(const Facts& facts, std::uint32_t line) {
  const auto statement = facts.source.statement_at(line);
  const Assignment* of_thread = nullptr;
  for (const auto* one : facts.flow.sources_of(subscripts_of(statement), line)) {
    const bool is_choice = one->value.find('?') != std::string::npos;
    if (one->line == line || is_thread_number(one->value)) continue;
    if (!has_arithmetic(one->value) && !is_choice) continue;
    if (KernelText::count_of("threadIdx", one->value) == 0) return one->line;
    if (of_thread == nullptr) of_thread = one;
  }
  return of_thread == nullptr ? 0 : of_thread->line;
}

std::uint32_t value_source(const Facts& facts, std::uint32_t line) {
  const auto& all = facts.flow.assignments();
  const auto store = std::ranges::find_if(
      all, [&](const auto& one) { return one.line == line && one.is_element; });
  // Without one: a call such as atomicAdd(&bins[t], sum).
  const auto value = store == all.end() ? facts.source.statement_at(line) : store->value;
  int brackets = 0;
  std::uint32_t plain = 0;
  for (const auto word : words_of(value)) {
    brackets += word == "[" ? 1 : word == "]" ? -1 : 0;
    if (brackets > 0 || !is_identifier(word)) continue;
    // The result of a function of the file.
    if (const auto called = facts.flow.function_called(word);
        called.last != 0 && (line < called.first || line > called.last)) {
      const auto returns = facts.flow.lines_of({"return"}, called.first, called.last);
      if (!returns.empty()) plain = returns.back();
      continue;
    }
    for (const auto* one : facts.flow.before(word, line)) {
      if (one->type.find('*') != std::string::npos || one->type.find("bool") != std::string::npos ||
          one->line == line) {
        continue;
      }
      if (one->is_compound || one->is_element) return one->line;
      if (plain == 0 && has_arithmetic(one->value)) plain = one->line;
    }
  }
  const bool is_call =
      plain != 0 && facts.flow.function_at(plain).first != facts.flow.function_at(line).first;
  return !is_call && has_arithmetic(value) ? 0 : plain;
}

bool is_narrow_product(const KernelFlow::Assignment& one) {
  static constexpr std::array<std::string_view, 4> kWide = {"long", "size_t", "64", "ptrdiff_t"};
  const bool is_wide = std::ranges::any_of(
      kWide, [&](auto word) { return one.type.find(word) != std::string::npos; });
  const bool is_product = one.value.find(" * ") != std::string::npos;
  return is_product && !is_wide && !is_thread_number(one.value);
}

std::uint32_t product_source(const Facts& facts, std::uint32_t line) {
  const auto statement = facts.source.statement_at(line);
  if (subscripts_of(statement).find(" * ") != std::string::npos) return 0;
  for (const auto* one : facts.flow.sources_of(statement, line)) {
    if (is_narrow_product(*one)) return one->line;
  }
  return 0;
}

std::uint32_t narrow_index(const Facts& facts) {
  for (const auto& one : facts.flow.narrow()) {
    const bool fails_above = facts.fails_only_in([&](const PlannedCase& planned) {
      return std::ranges::any_of(planned.sized->buffers, [&](const auto& buffer) {
        return std::max(buffer.rows, buffer.columns) > one.values;
      });
    });
    if (!fails_above || one.name.empty()) continue;
    // Bytes of the input are as wide as their elements.
    const auto* sized = facts.sized();
    const auto& assigned = facts.flow.assignments();
    const bool is_element = std::ranges::any_of(assigned, [&](const auto& assignment) {
      return assignment.name == one.name &&
             std::ranges::any_of(sized->buffers, [&](const auto& buffer) {
               const auto width = std::uint64_t{1}
                                  << (8 * std::min<std::uint64_t>(verify::size_of(buffer.type), 7));
               return width <= 2 * one.values &&
                      KernelText::count_of(buffer.name, assignment.value) != 0;
             });
    });
    if (!is_element) return one.line;
  }
  return 0;
}

namespace {

// Without the sums that are multiplied by a length: "row * 64 + x" for "( 4 * y + 1 ) * 64 + x".
std::string without_rows(std::string_view text) {
  const auto words = words_of(text);
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    auto last = i;
    int depth = 0;
    for (auto k = i; words[i] == "(" && k < words.size(); ++k) {
      depth += words[k] == "(" ? 1 : words[k] == ")" ? -1 : 0;
      if (depth != 0) continue;
      if (k + 1 < words.size() && words[k + 1] == "*") last = k;
      break;
    }
    out += (out.empty() ? "" : " ") + (last == i ? std::string(words[i]) : "row");
    i = last;
  }
  return out;
}

}  // namespace

std::uint32_t second_length(const Facts& facts, std::string_view array) {
  const auto arrays = cases::declared_arrays(facts.report.source);
  const auto* declared = cases::array_called(arrays, array);
  if (declared == nullptr || declared->extents.size() > 1 || facts.sized() == nullptr) return 0;
  std::vector<Part> parts;
  for (const auto& one : facts.flow.assignments()) {
    if (one.type.find('*') == std::string::npos) continue;
    if (facts.flow.array_behind(one.name, one.line) == array)
      parts.push_back({one.value, one.line});
  }
  const auto& words = facts.source.words();
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const bool is_access =
        is_identifier(words[i].text) && words[i + 1].text == "[" && words[i].line != declared->line;
    if (!is_access || facts.flow.array_behind(words[i].text, words[i].line) != array) continue;
    std::string rest;
    int depth = 0;
    for (auto k = i + 1; k < words.size(); ++k) {
      depth += words[k].text == "[" ? 1 : words[k].text == "]" ? -1 : 0;
      if (depth == 0) break;
      if (k > i + 1) rest += (rest.empty() ? "" : " ") + words[k].text;
    }
    parts.push_back({rest, words[i].line});
  }
  std::ranges::stable_sort(parts, {}, &Part::line);
  std::optional<double> first;
  for (const auto& part : parts) {
    // words[k / 4] >> k % 4 * 8: a value as the index.
    if (part.text.find("> >") != std::string::npos) continue;
    const auto text = without_rows(part.text);
    for (const auto& operand : operands_of(text)) {
      if (!operand.is_factor) continue;
      const auto length = number_of(facts, *facts.sized(), operand.name, part.line);
      // Less is the width of a vector, as in row * pitch + 4 * x.
      constexpr double kLeastLength = 8;
      if (!length || *length < kLeastLength) continue;
      if (first && *first != *length) return part.line;
      first = length;
    }
  }
  return 0;
}

namespace {

// A quotient that is not rounded up.
bool is_rounded_down(std::string_view text) {
  const auto words = words_of(text);
  for (std::size_t i = 1; i < words.size(); ++i) {
    const bool is_shift =
        words[i] == ">" && i + 2 < words.size() && words[i + 1] == ">" && is_number(words[i + 2]);
    if (words[i] != "/" && !is_shift) continue;
    if (words[i - 1] != ")") return true;
    int depth = 0;
    bool has_sum = false;
    for (auto k = i; k-- > 0;) {
      depth += words[k] == ")" ? 1 : words[k] == "(" ? -1 : 0;
      has_sum = has_sum || words[k] == "+";
      if (depth == 0) break;
    }
    if (!has_sum) return true;
  }
  return false;
}

// The condition of a loop: the second part of a `for`.
std::string_view condition_of(const KernelFlow::Branch& branch) {
  std::string_view head = branch.head;
  const auto first = head.find(';');
  if (first == std::string_view::npos) return head;
  const auto second = head.find(';', first + 1);
  return head.substr(first + 1, second == std::string_view::npos ? second : second - first - 1);
}

}  // namespace

namespace {

// `n / 256` in `text`: the cases decide whether the rest matters. If `is_alone`, no other part of
// the file can do the rest, and a failing case that makes no pass is enough, since a short rest may
// not show.
std::optional<RestOfDivision> division_in(const Facts& facts, std::string_view text,
                                          std::uint32_t line, bool is_alone) {
  const auto words = words_of(text);
  for (std::size_t i = 1; i + 1 < words.size(); ++i) {
    const bool is_shift = words[i] == ">" && words[i + 1] == ">" && i + 2 < words.size();
    if ((words[i] != "/" && !is_shift) || !is_identifier(words[i - 1])) continue;
    const auto& dividend = words[i - 1];
    std::string by(words[i + (is_shift ? 2 : 1)]);
    if (by == "blockDim" && i + 3 < words.size()) by += " . " + std::string(words[i + 3]);
    const auto number = number_of(facts, *facts.sized(), by, line);
    constexpr double kMostShift = 31;
    if (!number || *number < 1 || (is_shift && *number > kMostShift)) continue;
    const auto divisor = is_shift ? std::uint64_t{1} << static_cast<unsigned>(*number)
                                  : static_cast<std::uint64_t>(*number);
    const auto has_rest = [&](const PlannedCase& planned) {
      const auto size = facts.size_in(planned, dividend);
      return size && *size % divisor != 0;
    };
    const auto first = facts.size_in_failure(dividend);
    const bool is_skipped =
        is_alone && first && *first < divisor && facts.fails_only_with(has_rest);
    if (is_skipped || facts.fails_exactly_in(has_rest)) {
      return RestOfDivision{line, std::string(dividend), divisor};
    }
  }
  return std::nullopt;
}

// Whether the variable of a `for` is its own, and the text has no second quotient or remainder.
bool is_alone(const Facts& facts, const KernelFlow::Branch& branch, std::string_view condition) {
  const auto head = words_of(branch.head);
  const auto body = words_of(condition);
  if (!branch.is_loop || head.size() < 2 || !is_identifier(head[0]) || !is_identifier(head[1])) {
    return false;
  }
  const auto slash = std::ranges::find(body, "/");
  if (slash == body.begin() || slash == body.end()) return false;
  std::size_t others = 0;
  const auto& words = facts.source.words();
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const auto& after = words[i + 1].text;
    const bool divides = after == "/" || after == "%" || after == "&";
    others += divides && words[i].text == *(slash - 1) ? 1 : 0;
  }
  return others == 1;
}

}  // namespace

std::optional<RestOfDivision> rest_of_division(const Facts& facts) {
  if (facts.sized() == nullptr) return std::nullopt;
  for (const auto& branch : facts.flow.branches()) {
    const auto condition = condition_of(branch);
    const bool alone = is_alone(facts, branch, condition);
    if (auto out = division_in(facts, condition, branch.line, alone)) return out;
    for (const auto* one : facts.flow.sources_of(condition, branch.line)) {
      if (auto out = division_in(facts, one->value, one->line, false)) return out;
    }
  }
  return std::nullopt;
}

Found at_division(Found found, const RestOfDivision& division) {
  found.other_line = std::exchange(found.line, division.line);
  found.values["sizes"] =
      fmt::format("{} is not a multiple of {}", division.dividend, base::grouped(division.divisor));
  return found;
}

namespace {

// Whether a number or a factor in `text`, which is one word or a product of two, is a multiple.
bool has_multiple(const Facts& facts, std::string_view text, double divisor, std::uint32_t line) {
  const auto all = words_of(text);
  const bool is_product = all.size() == 3 && all[1] == "*";
  if (all.size() != 1 && !is_product) return false;
  return std::ranges::any_of(all, [&](std::string_view word) {
    const auto value = word == "*" ? std::nullopt : number_of(facts, *facts.sized(), word, line);
    return value && *value > 0 && std::fmod(*value, divisor) == 0;
  });
}

// Whether `name` only has multiples of `divisor` at `line`: x * 32, or from 0 on in steps of 32.
bool is_multiple(const Facts& facts, std::string_view name, double divisor, std::uint32_t line) {
  const auto function = facts.flow.function_at(line);
  const auto& words = facts.source.words();
  for (std::size_t i = 2; i + 2 < words.size(); ++i) {
    const auto before = words[i - 2].text + words[i - 1].text;
    const auto behind = words[i + 1].text + words[i + 2].text;
    const bool is_step = before.ends_with("++") || before.ends_with("--") ||
                         behind.starts_with("++") || behind.starts_with("--");
    if (words[i].text == name && is_step) return false;
  }
  bool is_any = false;
  for (const auto& one : facts.flow.assignments()) {
    const bool is_here = one.line >= function.first && one.line <= function.last;
    if (one.name != name || one.is_element || !is_here) continue;
    const bool is_zero = one.value == "0" && !one.is_compound;
    const bool is_sum = words[one.at].text[0] == '+' || words[one.at - 1].text == "+";
    if (one.is_compound && !is_sum) return false;
    if (!is_zero && !has_multiple(facts, one.value, divisor, one.line)) return false;
    is_any = is_any || !is_zero;
  }
  return is_any;
}

}  // namespace

std::optional<ZeroRemainder> zero_remainder(const Facts& facts) {
  if (facts.sized() == nullptr) return std::nullopt;
  const auto& words = facts.source.words();
  for (std::size_t i = 2; i + 2 < words.size(); ++i) {
    const bool is_index = words[i].text == "%" && words[i - 2].text == "[" &&
                          words[i + 2].text == "]" && is_identifier(words[i - 1].text);
    if (!is_index) continue;
    const auto divisor = number_of(facts, *facts.sized(), words[i + 1].text, words[i].line);
    if (!divisor || *divisor <= 1) continue;
    if (!is_multiple(facts, words[i - 1].text, *divisor, words[i].line)) continue;
    return ZeroRemainder{words[i].line, fmt::format("{} % {}", words[i - 1].text, *divisor)};
  }
  return std::nullopt;
}

Found at_remainder(Found found, const ZeroRemainder& remainder) {
  if (remainder.line != found.line) found.other_line = std::exchange(found.line, remainder.line);
  found.values["remainder"] = remainder.text;
  return found;
}

bool chooses_values(const Facts& facts) {
  if (facts.wrong_case == nullptr || facts.wrong_case->program == nullptr) return false;
  const auto& module = facts.wrong_case->program->ptx.module();
  const ValueUses uses(module);
  for (std::uint32_t f = 0; f < module.functions.size(); ++f) {
    const auto& function = module.functions[f];
    for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
      const auto& in = function.instructions[i];
      const bool is_choice = in.opcode == ptx::Opcode::min || in.opcode == ptx::Opcode::max;
      if (!is_choice || in.operands[1].kind != ptx::Operand::Kind::kRegister ||
          in.operands[2].kind != ptx::Operand::Kind::kRegister) {
        continue;
      }
      const auto use = uses.uses_of(f, i);
      if (use.data && !use.address) return true;
    }
  }
  return false;
}

std::uint32_t conversion_line(const Facts& facts) {
  if (facts.wrong_case == nullptr || facts.wrong_case->program == nullptr) return 0;
  const auto& module = facts.wrong_case->program->ptx.module();
  const ValueUses uses(module);
  for (std::uint32_t f = 0; f < module.functions.size(); ++f) {
    const auto& function = module.functions[f];
    for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
      const auto& in = function.instructions[i];
      const auto& where = function.locations[in.location];
      const bool is_to_integer = in.opcode == ptx::Opcode::cvt && in.type_count > 1 &&
                                 in.types[0] >= ptx::Type::kU8 && in.types[0] <= ptx::Type::kS64 &&
                                 (in.types[1] == ptx::Type::kF32 || in.types[1] == ptx::Type::kF64);
      if (!is_to_integer || where.line == 0 || where.file != facts.report.file) continue;
      const auto use = uses.uses_of(f, i);
      if (use.data && !use.address) return where.line;
    }
  }
  return 0;
}

std::uint32_t rest_line(const Facts& facts) {
  for (const auto& branch : facts.flow.branches()) {
    const auto condition = condition_of(branch);
    const bool is_of_thread = KernelText::count_of("threadIdx", condition) != 0;
    if (!is_of_thread && is_rounded_down(condition)) return branch.line;
    if (!branch.is_loop) continue;
    for (const auto* one : facts.flow.sources_of(condition, branch.line)) {
      if (is_rounded_down(one->value) && one->value.find("threadIdx") == std::string::npos) {
        return one->line;
      }
    }
  }
  for (const auto& branch : facts.flow.branches()) {
    const auto condition = condition_of(branch);
    const auto body = facts.flow.body_of(branch);
    const bool leaves = body.find("return") != std::string::npos ||
                        body.find("break") != std::string::npos ||
                        body.find("continue") != std::string::npos;
    const bool is_group = condition.find(" + ") != std::string_view::npos;
    if (is_group && (branch.is_loop || leaves)) return branch.line;
  }
  return 0;
}

std::uint32_t loop_over(const Facts& facts, std::string_view array) {
  const auto& words = facts.source.words();
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i + 1].text != "[" || !is_identifier(words[i].text)) continue;
    if (facts.flow.array_behind(words[i].text, words[i].line) != array) continue;
    const auto loops = facts.flow.loops_around(words[i].line);
    if (!loops.empty()) return loops.front()->line;
  }
  return 0;
}

}  // namespace warpgrade::grader::grade
