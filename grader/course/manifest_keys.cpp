// SPDX-License-Identifier: Apache-2.0
#include "grader/course/manifest_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "common/base/text.h"
#include "grader/text/suggestions.h"

namespace warpgrade::grader::course {
namespace {

constexpr std::array<std::string_view, 28> kExerciseKeys = {
    "id",         "title",  "hints",     "hints_rot13",    "like",
    "kernel",     "launch", "rounds",    "shapes",         "roles",
    "fill",       "values", "same",      "types",          "structs",
    "compare",    "ulps",   "reference", "cases",          "correctness_points",
    "gates",      "change", "questions", "every_question", "bytes",
    "operations", "kind",   "magnitude"};

// Keys of presets alone, then keys of both, then keys of gates alone.
constexpr std::array<std::string_view, 20> kGateAndPresetKeys = {
    "like",  "parameters", "guards",    "case",     "each",   "generations", "id",
    "ideal", "max",        "meaning",   "min",      "metric", "needs",       "next",
    "on",    "share",      "simulated", "worst_of", "points", "use"};
constexpr std::size_t kOnlyOfPresets = 3;
constexpr std::size_t kOnlyOfGates = 2;

}  // namespace

std::span<const std::string_view> exercise_keys() { return kExerciseKeys; }

std::span<const std::string_view> gate_keys() {
  return std::span<const std::string_view>(kGateAndPresetKeys).subspan(kOnlyOfPresets);
}

std::span<const std::string_view> preset_keys() {
  return std::span<const std::string_view>(kGateAndPresetKeys)
      .first(kGateAndPresetKeys.size() - kOnlyOfGates);
}

void refuse_unknown_keys(const text::Table& table, std::span<const std::string_view> known) {
  for (const auto& key : table.keys()) {
    if (std::ranges::find(known, key) != known.end()) continue;
    base::fail_at(table.where(key),
                  fmt::format("{}: unknown key `{}`{}", table.what(), base::escape_controls(key),
                              text::did_you_mean(key, known)));
  }
}

const text::KeyExamples& lab_examples() {
  static const text::KeyExamples kExamples = {
      {"title", "\"Coalescing\""},
      {"summary", "\"Make the lanes of a warp read neighbouring words.\""},
      {"cases", "{ squares = { small = { n = 32 }, large = { n = 1024, measured = true } } }"},
      {"include_folders", "[\"../include\"]"},
  };
  return kExamples;
}

const text::KeyExamples& exercise_examples() {
  static const text::KeyExamples kExamples = {
      {"id", "\"copy\""},
      {"title", "\"Copy a matrix\""},
      {"kind", "\"stencil\""},
      {"hints", "[\"Which words do lanes 0 and 1 load?\"]"},
      {"kernel", "\"copy(float* out, const float* in, int n)\""},
      {"launch", "{ grid = [\"ceil_div(n, 256)\"], block = [256] }"},
      {"grid", "[\"ceil_div(n, 256)\"]"},
      {"block", "[32, 8]"},
      {"shapes", "{ in = \"height x width\" }"},
      {"roles", "{ data = \"inout\" }"},
      {"reference", "\"copy_reference\""},
      {"cases",
       "[{ name = \"ragged\", n = 1001 }, { name = \"large\", n = 65536, measured = true }]"},
      {"name", "\"ragged\""},
      {"timed", "{ n = \"65536 + 32 * draw\" }"},
      {"correctness_points", "2"},
      {"points", "2"},
      {"gates", "[{ use = \"coalesced_loads\", points = 2 }]"},
      {"use", "\"coalesced_loads\""},
      {"metric", "\"launch__shared_mem_per_block_static\""},
      {"on", "\"h200\""},
      {"ideal", "32"},
      {"min", "28"},
      {"max", "4096"},
      {"needs", "[\"sectors_loaded\"]"},
      {"meaning", "\"Bytes used of each sector that your loads move.\""},
      {"next", "\"Neighbouring lanes must load neighbouring words.\""},
  };
  return kExamples;
}

}  // namespace warpgrade::grader::course
