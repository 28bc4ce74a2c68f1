// SPDX-License-Identifier: Apache-2.0
// The core of each worker of this machine.
//
// If every core has a worker, a judge with a second thread, or a second compiler, only displaces
// another judge, and pays for the change. Therefore such a worker keeps one core, and its judge
// starts one thread.
#pragma once

#include <sched.h>

#include <cstddef>
#include <optional>

namespace warpgrade::grader::class_book {

/// The core of the worker in place `place` of `workers`, counted from 0, among the `allowed` cores;
/// nullopt if there are fewer workers than cores, which then share the cores.
std::optional<int> core_of_worker(const cpu_set_t& allowed, std::size_t place, std::size_t workers);

/// Restricts this process and its children to the core of its place.
void keep_to_core(std::size_t place, std::size_t workers);

}  // namespace warpgrade::grader::class_book
