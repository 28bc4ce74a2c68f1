// SPDX-License-Identifier: Apache-2.0
// The commands: the values of the options of each, a function that runs it, and the output that
// they share.
//
// In: text and files to write. Out: text on standard output, flushed; files, even if some fail.
// Each failure is an exception of base/error.h.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "common/run/launch.h"
#include "grader/cases/submission.h"

namespace warpgrade::grader::grade {
struct GradingProgress;
}

namespace warpgrade::grader::cli {

struct ListOptions {};

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
  std::string other;    ///< A second version of the kernel; may be empty.
  std::string compare;  ///< JSON of an earlier profile, likewise.
  std::string kernel;
  std::string grid;
  std::string block;
  std::uint32_t shared_bytes = 0;
  bool cooperative = false;
  std::string cluster;
  std::string device = "h200";  ///< Several between commas, or "all".
  std::optional<run::Backend> backend = run::Backend::kSim;
  std::optional<int> gpu;
  std::string sequence;  ///< A file, instead of kernel, extents and arguments.
  std::vector<std::string> arguments;
  std::vector<std::string> symbols;  ///< NAME=SPEC.
  std::vector<std::string> dumps;    ///< INDEX=PATH or NAME=PATH.
  std::string list_symbols;          ///< A file for the module's variables, as JSON.
  std::string list_kernel;           ///< A file for the kernel's facts, as JSON.
  std::string same_program;          ///< Calls with this key have the same source and options.
  std::vector<std::string> include_folders;  ///< The course's, for #include.
  std::vector<std::string> compiler_options;
  std::string json;
  std::string html;
  std::string format;  ///< Another program's, for `out`; may be empty.
  std::string out;
};

struct VerifyOptions {
  std::string file;
  std::string against;
  std::string kernel;      ///< Empty: the only one of the file.
  std::string old_kernel;  ///< Empty: `kernel`.
  std::string grid;
  std::string block;
  std::string shared = "0";
  std::string old_grid;  ///< Empty, like the next two: as for the new kernel.
  std::string old_block;
  std::string old_shared;
  bool cooperative = false;
  std::vector<std::string> arguments;
  std::vector<std::string> sizes;  ///< NAME=LEAST..MOST[:STEP] or NAME=VALUE.
  std::vector<std::string> at;     ///< NAME=VALUE.
  std::string inputs;
  std::size_t cases = 100;
  std::string ulps = "0";
  std::string magnitude = "0";
  std::string device = "h200";
  std::uint64_t seed = cases::kDefaultSeed;
  std::vector<std::string> include_folders;
  std::vector<std::string> compiler_options;
  std::string json;
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
  std::optional<run::Backend> backend = run::Backend::kSim;
  std::optional<int> gpu;
  bool write = false;  ///< Measure the skeletons' values and write them first.
  std::string junit;   ///< A file for the findings as JUnit's XML; may be empty.
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

struct ExplainOptions {
  std::vector<std::string> words;  ///< They are one term.
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

struct DevicesOptions {
  std::string name;  ///< Empty: a table of all.
  std::string file;  ///< Output file for this machine's GPU; may be empty.
  std::string json;  ///< Empty: none.
  std::optional<int> gpu;
};

/// Writes a profile of this machine's GPU to a file.
struct ProbeOptions {
  std::string file;
  std::optional<int> gpu;
};

/// Makes the one launch in a file, for a profiler (gpu/ncu.h).
struct CountedLaunchOptions {
  std::string file;
  std::optional<int> gpu;
};

/// Prints the script with which a shell completes commands.
struct CompletionOptions {
  std::string shell;
};

struct ManPageOptions {};

/// A part of `warpgrade class`, which needs libraries.
struct ClassOptions {};

struct BookOptions : ClassOptions {
  std::string book;
};

struct ClassRunOptions : BookOptions {
  std::string submissions;
  std::string engine = "local";
  std::size_t workers = 0;
  std::optional<run::Backend> backend;  ///< Not set: the GPU if available.
  std::vector<std::string> students;
  std::string policy;
  bool retry = false;
  bool strict = false;
};

struct ClassStatusOptions : BookOptions {};

struct ClassExportOptions : BookOptions {
  std::string format;
  std::string out;
  std::string feedback;  ///< The folder of `class feedback`, for the links of a page.
};

struct ClassFeedbackOptions : BookOptions {
  std::string folder;
  std::string format;  ///< A platform: `folder` is a zip for it; may be empty.
};

struct ClassExplainOptions : BookOptions {
  std::string student;
  std::string json;
};

struct ClassForgetOptions : BookOptions {
  std::string student;
};

/// A decision about one student.
struct DecisionOptions : BookOptions {
  std::string student;
  std::string exercise;  ///< LAB/EXERCISE; of some commands LAB, or empty: all.
  bool remove = false;   ///< Withdraws a manual change.
  std::string who;
  std::string why;
};

struct ClassExtendOptions : DecisionOptions {
  std::string until;
};

struct ClassExcuseOptions : DecisionOptions {};

struct ClassAdjustOptions : DecisionOptions {
  std::optional<double> points;
  std::optional<double> bonus;
};

struct ClassCommentOptions : DecisionOptions {};

struct ClassChangesOptions : BookOptions {};

struct ClassMatchOptions : DecisionOptions {
  std::string given;   ///< A student's name in the submissions.
  bool guest = false;  ///< The roster does not have the student.
};

// Processes of a class that other processes start.

struct ClassWorkerOptions : ClassOptions {
  std::string spool;
  std::string name;
  std::string backend;
  bool bubblewrap = false;
  bool local = false;
};

struct ClassCardOptions : ClassOptions {};

struct ClassJudgeOptions : ClassOptions {
  std::string backend;
};

struct ClassUnpackOptions : ClassOptions {
  std::string zone;  ///< Time zone of local times in archives.
  int kind = 0;      ///< A number of class_book::ArchiveKind.
};

struct ClassNamesOptions : ClassOptions {};

/// The commands that the students' program does not contain.
using InstructorOptions =
    std::variant<CalibrateOptions, CheckOptions, ClassAdjustOptions, ClassCardOptions,
                 ClassChangesOptions, ClassCommentOptions, ClassExcuseOptions, ClassExplainOptions,
                 ClassExportOptions, ClassExtendOptions, ClassFeedbackOptions, ClassForgetOptions,
                 ClassJudgeOptions, ClassMatchOptions, ClassNamesOptions, ClassRunOptions,
                 ClassStatusOptions, ClassUnpackOptions, ClassWorkerOptions, InitOptions,
                 NewOptions, PackOptions, ProbeOptions, StudyOptions>;

/// Without a command: the student's progress and next step.
int run_overview();

// One for each command: the exit code.

int run_command(const CompletionOptions& options);
int run_command(const CountedLaunchOptions& options);
int run_command(const DevicesOptions& options);
int run_command(const ExplainOptions& options);
int run_command(const GradeOptions& options);
int run_command(const HintOptions& options);
int run_command(const ListOptions& options);
int run_command(const ManPageOptions& options);
int run_command(const OccupancyOptions& options);
int run_command(const ProfileOptions& options);
int run_command(const VerifyOptions& options);
int run_command(const WatchOptions& options);

int run_command(const CalibrateOptions& options);
int run_command(const CheckOptions& options);
int run_command(const ClassAdjustOptions& options);
int run_command(const ClassCardOptions& options);
int run_command(const ClassChangesOptions& options);
int run_command(const ClassCommentOptions& options);
int run_command(const ClassExcuseOptions& options);
int run_command(const ClassExplainOptions& options);
int run_command(const ClassExportOptions& options);
int run_command(const ClassExtendOptions& options);
int run_command(const ClassFeedbackOptions& options);
int run_command(const ClassForgetOptions& options);
int run_command(const ClassJudgeOptions& options);
int run_command(const ClassMatchOptions& options);
int run_command(const ClassNamesOptions& options);
int run_command(const ClassRunOptions& options);
int run_command(const ClassStatusOptions& options);
int run_command(const ClassUnpackOptions& options);
int run_command(const ClassWorkerOptions& options);
int run_command(const InitOptions& options);
int run_command(const NewOptions& options);
int run_command(const PackOptions& options);
int run_command(const ProbeOptions& options);
int run_command(const StudyOptions& options);

/// Options for NVRTC as it reads them. Throws base::UsageError at one that is not permitted.
std::vector<std::string> permitted_options(const std::vector<std::string>& given);

/// The folders of -I. Throws base::UsageError at one that does not exist.
std::vector<std::filesystem::path> existing_folders(const std::vector<std::string>& given);

/// The command of an instructor; throws base::ToolError if this program does not contain it.
int run_if_contained(const InstructorOptions& options);

/// A line on standard error that a later one replaces and that disappears at the end. It appears
/// only on a terminal, and after a delay.
class TransientLine {
 public:
  explicit TransientLine(std::chrono::milliseconds delay) : delay_(delay) {}
  TransientLine(const TransientLine&) = delete;
  TransientLine& operator=(const TransientLine&) = delete;
  ~TransientLine();

  void show(const std::string& text);

 private:
  std::chrono::milliseconds delay_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  bool shown_ = false;
};

/// The progress of a long grade, in at most `columns` columns:
///
///   [####......] 6 of 16  bank_conflicts/padded, case ragged
std::string progress_line(const grade::GradingProgress& progress, std::size_t columns);

/// Writes `text` to `file`, or prints it if `file` is "-".
void write_or_print(const std::string& file, const std::string& text);

/// Whether one of `files` is "-". Then the command prints that file and nothing else, so that
/// another program can read it.
bool prints_a_file(std::initializer_list<std::string_view> files);

/// "page  /home/ada/report.html", a line for people that names the written page.
std::string page_line(const std::string& file);

/// Writes to standard output and flushes it; throws base::ToolError on failure. A closed reader,
/// such as `head`, is not a failure.
void print(const std::string& text);

/// Writes the files, then prints, even if some fail; throws one base::ToolError for all
/// failures.
void deliver(const std::vector<std::function<void()>>& files, const std::string& text);

}  // namespace warpgrade::grader::cli
