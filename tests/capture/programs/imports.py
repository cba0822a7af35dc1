"""A program that uses no front end."""
import json
import sys

print(json.dumps({
    "loaded": sorted(name for name in sys.modules if "tilerace" in name or name == "ctypes"),
    "sitecustomize": getattr(sys.modules.get("sitecustomize"), "__file__", None),
    "usercustomize": "usercustomize" in sys.modules,
}))
