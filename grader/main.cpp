// SPDX-License-Identifier: Apache-2.0
// The program: parse, run, and turn exceptions into exit codes. 2: wrong usage or a broken
// manifest; 3: the tool itself could not do its work.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <new>

#include "common/base/error.h"
#include "common/base/text.h"
#include "grader/command_line.h"

namespace {

int report(const char* what, int code) {
  fmt::print(stderr, "warpgrade: {}\n",
             warpgrade::base::escape_controls(what, /*keep_newlines=*/true));
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int kUsage = 2;
  constexpr int kTool = 3;
  try {
    return warpgrade::grader::run_command_line(argc, argv);
  } catch (const warpgrade::base::UsageError& error) {
    return report(error.what(), kUsage);
  } catch (const warpgrade::base::ToolError& error) {
    return report(error.what(), kTool);
  } catch (const std::bad_alloc&) {
    return report("out of memory", kTool);
  } catch (const std::exception& error) {
    return report(error.what(), kTool);
  }
}
