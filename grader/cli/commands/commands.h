// SPDX-License-Identifier: Apache-2.0
// Output that the commands share: checked printing, and extents as written on the command line.
//
// In: text and files to write, or "X[,Y[,Z]]". Out: text on standard output, flushed; files, even
// if some fail; extents. Each failure is an exception of base/error.h.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/base/place.h"
#include "common/run/launch.h"
#include "grader/cases/submission.h"

namespace warpgrade::grader::cli {

struct GradeOptions {
  std::vector<std::string> selections;  ///< See course.h; empty for all.
  bool solutions = false;
  std::string file;                     ///< A file, or a folder instead of `folder`.
  std::string folder;                   ///< The submission's, with `file` in it.
  std::optional<run::Backend> backend;  ///< Not set: the GPU if available.
  std::optional<int> gpu;               ///< The driver's number of the GPU.
  std::string device;                   ///< Empty: all that the gates name.
  std::uint64_t seed = cases::kDefaultSeed;
  bool counters = false;  ///< Also the card's own counters.
  bool brief = false;     ///< One line per exercise.
  std::string json;
  std::string html;
  bool ascii = false;  ///< Pictures as text, too.
  std::string format;  ///< Another program's, for `out`; may be empty.
  std::string out;
  std::size_t repeat = 1;  ///< Grades each submission so many times, each an entry of the report.
};

struct ProfileOptions {
  std::string file;
  std::string kernel;
  std::string grid;
  std::string block;
  std::uint32_t shared_bytes = 0;
  bool cooperative = false;
  std::string cluster;
  std::string device = "h200";
  run::Backend backend = run::Backend::kSim;
  std::optional<int> gpu;
  std::string sequence;  ///< A file, instead of kernel, extents and arguments.
  std::vector<std::string> arguments;
  std::vector<std::string> symbols;          ///< NAME=SPEC.
  std::vector<std::string> dumps;            ///< INDEX=PATH or NAME=PATH.
  std::string list_symbols;                  ///< A file for the module's variables, as JSON.
  std::vector<std::string> include_folders;  ///< The course's, for #include.
  std::vector<std::string> compiler_options;
  std::string json;
  std::string html;
};

struct StudyOptions {
  std::string study;   ///< NAME or FILE.toml.
  std::string device;  ///< Empty: the study's own devices.
  std::string csv;
  std::string svg;
};

struct OccupancyOptions {
  std::string device;
  std::uint32_t block = 0;
  std::uint32_t registers = 0;
  std::uint32_t shared_bytes = 0;
};

struct CheckOptions {
  std::vector<std::string> selections;  ///< The same as for `grade`.
  run::Backend backend = run::Backend::kSim;
  std::optional<int> gpu;
  bool write = false;  ///< Measure the skeletons' values and write them first.
};

struct PackOptions {
  std::string folder;
  std::vector<std::string> labs;  ///< All if empty.
  bool skip_build = false;
  std::string figures;  ///< A folder of finished figures; empty: they are drawn.
};

struct InitOptions {
  std::string folder;
  std::string figures;  ///< The same as for `pack`.
};

struct NewOptions {
  std::string exercise;  ///< LAB/EXERCISE.
};

struct HintOptions {
  std::string exercise;  ///< LAB/EXERCISE.
  bool next = false;     ///< One more than were shown before.
  bool all = false;
};

struct WatchOptions {
  std::vector<std::string> selections;  ///< The same as for `grade`.
  std::optional<run::Backend> backend = run::Backend::kSim;
  std::string html;  ///< A page that is rewritten at each attempt, and reloads by itself.
};

struct CalibrateOptions {
  std::string json;  ///< Empty: the file that grading reads.
  std::optional<int> gpu;
};

struct ClassOptions {
  std::string book;
  std::string submissions;
  std::string engine = "local";
  std::size_t workers = 0;
  std::optional<run::Backend> backend;  ///< Not set: the GPU if available.
  std::vector<std::string> students;
  std::string policy;
  bool retry = false;
  bool strict = false;
  std::string format;
  std::string out;       ///< The file or folder that is written.
  std::string feedback;  ///< The folder of `class feedback`, for the links of a page.
  std::string student;
  std::string given;     ///< A student's name in the submissions.
  bool guest = false;    ///< The roster does not have the student.
  std::string exercise;  ///< LAB/EXERCISE; of some commands LAB, or empty: all.
  std::optional<double> points;
  std::optional<double> bonus;
  bool remove = false;  ///< Withdraws a manual change.
  std::string until;
  std::string who;
  std::string why;
};

/// A process of a class that other processes start.
struct ClassWorkerOptions {
  std::string zone;  ///< Time zone of local times in archives.
  std::string spool;
  std::string name;
  std::string backend;
  bool bubblewrap = false;
  bool local = false;
};

/// Without a command: the student's progress and next step.
int run_overview();
int run_list();
int run_grade(const GradeOptions& options);
int run_profile(const ProfileOptions& options);
int run_study_command(const StudyOptions& options);
/// `name` empty: a table of all.
int run_devices(const std::string& name);
/// Writes a profile of this machine's GPU to `file`.
int run_probe(const std::string& file, std::optional<int> gpu);
int run_occupancy(const OccupancyOptions& options);
int run_check(const CheckOptions& options);
int run_hint(const HintOptions& options);
int run_init(const InitOptions& options);
int run_new(const NewOptions& options);
int run_watch(const WatchOptions& options);
int run_pack(const PackOptions& options);
int run_calibrate(const CalibrateOptions& options);
int run_class_run(const ClassOptions& options);
int run_class_status(const ClassOptions& options);
int run_class_export(const ClassOptions& options);
int run_class_feedback(const ClassOptions& options);
int run_class_adjust(const ClassOptions& options);
int run_class_extend(const ClassOptions& options);
int run_class_excuse(const ClassOptions& options);
int run_class_match(const ClassOptions& options);
int run_class_explain(const ClassOptions& options);
int run_class_forget(const ClassOptions& options);
int run_class_worker(const ClassWorkerOptions& options);
int run_class_card();
int run_class_judge(const ClassWorkerOptions& options);
int run_class_unpack(const ClassWorkerOptions& options);
int run_class_names();
/// Makes the one launch in `file`, for a profiler (gpu/ncu.h).
int run_counted_launch(const std::string& file, std::optional<int> gpu);

/// "X[,Y[,Z]]" as extents, each at least 1; throws base::UsageError that names `option`.
base::Dim3 parse_extents(const std::string& text, const std::string& option);

/// Writes to standard output and flushes it; throws base::ToolError on failure. A closed reader,
/// such as `head`, is not a failure.
void print(const std::string& text);

/// Writes the files, then prints, even if some fail; throws one base::ToolError for all
/// failures.
void deliver(const std::vector<std::function<void()>>& files, const std::string& text);

}  // namespace warpgrade::grader::cli
