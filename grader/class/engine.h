// SPDX-License-Identifier: Apache-2.0
// Where the workers of a class run.
#pragma once

#include <string>
#include <vector>

namespace warpgrade::grader {

class Engine {
 public:
  virtual ~Engine() = default;
  /// Starts workers, where there are fewer than there should be, for tasks that wait. Throws
  /// base::ToolError where none can be started, or they end at once again and again.
  virtual void keep_working() = 0;
  /// Workers that have ended since the last call, by name.
  virtual std::vector<std::string> ended() = 0;
  /// Whether any worker runs, or waits to.
  virtual bool is_busy() const = 0;
  virtual std::string name() const = 0;
};

}  // namespace warpgrade::grader
