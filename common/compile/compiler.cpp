// SPDX-License-Identifier: Apache-2.0
#include "common/compile/compiler.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/base/error.h"
#include "common/base/finding_text.h"
#include "common/base/text.h"
#include "common/base/utf8.h"
#include "common/base/wire.h"
#include "common/compile/child.h"
#include "common/compile/compiler_log.h"
#include "common/compile/compiler_path.h"
#include "common/compile/directives.h"
#include "common/compile/host_code.h"
#include "common/compile/instances.h"
#include "common/compile/job.h"
#include "common/compile/program.h"
#include "common/compile/signature.h"
#include "common/compile/stand_ins.h"
#include "common/compile/toolkit.h"

namespace warpgrade::compile {
namespace {

struct Permitted {
  std::string_view name;  // Ends with = if a value follows.
  std::string_view other;
};

constexpr std::array<Permitted, 11> kPermitted = {{
    {"--use_fast_math", "-use_fast_math"},
    {"--generate-line-info", "-lineinfo"},
    {"--device-as-default-execution-space", "-default-device"},
    {"--disable-warnings", "-w"},
    {"--extra-device-vectorization", "-extra-device-vectorization"},
    {"--restrict", "-restrict"},
    {"--ftz=", "-ftz="},
    {"--prec-sqrt=", "-prec-sqrt="},
    {"--prec-div=", "-prec-div="},
    {"--fmad=", "-fmad="},
    {"--maxrregcount=", "-maxrregcount="},
}};

// The value of `option` if it begins with one of the names.
std::optional<std::string_view> value_of(std::string_view option,
                                         std::initializer_list<std::string_view> names) {
  for (const auto name : names) {
    if (option.starts_with(name) && option.size() > name.size()) return option.substr(name.size());
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> permitted_option(std::string_view option) {
  if (const auto standard = value_of(option, {"--std=", "-std="})) {
    constexpr std::array<std::string_view, 4> kOlder = {"c++03", "c++11", "c++14", "c++17"};
    if (*standard == "c++20") return "-std=c++20";
    const bool is_older = std::find(kOlder.begin(), kOlder.end(), *standard) != kOlder.end();
    return is_older ? std::optional<std::string>("-std=c++17") : std::nullopt;
  }
  if (const auto macro = value_of(option, {"--define-macro=", "-D"})) {
    return "-D" + std::string(*macro);
  }
  if (const auto macro = value_of(option, {"--undefine-macro=", "-U"})) {
    return "-U" + std::string(*macro);
  }
  for (const auto& [name, other] : kPermitted) {
    if (!name.ends_with('=')) {
      if (option == name || option == other) return std::string(name);
    } else if (const auto value = value_of(option, {name, other})) {
      return std::string(name) + std::string(*value);
    }
  }
  return std::nullopt;
}

namespace fs = std::filesystem;

namespace {

// CUDA's limit on statically allocated shared memory, on every architecture (CUDA C++ Programming
// Guide, "Technical specifications per compute capability").
constexpr std::uint32_t kMaxStaticSharedBytes = 48 * 1024;
// Local memory per thread on every compute capability since 2.0 (CUDA C++ Programming Guide,
// "Technical specifications per compute capability").
constexpr std::uint32_t kMaxLocalBytes = 512 * 1024;
// PTX instructions of a file. Large kernels of the toolkit have 20,000.
constexpr std::uint64_t kMostInstructions = 100'000;

// The compiler process: $WARPGRADE_COMPILER, else beside this program, else in its build folder.
fs::path compiler_path() {
  std::error_code ignored;
  if (const char* path = std::getenv("WARPGRADE_COMPILER")) return path;
  auto beside = fs::read_symlink("/proc/self/exe", ignored).parent_path() / kCompilerName;
  if (fs::exists(beside, ignored)) return beside;
  return kCompilerBuilt;
}

base::Diagnostic whole_file(const std::string& file, const std::string& message) {
  return compile_error(file, 0, 0, message);
}

// The file's name for PTX and __FILE__, without characters that would end a string or a line.
std::string safe_name(std::string name) {
  const auto is_unsafe = [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f || c == '"' || c == '\\';
  };
  std::ranges::replace_if(name, is_unsafe, '_');
  return name.empty() ? "submission.cu" : name;
}

std::vector<LeftOut> with_shown_files(std::vector<LeftOut> items, const LogContext& context) {
  for (auto& item : items) item.file = shown_path(item.file, context);
  return items;
}

// Replaces the names in `.file N "name"` by names that the user knows; <name> for the toolkit's
// files. File 1 is the compiled file, or, if that has no code of its own, ./name.
std::string with_shown_files(const std::string& ptx, const LogContext& context) {
  std::string out;
  for (std::string_view rest = ptx; !rest.empty();) {
    const auto end = std::min(rest.find('\n'), rest.size() - 1) + 1;
    const auto line = rest.substr(0, end);
    rest.remove_prefix(end);
    const auto open = line.find('"');
    const auto close = line.rfind('"');
    const bool names_file = line.starts_with("\t.file\t") && open < close;
    if (!names_file) {
      out += line;
      continue;
    }
    const auto path = unescape_ptx(line.substr(open + 1, close - open - 1));
    out += line.substr(0, open + 1);
    const auto shown = safe_name(shown_path(path, context));
    const bool is_other = line.starts_with("\t.file\t1 ") && shown != safe_name(context.shown_name);
    // Texts in memory (shims.h) have paths directly below the root.
    const bool is_text_in_memory =
        path.rfind('/') == 0 && std::string_view(path).substr(1) != context.compiled_name;
    out += is_of_toolkit(path, context) || is_text_in_memory ? "<" + shown + ">"
           : is_other                                        ? "./" + shown
                                                             : shown;
    out += line.substr(close);
  }
  return out;
}

base::Diagnostic memory_exceeded(const CompileRequest& request) {
  return whole_file(request.file,
                    fmt::format("compiling took more than {} MiB of memory: look for a template "
                                "recursion without end or a huge array",
                                request.limits.memory_bytes >> 20));
}

base::Diagnostic time_exceeded(const CompileRequest& request) {
  return whole_file(request.file,
                    fmt::format("compiling took more than {} s of CPU time: look for a template "
                                "or constexpr recursion without end, or a loop unrolled too far",
                                request.limits.cpu_time.count()));
}

// An error at the declaration of the kernel `name`.
base::Diagnostic error_at(const CompileRequest& request, const std::string& name,
                          const std::string& message) {
  base::SourceLocation where;
  for (const auto& declaration : find_declarations(request.source)) {
    if (declaration.name != base_name(name)) continue;
    where.line = declaration.line;
    where.column = declaration.column;
  }
  return compile_error(request.file, where.line, where.column, message);
}

// Kernels with more local memory than a thread can have: the assembler accepts them, but launches
// fail.
std::vector<base::Diagnostic> local_memory_exceeded(const CompileRequest& request,
                                                    const Program& program) {
  std::vector<base::Diagnostic> found;
  for (const auto& kernel : program.kernels) {
    const auto bytes = kernel.resources.stack_frame_bytes;
    if (bytes <= kMaxLocalBytes) continue;
    const auto name = parse_signature(demangled(kernel.name)).name;
    found.push_back(error_at(
        request, name,
        fmt::format("the kernel '{}' keeps {} bytes of local memory for each thread, arrays for "
                    "the most part; at most {} (512 KB) are possible",
                    name, bytes, kMaxLocalBytes)));
  }
  return found;
}

// More instructions take the grader, and an assembler, many seconds. Each ends with a semicolon.
std::optional<base::Diagnostic> instructions_exceeded(const CompileRequest& request,
                                                      const Program& program) {
  const auto count = static_cast<std::uint64_t>(std::ranges::count(program.ptx.text(), ';'));
  if (count <= kMostInstructions) return std::nullopt;
  return whole_file(request.file,
                    fmt::format("compiling gives {} instructions, and {} at most can be graded: "
                                "use loops instead of repeated code, and unroll less",
                                base::grouped(count), base::grouped(kMostInstructions)));
}

// Whether the source cannot have caused this end. An operator, a machine without memory, or a limit
// of the grader's parent that is tighter than ours kills the process; the process itself reports
// our own limit (CompileStatus::kOutOfTime).
bool is_from_outside(const ChildResult& child) {
  static constexpr std::array kCrashes = {SIGSEGV, SIGBUS,  SIGABRT, SIGILL,
                                          SIGFPE,  SIGTRAP, SIGSYS};
  if (child.timed_out || child.wrote_too_much || child.signal == 0) return false;
  return std::ranges::count(kCrashes, child.signal) == 0;
}

// Explains the end of a process without an answer in the student's terms.
base::Diagnostic explain_end(const CompileRequest& request, const ChildResult& child) {
  const auto& limits = request.limits;
  if (child.wrote_too_much) {
    return whole_file(request.file,
                      fmt::format("compiling gives more than {} MiB of code and data: look for a "
                                  "huge array with initial values",
                                  kMaxOutputBytes >> 20));
  }
  // After a failed allocation the compiler may end with any signal; its memory size distinguishes
  // the cases. Until it executes the compiler, a child counts as large as its parent ever was, so
  // the bound leaves room for that.
  if (child.peak_bytes > limits.memory_bytes / 4 * 3) {
    return memory_exceeded(request);
  }
  return whole_file(request.file,
                    fmt::format("the compiler crashed on this file (signal {}): undo the latest "
                                "change, and look for deep recursion of templates",
                                child.signal));
}

// The errors, preceded by those of omitted #includes, which may be their cause. Headers of host
// libraries come last, because device code must not use their names.
std::vector<base::Diagnostic> with_missing_includes(const std::vector<base::Diagnostic>& errors,
                                                    const LogContext& context) {
  std::vector<base::Diagnostic> out;
  std::vector<base::Diagnostic> last;
  for (const auto& item : context.left_out) {
    if (!is_include(item)) continue;
    const bool is_of_host = is_header_of_host_library(without_quotes(item.name));
    (is_of_host ? last : out).push_back(missing_include(item, context));
  }
  out.insert(out.end(), errors.begin(), errors.end());
  out.insert(out.end(), last.begin(), last.end());
  return out;
}

std::vector<base::Diagnostic> explain_rejection(const CompileRequest& request, const Answer& answer,
                                                const CompilerLog& log, const LogContext& context) {
  if (log.is_out_of_memory) return {memory_exceeded(request)};
  if (!log.errors.empty()) {
    auto out = with_missing_includes(log.errors, context);
    for (std::size_t i = 0; i < std::min(log.warnings.size(), kMostWarnings); ++i) {
      out.push_back(log.warnings[i].found);
    }
    return out;
  }
  std::vector<base::Diagnostic> found;
  for (const auto& [name, resources] : parse_ptxas_report(answer.log)) {
    if (resources.static_shared_bytes <= kMaxStaticSharedBytes) continue;
    const auto kernel = parse_signature(demangled(name)).name;
    found.push_back(error_at(request, kernel, ""));
    found.back().facts =
        base::SharedTooLarge{kernel, resources.static_shared_bytes, kMaxStaticSharedBytes};
  }
  if (found.empty()) {
    found.push_back(whole_file(
        request.file, "the compiler refused the file: " + base::escape_controls(answer.log, true)));
  }
  return found;
}

Program make_program(const CompileRequest& request, const Answer& answer, std::string ptx,
                     const CompilerLog& log, const LogContext& context) {
  Program program;
  program.file = request.file;
  program.source = request.source;
  program.architecture = request.architecture;
  program.machine_code.assign(answer.machine_code.begin(), answer.machine_code.end());
  program.warnings = text_of(log.warnings);
  program.left_out = context.left_out;
  program.device_source = answer.source;
  const bool is_virtual = request.architecture.starts_with("compute_");
  const auto resources = parse_ptxas_report(answer.log);
  for (auto& entry : parse_ptx_entries(ptx)) {
    const auto found = resources.find(entry.name);
    if (found == resources.end() && !is_virtual) continue;  // a kernel that ptxas does not report
    program.kernels.push_back({entry.name, demangled(entry.name),
                               is_virtual ? Resources() : found->second,
                               std::move(entry.parameters)});
  }
  program.ptx = {std::move(ptx), request.file};
  for (std::size_t i = 0; i < request.instantiations.size(); ++i) {
    program.lowered[request.instantiations[i]] = answer.lowered.at(i);
  }
  return program;
}

std::vector<std::string> strings(const std::vector<fs::path>& paths) {
  std::vector<std::string> out;
  for (const auto& path : paths) out.push_back(path.string());
  return out;
}

Job make_job(const CompileRequest& request, const Toolkit& toolkit) {
  Job job;
  job.library = toolkit.library.string();
  job.toolkit_folders = strings(toolkit.include_folders);
  job.folder = request.folder.empty() ? "" : fs::absolute(request.folder).string();
  if (job.folder.size() > 1 && job.folder.ends_with('/')) job.folder.pop_back();
  job.root = request.root.empty() ? job.folder : fs::absolute(request.root).string();
  for (const auto& folder : request.include_folders) {
    job.include_folders.push_back(fs::weakly_canonical(folder).string());
  }
  job.name = kMainFileName;
  job.source = neutralise_directives(request.source);
  job.architecture = request.architecture;
  job.options = request.options;
  job.expressions = request.instantiations;
  job.cpu_seconds = static_cast<std::uint64_t>(request.limits.cpu_time.count());
  job.memory_bytes = request.limits.memory_bytes;
  return job;
}

// A process killed from outside is started once more, because the machine may have been short of
// memory only for a moment.
ChildResult run_process(const fs::path& path, const CompileRequest& request,
                        const std::string& job) {
  const auto run = [&] { return run_child({path, {}}, job, request.limits.wall_time); };
  const auto child = run();
  return is_from_outside(child) ? run() : child;
}

// The answer of the compiler process, or the reason why it has none.
std::variant<Answer, base::Diagnostic> run_compiler(const CompileRequest& request, const Job& job) {
  const auto path = compiler_path();
  const auto child = run_process(path, request, base::encode(job));
  if (auto answer = base::decode<Answer>(child.output)) return *std::move(answer);
  const auto cpu_seconds = static_cast<double>(child.cpu_time.count()) / 1000;
  if (child.timed_out) {
    throw base::ToolError(
        fmt::format("the compiler process {} did not finish within {} s ({:.1f} s of CPU time): it "
                    "hangs, or this machine is too busy",
                    path.string(), request.limits.wall_time.count(), cpu_seconds));
  }
  if (is_from_outside(child)) {
    throw base::ToolError(
        fmt::format("the compiler process {} was killed from outside, twice "
                    "(signal {}, after {:.1f} s of CPU time and with {} MiB of "
                    "memory): is this machine short of memory?",
                    path.string(), child.signal, cpu_seconds, child.peak_bytes >> 20));
  }
  if (child.signal == 0 && !child.wrote_too_much) {
    throw base::ToolError(fmt::format("the compiler process {} gave no answer (exit code {})",
                                      path.string(), child.exit_code));
  }
  return explain_end(request, child);
}

// Like run_compiler() for a program of the course, with the answer cached on disk.
std::variant<Answer, base::Diagnostic> run_for_own(const CompileRequest& request, const Job& job) {
  std::string key;  // if empty, the answer is not cached
  if (is_self_contained(job.source)) key = answer_key(base::encode(job), compiler_files());
  if (const auto kept = own_answers().find(key)) {
    if (auto answer = base::decode<Answer>(*kept)) return *std::move(answer);
  }
  auto run = run_compiler(request, job);
  const auto* answer = std::get_if<Answer>(&run);
  if (answer != nullptr && answer->outcome == CompileStatus::kCompiled) {
    own_answers().keep(key, base::encode(*answer));
  }
  return run;
}

// Compiles again with the valid name expressions; tries several one by one.
Result compile_what_exists(const CompileRequest& request) {
  auto part = request;
  part.instantiations.clear();
  if (request.instantiations.size() > 1) {
    for (const auto& expression : request.instantiations) {
      auto alone = request;
      alone.instantiations = {expression};
      const auto result = compile(alone);
      const auto* program = std::get_if<Program>(&result);
      if (program != nullptr && !program->lowered.empty())
        part.instantiations.push_back(expression);
    }
  }
  return compile(part);
}

// `run_one` is one of the two functions above.
template <typename Run>
Result compile_by(const CompileRequest& request, const Run& run_one) {
  for (const auto& expression : request.instantiations) {
    if (is_name_expression(expression)) continue;
    return std::vector{whole_file(request.file, fmt::format("'{}' is not a kernel's name",
                                                            base::escape_controls(expression)))};
  }
  const auto toolkit = find_toolkit();
  auto job = make_job(request, toolkit);
  LogContext context{
      job.name, request.file, job.folder, job.include_folders, job.toolkit_folders, request.source,
      {}};

  auto run = run_one(request, job);
  if (auto* ended = std::get_if<base::Diagnostic>(&run)) return std::vector{*ended};
  auto answer = std::get<Answer>(run);
  context.left_out = with_shown_files(answer.left_out, context);
  auto log = parse_compiler_log(answer.log, context);
  const bool lacks_only_instances = answer.outcome == CompileStatus::kRejected &&
                                    log.errors.empty() && log.has_expression_errors &&
                                    !log.is_out_of_memory;
  if (lacks_only_instances) return compile_what_exists(request);
  if (answer.outcome == CompileStatus::kRejected)
    return explain_rejection(request, answer, log, context);
  if (answer.outcome == CompileStatus::kExhausted) return std::vector{memory_exceeded(request)};
  if (answer.outcome == CompileStatus::kOutOfTime) return std::vector{time_exceeded(request)};
  if (answer.outcome == CompileStatus::kToolError) {
    throw base::ToolError("the compiler cannot work: " + answer.failure);
  }
  auto ptx = with_shown_files(answer.ptx, context);
  if (auto forged = check_inline_assembly(ptx, request.file, request.source)) {
    return std::vector{*std::move(forged)};
  }
  auto program = make_program(request, answer, std::move(ptx), log, context);
  if (auto found = local_memory_exceeded(request, program); !found.empty()) return found;
  if (auto found = instructions_exceeded(request, program)) return std::vector{*std::move(found)};
  return program;
}

}  // namespace

std::vector<base::Diagnostic> take_warnings(std::vector<base::Diagnostic>& found) {
  const auto first = std::stable_partition(
      found.begin(), found.end(),
      [](const base::Diagnostic& one) { return one.severity == base::Severity::kError; });
  std::vector<base::Diagnostic> out(first, found.end());
  found.erase(first, found.end());
  return out;
}

std::vector<fs::path> compiler_files() { return {compiler_path(), find_toolkit().library}; }

Result compile(const CompileRequest& request) { return compile_by(request, run_compiler); }

Result compile_own(const CompileRequest& request) { return compile_by(request, run_for_own); }

namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

[[noreturn]] void refuse(const fs::path& file, std::string_view why) {
  throw base::UsageError(
      fmt::format("cannot read '{}': {}", base::escape_controls(file.string()), why));
}

std::uint32_t line_at(std::string_view text, std::size_t position) {
  std::uint32_t line = 1;
  for (const char c : text.substr(0, position)) line += c == '\n' ? 1U : 0U;
  return line;
}

}  // namespace

// Stops after the limit, so that the caller can detect it.
std::string read_source_bytes(const fs::path& file) {
  // Does not wait if the path is a pipe without a writer.
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) refuse(file, std::strerror(errno));
  struct stat about {};
  ::fstat(descriptor, &about);
  std::string text;
  std::array<char, 1 << 16> buffer;
  ssize_t count = 0;
  int error = 0;
  const bool is_regular = S_ISREG(about.st_mode);
  while (is_regular && text.size() <= kMostSourceBytes) {
    count = ::read(descriptor, buffer.data(), buffer.size());
    if (count < 0) error = errno;
    if (count <= 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  ::close(descriptor);
  if (S_ISDIR(about.st_mode)) refuse(file, "it is a folder; name a .cu file in it");
  if (!is_regular) refuse(file, "it is not a regular file");
  if (error != 0) refuse(file, std::strerror(error));
  return text;
}

std::variant<CompileRequest, std::vector<base::Diagnostic>> read_source(const fs::path& file) {
  return source_of(file, read_source_bytes(file));
}

std::variant<CompileRequest, std::vector<base::Diagnostic>> source_of(const fs::path& file,
                                                                      std::string bytes) {
  CompileRequest request;
  request.file = file.string();
  request.source = std::move(bytes);
  std::error_code ignored;
  const auto absolute = fs::absolute(file, ignored);
  request.folder = absolute.parent_path();
  if (auto converted = base::utf8_of_utf16(request.source)) request.source = *std::move(converted);
  if (request.source.starts_with(kByteOrderMark)) request.source.erase(0, kByteOrderMark.size());

  const auto reject = [&](const std::string& message, std::uint32_t line) {
    return std::vector{compile_error(request.file, line, 0, message)};
  };
  if (request.source.size() > kMostSourceBytes) {
    return reject("the file is larger than 4 MiB, which no kernel's source is", 0);
  }
  if (request.source.find_first_not_of(" \t\r\n\f\v") == std::string::npos) {
    return reject("the file is empty", 0);
  }
  if (request.source.starts_with("\x7f"
                                 "ELF")) {
    return reject("the file is a program, not source text", 0);
  }
  if (const auto at = request.source.find('\0'); at != std::string::npos) {
    return reject("the file contains a null byte, so it is not source text",
                  line_at(request.source, at));
  }
  return request;
}

const Program& own_program(const std::string& what, const std::string& file, const char* source,
                           const std::string& architecture) {
  static std::mutex mutex;
  static std::map<std::pair<std::string, std::string>, Program> programs;
  const std::lock_guard lock(mutex);
  const auto found = programs.find({file, architecture});
  if (found != programs.end()) return found->second;
  CompileRequest request;
  request.file = file;
  request.source = source;
  request.architecture = architecture;
  auto result = compile_own(request);
  if (const auto* errors = std::get_if<std::vector<base::Diagnostic>>(&result)) {
    throw base::ToolError(fmt::format("{} does not compile for {}: {}", what, architecture,
                                      base::text(errors->front())));
  }
  return programs.emplace(std::pair(file, architecture), std::get<Program>(std::move(result)))
      .first->second;
}

}  // namespace warpgrade::compile
