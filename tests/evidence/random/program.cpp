// SPDX-License-Identifier: Apache-2.0
// Random programs from their statements, and their runs on the simulator.
#include "tests/evidence/random/program.h"

#include <fmt/format.h>

#include <cstring>

#include "common/base/finding_text.h"
#include "common/compile/compiler.h"
#include "common/device/profile.h"
#include "common/measure/sim_bench.h"
#include "tests/evidence/random/generator.h"

namespace warpgrade::programs {
namespace {

const std::vector<std::uint32_t> kArchitectures = {75, 80, 90};

}  // namespace

Generator::Generator(std::uint64_t seed, std::uint32_t architecture)
    : seed_(seed), architecture_(architecture), random_(seed) {}

void Generator::line(const Scope& scope, const std::string& text) {
  text_.append(2 * scope.indent, ' ');
  text_ += text;
  text_ += '\n';
}

std::string Generator::fresh(const char* stem) {
  return fmt::format("{}{}{}", stem, prefix_, names_++);
}

const Variable* Generator::target(const Scope& scope, const std::vector<Kind>& kinds) {
  std::vector<const Variable*> found;
  for (const auto& variable : scope.writable) {
    bool fits = kinds.empty();
    for (const auto kind : kinds) fits = fits || kind == variable.kind;
    if (fits) found.push_back(&variable);
  }
  return found.empty() ? nullptr : random_.pick(found);
}

void Generator::choose_shape() {
  static const std::vector<base::Dim3> kBlocks = {
      {32, 1, 1}, {64, 1, 1}, {33, 1, 1}, {40, 1, 1}, {8, 8, 1}, {16, 3, 1}, {5, 7, 2},
      {96, 1, 1}, {31, 1, 1}, {7, 1, 3},  {32, 2, 1}, {4, 4, 4}, {128, 1, 1}};
  program_.block = random_.pick(kBlocks);
  threads_ = static_cast<std::uint32_t>(base::volume(program_.block));
  program_.grid = {1, 1, 1};
  if (threads_ <= 64 && random_.one_in(3)) program_.grid.x = 2;
  if (threads_ <= 40 && random_.one_in(3)) program_.grid.y = 2;
}

void Generator::choose_variables() {
  const auto add = [&](Kind kind) {
    variables_.push_back({kind, fmt::format("{}_{}", name(kind), variables_.size())});
  };
  add(Kind::kU32);
  add(Kind::kU32);
  for (auto kinds = 2 + random_.below(4); kinds > 0; --kinds) {
    const auto kind = static_cast<Kind>(random_.below(kKinds - 1));
    for (auto count = 1 + random_.below(3); count > 0; --count) add(kind);
  }
}

void Generator::declarations() {
  const Scope scope;
  const auto shared = [&](const char* type, const char* array, const std::string& first) {
    line(scope, fmt::format("__shared__ {} {}[{}];", type, array, threads_));
    line(scope, fmt::format("{}[t] = {};", array, first));
  };
  line(scope, "const u32 t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);");
  line(scope,
       fmt::format("const u32 g = (blockIdx.x + gridDim.x * blockIdx.y) * {} + t;", threads_));
  line(scope, "const u32 lane = t & 31;");
  line(scope, "u32 alive = __ballot_sync(0xffffffffu, true);");
  const auto first = random_.below(kInputWords);
  for (const auto& variable : variables_) {
    const auto kind = variable.kind;
    const auto stride = 1 + 2 * random_.below(50);
    const auto words = kInputWords * 32 / bits(kind);
    const bool plain = is_integer(kind) || kind == Kind::kF32 || kind == Kind::kF64;
    const auto* unsigned_type = bits(kind) == 16 ? "u16" : "u32";
    const auto load =
        fmt::format("((const {}*)in)[(g * {} + {}) & {}]", plain ? name(kind) : unsigned_type,
                    stride, first + random_.below(kInputWords), words - 1);
    line(scope, fmt::format("{} {} = {};", name(kind), variable.name,
                            plain ? load : fmt::format("make_{}({})", name(kind), load)));
  }
  line(scope, "u32 array[8];");
  line(scope, "f32 floats[4];");
  line(scope, "u8 bytes[16];");
  line(scope, "for (u32 i = 0; i < 8; ++i) array[i] = in[t + i];");
  line(scope, "for (u32 i = 0; i < 4; ++i) floats[i] = ((const f32*)in)[t * 4 + i];");
  line(scope, "for (u32 i = 0; i < 16; ++i) bytes[i] = (u8)(i * t);");
  shared("u32", "words", "in[g]");
  shared("u64", "wides", "in[g] * 77777777777ull");
  shared("f32", "reals", "(f32)t");
  shared("u8", "smalls", "(u8)t");
  shared("f16x2", "pairs", "make_f16x2(in[g + 7])");
  shared("u32", "warp_words", "t");
  line(scope, fmt::format("__shared__ Own own_shared[{}];", threads_));
  line(scope, "const Own start = {in[g], (s32)in[g + 1], in[g + 2], 1.5f, t, -2.5,");
  line(scope, "                   make_f16x2(in[g + 3]), make_bf16x2(in[g + 4]), {1, 2, 3, 4},");
  line(scope, "                   {in[g], 1, 2, 3}, {0.5f, -0.0f, 1e38f, 1e-40f},");
  line(scope, "                   {1, 2, 3, 4, 5, 6, 7, 8}, 9};");
  line(scope, "own_shared[t] = start;");
  line(scope, "own[g] = start;");
  line(scope, "__shared__ u32 counters[8];");
  line(scope, fmt::format("for (u32 i = t; i < 8; i += {}) counters[i] = in[i];", threads_));
}

// Folds all of a thread's state into its words of `out`.
void Generator::finish(const Scope& scope, std::uint32_t exit) {
  std::array<std::string, kOutWords> folds = {"0u", "0u", fmt::format("{}u", exit)};
  for (const auto& variable : variables_) {
    const auto kind = variable.kind;
    auto& fold = folds[is_integer(kind) ? 0 : kind == Kind::kF32 || kind == Kind::kF64 ? 1 : 2];
    fold = fmt::format("rotated({}, word({}))", fold, variable.name);
  }
  line(scope, fmt::format("u32 integers = {};", folds[0]));
  line(scope, fmt::format("u32 reals_ = {};", folds[1]));
  line(scope, fmt::format("u32 rest = {};", folds[2]));
  line(scope, "for (u32 i = 0; i < 8; ++i) integers = rotated(integers, array[i]);");
  line(scope, "for (u32 i = 0; i < 4; ++i) reals_ = rotated(reals_, word(floats[i]));");
  line(scope, "for (u32 i = 0; i < 16; ++i) rest = rotated(rest, bytes[i]);");
  line(scope, "for (u32 i = 0; i < 2; ++i) {");
  line(scope, "  const Own& last = i == 0 ? own[g] : own_shared[t];");
  line(scope, "  rest = rotated(rotated(rotated(rest, last.a), word(last.b)), word(last.c));");
  line(scope,
       "  rest = rotated(rotated(rotated(rest, word(last.d)), word(last.f)), word(last.h));");
  line(scope, "  rest = rotated(rotated(rotated(rest, word(last.k)), last.n[1]), last.n[2]);");
  line(scope, "  rest = rotated(rotated(rotated(rest, last.v.y), word(last.w.z)), last.m[3]);");
  line(scope, "}");
  line(scope, fmt::format("out[{} * g] = integers;", kOutWords));
  line(scope, fmt::format("out[{} * g + 1] = reals_;", kOutWords));
  line(scope, fmt::format("out[{} * g + 2] = rest;", kOutWords));
}

RandomProgram Generator::make(const std::set<std::uint32_t>& kept) {
  program_.architecture = architecture_;
  program_.kernel = fmt::format("k{}", seed_);
  const auto mode = random_.below(6);
  alone_ = mode == 0;
  deep_exits_ = mode <= 1;
  expression_depth_ = 1 + random_.below(3);
  choose_shape();
  choose_operations();
  choose_variables();
  functions();
  line(outside(), fmt::format("extern \"C\" __global__ void {}(u32* out, Own* own, u32* sums, "
                              "const u32* __restrict__ in) {{",
                              program_.kernel));
  declarations();
  Scope scope;
  scope.readable = variables_;
  for (const auto* known : {"t", "lane", "g"}) scope.readable.push_back({Kind::kU32, known});
  scope.writable = variables_;
  scope.uniform = !alone_;
  scope.mask = deep_exits_ ? "" : "alive";
  const auto seed = random_.next();
  program_.statements = 2 + random_.below(random_.one_in(4) ? 12 : 6);
  for (std::uint32_t i = 0; i < program_.statements; ++i) {
    random_ = Random(seed + i);
    prefix_ = fmt::format("{}_", i);
    names_ = 0;
    const auto before = text_.size();
    const auto exits = exits_;
    line(scope, fmt::format("// {}", i));
    statement(scope);
    if (kept.empty() || kept.contains(i)) continue;
    text_.resize(before);
    exits_ = exits;
  }
  line(scope, "// end");
  finish(scope, 0);
  line(outside(), "}");
  program_.text = text_;
  return program_;
}

RandomProgram generate(std::uint64_t seed, const std::set<std::uint32_t>& kept) {
  return Generator(seed, kArchitectures[seed / kGroup % kArchitectures.size()]).make(kept);
}

std::string file_of(const std::vector<RandomProgram>& programs) {
  std::set<std::size_t> used;
  for (const auto& program : programs) used.insert(program.ptx.begin(), program.ptx.end());
  std::string text = kPrelude;
  for (const auto which : used) text += ptx_function(which);
  for (const auto& program : programs) text += "\n" + program.text;
  return text;
}

std::vector<std::uint32_t> inputs() {
  Random random(1);
  std::vector<std::uint32_t> words(kInputWords);
  for (std::size_t i = 0; i < words.size();) {
    switch (random.below(4)) {
      case 0:
        words[i++] =
            static_cast<std::uint32_t>(edge_bits(random, 16) | edge_bits(random, 16) << 16);
        break;
      case 1: {
        if (i % 2 != 0) break;
        const auto wide = edge_bits(random, 64);
        words[i++] = static_cast<std::uint32_t>(wide);
        words[i++] = static_cast<std::uint32_t>(wide >> 32);
        break;
      }
      default:
        words[i++] = static_cast<std::uint32_t>(edge_bits(random, 32));
        break;
    }
  }
  return words;
}

namespace {

run::Buffer buffer(const char* name, std::size_t words) {
  return {name, std::vector<std::byte>(4 * words), 4, false, true};
}

void fill(run::Buffer& buffer, const std::vector<std::uint32_t>& words) {
  std::memcpy(buffer.bytes.data(), words.data(), 4 * words.size());
}

std::uint64_t threads_of(const RandomProgram& program) {
  return base::volume(program.grid) * base::volume(program.block);
}

}  // namespace

std::size_t out_words(const RandomProgram& program) { return kOutWords * threads_of(program); }

Group compile_group(std::uint64_t first, std::uint64_t last, const std::set<std::uint32_t>& kept) {
  Group group;
  for (auto seed = first; seed <= last; ++seed) {
    group.seeds.push_back(seed);
    group.programs.push_back(generate(seed, kept));
  }
  compile::CompileRequest request;
  request.file = fmt::format("programs_{}.cu", first);
  request.source = file_of(group.programs);
  request.architecture = fmt::format("sm_{}", group.programs[0].architecture);
  request.limits.cpu_time = std::chrono::seconds(600);
  request.limits.wall_time = std::chrono::hours(2);
  auto compiled = compile::compile(request);
  if (const auto* wrong = std::get_if<std::vector<base::Diagnostic>>(&compiled)) {
    std::string text = fmt::format("{} does not compile\n", request.file);
    for (const auto& found : *wrong) text += base::render(found, request.source) + "\n";
    throw NotCompiled(text);
  }
  group.compiled = std::get<compile::Program>(std::move(compiled));
  return group;
}

Run run_program(const Group& group, std::size_t which, std::uint64_t order) {
  const auto& program = group.programs[which];
  const auto own_words = threads_of(program) * kOwnBytes / 4;
  std::vector<run::Buffer> buffers = {buffer("out", out_words(program)), buffer("own", own_words),
                                      buffer("sums", kSums), buffer("in", kInputWords)};
  // Reading words of these that the kernel has not written is a finding.
  buffers[0].defined = false;
  buffers[1].defined = false;
  buffers[3].read_only = true;
  fill(buffers[2], first_sums());
  fill(buffers[3], inputs());
  run::Launch launch;
  launch.kernel = program.kernel;
  launch.grid = program.grid;
  launch.block = program.block;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    launch.arguments.emplace_back(run::BufferArgument{i});
  }
  run::Options options;
  options.seed = order;
  options.threads = 1;
  static const auto bench = measure::sim_bench(device::find("h200"));
  Run result;
  result.findings = bench->measure(group.compiled, launch, buffers, options).result.diagnostics;
  for (const auto& part : {buffers[0], buffers[2]}) {
    const auto at = result.words.size();
    result.words.resize(at + part.bytes.size() / 4);
    std::memcpy(result.words.data() + at, part.bytes.data(), part.bytes.size());
  }
  return result;
}

}  // namespace warpgrade::programs
