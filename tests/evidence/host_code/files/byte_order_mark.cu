// SPDX-License-Identifier: Apache-2.0
// A byte order mark, and letters of many languages in comments and strings.
// left out: main
// Grüße, 你好, привет: "{
#include <iostream>
__global__ void size(int* x) { x[threadIdx.x] = 1; }
int main() { std::cout << "Größe: äöü {" << u8"ß" << std::endl; }
