#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Are the answers of Lockstep the same by every way, and those of others?

    same_answers.py TRACE... [--lockstep FILE] [--perfetto DIR] [--spark DIR]

Asks of each trace how many kernels there are of each name, on each stream, in collectives, how many operators, and what they take in
all: in the CSV sheets of a report, by `lockstep sql` on a dataset, by Spark on its Parquet files (--spark: folder with the jars of
Spark SQL), and by Perfetto's engine on the trace itself and on what `lockstep merge` made of it (--perfetto: folder of
perfetto_check.py). The sheets count the time of an operator inside of one of its own name once: Perfetto's engine is asked for that on
the merge. Its reader of JSON drops slices that overlap without nesting, and counts them: so many may be missing there.
Needs Python alone. Exit status: 0 the same, 1 not, 2 wrong arguments.
"""
import argparse, collections, csv, os, subprocess, sys, tempfile
from decimal import Decimal

HERE = os.path.dirname(os.path.abspath(__file__))
DEVICE = "category in ('kernel', 'gpu_memcpy', 'gpu_memset')"
COLLECTIVE = "category = 'kernel' and (name glob 'nccl*' or name glob '*dpsk::ep::*' or name glob '*rccl*')"
ARG = "coalesce(extract_arg(arg_set_id, 'args.{0}'), extract_arg(arg_set_id, 'debug.{0}'))".format


def sums(rows):
    """(question, subject, n, ns) of rows, added up."""
    found = collections.defaultdict(lambda: [0, 0])
    for question, subject, n, ns in rows:
        found[question, subject][0] += int(n)
        found[question, subject][1] += int(ns)
    return {key: tuple(value) for key, value in found.items()}


class Asked:
    def __init__(self, lockstep, perfetto, work):
        self.lockstep, self.perfetto, self.work = lockstep, perfetto, work

    def run(self, *arguments):
        done = subprocess.run([self.lockstep, *arguments, "--allow-partial"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if done.returncode:
            raise SystemExit(f"lockstep {' '.join(arguments)}: {done.stderr.decode('utf-8', 'replace')}")
        return done.stdout.decode()

    def by_sql(self, data):
        rows = csv.reader(self.run("sql", data, "-f", os.path.join(HERE, "questions.sql"), "--csv").splitlines())
        next(rows)
        return sums(rows)

    def by_sheets(self, trace):
        folder = os.path.join(self.work, "sheets")
        self.run("report", trace, "--csv", folder, "--quiet")

        def sheet(name):
            path = os.path.join(folder, name + ".csv")
            if not os.path.exists(path):
                return []
            with open(path, newline="", encoding="utf-8") as file:
                return list(csv.DictReader(file))

        def ns(row, column, unit):
            exact = Decimal(row[column]) * unit
            if exact != int(exact):
                raise SystemExit(f"{column}: {row[column]} is no whole number of ns")
            return int(exact)
        rows = []
        for row in sheet("kernel_summary"):
            took = row["Kernel duration (µs)_count"], ns(row, "Kernel duration (µs)_sum", 1000)
            rows.append(("kernels", row["Kernel name"], *took))
        copies = [("copies", "", row["copies"], ns(row, "time ms", 1000000)) for row in sheet("copies")]
        streams = [("streams", row["device"] + "/" + row["stream"], row["activities"], 0) for row in sheet("gpu_timeline_by_stream")]
        calls = [("collectives", row["Collective name"], row["operation_count"], ns(row, "dur_sum", 1000)) for row in sheet("coll_analysis")]
        hosts = [("outermost", row["name"], row["count"], ns(row, "total time ms", 1000000)) for row in sheet("host_summary") if row["kind"] == "cpu_op"]
        return sums(rows + copies + streams + calls + hosts)

    def by_perfetto(self, file):
        queries = {
            "activity": f"select name subject, count(*) n, sum(dur) ns from slice where {DEVICE} group by 1",
            "streams": f"select {ARG('device')} || '/' || {ARG('stream')} subject, count(*) n, sum(dur) ns from slice where {DEVICE} group by 1",
            "communication": f"select '' subject, count(*) n, sum(dur) ns from slice where {COLLECTIVE} group by 1",
            "operators": "select name subject, count(*) n, sum(dur) ns from slice where category = 'cpu_op' group by 1",
            "outermost": "select s.name subject, count(*) n, sum(iif(exists(select 1 from ancestor_slice(s.id) a where a.name = s.name"
            " and a.category = 'cpu_op'), 0, s.dur)) ns from slice s where s.category = 'cpu_op' group by 1",
            "dropped": "select 'all' subject, coalesce(sum(value), 0) n, 0 ns from stats where name = 'slice_drop_overlapping_complete_event'",
        }
        answer = self.perfetto.ask(file, queries)
        return sums((name, row["subject"], row["n"], row["ns"]) for name in queries for row in self.perfetto.rows(answer, name))

    def by_spark(self, jars, folders):
        """The answers of each dataset; Spark starts once for all."""
        java = os.path.join(os.environ["JAVA_HOME"], "bin", "java") if "JAVA_HOME" in os.environ else "java"
        asked = [java, "-Xmx1g", "-XX:+UseSerialGC", "-cp", os.path.join(jars, "*"), os.path.join(HERE, "Answers.java"), os.path.join(HERE, "questions.sql")]
        done = subprocess.run(asked + folders, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if done.returncode:
            raise SystemExit("Spark: " + done.stderr.decode("utf-8", "replace")[-3000:])
        rows = [line.split("\t") for line in done.stdout.decode().splitlines()]
        return [sums(row[1:] for row in rows if row[0] == folder) for folder in folders]


def part(answers, question):
    return {subject: value for (asked, subject), value in answers.items() if asked == question}


def unequal(ours, theirs, missing=0):
    """What is wrong with answers to a question, if as many events as `missing` may be absent from theirs."""
    wrong = [f"{subject!r} is not in the dataset" for subject in set(theirs) - set(ours)]
    absent = 0
    for subject, (n, ns) in ours.items():
        m, ms = theirs.get(subject, (0, 0))
        absent += n - m
        if m > n or m == n and ms != ns or m < n and not missing:
            wrong.append(f"{subject!r}: {n} in {ns} ns, and not {m} in {ms} ns")
    if absent > missing:
        wrong.append(f"{absent} events are absent, and not up to {missing}")
    return sorted(wrong)


def unequal_names(ours, theirs):
    """As unequal, where they show names of C++ as written and not as linked: these are compared by their numbers alone."""
    ours, theirs = dict(ours), dict(theirs)
    for subject in set(ours) & set(theirs):
        if ours[subject] == theirs[subject]:
            del ours[subject], theirs[subject]
    linked = {subject: value for subject, value in ours.items() if subject.startswith("_Z")}
    total = [sum(column) for column in zip((0, 0), *linked.values())]
    shown = [sum(column) for column in zip((0, 0), *theirs.values())]
    if len(linked) == len(ours) and sorted(linked.values()) == sorted(theirs.values()):
        return []
    if len(linked) == len(ours) and total == shown and len(theirs) <= len(linked):
        return []
    return unequal(ours, theirs)


def compare(ours, others, report):
    """Compares the dataset with other ways; {name: (answers, events that may be absent)}."""
    wrong = []
    for question, same in (("sums", "activity"), ("ops", "operators")):
        wrong += [f"table of {question}: {line}" for line in unequal(part(ours, same), part(ours, question))]
    for way, (answers, missing) in others.items():
        asked = sorted({question for question, _ in answers} & {question for question, _ in ours})
        for question in asked:
            mine, other = part(ours, question), part(answers, question)
            if way == "sheets":
                other = {s: (n, mine.get(s, (0, 0))[1]) for s, (n, _) in other.items()} if question == "streams" else other
                found = unequal_names(mine, other)
            else:
                found = unequal(mine, other, missing)
            wrong += [f"{way}, {question}: {line}" for line in found]
        lost = sorted({question for question, _ in ours} - set(asked) - {"sums", "ops", "outermost"}) if way == "Spark" else []
        wrong += [f"{way}: no answer to {question}" for question in lost]
        report.append(f"{way} ({', '.join(asked)}{f', without {missing} slices that it dropped' if missing else ''})")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("traces", nargs="+")
    parser.add_argument("--lockstep", default="./lockstep")
    parser.add_argument("--perfetto")
    parser.add_argument("--spark")
    given = parser.parse_args()
    perfetto = None
    if given.perfetto:
        sys.path.insert(0, given.perfetto)
        import perfetto_check as perfetto
        try:
            perfetto.assets()
        except perfetto.Skip as reason:
            print(f"WITHOUT PERFETTO: {reason}")
            perfetto = None
    status = 0
    with tempfile.TemporaryDirectory() as work:
        asked = Asked(given.lockstep, perfetto, work)
        folders = []
        for place, trace in enumerate(given.traces):
            folders.append(os.path.join(work, f"data{place}"))
            asked.run("dataset", trace, "-o", folders[-1], "--level", "full", "--quiet")
        spark = asked.by_spark(given.spark, folders) if given.spark else [None] * len(folders)
        for trace, folder, of_spark in zip(given.traces, folders, spark):
            ours = asked.by_sql(folder)
            others = {"sql on the trace": (asked.by_sql(trace), 0), "sheets": (asked.by_sheets(trace), 0)}
            if of_spark is not None:
                others["Spark"] = (of_spark, 0)
            if perfetto:
                of_trace = asked.by_perfetto(trace)
                others["Perfetto on the trace"] = (of_trace, part(of_trace, "dropped")["all"][0])
                merged = os.path.join(work, "merged.pftrace")
                asked.run("merge", trace, "-o", merged, "--quiet")
                of_merge = asked.by_perfetto(merged)
                ours.update({("outermost", name): answer for name, answer in part(of_merge, "outermost").items()})
                others["Perfetto on the merge"] = (of_merge, 0)
            report = []
            wrong = compare(ours, others, report)
            print(f"{'DIFFERENT' if wrong else 'same'}: {os.path.basename(trace)}, {sum(n for n, _ in part(ours, 'activity').values())} activities: "
                  + "; ".join(report))
            for line in wrong[:20]:
                print("  " + line[:300])
            status = status or (1 if wrong else 0)
            for left in ("sheets", "merged.pftrace"):
                subprocess.run(["rm", "-rf", os.path.join(work, left)], check=True)
    return status


if __name__ == "__main__":
    sys.exit(main())
