// SPDX-License-Identifier: Apache-2.0
// _global_ with single underscores.
_global_ void kernel(int* out) { out[threadIdx.x] = 1; }
