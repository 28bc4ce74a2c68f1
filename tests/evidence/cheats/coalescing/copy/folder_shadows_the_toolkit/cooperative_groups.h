// SPDX-License-Identifier: Apache-2.0
#pragma once
__device__ inline int lane_of_a_row() { return threadIdx.x; }
