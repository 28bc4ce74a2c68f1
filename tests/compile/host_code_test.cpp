// SPDX-License-Identifier: Apache-2.0
#include "common/compile/host_code.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "common/compile/shims.h"
#include "tests/compile/compiling.h"

namespace warpgrade::compile::host_code_test {

TEST(HostHeaders, StandOnceAndAreNoShims) {
  std::set<std::string> names;
  for (const auto& shim : shims()) names.insert(shim.name);
  for (const auto* name : host_headers()) EXPECT_TRUE(names.insert(name).second) << name;
}

TEST(HostHeaders, DisturbNobody) {
  std::string source;
  for (const auto* name : host_headers()) source += std::string("#include <") + name + ">\n";
  EXPECT_TRUE(diagnostics_of(source + "__global__ void k() {}\n").empty());
}

TEST(HostHeaders, LeaveTheBlockPrimitivesOfCub) {
  EXPECT_TRUE(diagnostics_of("#include <cub/cub.cuh>\n__global__ void k(int* x) {\n"
                             "  __shared__ cub::WarpReduce<int>::TempStorage s;\n"
                             "  x[0] = cub::WarpReduce<int>(s).Sum(x[threadIdx.x]);\n}\n")
                  .empty());
}

// Host code in submissions, mostly with the real compiler, because its messages decide what is left
// out. tests/evidence/host_code has files in many styles.

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

constexpr const char* kKernel = "__global__ void k(float* o) { o[0] = 1; }\n";

std::vector<std::string> names(const Program& program) {
  std::vector<std::string> out;
  for (const auto& item : program.left_out) out.push_back(item.name);
  return out;
}

TEST(HostCode, IsLeftOutWhereTheCompilerRefusesIt) {
  const auto program = program_of(std::string("#include <vector>\n") + kKernel +
                                  "static std::vector<int> all;\n"
                                  "int add(int a) { return a; }\nint main() { k<<<1, 1>>>(0); }\n");
  EXPECT_THAT(names(program), ElementsAre("all", "add", "main"));
  EXPECT_EQ((LeftOut{"kernel.cu", 4, 1, "add"}), program.left_out[1]);
  EXPECT_EQ(1u, program.kernels.size());
}

TEST(HostCode, ThatIsNotThereChangesNothing) {
  const auto program = program_of(kKernel);
  EXPECT_THAT(program.left_out, IsEmpty());
  EXPECT_EQ("", program.device_source);
}

TEST(HostCode, IsBlankedByteForByteAndDirectivesStay) {
  const std::string source = std::string(kKernel) +
                             "int f() {\n#define N 3\n#if 1\n  return N;  // x\n#endif\n"
                             "#pragma unroll\n}\n__device__ int g = N;\n";
  const auto text = program_of(source).device_source;
  EXPECT_EQ(source.size(), text.size());
  EXPECT_EQ(std::ranges::count(source, '\n'), std::ranges::count(text, '\n'));
  EXPECT_THAT(text, HasSubstr("\n#define N 3\n#if 1\n"));
  EXPECT_THAT(text, testing::Not(HasSubstr("pragma")));
  EXPECT_THAT(text, EndsWith("__device__ int g = N;\n"));
}

TEST(HostCode, KeepsLinesAndColumnsOfWhatStays) {
  const auto found =
      diagnostics_of("int f() {\n  return 1;\n}  __device__ int a = b;\nint main() {}\n");
  ASSERT_EQ(1u, found.size());
  EXPECT_EQ((base::SourceLocation{"kernel.cu", 3, 23}), found[0].where);
}

TEST(HostCode, MakesNoDirectiveOfWhatStoodBehindIt) {
  const auto found =
      diagnostics_of("int f() { } # line 99 \"other.cu\"\nint g() { }\n__device__ int a = b;\n");
  EXPECT_EQ("kernel.cu", found.at(0).where.file);
  EXPECT_EQ(3u, found.at(found.size() - 1).where.line);
}

TEST(HostCode, MistakesOfTheDeviceStay) {
  EXPECT_EQ(
      "identifier \"b\" is undefined",
      diagnostics_of("__global__ void k(int* o) { o[0] = b; }\nint main() {}\n").at(0).message);
  // Without a space qualifier, a function that uses the device's registers is not a host function.
  EXPECT_THAT(diagnostics_of("int f() { return threadIdx.x; }\nint main() {}\n").at(0).message,
              StartsWith("'f' is a host function; a submission is device code"));
  EXPECT_THAT(diagnostics_of("int foo;\nbar baz;\n__global__ void k() {}\n").at(0).message,
              HasSubstr("\"bar\" is undefined"));
  EXPECT_THAT(diagnostics_of("static_assert(sizeof(int) == 5, \"\");\nint main() {}\n"),
              testing::SizeIs(1));
}

TEST(HostCode, ThatDeviceCodeUsesIsTold) {
  const auto found = diagnostics_of(
      "int twice(int a) { return 2 * a; }\nfloat factor = 2;\n"
      "__global__ void k(float* o) { o[0] = factor * twice(3); }\n");
  ASSERT_EQ(2u, found.size());
  EXPECT_EQ(
      "identifier \"factor\" is undefined; line 2 has it for the host: put __device__ before it",
      found[0].message);
  EXPECT_THAT(found[1].message, HasSubstr("line 1 has it for the host"));
}

TEST(HostCode, ThatHasTheKernelsNameIsTold) {
  const auto program = program_of("void copy(float* o) { o[0] = 1; }\n");
  const auto found = find_kernel(program, "copy", "copy(float* o)");
  EXPECT_EQ(
      "'copy' is a host function here; put __global__ before it; expected: __global__ void "
      "copy(float* o)",
      std::get<base::Diagnostic>(found).message);
}

TEST(HostCode, ConstexprFunctionsStay) {
  const auto program = program_of(
      "constexpr int half(int a) { return a / 2; }\nstruct S { int n; constexpr int get() const { "
      "return n; } };\nconstexpr int size = half(8);\nconstexpr int n = S{1}.get();\n"
      "__global__ void k(int* o) { __shared__ int s[size]; s[0] = n; o[0] = s[0]; }\n"
      "int main() {}\n");
  EXPECT_THAT(names(program), ElementsAre("main"));
}

TEST(HostCode, OfAClassIsLeftOutByItself) {
  const auto program = program_of(
      "#include <string>\nstruct P {\n  P(std::string s) : n(s.size()) {}\n  int n;\n"
      "  static int count;\n};\nint P::count = 0;\n"
      "struct T { std::string s; };\n__global__ void k(P p, int* o) { o[0] = p.n; }\n");
  EXPECT_THAT(names(program), ElementsAre("P", "count", "count", "T"));
}

TEST(HostCode, OfVirtualFunctionsTakesTheClassAlong) {
  EXPECT_THAT(
      names(program_of(std::string("struct B { virtual int f() { return 1; } };\n") + kKernel)),
      ElementsAre("B"));
}

TEST(HostCode, LambdasWithAutoParametersAreTheDevices) {
  const auto program = program_of(
      "__global__ void k(float* o) { auto f = [](auto x) { return x + 1; }; o[0] = f(o[1]); }\n"
      "int main() {}\n");
  EXPECT_EQ(1u, program.kernels.size());
}

TEST(HostCode, OfHeadersIsLeftOutToo) {
  const TemporaryFolder folder;
  folder.write("own.h", "#include <string>\nvoid show(std::string s) {}\n__device__ int d = 3;\n");
  const auto program = program_of(request_for(
      "#include \"own.h\"\n#include <course/none.h>\n__global__ void k(int* o) { o[0] = d; }\n"
      "int main() {}\n",
      folder.path()));
  EXPECT_THAT(names(program), ElementsAre("<course/none.h>", "main", "show"));
  EXPECT_EQ("own.h", program.left_out[2].file);
  EXPECT_EQ(2u, program.left_out[2].line);
}

TEST(HostCode, TakesAnIncludeThatIsMissedForTheMistake) {
  const auto found =
      diagnostics_of("#include <cg.h>\n__global__ void k(cg::T* o) {}\nint main() {}\n");
  ASSERT_LT(1u, found.size());
  EXPECT_THAT(found[0].message, StartsWith("cannot open source file \"cg.h\""));
  EXPECT_EQ((base::SourceLocation{"kernel.cu", 1, 10}), found[0].where);
}

TEST(HostCode, AloneExcusesAMissingInclude) {
  const std::string source = std::string("#include <none.h>\n") + kKernel;
  EXPECT_THAT(diagnostics_of(source).at(0).message, StartsWith("cannot open source file"));
  EXPECT_THAT(names(program_of(source + "int main() {}\n")), ElementsAre("<none.h>", "main"));
}

TEST(HostCode, HeadersOfHostLibrariesAreLeftOutOfAFileWithoutHostCode) {
  EXPECT_THAT(
      names(program_of(std::string("#include <helper_cuda.h>\n#include \"GL/gl.h\"\n#include "
                                   "<opencv2/core.hpp>\n") +
                       kKernel)),
      ElementsAre("<helper_cuda.h>", "\"GL/gl.h\"", "<opencv2/core.hpp>"));
}

TEST(HostCode, ANameOfALeftOutHeaderIsTheMistake) {
  const auto found = diagnostics_of(
      "#include <helper_cuda.h>\n__global__ void k(int* o) { checkCudaErrors(o[0]); }\n");
  ASSERT_FALSE(found.empty());
  EXPECT_THAT(found[0].message, StartsWith("identifier \"checkCudaErrors\" is undefined"));
}

TEST(HostCode, SaysHowToBringHelperMath) {
  const auto found = diagnostics_of(std::string("#include <helper_math.h>\n") + kKernel);
  ASSERT_FALSE(found.empty());
  EXPECT_THAT(found[0].message, testing::HasSubstr("cuda-samples"));
  EXPECT_THAT(found[0].message, testing::HasSubstr("put a copy beside your file"));
}

TEST(HostCode, IsSearchedNoLongerThanItIsFound) {
  HostCode host("x.cu", "int main() {}\n");
  const std::string log =
      "x.cu(1): error: A function without execution space annotations is considered a host "
      "function\n  int main() {}\n      ^\n\n";
  EXPECT_TRUE(host.leave_out(log));
  EXPECT_EQ("             \n", host.source());
  EXPECT_FALSE(host.leave_out(log));
  EXPECT_FALSE(host.leave_out("y.cu(7): error: unknown\nx.cu(99): error: beyond the end\n"));
}

TEST(HostCode, AttributesThatNvccIgnoresAreWarnings) {
  const std::string body = "__global__ void k(int* o) { o[0] = f(o); }\n";
  for (const std::string f :
       {"__device__ int f(__shared__ int* p) { return *p; }\n",
        "__device__ int f(int* p) { struct S { __shared__ int a; }; S s{*p}; return s.a; }\n",
        "struct S { __constant__ int a; };\n__device__ int f(int* p) { S s{*p}; return s.a; }\n",
        "__host__ __device__ int v = 3;\n__device__ int f(int* p) { return v + *p; }\n"}) {
    const auto program = program_of(f + body);
    EXPECT_THAT(program.warnings, HasSubstr("does not apply here")) << f;
    EXPECT_THAT(program.warnings, HasSubstr("kernel.cu:1:")) << f << program.warnings;
    EXPECT_THAT(program.left_out, IsEmpty()) << f;
  }
}

TEST(CallersOfHost, AreLeftOutIfDeviceCodeDoesNotUseThem) {
  const std::string kernel = "__global__ void k(int* o) { o[0] = 1; }\n";
  for (const char* rest : {
           "int host(int x) { return x; }\n"
           "__host__ __device__ int f(int x) { return host(x); }\n",
           "int host(int x) { return x; }\n#define BOTH __host__ __device__\n"
           "BOTH int f(int x) { return host(x); }\n",
           "struct S { int n; __host__ __device__ int get() { return n + rand(); } };\n",
           "int host(int x) { return x; }\n"
           "__host__ __device__ int f(int x) { return host(x); }\n"
           "__host__ __device__ int g(int x) { return f(x) + 1; }\n",
       }) {
    EXPECT_THAT(diagnostics_of(rest + kernel), IsEmpty()) << rest;
  }
}

TEST(CallersOfHost, AreCompiledWithAWarning) {
  const std::string kernel = "__global__ void k(int* o) { o[0] = f(o[1]); }\n";
  for (const char* rest : {
           "int host(int x) { return x; }\n"
           "__host__ __device__ int f(int x) { return x > 0 ? x : host(x); }\n",
           "__host__ int host(int x) { return x; } int main() { host(3); }\n"
           "__host__ __device__ int f(int x) { return x > 0 ? x : host(x); }\n",
           "int host(int x) { return x; }\n__host__ __device__ int inner(int x) { return host(x); "
           "}\n"
           "__host__ __device__ int f(int x) { return x > 0 ? x : inner(x); }\n",
           "#include <cstdlib>\n\n"
           "__host__ __device__ int f(int x) { return x > 0 ? x : rand(); }\n",
       }) {
    const auto program = program_of(rest + kernel);
    EXPECT_THAT(program.warnings, HasSubstr("calls the __host__ function")) << rest;
    EXPECT_THAT(program.ptx.text(), HasSubstr("trap;")) << rest;
  }
}

TEST(CallersOfHost, AreNotForTheDeviceOnly) {
  const auto found = diagnostics_of(
      "int host(int x) { return x; }\n__host__ __device__ int f(int x) { return host(x); }\n"
      "__global__ void k(int* o) { o[0] = f(1) + host(2); }\n");
  ASSERT_EQ(2u, found.size());
  EXPECT_EQ(2u, found[0].where.line);
  EXPECT_EQ(3u, found[1].where.line);
}

}  // namespace warpgrade::compile::host_code_test
