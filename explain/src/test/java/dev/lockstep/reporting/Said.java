// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.model.Trace;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section.FindingsSection;
import dev.lockstep.testkit.PlainWords;
import java.util.List;

/** What a report says in words. */
final class Said {
    private Said() {}

    /** Every finding as severity, code and text, in order; all in plain words. */
    static List<String> all(List<Finding> findings) {
        assertThat(findings.stream()
                        .filter(f -> !f.code().startsWith("input_")) // problems of files, in the words of their readers
                        .flatMap(f -> PlainWords.faults(f.text()).stream()))
                .isEmpty();
        return findings.stream()
                .map(f -> f.severity() + " " + f.code() + ": " + f.text())
                .toList();
    }

    static List<String> all(Report report) {
        return all(report.sections().stream()
                .filter(FindingsSection.class::isInstance)
                .flatMap(s -> ((FindingsSection) s).findings().stream())
                .toList());
    }

    /** The findings of the report of one rank with this code. */
    static List<String> of(Trace trace, String code) {
        return all(PerformanceReport.of(trace, ReportOptions.standard())).stream()
                .filter(line -> line.contains(" " + code + ": "))
                .toList();
    }
}
