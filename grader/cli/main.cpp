// SPDX-License-Identifier: Apache-2.0
// The program: parse, run, and turn exceptions into exit codes. 2: wrong usage or a broken
// manifest; 3: the tool itself could not do its task.
#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <limits>
#include <new>
#include <string_view>

#include "common/base/error.h"
#include "common/base/text.h"
#include "common/compile/job.h"
#include "grader/cli/command_line.h"
#include "grader/cli/requests.h"
#include "grader/grade/grading_session.h"

namespace {

// The exit code also reports the error, in case standard error cannot be written.
int report(const char* what, int code) {
  const auto text = warpgrade::base::escape_controls(what, /*keep_newlines=*/true);
  std::fputs(("warpgrade: " + text + "\n").c_str(), stderr);
  return code;
}

// Opens /dev/null in the place of a closed standard stream, in the mode that makes its use fail.
// Otherwise the next opened file would get its number, and a report would go into it.
void hold_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // The lowest free number belongs to the closed stream, since those before it are open.
    if (fcntl(stream, F_GETFD) < 0) open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

// Each case allocates and frees buffers of many megabytes. Freed memory is kept, in one heap.
// Otherwise glibc would return it and the kernel would clear it again, which costs a third of a
// grade's time.
void keep_freed_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
  mallopt(M_ARENA_MAX, 1);
#endif
}

// Carries out one command line; an exception becomes an exit code.
int run_guarded(int argc, char** argv) {
  constexpr int kUsage = 2;
  constexpr int kTool = 3;
  try {
    warpgrade::compile::keep_own_answers_in(warpgrade::grader::grade::compiled_folder());
    return warpgrade::grader::cli::run_command_line(argc, argv);
  } catch (const warpgrade::base::UsageError& error) {
    return report(error.what(), kUsage);
  } catch (const warpgrade::base::ToolError& error) {
    return report(error.what(), kTool);
  } catch (const std::filesystem::filesystem_error& error) {
    return report((error.path1().string() + ": " + error.code().message()).c_str(), kTool);
  } catch (const std::bad_alloc&) {
    return report("out of memory", kTool);
  } catch (const std::exception& error) {
    return report(error.what(), kTool);
  }
}

}  // namespace

int main(int argc, char** argv) {
  hold_standard_streams();
  keep_freed_memory();
  // A reader of the report that closes early must not end the program before it writes its files.
  std::signal(SIGPIPE, SIG_IGN);
  namespace cli = warpgrade::grader::cli;
  if (argc == 2 && std::string_view(argv[1]) == cli::kRequestsCommand) {
    return cli::answer_requests(run_guarded);
  }
  return run_guarded(argc, argv);
}
