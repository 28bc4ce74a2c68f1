// SPDX-License-Identifier: Apache-2.0
// The parameters of exercise `scale`, for kernels and for the programs that launch them.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "../defines.h"

struct Scaling {
  bool negate;
  short shift;
  double* out;
  const double* in;
  unsigned n;
};

#define CHECK(call)                               \
  do {                                            \
    if ((call) != cudaSuccess) {                  \
      std::fprintf(stderr, "%s failed\n", #call); \
      std::exit(1);                               \
    }                                             \
  } while (0)

// For host code alone.
inline std::vector<double> fetch(const double* from, unsigned n) {
  std::vector<double> out(n);
  CHECK(cudaMemcpy(out.data(), from, n * sizeof(double), cudaMemcpyDeviceToHost));
  return out;
}
