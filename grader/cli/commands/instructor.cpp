// SPDX-License-Identifier: Apache-2.0
// The commands of instructors, as far as a program contains them.
//
// The build sets WARPGRADE_CONTENTS. `./warpgrade` builds the whole program for these commands, so
// the message of the students' program appears only if a user starts that program directly.

#include <type_traits>
#include <variant>

#include "common/base/error.h"
#include "grader/cli/commands/commands.h"

namespace warpgrade::grader::cli {
namespace {

enum class Contents { kStudentsCommands, kAllButClass, kAll };

}  // namespace

int run_if_contained(const InstructorOptions& options) {
  return std::visit(
      []<typename Options>(const Options& one) -> int {
        constexpr auto kContents = Contents::WARPGRADE_CONTENTS;
        if constexpr (kContents == Contents::kStudentsCommands) {
          throw base::ToolError(
              "this program contains only the commands of students: run ./warpgrade");
        } else if constexpr (kContents == Contents::kAllButClass &&
                             std::is_base_of_v<ClassOptions, Options>) {
          throw base::ToolError(
              "this build grades no classes: install libsqlite3-dev, libsqlitecpp-dev, "
              "libarchive-dev, libpcre2-dev, libseccomp-dev and libutf8proc-dev, remove the build "
              "folder, "
              "and run ./warpgrade again");
        } else {
          return run_command(one);
        }
      },
      options);
}

}  // namespace warpgrade::grader::cli
