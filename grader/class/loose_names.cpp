// SPDX-License-Identifier: Apache-2.0
#include "grader/class/loose_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace warpgrade::grader::class_book {
namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::string lower_ascii(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return out;
}

std::string_view last_part(std::string_view path) {
  return path.substr(path.find_last_of('/') + 1);
}

constexpr std::array<std::string_view, 6> kSources = {".cu", ".cpp", ".cc", ".cxx", ".c", ".txt"};

// The name without its suffix ("copy.cu.txt" has two), in lower case.
std::string stem_of(std::string_view path) {
  auto name = lower_ascii(last_part(path));
  for (const auto suffix : {".txt", ".toml", ".cu", ".cpp", ".cc", ".cxx", ".c"}) {
    if (name.ends_with(suffix)) name.resize(name.size() - std::string_view(suffix).size());
  }
  return name;
}

bool has_suffix_for(const course::Exercise& exercise, std::string_view path) {
  const auto name = lower_ascii(last_part(path));
  if (exercise.kernel() == nullptr) return name.ends_with(".toml") || name.ends_with(".toml.txt");
  return std::ranges::any_of(kSources, [&](auto suffix) {
    return suffix == ".txt" ? name.ends_with(".cu.txt") : name.ends_with(suffix);
  });
}

// Removes the number that browsers (" (1)") and platforms ("-1") append to the name. Returns
// nullopt if the name has none.
std::optional<std::int64_t> take_number(std::string& stem) {
  auto text = std::string_view(stem);
  const bool in_brackets = text.ends_with(')');
  if (in_brackets) text.remove_suffix(1);
  std::size_t digits = 0;
  while (digits < text.size() && digits < 4 && text[text.size() - 1 - digits] >= '0' &&
         text[text.size() - 1 - digits] <= '9') {
    ++digits;
  }
  if (digits == 0 || digits == text.size()) return std::nullopt;
  const auto number = std::stoll(std::string(text.substr(text.size() - digits)));
  text.remove_suffix(digits);
  if (!text.ends_with(in_brackets ? '(' : '-')) return std::nullopt;
  text.remove_suffix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  if (text.empty()) return std::nullopt;
  stem = std::string(text);
  return number;
}

// Whether `id` is in `stem` as whole words: "reduce_many" in "my reduce-many v2".
bool has_words(std::string_view stem, std::string_view id) {
  auto normal = [](std::string_view text) {
    std::string out = "_";
    for (const char c : text) {
      const char next = is_word(c) || static_cast<unsigned char>(c) >= 0x80 ? c : '_';
      if (next != '_' || out.back() != '_') out += next;
    }
    return out.back() == '_' ? out : out + '_';
  };
  return normal(stem).find(normal(id)) != std::string::npos;
}

// The exercise that fits alone; a longer name that has another one in it is the better one.
std::optional<course::Selected> only_one(std::vector<course::Selected> fitting) {
  const auto is_inside = [&](const course::Selected& one) {
    return std::ranges::any_of(fitting, [&](const course::Selected& other) {
      return other.exercise->id.size() > one.exercise->id.size() &&
             has_words(other.exercise->id, one.exercise->id);
    });
  };
  std::vector<course::Selected> best;
  std::ranges::copy_if(fitting, std::back_inserter(best),
                       [&](const course::Selected& one) { return !is_inside(one); });
  return best.size() == 1 ? std::optional(best.front()) : std::nullopt;
}

template <typename Fits>
std::optional<course::Selected> one_that(const std::vector<course::Selected>& selected,
                                         std::string_view path, const Fits& fits) {
  std::vector<course::Selected> found;
  for (const auto& one : selected) {
    if (has_suffix_for(*one.exercise, path) && fits(*one.exercise)) found.push_back(one);
  }
  return only_one(std::move(found));
}

bool has_kernels_of(const course::Exercise& exercise, const std::vector<std::string>& kernels) {
  const auto* kernel = exercise.kernel();
  if (kernel == nullptr || kernel->steps.empty()) return false;
  return std::ranges::all_of(kernel->steps, [&](const course::Step& step) {
    const auto name = step.kernel.substr(0, step.kernel.find_first_of("<{"));
    return std::ranges::find(kernels, name) != kernels.end();
  });
}

}  // namespace

bool may_be_work(std::string_view path) {
  static constexpr std::array<std::string_view, 8> kSuffixes = {
      ".cu", ".toml", ".cpp", ".cc", ".cxx", ".c", ".cu.txt", ".toml.txt"};
  const auto name = lower_ascii(last_part(path));
  return std::ranges::any_of(kSuffixes, [&](auto suffix) { return name.ends_with(suffix); });
}

std::vector<std::string> kernels_in(std::string_view source) {
  constexpr std::string_view kMark = "__global__";
  std::vector<std::string> out;
  for (auto at = source.find(kMark); at != std::string_view::npos; at = source.find(kMark, at)) {
    at += kMark.size();
    // The name is the last word before the first bracket that does not belong to an attribute.
    std::string word;
    for (auto i = at; i < source.size() && source[i] != ';' && source[i] != '{'; ++i) {
      if (is_word(source[i])) {
        if (i == at || !is_word(source[i - 1])) word.clear();
        word += source[i];
      } else if (source[i] == '(') {
        if (word != "__launch_bounds__") break;
        i = std::min(source.find(')', i), source.size());
        word.clear();
      }
    }
    if (!word.empty() && std::ranges::find(out, word) == out.end()) out.push_back(word);
  }
  return out;
}

std::optional<LooseMatch> loosely_named(const std::vector<course::Selected>& selected,
                                        std::string_view path, std::string_view bytes) {
  if (!may_be_work(path)) return std::nullopt;
  auto stem = stem_of(path);
  const auto is_called = [&](const course::Exercise& exercise) {
    return lower_ascii(exercise.id) == stem;
  };
  if (const auto found = one_that(selected, path, is_called)) return LooseMatch{*found, "its name"};
  if (const auto number = take_number(stem)) {
    if (const auto found = one_that(selected, path, is_called)) {
      return LooseMatch{*found, "its name", true, *number};
    }
  }
  const auto has_name = [&](const course::Exercise& exercise) {
    return has_words(stem, lower_ascii(exercise.id));
  };
  if (const auto found = one_that(selected, path, has_name)) return LooseMatch{*found, "its name"};
  const auto kernels = kernels_in(bytes);
  const auto has_kernels = [&](const course::Exercise& one) {
    return has_kernels_of(one, kernels);
  };
  std::vector<course::Selected> fitting;
  for (const auto& one : selected) {
    if (has_suffix_for(*one.exercise, path) && has_kernels(*one.exercise)) fitting.push_back(one);
  }
  if (fitting.size() != 1) return std::nullopt;
  return LooseMatch{fitting.front(),
                    "its kernel " + fitting.front().exercise->kernel()->steps.front().kernel};
}

}  // namespace warpgrade::grader::class_book
