"""The output formats, as analyzer/report/formats.def lists them."""

import json
import pathlib
import re
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = (ROOT / "analyzer/report/formats.def").read_text()
FORMATS = re.findall(r'^FORMAT\(\w+, "([^"]+)"', TABLE, re.MULTILINE)


def parse(report):
    """Reads a report in JSON or XML; raises ValueError if it is not well-formed."""
    if report.startswith("<?xml"):
        try:
            xml.etree.ElementTree.fromstring(report)
        except xml.etree.ElementTree.ParseError as error:
            raise ValueError(f"this is not XML: {error}") from error
    elif report.startswith(("{", "[")):
        json.loads(report)
