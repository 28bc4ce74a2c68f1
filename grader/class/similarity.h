// SPDX-License-Identifier: Apache-2.0
// Finds near-copies among sources, for the instructor to review; it decides nothing.
//
// A source is a list of tokens without comments, and all identifiers are equal, so renaming and new
// comments change nothing. Winnowing (Schleimer, Wilkerson, Aiken: Winnowing, SIGMOD 2003) hashes
// each run of kFingerprintRun tokens and keeps the least hash of every kFingerprintWindow
// consecutive ones. Two sources that share kFingerprintRun + kFingerprintWindow - 1 tokens
// therefore share a fingerprint. Fingerprints of the skeletons, and fingerprints of many sources,
// carry no information and are left out. The work is therefore linear in the sources.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade::grader::class_book {

struct Fingerprint {
  std::uint64_t hash = 0;
  std::uint32_t line = 0;  ///< 1-based, of its first token.
};

constexpr std::size_t kFingerprintRun = 10;
constexpr std::size_t kFingerprintWindow = 6;

/// The fingerprints of a CUDA C++ source, in its order, each place once.
std::vector<Fingerprint> fingerprints_of(std::string_view source);

struct SimilarPair {
  std::size_t first = 0;  ///< Indices of sources; first < second.
  std::size_t second = 0;
  std::size_t shared = 0;        ///< Fingerprints.
  double share = 0;              ///< Shared part of the one that has fewer, 0 to 1.
  std::uint32_t first_line = 0;  ///< First line of the shared part in each.
  std::uint32_t second_line = 0;
};

/// Pairs of `sources` that share at least 60 % and 5 of their own fingerprints; fingerprints of
/// `given` do not count. The most alike first.
std::vector<SimilarPair> similar_pairs(const std::vector<std::string>& sources,
                                       const std::vector<std::string>& given);

}  // namespace warpgrade::grader::class_book
