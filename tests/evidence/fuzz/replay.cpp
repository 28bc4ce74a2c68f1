// SPDX-License-Identifier: Apache-2.0
// Passes each input to a fuzzer once, without libFuzzer. So every build can run the corpora, with
// any compiler.
//
// Argument: a folder of inputs. Fails if the folder is empty; a crashing fuzzer ends the program.
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int argc, char** argv) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(argc == 2 ? argv[1] : "")) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string input{std::istreambuf_iterator<char>(file), {}};
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
    ++count;
  }
  fmt::print("{} inputs\n", count);
  return count == 0 ? 1 : 0;
}
