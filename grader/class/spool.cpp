// SPDX-License-Identifier: Apache-2.0
// Tasks of a run and their outcomes, and the folder through which they pass.
//
// In: tasks of a run, and the report of each grading. Out: outcomes with points, the report as JSON
// for the instructor, and text and page for the student, which hide secret cases.
// A task is a file, and each step is a rename, which no crash leaves half done: from tasks to
// claims to results.
#include "grader/class/spool.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "common/base/error.h"
#include "common/base/finding_text.h"
#include "common/base/wire.h"
#include "common/run/launch.h"
#include "grader/html/render_html.h"
#include "grader/report/render_json.h"
#include "grader/report/render_text.h"
#include "grader/report/report.h"
#include "grader/text/files.h"

namespace warpgrade::grader::class_book {

namespace {

using State = report::Case::State;

constexpr const char* kElsewhere =
    "It also goes wrong in a case that is not shown. Try sizes of your own: one row, one column, "
    "sides that are not a multiple of 32, primes.";

bool has_failed(const report::Case& run) {
  return run.state == State::kIncorrect || run.state == State::kDiagnostic;
}

// Findings are in the order of the cases, each place once, so only the first is sure to come from
// the first case that stopped. The later ones may come from hidden cases.
void hide_findings(report::ExerciseReport& item, bool first_is_shown) {
  for (std::size_t i = 0; i < item.diagnostics.size(); ++i) {
    auto& one = item.diagnostics[i];
    if (one.kind == base::DiagnosticKind::kCompileError || (i == 0 && first_is_shown)) continue;
    base::Diagnostic shown;
    shown.kind = one.kind;
    shown.where = one.where;
    shown.message = first_is_shown ? "here, too" : "in a case that is not shown";
    one = std::move(shown);
  }
}

void hide_secret_cases(report::ExerciseReport& item, const std::set<std::string>& secret) {
  const auto is_secret = [&](const auto& one) { return secret.contains(one.name); };
  const auto stopped = std::ranges::find(item.cases, State::kDiagnostic, &report::Case::state);
  const bool first_is_shown = stopped != item.cases.end() && !is_secret(*stopped);
  bool failed = false;
  bool stopped_secretly = false;
  for (const auto& run : item.cases) {
    failed = failed || (is_secret(run) && has_failed(run));
    stopped_secretly = stopped_secretly || (is_secret(run) && run.state == State::kDiagnostic);
  }
  if (stopped_secretly) hide_findings(item, first_is_shown);
  std::erase_if(item.cases, is_secret);
  std::erase_if(item.warnings, [&](const std::string& text) {
    return std::ranges::any_of(
        secret, [&](const std::string& name) { return text.starts_with("case " + name + ":"); });
  });
  if (secret.contains(item.printed_case)) {
    for (auto* text : {&item.printed, &item.printed_first, &item.printed_thread}) text->clear();
  }
  if (item.pictures) {
    std::erase_if(item.pictures->times, is_secret);
    if (secret.contains(item.pictures->case_name)) item.pictures.reset();
  }
  if (!failed) return;
  item.warnings.emplace_back(kElsewhere);
  if (std::ranges::any_of(item.cases, has_failed)) return;
  item.result_lines.clear();
  item.next =
      "All cases that are shown are right, and one that is not shown is wrong: try sizes of "
      "your own.";
}

}  // namespace

report::Report student_view(report::Report report, const course::Exercise& exercise) {
  const auto* kernel = exercise.kernel();
  if (kernel == nullptr) return report;
  std::set<std::string> secret;
  for (const auto& one : kernel->cases) {
    if (one.secret) secret.insert(one.name);
  }
  if (secret.empty()) return report;
  for (auto& item : report.exercises) hide_secret_cases(item, secret);
  return report;
}

namespace {

using Writer = std::unique_ptr<archive, decltype(&archive_write_free)>;
using Reader = std::unique_ptr<archive, decltype(&archive_read_free)>;
using Entry = std::unique_ptr<archive_entry, decltype(&archive_entry_free)>;

la_ssize_t append(archive* /*from*/, void* to, const void* bytes, std::size_t size) {
  static_cast<std::string*>(to)->append(static_cast<const char*>(bytes), size);
  return static_cast<la_ssize_t>(size);
}

}  // namespace

std::string pack_text(std::string_view text) {
  std::string out;
  const Writer writer(archive_write_new(), archive_write_free);
  const Entry entry(archive_entry_new(), archive_entry_free);
  archive_entry_set_filetype(entry.get(), AE_IFREG);
  archive_entry_set_pathname(entry.get(), "text");
  archive_write_set_bytes_in_last_block(writer.get(), 1);
  // The same text is the same bytes at any time.
  const bool ok = archive_write_add_filter_gzip(writer.get()) == ARCHIVE_OK &&
                  archive_write_set_options(writer.get(), "gzip:!timestamp") == ARCHIVE_OK &&
                  archive_write_set_format_raw(writer.get()) == ARCHIVE_OK &&
                  archive_write_open(writer.get(), &out, nullptr, append, nullptr) == ARCHIVE_OK &&
                  archive_write_header(writer.get(), entry.get()) == ARCHIVE_OK &&
                  archive_write_data(writer.get(), text.data(), text.size()) ==
                      static_cast<la_ssize_t>(text.size()) &&
                  archive_write_close(writer.get()) == ARCHIVE_OK;
  if (!ok) throw base::ToolError("a text cannot be packed: there is not enough memory");
  return out;
}

std::string unpack_text(std::string_view packed, std::size_t most_bytes) {
  std::string out;
  if (packed.empty()) return out;
  const Reader reader(archive_read_new(), archive_read_free);
  archive_entry* entry = nullptr;
  bool ok = archive_read_support_filter_gzip(reader.get()) == ARCHIVE_OK &&
            archive_read_support_format_raw(reader.get()) == ARCHIVE_OK &&
            archive_read_open_memory(reader.get(), packed.data(), packed.size()) == ARCHIVE_OK &&
            archive_filter_code(reader.get(), 0) == ARCHIVE_FILTER_GZIP &&
            archive_read_next_header(reader.get(), &entry) == ARCHIVE_OK;
  std::array<char, 1 << 16> part{};
  for (la_ssize_t count = 1; ok && count > 0;) {
    count = archive_read_data(reader.get(), part.data(), part.size());
    ok = count >= 0 && out.size() + static_cast<std::size_t>(count) <= most_bytes;
    if (ok) out.append(part.data(), static_cast<std::size_t>(count));
  }
  if (!ok) throw base::ToolError("a packed text is damaged");
  return out;
}

namespace {

// Why a report cannot be a grade; nullopt if it can.
std::optional<Trouble> trouble_in(const report::ExerciseReport& report) {
  if (!report.tool_trouble.empty()) return Trouble{Trouble::Kind::kNoGrade, report.tool_trouble};
  switch (report.verdict) {
    case report::Verdict::kPass:
    case report::Verdict::kFail:
      return std::nullopt;
    case report::Verdict::kInconclusive:
      return Trouble{
          Trouble::Kind::kNoisy,
          "no measurement was good enough to decide it; grade it again on a quiet machine"};
    case report::Verdict::kError:
      break;
  }
  return Trouble{Trouble::Kind::kNoGrade, report.diagnostics.empty()
                                              ? "the grader could not judge it"
                                              : base::text(report.diagnostics.front())};
}

// The gates whose points the submission has because this card cannot decide them.
std::vector<std::string> waived_in(const report::ExerciseReport& report) {
  std::vector<std::string> out;
  for (const auto& one : report.gates) {
    if (one.waiver && one.points > 0) out.push_back(one.definition.id);
  }
  return out;
}

}  // namespace

// The page adds little to the cost of its grade: a traced run of a few blocks, and a tenth of its
// bytes.
Outcome::Result result_of(const report::Report& report, const course::Exercise& exercise,
                          double seconds) {
  const auto& one = report.exercises.front();
  if (auto trouble = trouble_in(one)) return *std::move(trouble);
  BookGrade out;
  out.points = one.points;
  out.max_points = one.max_points;
  out.verdict = one.verdict;
  out.reason = one.reason;
  out.device = report.device;
  out.provenance = report.provenance;
  out.seconds = seconds;
  out.report = render_json(report);
  const auto shown = student_view(report, exercise);
  out.text = render_text(shown, text::Style(false));
  out.page = pack_text(html::render(shown));
  out.waived = waived_in(one);
  return out;
}

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
