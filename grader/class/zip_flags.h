// SPDX-License-Identifier: Apache-2.0
// The flag of a zip entry that marks its name as UTF-8. Some programs set it for names in other
// encodings, and libarchive gives no name at all then.
#pragma once

#include <span>

namespace warpgrade::grader::class_book {

/// Clears the flag of each entry of the zip file whose name is not UTF-8. It changes no bytes of
/// other files.
void clear_wrong_utf8_flags(std::span<char> zip);

}  // namespace warpgrade::grader::class_book
