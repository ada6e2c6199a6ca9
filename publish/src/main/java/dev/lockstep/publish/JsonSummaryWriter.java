// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish;

import dev.lockstep.codec.JsonObject;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.report.Answer;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Report;
import dev.lockstep.report.Trust;
import dev.lockstep.words.Glance;
import dev.lockstep.write.CellStyle;
import dev.lockstep.write.ReportWriter;
import dev.lockstep.write.Unicode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * What a report says first, as JSON below {@value #MOST_BYTES} bytes: trust, verdict, actions, where the time goes, and as many findings
 * as fit, the gravest first. Texts are cut where they are long.
 */
public final class JsonSummaryWriter implements ReportWriter {
    static final int MOST_BYTES = 8_000;

    private static final int LONGEST_TEXT = 240;
    private static final int LONGEST_NAME = 120;

    /** Reasons and actions; actions are at most as many as are known. */
    private static final int MOST = 6;

    private static final int VERSION = 1;

    @Override
    public String id() {
        return "json-summary";
    }

    @Override
    public String help() {
        return "Write the verdict, the actions and the first findings as JSON below 8 kB.";
    }

    @Override
    public String ending() {
        return ".json";
    }

    @Override
    public String fileName() {
        return "summary.json";
    }

    @Override
    public void write(Report report, Path target, CellStyle style) throws IOException {
        List<Finding> findings = report.findings().stream()
                .sorted(Comparator.comparing(Finding::severity))
                .toList();
        JsonObject all = summary(report);
        byte[] summary = bytes(all, List.of());
        List<JsonObject> shown = new ArrayList<>();
        for (Finding finding : findings) {
            shown.add(new JsonObject()
                    .with("severity", finding.severity().name().toLowerCase(Locale.ROOT))
                    .with("code", finding.code())
                    .with("text", cut(finding.text(), LONGEST_TEXT)));
            byte[] more = bytes(all, shown);
            if (more.length >= MOST_BYTES) {
                break;
            }
            summary = more;
        }
        try (OutputStream out = NamedFiles.out(target)) {
            out.write(summary);
        }
    }

    private static JsonObject summary(Report report) {
        Answer answer = report.answer();
        Glance glance = Glance.of(report);
        JsonObject all = new JsonObject()
                .with(
                        "format",
                        new JsonObject().with("name", "lockstep summary").with("version", VERSION))
                .with("title", cut(report.title(), LONGEST_NAME))
                .with("subtitle", cut(report.subtitle(), LONGEST_NAME))
                .with("trust", trust(report.trust()))
                .with("verdict", answer == null ? null : verdict(answer.verdict()))
                .with("actions", answer == null ? List.of() : actions(answer))
                .with("together", answer == null || answer.togetherNs() < 0 ? null : together(answer));
        if (!glance.parts().isEmpty()) {
            JsonObject time = new JsonObject().with("busy_percent", glance.busy());
            glance.parts().forEach(part -> time.with(part.label() + "_percent", part.percent()));
            all.with("time", time);
        }
        all.with(
                "kernels",
                glance.kernels().stream()
                        .map(one -> new JsonObject()
                                .with("name", cut(one.label(), LONGEST_NAME))
                                .with("device_time_ns", one.ns())
                                .with("of_ns", one.allNs()))
                        .toList());
        return all.with(
                "operators",
                glance.operators().stream()
                        .map(one -> new JsonObject()
                                .with("name", cut(one.name(), LONGEST_NAME))
                                .with("device_time_ns", one.ns()))
                        .toList());
    }

    private static byte[] bytes(JsonObject all, List<JsonObject> findings) {
        return (all.with("findings", findings) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    private static JsonObject trust(Trust trust) {
        return new JsonObject()
                .with("verdict", trust.verdict().word())
                .with(
                        "reasons",
                        trust.reasons().stream()
                                .limit(MOST)
                                .map(reason -> new JsonObject()
                                        .with("code", reason.code())
                                        .with("text", cut(reason.text(), LONGEST_TEXT)))
                                .toList());
    }

    private static JsonObject verdict(Answer.Verdict verdict) {
        return new JsonObject()
                .with("class", verdict.boundBy())
                .with("share", verdict.share())
                .with("text", cut(verdict.text(), LONGEST_TEXT))
                .with("of_ns", verdict.ofNs());
    }

    private static List<JsonObject> actions(Answer answer) {
        return answer.actions().stream()
                .limit(MOST)
                .map(action -> new JsonObject()
                        .with("id", action.id())
                        .with("gain_ns", action.gainNs())
                        .with("low_ns", action.lowNs())
                        .with("high_ns", action.highNs())
                        .with("of_ns", action.ofNs())
                        .with("text", cut(action.text(), LONGEST_NAME))
                        .with("snippet", cut(action.snippet(), LONGEST_NAME))
                        .with("check", cut(action.check(), LONGEST_NAME))
                        .with("assumption", cut(action.assumption(), LONGEST_NAME)))
                .toList();
    }

    private static JsonObject together(Answer answer) {
        return new JsonObject()
                .with("gain_ns", answer.togetherNs())
                .with("of_ns", answer.verdict().ofNs());
    }

    /** A text of at most so many bytes, cut at its end. */
    private static String cut(String text, int most) {
        String whole = Unicode.wellFormed(text);
        if (whole.getBytes(StandardCharsets.UTF_8).length <= most) {
            return whole;
        }
        int bytes = 1 + "…".length();
        int end = 0;
        while (end < whole.length()) {
            int point = whole.codePointAt(end);
            bytes += Character.toString(point).getBytes(StandardCharsets.UTF_8).length;
            if (bytes >= most) {
                break;
            }
            end += Character.charCount(point);
        }
        return whole.substring(0, end) + "…";
    }
}
