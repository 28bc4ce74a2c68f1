// SPDX-License-Identifier: Apache-2.0
// Predicted times of the copy baseline, kept from one run of the program to the next.
//
// They depend only on the device, the size, this program and its compiler, and are a seventh of the
// time of an exercise with many sizes. The file records size and date of the program's and the
// compiler's files; if these differ, or the file is damaged, it is ignored.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace warpgrade::grader::grade {

/// Seconds by bytes read and written together, as measure::SimBench::copies() returns them.
using CopySeconds = std::map<std::uint64_t, double>;

class CopyTimes {
 public:
  /// Without any times.
  CopyTimes() = default;
  /// Reads `file`; ignores times that were written with other `services`.
  CopyTimes(std::filesystem::path file, std::string services);

  CopySeconds of(const std::string& device) const;
  /// Stores the known times, by device, and writes the file if there are new ones. Ignores a
  /// failure to write.
  void keep(const std::map<std::string, CopySeconds>& known);

 private:
  std::filesystem::path file_;
  std::string services_;
  std::map<std::string, CopySeconds> devices_;
};

/// The file in the user's cache; empty if the user has no home.
std::filesystem::path copy_times_file();

/// The times in that file, for this process's versions; without a file if the user has no home or
/// no compiler exists.
CopyTimes stored_copy_times();

}  // namespace warpgrade::grader::grade
