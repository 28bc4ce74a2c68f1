// SPDX-License-Identifier: Apache-2.0
#include "grader/author/secret_cases.h"

#include <gtest/gtest.h>

#include "common/base/error.h"

namespace warpgrade::grader::author::secret_cases_test {

std::string rest_of(const std::string& text, std::size_t expected) {
  std::size_t count = 0;
  auto out = without_secret_cases(text, count);
  EXPECT_EQ(expected, count) << text;
  return out;
}

TEST(SecretCases, LinesOfASetAreTakenOut) {
  EXPECT_EQ("[cases.all]\na = { n = 1 }\nc = { n = 3 }  # stays\n",
            rest_of("[cases.all]\na = { n = 1 }\nb = { n = 2, secret = true }  # goes\n"
                    "c = { n = 3 }  # stays\n",
                    1));
}

TEST(SecretCases, SectionsOfASetAreTakenOut) {
  EXPECT_EQ("[cases.all.a]\nn = 1\n\n[cases.all.c]\nn = 3\n",
            rest_of("[cases.all.a]\nn = 1\n\n[cases.all.b]\nn = 2\nsecret = true\n\n"
                    "[cases.all.c]\nn = 3\n",
                    1));
}

TEST(SecretCases, ElementsOfAnExerciseAreTakenOut) {
  EXPECT_EQ("[[exercise]]\ncases = [\n  \"all\",\n  { name = \"c\", n = 3 },\n]\n",
            rest_of("[[exercise]]\ncases = [\n  \"all\",\n"
                    "  { name = \"b\", n = 2, secret = true },\n  { name = \"c\", n = 3 },\n]\n",
                    1));
  EXPECT_EQ("[[exercise]]\ncases = [{ name = \"a\", n = 1 }]\n",
            rest_of("[[exercise]]\ncases = [{ name = \"a\", n = 1 }, "
                    "{ name = \"b\", n = 2, secret = true }]\n",
                    1));
  EXPECT_EQ("[[exercise]]\n[[exercise.cases]]\nname = \"a\"\nn = 1\n\n[[exercise]]\n",
            rest_of("[[exercise]]\n[[exercise.cases]]\nname = \"a\"\nn = 1\n\n"
                    "[[exercise.cases]]\nname = \"b\"\nn = 2\nsecret = true\n\n[[exercise]]\n",
                    1));
}

TEST(SecretCases, OtherTextStays) {
  const std::string text =
      "title = \"\u00e9 secret = true\"\n[cases.all]\na = { n = 1, secret = false }\n# the end";
  EXPECT_EQ(text, rest_of(text, 0));
}

TEST(SecretCases, AnotherFormIsRefused) {
  std::size_t count = 0;
  EXPECT_THROW(without_secret_cases("[cases.all]\nb.n = 2\nb.secret = true\n", count),
               base::UsageError);
}

}  // namespace warpgrade::grader::author::secret_cases_test
