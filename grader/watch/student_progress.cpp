// SPDX-License-Identifier: Apache-2.0
#include "grader/watch/student_progress.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "common/base/error.h"
#include "common/base/text.h"
#include "grader/text/files.h"

namespace warpgrade::grader::watch {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kSchema = "warpgrade.progress/1";

// Held while the file is read and rewritten. If locking fails, the program goes on without it,
// since only a count of attempts is at risk.
class FileLock {
 public:
  explicit FileLock(const fs::path& file)
      : descriptor_(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
    if (descriptor_ >= 0) flock(descriptor_, LOCK_EX);
  }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock() {
    if (descriptor_ >= 0) close(descriptor_);
  }

 private:
  int descriptor_;
};

json empty_progress() { return {{"schema", kSchema}, {"courses", json::object()}}; }

bool is_progress(const json& kept) {
  return kept.is_object() && kept.value("schema", json()) == kSchema && kept.contains("courses") &&
         kept["courses"].is_object();
}

json read_all(const fs::path& file) {
  try {
    auto kept = json::parse(text::read_file(file, file.string()));
    if (is_progress(kept)) return kept;
  } catch (const base::UsageError&) {
  } catch (const json::exception&) {
  }
  return empty_progress();
}

// Reads an entry; a default if this program did not write it.
ExerciseProgress entry_of(const json& kept) {
  ExerciseProgress out;
  try {
    out.best = kept.at("best").get<std::uint32_t>();
    out.last = kept.at("last").get<std::uint32_t>();
    out.of = kept.at("of").get<std::uint32_t>();
    out.passed = kept.at("passed").get<bool>();
    out.attempts = kept.at("attempts").get<std::uint64_t>();
  } catch (const json::exception&) {
    return {};
  }
  return out;
}

json json_of(const ExerciseProgress& entry) {
  return {{"best", entry.best},
          {"last", entry.last},
          {"of", entry.of},
          {"passed", entry.passed},
          {"attempts", entry.attempts}};
}

void add_attempt(const report::ExerciseReport& item, json& exercises) {
  auto& kept = exercises[item.lab + "/" + item.exercise];
  auto entry = entry_of(kept);
  entry.last = item.points;
  entry.best = std::max(entry.best, item.points);
  entry.of = item.max_points;
  entry.passed = entry.passed || item.verdict == report::Verdict::kPass;
  ++entry.attempts;
  kept = json_of(entry);
}

}  // namespace

fs::path progress_file() { return text::state_folder() / "progress.json"; }

StudentProgress read_progress(const fs::path& file, const fs::path& root) {
  StudentProgress out;
  const auto all = read_all(file);
  const auto& courses = all["courses"];
  const auto course = courses.find(root.string());
  if (course == courses.end() || !course->is_object()) return out;
  for (const auto& [name, entry] : course->items()) out[name] = entry_of(entry);
  return out;
}

std::string keep_progress(const fs::path& file, const fs::path& root,
                          const report::Report& report) {
  if (!file.is_absolute()) return {};
  std::error_code failure;
  fs::create_directories(file.parent_path(), failure);
  if (failure) {
    return fmt::format("{}: cannot be written: {}", base::escape_controls(file.string()),
                       failure.message());
  }
  const FileLock lock(file.string() + ".lock");
  auto all = read_all(file);
  auto& exercises = all["courses"][root.string()];
  if (!exercises.is_object()) exercises = json::object();
  for (const auto& item : report.exercises) {
    const bool is_judged =
        item.verdict == report::Verdict::kPass || item.verdict == report::Verdict::kFail;
    if (is_judged) add_attempt(item, exercises);
  }
  try {
    text::write_atomically(file, all.dump(1, ' ', false, json::error_handler_t::replace) + '\n');
  } catch (const base::ToolError& error) {
    return error.what();
  }
  return {};
}

}  // namespace warpgrade::grader::watch
