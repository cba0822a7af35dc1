"""How quick the judge is: requests to `tilerace serve`, on as many cores as it gets.

    rate.py TILERACE [-n REQUESTS] [-j JOBS] [-trial]

Small kernels, alone and with themselves as the reference: how many are judged a second. With -trial, the
candidates of trial.py (-n 8 -pairs 0): the median and the worst time of one, and how many a second. No GPU
is asked. It measures, and passes nothing; `taskset -c 0,1` gives it two cores.
"""
import argparse
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import trial  # noqa: E402  pylint: disable=wrong-import-position

KERNELS = pathlib.Path(__file__).resolve().parents[2] / "kernels"
SMALL = ("vector_add", "transpose", "gather", "strided_copy", "copy_tail")


def context(source, reference=None):
    of = {"kernel": {"source": source}}
    return {**of, "reference": {"source": reference}} if reference else of


def judge(options, contexts):
    """The answers, and the seconds that all of them took, the start of the processes included."""
    requests = "".join(json.dumps({"id": i, "method": "judge", "params": {"context": c, "times": True}}) + "\n"
                       for i, c in enumerate(contexts))
    began = time.monotonic()
    run = subprocess.run([options.tilerace, "serve", "-j%d" % options.j, "--device", "cpu"], input=requests,
                         capture_output=True, text=True, check=True)
    took = time.monotonic() - began
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    assert len(answers) == len(contexts) and all("result" in answer for answer in answers)
    return answers, took


def candidates(options):
    language = trial.Dialect(options)
    for kernel in language.kernels():
        text = kernel.read_text()
        draw = random.Random("1 " + kernel.name)  # as trial.py draws
        found = language.places(text)
        for mistakes in [()] + [(m,) for m in draw.sample(found, min(8, len(found)))]:
            yield context(trial.apply(text, mistakes), text)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tilerace")
    parser.add_argument("-n", type=int, default=600)
    parser.add_argument("-j", type=int, default=2)
    parser.add_argument("-trial", action="store_true")
    options = parser.parse_args()
    options.tilerace = os.path.abspath(options.tilerace)
    texts = [(KERNELS / (name + ".c")).read_text() for name in SMALL]
    small = [texts[i % len(texts)] for i in range(options.n)]
    for name, contexts in (("alone", [context(t) for t in small]),
                           ("with a reference", [context(t, t) for t in small])):
        _, took = judge(options, contexts)
        print("%d small kernels %s: %.1f s, %.0f a second" % (options.n, name, took, options.n / took))
    if options.trial:
        contexts = list(candidates(options))
        answers, took = judge(options, contexts)
        times = sorted(sum(stage.get("time_ms", 0) for stage in answer["result"]["tilerace"]["stages"]) / 1e3
                       for answer in answers)
        print("%d candidates of the trial: %.1f s, %.1f a second; one takes %.2f s (median), %.2f s (9 of 10), %.1f s "
              "(worst)" % (len(times), took, len(times) / took, statistics.median(times),
                           times[len(times) * 9 // 10], times[-1]))


if __name__ == "__main__":
    main()
