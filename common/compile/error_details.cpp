// SPDX-License-Identifier: Apache-2.0
#include "common/compile/error_details.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/base/text.h"
#include "common/compile/directives.h"
#include "common/compile/source_outline.h"

namespace warpgrade::compile {
namespace {

constexpr std::size_t kMostCandidates = 4;
constexpr std::size_t kMostSteps = 5;  // The first ones, and the last two.
constexpr std::size_t kMostStepBytes = 160;

std::string cut(std::string_view text) { return base::shortened(text, kMostStepBytes); }

// The lines of an excerpt before the source line, and behind its caret.
struct Excerpt {
  std::vector<std::string_view> before;
  std::vector<std::string_view> behind;
};

Excerpt split(std::string_view excerpt) {
  Excerpt out;
  const auto lines = base::lines_of(excerpt);
  const auto caret =
      std::ranges::find_if(lines, [](std::string_view line) { return base::trimmed(line) == "^"; });
  if (caret == lines.end()) return out;
  for (auto line = lines.begin(); line != caret && line + 1 != caret; ++line) {
    out.before.push_back(base::trimmed(*line));
  }
  for (auto line = caret + 1; line != lines.end(); ++line)
    out.behind.push_back(base::trimmed(*line));
  return out;
}

// A step in the chain of instances: "instantiation of "T sum(T) [with T=int]"" at a line.
struct Step {
  std::string_view text;
  std::string_view file;  // Empty: the error's.
  std::uint32_t line = 0;
};

// "instantiation of "..." at line 5 of a.h". The text may contain strings of a student, the place
// is behind them.
std::optional<Step> step_of(std::string_view text) {
  constexpr std::string_view kAt = " at line ";
  const auto at = text.rfind(kAt);
  if (at == std::string_view::npos) return std::nullopt;
  Step out{text.substr(0, at), {}, 0};
  auto place = text.substr(at + kAt.size());
  while (!place.empty() && std::isdigit(static_cast<unsigned char>(place.front())) != 0) {
    out.line = out.line * 10 + static_cast<std::uint32_t>(place.front() - '0');
    place.remove_prefix(1);
  }
  if (place.starts_with(" of ")) out.file = place.substr(4);
  return out;
}

// The steps, innermost first. The compiler's count of omitted ones is a step without a line.
std::vector<Step> chain_of(const LogEntry& entry) {
  constexpr std::string_view kDetected = "detected during";
  std::vector<Step> out;
  bool is_chain = false;
  for (auto line : split(entry.excerpt).behind) {
    if (line.starts_with(kDetected)) {
      is_chain = true;
      line.remove_prefix(kDetected.size());
      if (line == ":") continue;
      line = base::trimmed(line);
    }
    if (!is_chain) continue;
    if (line.starts_with('[')) {
      out.push_back({base::trimmed(line.substr(1, line.find(']') - 1)), {}, 0});
    } else if (auto step = step_of(line)) {
      out.push_back(*step);
    }
  }
  return out;
}

std::string place_text(const Step& step, const LogEntry& entry, const LogContext& context) {
  if (step.line == 0) return {};
  const auto file = step.file.empty() ? entry.file : step.file;
  if (file == kNameMap) return " for the kernel's name";
  if (file == entry.file) return fmt::format(" at line {}", step.line);
  return fmt::format(" at line {} of {}", step.line, shown_path(file, context));
}

std::string chain_text(const LogEntry& entry, const LogContext& context) {
  const auto steps = chain_of(entry);
  std::string out;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto first = kMostSteps - 2;
    if (steps.size() > kMostSteps && i == first) {
      out += fmt::format(", {} more", steps.size() - kMostSteps);
      i = steps.size() - 2;
    }
    out += fmt::format("{}{}{}", out.empty() ? ". Detected during " : ", ", cut(steps[i].text),
                       place_text(steps[i], entry, context));
  }
  return out;
}

// "Argument types: (float *, int)", and functions that all fit: what the compiler prints above the
// source line.
std::string types_text(const LogEntry& entry) {
  std::string out;
  std::string fitting;
  for (const auto line : split(entry.excerpt).before) {
    if (line.starts_with("function ") || line.starts_with("built-in operator")) {
      fitting += (fitting.empty() ? ". These fit: " : ", ") + cut(line);
      continue;
    }
    const auto verb = std::min(line.find(" are: "), line.find(" is: "));
    if (verb == std::string_view::npos) continue;
    auto subject = std::string(line.substr(0, verb));
    subject.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(subject.front())));
    out += fmt::format(". {}: {}", subject, cut(line.substr(line.find(": ") + 2)));
  }
  return fitting + out;
}

// The number in "because argument #2 does not match parameter"; 0 without one.
std::uint32_t failed_argument(std::string_view message) {
  constexpr std::string_view kArgument = "because argument #";
  const auto at = message.rfind(kArgument);
  if (at == std::string_view::npos) return 0;
  std::uint32_t out = 0;
  for (const char c : message.substr(at + kArgument.size())) {
    if (std::isdigit(static_cast<unsigned char>(c)) == 0) break;
    out = out * 10 + static_cast<std::uint32_t>(c - '0');
  }
  return out;
}

// "load(double *, int)" of a note on a function; the whole note if it has another form.
std::string candidate_text(const LogNote& note, const LogEntry& entry, const LogContext& context) {
  std::string why;
  if (const auto argument = failed_argument(note.message); argument != 0) {
    why = fmt::format("argument {} does not match", argument);
  } else if (note.message.starts_with("number of parameters")) {
    why = "another number of parameters";
  } else if (note.message.ends_with("failed deduction")) {
    why = "the template's arguments cannot be deduced";
  }
  const auto name = last_quoted(note.message);
  auto out = why.empty() || name.empty() ? cut(note.message) : '"' + cut(name) + '"';
  if (note.line != 0) {
    out += note.file == entry.file
               ? fmt::format(" in line {}", note.line)
               : fmt::format(" in line {} of {}", note.line, shown_path(note.file, context));
  }
  return why.empty() ? out : fmt::format("{} ({})", out, why);
}

// The candidate that fits the most arguments comes first.
std::string candidates_text(const LogEntry& entry, const LogContext& context) {
  std::vector<LogNote> notes;
  std::ranges::copy_if(entry.notes, std::back_inserter(notes), [](const LogNote& note) {
    return !note.message.starts_with("to match this") &&
           !note.message.starts_with("built-in operator");
  });
  // Functions of the text come from its end to its beginning, those of the compiler do not.
  if (!notes.empty() && notes.front().line != 0) std::ranges::reverse(notes);
  std::ranges::stable_sort(notes, std::greater(),
                           [](const LogNote& note) { return failed_argument(note.message); });
  std::string out;
  for (std::size_t i = 0; i < std::min(notes.size(), kMostCandidates); ++i) {
    out += (i == 0 ? ". Candidates: " : ", ") + candidate_text(notes[i], entry, context);
  }
  if (notes.size() > kMostCandidates) {
    out += fmt::format(" and {} more", notes.size() - kMostCandidates);
  }
  return out;
}

}  // namespace

std::string details_of(const LogEntry& entry, const LogContext& context) {
  return types_text(entry) + candidates_text(entry, context) + chain_text(entry, context);
}

std::uint32_t requesting_line(const LogEntry& entry, const LogContext& context) {
  for (const auto& step : chain_of(entry)) {
    if (step.file == context.compiled_name) return step.line;
  }
  return 0;
}

namespace {

// The head of a function that is not complete: the tokens [begin, end) of the source.
class OpenHead {
 public:
  OpenHead(std::string_view text, const std::vector<Token>& tokens, std::size_t end)
      : text_(text), tokens_(tokens), begin_(end), end_(end) {
    while (begin_ > 0) {
      const auto before = word(begin_ - 1);
      const bool is_end = before == ";" || before == "}" || before == "{" ||
                          tokens_[begin_ - 1].kind == TokenKind::kDirective;
      if (is_end) break;
      --begin_;
    }
  }

  std::optional<Unfinished> explain(std::string_view behind) const {
    const auto space = find_space();
    if (space == end_) return std::nullopt;
    const auto open = find("(", space);
    auto name = open;
    while (name < end_ && is_attribute(name - 1)) name = find("(", behind_list(name));
    if (open == end_ || name == end_) return explain_without_list(space, behind);
    const auto close = behind_list(name);
    Unfinished out;
    out.is_head = true;
    out.first_line = line_of_token(begin_);
    const auto& at = tokens_[close == end_ && !closes(name) ? name : name - 1];
    place(at.begin, out);
    const auto called = word(name - 1);
    out.message = closes(name) ? fmt::format("'{}' has a head but no body: {}", called, behind)
                               : fmt::format(
                                     "the list of parameters of '{}' has no \")\", and the body is "
                                     "missing: {}",
                                     called, behind);
    return out;
  }

 private:
  std::string_view word(std::size_t i) const { return word_of(tokens_[i], text_); }

  // The first __global__ or __device__; end_ without one.
  std::size_t find_space() const {
    for (auto i = begin_; i < end_; ++i) {
      if (word(i) == "__global__" || word(i) == "__device__") return i;
    }
    return end_;
  }

  std::size_t find(std::string_view what, std::size_t from) const {
    while (from < end_ && word(from) != what) ++from;
    return from;
  }

  bool is_attribute(std::size_t i) const {
    return word(i) == "__launch_bounds__" || word(i) == "__attribute__" || word(i) == "alignas";
  }

  // The token behind the ")" that closes the "(" at `open`; end_ if that is missing.
  std::size_t behind_list(std::size_t open) const {
    std::size_t depth = 0;
    for (auto i = open; i < end_; ++i) {
      if (word(i) == "(") ++depth;
      if (word(i) == ")" && --depth == 0) return i + 1;
    }
    return end_;
  }

  bool closes(std::size_t open) const {
    std::ptrdiff_t depth = 0;
    for (auto i = open; i < end_; ++i) {
      depth += word(i) == "(" ? 1 : word(i) == ")" ? -1 : 0;
    }
    return depth <= 0;
  }

  // "__global__ void f", "__global__ void", "__global__".
  std::optional<Unfinished> explain_without_list(std::size_t space, std::string_view behind) const {
    static constexpr std::array<std::string_view, 5> kNoNames = {"__global__", "__device__", "void",
                                                                 "static", "inline"};
    const auto last = end_ - 1;
    if (word(last) == "=" || word(last) == "," || word(last) == "]") return std::nullopt;
    const bool is_kernel = word(space) == "__global__";
    const bool has_name = tokens_[last].kind == TokenKind::kWord && last > space + 1 &&
                          std::ranges::count(kNoNames, word(last)) == 0;
    if (!is_kernel) return std::nullopt;  // It may be a variable.
    Unfinished out;
    out.is_head = true;
    out.first_line = line_of_token(begin_);
    place(tokens_[last].begin, out);
    out.message =
        has_name ? fmt::format("'{}' has neither parameters nor a body: {}", word(last), behind)
                 : fmt::format("the kernel behind '{}' has no name, parameters or body: {}",
                               word(last), behind);
    return out;
  }

  std::uint32_t line_of_token(std::size_t i) const {
    return line_of_offset(text_, tokens_[i].begin);
  }

  void place(std::size_t offset, Unfinished& out) const {
    out.line = line_of_offset(text_, offset);
    const auto newline = text_.rfind('\n', offset);
    const auto begin = newline == std::string_view::npos ? 0 : newline + 1;
    out.column = static_cast<std::uint32_t>(offset - begin + 1);
  }

  std::string_view text_;
  const std::vector<Token>& tokens_;
  std::size_t begin_;
  std::size_t end_;
};

// A brace without an end; the compiler names it in a note, the innermost first.
std::optional<Unfinished> open_brace(const LogEntry& entry, const LogContext& context) {
  const auto note = std::ranges::find_if(entry.notes, [&](const LogNote& one) {
    return one.message == "to match this \"{\"" && one.file == context.compiled_name;
  });
  if (note == entry.notes.end()) return std::nullopt;
  const Declaration* inside = nullptr;
  const auto all = find_declarations(context.source);
  for (const auto& one : all) {
    if (one.is_definition && one.line <= note->line) inside = &one;
  }
  Unfinished out;
  out.line = out.first_line = note->line;
  out.column = note->column;
  const auto where = inside == nullptr ? std::string("here")
                                       : fmt::format("inside '{}', which begins in line {}",
                                                     inside->name, inside->line);
  if (inside != nullptr) out.first_line = inside->line;
  out.message = fmt::format("the file ends {}: this \"{{\" has no \"}}\"", where);
  return out;
}

bool begins_function(const LogEntry& entry, std::string_view rest) {
  const bool is_attribute =
      has_part(entry.message, "does not apply here") ||
      entry.message == "attributes are not permitted in a function definition";
  return is_attribute && (rest.starts_with("__global__") || rest.starts_with("__device__"));
}

}  // namespace

std::optional<Unfinished> unfinished_function(const std::vector<LogEntry>& entries,
                                              const LogContext& context) {
  const auto text = context.source;
  std::vector<Token> tokens;
  for (const auto& entry : entries) {
    if (!entry.is_error || entry.file != context.compiled_name) continue;
    if (entry.line == 0) {
      if (auto found = open_brace(entry, context)) return found;
      if (tokens.empty()) tokens = tokens_of(text);
      return OpenHead(text, tokens, tokens.size()).explain("the file ends here");
    }
    const auto offset = offset_of(text, entry.line, entry.column);
    if (!begins_function(entry, text.substr(offset))) continue;
    if (tokens.empty()) tokens = tokens_of(text);
    const auto at = std::ranges::lower_bound(tokens, offset, {}, &Token::begin);
    const auto next = static_cast<std::size_t>(at - tokens.begin());
    const auto behind = fmt::format("the next function begins in line {}", entry.line);
    if (auto found = OpenHead(text, tokens, next).explain(behind)) return found;
  }
  return std::nullopt;
}

}  // namespace warpgrade::compile
