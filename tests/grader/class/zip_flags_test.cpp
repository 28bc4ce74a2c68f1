// SPDX-License-Identifier: Apache-2.0
#include "grader/class/zip_flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "grader/class/archive_reader.h"

namespace warpgrade::grader::class_book::zip_flags_test {

std::string bytes_of(std::uint64_t value, int size) {
  std::string out;
  for (int i = 0; i < size; ++i) out += static_cast<char>(value >> (8 * i) & 0xff);
  return out;
}

// The parts of a zip file with one empty entry (APPNOTE.TXT of PKWARE, 4.3), whose local header is
// at `offset`.
struct Zip {
  std::string local;
  std::string central;
  std::string end;
  std::string all() const { return local + central + end; }
};

constexpr std::uint64_t kFar = 0xffffffff;

Zip zip_of(const std::string& name, std::uint64_t offset = 0) {
  const bool is_far = offset >= kFar;
  const auto head =
      std::string("\x14\0\0\x08", 4) + std::string(18, '\0') + bytes_of(name.size(), 2);
  const auto field = is_far ? bytes_of(1, 2) + bytes_of(8, 2) + bytes_of(offset, 8) : std::string();
  Zip out;
  out.local = "PK\x03\x04" + head + bytes_of(0, 2) + name;
  out.central = std::string("PK\x01\x02\x14\0", 6) + head + bytes_of(field.size(), 2) +
                std::string(10, '\0') + bytes_of(std::min(offset, kFar), 4) + name + field;
  const auto directory = offset + out.local.size();
  if (is_far) {
    out.end = "PK\x06\x06" + bytes_of(44, 8) + bytes_of(45, 2) + bytes_of(45, 2) +
              std::string(8, '\0') + bytes_of(1, 8) + bytes_of(1, 8) +
              bytes_of(out.central.size(), 8) + bytes_of(directory, 8) + "PK\x06\x07" +
              bytes_of(0, 4) + bytes_of(directory + out.central.size(), 8) + bytes_of(1, 4);
  }
  out.end += "PK\x05\x06" + std::string(4, '\0') + bytes_of(1, 2) + bytes_of(1, 2) +
             bytes_of(out.central.size(), 4) + bytes_of(std::min(directory, kFar), 4) +
             bytes_of(0, 2);
  return out;
}

// Reads `text`, which begins at `begin` in a file that is otherwise zeros.
ReadAt reader_of(const std::string& text, std::uint64_t begin, std::uint64_t& count) {
  return [&text, begin, &count](std::uint64_t offset, std::size_t size) {
    const auto all = begin + text.size();
    std::string out(
        static_cast<std::size_t>(std::min<std::uint64_t>(size, offset < all ? all - offset : 0)),
        '\0');
    for (std::size_t i = 0; i < out.size(); ++i) {
      if (offset + i >= begin) out[i] = text[static_cast<std::size_t>(offset + i - begin)];
    }
    count += out.size();
    return out;
  };
}

std::string cleared(std::string zip) {
  std::uint64_t count = 0;
  const auto flags = wrong_utf8_flags(reader_of(zip, 0, count), zip.size());
  clear_utf8_flags(flags, 0, zip);
  return zip;
}

bool has_flag(const std::string& zip, const char* mark, std::size_t offset) {
  return (zip.at(zip.find(mark) + offset + 1) & 8) != 0;
}

TEST(ZipFlags, AreClearedIfTheNameIsNotUtf8) {
  for (const std::string name : {"plain", "Übung", "李明"}) {
    const auto zip = zip_of(name).all();
    EXPECT_TRUE(has_flag(zip, "PK\x03\x04", 6));
    EXPECT_EQ(zip, cleared(zip));
  }
  const auto zip = cleared(zip_of("M\xfcller").all());
  EXPECT_FALSE(has_flag(zip, "PK\x03\x04", 6));
  EXPECT_FALSE(has_flag(zip, "PK\x01\x02", 8));
}

TEST(ZipFlags, AreThoseOfAnArchiveBehindOtherBytes) {
  const auto zip = cleared(std::string(1000, 'x') + zip_of("M\xfcller").all());
  EXPECT_FALSE(has_flag(zip, "PK\x03\x04", 6));
  EXPECT_FALSE(has_flag(zip, "PK\x01\x02", 8));
}

TEST(ZipFlags, AreFoundInLargeFilesWithoutReadingThem) {
  for (const std::uint64_t begin : {std::uint64_t{300} << 20, std::uint64_t{12} << 30}) {
    const auto zip = zip_of("M\xfcller", begin);
    const auto text = zip.all();
    std::uint64_t count = 0;
    const auto flags = wrong_utf8_flags(reader_of(text, begin, count), begin + text.size());
    EXPECT_THAT(flags, testing::ElementsAre(begin + 7, begin + zip.local.size() + 9));
    EXPECT_LT(count, 200'000U);
  }
}

TEST(ZipFlags, OfPiecesOfAFileAreClearedInTheirPlaces) {
  std::string piece(4, '\xff');
  clear_utf8_flags({3, 12, 14}, 10, piece);
  EXPECT_EQ("\xff\xff\xf7\xff", piece);
}

TEST(ZipFlags, DamagedBytesAreReadNowhereElse) {
  for (const auto& whole : {zip_of("M\xfcller").all(), zip_of("M\xfcller", kFar).all()}) {
    for (std::size_t i = 0; i <= whole.size(); ++i) {
      EXPECT_EQ(i, cleared(whole.substr(0, i)).size());
      EXPECT_EQ(whole.size() - i, cleared(whole.substr(i)).size());
      auto changed = whole;
      for (std::size_t j = i; j < std::min(i + 4, changed.size()); ++j) changed[j] = '\xff';
      EXPECT_EQ(whole.size(), cleared(changed).size());
    }
  }
}

TEST(ZipFlags, OfALargeArchiveDoNotHideItsNames) {
  constexpr off_t kBegin = off_t{300} << 20;
  const int file = memfd_create("zip", MFD_CLOEXEC);
  const auto text = zip_of(
                        "\x81"
                        "bung.cu",
                        kBegin)
                        .all();
  ASSERT_EQ(static_cast<ssize_t>(text.size()), pwrite(file, text.data(), text.size(), kBegin));
  const auto content = unpack(file, ArchiveKind::kExport);
  EXPECT_EQ("", content.failure);
  ASSERT_EQ(1U, content.files.size());
  EXPECT_EQ("übung.cu", content.files[0].path);  // code page 437
  close(file);
}

}  // namespace warpgrade::grader::class_book::zip_flags_test
