// SPDX-License-Identifier: Apache-2.0
// Host headers in a file whose device code uses none of them.
// launch: --kernel plain --grid 1 --block 32 --arg out:i32:32
#include <cassert>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <vector>
__global__ void plain(int* out) { out[threadIdx.x] = threadIdx.x + 2; }
