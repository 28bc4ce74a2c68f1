// SPDX-License-Identifier: Apache-2.0
#include "common/compile/instances.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <variant>

#include "common/base/error.h"
#include "common/compile/signature.h"
#include "tests/compile/compiling.h"

namespace warpgrade::compile::instances_test {

// Instances of templates that the source names.

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string kScale =
    "template <typename T, int N>\n"
    "__global__ void scale(T* x) { x[threadIdx.x] *= N; }\n";

TEST(NamedInstances, AreThoseOfLaunchesAndCallsOfTheRuntime) {
  EXPECT_THAT(named_instances(kScale + "void f() { scale<float, 4><<<1, 32>>>(p); }\n", "scale"),
              ElementsAre("scale<float, 4>"));
  EXPECT_THAT(named_instances(
                  kScale + "void f() { scale<float,4><<<1, 2>>>(p); cudaLaunchKernel((void*)"
                           "scale<unsigned int, 8>, g, b, a); scale<float, 4><<<2, 2>>>(q); }\n",
                  "scale"),
              ElementsAre("scale<float, 4>", "scale<unsigned int, 8>"));
  EXPECT_THAT(named_instances(kScale + "bool b = scale < 3 && x > 4;\n", "scale"), IsEmpty());
  EXPECT_THAT(named_instances(kScale, "scale"), IsEmpty());
}

TEST(NamedInstances, AConstantOfTheHostIsItsNumber) {
  EXPECT_THAT(
      named_instances(
          kScale + "int main() { const int kBlock = 256; scale<float, kBlock><<<1, kBlock>>>(p); }",
          "scale"),
      ElementsAre("scale<float, 256>"));
}

TEST(NamedInstances, DefaultsMakeOne) {
  EXPECT_THAT(named_instances("template <int N = 4> __global__ void k(int* o) {}\n", "k"),
              ElementsAre("k<>"));
  EXPECT_THAT(named_instances("template <int N = 4, int M> __global__ void k(int* o) {}\n", "k"),
              IsEmpty());
}

TEST(NamedInstances, HostileTextIsRead) {
  EXPECT_THAT(named_instances("k<", "k"), IsEmpty());
  EXPECT_THAT(named_instances("k<>k<<<k<)>(", "k"), IsEmpty());
  EXPECT_THAT(named_instances("template<template<template", "k"), IsEmpty());
}

TEST(ExampleInstance, FitsTheParameters) {
  EXPECT_EQ("scale<float, 4>", example_instance(kScale, "scale"));
  EXPECT_EQ("k<true>", example_instance("template <bool B> __global__ void k() {}", "k"));
}

std::string found(const std::string& source, const std::string& name) {
  auto request = request_for(source);
  request.instantiations = instances_for(source, {name});
  const auto program = program_of(request);
  const auto kernel = find_kernel(program, name);
  if (const auto* wrong = std::get_if<base::Diagnostic>(&kernel)) return wrong->message;
  return std::get<const Kernel*>(kernel)->signature;
}

TEST(InstancesFor, ATemplateWithOneInstanceIsFoundByItsName) {
  EXPECT_EQ("scale<float,4>(float*)",
            found(kScale + "int main() { scale<float, 4><<<1, 32>>>(nullptr); }\n", "scale"));
  EXPECT_EQ("k<7>(int*)",
            found("template <int N = 7> __global__ void k(int* o) { o[0] = N; }\n", "k"));
  EXPECT_EQ("scale<double,2>(double*)",
            found(kScale + "template __global__ void scale<double, 2>(double*);\n", "scale"));
}

TEST(InstancesFor, SeveralAreAChoiceOfTheReader) {
  EXPECT_EQ(
      "'scale' is a template, and the file names several instances; name one: 'scale<float, 4>', "
      "'scale<float, 8>'",
      found(kScale + "int main() { scale<float, 4><<<1, 1>>>(p); scale<float, 8><<<1, 1>>>(p); }\n",
            "scale"));
  EXPECT_EQ("'scale' is a template; name an instance, such as 'scale<float, 4>'",
            found(kScale + "int main() { float* p = 0; scale<<<1, 1>>>(p); }\n", "scale"));
}

// An argument that only the host knows.
TEST(InstancesFor, AnInstanceThatDoesNotExistIsNoError) {
  EXPECT_EQ("'scale' is a template; name an instance, such as 'scale<float, kSize>'",
            found(kScale + "void f(int kSize) { scale<float, kSize><<<1, 1>>>(p); }\n", "scale"));
}

TEST(OnlyKernel, IsTakenOrTheListIsShown) {
  EXPECT_EQ(
      "a(int*)",
      only_kernel(program_of("__global__ void a(int* o) { o[0] = 1; }\n"), "--kernel").signature);
  try {
    only_kernel(program_of("__global__ void a(int* o) { o[0] = 1; }\n"
                           "__global__ void b(int* o) { o[0] = 1; }\n"
                           "#if 0\n__global__ void c(int* o) { o[0] = 1; }\n#endif\n" +
                           kScale),
                "--kernel");
    FAIL();
  } catch (const base::UsageError& error) {
    EXPECT_STREQ(
        "kernel.cu has 2 kernels; name one by --kernel\n  a(int*)\n  b(int*)\n"
        "  c (not compiled: line 3, `#if 0`, leaves it out, until you remove it and its #endif)\n"
        "  scale (a template; such as scale<float, 4>)",
        error.what());
  }
}

}  // namespace warpgrade::compile::instances_test
