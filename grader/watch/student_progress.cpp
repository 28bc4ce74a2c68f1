// SPDX-License-Identifier: Apache-2.0
#include "grader/watch/student_progress.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/error.h"
#include "common/base/text.h"
#include "grader/report/report.h"
#include "grader/text/files.h"
#include "grader/text/messages.h"

namespace warpgrade::grader::watch {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ExerciseProgress, best, last, of, passed, attempts)

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// The object in a file; an empty one if the file is missing or damaged.
json object_in(const fs::path& file) {
  try {
    auto kept = json::parse(text::read_file(file, file.string()));
    if (kept.is_object()) return kept;
  } catch (const base::UsageError&) {
  } catch (const json::exception&) {
  }
  return json::object();
}

}  // namespace

fs::path hints_file() { return text::cache_folder() / "hints.json"; }

std::size_t seen_hints(const fs::path& file, const std::string& exercise) {
  const auto kept = object_in(file);
  const auto found = kept.find(exercise);
  const bool is_known = found != kept.end() && found->is_number_unsigned();
  return is_known ? std::max<std::size_t>(found->get<std::size_t>(), 1) : 1;
}

void keep_seen_hints(const fs::path& file, const std::string& exercise, std::size_t count) {
  if (!file.is_absolute()) return;
  auto kept = object_in(file);
  kept[exercise] = count;
  text::write_if_possible(file, kept.dump(1, ' ', false, json::error_handler_t::replace));
}

namespace {

// The progress of a submission, from worst to best.
enum class Stage { kBroken, kFaulty, kWrong, kRight };

Stage stage_of(const report::ExerciseReport& item) {
  switch (item.reason) {
    case report::Reason::kCompile:
      return Stage::kBroken;
    case report::Reason::kDiagnostic:
      return Stage::kFaulty;
    case report::Reason::kIncorrect:
      return Stage::kWrong;
    case report::Reason::kNone:
    case report::Reason::kMechanism:
    case report::Reason::kPerformance:
    case report::Reason::kTool:
      break;
  }
  return Stage::kRight;
}

std::string_view words_of(Stage stage) {
  switch (stage) {
    case Stage::kBroken:
      return "It no longer compiles.";
    case Stage::kFaulty:
      return "It now fails with an error.";
    case Stage::kWrong:
      return "It now runs to the end, with a wrong result.";
    case Stage::kRight:
      break;
  }
  return "The result is now right.";
}

std::string number_or_none(const std::optional<double>& value) {
  return value ? text::number(*value) : "none";
}

std::optional<AttemptChange> gate_change(const report::Gate& before, const report::Gate& after) {
  if (!before.decision || !after.decision) return std::nullopt;
  const bool turned = before.has_passed() != after.has_passed();
  const auto was = number_or_none(before.value());
  const auto is = number_or_none(after.value());
  if (!turned && was == is) return std::nullopt;
  auto text = fmt::format("{}: {} -> {}", after.definition.id, was, is);
  if (!turned) return AttemptChange{std::move(text), Direction::kMoved};
  return AttemptChange{text + (after.has_passed() ? ", passes now" : ", fails now"),
                       after.has_passed() ? Direction::kBetter : Direction::kWorse};
}

}  // namespace

std::vector<AttemptChange> changes_between(const report::ExerciseReport& before,
                                           const report::ExerciseReport& after) {
  std::vector<AttemptChange> out;
  if (before.points != after.points) {
    out.push_back(
        {fmt::format("points: {} -> {} of {}", before.points, after.points, after.max_points),
         after.points > before.points ? Direction::kBetter : Direction::kWorse});
  }
  const auto was = stage_of(before);
  const auto is = stage_of(after);
  if (was != is) {
    out.push_back({std::string(words_of(is)), is > was ? Direction::kBetter : Direction::kWorse});
  }
  std::vector<AttemptChange> moved;
  for (const auto& gate : after.gates) {
    const auto same = [&](const report::Gate& other) {
      return other.definition.id == gate.definition.id;
    };
    const auto old = std::ranges::find_if(before.gates, same);
    if (old == before.gates.end()) continue;
    if (auto change = gate_change(*old, gate)) {
      (change->direction == Direction::kMoved ? moved : out).push_back(*std::move(change));
    }
  }
  const auto wrong = after.wrong_answers.size();
  if (before.wrong_answers.size() != wrong) {
    out.push_back({fmt::format("wrong answers: {} -> {}", before.wrong_answers.size(), wrong),
                   wrong < before.wrong_answers.size() ? Direction::kBetter : Direction::kWorse});
  }
  out.insert(out.end(), moved.begin(), moved.end());
  return out;
}

namespace {

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

json read_all(const fs::path& file) {
  auto kept = object_in(file);
  const bool is_progress = kept.value("schema", json()) == kSchema && kept.contains("courses") &&
                           kept["courses"].is_object();
  return is_progress ? kept : json{{"schema", kSchema}, {"courses", json::object()}};
}

// Reads an entry; a default if this program did not write it.
ExerciseProgress entry_of(const json& kept) {
  try {
    return kept.get<ExerciseProgress>();
  } catch (const json::exception&) {
    return {};
  }
}

void add_attempt(const report::ExerciseReport& item, json& exercises) {
  auto& kept = exercises[item.lab + "/" + item.exercise];
  auto entry = entry_of(kept);
  entry.last = item.points;
  entry.best = std::max(entry.best, item.points);
  entry.of = item.max_points;
  entry.passed = entry.passed || item.verdict == report::Verdict::kPass;
  ++entry.attempts;
  kept = entry;
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

std::optional<course::Selected> next_exercise(const course::Course& course,
                                              const StudentProgress& progress,
                                              std::string_view after) {
  const auto name_of = [](const course::Selected& one) {
    return one.lab->id + "/" + one.exercise->id;
  };
  auto all = select(course, {});
  const auto last =
      std::ranges::find_if(all, [&](const auto& one) { return name_of(one) == after; });
  if (last != all.end()) std::rotate(all.begin(), std::next(last), all.end());
  const auto open = std::ranges::find_if(all, [&](const auto& one) {
    const auto found = progress.find(name_of(one));
    return found == progress.end() || !found->second.passed;
  });
  return open == all.end() ? std::nullopt : std::optional(*open);
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
