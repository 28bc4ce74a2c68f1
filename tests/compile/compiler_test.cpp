// SPDX-License-Identifier: Apache-2.0
#include "common/compile/compiler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "common/base/error.h"
#include "common/base/finding_text.h"
#include "tests/compile/compiling.h"

namespace warpgrade::compile::compiler_test {

// The compiler options that users may pass, each in its one normal form.

TEST(CompilerOptions, HaveOneFormEach) {
  EXPECT_EQ("--use_fast_math", permitted_option("-use_fast_math"));
  EXPECT_EQ("--maxrregcount=32", permitted_option("-maxrregcount=32"));
  EXPECT_EQ("-DN=4", permitted_option("--define-macro=N=4"));
  EXPECT_EQ("-UN", permitted_option("--undefine-macro=N"));
  EXPECT_EQ("--device-as-default-execution-space", permitted_option("-default-device"));
}

TEST(CompilerOptions, OlderStandardsAreCompiledAsCpp17) {
  EXPECT_EQ("-std=c++17", permitted_option("--std=c++11"));
  EXPECT_EQ("-std=c++20", permitted_option("-std=c++20"));
  EXPECT_EQ(std::nullopt, permitted_option("-std=c++98"));
}

TEST(CompilerOptions, OthersAreRefused) {
  for (const auto* option : {"-arch=sm_90", "--gpu-architecture=compute_90", "-I/tmp", "-O3", "-D",
                             "--pre-include=x.h", "--maxrregcount=", "-G", "--dlto", ""}) {
    EXPECT_EQ(std::nullopt, permitted_option(option)) << option;
  }
}

using testing::HasSubstr;

// The message that refuses `bytes`; "" if they are accepted.
std::string refusal(const std::string& bytes) {
  const TemporaryFolder folder;
  const auto read = read_source(folder.write("k.cu", bytes));
  const auto* found = std::get_if<std::vector<base::Diagnostic>>(&read);
  return found == nullptr ? "" : found->front().message;
}

std::string usage_error(const std::filesystem::path& file) {
  try {
    static_cast<void>(read_source(file));
    return "";
  } catch (const base::UsageError& error) {
    return error.what();
  }
}

TEST(SourceFile, SkipsAByteOrderMark) {
  const TemporaryFolder folder;
  const auto read = read_source(folder.write("k.cu", "\xef\xbb\xbfint a;"));
  EXPECT_EQ("int a;", std::get<CompileRequest>(read).source);
  EXPECT_EQ(folder.path(), std::get<CompileRequest>(read).folder);
}

TEST(SourceFile, RefusesWhatIsNoSource) {
  EXPECT_EQ("the file is empty", refusal(""));
  EXPECT_EQ("the file is empty", refusal(" \n\t\r\n"));
  EXPECT_THAT(refusal(std::string("int a;\n\0", 8)), HasSubstr("null byte"));
  EXPECT_THAT(refusal("\x7f"
                      "ELF\x02\x01"),
              HasSubstr("program"));
  EXPECT_THAT(refusal(std::string((4 << 20) + 1, ' ')), HasSubstr("4 MiB"));
  EXPECT_EQ("", refusal("x" + std::string((4 << 20) - 1, ' ')));
}

TEST(SourceFile, ConvertsUtf16) {
  const auto read = source_of("a.cu", std::string("\xff\xfei\0n\0t\0", 8));
  EXPECT_EQ("int", std::get<CompileRequest>(read).source);
}

TEST(SourceFile, NamesTheLineOfANullByte) {
  const TemporaryFolder folder;
  const auto read = read_source(folder.write("k.cu", std::string("a\nb\n\0c", 6)));
  EXPECT_EQ(3u, std::get<std::vector<base::Diagnostic>>(read).front().where.line);
}

TEST(SourceFile, ThatCannotBeReadIsAUsageError) {
  const TemporaryFolder folder;
  EXPECT_THAT(usage_error(folder.path() / "none.cu"), HasSubstr("No such file"));
  EXPECT_THAT(usage_error(folder.path()), HasSubstr("folder"));
  const auto pipe = folder.path() / "pipe.cu";
  ASSERT_EQ(0, ::mkfifo(pipe.c_str(), 0600));
  EXPECT_THAT(usage_error(pipe), HasSubstr("not a regular file"));
}

// Compiles small sources with the real compiler: its output, and the student's message on failure.
using testing::Not;
using testing::StartsWith;

TEST(Compiler, MakesPtxMachineCodeAndResourcesInOneGo) {
  const auto program = program_of(
      "\n__global__ void k(float* o) {\n"
      "  __shared__ float t[100];\n"
      "  t[threadIdx.x] = o[threadIdx.x];\n"
      "  __syncthreads();\n"
      "  o[0] = t[99 - threadIdx.x];\n}\n");
  ASSERT_EQ(1u, program.kernels.size());
  EXPECT_EQ("_Z1kPf", program.kernels[0].name);
  EXPECT_EQ("k(float*)", program.kernels[0].signature);
  EXPECT_EQ(400u, program.kernels[0].resources.static_shared_bytes);
  EXPECT_GT(program.kernels[0].resources.registers_per_thread, 0u);
  EXPECT_THAT(program.ptx.text(), HasSubstr(".target sm_90"));
  EXPECT_EQ(
      "\x7f"
      "ELF",
      std::string(program.machine_code.data(), 4));
}

TEST(Compiler, PutsFileAndLineIntoThePtx) {
  const auto program = program_of("\n\n__global__ void k(float* o) {\n  o[0] = 1;\n}\n");
  EXPECT_THAT(program.ptx.text(), HasSubstr(".loc\t1 4 "));
  EXPECT_THAT(program.ptx.text(), HasSubstr(".file\t1 \"kernel.cu\""));
}

TEST(Compiler, AVirtualArchitectureGivesTheSamePtxAlone) {
  auto request = request_for("__global__ void k(float* o) { o[0] = 1; }");
  const auto real = program_of(request);
  request.architecture = "compute_90";
  const auto program = program_of(request);
  EXPECT_EQ(real.ptx.text(), program.ptx.text());
  EXPECT_TRUE(program.machine_code.empty());
  ASSERT_EQ(1u, program.kernels.size());
  EXPECT_EQ("_Z1kPf", program.kernels[0].name);
  EXPECT_EQ("k(float*)", program.kernels[0].signature);
  EXPECT_EQ(0u, program.kernels[0].resources.registers_per_thread);
}

TEST(Compiler, CompilesForTheArchitectureAsked) {
  auto request = request_for("__global__ void k() {}");
  request.architecture = "sm_75";
  EXPECT_THAT(program_of(request).ptx.text(), HasSubstr(".target sm_75"));
}

TEST(Compiler, AcceptsTheHeadersPeopleIncludeByHabit) {
  const auto program = program_of(
      "#include <cuda_runtime.h>\n#include <cstdint>\n#include <stdint.h>\n#include <cstdio>\n"
      "#include <stdio.h>\n#include <cassert>\n#include <assert.h>\n#include <math.h>\n"
      "#include <cuda/std/cstdint>\n#include <cuda/std/array>\n#include <cooperative_groups.h>\n"
      "__global__ void k(uint32_t* p, std::int64_t n) {\n"
      "  assert(n > 0);\n  printf(\"%d\", int(sqrtf(2.0f)));\n"
      "  cooperative_groups::this_thread_block().sync();\n  p[0] = UINT32_MAX;\n}\n");
  EXPECT_TRUE(std::holds_alternative<const Kernel*>(
      find_kernel(program, "k", "k(uint32_t* p, int64_t n)")));
}

TEST(Compiler, KnowsWhatNvccDeclaresWithoutAnInclude) {
  const auto program = program_of(
      "__device__ float low = -INFINITY;\n__constant__ double most = HUGE_VAL;\n"
      "static_assert(sizeof(uint) == 4 && sizeof(ushort) == 2 && sizeof(ulong) == 8);\n"
      "static_assert(sizeof(ssize_t) == 8 && sizeof(int64_t) == 8 && CHAR_BIT == 8);\n"
      "static_assert(INT_MAX + 1u == 0x80000000u && UINT_MAX + 1 == 0 && INT_MIN < 0);\n"
      "static_assert(LONG_MAX == LLONG_MAX && ULLONG_MAX + 1 == 0 && SHRT_MIN == -32768);\n"
      "static_assert(RAND_MAX == INT_MAX && M_PI > 3.14159265 && M_SQRT2 * M_SQRT1_2 > 0.99);\n"
      "__global__ void k(float* o) { o[0] = std::tanh(o[1]) + std::isnan(o[2]) + NAN; }\n");
  EXPECT_THAT(program.ptx.text(), HasSubstr("low = 0fFF800000"));
  EXPECT_THAT(program.ptx.text(), HasSubstr("most = 0d7FF0000000000000"));
}

// In nvcc 13.0 with libstdc++ 12, pow() of two different arithmetic types returns a double.
TEST(Compiler, MixedTypesOfPowAreDoublesAsInNvcc) {
  program_of(
      "template <class T, class U> __device__ bool is_double(T a, U b) {\n"
      "  static_assert(sizeof(pow(a, b)) == 8 && sizeof(std::pow(a, b)) == 8);\n"
      "  return pow(a, b) > 0;\n}\n"
      "__global__ void k(bool* o, float f, double d, int i, unsigned u, long l, short s, char c) "
      "{\n"
      "  o[0] = is_double(f, d) && is_double(d, f) && is_double(i, i) && is_double(i, f) &&\n"
      "         is_double(u, 2) && is_double(d, u) && is_double(f, l) && is_double(l, d) &&\n"
      "         is_double(s, c) && is_double(c, f) && is_double(true, 2ull);\n"
      "  static_assert(sizeof(pow(f, f)) == 4 && sizeof(std::pow(f, f)) == 4);\n"
      "  int q;\n  remquo(f, d, &q);\n  std::remquo(i, l, &q);\n}\n");
}

TEST(Compiler, AFilesOwnPowIsPreferred) {
  program_of(
      "struct Complex { float re, im; };\n"
      "__device__ Complex pow(Complex z, int n) { return z; }\n"
      "__device__ int pow(int base, int exponent) { return base; }\n"
      "template <class T> __device__ T pow(T base, long exponent) { return base; }\n"
      "__global__ void k(int* o, Complex z) {\n"
      "  static_assert(sizeof(pow(2, 3)) == 4 && sizeof(pow(2.0f, 3L)) == 4);\n"
      "  o[0] = pow(2, 3) + static_cast<int>(pow(z, 2).re);\n}\n");
}

// `nvcc -cubin` of CUDA 13.0 accepts the functions in the kernel. It refuses __builtin_ctz and
// __builtin_bswap32.
TEST(Compiler, HasTheBuiltInFunctionsThatNvccAccepts) {
  program_of(
      "struct Pair { char first; int second; };\n"
      "static_assert(offsetof(Pair, second) == 4 && __builtin_offsetof(Pair, second) == 4);\n"
      "__constant__ float most = __builtin_inff();\n"
      "__global__ void k(int* o, float f, double d) {\n"
      "  o[0] = __builtin_clz(o[1]) + __builtin_clzll(o[2]) + __builtin_popcount(o[3]) +\n"
      "         __builtin_popcountll(o[4]) + __builtin_ffs(o[5]) + __builtin_ffsll(o[6]);\n"
      "  if (__builtin_expect(o[7] > 0, 1)) o[8] = __builtin_fabsf(f) + __builtin_sqrt(d);\n"
      "  if (f == __builtin_huge_valf() || d == __builtin_inf()) __builtin_unreachable();\n"
      "  __builtin_memcpy(o + 9, &f, 4);\n"
      "  o[10] = __builtin_fmaxf(f, 2) + __builtin_fma(d, d, d) + __builtin_lround(d);\n}\n");
  for (const auto* name : {"__builtin_ctz", "__builtin_bswap32", "__builtin_parity"}) {
    const auto call = std::string("__global__ void k(int* o) { o[0] = ") + name + "(o[1]); }\n";
    EXPECT_THAT(base::text(diagnostics_of(request_for(call)).at(0)), HasSubstr(name));
  }
}

TEST(Compiler, HasTheTypeTraitsThatNvccIncludesByItself) {
  program_of(
      "template <class T> __global__ void k(T* o) {\n"
      "  static_assert(std::is_same_v<T, int> || std::is_floating_point<T>::value);\n"
      "  o[0] = std::conditional_t<sizeof(T) == 4, int, float>(1);\n"
      "  std::byte b{3};\n  std::nullptr_t none = nullptr;\n  std::ptrdiff_t d = &o[1] - o;\n"
      "  o[1] = static_cast<int>(b) + (none == nullptr) + d;\n}\n"
      "template __global__ void k(int*);\n");
}

TEST(Compiler, AcceptsDesignatedInitializers) {
  program_of(
      "struct Point { int x; float y; int z; };\n"
      "__global__ void k(int* o) {\n"
      "  Point p = {.x = 3, .y = 2.f};\n  Point q{.z = 4};\n  o[0] = p.x + q.z;\n}\n");
  // GCC, too, refuses initializers in another order.
  EXPECT_FALSE(diagnostics_of(request_for("struct Point { int x; int y; };\n"
                                          "__global__ void k(int* o) {\n"
                                          "  Point p = {.y = 3, .x = 2};\n  o[0] = p.x;\n}\n"))
                   .empty());
}

TEST(Compiler, AcceptsLettersBeyondAsciiInIdentifiers) {
  program_of(
      "#define HÖHE 4\n"
      "__global__ void k(int* größe, int breite) {\n"
      "  __shared__ int straße[HÖHE];\n  straße[0] = breite;\n  int 数 = straße[0];\n"
      "  größe[0] = 数;\n}\n");
  const auto errors =
      diagnostics_of(request_for("__global__ void k(int* größe) { grüße[0] = 1; }\n"));
  EXPECT_THAT(base::text(errors.at(0)), HasSubstr("\"grüße\" is undefined"));
}

TEST(Compiler, GivesWayToAFilesOwnMeaningOfThoseNames) {
  EXPECT_TRUE(diagnostics_of("typedef unsigned int uint;\n#define INT_MAX 0x7fffffff\n"
                             "__global__ void k(uint* o) { o[0] = INT_MAX; }\n")
                  .empty());
  EXPECT_TRUE(diagnostics_of("typedef long int64_t;\nstruct uint { int x; };\n"
                             "__global__ void k(uint* o) { o[0].x = 1; }\n")
                  .empty());
}

TEST(Compiler, HasTheLimitsOfFloats) {
  for (const std::string header : {"cfloat", "float.h"}) {
    EXPECT_TRUE(diagnostics_of("#include <" + header +
                               ">\nstatic_assert(FLT_MAX == 0x1.fffffep127f);\n"
                               "static_assert(FLT_MIN == 0x1p-126f && FLT_EPSILON == 0x1p-23f);\n"
                               "static_assert(DBL_MAX == 0x1.fffffffffffffp1023);\n"
                               "static_assert(DBL_MIN == 0x1p-1022 && DBL_EPSILON == 0x1p-52);\n"
                               "__global__ void k(float* o) { o[0] = -FLT_MAX; }\n")
                    .empty())
        << header;
  }
  EXPECT_THAT(base::text(diagnostics_of("__global__ void k(float* o) { o[0] = FLT_MAX; }").at(0)),
              HasSubstr("add #include <cfloat>"));
}

TEST(Compiler, HasOfTheStandardLibraryWhatDeviceCodeCanUse) {
  EXPECT_TRUE(
      diagnostics_of(
          "#include <algorithm>\n#include <array>\n#include <cinttypes>\n#include <cstring>\n"
          "#include <functional>\n#include <limits>\n#include <new>\n#include <tuple>\n"
          "#include <type_traits>\n#include <utility>\n#include <cuda/std/utility>\n"
          "static_assert(std::is_same_v<std::conditional_t<true, int, char>, int>);\n"
          "constexpr float kLowest = std::numeric_limits<float>::lowest();\n"
          "struct Pair { std::array<float, 2> both; };\n"
          "__global__ void k(float* o, int n, const std::pair<int, float>* p) {\n"
          "  std::array<float, 2> a{o[0], kLowest};\n  Pair q{a};\n"
          "  std::memcpy(o, &q, 8);\n  new (o + 2) float(3);\n"
          "  o[3] = p[0].second + std::move(n) + std::numeric_limits<float>::digits;\n}\n")
          .empty());
}

TEST(Compiler, PassesOverTheWordRegister) {
  EXPECT_TRUE(diagnostics_of("__device__ int f(register int n) { return n; }\n"
                             "__global__ void k(int* o) { for (register int i = 0; i < 4; ++i) "
                             "o[i] = f(i); }\n")
                  .empty());
}

TEST(Compiler, PassesOverHeadersOfHostCode) {
  EXPECT_TRUE(diagnostics_of("#include <iostream>\n#include <vector>\n#include <sys/time.h>\n"
                             "__global__ void k() {}\n")
                  .empty());
  EXPECT_THAT(base::text(diagnostics_of("#include <vector>\n__device__ void f() { "
                                        "std::vector<int> v; }")
                             .at(0)),
              HasSubstr("only host code has it"));
}

TEST(Compiler, HasTheVersionOfTheToolkit) {
  EXPECT_TRUE(diagnostics_of("#include <cuda.h>\n#if CUDA_VERSION < 11000\n#error old\n#endif\n"
                             "__global__ void k() {}\n")
                  .empty());
}

TEST(Compiler, ReportsLineAndColumnOfAnError) {
  const auto found = diagnostics_of("__global__ void k(float* o) {\n\tint x = foo();\n}\n");
  ASSERT_EQ(1u, found.size());
  EXPECT_EQ(base::DiagnosticKind::kCompileError, found[0].kind);
  EXPECT_EQ((base::SourceLocation{"kernel.cu", 2, 10}), found[0].where);
  EXPECT_EQ("identifier \"foo\" is undefined", base::text(found[0]));
}

TEST(Compiler, AnyByteMayStandInAComment) {
  for (const std::string bytes : {"\xff\xfe\x80", "\xe2", "\xc3", "\xf0\x9f", "\x80"}) {
    const auto program = program_of(
        "// Gr\xc3\xb6\xc3\x9f"
        "e " +
        bytes + "\n__global__ void k() {}\n");
    EXPECT_EQ(1u, program.kernels.size());
  }
}

TEST(Compiler, KeepsPositionsAgainstLineDirectives) {
  const auto found = diagnostics_of(
      "#line 100 \"foo.cu\"\n# 7 \"x\" 3\n%:line 3 \"z\"\n#li\\\nne 4 \"q\"\n/*\n*/ #line 9 \"w\"\n"
      "#/*\n*/line 70 \"v\"\n__device__ int a = b;\n");
  ASSERT_EQ(1u, found.size());
  EXPECT_EQ((base::SourceLocation{"kernel.cu", 10, 20}), found[0].where);
}

TEST(Compiler, SaysThatKernelsLaunchNoKernels) {
  const auto found = diagnostics_of(
      "__global__ void child() {}\n__global__ void k() {\n  child<<<1, 1>>>();\n}\n");
  ASSERT_EQ(1u, found.size());
  EXPECT_THAT(base::text(found[0]), HasSubstr("a kernel launches a kernel here"));
  EXPECT_EQ(base::DiagnosticKind::kUnsupported, found[0].kind);
  EXPECT_EQ(3u, found[0].where.line);
  EXPECT_THAT(base::text(diagnostics_of("__global__ void k() { cudaDeviceSynchronize(); }").at(0)),
              HasSubstr("\"cudaDeviceSynchronize\" is undefined; the CUDA runtime's functions"));
}

TEST(Compiler, AnErrorBesideAChildLaunchIsAnError) {
  const auto found = diagnostics_of(
      "template <int N> __global__ void child() {}\n__device__ void help() {\n"
      "  child<3><<<dim3(2), 1, 64>>>();\n}\n__global__ void k() { help(); missing(); }\n");
  ASSERT_EQ(2u, found.size());
  EXPECT_EQ(base::DiagnosticKind::kUnsupported, found[0].kind);
  EXPECT_EQ(base::DiagnosticKind::kCompileError, found[1].kind);
}

TEST(Compiler, LimitsStaticSharedMemoryTo48Kilobytes) {
  const std::string body = "]; t[threadIdx.x] = o[0]; __syncthreads(); o[1] = t[0]; }";
  EXPECT_TRUE(
      diagnostics_of("__global__ void k(char* o) { __shared__ char t[49152" + body).empty());
  const auto found =
      diagnostics_of("\n__global__ void k(char* o) { __shared__ char t[49153" + body);
  ASSERT_EQ(1u, found.size());
  EXPECT_EQ(2u, found[0].where.line);
  EXPECT_EQ(
      "the kernel 'k' declares 49,153 bytes of static shared memory, more than the limit of 49,152 "
      "bytes (48 KB)",
      base::text(found[0]));
}

TEST(Compiler, LimitsLocalMemoryTo512Kilobytes) {
  const auto with = [](const std::string& count) {
    return diagnostics_of("\n__global__ void k(char* o) { volatile char t[" + count +
                          "]; t[o[0]] = 1; o[1] = t[o[2]]; }");
  };
  EXPECT_TRUE(with("524288").empty());
  const auto found = with("524296");
  ASSERT_EQ(1u, found.size());
  EXPECT_EQ(2u, found[0].where.line);
  EXPECT_EQ(
      "the kernel 'k' keeps 524296 bytes of local memory for each thread, arrays for the most "
      "part; "
      "at most 524288 (512 KB) are possible",
      base::text(found[0]));
}

TEST(Compiler, SurvivesAnyFileName) {
  auto request = request_for("__global__ void k(const char** o) { *o = __FILE__; }\nfoo;\n");
  request.file = "a\"\n(3): error: x\\.cu";
  const auto found = diagnostics_of(request);
  ASSERT_EQ(1u, found.size());
  EXPECT_EQ(request.file, found[0].where.file);
  EXPECT_EQ(2u, found[0].where.line);
  request.source = "__global__ void k(int* o) { *o = 1; }\n";
  EXPECT_THAT(program_of(request).ptx.text(), HasSubstr(".file\t1 \"a__(3): error: x_.cu\""));
}

TEST(Compiler, KeepsWarningsOutOfTheWay) {
  const auto program = program_of("__global__ void k() {\n  int unused;\n}\n");
  EXPECT_THAT(program.warnings, HasSubstr("kernel.cu:2: variable \"unused\""));
  EXPECT_EQ("", program_of("__global__ void k() {}\n").warnings);
}

TEST(Compiler, WarnsOfAStoreToConstantMemory) {
  const auto program = program_of(
      "__constant__ float c[3];\n__global__ void k(float* o) {\n  c[0] = 1;\n  o[0] = c[1];\n}\n");
  EXPECT_THAT(program.warnings,
              StartsWith("kernel.cu:3: device code cannot write to __constant__ memory"));
}

TEST(Compiler, IsNotFooledByAReportOrAKernelInTheSourcesText) {
  const auto program = program_of(
      "[[deprecated(\"a\\nptxas info    : Compiling entry function '_Z1kPf' for 'sm_90'\\n"
      "ptxas info    : Used 1 registers, 16 bytes smem\\n\")]] __device__ int f() { return 1; }\n"
      "__global__ void k(float* o) {\n  o[0] = f();\n  asm(\"// .entry ghost(\\n\");\n"
      "  asm(\"/* .entry ghost() */\");\n}\n");
  ASSERT_EQ(1u, program.kernels.size());
  EXPECT_EQ(0u, program.kernels[0].resources.static_shared_bytes);
}

TEST(Compiler, RefusesATextThatIsNoNameExpression) {
  auto request = request_for("__global__ void k() {}");
  request.instantiations = {"k;\n#include \"/etc/passwd\""};
  EXPECT_THAT(base::text(diagnostics_of(request).at(0)), HasSubstr("is not a kernel's name"));
}

TEST(Compiler, TakesNoNameForAnOption) {
  for (const auto* name : {"-dash.cu", "--help", "-", "@file.cu"}) {
    auto request = request_for("__global__ void k() {}");
    request.file = name;
    EXPECT_THAT(program_of(request).ptx.text(), HasSubstr(std::string("\"") + name + "\"")) << name;
    request.source = "__global__ void k() { x; }";
    EXPECT_EQ(name, diagnostics_of(request).at(0).where.file);
  }
}

TEST(Compiler, ThatIsMissingIsAToolError) {
  const ScopedVariable none("WARPGRADE_CUDA_HOME", "/nonexistent");
  EXPECT_THAT(tool_error("__global__ void k() {}"), HasSubstr("libnvrtc.so.13"));
}

TEST(Compiler, WhoseProcessIsMissingIsAToolError) {
  const ScopedVariable none("WARPGRADE_COMPILER", "/nonexistent/warpgrade_compiler");
  EXPECT_THAT(tool_error("__global__ void k() {}"), HasSubstr("cannot run a child process"));
}

TEST(Compiler, WhoseLibraryIsBrokenIsAToolError) {
  const TemporaryFolder toolkit;
  toolkit.write("lib64/libnvrtc.so.13", "no library");
  toolkit.write("include/vector_types.h", "");
  const ScopedVariable broken("WARPGRADE_CUDA_HOME", toolkit.path().string());
  EXPECT_THAT(tool_error("__global__ void k() {}"), HasSubstr("cannot load libnvrtc"));
}

TEST(Compiler, WhoseProcessSaysNothingIsAToolError) {
  const ScopedVariable silent("WARPGRADE_COMPILER", "/bin/true");
  EXPECT_THAT(tool_error("__global__ void k() {}"), HasSubstr("gave no answer"));
}

TEST(Compiler, CallsWhatOnlyItRefusesUnsupported) {
  for (const std::string body :
       {"int* p = (int*)alloca(16); p[0] = 1; o[0] = p[0];",
        "int* p = (int*)__builtin_alloca(16); p[0] = 1; o[0] = p[0];",
        "thrust::complex<float> z(1, 2); z = z * z; o[0] = z.real();",
        "int b[2] = {2, 1}; thrust::sort(thrust::seq, b, b + 2); o[0] = b[0];",
        "o[0] = thrust::max(3, 4);"}) {
    const auto found = diagnostics_of(
        "#include <thrust/complex.h>\n#include <thrust/extrema.h>\n#include <thrust/sort.h>\n"
        "__global__ void k(float* o) {\n  " +
        body + "\n}\n");
    ASSERT_FALSE(found.empty()) << body;
    for (const auto& one : found) {
      EXPECT_EQ(base::DiagnosticKind::kUnsupported, one.kind) << body << one.message;
      EXPECT_EQ(5u, one.where.line) << body;
    }
  }
}

// Kernels that come with the program are compiled once for each architecture.

constexpr const char* kSource = "extern \"C\" __global__ void own(int* out) { out[0] = 1; }\n";

TEST(OwnProgram, IsKeptByFileAndArchitecture) {
  const auto& first = own_program("the test", "own_test.cu", kSource, "compute_75");
  EXPECT_EQ(&first, &own_program("the test", "own_test.cu", kSource, "compute_75"));
  EXPECT_NE(&first, &own_program("the test", "own_test.cu", kSource, "compute_80"));
  EXPECT_THAT(first.ptx.text(), testing::HasSubstr(".entry own("));
}

TEST(OwnProgram, ThatDoesNotCompileIsOurMistake) {
  try {
    own_program("the test", "own_broken.cu", "broken", "compute_75");
    FAIL() << "compiled";
  } catch (const base::ToolError& error) {
    EXPECT_THAT(error.what(), testing::StartsWith("the test does not compile for compute_75: "));
  }
}

}  // namespace warpgrade::compile::compiler_test
