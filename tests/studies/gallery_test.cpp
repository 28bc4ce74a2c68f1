// SPDX-License-Identifier: Apache-2.0
// Runs the kernels of the shipped studies of banks, transposes and reductions on small sizes, with
// all checks on. Expects no finding and the right result, computed here. Kernels of studies that
// are sampled, without checks, must have no finding either. Also compares wavefronts by stride with
// the rules of each generation, written here a second time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <map>
#include <numeric>
#include <set>
#include <thread>

#include "common/base/finding_text.h"
#include "common/compile/compiler.h"
#include "grader/cases/sized_case.h"
#include "grader/course/course.h"
#include "grader/study/run_study.h"
#include "grader/study/study_reader.h"

namespace warpgrade::grader::gallery_test {

study::Study shipped(const std::string& name) {
  return study::read_study(study::find_study(course::find_root(), name),
                           "studies/" + name + ".toml");
}

// Reading a study evaluates it at every value of its axis.
TEST(Studies, OfTheCourseCanAllBeRead) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(course::find_root() / "studies")) {
    if (entry.path().extension() != ".toml") continue;
    EXPECT_NO_THROW(shipped(entry.path().stem().string())) << entry.path();
    ++count;
  }
  EXPECT_GE(count, 15U);
}

// The task of a kernel on an n x n matrix or a vector, by the kernel's id.
enum class Task { kCopy, kTranspose, kFine, kCoarse, kSums, kTotal };

Task task_of(const std::string& id) {
  static const std::map<std::string, Task> kTasks = {{"coalesced", Task::kTranspose},
                                                     {"copy_scalar", Task::kCopy},
                                                     {"copy_shared", Task::kCopy},
                                                     {"copy_vec4", Task::kCopy},
                                                     {"diagonal", Task::kTranspose},
                                                     {"diagonal_any", Task::kTranspose},
                                                     {"diagonal_multiples", Task::kTranspose},
                                                     {"diagonal_unrolled", Task::kTranspose},
                                                     {"hybrid", Task::kTranspose},
                                                     {"load", Task::kCopy},
                                                     {"naive_blocks", Task::kTranspose},
                                                     {"naive_threads", Task::kTranspose},
                                                     {"padded_blocks", Task::kTranspose},
                                                     {"reduce1", Task::kSums},
                                                     {"reduce2", Task::kSums},
                                                     {"reduce3", Task::kSums},
                                                     {"reduce4", Task::kSums},
                                                     {"reduce5", Task::kSums},
                                                     {"reduce6", Task::kSums},
                                                     {"reduce7", Task::kTotal},
                                                     {"transpose_coarse", Task::kCoarse},
                                                     {"transpose_conflict", Task::kTranspose},
                                                     {"transpose_diagonal", Task::kTranspose},
                                                     {"transpose_fine", Task::kFine},
                                                     {"transpose_naive_read", Task::kTranspose},
                                                     {"transpose_naive_write", Task::kTranspose},
                                                     {"transpose_padded", Task::kTranspose}};
  return kTasks.at(id);  // throws for a kernel without a task
}

template <typename Value>
std::vector<double> values(const run::Buffer& buffer) {
  std::vector<Value> typed(buffer.bytes.size() / sizeof(Value));
  std::memcpy(typed.data(), buffer.bytes.data(), typed.size() * sizeof(Value));
  return {typed.begin(), typed.end()};
}

std::vector<double> numbers(const run::Buffer& buffer, verify::ElementType type) {
  switch (type) {
    case verify::ElementType::kF32:
      return values<float>(buffer);
    case verify::ElementType::kF64:
      return values<double>(buffer);
    default:
      return values<std::int32_t>(buffer);
  }
}

// The output index of the input's element at (row, column), for an n x n matrix.
std::size_t target(Task task, std::size_t row, std::size_t column, std::size_t n) {
  const auto tile = [](std::size_t at) { return at / 32 * 32; };
  if (task == Task::kTranspose) return column * n + row;
  if (task == Task::kFine) return (tile(row) + column % 32) * n + tile(column) + row % 32;
  if (task == Task::kCoarse) return (tile(column) + row % 32) * n + tile(row) + column % 32;
  return row * n + column;
}

void expect_result(Task task, const std::vector<double>& out, const std::vector<double>& in) {
  if (task == Task::kTotal) {
    EXPECT_EQ(std::accumulate(in.begin(), in.end(), 0.0),
              std::accumulate(out.begin(), out.end(), 0.0));
    return;
  }
  if (task == Task::kSums) {
    ASSERT_EQ(0u, in.size() % out.size());
    const auto piece = in.size() / out.size();
    for (std::size_t b = 0; b < out.size(); ++b) {
      const auto* first = in.data() + b * piece;
      ASSERT_EQ(std::accumulate(first, first + piece, 0.0), out[b]) << "partial sum " << b;
    }
    return;
  }
  ASSERT_EQ(in.size(), out.size());
  auto n = static_cast<std::size_t>(std::sqrt(static_cast<double>(in.size())));
  if (task == Task::kCopy) n = in.size();
  for (std::size_t i = 0; i < in.size(); ++i) {
    const auto at = task == Task::kCopy ? i : target(task, i / n, i % n, n);
    ASSERT_EQ(in[i], out[at]) << "element " << i << " of the input";
  }
}

text::Variables with_own(const study::Kernel& kernel, text::Variables variables) {
  for (const auto& [name, value] : kernel.variables) variables[name] = value;
  // 64 blocks at every size.
  if (kernel.variables.contains("piece") && kernel.id == "reduce7") {
    variables["piece"] = variables.at("n") / 64;
  }
  return variables;
}

// Compiles each file of a part once and runs a kernel at a point, with all checks on.
class Gallery : public testing::Test {
 protected:
  // The file of `kernel` with all instances that the part needs at `points`.
  compile::CompileRequest request(const study::Part& part, const study::Kernel& kernel,
                                  const std::vector<text::Variables>& points) {
    auto out = std::get<compile::CompileRequest>(compile::read_source(kernel.file));
    out.architecture = benches_(part.devices.front()).profile().architecture;
    std::set<std::string> names;
    for (const auto& other : part.kernels) {
      if (other.file != kernel.file || other.kernel.find('<') == std::string::npos) continue;
      for (const auto& variables : points) {
        names.insert(course::kernel_name(other.kernel, with_own(other, variables)));
      }
    }
    out.instantiations.assign(names.begin(), names.end());
    return out;
  }

  void run(const study::Part& part, const study::Kernel& kernel,
           const std::vector<text::Variables>& points, const text::Variables& of_part) {
    const auto variables = with_own(kernel, of_part);
    SCOPED_TRACE(part.id + ", " + kernel.id + " on " + part.devices.front().label());
    const auto& compiled = compilations_.get(request(part, kernel, points));
    ASSERT_TRUE(std::holds_alternative<compile::Program>(compiled))
        << base::text(std::get<std::vector<base::Diagnostic>>(compiled).front());
    const auto& program = std::get<compile::Program>(compiled);
    const auto name = course::kernel_name(kernel.kernel, variables);
    const auto& found = *std::get<const compile::Kernel*>(compile::find_kernel(program, name));
    const auto launch = cases::make_launch(kernel.parameters, kernel.launch, found.name, variables);
    auto buffers = make_buffers(cases::size_buffers(kernel.parameters, variables),
                                cases::contents_seed(part.id, "", 1));
    auto& bench = benches_(part.devices.front());
    const auto measured = bench.measure(program, launch, buffers, {});
    ASSERT_TRUE(measured.result.diagnostics.empty())
        << base::render(measured.result.diagnostics.front(), program.source);
    const auto type = std::get<course::BufferParameter>(kernel.parameters.front()).type;
    expect_result(task_of(kernel.id), numbers(buffers[0], type), numbers(buffers[1], type));
  }

  study::Benches benches_;
  cases::Compilations compilations_{compile::compile, std::thread::hardware_concurrency()};
};

// Points of `part`, with smaller sizes if its own sizes matter only for times.
std::vector<text::Variables> small_points(const study::Part& part) {
  std::vector<text::Variables> out;
  if (part.axis == "n") {
    const bool any_size = part.id == "sizes";
    const bool sums = part.id.find("steps") == 0 || part.id.find("reductions") != std::string::npos;
    for (const double n : sums       ? std::vector<double>{65536}
                          : any_size ? std::vector<double>{17, 32, 96, 127, 128, 129, 255, 256}
                                     : std::vector<double>{64, 192}) {
      out.push_back(part.variables_at(n));
    }
    return out;
  }
  const std::set<double> strides = {1, 2, 17, 32};
  for (const auto value : part.values) {
    if (part.axis == "stride" && !strides.contains(value)) continue;
    auto variables = part.variables_at(value);
    // A coarsened matrix has at least one block of 16 tiles.
    if (variables.contains("n")) variables["n"] = part.id == "factors" ? 512 : 65536;
    out.push_back(variables);
  }
  return out;
}

TEST_F(Gallery, EveryKernelIsRightAndWithoutFindings) {
  std::size_t kernels = 0;
  for (const auto* name :
       {"banks", "calibration", "camping", "coarsened_transpose", "reductions", "transpose"}) {
    const auto study = shipped(name);
    for (const auto& part : study.parts) {
      if (std::string_view(name) == "calibration" && part.id != "h200_reductions") continue;
      const auto points = small_points(part);
      for (const auto& kernel : part.kernels) {
        ++kernels;
        for (const auto& variables : points) {
          if (kernel.id == "diagonal_multiples" && std::fmod(variables.at("n"), 32) != 0) continue;
          // A block cannot have 16 tiles of shared memory.
          if (kernel.id == "padded_blocks" && variables.at("factor") > 8) continue;
          run(part, kernel, points, variables);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
  EXPECT_GE(kernels, 50u);
}

// Studies that execute some blocks only, without checks; with sizes at which all blocks and checks
// are quick.
TEST_F(Gallery, SampledKernelsHaveNoFindings) {
  const std::map<std::string, text::Variables> small = {{"matmul", {{"m", 256}, {"n", 256}}},
                                                        {"scans", {{"n", 8192}}},
                                                        {"softmax_reads", {{"rows", 8}}},
                                                        {"sorts", {{"n", 8192}}},
                                                        {"tensor_tiles", {{"m", 256}, {"n", 256}}}};
  for (const auto& [name, sizes] : small) {
    SCOPED_TRACE(name);
    auto study = shipped(name);
    for (auto& part : study.parts) {
      EXPECT_TRUE(part.sampled) << "EveryKernelIsRightAndWithoutFindings could have it";
      part.sampled = false;
      for (const auto& [variable, value] : sizes) part.variables[variable] = value;
      if (sizes.contains(part.axis)) part.values = {sizes.at(part.axis)};
    }
    const auto result = study::run_study(
        study, {&compilations_,
                [&](const study::Device& device) -> measure::SimBench& { return benches_(device); },
                {}});
    EXPECT_THAT(result.diagnostics, testing::IsEmpty());
    for (const auto& part : result.parts) {
      for (const auto& run : part.runs) EXPECT_EQ(study::Run::State::kDone, run.state);
    }
  }
}

// Rectangles, which the studies do not run.
TEST_F(Gallery, AnySizeMeansRectanglesToo) {
  const auto study = shipped("camping");
  for (const auto& kernel : study.parts.front().kernels) {
    for (const auto& [width, height] : {std::pair{100, 64}, {31, 95}, {33, 32}}) {
      SCOPED_TRACE(kernel.id);
      auto& bench = benches_(study.parts.front().devices.front());
      const auto& program =
          std::get<compile::Program>(compilations_.get(request(study.parts.front(), kernel, {})));
      const auto& found =
          *std::get<const compile::Kernel*>(compile::find_kernel(program, kernel.kernel));
      auto launch = cases::make_launch(kernel.parameters, kernel.launch, found.name, {{"n", 32}});
      const auto tiles = [](int extent) { return static_cast<std::uint32_t>(extent + 31) / 32; };
      launch.grid = {tiles(width), tiles(height), 1};
      const auto put = [&](std::size_t index, std::uint32_t value) {
        run::ValueArgument bytes(sizeof(value));
        std::memcpy(bytes.data(), &value, sizeof(value));
        launch.arguments[index] = bytes;
      };
      const auto reciprocal = [](std::uint32_t extent) {
        return extent == 1 ? 0 : static_cast<std::uint32_t>((0x100000000U + extent - 1) / extent);
      };
      put(2, static_cast<std::uint32_t>(width));
      put(3, static_cast<std::uint32_t>(height));
      put(4, reciprocal(launch.grid.x));
      put(5, reciprocal(launch.grid.y));
      auto buffers = make_buffers(cases::size_buffers(kernel.parameters, {{"n", 128}}),
                                  cases::contents_seed("any", "", 1));
      const auto bytes = static_cast<std::size_t>(width * height) * sizeof(double);
      for (auto& buffer : buffers) buffer.bytes.resize(bytes);
      const auto measured = bench.measure(program, launch, buffers, {});
      ASSERT_TRUE(measured.result.diagnostics.empty())
          << base::render(measured.result.diagnostics.front(), program.source);
      const auto out = values<double>(buffers[0]);
      const auto in = values<double>(buffers[1]);
      for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
          const auto from = static_cast<std::size_t>(y * width + x);
          ASSERT_EQ(in[from], out[static_cast<std::size_t>(x * height + y)]) << x << ", " << y;
        }
      }
    }
  }
}

// The rules of ../common/memory/shared_banks.h again, literally. `group` lanes at a time request
// words of `bank_bytes` in `banks` banks. A key names the words that a bank delivers together:
// words with one key count once.
template <typename Key>
double wavefronts(std::uint32_t group, std::uint32_t banks, std::uint32_t bank_bytes,
                  std::uint32_t word, std::uint32_t stride, Key key) {
  double sum = 0;
  for (std::uint32_t first = 0; first < 32; first += group) {
    std::map<std::uint64_t, std::set<std::uint64_t>> in_bank;
    for (std::uint32_t lane = first; lane < first + group; ++lane) {
      for (std::uint32_t byte = 0; byte < word; byte += bank_bytes) {
        const std::uint64_t address = std::uint64_t{lane} * stride * word + byte;
        in_bank[address / bank_bytes % banks].insert(key(address));
      }
    }
    std::size_t most = 0;
    for (const auto& [bank, keys] : in_bank) most = std::max(most, keys.size());
    sum += static_cast<double>(most);
  }
  return sum;
}

double expected_wavefronts(const std::string& device, std::uint32_t word, std::uint32_t stride) {
  const auto word4 = [](std::uint64_t address) { return address / 4; };
  if (device == "k40") {
    return wavefronts(32, 32, 4, word, stride, [](std::uint64_t address) { return address / 256; });
  }
  if (device == "k40 8-byte") {
    return wavefronts(32, 32, 8, word, stride, [](std::uint64_t address) { return address / 8; });
  }
  if (device == "h200") return wavefronts(128 / word, 32, 4, word, stride, word4);
  // GT200: half-warps and 16 banks. Wide words become requests of 4 bytes each. A stride of s banks
  // puts gcd(s, 16) of 16 lanes into one bank.
  const auto requests = word / 4;
  return 2.0 * requests * std::gcd(stride * requests, 16U);
}

TEST(Banks, AreWhatTheRulesOfEachGenerationSay) {
  const auto study = shipped("banks");
  cases::Compilations compilations(compile::compile, std::thread::hardware_concurrency());
  study::Benches benches;
  const auto result = study::run_study(
      study, {&compilations,
              [&](const study::Device& device) -> measure::SimBench& { return benches(device); },
              {}});
  EXPECT_EQ(0, result.exit_code());
  std::size_t compared = 0;
  for (const auto& part : result.parts) {
    const auto word = static_cast<std::uint32_t>(part.part->variables.at("word"));
    for (const auto& point : part.points()) {
      const auto& device = part.part->devices[point.device].label();
      const auto stride = static_cast<std::uint32_t>(part.part->values[point.value]);
      if (part.at(point).state == study::Run::State::kDoesNotFit) {
        // 31 * 33 + 1 words of 16 bytes fill a GTX 280's 16 KB, but the launch itself needs some.
        EXPECT_EQ("gtx280", device);
        EXPECT_EQ(16u * 33, word * stride);
        continue;
      }
      EXPECT_EQ(expected_wavefronts(device, word, stride), part.shown(point))
          << device << ", words of " << word << " bytes, stride " << stride;
      EXPECT_EQ(part.at(point).rule, part.shown(point));
      if (const auto measured = part.published(point)) {
        EXPECT_EQ(measured, part.shown(point));
      }
      ++compared;
    }
  }
  EXPECT_EQ(3u * 4 * 33 - 1, compared);
}

// Facts that are known without the rules: the lecture's 16 wavefronts, and the reference's table.
TEST(Banks, AColumnOfATileIsSixteenPassesOnAK40AndThirtyTwoOnAnH200) {
  EXPECT_EQ(16, expected_wavefronts("k40", 4, 32));
  EXPECT_EQ(1, expected_wavefronts("k40", 4, 33));
  EXPECT_EQ(1, expected_wavefronts("k40", 4, 2));
  EXPECT_EQ(32, expected_wavefronts("h200", 4, 32));
  EXPECT_EQ(32, expected_wavefronts("gtx280", 4, 16));
  EXPECT_EQ(8, expected_wavefronts("gtx280", 8, 1));  // double is 2-way in each of 4 requests
}

}  // namespace warpgrade::grader::gallery_test
