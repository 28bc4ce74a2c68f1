// SPDX-License-Identifier: Apache-2.0
// A process that carries out many command lines, one after the other, for a program that would
// otherwise start it for each. It keeps compiled programs (`profile --same-program KEY`).
#pragma once

#include <functional>

namespace warpgrade::grader::cli {

/// The command that starts it; for the Python package.
inline constexpr const char* kRequestsCommand = "requests";

/// Answers requests on standard input until it ends; returns the exit code, 0.
///
/// A request is a line with a number of words, and the words, each ended by a null byte. The first
/// word is the folder to work in, and the others are the command line behind the program's name.
/// `run` gets them as main() does. Its output goes to the files `stdout` and `stderr` of the
/// folder, and the answer is a line with its exit code on standard output.
int answer_requests(const std::function<int(int argc, char** argv)>& run);

}  // namespace warpgrade::grader::cli
