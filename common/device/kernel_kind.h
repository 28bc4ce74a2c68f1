// SPDX-License-Identifier: Apache-2.0
// Kinds of kernels. The error of the time model differs by kind.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace warpgrade::device {

enum class KernelKind : std::uint8_t {
  kCopy,
  kTranspose,
  kReduction,
  kGather,
  kStencil,
  kProduct,  ///< A product of matrices, or of a matrix and a vector.
  kHistogram,
  kScan,
  kSparse,
};

/// Names in manifests and profiles, by KernelKind.
inline constexpr std::array<std::string_view, 9> kKernelKinds = {
    "copy",    "transpose", "reduction", "gather", "stencil",
    "product", "histogram", "scan",      "sparse"};
inline constexpr std::array<std::string_view, kKernelKinds.size()> kManyKernels = {
    "copies",          "transposes", "reductions", "gathers",        "stencils",
    "matrix products", "histograms", "scans",      "sparse products"};

/// By KernelKind; 0: not known.
using ErrorsByKind = std::array<double, kKernelKinds.size()>;

constexpr std::string_view many(KernelKind kind) {
  return kManyKernels.at(static_cast<std::size_t>(kind));
}

}  // namespace warpgrade::device
