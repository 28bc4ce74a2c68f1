// SPDX-License-Identifier: Apache-2.0
// The names `bytes_in`, `bytes_out`, `elements_in` and `elements_out` in expressions of a manifest:
// sums over the buffers of an exercise.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "common/base/text.h"
#include "grader/course/exercise.h"

namespace warpgrade::grader::course {

/// Expressions of the case's variables for the names of sizes.
class SizeWords {
 public:
  explicit SizeWords(const KernelExercise& exercise) {
    for (const auto* buffer : buffers_of(exercise.parameters)) {
      const auto elements = fmt::format("({}) * ({})", buffer->rows.text, buffer->columns.text);
      const auto bytes = fmt::format("{} * {}", elements, verify::size_of(buffer->type));
      if (buffer->is_input()) add("in", elements, bytes);
      if (buffer->is_output()) add("out", elements, bytes);
    }
  }

  std::optional<text::Expression> replaced(std::optional<text::Expression> given) const {
    if (!given) return given;
    std::string out;
    for (std::size_t i = 0; i < given->text.size();) {
      auto end = i;
      while (end < given->text.size() && base::is_word_letter(given->text[end])) ++end;
      const auto word = given->text.substr(i, std::max(end, i + 1) - i);
      const auto known = words_.find(word);
      out += known == words_.end() ? word : '(' + known->second + ')';
      i += word.size();
    }
    given->text = std::move(out);
    return given;
  }

 private:
  void add(const std::string& which, const std::string& elements, const std::string& bytes) {
    for (const auto& [name, text] :
         {std::pair{"elements_" + which, elements}, {"bytes_" + which, bytes}}) {
      auto& all = words_[name];
      all += (all.empty() ? "" : " + ") + text;
    }
  }

  std::map<std::string, std::string> words_;
};

}  // namespace warpgrade::grader::course
