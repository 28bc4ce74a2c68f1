// SPDX-License-Identifier: Apache-2.0
// Parameters from a prototype and the tables that describe them by name.
#include "grader/course/parameter_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/error.h"

namespace warpgrade::grader::course::parameter_reader_test {

using testing::HasSubstr;

std::vector<Parameter> parameters(const std::string& list, const std::string& toml) {
  const auto root = base::parse_toml(toml, "lab.toml");
  text::Table table(root, "lab.toml", "exercise `x`");
  return read_parameters(table, parse_declarations(list, {"lab.toml", 1, 1}, "`kernel`"));
}

std::string error_of(const std::string& list, const std::string& toml) {
  try {
    parameters(list, toml);
  } catch (const base::UsageError& error) {
    return error.what();
  }
  return "accepted";
}

const BufferParameter& buffer(const Parameter& parameter) {
  return std::get<BufferParameter>(parameter);
}

const Indices& indices(const Parameter& parameter) {
  return std::get<Indices>(buffer(parameter).content);
}

std::string value_of(const Parameter& parameter) {
  return std::get<ValueParameter>(parameter).value.text();
}

TEST(ParameterReader, RolesFollowFromThePointers) {
  const auto out = parameters("float* out, const float* in, int n",
                              "shapes = { out = \"n\", in = \"2 x h x w\" }");
  EXPECT_FALSE(buffer(out.at(0)).is_input());
  EXPECT_TRUE(buffer(out.at(0)).is_output());
  EXPECT_TRUE(buffer(out.at(1)).is_read_only());
  EXPECT_EQ("(2) * (h)", buffer(out.at(1)).rows.text());
  EXPECT_EQ("w", buffer(out.at(1)).columns.text());
  EXPECT_EQ("n", value_of(out.at(2)));
}

TEST(ParameterReader, TablesByNameChangeThem) {
  const auto out = parameters("half* data, float* sum, void* to, int n, half* again",
                              "shapes = { data = 8, sum = 1, to = 4 }\n"
                              "roles = { data = \"inout\", to = \"scratch\" }\n"
                              "fill = { data = \"iota\" }\n"
                              "ulps = { sum = 4 }\n"
                              "types = { to = \"u32\" }\n"
                              "values = { n = \"2 * m\" }\n"
                              "same = { again = \"data\" }\n");
  EXPECT_TRUE(buffer(out.at(0)).is_output());
  EXPECT_EQ(verify::Fill::kIota, std::get<verify::Fill>(buffer(out.at(0)).content));
  EXPECT_EQ("4", std::get<WithinUlps>(buffer(out.at(1)).comparison).most.text());
  EXPECT_FALSE(buffer(out.at(2)).is_input() || buffer(out.at(2)).is_output());
  EXPECT_EQ(verify::ElementType::kU32, buffer(out.at(2)).type);
  EXPECT_EQ("2 * m", value_of(out.at(3)));
  EXPECT_EQ("data", std::get<SameParameter>(out.at(4)).of);
}

TEST(ParameterReader, IndicesHaveABound) {
  const auto out = parameters("const unsigned* column, const unsigned* row",
                              "shapes = { column = \"n\", row = \"rows + 1\" }\n"
                              "fill = { column = \"below(2 * n)\", row = \"skewed_starts(n)\" }\n");
  EXPECT_EQ(verify::IndexKind::kBelow, indices(out.at(0)).kind);
  EXPECT_EQ("2 * n", indices(out.at(0)).bound.text());
  EXPECT_EQ(verify::IndexKind::kSkewedStarts, indices(out.at(1)).kind);
  EXPECT_EQ("n", indices(out.at(1)).bound.text());
}

TEST(ParameterReader, PiecesHaveALength) {
  const auto out = parameters("unsigned* out",
                              "shapes = { out = \"n\" }\ncompare = { out = \"pieces(4 * n)\" }\n");
  EXPECT_EQ("4 * n", std::get<EqualPieces>(buffer(out.at(0)).comparison).length.text());
  EXPECT_FALSE(buffer(out.at(0)).is_by_element());
}

TEST(ParameterReader, MistakesInPiecesNameTheParameter) {
  const auto error = [](const std::string& list, const std::string& compare,
                        const std::string& more = "") {
    return error_of(list,
                    "shapes = { out = \"n\" }\ncompare = { out = \"" + compare + "\" }\n" + more);
  };
  EXPECT_THAT(error("float* out", "pieces(4)"),
              HasSubstr("`out`: `pieces` is for integers of 4 or 8 bytes"));
  EXPECT_THAT(error("unsigned* out", "pieces(4)", "roles = { out = \"inout\" }"),
              HasSubstr("`pieces` is for a buffer of role"));
  EXPECT_THAT(error("unsigned* out", "pieces"), HasSubstr("pieces(LENGTH)"));
}

TEST(ParameterReader, MostlyEqualElementsHaveAPercentageAndAnyIntegerType) {
  const auto out = parameters("const unsigned char* in",
                              "shapes = { in = \"n\" }\nfill = { in = \"mostly_equal(equal)\" }");
  EXPECT_EQ(verify::IndexKind::kMostlyEqual, indices(out.at(0)).kind);
  EXPECT_EQ("equal", indices(out.at(0)).bound.text());
}

TEST(ParameterReader, MistakesInIndicesNameTheParameter) {
  const auto error = [](const std::string& list, const std::string& fill) {
    return error_of(list, "shapes = { in = \"n\" }\nfill = { in = \"" + fill + "\" }");
  };
  EXPECT_THAT(error("const unsigned* in", "belo(n)"), HasSubstr("did you mean `below`?"));
  EXPECT_THAT(error("const unsigned* in", "below(n"), HasSubstr("`in`: has no `)` at its end"));
  EXPECT_THAT(error("const float* in", "below(n)"),
              HasSubstr("indices are integers of 4 or 8 bytes"));
  EXPECT_THAT(error("const unsigned char* in", "below(n)"),
              HasSubstr("indices are integers of 4 or 8 bytes"));
  EXPECT_THAT(error("const float* in", "mostly_equal(90)"),
              HasSubstr("`in`: `mostly_equal` is for integers"));
}

TEST(ParameterReader, MembersOfAStructAreCalledByItsName) {
  const auto out = parameters("Pair p",
                              "structs = { Pair = \"float* to, int n\" }\n"
                              "shapes = { p.to = \"n\" }\n");
  const auto& fields = std::get<StructParameter>(out.at(0)).fields;
  EXPECT_EQ("p.to", parameter_name(fields.at(0)));
  EXPECT_EQ("n", std::get<ValueParameter>(fields.at(1)).value.text());
}

TEST(ParameterReader, MistakesNameTheParameter) {
  EXPECT_EQ(
      "lab.toml:1:1: exercise `x`: parameter `in` has no shape; an example: shapes = { in = "
      "\"height x width\" }",
      error_of("const float* in", ""));
  EXPECT_EQ(
      "lab.toml:1:12: exercise `x`: `shapes`: unknown parameter `int`, did you mean `in`?; the "
      "parameters are: in",
      error_of("int in", "shapes = { int = 1 }"));
  EXPECT_THAT(error_of("float* out", "shapes = { out = 1 }\nroles = { out = \"inot\" }"),
              HasSubstr("there is no `inot`, did you mean `inout`?"));
  EXPECT_THAT(error_of("float* out", "shapes = { out = 1 }\nfill = { out = \"iota\" }"),
              HasSubstr("only a buffer of role \"in\" or \"inout\" is filled"));
  EXPECT_THAT(error_of("int* out", "shapes = { out = 1 }\nulps = { out = 2 }"),
              HasSubstr("`ulps` is for floats"));
  EXPECT_THAT(error_of("Pair p", ""), HasSubstr("structs = { Pair = \"float* out, int n\" }"));
  EXPECT_THAT(error_of("bool* p", "shapes = { p = 1 }"), HasSubstr("types = { p = \"f32\" }"));
  EXPECT_THAT(error_of("float* out", "shapes = { out = \"a x b x c x d\" }"),
              HasSubstr("more than three sides"));
}

}  // namespace warpgrade::grader::course::parameter_reader_test
