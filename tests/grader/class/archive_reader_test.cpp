// SPDX-License-Identifier: Apache-2.0
#include "grader/class/archive_reader.h"

#include <archive.h>
#include <archive_entry.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <string>
#include <string_view>
#include <vector>

#include "grader/class/names.h"

namespace warpgrade::grader::class_book::archive_reader_test {

// Archives with contents that no archive should have, written by libarchive itself.

struct Item {
  std::string path;
  std::string bytes;
  mode_t type = AE_IFREG;
};

std::string archive_of(const std::vector<Item>& items, const char* format,
                       const char* filter = "none") {
  std::string out(1 << 20, '\0');
  std::size_t used = 0;
  auto* writer = archive_write_new();
  EXPECT_EQ(ARCHIVE_OK, archive_write_set_format_by_name(writer, format));
  if (std::string_view(filter) != "none") {
    EXPECT_EQ(ARCHIVE_OK, archive_write_add_filter_by_name(writer, filter));
  }
  archive_write_open_memory(writer, out.data(), out.size(), &used);
  for (const auto& item : items) {
    auto* entry = archive_entry_new();
    archive_entry_set_pathname(entry, item.path.c_str());
    archive_entry_set_filetype(entry, item.type);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_mtime(entry, 1'000'000, 0);
    if (item.type == AE_IFLNK) archive_entry_set_symlink(entry, "/etc/passwd");
    archive_entry_set_size(entry, static_cast<la_int64_t>(item.bytes.size()));
    archive_write_header(writer, entry);
    archive_write_data(writer, item.bytes.data(), item.bytes.size());
    archive_entry_free(entry);
  }
  archive_write_close(writer);
  archive_write_free(writer);
  out.resize(used);
  return out;
}

std::string zip_of(const std::vector<Item>& items, bool tar = false) {
  return archive_of(items, tar ? "pax" : "zip");
}

ArchiveContent read(const std::string& bytes) {
  const int file = memfd_create("archive", 0);
  EXPECT_EQ(static_cast<ssize_t>(bytes.size()), write(file, bytes.data(), bytes.size()));
  lseek(file, 0, SEEK_SET);
  auto out = unpack(file);
  close(file);
  return out;
}

TEST(ArchiveReader, ReadsFilesWithTheirTimes) {
  const auto content = read(zip_of({{"ada/copy.cu", "kernel"}, {"ada/copy.h", ""}}));
  EXPECT_EQ("", content.failure);
  ASSERT_EQ(2U, content.files.size());
  EXPECT_EQ("ada/copy.cu", content.files[0].path);
  EXPECT_EQ("kernel", content.files[0].bytes);
  EXPECT_EQ(1'000'000, content.files[0].time);
}

TEST(ArchiveReader, ReadsEachKindThatIsNamedAnArchive) {
  struct Kind {
    const char* format;
    const char* filter;
  };
  for (const auto& [format, filter] :
       {Kind{"zip", "none"}, Kind{"7zip", "none"}, Kind{"pax", "none"}, Kind{"pax", "gzip"},
        Kind{"pax", "bzip2"}, Kind{"pax", "xz"}, Kind{"pax", "zstd"}}) {
    const auto content = read(archive_of({{"ada/copy.cu", "kernel"}}, format, filter));
    EXPECT_EQ("", content.failure) << format << filter;
    ASSERT_EQ(1U, content.files.size()) << format << filter;
    EXPECT_EQ("kernel", content.files[0].bytes) << format << filter;
  }
}

TEST(ArchiveReader, ReadsNoOtherKind) {
  const auto content = read(archive_of({{"ada/copy.cu", "kernel"}}, "cpio"));
  EXPECT_EQ("Unrecognized archive format", content.failure);
  EXPECT_TRUE(content.files.empty());
}

TEST(ArchiveReader, RefusesLinksDevicesAndWaysOut) {
  const auto content = read(zip_of({{"a/../../x", "1"},
                                    {"/etc/x", "1"},
                                    {"link", "", AE_IFLNK},
                                    {"pipe", "", AE_IFIFO},
                                    {"right.cu", "1"}},
                                   /*tar=*/true));
  ASSERT_EQ(5U, content.files.size());
  EXPECT_THAT(content.files[0].refused, testing::HasSubstr("leads out"));
  EXPECT_THAT(content.files[1].refused, testing::HasSubstr("leads out"));
  EXPECT_EQ("it is a link", content.files[2].refused);
  EXPECT_EQ("it is not a file", content.files[3].refused);
  EXPECT_EQ("", content.files[4].refused);
}

TEST(ArchiveReader, ABombIsReadAsFarAsItsLimit) {
  const auto bomb = zip_of({{"bomb.zip", std::string(kMostArchivedBytes + 1, '0')}, {"b", "1"}});
  EXPECT_LT(bomb.size(), std::size_t{1} << 20);
  const auto content = read(bomb);
  ASSERT_EQ(2U, content.files.size());
  EXPECT_THAT(content.files[0].refused, testing::HasSubstr("larger than 32 MiB"));
  EXPECT_EQ("", content.files[0].bytes);
  EXPECT_EQ("1", content.files[1].bytes);
}

TEST(ArchiveReader, FilesThatCannotBeWorkAreNotRead) {
  std::vector<Item> items = {{"lib/big.so", std::string(kMostArchivedBytes + 1, '0')},
                             {"venv/lib/python3.11/site-packages/a/__init__.py", ""},
                             {"venv/lib/python3.11/site-packages/b.c", "int b;"}};
  for (int i = 0; i < 2000; ++i) items.push_back({"data/" + std::to_string(i) + ".bin", ""});
  items.push_back({"copy.cu", "kernel"});
  const auto content = read(archive_of(items, "pax", "gzip"));
  EXPECT_EQ("", content.failure);
  EXPECT_EQ("lib/big.so", content.files[0].path);
  EXPECT_EQ("", content.files[0].refused);
  EXPECT_EQ("", content.files[0].bytes);
  EXPECT_EQ("venv/lib/python3.11/site-packages/", content.files[1].path);
  EXPECT_EQ("kernel", content.files.back().bytes);
  // 500 names are listed: one file of the library and 499 of the data.
  EXPECT_EQ(502U, content.files.size());
  EXPECT_EQ(1501U, content.unlisted);
}

TEST(ArchiveReader, APackedFileIsReadToo) {
  for (const auto* filter : {"gzip", "bzip2", "xz", "zstd"}) {
    const int file = memfd_create("packed", 0);
    const auto packed = archive_of({{"copy.cu", "kernel"}}, "raw", filter);
    EXPECT_EQ(static_cast<ssize_t>(packed.size()), write(file, packed.data(), packed.size()));
    lseek(file, 0, SEEK_SET);
    const auto content = unpack(file, ArchiveKind::kPacked);
    close(file);
    ASSERT_EQ(1U, content.files.size()) << filter << content.failure;
    EXPECT_EQ("data", content.files[0].path);
    EXPECT_EQ("kernel", content.files[0].bytes);
  }
}

TEST(ArchiveReader, WhatIsNoArchiveIsAFailure) {
  EXPECT_NE("", read("this is no archive").failure);
  const auto whole = zip_of({{"a", std::string(5000, 'x')}}, /*tar=*/true);
  EXPECT_NE("", read(whole.substr(0, 3000)).files.at(0).refused);
}

TEST(ArchiveReader, KnowsArchivesByTheirNames) {
  EXPECT_TRUE(is_archive_name("a/Work.ZIP"));
  EXPECT_TRUE(is_archive_name("x.tar.gz"));
  EXPECT_TRUE(is_archive_name("copy.cu.gz"));
  EXPECT_EQ("copy.cu", unpacked_name("copy.cu.BZ2"));
  EXPECT_EQ("", unpacked_name("copy.zip"));
  EXPECT_FALSE(is_archive_name("zip"));
  EXPECT_FALSE(is_archive_name("copy.cu"));
}

}  // namespace warpgrade::grader::class_book::archive_reader_test
