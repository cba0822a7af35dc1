"""The package's structures are those of include/tilerace.h, by what a C compiler says of both.

    test_layout.py BUILD_FOLDER
"""
import ctypes
import re
import subprocess

from common import ROOT, Case, main

from tilerace import _library

HEADER = ROOT / "include" / "tilerace.h"
NAMES = {"Options": "options", "InputError": "input_error"}  # others: in lower case


def structures():
    return {name: of for name, of in vars(_library).items()
            if isinstance(of, type) and issubclass(of, ctypes.Structure)
            and of is not ctypes.Structure}


def c_name(name):
    return "tilerace_" + NAMES.get(name, name.lower())


class Layout(Case):
    def test_structures(self):
        lines = ["#include <stddef.h>", "#include <stdio.h>", '#include "tilerace.h"',
                 "int main(void) {"]
        expected = []
        for name, of in structures().items():
            for field, _ in ((item[0], item[1]) for item in of._fields_):
                member = "with" if field == "with_" else field
                lines.append('printf("%%s %%zu %%zu\\n", "%s.%s", offsetof(%s, %s), '
                             "sizeof(((%s *)0)->%s));" % (name, field, c_name(name), member,
                                                          c_name(name), member))
                at = getattr(of, field)
                expected.append("%s.%s %d %d" % (name, field, at.offset, at.size))
            # What the caller makes must be as large as what the library reads and writes.
            lines.append('printf("%%s %%zu\\n", "%s", sizeof(%s));' % (name, c_name(name)))
            expected.append("%s %d" % (name, ctypes.sizeof(of)))
        (self.folder / "a.c").write_text("\n".join(lines + ["}"]))
        subprocess.run(["cc", "-I", HEADER.parent, "-o", self.folder / "a", self.folder / "a.c"],
                       check=True)
        said = subprocess.run([self.folder / "a"], capture_output=True, text=True, check=True)
        self.assertEqual(said.stdout.splitlines(), expected)

    def test_functions(self):
        """Those of the header, each with as many arguments."""
        declared = {}
        text = re.sub(r"/\*.*?\*/", "", HEADER.read_text(), flags=re.S)
        for name, arguments in re.findall(r"TILERACE_EXPORT[^;]*?(tilerace_\w+)\(([^;]*)\);", text):
            declared[name] = 0 if arguments == "void" else arguments.count(",") + 1
        called = {name: len(arguments) for name, (_, arguments) in _library.FUNCTIONS.items()}
        self.assertEqual(declared.pop("tilerace_error"), 2)  # its parts are read instead
        for name in ("tilerace_messages_of_file", "tilerace_free_messages",  # for compilers
                     "tilerace_serve_isolated"):  # for the program beside the library
            del declared[name]
        self.assertEqual(called, declared)

    def test_enumerations(self):
        """In the header's order."""
        import tilerace
        from tilerace import _launch

        text = re.sub(r"/\*.*?\*/", "", HEADER.read_text(), flags=re.S)
        for of, enumeration in ((tilerace.Verdict, "verdict"), (tilerace.Level, "level"),
                                (tilerace.PreconditionClass, "class"), (tilerace.Part, "part"),
                                (tilerace.ParameterKind, "parameter_kind"),
                                (tilerace.Outcome, "outcome")):
            [body] = re.findall(r"typedef enum tilerace_%s \{(.*?)\}" % enumeration, text, re.S)
            words = [word.strip() for word in body.split(",") if word.strip()]
            members = ["TILERACE_" + member.name for member in of]
            renamed = {"TILERACE_NONE": "TILERACE_NO_ARRAY"}
            if of is tilerace.PreconditionClass:
                renamed["TILERACE_RACE"] = "TILERACE_RACES"
            if of is tilerace.Part:
                renamed.update({"TILERACE_" + part: "TILERACE_ARRAY_" + part
                                for part in ("POINTER", "EXTENT", "STRIDE")})
            if of is tilerace.Outcome:
                self.assertEqual(words.index("TILERACE_BAD_LAUNCH"), _launch._BAD_LAUNCH)
                words.remove("TILERACE_BAD_LAUNCH")
            self.assertEqual([renamed.get(member, member) for member in members], words)


if __name__ == "__main__":
    main()
