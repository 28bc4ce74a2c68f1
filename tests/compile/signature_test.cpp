// SPDX-License-Identifier: Apache-2.0
// Canonical signatures, and look-ups of kernels in small programs from the real compiler.
#include "common/compile/signature.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/compile/compiling.h"

namespace warpgrade::compile::signature_test {

using testing::HasSubstr;

constexpr const char* kCopy = "copy(float* out, const float* in, int width, int height)";
constexpr const char* kRed =
    "template <int Factor> red(float* partial, const float* in, unsigned n)";
constexpr const char* kExpectedCopy =
    "; expected: __global__ void copy(float* out, const float* in, int width, int height)";

// The kernel's name in PTX, or "LINE: MESSAGE" if it is not found.
std::string look_up(const std::string& source, const std::string& name,
                    const std::string& signature) {
  auto request = request_for(source);
  if (name.find('<') != std::string::npos) request.instantiations = {name};
  const auto program = program_of(request);
  const auto found = find_kernel(program, name, signature);
  if (const auto* kernel = std::get_if<const Kernel*>(&found)) return (*kernel)->name;
  const auto& diagnostic = std::get<base::Diagnostic>(found);
  EXPECT_EQ(base::DiagnosticKind::kCompileError, diagnostic.kind);
  return std::to_string(diagnostic.where.line) + ": " + diagnostic.message;
}

std::string copy_in(const std::string& source) { return look_up(source, "copy", kCopy); }
std::string red_in(const std::string& source) { return look_up(source, "red<4>", kRed); }

TEST(FindKernel, TakesTheExpectedParameterListInAnySpelling) {
  EXPECT_EQ(
      "_Z4copyPfPKfii",
      copy_in("__global__ void copy(float* __restrict__ o, float const* const i, const int w, "
              "signed h) { o[w] = i[h]; }"));
}

TEST(FindKernel, ComparesExternCKernelsByTheLayoutOfTheirParameters) {
  EXPECT_EQ("copy", copy_in("extern \"C\" __global__ void copy(float* o, const float* i, int w, "
                            "int h) { o[w] = i[h]; }"));
  EXPECT_EQ(std::string("1: the kernel 'copy' has the wrong parameter list: found parameters of 8, "
                        "8, floating-point 4 bytes") +
                kExpectedCopy,
            copy_in("extern \"C\" __global__ void copy(float* o, const float* i, float w) {}"));
}

TEST(FindKernel, NamesAWrongParameterList) {
  EXPECT_EQ(std::string("2: the kernel 'copy' has the wrong parameter list: found copy(float*, "
                        "double const*, int, int)") +
                kExpectedCopy,
            copy_in("\n__global__ void copy(float* o, const double* i, int w, int h) {}"));
}

TEST(FindKernel, TellsADeviceFunctionFromAKernel) {
  EXPECT_EQ(std::string("3: 'copy' is a __device__ function; a kernel is a __global__ one") +
                kExpectedCopy,
            copy_in("// void copy(int)\n__device__ int a;\n__device__ void copy(float*) {}\n"
                    "__global__ void k(float* o) { copy(o); }"));
}

TEST(FindKernel, LaunchesTheOverloadWithTheExpectedParameters) {
  const std::string right =
      "__global__ void copy(float* o, const float* i, int w, int h) { o[w] = i[h]; }\n";
  for (const char* other :
       {"__global__ void copy(float* o) {}\n", "__device__ void copy(float* o) {}\n",
        "void copy(float* o) {}\n", "static int copy(int n) { return n; }\n",
        "template <class T> __global__ void copy(T* o) {}\n",
        "template <class T> __device__ void copy(T* o, T n) {}\n",
        "template <int N> __global__ void copy() {}\ntemplate __global__ void copy<3>();\n",
        "__global__ void copy(float* o, const double* i, int w, int h) {}\n",
        "namespace w { __global__ void copy(float* o, const float* i, int w, int h) {} }\n"}) {
    EXPECT_EQ("_Z4copyPfPKfii", copy_in(other + right)) << other;
    EXPECT_EQ("_Z4copyPfPKfii", copy_in(right + other)) << other;
  }
}

TEST(FindKernel, RefusesOverloadsWithOtherParameters) {
  EXPECT_EQ(std::string("1: 2 kernels are named 'copy', but exactly one must have the expected "
                        "parameters: copy(float*, float const*, int) and copy(float*)") +
                kExpectedCopy,
            copy_in("__global__ void copy(float* o, const float* i, int w) {}\n"
                    "__global__ void copy(float* o) {}"));
}

// `warpgrade profile` expects no signature.
TEST(FindKernel, ATemplateNeedsAnInstance) {
  EXPECT_THAT(look_up("template <int N>\n__global__ void sum() {}", "sum", ""),
              HasSubstr("2: 'sum' is a template; name an instance, such as 'sum<4>'"));
}

TEST(FindKernel, ChoosesAnOverloadByItsParameters) {
  const std::string source =
      "__global__ void fill(int* out, unsigned n) {}\n__global__ void fill(float* out) {}\n"
      "namespace A {\n__global__ void scale(double* x) {}\n}\n";
  EXPECT_EQ("_Z4fillPf", look_up(source, "fill(float*)", ""));
  EXPECT_EQ("_Z4fillPij", look_up(source, "fill(int *, unsigned int)", ""));
  EXPECT_EQ("_Z4fillPij", look_up(source, "fill(int* out, unsigned n)", ""));
  EXPECT_EQ("_ZN1A5scaleEPd", look_up(source, "scale", ""));
  EXPECT_EQ("_ZN1A5scaleEPd", look_up(source, "A::scale(double*)", ""));
  EXPECT_EQ(
      "1: 2 kernels are named 'fill'; choose one by its full name: fill(int*, unsigned int) "
      "and fill(float*)",
      look_up(source, "fill", ""));
  EXPECT_THAT(look_up(source, "fill(double*)", ""),
              HasSubstr("no kernel is named 'fill(double*)'"));
}

TEST(FindKernel, ANameInTwoNamespacesIsNoChoice) {
  EXPECT_THAT(look_up("namespace A {\n__global__ void f() {}\n}\nnamespace B {\n__global__ void "
                      "f(int) {}\n}\n",
                      "f", ""),
              HasSubstr("2 kernels are named 'f'; choose one by its full name: A::f() and "
                        "B::f(int)"));
}

TEST(FindKernel, GuessesAtATypingMistake) {
  EXPECT_EQ(std::string("1: no kernel is named 'copy'; did you mean 'cpoy'?") + kExpectedCopy,
            copy_in("__global__ void cpoy(float* o, const float* i, int w, int h) {}"));
}

TEST(FindKernel, ListsWhatThereIs) {
  EXPECT_EQ(
      std::string("0: no kernel is named 'copy'; the file has 'a()', 'b(int)'") + kExpectedCopy,
      copy_in("__global__ void a() {}\n__global__ void b(int) {}"));
  EXPECT_EQ(std::string("0: no kernel is named 'copy'; the file has no kernel") + kExpectedCopy,
            copy_in("__device__ int a;"));
}

TEST(FindKernel, RefusesANamespaceAndATemplate) {
  EXPECT_THAT(copy_in("namespace w {\n__global__ void copy() {}\n}"),
              HasSubstr("2: the kernel 'w::copy' must not be in a namespace"));
  EXPECT_THAT(copy_in("template <int N>\n__global__ void copy() {}"),
              HasSubstr("2: 'copy' is a template here, but must be a plain kernel"));
  EXPECT_THAT(copy_in("template <int N>\n__global__ void copy() {}\n"
                      "template __global__ void copy<3>();"),
              HasSubstr("2: 'copy' is a template here, but must be a plain kernel"));
}

TEST(FindKernel, FindsATemplateInstance) {
  EXPECT_EQ(
      "_Z3redILi4EEvPfPKfj",
      red_in("template <int F> __global__ void red(float* p, const float* i, unsigned n) {}"));
}

TEST(FindKernel, SaysWhyThereIsNoTemplateInstance) {
  EXPECT_EQ(
      "1: 'red' is a plain kernel here, but must be a template; expected: template <int Factor> "
      "__global__ void red(float* partial, const float* in, unsigned n)",
      red_in("__global__ void red(float* p, const float* i, unsigned n) {}"));
  EXPECT_THAT(red_in("template <int F> __device__ void red(float* p) {}"),
              HasSubstr("1: 'red' is a __device__ function"));
  EXPECT_THAT(red_in("template <class F> __global__ void red(float* p) {}"),
              HasSubstr("1: the kernel template 'red' cannot be instantiated as red<4>"));
  EXPECT_THAT(red_in("template <int F> __global__ void rde(float* p) {}"),
              HasSubstr("1: no kernel is named 'red<4>'; did you mean 'rde'?"));
  EXPECT_THAT(red_in("template <int F> __global__ void red(float* p, const float* i, int n) {}"),
              HasSubstr("wrong parameter list: found red<4>(float*, float const*, int)"));
}

TEST(FindKernel, RefusesTwoTemplatesThatFit) {
  const std::string right =
      "template <int F> __global__ void red(float* p, const float* i, unsigned n) {}\n";
  const std::string refused =
      "1: 2 templates are named 'red', but exactly one must fit red<4>; expected: template <int "
      "Factor> __global__ void red(float* partial, const float* in, unsigned n)";
  for (const char* other :
       {"template <int F> __global__ void red(float* p) {}\n",
        "template <int F> __device__ void red(float* p) {}\n",
        "template <unsigned F> __global__ void red(float* p, const float* i, unsigned n) {}\n"}) {
    EXPECT_EQ(refused, red_in(other + right)) << other;
    EXPECT_EQ(refused, red_in(right + other)) << other;
  }
  EXPECT_EQ("_Z3redILi4EEvPfPKfj",
            red_in("template <class T> __global__ void red(T* p) {}\n" + right));
  EXPECT_THAT(red_in("template <class F> __global__ void red(F* p);\n"
                     "template <class F> __global__ void red(F* p) {}\n"),
              HasSubstr("2: the kernel template 'red' cannot be instantiated as red<4>"));
}

TEST(FindKernel, KeepsTheInstancesThatExist) {
  auto request = request_for("template <int F> __global__ void red(float* p) {}");
  request.instantiations = {"red<2>", "other<2>", "red< 8 >"};
  const auto program = program_of(request);
  EXPECT_EQ(2u, program.kernels.size());
  EXPECT_EQ("_Z3redILi8EEvPf", program.lowered.at("red< 8 >"));
  EXPECT_EQ(0u, program.lowered.count("other<2>"));
}

TEST(FindKernel, WithoutASignatureTakesAnyParameters) {
  EXPECT_EQ("_Z4copyi", look_up("__global__ void copy(int) {}", "copy", ""));
}

TEST(Signature, OfADeclarationEqualsTheDemangledOne) {
  EXPECT_EQ(parse_signature("copy(float*, float const*, int, int)"),
            parse_signature("copy(float* out, const float* in, int width, int height)"));
}

TEST(Signature, IgnoresTopLevelConstAndRestrict) {
  EXPECT_EQ(
      parse_signature("k(float*, float const*, int)"),
      parse_signature("k(float* __restrict__ o, const float* __restrict__ const i, const int n)"));
}

TEST(Signature, KeepsConstBehindAPointer) {
  EXPECT_NE(parse_signature("k(float*)"), parse_signature("k(const float*)"));
  EXPECT_EQ("k(float* const*)", to_string(parse_signature("k(float* const* p)")));
}

TEST(Signature, KnowsTheSpellingsOfArithmeticTypes) {
  EXPECT_EQ(
      "k(unsigned int, unsigned int, unsigned long, long long, unsigned char, short)",
      to_string(parse_signature(
          "k(unsigned a, unsigned int b, size_t c, long long int d, uint8_t e, short int f)")));
}

TEST(Signature, DropsReturnTypeAndKeepsTemplateArguments) {
  EXPECT_EQ("red<4>(float*, unsigned int)",
            to_string(parse_signature("void red<4>(float*, unsigned int)")));
  EXPECT_EQ("w::red<(E)1,floatconst*>()",
            to_string(parse_signature("void w::red<(E)1, float const*>()")));
  EXPECT_EQ("red(float*, unsigned int)",
            to_string(parse_signature("template <int Factor> red(float* partial, unsigned n)")));
}

TEST(Signature, OfNoParametersIsEmpty) {
  EXPECT_TRUE(parse_signature("k()").parameters.empty());
  EXPECT_TRUE(parse_signature("k(void)").parameters.empty());
  EXPECT_TRUE(parse_signature("k").parameters.empty());
}

TEST(Signature, TreatsBothSixtyFourBitIntegersAsOneType) {
  EXPECT_TRUE(is_same_type("unsigned long", "unsigned long long"));
  EXPECT_FALSE(is_same_type("unsigned long", "long"));
  EXPECT_FALSE(is_same_type("float*", "double*"));
}

TEST(Signature, KnowsSizesOfParameters) {
  EXPECT_EQ(8u, size_of("float const*"));
  EXPECT_EQ(4u, size_of("unsigned int"));
  EXPECT_EQ(8u, size_of("double"));
  EXPECT_EQ(0u, size_of("float4"));
}

}  // namespace warpgrade::compile::signature_test
