// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.metrics;

import dev.lockstep.codec.JsonObject;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.report.Report;
import dev.lockstep.write.CellStyle;
import dev.lockstep.write.ReportWriter;
import dev.lockstep.write.Unicode;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The figures as one request of OpenTelemetry's protocol in JSON, which a collector reads from a file. Without times: a report
 * knows none of its making.
 */
public final class OpenTelemetryWriter implements ReportWriter {
    @Override
    public String id() {
        return "otel";
    }

    @Override
    public String help() {
        return "Write figures as metrics of OpenTelemetry, in JSON.";
    }

    @Override
    public String ending() {
        return ".json";
    }

    @Override
    public String fileName() {
        return "metrics.json";
    }

    @Override
    public void write(Report report, Path target, CellStyle style) throws IOException {
        List<JsonObject> metrics = new ArrayList<>();
        for (MetricFigure figure : MetricRegistry.of(report)) {
            List<JsonObject> points = new ArrayList<>();
            for (int i = 0; i < figure.values().size(); i++) {
                String label = switch (figure.kind()) {
                    case VALUE -> null;
                    case STEPS -> "step_index";
                    case RANKS -> "rank";
                };
                long number = figure.kind() == MetricFigure.Kind.RANKS
                        ? figure.ranks().get(i)
                        : i;
                JsonObject point =
                        new JsonObject().with("asDouble", figure.values().get(i));
                points.add(
                        label == null
                                ? point
                                : point.with(
                                        "attributes", List.of(attribute(label, "intValue", Long.toString(number)))));
            }
            metrics.add(new JsonObject()
                    .with("name", "lockstep." + figure.name())
                    .with("description", figure.meaning())
                    .with("unit", figure.unit().replace("B", "By"))
                    .with("gauge", new JsonObject().with("dataPoints", points)));
        }
        JsonObject scope = new JsonObject()
                .with("scope", new JsonObject().with("name", "lockstep"))
                .with("metrics", metrics);
        JsonObject resource = new JsonObject()
                .with(
                        "resource",
                        new JsonObject()
                                .with(
                                        "attributes",
                                        List.of(
                                                attribute("service.name", "stringValue", "lockstep"),
                                                attribute(
                                                        "lockstep.source",
                                                        "stringValue",
                                                        Unicode.wellFormed(report.subtitle())))))
                .with("scopeMetrics", List.of(scope));
        try (Writer file = NamedFiles.writer(target)) {
            file.write(new JsonObject().with("resourceMetrics", List.of(resource)) + "\n");
        }
    }

    private static JsonObject attribute(String key, String type, String value) {
        return new JsonObject().with("key", key).with("value", new JsonObject().with(type, value));
    }
}
