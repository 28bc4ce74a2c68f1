// SPDX-License-Identifier: Apache-2.0
// cooperative_groups without its header.
namespace cg = cooperative_groups;
__global__ void kernel(int* out) { out[threadIdx.x] = cg::this_thread_block().size(); }
