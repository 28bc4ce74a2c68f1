// SPDX-License-Identifier: Apache-2.0
#include "common/compile/nvcc_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "common/compile/compiler_log.h"
#include "tests/compile/compiling.h"

namespace warpgrade::compile::nvcc_rules_test {

// Sources that nvcc 13.0 refuses but NVRTC compiles, with the real compiler. Each case was also
// compiled by hand with `nvcc -arch=sm_90 -cubin`.

using testing::HasSubstr;
using testing::IsEmpty;

std::vector<base::Diagnostic> refusal(const std::string& source) {
  return diagnostics_of(request_for(source));
}

TEST(NvccRules, AKernelCannotBeCalledLikeAFunction) {
  for (const std::string call : {"other(out);", "if (out[0] > 0) other(out); else other(out + 1);",
                                 "return other(out);", "k(out);"}) {
    const auto found = refusal(
        "__global__ void other(float* out) { out[1] = 1; }\n"
        "__global__ void k(float* out) { " +
        call + " }\n");
    ASSERT_EQ(1u, found.size()) << call;
    EXPECT_THAT(found[0].message, HasSubstr("a __global__ function call must be configured"));
  }
  EXPECT_THAT(refusal("template <int N> __global__ void other(float* out) { out[N] = 1; }\n"
                      "__global__ void k(float* out) { other<2>(out); }\n"),
              testing::SizeIs(1));
}

TEST(NvccRules, ANameWithAnotherMeaningIsNoCallOfAKernel) {
  EXPECT_THAT(refusal("__device__ float add(float a, float b) { return a + b; }\n"
                      "__global__ void add(float* out) { out[0] = add(1, 2); }\n"
                      "__global__ void scale(float* out) { out[0] = 1; }\n"
                      "struct Op { __device__ float reduce(float x) const { return x; } };\n"
                      "__global__ void reduce(float* out) {\n"
                      "  Op op;\n  out[0] = op.reduce(1);\n"
                      "  auto scale = [](float x) { return 2 * x; };\n  out[1] = scale(3);\n"
                      "  float copy(3);\n  out[2] = copy;\n}\n"
                      "__global__ void copy(float* out) { out[0] = 1; }\n"),
              IsEmpty());
}

TEST(NvccRules, HostCodeCannotCallAKernelLikeAFunction) {
  const std::string kernel = "__global__ void scale(float* out, int n) { out[n] *= 2; }\n";
  for (const std::string host : {"void run(float* out) { scale(out, 3); }\n",
                                 "int main() { float* out = nullptr; scale(out, 3); }\n"}) {
    const auto found = refusal(kernel + host);
    ASSERT_EQ(1u, found.size()) << host;
    EXPECT_THAT(found[0].message, HasSubstr("a __global__ function call must be configured"));
  }
  for (const std::string host :
       {"void run(float* out) { scale<<<1, 1>>>(out, 3); }\n",
        "void scale(float* out) { out[0] = 1; }\nvoid run(float* out) { scale(out); }\n",
        "void run(float* out) { auto scale = [](float*, int) {}; scale(out, 3); }\n",
        "struct S { void scale(float*, int) {} void run() { scale(nullptr, 3); } };\n",
        "#include <thrust/sort.h>\nusing namespace thrust;\nvoid run(float* p) { scale(p, 3); "
        "}\n"}) {
    EXPECT_THAT(refusal(kernel + host), IsEmpty()) << host;
  }
}

TEST(NvccRules, AnInlineVariableOfTheDeviceNeedsInternalLinkage) {
  const std::string kernel = "__global__ void k(float* out) { out[0] = n; }\n";
  const auto found = refusal("inline __device__ int n = 3;\n" + kernel);
  ASSERT_EQ(1u, found.size());
  EXPECT_THAT(found[0].message, HasSubstr("must have internal linkage"));
  for (const std::string head :
       {"static inline __device__ int n = 3;\n", "__device__ int n = 3;\n",
        "namespace { inline __device__ int n = 3; }\n", "inline constexpr int n = 3;\n"}) {
    EXPECT_THAT(refusal(head + kernel), IsEmpty()) << head;
  }
}

TEST(NvccRules, AFunctionOfBothCannotCallOneOfTheDevice) {
  const std::string own = "__device__ int g(int x) { return x; }\n";
  const std::string kernel = "__global__ void k(int* out) { out[0] = f(1); }\n";
  for (const std::string body : {"return g(x);", "return __popc(x);", "__syncthreads(); return x;",
                                 "return __shfl_sync(~0u, x, 0);", "return __expf(x);"}) {
    const auto found =
        refusal(own + "__host__ __device__ int f(int x) { " + body + " }\n" + kernel);
    ASSERT_EQ(1u, found.size()) << body;
    EXPECT_THAT(found[0].message, HasSubstr("from a __host__ __device__ function(\"f\")")) << body;
  }
  for (const std::string f :
       {"__host__ __device__ int f(int x) { return rsqrtf(x); }\n",
        "__host__ __device__ int f(int x) {\n#ifdef __CUDA_ARCH__\nreturn g(x);\n#else\nreturn x;\n"
        "#endif\n}\n",
        "template <class T> __host__ __device__ T f(T x) { return g(x); }\n",
        "__device__ int f(int x) { return g(x) + __popc(x); }\n"}) {
    EXPECT_THAT(refusal(own + f + kernel), IsEmpty()) << f;
  }
}

TEST(NvccRules, AGotoCannotPassAnInitialValue) {
  EXPECT_EQ(1u,
            refusal("__global__ void k(int* out) { if (out[0]) goto end; int q = 4; out[1] = q; "
                    "end: return; }\n")
                .size());
  EXPECT_THAT(
      refusal("__global__ void k(int* out) { int q; if (out[0]) goto end; q = 4; out[1] = q;"
              " end: return; }\n"),
      IsEmpty());
}

TEST(NvccRules, ALambdaWithASpaceNeedsAnOption) {
  const std::string apply =
      "template <class F> __global__ void apply(int* o, F f) { o[0] = f(3); }\n"
      "template <class F> __device__ int result(F f) { return f(3); }\n";
  for (const char* rest : {
           "void g(int* o) { apply<<<1, 1>>>(o, [] __device__(int x) { return x + 1; }); }\n",
           "void g(int* o) { auto f = [=] __host__ __device__(int x) { return x; }; "
           "apply<<<1, 1>>>(o, f); }\n",
           "__global__ void k(int* o) { o[0] = result([] __device__(int x) { return x; }); }\n",
       }) {
    EXPECT_EQ(1u, refusal(apply + rest).size()) << rest;
  }
  for (const char* rest : {
           "__global__ void k(int* o) { o[0] = result([](int x) { return x; }); }\n",
           "[[nodiscard]] __device__ int f(int x) { return x; }\n",
           "#ifdef __CUDACC_EXTENDED_LAMBDA__\nvoid g(int* o) { apply<<<1, 1>>>(o, [] "
           "__device__(int x) { return x + 1; }); }\n#endif\n",
       }) {
    EXPECT_THAT(refusal(apply + rest), IsEmpty()) << rest;
  }
}

}  // namespace warpgrade::compile::nvcc_rules_test

namespace warpgrade::compile::host_constexpr_test {

// Calls of the host's constexpr functions in device code, with the real compiler. nvcc 13.0 refused
// each call that is made at run time.

using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

constexpr const char* kFunctions =
    "#include <algorithm>\n#include <array>\n#include <limits>\n#include <utility>\n"
    "constexpr int twice(int n) { return 2 * n; }\n"
    "constexpr int of_twice(int n) { return twice(n); }\n"
    "template <class T> constexpr T square(T x) { return x * x; }\n"
    "struct Point {\n  int x;\n  constexpr Point(int v) : x(v) {}\n"
    "  constexpr int get() const { return x; }\n"
    "  static constexpr int next(int n) { return n + 1; }\n"
    "  constexpr Point operator+(Point o) const { return Point(x + o.x); }\n};\n"
    "template <int N> __device__ int shifted(int x) { return x << N; }\n"
    "__device__ int with_default(int x, int y = twice(2)) { return x + y; }\n"
    "#define BOTH __host__ __device__\n";

std::vector<base::Diagnostic> refusal(const std::string& body, const std::string& more = "") {
  return diagnostics_of(kFunctions + more + "__global__ void k(int* o) {\n  " + body + "\n}\n");
}

// compile() returns at most this many diagnostics.
constexpr std::size_t kBodiesPerFile = kMaxDiagnostics;

/// The diagnostics of each body, each in a kernel of its own. Several bodies share a file, because
/// parsing the library's headers dominates the compile time. Throws if a diagnostic is outside all
/// bodies.
std::vector<std::vector<base::Diagnostic>> refusals(const std::vector<std::string>& bodies,
                                                    const std::string& more = "") {
  std::vector<std::vector<base::Diagnostic>> found(bodies.size());
  for (std::size_t first = 0; first < bodies.size(); first += kBodiesPerFile) {
    std::string source = kFunctions + more;
    std::map<int, std::size_t> body_at_line;
    for (auto body = first; body < std::min(first + kBodiesPerFile, bodies.size()); ++body) {
      source += "__global__ void k" + std::to_string(body) + "(int* o) {\n";
      body_at_line[1 + static_cast<int>(std::count(source.begin(), source.end(), '\n'))] = body;
      source += "  " + bodies[body] + "\n}\n";
    }
    for (const auto& diagnostic : diagnostics_of(source)) {
      const auto place = body_at_line.find(diagnostic.where.line);
      if (place == body_at_line.end()) throw std::runtime_error(diagnostic.message);
      found[place->second].push_back(diagnostic);
    }
  }
  return found;
}

void expect_refused(const std::vector<std::string>& bodies, const std::string& more) {
  const auto found = refusals(bodies, more);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    EXPECT_THAT(found[i], Not(IsEmpty())) << bodies[i];
  }
}

TEST(HostConstexpr, CallsAtRunTimeAreErrors) {
  const std::pair<const char*, const char*> cases[] = {
      {"o[0] = twice(o[1]);", "twice"},
      {"o[0] = twice(3);", "twice"},
      {"const int n = twice(3); o[0] = n;", "twice"},
      {"if (threadIdx.x < twice(3)) o[0] = 1;", "twice"},
      {"for (int i = 0; i < twice(4); ++i) o[i] = i;", "twice"},
      {"switch (o[1]) { case 1: o[0] = twice(o[2]); }", "twice"},
      {"o[0] = square(o[1]);", "square"},
      {"Point p(o[1]); o[0] = p.x;", "Point"},
      {"o[0] = Point::next(o[1]);", "next"},
      {"o[0] = std::min(o[1], o[2]);", "min"},
      {"o[0] = std::max(o[1], 2);", "max"},
      {"o[0] = std::clamp(o[1], 0, 3);", "clamp"},
      {"std::swap(o[1], o[2]);", "swap"},
      {"o[0] = std::exchange(o[1], 3);", "exchange"},
      {"auto p = std::make_pair(o[1], 2); o[0] = p.first;", "make_pair"},
      {"std::array<int, 4> a; a[o[1]] = 1; o[0] = 1;", "operator[]"},
      {"std::array<int, 4> a{}; o[0] = a.size();", "size"},
      {"o[0] = std::numeric_limits<int>::max();", "max"},
  };
  std::vector<std::string> bodies;
  for (const auto& [body, function] : cases) bodies.push_back(body);
  const auto found = refusals(bodies);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    ASSERT_EQ(1u, found[i].size()) << bodies[i];
    EXPECT_THAT(found[i][0].message, HasSubstr("calling a constexpr __host__ function"))
        << bodies[i];
    EXPECT_THAT(found[i][0].message, HasSubstr(cases[i].second)) << bodies[i];
  }
}

TEST(HostConstexpr, TheCallIsThePlace) {
  const auto found = diagnostics_of(
      "constexpr int f(int n) { return n; }\n__device__ int g(int n) {\n  return 1 + f(n);\n}\n"
      "__global__ void k(int* o) { o[0] = g(o[1]); }\n");
  ASSERT_EQ(1u, found.size());
  EXPECT_EQ((base::SourceLocation{"kernel.cu", 3, 14}), found[0].where);
}

TEST(HostConstexpr, CallsInConstantExpressionsAreErrorsToo) {
  const std::vector<std::string> bodies = {
      "constexpr int n = twice(3); o[0] = n;",
      "static_assert(twice(2) == 4); o[0] = 1;",
      "if constexpr (of_twice(2) == 4) o[0] = 1; else o[0] = 2;",
      "__shared__ int s[twice(16)]; s[threadIdx.x] = o[1]; o[0] = s[threadIdx.x];",
      "o[0] = shifted<twice(2)>(o[1]);",
      "switch (o[1]) { case twice(1): o[0] = 1; break; default: o[0] = 2; }",
      "enum { kSize = twice(2) }; o[0] = kSize;",
      "alignas(twice(2)) char c[4] = {}; o[0] = c[0];",
      "constexpr int n = std::min(3, 4); o[0] = n;",
      "constexpr int n = std::numeric_limits<int>::max(); o[0] = n;",
  };
  const auto found = refusals(bodies);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    ASSERT_EQ(1u, found[i].size()) << bodies[i];
    EXPECT_THAT(found[i][0].message, HasSubstr("calling a constexpr __host__ function"))
        << bodies[i];
  }
}

TEST(HostConstexpr, UsesThatCallNothingAreLegal) {
  EXPECT_THAT(refusal("o[0] = sizeof(twice(2));\n  decltype(twice(2)) n = 3; o[1] = n;\n"
                      "  struct Local { int v[twice(2)]; }; o[2] = sizeof(Local);\n"
                      "  o[3] = std::numeric_limits<float>::digits;\n"
                      "  o[4] = with_default(o[1]);"),
              IsEmpty());
}

TEST(HostConstexpr, AClassWithTheMarkIsStillAClass) {
  const std::string head =
      "struct V {\n  int x;\n  constexpr V(int a) : x(a) {}\n  constexpr int get() const { "
      "return x; }\n};\n";
  const auto in_kernel = [&](const std::string& body) {
    return diagnostics_of(head + "__global__ void k(int* o) {\n  " + body + "\n}\n");
  };
  EXPECT_EQ(1u, in_kernel("V v(3); o[0] = v.x;").size());
  EXPECT_EQ(1u, in_kernel("V v(o[1]); o[0] = v.x;").size());
  EXPECT_THAT(in_kernel("o[0] = sizeof(V);"), IsEmpty());
}

TEST(HostConstexpr, ArraysOfTheFileAndFunctionObjects) {
  const std::string more =
      "#include <functional>\n#include <tuple>\n#include <utility>\n"
      "constexpr std::array<int, 4> table = {1, 2, 3, 4};\n"
      "using Row = std::array<int, 2>;\n"
      "template <class F> __device__ int apply_to(F f, int x) { return f(x, 1); }\n";
  const std::string call = "__device__ int first(const Row& row) { return row.size() > 5; }\n";
  EXPECT_THAT(refusal("o[0] = 1;", more + call), Not(IsEmpty()));
  // The compiler itself refuses the first use and then reports no others, so these bodies cannot
  // share a file.
  for (const char* body : {
           "o[0] = table[2];",
           "o[0] = table.size();",
           "constexpr int x = table[1]; o[0] = x;",
       }) {
    EXPECT_THAT(refusal(body, more), Not(IsEmpty())) << body;
  }
  const std::vector<std::string> bodies = {
      "Row row; row[0] = 1; o[0] = 2;",
      "o[0] = std::less<int>()(o[0], 3);",
      "std::plus<int> add; o[0] = add(o[1], o[2]);",
      "std::pair<int, int> p; o[0] = p.first;",
      "std::tuple<int, int> t{1, 2}; o[0] = 1;",
      "o[0] = apply_to(std::plus<int>(), 2);",
      "o[0] = *std::addressof(o[1]);",
  };
  expect_refused(bodies, more);
  const std::string no_use = "constexpr std::array<int, 4> table = {1, 2, 3, 4};\n";
  EXPECT_THAT(refusal("int table[2] = {o[1], o[2]}; o[0] = table[1];", no_use), IsEmpty());
  EXPECT_THAT(refusal("o[0] = sizeof(std::pair<int, int>);", no_use), IsEmpty());
}

TEST(HostConstexpr, ArraysInAStructAndOfATemplate) {
  const std::string more =
      "struct S { int n; std::array<int, 4> a; };\n"
      "template <class T> __device__ int first(T& t) { return t[0]; }\n"
      "template <class T> __device__ int all(const T& t) { int s = 0; for (int x : t) s += x; "
      "return s; }\n";
  // These errors are located in the template, outside the bodies.
  for (const char* body : {
           "std::array<int, 4> a{1, 2, 3, 4}; o[0] = first(a);",
           "std::array<int, 4> a{1, 2, 3, 4}; o[0] = all(a);",
       }) {
    EXPECT_THAT(refusal(body, more), Not(IsEmpty())) << body;
  }
  const std::vector<std::string> calls = {
      "S s{}; s.a[0] = o[1]; o[0] = s.n;",
      "S s{}; o[0] = s.a.size();",
      "S s{}; S* p = &s; o[0] = p->a.front();",
      "std::array a{1, 2, 3, 4}; for (auto& x : a) o[0] += x;",
  };
  expect_refused(calls, more);
  const std::vector<std::string> legal = {
      "S s{}; S t = s; o[0] = sizeof(t.a) + t.n;",
      "int a[4] = {1, 2, 3, 4}; o[0] = first(a) + all(a);",
      "std::array<int, 4> a{1, 2, 3, 4}; auto b = a; o[0] = sizeof(b);",
  };
  EXPECT_THAT(refusals(legal, more), Each(IsEmpty()));
}

TEST(HostConstexpr, ArgumentsOfMixedTypes) {
  EXPECT_THAT(refusals({"float x = o[0]; o[0] = fma(x, 2, x);", "o[0] = fma(o[0], 2, o[1]);",
                        "float x = o[0]; o[0] = fma(x, 2.0, x);"}),
              Each(SizeIs(1)));
  EXPECT_THAT(refusals({"float x = o[0]; o[0] = fma(x, 2.0f, x);",
                        "double x = o[0]; o[0] = fma(x, 2.0, x);"}),
              Each(IsEmpty()));
}

TEST(HostConstexpr, ExitIsOfTheHost) {
  const auto found = refusal("if (o[0] < 0) exit(1);");
  ASSERT_EQ(1u, found.size());
  EXPECT_THAT(found[0].message, HasSubstr("calling a __host__ function (\"exit"));
  EXPECT_THAT(refusal("o[0] = checked(o[1]);",
                      "__host__ __device__ int checked(int x) { if (x < 0) exit(1); return x; }\n"),
              IsEmpty());
}

TEST(HostConstexpr, FunctionsOfTheDeviceMayBeCalled) {
  const std::string functions =
      "__host__ __device__ constexpr int both(int n) { return n; }\n"
      "__device__ constexpr int device(int n) { return n; }\n"
      "BOTH constexpr int by_macro(int n) { return n; }\n"
      "constexpr int kTable = twice(3);\n"
      "__host__ __device__ int of_both(int n) { return twice(n); }\n"
      "BOTH int of_macro(int n) { return twice(n); }\n";
  const std::vector<std::string> bodies = {
      "o[0] = both(o[1]) + device(o[1]) + by_macro(o[1]) + kTable;",
      "o[0] = of_both(o[1]) + of_macro(o[1]);",
      "auto f = [](int x) constexpr { return x + 1; }; o[0] = f(o[1]);",
      "o[0] = min(o[1], o[2]) + max(o[1], 2);",
      "int a = o[1]; o[0] = std::move(a);",
  };
  EXPECT_THAT(refusals(bodies, functions), Each(IsEmpty()));
}

TEST(HostConstexpr, CallsInFunctionsOfBothAreWarnings) {
  for (const char* function : {
           "__host__ __device__ int f(int n) { return n > 0 ? n : twice(n); }\n",
           "BOTH int f(int n) { return n > 0 ? n : std::max(n, 3); }\n",
       }) {
    const auto program = program_of(std::string(kFunctions) + function +
                                    "__global__ void k(int* o) { o[0] = f(o[1]); }\n");
    EXPECT_THAT(program.warnings, HasSubstr("kernel.cu:18: a __host__ __device__ function calls"))
        << program.warnings;
  }
}

TEST(HostConstexpr, FunctionsOfTheHostsLibraryStopTheKernel) {
  const std::string kernel = "__global__ void k(int* o) { o[0] = f(o[1]); }\n";
  EXPECT_THAT(program_of(std::string(kFunctions) +
                         "BOTH int f(int n) { return std::max(n, 3); }\n" + kernel)
                  .ptx.text(),
              HasSubstr("trap;"));
  EXPECT_THAT(
      program_of(std::string(kFunctions) +
                 "BOTH int f(int n) { constexpr int m = std::max(2, 3); return n + m; }\n" + kernel)
          .ptx.text(),
      Not(HasSubstr("trap;")));
}

TEST(HostConstexpr, TheMarksLeaveNoWarning) {
  const auto calls = calls_of_host_constexpr(
      "k.cu(1): warning #1444-D: function \"f\" was declared deprecated (\"constexpr of the "
      "host\")\n  constexpr int n = f(1);\n                    ^\n\nRemark: x\n\n"
      "k.cu(3): warning #550-D: variable \"s\" was set but never used\n  int s = 1;\n      ^\n\n",
      "k.cu", "constexpr int n = f(1);\n");
  EXPECT_THAT(calls.errors, IsEmpty());
  EXPECT_THAT(calls.rest_of_log, testing::StartsWith("k.cu(3): warning #550-D"));
}

}  // namespace warpgrade::compile::host_constexpr_test
