// SPDX-License-Identifier: Apache-2.0
// Function-try-blocks, of a function and of a constructor.
// left out: Guard, Guard, careful, main
#include <exception>
#include <iostream>
#include <string>
struct Guard {
  std::string name;
  explicit Guard(const char* n) try : name{n} {
    if (name.empty()) throw 1;
  } catch (...) {
    std::cerr << "guard";
  }
};
void careful(int* x) try {
  Guard guard("x");
  cudaMemset(x, 0, 4);
} catch (const std::exception& error) {
  std::cerr << error.what();
} catch (...) {
  std::cerr << "unknown";
}
__global__ void zero(int* x) { x[threadIdx.x] = 0; }
int main() try { zero<<<1, 32>>>(nullptr); } catch (...) { return 1; }
