# SPDX-License-Identifier: Apache-2.0
"""Needs lockstep: LOCKSTEP, the PATH, or the checkout. Run by: python3 -m unittest discover -s python/acelyzer/tests"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock

SOURCES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "src")
sys.path.insert(0, SOURCES)

from acelyzer.acelyzer import main
from aiu_trace_analyzer.core.acelyzer import Acelyzer, _Child

KERNEL = {"ph": "X", "cat": "kernel", "name": "mm_1", "pid": 0, "tid": 1, "ts": 14, "dur": 3,
          "args": {"device": 0, "correlation": 5}}
LAUNCH = {"ph": "X", "cat": "cuda_runtime", "name": "aiuLaunchControlBlocks", "pid": 77, "tid": 9, "ts": 10, "dur": 2,
          "args": {"correlation": 5}}
TRACE = {"deviceProperties": [{"id": 0, "name": "AIU"}], "traceEvents": [LAUNCH, KERNEL]}


class AcelyzerTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.output = os.path.join(self.folder.name, "out.json")
        self.input = os.path.join(self.folder.name, "in.json")
        with open(self.input, "w", encoding="utf-8") as file:
            json.dump(TRACE, file)

    def test_a_buffer_is_processed_without_a_file(self):
        run = Acelyzer(["--input", "api://jsonbuffer", "--disable_file", "--tb", "--overlap", "shift", "-o", self.output],
                       in_data=json.dumps(TRACE).encode())
        self.assertIsNone(run.get_output_data())

        self.assertEqual(0, run.run())

        result = json.loads(run.get_output_data())
        self.assertEqual("api://jsonbuffer", result["otherData"]["Settings"]["input"])
        kernels = [e for e in result["traceEvents"] if e.get("cat") == "kernel"]
        self.assertEqual([(14, 3)], [(k["ts"], k["dur"]) for k in kernels])
        self.assertTrue(os.path.exists(os.path.join(self.folder.name, "out_summary.csv")))
        self.assertFalse(os.path.exists(os.path.join(self.folder.name, "out.pt.trace.json")))

    def test_a_buffer_may_be_text_or_the_object_itself(self):
        made = []
        for data in (json.dumps(TRACE).encode(), json.dumps(TRACE), TRACE):
            run = Acelyzer(["-i", "api://jsonbuffer", "--disable_file", "--tb", "-o", self.output], in_data=data)
            self.assertEqual(0, run.run())
            made.append(json.loads(run.get_output_data())["traceEvents"])
        self.assertTrue(made[0])
        self.assertEqual(made[0], made[1])
        self.assertEqual(made[0], made[2])

    def test_a_rank_can_be_had_alone(self):
        run = Acelyzer(["-i", self.input, "--tb", "-o", self.output])
        run.run()
        alone = json.loads(run.exporter.get_tb_data(0))
        self.assertEqual({0}, {e["pid"] for e in alone["traceEvents"]})
        self.assertEqual([0], [d["id"] for d in alone["deviceProperties"]])
        odd = {**TRACE, "deviceProperties": [3, None, {"id": 0}]}
        run = Acelyzer(["-i", "api://odd", "--tb", "--disable_file", "-o", self.output], in_data=odd)
        run.run()
        self.assertEqual([{"id": 0}], json.loads(run.exporter.get_tb_data(0))["deviceProperties"])

    def test_files_stand_where_they_shall(self):
        self.assertEqual(0, main(["-i", self.input, "-o", self.output]))
        with open(self.output, encoding="utf-8") as file:
            self.assertIn("traceEvents", json.load(file))

    def test_the_plugins_name_of_the_compilers_log_and_repeated_options_are_taken(self):
        self.assertEqual(0, main(["-i", "none", "-i", self.input, "--compiler_log", "none.log", "-o", self.output]))

    def test_a_program_of_that_name_in_a_folder_above_is_not_run(self):
        for place in (("lib", "site-packages"), ("python", "acelyzer", "src")):
            with tempfile.TemporaryDirectory() as folder:
                package = os.path.join(folder, *place)
                shutil.copytree(os.path.join(SOURCES, "aiu_trace_analyzer"), os.path.join(package, "aiu_trace_analyzer"))
                planted = os.path.join(folder, "lockstep")
                with open(planted, "w", encoding="utf-8") as program:
                    program.write("#!/bin/sh\ntouch " + os.path.join(folder, "ran") + "\n")
                os.chmod(planted, 0o755)
                call = "from aiu_trace_analyzer.core.acelyzer import Acelyzer; Acelyzer(['--version']).run()"
                environment = {"PYTHONPATH": package, "PATH": "/usr/bin:/bin"}
                done = subprocess.run([sys.executable, "-c", call], env=environment, capture_output=True, check=False)
                self.assertIn(b"LOCKSTEP does not name it", done.stderr)
                self.assertFalse(os.path.exists(os.path.join(folder, "ran")))

    def test_halves_of_characters_do_no_harm(self):
        odd = json.dumps(TRACE).replace("mm_1", "mm_\ud800")
        run = Acelyzer(["-i", "api://jsonbuffer", "--disable_file", "--tb", "-o", self.output], in_data=odd)
        self.assertEqual(0, run.run())
        json.loads(run.get_output_data())

    def test_nothing_in_an_option_is_a_command(self):
        for hostile in ("$(touch PWNED)", "`touch PWNED`", "; touch PWNED", "x\ntouch PWNED", "| touch PWNED"):
            with self.subTest(hostile):
                with self.assertRaises(SystemExit):
                    main(["-i", hostile, "-o", self.output])
                self.assertFalse(os.path.exists("PWNED"))

    def test_a_program_that_cannot_be_started_is_named(self):
        for program in ("/nonexistent/lockstep", self.folder.name, self.input):
            with self.subTest(program):
                done = self.start({"LOCKSTEP": program}, "-i", self.input)
                said = done.communicate()[1]
                self.assertEqual(1, done.returncode)
                self.assertTrue(said.startswith(b"acelyzer: ") and program.encode() in said, said)
                self.assertNotIn(b"Traceback", said)

    @unittest.skipUnless(hasattr(signal, "SIGHUP"), "needs signals")
    def test_a_signal_ends_lockstep_first_and_leaves_nothing(self):
        fake = os.path.join(self.folder.name, "fake")
        with open(fake, "w", encoding="utf-8") as program:
            program.write("#!/bin/sh\ntrap 'sleep 0.4; touch tidied; exit 77' INT TERM HUP\ntouch begun\n"
                          "while :; do sleep 0.05; done\n")
        os.chmod(fake, 0o755)
        temporary = os.path.join(self.folder.name, "tmp")
        os.mkdir(temporary)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number):
                run = self.start({"LOCKSTEP": fake, "TMPDIR": temporary}, "-i", "x", cwd=self.folder.name)
                while not os.path.exists(os.path.join(self.folder.name, "begun")):
                    self.assertIsNone(run.poll())
                    time.sleep(0.02)
                run.send_signal(number)
                said = run.communicate()[1]
                self.assertEqual(77, run.returncode)
                self.assertEqual(b"", said)
                for name in ("begun", "tidied"):
                    os.remove(os.path.join(self.folder.name, name))
                self.assertEqual([], os.listdir(temporary))

    @unittest.skipUnless(hasattr(signal, "SIGHUP"), "needs signals")
    def test_a_signal_while_lockstep_is_being_started_is_passed_on(self):
        class Started(subprocess.Popen):
            def __init__(self, *arguments, **options):
                super().__init__(*arguments, **options)
                os.kill(os.getpid(), signal.SIGTERM)

        with unittest.mock.patch("subprocess.Popen", Started), _Child() as child:
            self.assertEqual(128 + signal.SIGTERM, child.run(["sleep", "60"], None))

    @staticmethod
    def start(environment, *arguments, cwd=None):
        return subprocess.Popen([sys.executable, "-m", "acelyzer", *arguments], cwd=cwd, stderr=subprocess.PIPE,
                                preexec_fn=heard if os.name == "posix" else None,
                                env={**os.environ, "PYTHONPATH": os.path.abspath(SOURCES), **environment})

    def test_statuses_are_acelyzers(self):
        for status, arguments in [
            (0, ["--version"]),
            (1, ["-i", "nonexistent"]),
            (1, ["-i", "''"]),
            (1, ["-i", self.input, "--freq", "abcd"]),
            (1, ["-i", self.input, "--freq", "-500.0"]),
            (1, ["-i", self.input, "--freq", "0.0:800"]),
            (2, ["--missing_required"]),
            (2, ["-i", self.input, "--unrecognized"]),
            (2, ["-i", "somefile", "-C", "unknown_counter"]),
            (2, ["-i", "somefile", "-D", "5"]),
            (2, ["-i", self.input, "-C", "power_ts3,power_ts4"]),
        ]:
            with self.subTest(arguments):
                try:
                    self.assertEqual(status, main(arguments + ["-o", self.output]))
                except SystemExit as end:
                    self.assertEqual(status, end.code)


def heard():
    """Signals that this process was told to ignore, as under nohup, reach the program that is tested."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)


if __name__ == "__main__":
    unittest.main()
