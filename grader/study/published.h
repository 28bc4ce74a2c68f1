// SPDX-License-Identifier: Apache-2.0
// Published tables: numbers that others measured, with their source, as CSV files.
//
//   # Ruetsch, Micikevicius, Scudiero, "Optimizing Matrix Transpose in CUDA", 2010
//   device,kernel,n,GiB_per_s
//   gtx280,copy_scalar,2048,96.9
//
// Lines that begin with # come first: the source, shown with the table. The columns `device` and
// `kernel` name profile and kernel; a column of values is one of kUnits; `note` is for readers;
// every other column is a variable of the study that must agree. No quotes, no empty cells.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grader/text/expressions.h"

namespace warpgrade::grader::study {

struct PublishedRow {
  std::string device;
  std::string kernel;
  text::Variables variables;
  double value = 0;  ///< Seconds, bytes per second, or a count: SI, without prefix.
  std::uint32_t line = 0;
};

struct PublishedTable {
  std::string shown;     ///< The file's name, for messages.
  std::string source;    ///< The head's lines, joined.
  bool is_time = false;  ///< Values are seconds: less is better.
  std::vector<PublishedRow> rows;

  /// The published value for this point, if any.
  std::optional<double> find(std::string_view device, std::string_view kernel,
                             const text::Variables& variables) const;
};

/// Reads column `value` of `file`; throws base::UsageError with file:line if it is malformed.
PublishedTable read_published(const std::filesystem::path& file, const std::string& shown,
                              const std::string& value);

}  // namespace warpgrade::grader::study
