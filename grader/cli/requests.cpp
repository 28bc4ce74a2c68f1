// SPDX-License-Identifier: Apache-2.0
// Carries out command lines that arrive on standard input; requests.h describes their form.
#include "grader/cli/requests.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

#include "common/base/error.h"
#include "grader/text/numbers.h"

namespace warpgrade::grader::cli {
namespace {

// Lets the standard stream `stream` write to `path` from now on.
void send_to(const char* path, int stream) {
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0 || dup2(file, stream) < 0) {
    throw base::ToolError(fmt::format("{} cannot be written: {}", path, std::strerror(errno)));
  }
  close(file);
}

// The next request; empty at the end of the input.
std::vector<std::string> read_request() {
  std::string line;
  if (!std::getline(std::cin, line)) return {};
  const auto count = text::parse_count(line);
  if (!count) throw base::ToolError("a request does not begin with the number of its words");
  std::vector<std::string> out(*count);
  for (auto& word : out) {
    if (!std::getline(std::cin, word, '\0')) return {};
  }
  return out;
}

// Gives the memory of large buffers back, which main() keeps for the next case of a grade.
void return_memory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

}  // namespace

int answer_requests(const std::function<int(int argc, char** argv)>& run) {
  const int answers = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  for (auto words = read_request(); words.size() > 1; words = read_request()) {
    if (chdir(words[0].c_str()) != 0) {
      throw base::ToolError(fmt::format("{}: {}", words[0], std::strerror(errno)));
    }
    send_to("stdout", STDOUT_FILENO);
    send_to("stderr", STDERR_FILENO);
    std::string program = "warpgrade";
    std::vector<char*> arguments = {program.data()};
    for (std::size_t i = 1; i < words.size(); ++i) arguments.push_back(words[i].data());
    arguments.push_back(nullptr);
    const int code = run(static_cast<int>(arguments.size()) - 1, arguments.data());
    std::fflush(nullptr);
    std::cout.flush();
    return_memory();
    const auto answer = fmt::format("{}\n", code);
    if (write(answers, answer.data(), answer.size()) < 0) break;
  }
  return 0;
}

}  // namespace warpgrade::grader::cli
