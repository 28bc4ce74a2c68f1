# SPDX-License-Identifier: Apache-2.0
"""`warpgrade explain`, and the words that reports and pages print, from the outside.

Headings of pages and tables come from real reports; each must be a word of the glossary.
"""

import html
import pathlib
import re
import sys

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1])]

from program_case import ProgramCase, main

KERNEL = """__global__ void k(float* out, const float* in) {
  __shared__ float tile[32][32];
  for (int i = 0; i < 32; ++i) tile[i][threadIdx.x] = in[32 * i + threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x][3];
}
"""
LAUNCH = "--kernel k --grid 1 --block 32 --arg out:f32:32 --arg in:f32:1024:iota"
# Names of gates, files and devices are not words.
HEADS = re.compile(r"<h3>([^<]+)</h3>|<th scope=\"col\"[^>]*>([^<]+)</th>|<th scope=\"row\">(time|grid|block|registers[^<]*|shared[^<]*|occupancy|throughput|parts[^<]*)</th>")


class Explain(ProgramCase):
    def test_a_word_is_explained_in_the_words_of_the_glossary(self):
        chapter = (self.root / "docs/glossary.md").read_text()
        (meaning,) = re.findall(r"^\| sm port \| (.*) \|$", chapter, re.MULTILINE)
        for words in (["sm port"], ["SM", "ports"]):
            text = self.output(0, "explain", *words)
            self.assertIn("sm port (The bound of a launch)", text)
            self.assertIn(meaning, " ".join(text.split()))

    def test_an_unknown_word_names_the_nearest_ones(self):
        done = self.run_program("explain", "wavefornt")
        self.assertEqual((2, ""), (done.returncode, done.stdout))
        self.assertIn("the glossary has no `wavefornt`; near is wavefront", done.stderr)
        done = self.run_program("explain", "pipe")
        self.assertEqual(2, done.returncode)
        self.assertIn("near are xu pipe, alu pipe, fma pipe, fp64 pipe, fmaheavy pipe", done.stderr)

    def test_every_heading_of_a_page_has_an_entry_and_every_link_a_target(self):
        (self.folder / "k.cu").write_text(KERNEL)
        self.output(0, "profile", "k.cu", *LAUNCH.split(), "--html", "k.html")
        self.output(1, "grade", "coalescing/copy", "--html", "copy.html", "--backend", "sim")
        heads = set()
        for name in ("k.html", "copy.html"):
            page = (self.folder / name).read_text()
            links = set(re.findall(r"href=\"#(word-[^\"]+)\"", page))
            self.assertTrue(links, name)
            self.assertEqual(set(), links - set(re.findall(r" id=\"(word-[^\"]+)\"", page)))
            heads.update(html.unescape("".join(found)) for found in HEADS.findall(page) if ".cu" not in "".join(found))
        self.assertIn("per request", heads)
        for head in sorted(heads):
            with self.subTest(head):
                self.output(0, "explain", head)


if __name__ == "__main__":
    main()
