// SPDX-License-Identifier: Apache-2.0
// What the library and its compiler process say to each other: one Job in, one Answer back.
//
// Both sides are built from the same tree, so the form is the plainest that carries binary text:
// every number is 8 bytes in the machine's order, every string its length and then its bytes,
// every list its length and then its strings. A cut-off answer (the process died while it wrote)
// is found by its length and decodes to nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade::compile {

struct Job {
  std::string library;                       ///< Path of libnvrtc.
  std::vector<std::string> toolkit_folders;  ///< Where #include <...> looks.
  std::string folder;                        ///< Where #include "..." looks; may be empty.
  std::string name;                          ///< __FILE__, and the name in the compiler's log.
  std::string source;                        ///< The text to compile.
  std::string architecture;                  ///< "sm_90".
  std::vector<std::string> expressions;      ///< Name expressions whose lowered names are wanted.
  std::uint64_t cpu_seconds = 0;             ///< Limit on processor time.
  std::uint64_t memory_bytes = 0;            ///< Limit on address space.
};

enum class CompileStatus : std::uint64_t {
  kCompiled,   ///< ptx, machine_code and lowered are filled.
  kRejected,   ///< The source does not compile: log says why.
  kExhausted,  ///< The compiler reported that memory ran out.
  kToolError,  ///< NVRTC cannot be loaded or a call failed: failure names call and error.
};

struct Answer {
  CompileStatus outcome = CompileStatus::kToolError;
  std::string failure;
  std::string log;
  std::string ptx;
  std::string machine_code;
  std::vector<std::string> lowered;  ///< In the order of Job::expressions.
};

std::string encode(const Job& job);
std::string encode(const Answer& answer);
std::optional<Job> decode_job(std::string_view bytes);
std::optional<Answer> decode_answer(std::string_view bytes);

}  // namespace warpgrade::compile
