// SPDX-License-Identifier: Apache-2.0
#include "grader/class/near_copies.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "common/compile/source_outline.h"
#include "grader/class/book_file.h"
#include "grader/course/course.h"
#include "grader/report/formats/class_grades.h"
#include "grader/text/files.h"
#include "grader/text/messages.h"

namespace warpgrade::grader::class_book {
namespace {

constexpr double kLeastShare = 0.6;
constexpr std::size_t kLeastShared = 5;
// A fingerprint that more sources share than this, or than a tenth of them, is the usual solution.
constexpr std::size_t kMostWithIt = 10;

// Words of the language, each between spaces; all others are names that the author chose.
constexpr std::string_view kFixedWords =
    " if else for while do return break continue switch case const float double int unsigned"
    " long short char bool void struct template auto sizeof volatile true false threadIdx"
    " blockIdx blockDim gridDim x y z __global__ __device__ __shared__ __constant__"
    " __restrict__ __forceinline__ __syncthreads __syncwarp __shfl_sync __shfl_down_sync"
    " __shfl_up_sync __shfl_xor_sync __umulhi atomicAdd min max float4 float2 double2 int4"
    " extern ";

bool is_fixed(std::string_view word) {
  return kFixedWords.find(fmt::format(" {} ", word)) != std::string_view::npos;
}

std::uint64_t hash_of(std::string_view text) {  // FNV-1a: the same on every machine
  std::uint64_t out = 0xcbf29ce484222325;
  for (const char c : text) out = (out ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return out;
}

std::uint64_t hash_of_token(const compile::Token& token, std::string_view source) {
  const auto text = source.substr(token.begin, token.end - token.begin);
  switch (token.kind) {
    case compile::TokenKind::kWord:
      return hash_of(is_fixed(text) ? text : "name");
    case compile::TokenKind::kLiteral:
      return hash_of("\"\"");
    case compile::TokenKind::kDirective:
      return hash_of("#");
    default:
      return hash_of(text);
  }
}

// The hash of each run of tokens, by its first.
std::vector<std::uint64_t> hashes_of_runs(const std::vector<std::uint64_t>& tokens) {
  std::vector<std::uint64_t> out;
  for (std::size_t i = 0; i + kFingerprintRun <= tokens.size(); ++i) {
    std::uint64_t hash = 0;
    for (std::size_t k = 0; k < kFingerprintRun; ++k) {
      hash = (hash ^ tokens[i + k]) * 0x9e3779b97f4a7c15;
      hash ^= hash >> 29;
    }
    out.push_back(hash);
  }
  return out;
}

// A source's own fingerprints, each with its first position.
using Own = std::unordered_map<std::uint64_t, std::uint32_t>;

std::vector<Own> own_fingerprints(const std::vector<std::string>& sources,
                                  const std::vector<std::string>& given) {
  std::unordered_set<std::uint64_t> known;
  for (const auto& text : given) {
    for (const auto& one : fingerprints_of(text)) known.insert(one.hash);
  }
  std::vector<Own> out(sources.size());
  for (std::size_t i = 0; i < sources.size(); ++i) {
    for (const auto& one : fingerprints_of(sources[i])) {
      if (!known.contains(one.hash)) out[i].try_emplace(one.hash, one.line);
    }
  }
  return out;
}

}  // namespace

std::vector<Fingerprint> fingerprints_of(std::string_view source) {
  const auto tokens = compile::tokens_of(source);
  std::vector<std::uint64_t> hashes;
  for (const auto& token : tokens) hashes.push_back(hash_of_token(token, source));
  const auto runs = hashes_of_runs(hashes);
  std::vector<Fingerprint> out;
  if (runs.empty()) return out;
  std::size_t counted = 0;
  std::uint32_t line = 1;
  std::size_t last = runs.size();  // none yet
  const auto windows = runs.size() < kFingerprintWindow ? 1 : runs.size() - kFingerprintWindow + 1;
  for (std::size_t window = 0; window < windows; ++window) {
    auto least = window;
    for (std::size_t i = window; i < std::min(window + kFingerprintWindow, runs.size()); ++i) {
      if (runs[i] <= runs[least]) least = i;  // of equal ones the last, as in the paper
    }
    if (least == last) continue;
    last = least;
    for (; counted < tokens[least].begin; ++counted) line += source[counted] == '\n' ? 1 : 0;
    out.push_back({runs[least], line});
  }
  return out;
}

std::vector<SimilarPair> similar_pairs(const std::vector<std::string>& sources,
                                       const std::vector<std::string>& given) {
  const auto own = own_fingerprints(sources, given);
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> who;
  for (std::size_t i = 0; i < own.size(); ++i) {
    for (const auto& [hash, line] : own[i]) who[hash].push_back(i);
  }
  const auto most = std::max(kMostWithIt, sources.size() / 10);
  std::vector<std::size_t> counts(sources.size());
  std::map<std::pair<std::size_t, std::size_t>, SimilarPair> pairs;
  for (const auto& [hash, those] : who) {
    if (those.size() > most) continue;
    for (const auto one : those) ++counts[one];
    for (std::size_t a = 0; a < those.size(); ++a) {
      for (std::size_t b = a + 1; b < those.size(); ++b) {
        auto& pair = pairs[{those[a], those[b]}];
        const auto first_line = own[those[a]].at(hash);
        const auto second_line = own[those[b]].at(hash);
        if (pair.shared++ == 0 || first_line < pair.first_line) {
          pair.first_line = first_line;
          pair.second_line = second_line;
        }
      }
    }
  }
  std::vector<SimilarPair> out;
  for (auto& [who_both, pair] : pairs) {
    std::tie(pair.first, pair.second) = who_both;
    pair.share = static_cast<double>(pair.shared) /
                 static_cast<double>(std::min(counts[pair.first], counts[pair.second]));
    if (pair.shared >= kLeastShared && pair.share >= kLeastShare) out.push_back(pair);
  }
  std::sort(out.begin(), out.end(), [](const SimilarPair& a, const SimilarPair& b) {
    return std::tuple(-a.share, b.shared, a.first, a.second) <
           std::tuple(-b.share, a.shared, b.first, b.second);
  });
  return out;
}

namespace {

namespace fs = std::filesystem;

// The course's own files for an exercise.
std::vector<std::string> given_sources(const course::Course& course, const course::Lab& lab,
                                       const course::Exercise& exercise) {
  std::vector<std::string> out;
  const auto add = [&](const fs::path& file) {
    std::error_code ignored;
    if (fs::is_regular_file(file, ignored)) out.push_back(text::read_file(file, file.string()));
  };
  const auto solutions = course.root / "solutions" / lab.id;
  add(lab.folder / exercise.file_name());
  add(lab.folder / "reference.cu");
  add(solutions / exercise.file_name());
  std::error_code error;
  for (fs::directory_iterator it(solutions / "wrong", error), end; !error && it != end;
       it.increment(error)) {
    if (it->path().filename().string().starts_with(exercise.id + "_")) add(it->path());
  }
  return out;
}

// The counted contents of an exercise, and the students with each.
struct Contents {
  std::vector<std::string> texts;
  std::vector<std::vector<std::string>> students;
};

Contents read_contents(Sqlite& book, const std::string& lab, const std::string& exercise) {
  Contents out;
  std::map<std::string, std::size_t> places;
  Statement ask(book,
                "SELECT bundle, student FROM standing WHERE lab = :lab AND exercise = :exercise "
                "AND bundle IS NOT NULL ORDER BY student");
  ask.bind(":lab", lab).bind(":exercise", exercise);
  while (ask.step()) {
    const auto [place, is_new] = places.try_emplace(ask.text(0), out.texts.size());
    if (is_new) {
      Statement files(book, "SELECT bytes FROM bundle_file WHERE bundle = :bundle ORDER BY place");
      files.bind(":bundle", ask.text(0));
      auto& text = out.texts.emplace_back();
      while (files.step()) text += files.text(0) + '\n';
      out.students.emplace_back();
    }
    out.students[place->second].push_back(ask.text(1));
  }
  return out;
}

void add_copies(const std::string& exercise, const Contents& contents,
                const std::vector<std::string>& given, std::vector<NearCopy>& out) {
  for (std::size_t i = 0; i < contents.texts.size(); ++i) {
    const bool is_given = std::any_of(given.begin(), given.end(), [&](const std::string& text) {
      return text + '\n' == contents.texts[i];
    });
    if (contents.students[i].size() < 2 || is_given) continue;
    out.push_back({exercise, contents.students[i], {}, 1, 0, 0, 0});
  }
  for (const auto& pair : similar_pairs(contents.texts, given)) {
    out.push_back({exercise, contents.students[pair.first], contents.students[pair.second],
                   pair.share, pair.shared, pair.first_line, pair.second_line});
  }
}

}  // namespace

std::vector<NearCopy> near_copies(Sqlite& book, const course::Course& course) {
  std::vector<NearCopy> out;
  for (const auto& lab : course.labs) {
    for (const auto& exercise : lab.exercises) {
      if (exercise.kernel() == nullptr) continue;
      const auto contents = read_contents(book, lab.id, exercise.id);
      if (contents.texts.empty()) continue;
      add_copies(lab.id + "/" + exercise.id, contents, given_sources(course, lab, exercise), out);
    }
  }
  return out;
}

std::string similar_csv(const std::vector<NearCopy>& copies) {
  auto out = report::csv_line(
      {"exercise", "students", "other_students", "share", "shared", "line", "other_line"});
  for (const auto& one : copies) {
    const auto names = [](const std::vector<std::string>& list) {
      return report::csv_name(text::joined(std::span<const std::string>(list), " "));
    };
    out += report::csv_line({one.exercise, names(one.students), names(one.other_students),
                             fmt::format("{:.2f}", one.share), std::to_string(one.shared),
                             std::to_string(one.line), std::to_string(one.other_line)});
  }
  return out;
}

}  // namespace warpgrade::grader::class_book
