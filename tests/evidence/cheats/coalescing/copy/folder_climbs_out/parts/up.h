// SPDX-License-Identifier: Apache-2.0
#include "../parts/../../../../../../../solutions/coalescing/copy.cu"
