// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.gate;

import dev.lockstep.cli.ProgramVersion;
import dev.lockstep.cli.gate.Judgement.Outcome;
import dev.lockstep.codec.JsonObject;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.publish.metrics.MetricFigure;
import dev.lockstep.write.Unicode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The result of a gate for people and for programs that show it. */
final class GateFiles {
    private GateFiles() {}

    /** What all figures together come to. */
    static Outcome outcome(List<Judgement> judged) {
        return Stream.of(Outcome.REGRESSION, Outcome.INCONCLUSIVE)
                .filter(outcome -> judged.stream().anyMatch(one -> one.outcome() == outcome))
                .findFirst()
                .orElse(Outcome.PASS);
    }

    static void print(List<Judgement> judged, PrintWriter out) {
        out.println("Gate: " + outcome(judged).word());
        judged.forEach(one -> out.println("  " + one.outcome().word() + ": " + sentence(one)));
    }

    /** As in {@code step_time is 3.1 % worse (16.3 ms to 16.8 ms; 1.2 to 5.0 % with 95 %; limit 5 %)}. */
    static String sentence(Judgement one) {
        String change = Double.isNaN(one.worse())
                ? "changed"
                : String.format(
                        Locale.ROOT,
                        "is %s %% %s",
                        percent(Math.abs(one.worse())),
                        one.worse() < 0 ? "better" : "worse");
        return one.figure().name() + " " + change + " ("
                + value(one.figure(), one.change().baseline()) + " to "
                + value(one.figure(), one.change().own()) + "; " + interval(one) + "; limit " + percent(one.limit())
                + " %)";
    }

    private static String interval(Judgement one) {
        return Double.isNaN(one.least())
                ? one.basis()
                : percent(one.least()) + " to " + percent(one.most()) + " % by the " + one.basis();
    }

    private static String percent(double value) {
        return Math.abs(value) < 10
                ? String.format(Locale.ROOT, "%.1f", value)
                : String.format(Locale.ROOT, "%.0f", value);
    }

    private static String value(MetricFigure figure, double value) {
        return switch (figure.unit()) {
            case "s" -> String.format(Locale.ROOT, "%.4g ms", value * 1e3);
            case "B" -> String.format(Locale.ROOT, "%.4g MiB", value / (1 << 20));
            case "B/s" -> String.format(Locale.ROOT, "%.4g GB/s", value / 1e9);
            default -> String.format(Locale.ROOT, "%.4g", value);
        };
    }

    /**
     * Writes one of the forms.
     *
     * @param form junit, sarif or markdown
     * @param source the first of the candidates as it was named
     */
    static void write(String form, List<Judgement> judged, String source, Path target) throws IOException {
        String text = switch (form) {
            case "junit" -> junit(judged);
            case "sarif" -> sarif(judged, source);
            default -> markdown(judged);
        };
        try (Writer file = NamedFiles.writer(target)) {
            file.write(text);
        }
    }

    private static String junit(List<Judgement> judged) {
        StringBuilder out = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        out.append("<testsuites><testsuite name=\"lockstep gate\" tests=\"").append(judged.size());
        out.append("\" failures=\"").append(count(judged, Outcome.REGRESSION));
        out.append("\" skipped=\"").append(count(judged, Outcome.INCONCLUSIVE)).append("\">\n");
        for (Judgement one : judged) {
            out.append("  <testcase classname=\"lockstep.gate\" name=\"")
                    .append(one.figure().name())
                    .append("\">");
            String words =
                    sentence(one).replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
            switch (one.outcome()) {
                case REGRESSION ->
                    out.append("<failure message=\"").append(words).append("\"/>");
                case INCONCLUSIVE ->
                    out.append("<skipped message=\"").append(words).append("\"/>");
                case PASS -> out.append("<system-out>").append(words).append("</system-out>");
            }
            out.append("</testcase>\n");
        }
        return out.append("</testsuite></testsuites>\n").toString();
    }

    private static long count(List<Judgement> judged, Outcome outcome) {
        return judged.stream().filter(one -> one.outcome() == outcome).count();
    }

    private static String sarif(List<Judgement> judged, String source) {
        List<JsonObject> rules = judged.stream()
                .map(one -> new JsonObject()
                        .with("id", one.figure().name())
                        .with(
                                "shortDescription",
                                new JsonObject().with("text", one.figure().meaning())))
                .toList();
        List<JsonObject> results = judged.stream()
                .filter(one -> one.outcome() != Outcome.PASS)
                .map(one -> new JsonObject()
                        .with("ruleId", one.figure().name())
                        .with("level", one.outcome() == Outcome.REGRESSION ? "error" : "note")
                        .with("message", new JsonObject().with("text", sentence(one)))
                        .with(
                                "locations",
                                List.of(new JsonObject()
                                        .with(
                                                "physicalLocation",
                                                new JsonObject()
                                                        .with(
                                                                "artifactLocation",
                                                                new JsonObject().with("uri", uri(source)))))))
                .toList();
        JsonObject driver = new JsonObject()
                .with("name", "lockstep")
                .with("version", ProgramVersion.number())
                .with("rules", rules);
        return new JsonObject()
                        .with("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
                        .with("version", "2.1.0")
                        .with(
                                "runs",
                                List.of(new JsonObject()
                                        .with("tool", new JsonObject().with("driver", driver))
                                        .with("results", results)))
                + "\n";
    }

    private static String uri(String source) {
        try {
            return new URI(null, null, Unicode.wellFormed(source), null).getRawPath();
        } catch (URISyntaxException e) {
            return "";
        }
    }

    private static String markdown(List<Judgement> judged) {
        StringBuilder out =
                new StringBuilder("### Lockstep gate: " + outcome(judged).word() + "\n\n");
        out.append(
                "| Figure | Baseline | Candidate | Worse by | 95 % | Limit | |\n|---|---:|---:|---:|---:|---:|---|\n");
        for (Judgement one : judged) {
            out.append("| `").append(one.figure().name()).append("` | ");
            out.append(value(one.figure(), one.change().baseline())).append(" | ");
            out.append(value(one.figure(), one.change().own())).append(" | ");
            out.append(Double.isNaN(one.worse()) ? "" : percent(one.worse()) + " %")
                    .append(" | ");
            out.append(
                    Double.isNaN(one.least()) ? "unknown" : percent(one.least()) + " to " + percent(one.most()) + " %");
            out.append(" | ").append(percent(one.limit())).append(" % | ");
            out.append(
                            one.outcome() == Outcome.PASS
                                    ? "pass"
                                    : "**" + one.outcome().word() + "**")
                    .append(" |\n");
        }
        out.append('\n');
        judged.stream()
                .map(Judgement::basis)
                .distinct()
                .forEach(basis -> out.append("Intervals: ").append(basis).append(".\n"));
        return out.toString();
    }
}
