// SPDX-License-Identifier: Apache-2.0
// The place where the workers of a class run.
#pragma once

#include <string>
#include <vector>

namespace warpgrade::grader::class_book {

class Engine {
 public:
  virtual ~Engine() = default;
  /// Starts workers that wait for the first task, if starting them takes long.
  virtual void prepare() {}
  /// Starts missing workers while tasks wait. Throws base::ToolError if none can start, or if they
  /// keep ending at once.
  virtual void keep_working() = 0;
  /// Workers that have ended since the last call, by name.
  virtual std::vector<std::string> ended() = 0;
  /// Whether any worker runs, or waits to.
  virtual bool is_busy() const = 0;
};

}  // namespace warpgrade::grader::class_book
