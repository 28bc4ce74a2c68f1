// SPDX-License-Identifier: Apache-2.0
// Predicted times of the copy baseline, kept from one run of the program to the next.
//
// They follow from the device, the size, this program and its compiler alone, and are a seventh of
// what an exercise with many sizes takes. The file names the files of both by size and date: with
// any other of them it counts for nothing, as one that is broken does.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace warpgrade::grader {

/// Seconds by bytes read and written together, as measure::SimBench::copies() has them.
using CopySeconds = std::map<std::uint64_t, double>;

class CopyTimes {
 public:
  /// Knows nothing.
  CopyTimes() = default;
  /// Reads `file`; ignores times that were written with other `services`.
  CopyTimes(std::filesystem::path file, std::string services);

  CopySeconds of(const std::string& device) const;
  /// Keeps what is known now, by device, in the file too if that is more than before. One that
  /// cannot be written is left.
  void keep(const std::map<std::string, CopySeconds>& known);

 private:
  std::filesystem::path file_;
  std::string services_;
  std::map<std::string, CopySeconds> devices_;
};

/// The file in the user's cache, for this process's versions; without a file if the user has no
/// home or no compiler exists.
CopyTimes stored_copy_times();

}  // namespace warpgrade::grader
