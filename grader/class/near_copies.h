// SPDX-License-Identifier: Apache-2.0
// Near-copies among the attempts that count: a list for the instructor to review, not a verdict.
//
// In: the sources in the book, and the skeletons of the course. Out: pairs of sources that share
// fingerprints, with the first shared line of each.
// A source is a list of tokens without comments, in which all identifiers are equal, so renaming
// and new comments change nothing. Winnowing (Schleimer, Wilkerson, Aiken: Winnowing, SIGMOD 2003)
// hashes each run of kFingerprintRun tokens and keeps the least hash of every kFingerprintWindow
// consecutive ones. Two sources that share kFingerprintRun + kFingerprintWindow - 1 tokens
// therefore share a fingerprint. Fingerprints of skeletons and of many sources carry no information
// and are left out, so the work is linear in the sources.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "grader/class/book_file.h"
#include "grader/course/course.h"

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

struct NearCopy {
  std::string exercise;                     ///< "LAB/EXERCISE".
  std::vector<std::string> students;        ///< Students with the first content.
  std::vector<std::string> other_students;  ///< Students with the other; empty: all have the same
                                            ///< bytes.
  double share = 0;                         ///< 0 to 1, as in near_copies.h.
  std::size_t shared = 0;                   ///< Fingerprints; 0 for the same bytes.
  std::size_t line = 0;  ///< First line of the shared part; 0 for the same bytes.
  std::size_t other_line = 0;
};

/// By exercise, the most alike first. The course's files (skeleton, solution, wrong solutions) do
/// not count, and unchanged copies of them are not listed. Exercises of questions are left out,
/// since right answers are alike.
std::vector<NearCopy> near_copies(Sqlite& book, const course::Course& course);

/// The list as CSV: lab/exercise, both groups of students, share, lines.
std::string similar_csv(const std::vector<NearCopy>& copies);

}  // namespace warpgrade::grader::class_book
