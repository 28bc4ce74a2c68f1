// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/study/access_picture.h"
#include "tests/grader/study/small_study.h"

namespace warpgrade::grader::study::study_reader_test {

// The message for each mistake in a picture of accesses.

using testing::HasSubstr;

class AccessReader : public SmallStudy {
 protected:
  std::string with(const std::string& from, const std::string& to) const {
    return message(replaced(kAccess, from, to));
  }
  static inline const std::string kAccess = R"toml(title = "Small"
summary = "For tests."
devices = ["k40"]

[[access]]
title = "who"
device = "k40"
file = "kernels/small.cu"
kernel = "slow"
grid = [1]
block = [32]
memory = "out"
operation = "store"
rows = 4
columns = 8
element_bytes = 4
labels = ["thread"]
colour = "block"
parameters = "float* out"
shapes = { out = 32 }
)toml";
};

TEST_F(AccessReader, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ("accepted", message(kAccess));
  EXPECT_THAT(
      with("memory = \"out\"", "memory = \"tuo\""),
      HasSubstr("small.toml:12:10: access `who`: `memory`: must be \"shared\" or a parameter"));
  EXPECT_THAT(with("[\"thread\"]", "[\"lane\"]"),
              HasSubstr("unknown `lane`; choices: thread, block, step, bank"));
  EXPECT_THAT(with("colour = \"block\"", "colour = \"bank\""),
              HasSubstr("banks are those of words of 4 bytes of shared memory"));
  EXPECT_THAT(with("rows = 4", "rows = 49"), HasSubstr("1 to 48 rows and columns"));
}

TEST(AccessCells, AnAccessThatIsNotThereCannotBeFramed) {
  AccessPicture picture;
  picture.title = std::string("a");
  picture.rows = picture.columns = 1;
  picture.element_bytes = 4;
  picture.framed = 1;
  try {
    cells_of(picture, device::find("k40"), {RecordedAccess{0, 0, 0, 1, 4, {}}});
    FAIL();
  } catch (const base::UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("cannot frame access 1: the kernel makes 1"));
  }
}

// Studies as data: the result of a valid one, and the wording and place of each mistake.

using testing::ElementsAre;
using testing::StartsWith;

class StudyReader : public SmallStudy {};

TEST_F(StudyReader, MakesAStudy) {
  const auto study = parse(kStudy);
  EXPECT_EQ("small", study.id);
  ASSERT_EQ(1u, study.parts.size());
  const auto& part = study.parts.front();
  EXPECT_EQ("k40", part.devices.front().label());
  EXPECT_THAT(part.values, ElementsAre(32, 64));
  EXPECT_EQ(Quantity::kBandwidth, part.quantity);
  ASSERT_EQ(2u, part.kernels.size());
  EXPECT_EQ(folder_ / "kernels/small.cu", part.kernels[1].file);
  EXPECT_EQ("studies/kernels/small.cu", part.kernels[1].shown_file);
  EXPECT_EQ(1u, part.kernels[1].parameters.size());
  EXPECT_EQ(256e9, evaluate(*part.kernels[0].bytes, part.variables_at(64)));
  ASSERT_EQ(1u, part.published.size());
  EXPECT_EQ("A paper, 2010.", part.published.front().source);
  EXPECT_EQ(2e11, part.published.front().find("k40", "slow", part.variables_at(64)));
  EXPECT_FALSE(part.published.front().find("k40", "fast", part.variables_at(32)));
  EXPECT_FALSE(part.published.front().find("h200", "slow", part.variables_at(64)));
}

TEST_F(StudyReader, AKernelReplacesWhatItGives) {
  const auto study = parse(replaced(kStudy, "kernel = \"fast\"\n",
                                    "kernel = \"fast\"\nblock = [64]\nfile = \"other.cu\"\n"));
  const auto& kernels = study.parts.front().kernels;
  EXPECT_EQ("32", kernels[0].launch.block[0].text());
  EXPECT_EQ("64", kernels[1].launch.block[0].text());
  EXPECT_EQ(kernels[0].launch.grid[0].text(), kernels[1].launch.grid[0].text());
  EXPECT_EQ(folder_ / "other.cu", kernels[1].file);
}

TEST_F(StudyReader, AKernelHasVariablesOfItsOwnButNotTheAxis) {
  const auto with = [](const std::string& variables) {
    return replaced(kStudy, "kernel = \"fast\"\n",
                    "kernel = \"fast\"\nvariables = { " + variables + " }\n");
  };
  const auto part = parse(with("word = 8")).parts.front();
  EXPECT_EQ(4, part.variables_at(64, part.kernels[0]).at("word"));
  EXPECT_EQ(8, part.variables_at(64, part.kernels[1]).at("word"));
  EXPECT_THAT(message(with("n = 8")), HasSubstr("kernel `fast`: `variables`: `n` is the axis"));
}

TEST_F(StudyReader, PublishedNumbersBecomeSiUnits) {
  write("units.csv", "# x\ndevice,kernel,n,ms,GiB_per_s,note\nk40,slow,32,2,1,words\n");
  const auto file = folder_ / "units.csv";
  EXPECT_EQ(2e-3, read_published(file, "units.csv", "ms").rows.front().value);
  EXPECT_TRUE(read_published(file, "units.csv", "ms").is_time);
  EXPECT_EQ(1073741824.0, read_published(file, "units.csv", "GiB_per_s").rows.front().value);
}

TEST_F(StudyReader, NamesUnknownKeysWithTheirPlace) {
  EXPECT_EQ("studies/small.toml:2:1: study: unknown key `sumary`, did you mean `summary`?",
            message_with("summary", "sumary"));
  EXPECT_EQ("studies/small.toml:16:1: part `main`: unknown key `gird`, did you mean `grid`?",
            message_with("grid", "gird"));
  EXPECT_EQ("studies/small.toml:24:1: kernel `slow`: unknown key `blok`, did you mean `block`?",
            message_with("label = \"the slow one\"\n", "label = \"the slow one\"\nblok = [64]\n"));
  EXPECT_THAT(message_with("variables = {", "varibles = {"),
              HasSubstr("did you mean `variables`?"));
}

TEST_F(StudyReader, NamesWhatIsWrong) {
  for (const auto& [from, to, text] : std::vector<std::array<std::string, 3>>{
           {"[\"k40\"]", "[\"k41\"]", "studies/small.toml:3:11: study: `devices`: unknown device"},
           {"[\"k40\"]", "[\"h200 8-byte\"]", "h200 has one bank mode only"},
           {"\"bandwidth\"", "\"bandwith\"", "there is no `bandwith`, did you mean `bandwidth`?"},
           {"\"bandwidth\"", "\"fraction\"", "the key `baseline` is missing"},
           {"\"bandwidth\"", "\"fraction\"\nbaseline = \"slwo\"",
            "has no kernel `slwo`, did you mean `slow`?"},
           {"\"bandwidth\"", "\"seconds\"", "`GB_per_s` is not comparable with the part's values"},
           {"\"bandwidth\"", "\"l1_clocks\"",
            "`GB_per_s` is not comparable with the part's values"},
           {"\"bandwidth\"", "\"l1_clocks\"\nsampled = true",
            "`sampled`: a part of a launch has its time only"},
           {"[32, 64]", "[]", "`axis_values`: must not be empty"},
           {"[32, 64]", "[\"32\"]", "must be an array of numbers, but is a string"},
           {"bytes = \"1000000000 * word * n\"\n", "", "kernel `slow`: `bytes`: is missing"},
           {"word * n\"", "wrod * n\"", "unknown variable `wrod`, did you mean `word`?"},
           {"\"n / 32\"", "\"n / 64\"", "but a whole number of at least 0 is asked for"},
           {"[32, 64]", "[4000000000]", "a launch has room for 4 GiB of buffers"},
           {"id = \"fast\"", "id = \"slow\"", "kernel `slow`: `id`: `slow` is there twice"},
           {"kernel = \"fast\"", "kernel = \"fast<{m}>\"", "`fast`: {m} is not a variable"},
           {"\"GB_per_s\"", "\"GB_per_sec\"",
            "`GB_per_sec` is not a column of values, did you mean"},
           {"published/small.csv", "published/none.csv",
            "studies/published/none.csv: cannot be read"},
           {"title", "titel", "unknown key `titel`, did you mean `title`?"},
       }) {
    EXPECT_THAT(message_with(from, to), HasSubstr(text)) << to;
  }
  EXPECT_THAT(message("title = "), StartsWith("studies/small.toml:1:"));
  EXPECT_THAT(message("title = \"a\"\nsummary = \"b\"\ndevices = [\"k40\"]\n"),
              HasSubstr("there is no [[part]] and no [[access]]"));
}

TEST_F(StudyReader, NamesTheLineOfABrokenTable) {
  for (const auto& [from, to, text] : std::vector<std::array<std::string, 3>>{
           {"k40,slow,32,100", "k40,slow,32", "studies/published/small.csv:3: 3 cells, but 4"},
           {"k40,slow,32,100", "k40,slow,32,1e", "small.csv:3: `1e` is not a number"},
           {"k40,slow,32,100", "k40,slwo,32,100",
            "small.csv:3: the part `main` has no kernel `slwo`"},
           {"k40,slow,32,100", "k41,slow,32,100", "small.csv:3: unknown device 'k41'"},
           {"kernel,n,", "kernel,m,", "small.csv:3: column `m` is not a variable of the part"},
           {"kernel,n,", "kern,n,", "small.csv:2: unknown column `kernel`"},
           {"# A paper, 2010.\n", "", "small.csv:1: the source is missing"},
       }) {
    write("published/small.csv", replaced(kPublished, from, to));
    EXPECT_THAT(message(kStudy), HasSubstr(text)) << to;
  }
}

TEST_F(StudyReader, UsesThePartOfAnotherStudy) {
  write("other.toml", kStudy);
  const std::string head = "title = \"a\"\nsummary = \"b\"\ndevices = [\"h200\"]\n";
  const auto study =
      parse(head + "[[part]]\nid = \"main\"\nuse = \"other.toml\"\naxis_values = [96]\n" +
            "[[part]]\nid = \"main\"\nuse = \"other.toml\"\ndevices = [\"k20x\"]\n");
  ASSERT_EQ(2u, study.parts.size());
  EXPECT_EQ("k40", study.parts[0].devices.front().name);
  EXPECT_THAT(study.parts[0].values, ElementsAre(96));
  EXPECT_EQ("k20x", study.parts[1].devices.front().name);
  EXPECT_THAT(message(head + "[[part]]\nid = \"mian\"\nuse = \"other.toml\"\n"),
              HasSubstr("other.toml has no part `mian`, did you mean `main`?"));
  EXPECT_THAT(message(head + "[[part]]\nid = \"main\"\nuse = \"small.toml\"\n"),
              HasSubstr("the study used uses another one in turn"));
}

TEST_F(StudyReader, ADeviceTakesThePlaceOfTheStudysButNotOfAPartsOwn) {
  auto study = parse(kStudy);
  choose_device(study, "h200");
  EXPECT_THAT(study.parts.front().devices, ElementsAre(Device{"h200", false}));

  study = parse(replaced(kStudy, "[\"k40\"]", "[\"h200\", \"k40\", \"k40 8-byte\"]"));
  choose_device(study, "k40");
  EXPECT_THAT(study.parts.front().devices, ElementsAre(Device{"k40", false}, Device{"k40", true}));

  study = parse(replaced(kStudy, "axis = ", "devices = [\"k20x\"]\naxis = "));
  EXPECT_THROW(choose_device(study, "h200"), base::UsageError);
  study = parse(kStudy);
  EXPECT_THROW(choose_device(study, "h20"), base::UsageError);
}

TEST_F(StudyReader, FindsAStudyByNameOrPath) {
  std::filesystem::create_directories(folder_ / "studies");
  write("studies/banks.toml", kStudy);
  EXPECT_EQ(folder_ / "studies/banks.toml", find_study(folder_, "banks"));
  EXPECT_EQ("my.toml", find_study(folder_, "my.toml"));
  try {
    find_study(folder_, "bank");
    FAIL();
  } catch (const base::UsageError& error) {
    EXPECT_EQ("unknown study `bank`, did you mean `banks`?; studies: banks",
              std::string(error.what()));
  }
}

}  // namespace warpgrade::grader::study::study_reader_test
