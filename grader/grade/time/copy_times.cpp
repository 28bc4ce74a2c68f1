// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/time/copy_times.h"

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "common/base/error.h"
#include "common/compile/compiler.h"
#include "grader/grade/plan/plan.h"
#include "grader/grade/plan/target.h"
#include "grader/text/files.h"

namespace warpgrade::grader::grade {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr const char* kCopyTimesSchema = "warpgrade.copy_times/1";

std::map<std::string, CopySeconds> parse(const std::string& text, const std::string& services) {
  std::map<std::string, CopySeconds> out;
  try {
    const auto json = Json::parse(text);
    if (json.at("schema") != kCopyTimesSchema || json.at("services") != services) return {};
    for (const auto& [device, times] : json.at("devices").items()) {
      for (const auto& [bytes, seconds] : times.items()) {
        const auto value = seconds.get<double>();
        if (value <= 0) return {};
        out[device][std::stoull(bytes)] = value;
      }
    }
  } catch (const Json::exception&) {
    return {};
  } catch (const std::logic_error&) {  // No number of bytes.
    return {};
  }
  return out;
}

std::string to_json(const std::map<std::string, CopySeconds>& all, const std::string& services) {
  auto devices = Json::object();
  for (const auto& [device, times] : all) {
    for (const auto& [bytes, seconds] : times) devices[device][std::to_string(bytes)] = seconds;
  }
  const Json json = {
      {"schema", kCopyTimesSchema}, {"services", services}, {"devices", std::move(devices)}};
  return json.dump(2) + '\n';
}

// Path, size and date of a file; these change with another build or toolkit.
std::string identity(const fs::path& file) {
  return fmt::format("{} {} {}", file.string(), fs::file_size(file),
                     fs::last_write_time(file).time_since_epoch().count());
}

}  // namespace

CopyTimes::CopyTimes(fs::path file, std::string services)
    : file_(std::move(file)), services_(std::move(services)) {
  try {
    devices_ = parse(text::read_file(file_, file_.string()), services_);
  } catch (const base::UsageError&) {
  }
}

CopySeconds CopyTimes::of(const std::string& device) const {
  const auto found = devices_.find(device);
  return found == devices_.end() ? CopySeconds() : found->second;
}

void CopyTimes::keep(const std::map<std::string, CopySeconds>& known) {
  bool is_more = false;
  for (const auto& [device, times] : known) {
    for (const auto& one : times) is_more |= devices_[device].insert(one).second;
  }
  if (!is_more || file_.empty()) return;
  text::write_if_possible(file_, to_json(devices_, services_));
}

fs::path copy_times_file() {
  const auto folder = text::cache_folder();
  return folder.is_absolute() ? folder / "copy_times.json" : fs::path();
}

CopyTimes stored_copy_times() {
  const auto file = copy_times_file();
  if (file.empty()) return {};
  try {
    auto services = identity(fs::read_symlink("/proc/self/exe"));
    for (const auto& compiler : compile::compiler_files()) services += '\n' + identity(compiler);
    return {file, services};
  } catch (const base::ToolError&) {
  } catch (const fs::filesystem_error&) {
  }
  return {};
}

void CopiesAhead::predict(const course::KernelExercise& exercise,
                          const std::vector<Target>& targets,
                          const std::vector<report::Gate>& gates) {
  for (const auto& target : targets) {
    auto* const* bench = std::get_if<measure::SimBench*>(&target.bench);
    if (bench == nullptr) continue;
    const auto [found, is_new] = open_.try_emplace({&exercise, target.device});
    auto& open = found->second;
    if (is_new) {
      std::set<std::uint64_t> drawn;
      for (const auto& item : exercise.cases) {
        if (!item.measured || !needs_time(gates, target, item)) continue;
        const auto sizes = timed_bytes(exercise, item);
        if (sizes.size() == 1) (*bench)->copy_seconds(*sizes.begin());
        if (sizes.size() > 1 && sizes.size() <= kMostSizes)
          drawn.insert(sizes.begin(), sizes.end());
      }
      open.assign(drawn.begin(), drawn.end());
    }
    if (open.empty()) continue;
    (*bench)->copy_seconds(open.back());
    open.pop_back();
  }
}

}  // namespace warpgrade::grader::grade
