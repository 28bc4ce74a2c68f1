// SPDX-License-Identifier: Apache-2.0
// A study as data: kernels to run over sizes, strides or factors, and published values of them.
//
// In: CSV files of numbers that others measured, with their source. Out: tables that compare by
// profile, kernel and the study's variables. study.h lists the keys of a study.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/course/exercise.h"
#include "grader/text/numbers.h"

namespace warpgrade::grader::study {

// Published tables: numbers that others measured, with their source, as CSV files.
//
//   # Ruetsch, Micikevicius, Scudiero, "Optimizing Matrix Transpose in CUDA", 2010
//   device,kernel,n,GiB_per_s
//   gtx280,copy_scalar,2048,96.9
//
// Lines that begin with # come first: the source, shown with the table. The columns `device` and
// `kernel` name profile and kernel; a column of values is one of kUnits; `note` is for readers;
// every other column is a variable of the study that must agree. No quotes, no empty cells.

struct PublishedRow {
  std::string device;
  std::string kernel;
  text::Variables variables;
  double value = 0;  ///< Seconds, bytes per second, or a count: SI, without prefix.
  std::uint32_t line = 0;
};

struct PublishedTable {
  std::string shown;     ///< The file's name, for messages.
  std::string source;    ///< The head's lines, joined.
  bool is_time = false;  ///< Values are seconds: less is better.
  std::vector<PublishedRow> rows;

  /// The published value for this point, if any.
  std::optional<double> find(std::string_view device, std::string_view kernel,
                             const text::Variables& variables) const;
};

/// Reads column `value` of `file`; throws base::UsageError with file:line if it is malformed.
PublishedTable read_published(const std::filesystem::path& file, const std::string& shown,
                              const std::string& value);

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
