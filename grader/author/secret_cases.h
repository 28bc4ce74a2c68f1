// SPDX-License-Identifier: Apache-2.0
// Removes the secret cases from the text of a manifest, for packs.
//
// Comments and order are kept, so students read the manifest that the instructor wrote. A case is a
// line `name = { ... }` of a set, a table [cases.SET.NAME], or an element of an exercise's `cases`.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace warpgrade::grader::author {

/// `manifest` without the cases marked `secret = true`; adds their number to `count`. Throws
/// base::UsageError if the text is not TOML, or if a secret case is written in another form.
std::string without_secret_cases(std::string_view manifest, std::size_t& count);

}  // namespace warpgrade::grader::author
