// SPDX-License-Identifier: Apache-2.0
// Geometry and parameters of a launch as TOML, and the bounds on what they evaluate to.
#include "grader/course/launch_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade::grader {
namespace launch_reader_test {

using testing::HasSubstr;

class LaunchReaderTest : public testing::Test {
 protected:
  Table table(const std::string& text) {
    parsed_ = parse_toml(text, "lab.toml");
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
  std::string parameter_error(const std::string& text) {
    return error_of([&] { check_parameters({read_parameter(table(text))}, {{"n", 100}}); });
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

TEST_F(LaunchReaderTest, ParametersHaveTheKeysOfTheirRole) {
  EXPECT_EQ(
      Role::kIn,
      read_parameter(table("name = \"in\"\nrole = \"in\"\ntype = \"f32\"\nrows = 1\ncolumns = "
                           "\"n\"\nfill = \"iota\"\n"))
          .role);
  EXPECT_NE(
      "", parameter_error("name = \"in\"\nrole = \"in\"\ntype = \"f32\"\nrows = 1\ncolumns = 1\n"));
  EXPECT_NE(
      "", parameter_error("name = \"x\"\nrole = \"value\"\ntype = \"i32\"\nvalue = 1\nrows = 1\n"));
  EXPECT_THAT(parameter_error("name = \"x\"\nrole = \"value\"\ntype = \"int\"\nvalue = 1\n"),
              HasSubstr("must be one of i8"));
}

TEST_F(LaunchReaderTest, ValuesAreOfTheirType) {
  EXPECT_EQ("", parameter_error("name = \"x\"\nrole = \"value\"\ntype = \"u8\"\nvalue = 255\n"));
  EXPECT_THAT(parameter_error("name = \"x\"\nrole = \"value\"\ntype = \"u8\"\nvalue = 256\n"),
              HasSubstr("parameter `x` is 256, which does not fit type u8"));
}

TEST_F(LaunchReaderTest, BuffersHaveElementsAndFitIntoFourGibibytes) {
  const auto buffer = [&](const std::string& rows, const std::string& columns) {
    return parameter_error("name = \"o\"\nrole = \"out\"\ntype = \"f32\"\nrows = " + rows +
                           "\ncolumns = " + columns + "\n");
  };
  EXPECT_EQ("", buffer("1", "1073741824"));
  EXPECT_THAT(buffer("1", "1073741825"), HasSubstr("room for 4 GiB"));
  EXPECT_THAT(buffer("0", "5"), HasSubstr("has no elements"));
}

TEST_F(LaunchReaderTest, UlpsAreForFloatsAndHaveALimit) {
  const auto out = [](const std::string& type, const std::string& ulps) {
    return "name = \"out\"\nrole = \"out\"\ntype = \"" + type +
           "\"\nrows = 1\ncolumns = \"n\"\ncomparison = \"ulps\"\n" + ulps;
  };
  EXPECT_EQ("", parameter_error(out("f32", "ulps = \"2 * n\"\n")));
  EXPECT_THAT(parameter_error(out("f32", "ulps = \"n * n\"\n")),
              HasSubstr("lab.toml:7:8: parameter `out` may be off by 10000 ULPs; say 1 to 4096"));
  EXPECT_THAT(parameter_error(out("f32", "ulps = 0\n")), HasSubstr("off by 0 ULPs"));
  EXPECT_THAT(parameter_error(out("i32", "ulps = 1\n")), HasSubstr("`ulps` is for floats"));
  EXPECT_THAT(parameter_error(out("f32", "")), HasSubstr("ulps"));
}

constexpr const char* kShape = "type = \"f32\"\nrows = 1\ncolumns = 1\n";

TEST_F(LaunchReaderTest, ABufferInPlaceIsFilledAndCompared) {
  const std::string head = "name = \"x\"\nrole = \"inout\"\n";
  const auto read = read_parameter(table(head + kShape + "fill = \"iota\"\n"));
  EXPECT_EQ(Role::kInOut, read.role);
  EXPECT_EQ(verify::Fill::kIota, read.fill);
  EXPECT_TRUE(read.is_compared());
  EXPECT_THAT(parameter_error(head + kShape), HasSubstr("fill"));
  const auto total =
      read_parameter(table(head + kShape + "fill = \"iota\"\ncomparison = \"total\"\n"));
  EXPECT_EQ(OutputComparison::kTotal, total.comparison);
}

TEST_F(LaunchReaderTest, ABoolIsZeroOrOneAndAValueAlone) {
  const auto flag = [](const std::string& value) {
    return "name = \"f\"\nrole = \"value\"\ntype = \"bool\"\nvalue = " + value + "\n";
  };
  EXPECT_EQ("", parameter_error(flag("0")));
  EXPECT_EQ("", parameter_error(flag("\"n == 100\"")));
  EXPECT_THAT(parameter_error(flag("2")),
              HasSubstr("parameter `f` is 2, which does not fit type bool: 0 or 1"));
  EXPECT_EQ(1U, parameter_bytes(read_parameter(table(flag("1")))));
  EXPECT_THAT(parameter_error("name = \"o\"\nrole = \"out\"\ntype = \"bool\"\nrows = 1\n"
                              "columns = 1\n"),
              HasSubstr("must be one of i8"));
}

TEST_F(LaunchReaderTest, AnAliasNamesABuffer) {
  const auto same = [&](const std::string& of) {
    return read_parameter(table("name = \"b\"\nrole = \"same\"\nof = \"" + of + "\"\n"));
  };
  const auto out = read_parameter(table("name = \"out\"\nrole = \"out\"\n" + std::string(kShape)));
  EXPECT_EQ("", error_of([&] { check_parameters({same("out"), out}, {}); }));
  EXPECT_THAT(
      error_of([&] {
        check_parameters({same("oit"), out}, {});
      }),
      HasSubstr("lab.toml:3:6: parameter `b`: there is no buffer `oit`, did you mean `out`?"));
  EXPECT_THAT(error_of([&] {
                check_parameters({same("b"), out}, {});
              }),
              HasSubstr("there is no buffer `b`"));
  EXPECT_THAT(parameter_error("name = \"b\"\nrole = \"same\"\nof = \"a\"\ntype = \"f32\"\n"),
              HasSubstr("type"));
}

TEST_F(LaunchReaderTest, AStructHasFields) {
  const std::string head = "name = \"p\"\nrole = \"struct\"\n";
  const std::string out = "[[field]]\nname = \"out\"\nrole = \"out\"\n" + std::string(kShape);
  const std::string n = "[[field]]\nname = \"n\"\nrole = \"value\"\ntype = \"u8\"\nvalue = \"n\"\n";
  const auto read = read_parameter(table(head + n + out));
  ASSERT_EQ(2U, read.fields.size());
  EXPECT_EQ("p.out", read.fields[1].name);
  EXPECT_EQ(16U, parameter_bytes(read));
  EXPECT_EQ("", parameter_error(head + n + out));
  EXPECT_THAT(parameter_error(head), HasSubstr("a struct has a table [[field]]"));
  EXPECT_THAT(parameter_error(head + out + out), HasSubstr("`out` is there twice"));
  EXPECT_THAT(parameter_error(head + "[[field]]\nname = \"q\"\nrole = \"struct\"\n"),
              HasSubstr("role"));
  auto large = n;
  EXPECT_THAT(parameter_error(head + large.replace(large.find("\"n\"\n", 20), 3, "256") + out),
              HasSubstr("parameter `p.n` is 256, which does not fit type u8"));
}

}  // namespace launch_reader_test
}  // namespace warpgrade::grader
