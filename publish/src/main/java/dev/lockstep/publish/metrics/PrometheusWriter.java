// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.metrics;

import dev.lockstep.error.NamedFiles;
import dev.lockstep.report.Report;
import dev.lockstep.write.CellStyle;
import dev.lockstep.write.Numbers;
import dev.lockstep.write.ReportWriter;
import dev.lockstep.write.Unicode;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;

/** The figures in the text format of Prometheus, for the textfile collector of its node exporter. */
public final class PrometheusWriter implements ReportWriter {
    @Override
    public String id() {
        return "prometheus";
    }

    @Override
    public String help() {
        return "Write figures as text for Prometheus.";
    }

    @Override
    public String ending() {
        return ".prom";
    }

    @Override
    public void write(Report report, Path target, CellStyle style) throws IOException {
        String source = "source=\"" + escaped(Unicode.wellFormed(report.subtitle())) + "\"";
        StringBuilder out = new StringBuilder();
        for (MetricFigure figure : MetricRegistry.of(report)) {
            String name = "lockstep_" + figure.name() + unit(figure.unit());
            out.append("# HELP ")
                    .append(name)
                    .append(' ')
                    .append(figure.meaning())
                    .append('\n');
            out.append("# TYPE ").append(name).append(" gauge\n");
            switch (figure.kind()) {
                case VALUE -> sample(out, name, source, figure.mean());
                case STEPS -> {
                    sample(out, name, source + ",stat=\"mean\"", figure.mean());
                    sample(
                            out,
                            name,
                            source + ",stat=\"max\"",
                            figure.values().stream().max(Double::compare).orElseThrow());
                }
                case RANKS -> {
                    for (int i = 0; i < figure.values().size(); i++) {
                        sample(
                                out,
                                name,
                                source + ",rank=\"" + figure.ranks().get(i) + "\"",
                                figure.values().get(i));
                    }
                }
            }
        }
        try (Writer file = NamedFiles.writer(target)) {
            file.write(out.toString());
        }
    }

    private static void sample(StringBuilder out, String name, String labels, double value) {
        out.append(name)
                .append('{')
                .append(labels)
                .append("} ")
                .append(Numbers.plain(value))
                .append('\n');
    }

    private static String unit(String unit) {
        return switch (unit) {
            case "s" -> "_seconds";
            case "B" -> "_bytes";
            case "B/s" -> "_bytes_per_second";
            default -> "_ratio";
        };
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }
}
