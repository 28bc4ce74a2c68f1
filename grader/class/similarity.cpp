// SPDX-License-Identifier: Apache-2.0
#include "grader/class/similarity.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "common/compile/tokens.h"

namespace warpgrade::grader::class_book {
namespace {

constexpr double kLeastShare = 0.6;
constexpr std::size_t kLeastShared = 5;
// A fingerprint that more sources share than this, or than a tenth of them, is the usual solution.
constexpr std::size_t kMostWithIt = 10;

// Words of the language; all others are names that the author chose.
const std::unordered_set<std::string_view>& fixed_words() {
  static const std::unordered_set<std::string_view> kWords = {"if",
                                                              "else",
                                                              "for",
                                                              "while",
                                                              "do",
                                                              "return",
                                                              "break",
                                                              "continue",
                                                              "switch",
                                                              "case",
                                                              "const",
                                                              "float",
                                                              "double",
                                                              "int",
                                                              "unsigned",
                                                              "long",
                                                              "short",
                                                              "char",
                                                              "bool",
                                                              "void",
                                                              "struct",
                                                              "template",
                                                              "auto",
                                                              "sizeof",
                                                              "volatile",
                                                              "true",
                                                              "false",
                                                              "threadIdx",
                                                              "blockIdx",
                                                              "blockDim",
                                                              "gridDim",
                                                              "x",
                                                              "y",
                                                              "z",
                                                              "__global__",
                                                              "__device__",
                                                              "__shared__",
                                                              "__constant__",
                                                              "__restrict__",
                                                              "__forceinline__",
                                                              "__syncthreads",
                                                              "__syncwarp",
                                                              "__shfl_sync",
                                                              "__shfl_down_sync",
                                                              "__shfl_up_sync",
                                                              "__shfl_xor_sync",
                                                              "__umulhi",
                                                              "atomicAdd",
                                                              "min",
                                                              "max",
                                                              "float4",
                                                              "float2",
                                                              "double2",
                                                              "int4",
                                                              "extern"};
  return kWords;
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
      return hash_of(fixed_words().contains(text) ? text : "name");
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

}  // namespace warpgrade::grader::class_book
