// SPDX-License-Identifier: Apache-2.0
// `warpgrade init FOLDER`: makes a folder to work in, for users with an installed program. It
// contains the labs, their chapters with figures and book, and the students' README, but no lab
// whose manifest has a mistake. An installed course has the figures and the book, so they are
// copied. The folder is written under another name and then renamed, so it is never incomplete.
#include <fmt/format.h>
#include <unistd.h>

#include <system_error>

#include "common/base/error.h"
#include "common/base/text.h"
#include "grader/author/pack.h"
#include "grader/cli/commands/chapters.h"
#include "grader/cli/commands/commands.h"
#include "grader/text/program_call.h"

namespace warpgrade::grader::cli {
namespace {

namespace fs = std::filesystem;

// Removes an unfinished folder, unless it has been renamed.
struct UnfinishedFolder {
  explicit UnfinishedFolder(fs::path folder) : path(std::move(folder)) {}
  UnfinishedFolder(const UnfinishedFolder&) = delete;
  UnfinishedFolder& operator=(const UnfinishedFolder&) = delete;
  ~UnfinishedFolder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  fs::path path;
};

}  // namespace

int run_init(const InitOptions& options) {
  std::vector<std::string> mistakes;
  const auto course = course::read_usable_labs(course::find_root(), mistakes);
  auto folder = fs::absolute(options.folder).lexically_normal();
  if (!folder.has_filename()) folder = folder.parent_path();
  const auto shown = base::escape_controls(folder.string());
  std::error_code failure;
  if (fs::exists(fs::symlink_status(folder, failure))) {
    throw base::UsageError(shown + " is there already; name a new folder");
  }
  const UnfinishedFolder unfinished(folder.string() + fmt::format(".unfinished-{}", getpid()));
  const auto packed = author::write_course_folder(course, unfinished.path);
  complete_chapters(course, unfinished.path, options.figures, WithoutFigures::kWarns);
  fs::rename(unfinished.path, folder, failure);
  if (failure) {
    throw base::ToolError(fmt::format("{}: cannot be written: {}", shown, failure.message()));
  }
  // The new folder has no wrapper, and a relative path to one would be wrong from there.
  auto call = text::program_call();
  if (call.find('/') != std::string::npos) call = fs::absolute(call).lexically_normal().string();
  print(fmt::format("{}: {} labs, {} files\nnext: cd {}, then {} list\n", shown, course.labs.size(),
                    packed.files, shown, call));
  course::expect_no_mistakes(mistakes);
  return 0;
}

}  // namespace warpgrade::grader::cli
