// SPDX-License-Identifier: Apache-2.0
#include "grader/class/spool.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "common/base/error.h"
#include "common/base/wire.h"
#include "grader/class/outcome.h"
#include "grader/text/files.h"

namespace warpgrade::grader::class_book {
namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 3> kParts = {"tasks", "claims", "results"};

bool rename_if_there(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::rename(from, to, error);
  return !error;
}

// The key at the end of "000017-KEY".
std::string key_in(const std::string& name) { return name.substr(name.find('-') + 1); }

}  // namespace

void Spool::make() {
  for (const auto* part : kParts) {
    std::error_code error;
    fs::create_directories(folder_ / part, error);
    if (error) {
      throw base::ToolError(
          fmt::format("{}: cannot be made: {}", (folder_ / part).string(), error.message()));
    }
  }
}

void Spool::clear(const char* part) {
  for (const auto& name : names(part)) {
    std::error_code ignored;
    fs::remove(folder_ / part / name, ignored);
  }
}

void Spool::clear() {
  for (const auto* part : kParts) clear(part);
  known_.clear();
}

void Spool::clear_tasks() {
  clear("tasks");
  clear("claims");
  known_.clear();
}

void Spool::announce() { text::write_atomically(announcement(), ""); }

void Spool::end_announcement() {
  std::error_code ignored;
  fs::remove(announcement(), ignored);
}

bool Spool::is_announced() const {
  std::error_code ignored;
  return fs::exists(announcement(), ignored);
}

std::vector<std::string> Spool::names(const char* part) const {
  std::vector<std::string> out;
  std::error_code error;
  for (fs::directory_iterator it(folder_ / part, error), end; !error && it != end;
       it.increment(error)) {
    auto name = it->path().filename().string();
    if (!name.starts_with(".")) out.push_back(std::move(name));
  }
  std::ranges::sort(out);
  return out;
}

void Spool::put(std::size_t number, const Task& task) {
  text::write_atomically(folder_ / "tasks" / fmt::format("{:06}-{}", number, task.key),
                         base::encode(task));
}

std::optional<Spool::Claim> Spool::claim(const std::string& worker) {
  for (int listing = 0; listing < 2; ++listing) {
    while (!known_.empty()) {
      const auto name = std::move(known_.back());
      known_.pop_back();
      const auto claimed = folder_ / "claims" / (name + "@" + worker);
      if (!rename_if_there(folder_ / "tasks" / name, claimed)) continue;  // another worker has it
      auto task = base::decode<Task>(text::read_file(claimed, claimed.string()));
      if (task) return Claim{name, *std::move(task)};
      throw base::ToolError(
          fmt::format("{}: is not a task: the spool is damaged", claimed.string()));
    }
    known_ = names("tasks");
    std::ranges::reverse(known_);
  }
  return std::nullopt;
}

void Spool::finish(const Claim& claim, const std::string& worker, const Outcome& outcome) {
  text::write_atomically(folder_ / "results" / claim.name, base::encode(outcome));
  std::error_code ignored;
  fs::remove(folder_ / "claims" / (claim.name + "@" + worker), ignored);
}

std::vector<std::string> Spool::give_back(const std::string& worker) {
  std::vector<std::string> out;
  for (const auto& claimed : names("claims")) {
    if (!claimed.ends_with("@" + worker)) continue;
    const auto name = claimed.substr(0, claimed.rfind('@'));
    std::error_code ignored;
    // It had written its result, and died before the claim was gone.
    if (fs::exists(folder_ / "results" / name, ignored)) {
      fs::remove(folder_ / "claims" / claimed, ignored);
    } else if (rename_if_there(folder_ / "claims" / claimed, folder_ / "tasks" / name)) {
      out.push_back(key_in(name));
    }
  }
  return out;
}

void Spool::drop(const std::string& key) {
  for (const auto& name : names("tasks")) {
    std::error_code ignored;
    if (key_in(name) == key) fs::remove(folder_ / "tasks" / name, ignored);
  }
}

std::vector<Spool::Result> Spool::results() const {
  std::vector<Result> out;
  for (const auto& name : names("results")) {
    const auto file = folder_ / "results" / name;
    auto outcome = base::decode<Outcome>(text::read_file(file, file.string()));
    if (outcome && outcome->key == key_in(name)) {
      out.push_back({file, *std::move(outcome)});
    } else {
      std::error_code ignored;
      fs::remove(file, ignored);
    }
  }
  return out;
}

bool Spool::has_tasks() const { return !names("tasks").empty(); }

}  // namespace warpgrade::grader::class_book
