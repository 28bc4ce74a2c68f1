// SPDX-License-Identifier: Apache-2.0
// Global std objects: strings, streams, maps; using declarations and aliases.
// left out: cout, string, Table, Name, registry, log_file, remember, main
#include <fstream>
#include <iostream>
#include <map>
#include <string>
using std::cout;
using std::string;
using Table = std::map<std::string, int>;
typedef std::string Name;
static Table registry;
std::ofstream log_file("log.txt");
void remember(const Name& name, int value) { registry[name] = value; }
__global__ void tag(int* x) { x[threadIdx.x] = threadIdx.x ^ 5; }
int main() {
  remember("tag", 1);
  cout << string("x") << registry.size();
}
