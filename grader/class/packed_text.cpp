// SPDX-License-Identifier: Apache-2.0
#include "grader/class/packed_text.h"

#include <archive.h>
#include <archive_entry.h>

#include <array>
#include <memory>

#include "common/base/error.h"

namespace warpgrade::grader::class_book {
namespace {

using Writer = std::unique_ptr<archive, decltype(&archive_write_free)>;
using Reader = std::unique_ptr<archive, decltype(&archive_read_free)>;
using Entry = std::unique_ptr<archive_entry, decltype(&archive_entry_free)>;

la_ssize_t append(archive* /*from*/, void* to, const void* bytes, std::size_t size) {
  static_cast<std::string*>(to)->append(static_cast<const char*>(bytes), size);
  return static_cast<la_ssize_t>(size);
}

}  // namespace

std::string pack_text(std::string_view text) {
  std::string out;
  const Writer writer(archive_write_new(), archive_write_free);
  const Entry entry(archive_entry_new(), archive_entry_free);
  archive_entry_set_filetype(entry.get(), AE_IFREG);
  archive_entry_set_pathname(entry.get(), "text");
  archive_write_set_bytes_in_last_block(writer.get(), 1);
  // The same text is the same bytes at any time.
  const bool ok = archive_write_add_filter_gzip(writer.get()) == ARCHIVE_OK &&
                  archive_write_set_options(writer.get(), "gzip:!timestamp") == ARCHIVE_OK &&
                  archive_write_set_format_raw(writer.get()) == ARCHIVE_OK &&
                  archive_write_open(writer.get(), &out, nullptr, append, nullptr) == ARCHIVE_OK &&
                  archive_write_header(writer.get(), entry.get()) == ARCHIVE_OK &&
                  archive_write_data(writer.get(), text.data(), text.size()) ==
                      static_cast<la_ssize_t>(text.size()) &&
                  archive_write_close(writer.get()) == ARCHIVE_OK;
  if (!ok) throw base::ToolError("a text cannot be packed: there is not enough memory");
  return out;
}

std::string unpack_text(std::string_view packed, std::size_t most_bytes) {
  std::string out;
  if (packed.empty()) return out;
  const Reader reader(archive_read_new(), archive_read_free);
  archive_entry* entry = nullptr;
  bool ok = archive_read_support_filter_gzip(reader.get()) == ARCHIVE_OK &&
            archive_read_support_format_raw(reader.get()) == ARCHIVE_OK &&
            archive_read_open_memory(reader.get(), packed.data(), packed.size()) == ARCHIVE_OK &&
            archive_filter_code(reader.get(), 0) == ARCHIVE_FILTER_GZIP &&
            archive_read_next_header(reader.get(), &entry) == ARCHIVE_OK;
  std::array<char, 1 << 16> part{};
  for (la_ssize_t count = 1; ok && count > 0;) {
    count = archive_read_data(reader.get(), part.data(), part.size());
    ok = count >= 0 && out.size() + static_cast<std::size_t>(count) <= most_bytes;
    if (ok) out.append(part.data(), static_cast<std::size_t>(count));
  }
  if (!ok) throw base::ToolError("a packed text is damaged");
  return out;
}

}  // namespace warpgrade::grader::class_book
