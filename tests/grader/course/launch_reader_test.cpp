// SPDX-License-Identifier: Apache-2.0
#include "grader/course/launch_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/error.h"
#include "grader/course/parameter_reader.h"

namespace warpgrade::grader::course::launch_reader_test {

// Prototypes of kernels as manifests write them.

using testing::HasSubstr;
using testing::StartsWith;
using verify::ElementType;

const base::SourceLocation kPlace{"lab.toml", 3, 10};

Prototype parsed(const std::string& text) { return parse_prototype(text, kPlace, "`kernel`"); }

std::string error_of(const std::string& text) {
  try {
    parsed(text);
  } catch (const base::UsageError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Prototype, HasNamesTypesAndConstants) {
  const auto out = parsed("copy(float* out, const float *in, unsigned n, bool deep)");
  EXPECT_EQ("copy", out.kernel);
  ASSERT_EQ(4U, out.parameters.size());
  EXPECT_EQ("out", out.parameters[0].name);
  EXPECT_TRUE(out.parameters[0].is_pointer);
  EXPECT_FALSE(out.parameters[0].is_constant);
  EXPECT_TRUE(out.parameters[1].is_constant);
  EXPECT_EQ(ElementType::kF32, out.parameters[1].element);
  EXPECT_EQ(ElementType::kU32, out.parameters[2].element);
  EXPECT_TRUE(out.parameters[3].is_bool);
  EXPECT_EQ("copy(float*, const float*, unsigned int, bool)", out.signature());
}

// Spellings of one type in C++.
TEST(Prototype, KnowsTheSpellingsOfEachType) {
  for (const auto& [text, type] : std::vector<std::pair<std::string, ElementType>>{
           {"signed char", ElementType::kI8},
           {"const unsigned char", ElementType::kU8},
           {"short int", ElementType::kI16},
           {"unsigned short", ElementType::kU16},
           {"int", ElementType::kI32},
           {"unsigned", ElementType::kU32},
           {"long long", ElementType::kI64},
           {"unsigned long long int", ElementType::kU64},
           {"double", ElementType::kF64}}) {
    EXPECT_EQ(type, parsed("k(" + text + "* p)").parameters.at(0).element) << text;
  }
}

TEST(Prototype, TemplateArgumentsBelongToTheName) {
  const auto out = parsed("reduce<{factor}>(float* out, Pair<int, float> p)");
  EXPECT_EQ("reduce<{factor}>", out.kernel);
  EXPECT_EQ("Pair<int, float>", out.parameters.at(1).base);
  EXPECT_FALSE(out.parameters.at(1).element);
}

TEST(Prototype, RestrictAndAConstantPointerChangeNothing) {
  EXPECT_EQ("k(float*, const int*)",
            parsed("k(float* __restrict__ const out, const int* __restrict in)").signature());
}

TEST(Prototype, ANameAloneHasNoList) {
  EXPECT_FALSE(parsed("copy").has_list);
  EXPECT_TRUE(parsed("copy()").has_list);
  EXPECT_TRUE(parsed("copy(void)").parameters.empty());
}

TEST(Prototype, MistakesHaveTheirPlaceAndAnExample) {
  EXPECT_THAT(error_of("copy(float*)"), StartsWith("lab.toml:3:10: `kernel`: "));
  EXPECT_THAT(error_of("copy(float*)"), HasSubstr("write a prototype such as \"copy(float* out"));
  EXPECT_THAT(error_of("copy(int)"), HasSubstr("the parameter `int` has no name"));
  EXPECT_THAT(error_of("copy(int n"), HasSubstr("is not closed"));
  EXPECT_THAT(error_of("copy(int n,, int m)"), HasSubstr("missing between two commas"));
  EXPECT_THAT(error_of("copy(int n, int n)"), HasSubstr("two parameters are called `n`"));
  EXPECT_THAT(error_of("copy(float** out)"), HasSubstr("is a pointer to a pointer"));
  EXPECT_THAT(error_of("(int n)"), HasSubstr("`` is not a valid kernel name"));
}

// The geometry of a launch in TOML, and limits on the values of its expressions.

class LaunchReaderTest : public testing::Test {
 protected:
  text::Table table(const std::string& text) {
    parsed_ = base::parse_toml(text, "lab.toml");
    return {parsed_, "lab.toml", "launch"};
  }
  Geometry geometry(const std::string& text) {
    auto t = table(text);
    return read_geometry(t);
  }
  template <typename Function>
  static std::string error_of(const Function& function) {
    try {
      function();
    } catch (const base::UsageError& error) {
      return error.what();
    }
    return {};
  }
  std::string geometry_error(const std::string& text) {
    return error_of([&] { check_geometry(geometry(text), {{"n", 100}}); });
  }
  // The error of the parameters that `list` declares and the tables in `text` describe.
  std::string parameter_error(const std::string& list, const std::string& text) {
    auto t = table("parameters = \"" + list + "\"\n" + text);
    return error_of([&] { check_parameters(read_parameters(t), {{"n", 100}}); });
  }
  toml::table parsed_;
};

TEST_F(LaunchReaderTest, SharedMemoryMayBeLeftOut) {
  const auto launch = geometry("grid = [\"n\"]\nblock = [32, 8]\n");
  EXPECT_EQ(100, evaluate(launch.grid[0], {{"n", 100}}));
  EXPECT_EQ(8, evaluate(launch.block[1], {}));
  EXPECT_EQ(0, evaluate(launch.shared_bytes, {}));
}

TEST_F(LaunchReaderTest, ALaunchIsCooperativeIfItSaysSo) {
  EXPECT_FALSE(geometry("grid = [1]\nblock = [32]\n").cooperative);
  EXPECT_TRUE(geometry("grid = [1]\nblock = [32]\ncooperative = true\n").cooperative);
}

TEST_F(LaunchReaderTest, AClusterHasUpToEightBlocksAndDividesTheGrid) {
  EXPECT_FALSE(geometry("grid = [1]\nblock = [32]\n").cluster.has_value());
  const auto launch = geometry("grid = [8, 4]\nblock = [32]\ncluster = [2, \"n / 50\"]\n");
  ASSERT_TRUE(launch.cluster.has_value());
  EXPECT_EQ(2, evaluate(launch.cluster->at(1), {{"n", 100}}));
  EXPECT_EQ(1, evaluate(launch.cluster->at(2), {}));
  const std::string grid = "grid = [8, 4]\nblock = [32]\n";
  EXPECT_EQ("", geometry_error(grid + "cluster = [8]\n"));
  EXPECT_EQ("", geometry_error(grid + "cluster = [2, 4, 1]\n"));
  EXPECT_THAT(geometry_error(grid + "cluster = [4, 4]\n"), HasSubstr("has 1 to 8 blocks"));
  EXPECT_THAT(geometry_error(grid + "cluster = [0]\n"), HasSubstr("has 1 to 8 blocks"));
  EXPECT_THAT(geometry_error(grid + "cluster = [1, 3]\n"),
              HasSubstr("4 blocks of the grid are not a whole number of clusters of 3 blocks"));
  EXPECT_THAT(geometry_error(grid + "cluster = [1, 1, 2]\n"), HasSubstr("1 blocks of the grid"));
}

TEST_F(LaunchReaderTest, GeometryStaysWithinWhatADeviceTakes) {
  EXPECT_EQ("", geometry_error("grid = [2147483647]\nblock = [1024]\nshared = 232448\n"));
  EXPECT_THAT(geometry_error("grid = [0]\nblock = [1]\n"),
              HasSubstr("an extent of the launch is 0"));
  EXPECT_THAT(geometry_error("grid = [2147483648]\nblock = [1]\n"), HasSubstr("from 1 to"));
  EXPECT_THAT(geometry_error("grid = [1]\nblock = [32, 33]\n"),
              HasSubstr("a block of 1056 threads"));
  EXPECT_THAT(geometry_error("grid = [1]\nblock = [1]\nshared = 232449\n"),
              HasSubstr("232449 bytes"));
  EXPECT_THAT(geometry_error("grid = [\"m\"]\nblock = [1]\n"), HasSubstr("lab.toml:1:"));
}

TEST_F(LaunchReaderTest, ValuesAreOfTheirType) {
  EXPECT_EQ("", parameter_error("unsigned char x", "values = { x = 255 }"));
  EXPECT_THAT(parameter_error("unsigned char x", "values = { x = 256 }"),
              HasSubstr("parameter `x` is 256, which does not fit type u8"));
  EXPECT_EQ("", parameter_error("bool f", "values = { f = \"n == 100\" }"));
  EXPECT_THAT(parameter_error("bool f", "values = { f = 2 }"),
              HasSubstr("parameter `f` is 2, which does not fit type bool: 0 or 1"));
  EXPECT_THAT(parameter_error("P p",
                              "structs = { P = \"unsigned char n\" }\n"
                              "values = { \"p.n\" = 256 }"),
              HasSubstr("parameter `p.n` is 256, which does not fit type u8"));
}

TEST_F(LaunchReaderTest, BuffersHaveElementsAndFitIntoFourGibibytes) {
  EXPECT_EQ("", parameter_error("float* o", "shapes = { o = 1073741824 }"));
  EXPECT_THAT(parameter_error("float* o", "shapes = { o = 1073741825 }"),
              HasSubstr("room for 4 GiB"));
  EXPECT_THAT(parameter_error("float* o", "shapes = { o = \"0 x 5\" }"),
              HasSubstr("has no elements"));
}

TEST_F(LaunchReaderTest, UlpsHaveALimit) {
  const auto error = [&](const std::string& ulps) {
    return parameter_error("float* out", "shapes = { out = \"n\" }\nulps = { out = " + ulps + " }");
  };
  EXPECT_EQ("", error("\"2 * n\""));
  EXPECT_THAT(error("\"n * n\""),
              HasSubstr("lab.toml:3:16: parameter `out` may be off by 10000 ULPs; say 1 to 4096"));
  EXPECT_THAT(error("0"), HasSubstr("off by 0 ULPs"));
}

TEST_F(LaunchReaderTest, AnAliasNamesABuffer) {
  const auto error = [&](const std::string& of) {
    return parameter_error("float* out, float* b",
                           "shapes = { out = 1 }\nsame = { b = \"" + of + "\" }");
  };
  EXPECT_EQ("", error("out"));
  EXPECT_THAT(error("oit"),
              HasSubstr("lab.toml:3:14: parameter `b`: unknown buffer `oit`, did you mean `out`?"));
  EXPECT_THAT(error("b"), HasSubstr("unknown buffer `b`"));
}

}  // namespace warpgrade::grader::course::launch_reader_test
