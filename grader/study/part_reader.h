// SPDX-License-Identifier: Apache-2.0
// Reads one [[part]] of a study and checks its consistency; study.h documents the keys.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/study/study.h"
#include "grader/text/toml_reader.h"

namespace warpgrade::grader::study {

/// The folder of a study's files, and how it is shown.
struct Folder {
  std::filesystem::path folder;
  std::string shown_folder;  ///< Ends with a slash unless empty.

  std::filesystem::path file(const std::string& name) const { return folder / name; }
  std::string shown(const std::string& name) const { return shown_folder + name; }
};

/// Reads the study beside this one that a part `use`s; empty if that is not allowed.
using ReadOther = std::function<Study(const std::string& name)>;

/// A device as written at `key`.
Device read_device(const text::Table& table, std::string_view key, const std::string& text);

/// `devices`, at least one.
std::vector<Device> read_devices(text::Table& table);

/// The part in `table`; `devices` are the study's.
Part read_part(text::Table& table, const Folder& place, const std::vector<Device>& devices,
               const ReadOther& read_other);

}  // namespace warpgrade::grader::study
