// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.hangs;

import dev.lockstep.hangs.dump.DumpedJob;
import dev.lockstep.hangs.dump.Group;
import dev.lockstep.hangs.dump.RankDump;
import dev.lockstep.hangs.wait.Diagnosis;
import dev.lockstep.hangs.wait.Diagnosis.Wait;
import dev.lockstep.hangs.wait.HangVerdict;
import dev.lockstep.report.Evidence.Rows;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Finding.Severity;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section;
import dev.lockstep.report.Section.ChartSection;
import dev.lockstep.report.Section.Fact;
import dev.lockstep.report.Section.FactsSection;
import dev.lockstep.report.Section.FindingsSection;
import dev.lockstep.report.Section.TableSection;
import dev.lockstep.report.Subject;
import dev.lockstep.words.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What the dumps of a job say, as a report. */
final class HangReport {
    private static final int MOST_NOTES = 5;
    private static final int MOST_LOOKED = 4;

    private final DumpedJob job;
    private final String source;
    private final Diagnosis diagnosis;
    private final List<HangVerdict> verdicts;
    private final List<@Nullable Wait> waiting;

    HangReport(DumpedJob job, String source) {
        this.job = job;
        this.source = source;
        diagnosis = Diagnosis.of(job);
        verdicts = diagnosis.verdicts();
        waiting = diagnosis.waiting();
    }

    boolean isHang() {
        return !verdicts.isEmpty();
    }

    /** Ranks of which a look at traces is worth it: some culprits, or parties, and one that waits for them. */
    List<Integer> looked() {
        if (verdicts.isEmpty()) {
            return List.of();
        }
        HangVerdict first = verdicts.getFirst();
        List<Integer> who = first.culprits().isEmpty() ? first.parties() : first.culprits();
        List<Integer> looked = new ArrayList<>(who.stream().limit(MOST_LOOKED).toList());
        first.waiting().stream().filter(rank -> !who.contains(rank)).findFirst().ifPresent(looked::add);
        return looked;
    }

    /** @param before what ranks did, by their traces */
    Report report(List<BeforeHang> before) {
        HangTables tables = new HangTables(job, verdicts, waiting);
        List<Section> sections = new ArrayList<>();
        sections.add(new FactsSection("Job", facts()));
        sections.add(new FindingsSection("Findings", findings(before)));
        sections.add(new TableSection(tables.verdicts()));
        tables.progress().ifPresent(chart -> sections.add(new ChartSection(chart)));
        sections.add(new TableSection(tables.groups()));
        sections.add(new TableSection(tables.ranks()));
        sections.add(new TableSection(tables.waits()));
        sections.add(new TableSection(tables.mismatches(diagnosis.differing())));
        if (!before.isEmpty()) {
            sections.add(new TableSection(BeforeHang.table(
                    before.stream().flatMap(one -> one.doings().stream()).toList())));
        }
        return new Report("Hangs", source, sections);
    }

    private List<Fact> facts() {
        int dumps = job.dumps().size();
        int all = dumps + job.missing().size();
        TreeSet<String> versions = new TreeSet<>();
        TreeSet<String> backends = new TreeSet<>();
        for (RankDump dump : job.dumps()) {
            versions.add(dump.source().version());
            dump.groups().forEach(group -> backends.add(group.backend()));
        }
        backends.remove("");
        return List.of(
                new Fact("ranks", Words.count(all), "Ranks that dumps and process groups name."),
                new Fact(
                        "dumps",
                        job.missing().isEmpty()
                                ? Words.count(dumps)
                                : Words.count(dumps) + "; none of " + Group.ranks(job.missing()),
                        "Ranks whose dump was read."),
                new Fact("process groups", Words.count(job.groups().size()), ""),
                new Fact("versions", String.join(", ", versions), "Versions of the format."),
                new Fact("libraries", String.join(", ", backends), "Backends of process groups."));
    }

    private List<Finding> findings(List<BeforeHang> before) {
        List<Finding> all = new ArrayList<>();
        for (HangVerdict one : verdicts) {
            Severity severity = all.isEmpty() ? Severity.PROBLEM : Severity.NOTICE;
            all.add(new Finding(
                            severity,
                            "hang_" + one.kind().word(),
                            HangWords.sentence(one) + HangWords.places(one),
                            "hang_verdict")
                    .on(Rows.of(HangTables.VERDICTS, verdicts, v -> v.equals(one)))
                    .about(new Subject.OfRanks(one.culprits())));
        }
        for (BeforeHang one : before) {
            String sentence = one.sentence();
            if (sentence != null) {
                all.add(new Finding(Severity.INFO, "hang_before", sentence, "hang_before"));
            }
        }
        if (verdicts.isEmpty()) {
            all.add(new Finding(
                    Severity.INFO,
                    "hang_none",
                    "No hang: no rank waits in a call that did not complete.",
                    "states of all calls"));
        }
        if (!job.missing().isEmpty()) {
            all.add(new Finding(
                    Severity.INFO,
                    "hang_missing_dumps",
                    Words.count(job.missing().size(), "rank", "ranks") + " left no dump: " + Group.ranks(job.missing())
                            + ". What they did is unknown.",
                    "process groups"));
        }
        long overrun = job.dumps().stream().filter(d -> d.source().lost() > 0).count();
        if (overrun > 0 && isHang()) {
            all.add(new Finding(
                    Severity.INFO,
                    "hang_lost_calls",
                    "The ring buffers of " + Words.count(overrun, "rank", "ranks")
                            + " lost their first calls. TORCH_FR_BUFFER_SIZE keeps more.",
                    "record_id of the first entry"));
        }
        if (!job.notes().isEmpty()) {
            all.add(new Finding(
                    Severity.INFO,
                    "hang_files",
                    job.notes().stream().limit(MOST_NOTES).collect(Collectors.joining(" ")),
                    "names and times of dumps"));
        }
        return all;
    }
}
