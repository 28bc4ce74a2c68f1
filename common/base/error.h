// SPDX-License-Identifier: Apache-2.0
// Our own failures and the user's errors, as exceptions that only main catches.
#pragma once

#include <stdexcept>

namespace warpgrade::base {

/// The command line, a parameter or a manifest is wrong: exit code 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The tool itself cannot do its work (no compiler, no device, a full disk): exit code 3.
class ToolError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace warpgrade::base
