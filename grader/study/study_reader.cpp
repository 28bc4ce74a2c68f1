// SPDX-License-Identifier: Apache-2.0
#include "grader/study/study_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "common/base/error.h"
#include "common/base/text.h"
#include "common/device/profile.h"
#include "grader/study/access_reader.h"
#include "grader/study/part_reader.h"
#include "grader/text/files.h"
#include "grader/text/suggestions.h"
#include "grader/text/toml_reader.h"

namespace warpgrade::grader::study {
namespace {

namespace fs = std::filesystem;

Picture read_picture(text::Table table) {
  Picture out;
  out.title = table.text("title");
  table.rename(fmt::format("picture `{}`", base::escape_controls(out.title)));
  out.device = read_device(table, "device", table.text("device")).name;
  if (!device::find(out.device).dram.partitions) {
    table.fail("device",
               fmt::format("{} hashes addresses: it has no plain partitions", out.device));
  }
  out.rows = table.count("rows");
  out.columns = table.count("columns");
  out.element_bytes = table.count("element_bytes");
  out.tile = table.count("tile");
  constexpr std::uint32_t kMostTiles = 32;  // per side; more would be illegible
  const auto longer = std::max(out.rows, out.columns);
  if (out.tile == 0 || longer == 0 || longer > kMostTiles * std::uint64_t{out.tile} ||
      out.rows == 0 || out.columns == 0 || out.element_bytes == 0) {
    table.fail("tile", fmt::format("a picture has 1 to {} tiles a side, of elements of at least "
                                   "one byte",
                                   kMostTiles));
  }
  out.tile_row = table.expression("tile_row");
  out.tile_column = table.expression("tile_column");
  const text::Variables block = {{"bx", 0}, {"by", 0}, {"gx", 1}, {"gy", 1}};
  evaluate_count(out.tile_row, block);
  evaluate_count(out.tile_column, block);
  table.finish();
  return out;
}

Study read(const fs::path& file, const std::string& shown, bool may_use) {
  const auto root = base::parse_toml(text::read_file(file, shown), shown);
  text::Table table(root, shown, "study");
  const Folder place{file.parent_path(), shown.substr(0, shown.rfind('/') + 1)};
  Study out;
  out.id = file.stem().string();
  out.title = table.text("title");
  out.summary = table.text("summary");
  const auto devices = read_devices(table);
  ReadOther read_other;
  if (may_use) {
    read_other = [&](const std::string& name) {
      return read(place.file(name), place.shown(name), /*may_use=*/false);
    };
  }
  for (auto& given : table.tables("part")) {
    out.parts.push_back(read_part(given, place, devices, read_other));
  }
  for (auto& given : table.tables("picture")) out.pictures.push_back(read_picture(given));
  for (auto& given : table.tables("access")) out.accesses.push_back(read_access(given, place));
  table.finish();
  if (out.parts.empty() && out.accesses.empty()) {
    base::fail_at(table.where(), "study: there is no [[part]] and no [[access]]");
  }
  return out;
}

}  // namespace

Study read_study(const fs::path& file, const std::string& shown) {
  return read(file, shown, /*may_use=*/true);
}

fs::path find_study(const fs::path& root, const std::string& given) {
  if (given.ends_with(".toml") || given.find('/') != std::string::npos) return given;
  const auto folder = root / "studies";
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  if (std::find(names.begin(), names.end(), given) == names.end()) {
    const std::span<const std::string> all(names);
    throw base::UsageError(fmt::format("unknown study `{}`{}; studies: {}",
                                       base::escape_controls(given), text::did_you_mean(given, all),
                                       text::joined(all)));
  }
  return folder / (given + ".toml");
}

void choose_device(Study& study, const std::string& name) {
  device::find(name);
  const auto named = [&](const Part& part) {
    return std::any_of(part.devices.begin(), part.devices.end(),
                       [&](const auto& device) { return device.name == name; });
  };
  std::erase_if(study.parts, [&](const Part& part) { return part.own_devices && !named(part); });
  if (study.parts.empty()) {
    throw base::UsageError(
        fmt::format("--device {}: no part of the study `{}` is about it", name, study.id));
  }
  for (auto& part : study.parts) {
    if (named(part)) {
      std::erase_if(part.devices, [&](const auto& device) { return device.name != name; });
    } else {
      part.devices = {{name, false}};
    }
  }
}

}  // namespace warpgrade::grader::study
