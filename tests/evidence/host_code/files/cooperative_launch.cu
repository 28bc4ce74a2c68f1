// SPDX-License-Identifier: Apache-2.0
// Cooperative groups in the kernel, a cooperative launch in main().
// left out: main
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <iostream>
namespace cg = cooperative_groups;
__global__ void warp_sums(int* out, const int* in) {
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  int sum = cg::reduce(warp, in[block.thread_rank()], cg::plus<int>());
  if (warp.thread_rank() == 0) out[warp.meta_group_rank()] = sum;
}
int main() {
  int *in = nullptr, *out = nullptr;
  void* arguments[] = {&out, &in};
  cudaLaunchCooperativeKernel((void*)warp_sums, dim3(1), dim3(128), arguments, 0, 0);
  std::cout << cudaGetLastError();
}
