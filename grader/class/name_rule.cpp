// SPDX-License-Identifier: Apache-2.0
#define PCRE2_CODE_UNIT_WIDTH 8
#include "grader/class/name_rule.h"

#include <fmt/format.h>
#include <pcre2.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include "common/base/error.h"

namespace warpgrade::grader::class_book {
namespace {

constexpr std::uint32_t kMostSteps = 100'000;  // of one match; a name needs some dozens

pcre2_code* code_in(const std::shared_ptr<void>& code) {
  return static_cast<pcre2_code*>(code.get());
}

bool has_group(const std::shared_ptr<void>& code, const char* name) {
  return pcre2_substring_number_from_name(code_in(code), reinterpret_cast<PCRE2_SPTR>(name)) >= 0;
}

std::string group(pcre2_match_data* data, const char* name) {
  PCRE2_UCHAR* text = nullptr;
  PCRE2_SIZE size = 0;
  if (pcre2_substring_get_byname(data, reinterpret_cast<PCRE2_SPTR>(name), &text, &size) != 0) {
    return {};
  }
  std::string out(reinterpret_cast<const char*>(text), size);
  pcre2_substring_free(text);
  return out;
}

}  // namespace

NameRule::NameRule(const std::string& expression) {
  int error = 0;
  PCRE2_SIZE at = 0;
  auto* code = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(expression.data()), expression.size(), 0,
                             &error, &at, nullptr);
  if (code == nullptr) {
    std::array<PCRE2_UCHAR, 256> text{};
    pcre2_get_error_message(error, text.data(), text.size());
    throw base::UsageError(fmt::format("the regular expression is wrong at its character {}: {}",
                                       at + 1, reinterpret_cast<const char*>(text.data())));
  }
  code_ = std::shared_ptr<void>(
      code, [](void* pointer) { pcre2_code_free(static_cast<pcre2_code*>(pointer)); });
  if (!has_group(code_, "student")) {
    throw base::UsageError("the regular expression has no group (?<student>...)");
  }
}

std::optional<std::vector<std::string>> NameRule::groups(
    std::string_view text, const std::vector<const char*>& names) const {
  const std::unique_ptr<pcre2_match_context, decltype(&pcre2_match_context_free)> context(
      pcre2_match_context_create(nullptr), pcre2_match_context_free);
  const std::unique_ptr<pcre2_match_data, decltype(&pcre2_match_data_free)> data(
      pcre2_match_data_create_from_pattern(code_in(code_), nullptr), pcre2_match_data_free);
  pcre2_set_match_limit(context.get(), kMostSteps);
  const int found = pcre2_match(code_in(code_), reinterpret_cast<PCRE2_SPTR>(text.data()),
                                text.size(), 0, 0, data.get(), context.get());
  if (found < 0) return std::nullopt;
  std::vector<std::string> out;
  for (const auto* name : names) out.push_back(group(data.get(), name));
  return out;
}

std::optional<NameParts> NameRule::match_text(std::string_view text) const {
  const auto found = groups(text, {"student", "lab", "exercise", "time"});
  if (!found) return std::nullopt;
  return NameParts{(*found)[0], (*found)[1], (*found)[2], (*found)[3]};
}

std::optional<NameParts> NameRule::match(std::string_view path) const {
  const auto last = path.substr(path.rfind('/') + 1);
  if (auto found = match_text(last)) return found;
  return match_text(path);
}

bool fits_pattern(std::string_view pattern, std::string_view name) {
  if (pattern.empty()) return name.empty();
  if (pattern.front() == '*') {
    for (std::size_t i = 0; i <= name.size(); ++i) {
      if (fits_pattern(pattern.substr(1), name.substr(i))) return true;
    }
    return false;
  }
  return !name.empty() && (pattern.front() == '?' || pattern.front() == name.front()) &&
         fits_pattern(pattern.substr(1), name.substr(1));
}

}  // namespace warpgrade::grader::class_book
