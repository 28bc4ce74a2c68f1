// SPDX-License-Identifier: Apache-2.0
// A study as data: kernels to run over sizes, strides or factors, and published values of them.
//
// studies/transpose.toml is the example to copy from. Its keys; * marks required ones:
//
//   title*, summary*   the beginning of the report
//   devices*           profiles: "k40", or "k40 8-byte" for Kepler's other bank mode
//   [[part]]           one table per device; one panel of the figure each
//     id*, title*
//     axis*, axis_values*   the variable that is swept, and its values
//     axis_label*      for people, with the unit
//     scale            of the axis: "linear" (default) or "log2"
//     show*            "bandwidth", "fraction" (of `baseline`), "step" (speed-up on the kernel
//                      before), "seconds", "l1_clocks" (of a load that hits L1; of a launch of one
//                      block), or a metric's name
//     sampled          true: the time of a launch that is too large to execute all of it; such a
//                      part shows times and bandwidths, and results are not checked
//     show_label*      for people, with the unit
//     show_scale       "linear" (default) or "log2"
//     baseline         for "fraction": a kernel's id, or "copy", the grader's own baseline
//     columns          "kernels" (default), or "devices": then one table per kernel
//     devices          instead of the study's
//     variables        variables with constant values
//     bytes            that a kernel moves, for bandwidths: an expression
//     file*, grid*, block*, shared      the launch, as in a lab's grader.toml
//     parameters       "float* out, const float* in, int n", and shapes, fill, values, roles, same,
//                      types, structs as in a lab's grader.toml
//     [[part.kernel]]  id*, label*, kernel*; and what differs from the part: file, grid, block,
//                      shared, bytes, variables, or parameters with their tables; when: it runs if
//                      this is not 0
//     [[part.published]]  file*, value*: a table beside this file, and the column to compare with
//     [[part.best]]    file*: the axis value at which each kernel was published to be best
//     [[part.curve]]   label*, kernels*, when*: points to draw as a curve of their own
//     [part.rule]      address*, bytes*: of each `lane`'s shared load; compares the wavefronts by
//                      the rule of the device's banks with the shown value
//   [[part]] with `use`: id*, use* ("transpose.toml"): that study's part of this id; title,
//                      devices and axis_values are optional and replace its own
//   [[picture]]        a matrix by partitions, with the block of each tile
//     title*, device*, rows*, columns*, element_bytes*, tile*
//     tile_row*, tile_column*    of block `bx`, `by` in a grid of `gx` by `gy`
//   [[access]]         words of a memory, by the threads that touch them in a kernel
//     title*, device*, file*, kernel*, grid*, block*, shared, parameters
//     memory*          "shared", or the name of a parameter
//     operation        "load" (default) or "store"
//     rows*, columns*, element_bytes*   its first words as a matrix
//     labels*          text in a word's cell: some of "thread" (of its block), "block",
//                      "step" (number among its warp's accesses to this memory, from 1), "bank"
//     colour*          one of these: cells with an equal label have the same colour
//     framed           the number of an access: its words get a frame, and a line its cost
//
// A study has at least one part or access. Files are relative to the study's. Every mistake is a
// base::UsageError with file:line:column.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/course/kernel_launch.h"
#include "grader/study/published.h"
#include "grader/text/expressions.h"

namespace warpgrade::grader::study {

/// A profile to run on, perhaps with Kepler's 8-byte banks.
struct Device {
  std::string name;
  bool eight_byte_banks = false;

  std::string label() const { return eight_byte_banks ? name + " 8-byte" : name; }
  friend bool operator==(const Device&, const Device&) = default;
};

struct Kernel {
  std::string id;
  std::string label;
  std::string kernel;          ///< May contain {variable}.
  std::filesystem::path file;  ///< Absolute or relative to the working folder.
  std::string shown_file;
  course::Geometry launch;
  std::vector<course::Parameter> parameters;
  text::Variables variables;  ///< Override the part's variables of the same names.
  std::optional<text::Expression> bytes;
  std::optional<text::Expression> when;
};

enum class Quantity { kBandwidth, kFraction, kStep, kSeconds, kL1Clocks, kMetric };

struct Curve {
  std::string label;
  std::vector<std::string> kernels;
  text::Expression when;
};

/// Address and bytes of a lane's shared load, over `lane` and the point's variables.
struct BankRule {
  text::Expression address;
  text::Expression bytes;
};

struct Part {
  std::string id;
  std::string title;
  std::vector<Device> devices;
  bool own_devices = false;  ///< Given in the part: the study's do not apply.
  std::string axis;
  std::string axis_label;
  bool log2 = false;
  std::vector<double> values;
  text::Variables variables;
  Quantity quantity{};
  std::string metric;  ///< Quantity::kMetric only.
  bool sampled = false;
  std::string show_label;
  bool show_log2 = false;
  std::string baseline;  ///< Quantity::kFraction only.
  bool columns_are_devices = false;
  std::vector<Kernel> kernels;
  std::vector<PublishedTable> published;
  std::vector<PublishedTable> best;
  std::vector<Curve> curves;
  std::optional<BankRule> rule;

  /// The fixed variables and the axis at `value`.
  text::Variables variables_at(double value) const;
  /// The same with those of `kernel`.
  text::Variables variables_at(double value, const Kernel& kernel) const;
};

struct Picture {
  std::string title;
  std::string device;
  std::uint32_t rows = 0;
  std::uint32_t columns = 0;
  std::uint32_t element_bytes = 0;
  std::uint32_t tile = 0;
  text::Expression tile_row;
  text::Expression tile_column;
};

/// The fact about an access that a word's cell shows.
enum class AccessKey { kThread, kBlock, kStep, kBank };

struct AccessPicture {
  std::string title;
  Device device;
  Kernel kernel;
  std::string memory;  ///< Name of a parameter; empty: shared memory.
  bool of_stores = false;
  std::uint32_t rows = 0;
  std::uint32_t columns = 0;
  std::uint32_t element_bytes = 0;
  std::vector<AccessKey> labels;
  AccessKey colour{};
  std::optional<std::uint32_t> framed;  ///< An access, counted from 0 in the order of execution.
};

struct Study {
  std::string id;
  std::string title;
  std::string summary;
  std::vector<Part> parts;
  std::vector<Picture> pictures;
  std::vector<AccessPicture> accesses;
};

/// Grader's own baseline, as a part's `baseline`.
constexpr std::string_view kCopyBaseline = "copy";

}  // namespace warpgrade::grader::study
