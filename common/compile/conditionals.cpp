// SPDX-License-Identifier: Apache-2.0
#include "common/compile/conditionals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
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

// A directive that begins a branch: "#ifdef FAST" is {"ifdef", "FAST"}.
struct Branch {
  std::string word;
  std::string condition;
  std::uint32_t line = 0;

  std::string shown() const {
    constexpr std::size_t kMost = 80;
    const auto text = '#' + word + (condition.empty() ? "" : ' ' + condition);
    return fmt::format("line {}, `{}`,", line,
                       base::excerpt(base::escape_controls(text), 0, kMost).text);
  }
};

// The branches of a conditional part up to the line in question; the last one contains it.
using Part = std::vector<Branch>;

// The names that the source defines above, with the lines.
using Defined = std::map<std::string, std::uint32_t, std::less<>>;

struct Above {
  std::vector<Part> parts;  // From the outside to the inside.
  Defined defined;
};

std::string joined_words(std::string_view text) {
  std::string out;
  for (const char c : blank_comments_and_literals(text)) {
    const bool is_blank = c == ' ' || c == '\t' || c == '\n' || c == '\\' || c == '\r';
    if (!is_blank) {
      out += c;
    } else if (!out.empty() && out.back() != ' ') {
      out += ' ';
    }
  }
  if (out.ends_with(' ')) out.pop_back();
  return out;
}

Above directives_above(std::string_view source, std::uint32_t line) {
  Above out;
  std::uint32_t at_line = 1;
  std::size_t counted = 0;
  for (const auto& token : tokens_of(source)) {
    if (token.kind != TokenKind::kDirective) continue;
    at_line += static_cast<std::uint32_t>(
        std::ranges::count(source.substr(counted, token.begin - counted), '\n'));
    counted = token.begin;
    if (at_line >= line) break;
    const auto text = joined_words(source.substr(token.begin + 1, token.end - token.begin - 1));
    const auto inside = text.substr(std::min(text.find_first_not_of(' '), text.size()));
    const auto blank = inside.find_first_of(" (!");
    Branch branch{inside.substr(0, blank), {}, at_line};
    if (blank != std::string::npos) {
      branch.condition = inside.substr(blank + (inside[blank] == ' ' ? 1 : 0));
    }
    if (branch.word == "if" || branch.word == "ifdef" || branch.word == "ifndef") {
      out.parts.push_back({std::move(branch)});
    } else if (branch.word.starts_with("el") && !out.parts.empty()) {
      out.parts.back().push_back(std::move(branch));
    } else if (branch.word == "endif" && !out.parts.empty()) {
      out.parts.pop_back();
    } else if (branch.word == "define" || branch.word == "undef") {
      const auto name = branch.condition.substr(0, branch.condition.find_first_of(" ("));
      if (branch.word == "define") {
        out.defined[name] = at_line;
      } else {
        out.defined.erase(name);
      }
    }
  }
  return out;
}

bool is_name(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_word) && (text[0] < '0' || text[0] > '9');
}

// A condition on one name: FAST of "#ifdef FAST", "#if defined(FAST)" and "#if !defined FAST".
struct NameTest {
  std::string name;
  bool is_negated = false;
};

std::optional<NameTest> name_test(const Branch& branch) {
  std::string_view text = branch.condition;
  if (branch.word.ends_with("def")) {
    NameTest out{std::string(text), branch.word.ends_with("ndef")};
    return is_name(out.name) ? std::optional(out) : std::nullopt;
  }
  const bool is_negated = text.starts_with('!');
  if (is_negated) text.remove_prefix(1);
  while (text.starts_with(' ')) text.remove_prefix(1);
  constexpr std::string_view kDefined = "defined";
  if (!text.starts_with(kDefined)) return std::nullopt;
  text.remove_prefix(kDefined.size());
  std::string name(text);
  std::erase_if(name, [](char c) { return c == ' ' || c == '(' || c == ')'; });
  return is_name(name) ? std::optional(NameTest{name, is_negated}) : std::nullopt;
}

bool is_reserved(std::string_view name) {
  return name.starts_with('_') || name.starts_with("CUDA");
}

// Whether the condition holds; nullopt if the source does not tell.
std::optional<bool> truth(const Branch& branch, const Defined& defined) {
  if (branch.word == "else") return std::nullopt;
  if (branch.condition == "0" || branch.condition == "false") return false;
  if (branch.condition == "1" || branch.condition == "true") return true;
  const auto test = name_test(branch);
  if (!test || is_reserved(test->name)) return std::nullopt;
  return defined.contains(test->name) != test->is_negated;
}

// Whether the branch that is last in `part` is certainly left out.
bool is_left_out(const Part& part, const Defined& defined) {
  for (auto one = part.begin(); one + 1 != part.end(); ++one) {
    if (truth(*one, defined) == true) return true;
  }
  return truth(part.back(), defined) == false;
}

std::string option_text(const std::string& option, bool has_options) {
  if (!has_options) return {};
  return fmt::format(", or pass {}", base::for_caller("--compiler-option " + option,
                                                      fmt::format("options=('{}',)", option)));
}

// Why the condition is false, and what to do.
std::string false_text(const Branch& branch, const Defined& defined, bool has_options) {
  const auto test = name_test(branch);
  if (test && !test->is_negated) {
    return fmt::format("because {0} is not defined: write `#define {0}` above it{1}", test->name,
                       option_text("-D" + test->name, has_options));
  }
  if (test) {
    const auto found = defined.find(test->name);
    return found == defined.end()
               ? fmt::format("because {} is defined", test->name)
               : fmt::format("because {} is defined in line {}: remove that line", test->name,
                             found->second);
  }
  if (branch.condition == "0") return "until you remove it and its #endif";
  if (branch.condition.find("__CUDA_ARCH__") != std::string::npos) {
    return "because the condition is false for this architecture" +
           (has_options ? base::for_caller("; choose another --device", "; choose another device=")
                        : std::string());
  }
  return "because its condition is false: change it" + option_text("-DNAME=VALUE", has_options);
}

std::string explained(const Part& part, const Defined& defined, bool has_options) {
  const auto& last = part.back();
  if (last.word == "else" && part.size() == 2) {
    const auto& first = part.front();
    const auto test = name_test(first);
    const auto found = test ? defined.find(test->name) : defined.end();
    std::string what = "the condition holds";
    if (test && test->is_negated) {
      what = fmt::format("{0} is not defined: write `#define {0}` above it{1}", test->name,
                         option_text("-D" + test->name, has_options));
    } else if (test && found != defined.end()) {
      what = fmt::format("{} is defined in line {}: remove that line", test->name, found->second);
    } else if (test) {
      what = fmt::format("{} is defined", test->name);
    }
    return fmt::format("the `#else` in line {} to {} leaves it out, because {}", last.line,
                       first.shown(), what);
  }
  if (last.word == "else") {
    return fmt::format("the `#else` in line {} leaves it out, because a condition above it holds",
                       last.line);
  }
  for (auto one = part.begin(); one + 1 != part.end(); ++one) {
    if (truth(*one, defined) != true) continue;
    return fmt::format("{} leaves it out, because {} holds", last.shown(), one->shown());
  }
  return fmt::format("{} leaves it out, {}", last.shown(), false_text(last, defined, has_options));
}

}  // namespace

std::string left_out_by(std::string_view source, std::uint32_t line, bool has_options) {
  const auto above = directives_above(source, line);
  if (above.parts.empty()) return {};
  const auto certain = std::ranges::find_if(
      above.parts, [&](const Part& part) { return is_left_out(part, above.defined); });
  if (certain != above.parts.end()) return explained(*certain, above.defined, has_options);
  std::vector<const Part*> open;
  for (const auto& part : above.parts) {
    const bool holds = part.size() == 1 && truth(part.back(), above.defined) == true;
    if (!holds) open.push_back(&part);
  }
  if (open.empty()) return {};
  if (open.size() == 1) return explained(*open.front(), above.defined, has_options);
  std::string out = "one of these leaves it out:";
  for (const auto* part : open) {
    auto shown = part->back().shown();
    shown.pop_back();
    out += (part == open.front() ? " " : ", or ") + shown;
  }
  return out;
}

}  // namespace warpgrade::compile
