// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.testkit.SampleReports;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An answer is not given where something that it rests on cannot be believed. */
class WithheldAnswerTest {
    private static Report report(Section.AnswerSection answer) {
        return new Report("report", "", List.of(answer, new Section.FindingsSection("Findings", List.of())));
    }

    private static Trust without(Topic topic, double share) {
        return new Trust(List.of(new Trust.Reason("made", 1, 2, share, "Half of it is lost.", Set.of(topic), "")));
    }

    @ParameterizedTest
    @EnumSource(
            value = Topic.class,
            names = {"TIMES", "IDLE", "HOST", "KERNELS", "ACTIONS"})
    void ofARankItRestsOnIdleTimeHostKernelsAndGains(Topic topic) {
        Report report = report(new Section.AnswerSection(SampleReports.answer("a", "b")));

        assertThat(report.believing(without(topic, 0.5)).answer()).isNull();
        assertThat(report.believing(without(topic, 0.001)).answer())
                .as("a caveat")
                .isNotNull();
        assertThat(report.believing(Trust.SOUND).answer()).isNotNull();
    }

    @Test
    void ofARunItRestsOnWhatItsSentenceSays() {
        Report report =
                report(new Section.AnswerSection(SampleReports.answer("a"), EnumSet.of(Topic.LATENESS, Topic.STEPS)));

        assertThat(report.believing(without(Topic.LATENESS, 0.5)).answer()).isNull();
        assertThat(report.believing(without(Topic.IDLE, 0.5)).answer()).isNotNull();
    }
}
