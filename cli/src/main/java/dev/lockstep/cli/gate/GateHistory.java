// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.gate;

import dev.lockstep.codec.Json;
import dev.lockstep.codec.JsonObject;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.FileNames;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.error.UserException;
import dev.lockstep.publish.metrics.MetricFigure;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Figures of runs that were accepted: a file for each in one folder, in the order of their names. It only grows: no file is
 * changed, replaced or removed.
 */
final class GateHistory {
    private static final String ENDING = ".figures.json";
    private static final String FORMAT = "lockstep figures";
    private static final int VERSION = 1;

    private GateHistory() {}

    /** The files of a history; none where the folder is something else. */
    static List<Path> files(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(file -> String.valueOf(file.getFileName()).endsWith(ENDING))
                    .sorted()
                    .toList();
        }
    }

    /** Whether it is a file of a history. */
    static boolean isFile(Path file) {
        return String.valueOf(file.getFileName()).endsWith(ENDING) && Files.isRegularFile(file);
    }

    /** The figures of a run. */
    static List<MetricFigure> read(Path file) throws IOException {
        if (!(Json.parse(NamedFiles.settings(file)) instanceof Json.Members document)
                || !FORMAT.equals(document.object("format").text("name"))
                || document.object("format").whole("version", 0) != VERSION) {
            throw new UserException(ErrorCode.FORMAT_UNKNOWN, file + ": no figures of a run, version " + VERSION, null);
        }
        List<MetricFigure> figures = new ArrayList<>();
        for (Json one : document.items("figures")) {
            if (one instanceof Json.Members figure) {
                List<Double> values = figure.items("values").stream()
                        .map(value -> value instanceof Json.Numeral number ? number.value() : Double.NaN)
                        .toList();
                if (!values.isEmpty() && values.stream().allMatch(Double::isFinite)) {
                    figures.add(new MetricFigure(
                            String.valueOf(figure.text("name")),
                            String.valueOf(figure.text("meaning")),
                            String.valueOf(figure.text("unit")),
                            "more".equals(figure.text("better")),
                            "steps".equals(figure.text("kind")) ? MetricFigure.Kind.STEPS : MetricFigure.Kind.VALUE,
                            List.of(),
                            values));
                }
            }
        }
        return figures;
    }

    /** Adds a run behind all others; returns its file. */
    static Path add(Path folder, String run, List<MetricFigure> figures) throws IOException {
        int number = files(folder).size() + 1;
        String name = String.format(Locale.ROOT, "%06d-%s%s", number, run.replaceAll("[^\\w.-]", "_"), ENDING);
        Path file = folder.resolve(FileNames.text(name));
        if (Files.exists(file)) {
            throw new UserException(
                    ErrorCode.OUTPUT_FAILED, file + " is there; a history replaces nothing", "Name another folder.");
        }
        List<JsonObject> all = figures.stream()
                .filter(figure -> figure.kind() != MetricFigure.Kind.RANKS)
                .map(figure -> new JsonObject()
                        .with("name", figure.name())
                        .with("meaning", figure.meaning())
                        .with("unit", figure.unit())
                        .with("better", figure.moreIsBetter() ? "more" : "less")
                        .with("kind", figure.kind() == MetricFigure.Kind.STEPS ? "steps" : "value")
                        .with("values", figure.values()))
                .toList();
        JsonObject document = new JsonObject()
                .with("format", new JsonObject().with("name", FORMAT).with("version", VERSION))
                .with("run", run)
                .with("figures", all);
        try (Output output = new Output()) {
            try (Writer text = NamedFiles.writer(output.file(file))) {
                text.write(document + "\n");
            }
            output.commit();
        }
        return file;
    }
}
