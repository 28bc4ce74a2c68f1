# SPDX-License-Identifier: Apache-2.0
"""Shared by the tests of pages: headless Chromium, the widths, and the checks of a page.

Importing this module exits with 77 if Chromium or Selenium is missing.
"""

import pathlib
import shutil
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from interpreters import need  # noqa: E402

need("selenium")
from selenium import webdriver  # noqa: E402
from selenium.webdriver.chrome.options import Options  # noqa: E402
from selenium.webdriver.chrome.service import Service  # noqa: E402

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
if CHROMIUM is None or DRIVER is None:
    print("skipped: Chromium or its driver is missing")
    sys.exit(77)

WIDTHS = (390, 800, 1200, 1900)
LEAST_FOR_TABLES = 1200  # no table and no source scrolls sideways from this width on
LEAST_CONTRAST = 4.5

# Texts with too little contrast to their background, as "1.2 TEXT".
CONTRAST = """
const least = arguments[0];
const channels = text => text.match(/[\\d.]+/g).map(Number);
const light = ([r, g, b]) => {
  const linear = [r, g, b].map(c => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
};
const found = [];
for (const node of document.querySelectorAll('body *:not(svg *):not(script):not(option)')) {
  const text = [...node.childNodes].filter(n => n.nodeType === 3).map(n => n.data.trim()).join('');
  if (!text || !node.checkVisibility()) continue;
  let ground = node;
  while (ground && channels(getComputedStyle(ground).backgroundColor)[3] === 0) ground = ground.parentElement;
  const colour = getComputedStyle(node).color;
  const back = getComputedStyle(ground || document.body).backgroundColor;
  const [a, b] = [light(channels(colour)), light(channels(back))].sort((x, y) => y - x);
  const contrast = (a + 0.05) / (b + 0.05);
  if (contrast < least) found.push(contrast.toFixed(2) + ' ' + text.slice(0, 40));
}
return found;
"""

# Figures without a picture, and pictures without a text.
EMPTY = """
const found = [];
for (const stage of document.querySelectorAll('[role=img]')) {
  const text = stage.getAttribute('aria-label') || '';
  const shapes = stage.querySelectorAll('rect, path').length;
  if (text.length < 10 || (shapes === 0 && stage.checkVisibility())) found.push(stage.outerHTML.slice(0, 200));
}
return found;
"""

SCROLLED = """
return [...document.querySelectorAll('.wide, .source, table, .race pre, figcaption pre')]
  .filter(node => node.checkVisibility() && node.scrollWidth > node.clientWidth + 1)
  .map(node => `${node.scrollWidth} in ${node.clientWidth}: ${node.textContent.slice(0, 60)}`);
"""


def browser():
    options = Options()
    options.binary_location = CHROMIUM
    for flag in "headless=new no-sandbox disable-gpu disable-dev-shm-usage disable-extensions".split():
        options.add_argument("--" + flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options, service=Service(DRIVER))


class PageCase(unittest.TestCase):
    """A test that uses a browser."""

    @classmethod
    def setUpClass(cls):
        cls.driver = browser()
        cls.addClassCleanup(cls.driver.quit)

    def show(self, page, width=1000, scheme="light"):
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        self.resize(width)
        self.driver.get(page.as_uri())

    def resize(self, width):
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)

    def run_script(self, text, *arguments):
        return self.driver.execute_script(text, *arguments)

    def expect_sound(self, name, page):
        """Checks that the page fits every width and is readable without errors, in both schemes."""
        for scheme in ("light", "dark"):
            self.show(page, WIDTHS[0], scheme)
            self.assertEqual([], self.run_script(CONTRAST, LEAST_CONTRAST), (name, scheme))
            for width in WIDTHS:
                self.resize(width)
                wide = self.run_script("return document.documentElement.scrollWidth")
                self.assertLessEqual(wide, width, (name, scheme))
                self.assertEqual([], self.run_script(EMPTY), (name, scheme, width))
                if width >= LEAST_FOR_TABLES:
                    self.assertEqual([], self.run_script(SCROLLED), (name, scheme, width))
        self.assertEqual([], self.driver.get_log("browser"), name)
