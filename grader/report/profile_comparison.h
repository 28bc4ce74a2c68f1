// SPDX-License-Identifier: Apache-2.0
// Profiles side by side: one kernel on several cards, or two versions of a kernel on one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/memory/metrics.h"
#include "grader/report/profile_report.h"
#include "grader/report/profile_roofline.h"
#include "grader/text/messages.h"

namespace warpgrade::grader::report {

// One kernel on several cards.

struct CardProfile {
  std::string device;
  double dram_bytes_per_second = 0;     ///< The peak of the card.
  std::optional<ProfileReport> report;  ///< nullopt: the card cannot make the launch.
  std::string refusal;                  ///< Why not.
};

/// A table for people: heads, then a row per card.
using Rows = std::vector<std::vector<std::string>>;

/// Time with its band, bound, the fraction of DRAM's peak, SM throughput, and occupancy.
Rows card_rows(const std::vector<CardProfile>& cards);

/// The heading, faults of each card, and the table.
std::string render_text(const std::vector<CardProfile>& cards, const text::Style& style);

// Two versions of a kernel.

/// The facts of a profile that are compared; a profile of an earlier call is read from its JSON.
struct ComparedProfile {
  struct Line {
    std::uint64_t number = 0;
    std::string operation;  ///< "global load".
    std::string text;       ///< The source line; empty if it is in an included file.
    std::uint64_t requests = 0;
    double per_request = 0;  ///< Sectors, or wavefronts of shared memory.

    friend bool operator==(const Line&, const Line&) = default;
  };

  std::string kernel;
  std::string device;
  std::string file;  ///< The kernel's, or the JSON file.
  double seconds = 0;
  std::string bound_by;
  std::string limited_by;
  std::uint64_t warps_per_sm = 0;
  std::uint64_t registers_per_thread = 0;
  std::uint64_t shared_bytes = 0;  ///< Static and dynamic.
  memory::Metrics metrics;
  std::optional<ProfileRoofline> roofline;
  std::vector<Line> lines;
};

ComparedProfile compared(const ProfileReport& report);

/// Reads what `profile --json` wrote to `file`. Throws base::UsageError if `json` is something
/// else.
ComparedProfile read_profile(const std::string& json, const std::string& file);

/// Indices of lines that belong together: equal text and operation, or else the same operation
/// between the same neighbours. A line without a partner is alone.
std::vector<std::pair<std::optional<std::size_t>, std::optional<std::size_t>>> matched_lines(
    const std::vector<ComparedProfile::Line>& a, const std::vector<ComparedProfile::Line>& b);

/// Time, bound, occupancy and resources, then the metrics that differ, largest ratio first.
Rows compared_rows(const ComparedProfile& a, const ComparedProfile& b);

/// The lines that touch memory, matched.
Rows compared_lines(const ComparedProfile& a, const ComparedProfile& b);

std::string render_text(const ComparedProfile& a, const ComparedProfile& b,
                        const text::Style& style);

}  // namespace warpgrade::grader::report
