// SPDX-License-Identifier: Apache-2.0
#include "common/compile/compiler_process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <new>
#include <optional>
#include <utility>

#include "common/base/wire.h"
#include "common/compile/host_code.h"
#include "common/compile/host_constants.h"
#include "common/compile/include_guard.h"
#include "common/compile/job.h"
#include "common/compile/log_entries.h"
#include "common/compile/nvcc_rules.h"
#include "common/compile/nvrtc_api.h"
#include "common/compile/shims.h"
#include "common/compile/stand_ins.h"

namespace warpgrade::compile {
namespace {

// More than a megabyte of messages adds nothing.
constexpr std::size_t kMaxLogBytes = std::size_t{1} << 20;
// Anonymous copies of headers count as files; the process writes no other files.
constexpr rlim_t kMaxFileBytes = rlim_t{4} << 20;

std::string read_all(int file) {
  std::string out;
  std::array<char, 1 << 16> buffer;
  while (true) {
    const auto count = ::read(file, buffer.data(), buffer.size());
    if (count <= 0) return out;
    out.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

void write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto count = ::write(file, bytes.data(), bytes.size());
    if (count <= 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

// Lowers a limit of this process. Returns false if an inherited limit is tighter and stays.
bool limit(decltype(RLIMIT_AS) resource, rlim_t soft, rlim_t hard) {
  rlimit old{RLIM_INFINITY, RLIM_INFINITY};
  ::getrlimit(resource, &old);
  const rlimit both{std::min(soft, old.rlim_cur), std::min(hard, old.rlim_max)};
  return ::setrlimit(resource, &both) == 0 && soft <= old.rlim_cur;
}

// For the handler of SIGXCPU, which must not allocate: the answer and the file for it.
int out_of_time_file = -1;
std::string out_of_time_answer;

void answer_out_of_time(int /*signal*/) {
  write_all(out_of_time_file, out_of_time_answer);
  ::_exit(0);
}

// Ends this process with an answer once it has used `seconds` of processor time. Only the process
// knows which limit was reached: the kernel's clock for the limit counts in ticks and runs ahead of
// the time that a parent sees. If the operator's limit is tighter, its signal ends the process
// without an answer.
void limit_time(std::uint64_t seconds, int answers) {
  Answer answer;
  answer.outcome = CompileStatus::kOutOfTime;
  out_of_time_answer = base::encode(answer);
  out_of_time_file = answers;
  if (limit(RLIMIT_CPU, seconds, seconds + 1)) ::signal(SIGXCPU, answer_out_of_time);
}

// Differences between nvcc and NVRTC that can be bridged. Each costs a compilation or hides names,
// so a file only gets the ones that its first errors suggest.
struct Dialect {
  // Off for a file that defines a name of the prelude itself.
  bool has_prelude = true;
  // libstdc++'s <type_traits> and <utility>, which nvcc includes through <cmath>.
  bool has_standard_traits = false;
  // GCC, and so nvcc, accepts designated initializers in C++17; NVRTC accepts them in C++20.
  bool has_designators = false;
  // The initial value of a host's constant may need another one of type float. nvcc computes it;
  // NVRTC does so only for constexpr.
  bool has_constexpr_constants = false;

  bool operator==(const Dialect&) const = default;
};

constexpr std::string_view kTraitsHeader = "warpgrade_traits.h";
constexpr const char* kTraitsText = "#pragma once\n#include <type_traits>\n#include <cstddef>\n";

// Options: both PTX and machine code for a real architecture (only PTX for a virtual one), source
// lines, ptxas' report, and __int128, which nvcc enables by default. Contraction of a * b + c stays
// at NVRTC's default, as in nvcc.
std::vector<std::string> options(const Job& job, const HostCode& host, const Dialect& dialect) {
  const auto is_wanted = [&](std::string_view option) {
    return std::find(job.options.begin(), job.options.end(), option) != job.options.end();
  };
  const bool is_20 = dialect.has_designators || is_wanted("-std=c++20");
  std::vector<std::string> out = {"-arch=" + job.architecture, "-lineinfo",
                                  is_20 ? "-std=c++20" : "-std=c++17", "--device-int128",
                                  "--ptxas-options=-v"};
  out.emplace_back("--diag-error=546");  // A goto past an initial value: nvcc refuses it.
  out.push_back(std::string("-D").append(kRelaxedConstexpr) + "=" +
                std::string(kRelaxedConstexprText));
  out.push_back(std::string("-D").append(kOnlyOnHost) + "=" + std::string(kOnlyOnHostText));
  out.push_back(std::string("-D").append(kConstexprConst) + "=" + std::string(kConstexprConstText));
  constexpr std::string_view kDefaultDevice = "--device-as-default-execution-space";
  if (host.wants_default_device() && !is_wanted(kDefaultDevice)) out.emplace_back(kDefaultDevice);
  for (const auto& option : job.options) {
    if (!option.starts_with("-std=")) out.push_back(option);
  }
  out.push_back(std::string("--pre-include=") + kMacrosHeader);
  if (dialect.has_prelude) out.push_back(std::string("--pre-include=") + kPreludeName);
  if (dialect.has_standard_traits) {
    out.push_back(std::string("--pre-include=").append(kTraitsHeader));
  }
  if (!job.folder.empty()) out.push_back("-I" + job.folder);
  for (const auto* folders : {&job.include_folders, &job.toolkit_folders}) {
    for (const auto& folder : *folders) out.push_back("-I" + folder);
  }
  return out;
}

// The texts of a submission as the compiler sees them.
struct Texts {
  explicit Texts(const Job& job)
      : host(job.name, job.source),
        macros_header(macros.header(std::ranges::count(job.options, "-std=c++20") != 0)) {}

  std::string main_file() { return shown(host.source()); }
  std::string header(const std::string& path, std::string text) {
    return shown(host.header(path, std::move(text)));
  }

  /// The compiler's output with the names of the submission.
  std::string restored(std::string output) const {
    return macros.restore(names.restore(std::move(output)));
  }

  HostCode host;
  AsciiNames names;
  HostMacros macros;
  std::string macros_header;
  bool has_constexpr_constants = false;  ///< See with_constexpr_constants().

 private:
  std::string shown(std::string text) {
    text = macros.replace(names.replace(std::move(text)));
    return has_constexpr_constants ? with_constexpr_constants(text) : text;
  }
};

NvrtcProgram create(const Nvrtc& nvrtc, const Job& job, Texts& texts_of_job) {
  const auto source = texts_of_job.main_file();
  std::vector<const char*> texts;
  std::vector<const char*> names;
  for (const auto& shim : shims()) {
    texts.push_back(shim.text);
    names.push_back(shim.name);
  }
  for (const auto* name : host_headers()) {
    texts.push_back("#pragma once\n");
    names.push_back(name);
  }
  texts.push_back(kTraitsText);
  names.push_back(kTraitsHeader.data());
  texts.push_back(texts_of_job.macros_header.c_str());
  names.push_back(kMacrosHeader);
  NvrtcProgram program = nullptr;
  WARPGRADE_NVRTC(nvrtc, CreateProgram, &program, source.c_str(), job.name.c_str(),
                  static_cast<int>(texts.size()), texts.data(), names.data());
  for (const auto& expression : job.expressions) {
    WARPGRADE_NVRTC(nvrtc, AddNameExpression, program, expression.c_str());
  }
  return program;
}

NvrtcResult compile_program(const Nvrtc& nvrtc, NvrtcProgram program,
                            const std::vector<std::string>& words) {
  std::vector<const char*> pointers;
  for (const auto& word : words) pointers.push_back(word.c_str());
  return nvrtc.CompileProgram(program, static_cast<int>(pointers.size()), pointers.data());
}

// The answer to one run of the compiler, on the text without the host code that is known by now.
Answer compile_once(const Nvrtc& nvrtc, const Job& job, const Dialect& dialect, Texts& texts) {
  Answer answer;
  auto program = create(nvrtc, job, texts);
  const auto result = compile_program(nvrtc, program, options(job, texts.host, dialect));
  if (result != kNvrtcOutOfMemory) {
    answer.log = fetch_text(nvrtc, program, nvrtc.GetProgramLogSize, nvrtc.GetProgramLog,
                            "nvrtcGetProgramLog");
    answer.log.resize(std::min(answer.log.size(), kMaxLogBytes));
    answer.log = texts.restored(std::move(answer.log));
  }
  if (result == kNvrtcCompilation) {
    answer.outcome = CompileStatus::kRejected;
    if (std::size_t size = 0; nvrtc.GetPTXSize(program, &size) == kNvrtcSuccess && size > 1) {
      const auto ptx = fetch_text(nvrtc, program, nvrtc.GetPTXSize, nvrtc.GetPTX, "nvrtcGetPTX");
      if (auto errors = assembler_entries(answer.log, ptx, job.name); !errors.empty()) {
        answer.log = std::move(errors);
      }
    }
    WARPGRADE_NVRTC(nvrtc, DestroyProgram, &program);
    return answer;
  }
  check_nvrtc(nvrtc, result, "nvrtcCompileProgram");
  answer.ptx = fetch_text(nvrtc, program, nvrtc.GetPTXSize, nvrtc.GetPTX, "nvrtcGetPTX");
  answer.machine_code = fetch(nvrtc, program, nvrtc.GetCUBINSize, nvrtc.GetCUBIN, "nvrtcGetCUBIN");
  for (const auto& expression : job.expressions) {
    const char* name = nullptr;
    WARPGRADE_NVRTC(nvrtc, GetLoweredName, program, expression.c_str(), &name);
    answer.lowered.emplace_back(name);
  }
  answer.outcome = CompileStatus::kCompiled;
  return answer;
}

// Whether an error in `log` names the prelude. Warnings of marked functions name it, too.
bool blames_prelude(std::string_view log) {
  while (!log.empty()) {
    const auto line = log.substr(0, log.find('\n'));
    log.remove_prefix(std::min(line.size() + 1, log.size()));
    const bool is_remark = line.find(": note #") != std::string_view::npos ||
                           line.find(": warning #") != std::string_view::npos;
    if (!is_remark && line.find(kPreludeName) != std::string_view::npos) return true;
  }
  return false;
}

// The dialect that the errors in `log` suggest; the same one if they suggest no other.
Dialect next_dialect(const Dialect& dialect, std::string_view log, HostCode& host) {
  auto out = dialect;
  out.has_standard_traits |= log.find("namespace \"std\" has no member") != std::string_view::npos;
  out.has_designators |= host.has_designator(log);
  out.has_constexpr_constants |=
      log.find("dynamic initialization is not") != std::string_view::npos;
  return out;
}

// PTX without optimization in which each function is kept; nothing if it does not compile.
std::optional<std::string> debug_ptx(const Nvrtc& nvrtc, const Job& job, const Dialect& dialect,
                                     Texts& texts) {
  std::optional<std::string> out;
  auto program = create(nvrtc, job, texts);
  auto words = options(job, texts.host, dialect);
  words[0] = "-arch=compute_" + job.architecture.substr(job.architecture.find('_') + 1);
  words.emplace_back("-G");
  words.emplace_back("--relocatable-device-code=true");
  if (compile_program(nvrtc, program, words) == kNvrtcSuccess) {
    out = fetch_text(nvrtc, program, nvrtc.GetPTXSize, nvrtc.GetPTX, "nvrtcGetPTX");
  }
  WARPGRADE_NVRTC(nvrtc, DestroyProgram, &program);
  return out;
}

// Errors that nvcc reports and NVRTC does not, in the form of NVRTC's log. Uses of a host's
// constant that may be more than its value need a second compilation, for PTX without optimization.
std::string refusal_of_nvcc(const Nvrtc& nvrtc, const Job& job, const Dialect& dialect,
                            Texts& texts) {
  const auto source = texts.host.source();
  auto log = kernel_called_as_function(source, job.name);
  if (log.empty()) log = kernel_called_by_host(job.source, job.name);
  log += inline_device_variable(source, job.name);
  log += device_function_called_by_both(source, job.name);
  log += extended_lambda(job.source, job.name);
  auto sources = texts.host.sources();
  for (auto& file : sources) file.text = texts.names.replace(std::move(file.text));
  auto constants = host_constants(sources, ConstantKind::kAll);
  if (constants.empty()) return log;
  log += references_to_host_constants(constants, sources);
  if (uses_only_values(constants, sources)) return log;
  texts.has_constexpr_constants = true;
  auto ptx = debug_ptx(nvrtc, job, dialect, texts);
  if (!ptx) {
    constants = host_constants(sources, ConstantKind::kArrayOrConstexpr);
    texts.has_constexpr_constants = false;
    if (!constants.empty()) ptx = debug_ptx(nvrtc, job, dialect, texts);
  }
  if (ptx) log += texts.names.restore(uses_of_host_constants(*ptx, constants, sources));
  return log;
}

// Compiles until nothing more can be left out and no other dialect helps. Host code is removed
// first, because its errors name things that device code does not need. Functions of both host and
// device that call the host are removed last. If device code needs one, the host's function becomes
// a trap; if that does not help, the error at the call is the answer.
Answer compile_job(const Nvrtc& nvrtc, const Job& job, Texts& texts) {
  auto& host = texts.host;
  Dialect dialect;
  std::optional<Answer> with_callers;  // before functions that call the host were left out
  while (true) {
    texts.has_constexpr_constants = dialect.has_constexpr_constants;
    auto answer = compile_once(nvrtc, job, dialect, texts);
    answer.left_out = host.left_out();
    if (auto source = host.source(); source != job.source) answer.source = std::move(source);
    auto calls = calls_of_host_constexpr(answer.log, job.name, host.source());
    answer.log = std::move(calls.rest_of_log);
    if (answer.outcome == CompileStatus::kCompiled) {
      auto log = refusal_of_nvcc(nvrtc, job, dialect, texts);
      if (log.empty()) log = std::move(calls.errors);
      answer.log += host.ignored_attributes() + host.calls_of_host() + calls.warnings;
      if (!log.empty()) {
        answer.outcome = CompileStatus::kRejected;
        answer.log = std::move(log);
      }
      return answer;
    }
    if (answer.outcome != CompileStatus::kRejected) return answer;
    if (dialect.has_prelude && blames_prelude(answer.log)) {
      dialect.has_prelude = false;
      continue;
    }
    if (host.ignore_attributes(answer.log) || host.leave_out(answer.log)) continue;
    const auto next = next_dialect(dialect, answer.log, host);
    if (next == dialect) {
      const bool goes_on = host.leave_out_callers_of_host(answer.log) ||
                           (with_callers && host.keep_callers_of_host(answer.log));
      if (!goes_on) return with_callers ? *with_callers : answer;
      if (!with_callers) with_callers = std::move(answer);
    }
    dialect = next;
  }
}

Answer serve(const Job& job, int answers, KnownAnswers* known) {
  Answer answer;
  try {
    if (known != nullptr) {
      if (auto found = known->find(job)) return *std::move(found);
    }
    const auto nvrtc = load_nvrtc(job.library);
    limit_time(job.cpu_seconds, answers);
    limit(RLIMIT_AS, job.memory_bytes, job.memory_bytes);
    Texts texts(job);
    turn_on_include_guard(
        reach_of(job),
        [&](const std::string& path, std::string text) {
          return texts.header(path, std::move(text));
        },
        known == nullptr ? LookupObserver() : known->observer());
    return compile_job(nvrtc, job, texts);
  } catch (const NvrtcError& error) {
    answer.outcome =
        error.code == kNvrtcOutOfMemory ? CompileStatus::kExhausted : CompileStatus::kToolError;
    answer.failure = error.what();
    if (answer.outcome == CompileStatus::kToolError) answer.failure += answer.log;
  } catch (const std::bad_alloc&) {
    answer.outcome = CompileStatus::kExhausted;
  }
  return answer;
}

}  // namespace

IncludeReach reach_of(const Job& job) {
  return {job.toolkit_folders, job.root, job.include_folders};
}

int answer_one_job(KnownAnswers* known) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  limit(RLIMIT_CORE, 0, 0);
  limit(RLIMIT_FSIZE, kMaxFileBytes, kMaxFileBytes);
  ::signal(SIGXFSZ, SIG_IGN);
  // NVRTC prepends the working folder to a relative name, so use "/": "/copy.cu" is recognisable.
  if (::chdir("/") != 0) return 2;
  // Standard output is reserved for the answer; output of NVRTC is redirected.
  const int answers = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  const auto job = base::decode<Job>(read_all(STDIN_FILENO));
  if (answers < 0 || !job) return 2;
  const auto answer = serve(*job, answers, known);
  ::signal(SIGXCPU, SIG_IGN);  // the answer is complete
  write_all(answers, base::encode(answer));
  if (known != nullptr) {
    turn_off_include_guard();
    known->keep(*job, answer);
  }
  return 0;
}

}  // namespace warpgrade::compile
