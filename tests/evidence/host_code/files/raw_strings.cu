// SPDX-License-Identifier: Apache-2.0
// Raw strings and strings with braces, quotes and kernels in them.
// left out: text, more, usage, main
#include <cstdio>
const char* text = R"cuda(
__global__ void fake(int* x) { x[0] = "}"; // )" not yet
)cuda";
static const char* more = R"(int main() { )" "}} \" {";
void usage() {
  puts(R"(usage: "prog" {a|b)");
  puts("a \\");
  putchar('{');
  putchar('"');
  putchar('\'');
}
__global__ void real(int* x) { x[threadIdx.x] = '}' + 1'000; }
int main() { usage(); /* } */ return text[0] + more[0]; }
