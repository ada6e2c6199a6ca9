// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.runs;

import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Schema;
import dev.lockstep.table.Table;
import dev.lockstep.table.TableBuilder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What was expected of a run or a sweep, and what of it is there: the statement without which no result over several ranks
 * can be believed.
 *
 * @param parts every rank of every configuration, in the order of configurations and ranks
 */
public record Coverage(List<Part> parts) {
    /** How much of a part there is. */
    public enum State {
        /** All of it. */
        COMPLETE,
        /** A part is certainly missing, the rest was used. */
        PARTIAL,
        /** It is there, but cannot be read. */
        UNREADABLE,
        /** It is expected, and not there. */
        MISSING,
        /** It is there, but belongs to no rank; it was not used, and nothing is missing for it. */
        SET_ASIDE;

        /** Whether nothing is missing. */
        public boolean isWhole() {
            return this == COMPLETE || this == SET_ASIDE;
        }

        /** Whether there is something that was used. */
        public boolean isUsable() {
            return this == COMPLETE || this == PARTIAL;
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    /**
     * A rank's trace or report, or a whole configuration.
     *
     * @param configuration label of the configuration
     * @param rank number of the rank, -1 for the configuration as a whole, a file that belongs to no rank, or one that cannot be
     *     read and of which it is not known which rank it is
     * @param state how much of it there is
     * @param source the file, empty for none
     * @param note what is wrong, empty for nothing
     */
    public record Part(String configuration, int rank, State state, String source, String note) {}

    private static final Schema PARTS = Schema.of(
            ColumnSpec.text("configuration", "Name of the configuration."),
            ColumnSpec.id(
                    "rank",
                    "Number of the rank; missing where a whole configuration, a stray file or a file of an unknown rank is meant."),
            ColumnSpec.text(
                    "status",
                    "complete; partial: a part of the file is missing, the rest was used; unreadable; missing: expected,"
                            + " but there is no file; set aside: a file that belongs to no rank."),
            ColumnSpec.text("note", "What is wrong; missing for nothing."),
            ColumnSpec.text("source", "The file; missing for none."));

    private static final Schema CONFIGURATIONS = Schema.of(
            ColumnSpec.text("configuration", "Name of the configuration."),
            ColumnSpec.count("expected", "Ranks that the configuration has, as far as known."),
            ColumnSpec.count("found", "Ranks of which something was used."),
            ColumnSpec.count("missing", "Ranks without a file."),
            ColumnSpec.count("damaged", "Ranks whose file is cut or cannot be read."),
            ColumnSpec.text("which", "The ranks that are not whole; missing for none."));

    public Coverage {
        parts = List.copyOf(parts);
    }

    /** Nothing was expected. */
    public static Coverage none() {
        return new Coverage(List.of());
    }

    /** A configuration of which nothing is there. */
    public static Coverage absent(Configuration configuration, String note) {
        return new Coverage(List.of(new Part(
                configuration.label(), -1, State.MISSING, configuration.folder().toString(), note)));
    }

    /** This and what is said about further parts. */
    public Coverage and(Coverage others) {
        List<Part> all = new ArrayList<>(parts);
        all.addAll(others.parts);
        return new Coverage(all);
    }

    /**
     * The same, where configurations of unknown size lack the ranks that others have.
     *
     * @param unsure labels of configurations whose traces do not say how many ranks there are
     */
    public Coverage withRanksOfOthers(Collection<String> unsure) {
        Map<String, List<Part>> byLabel = byLabel();
        int most = mostRanks(byLabel);
        Set<String> unknown = Set.copyOf(unsure);
        List<Part> all = new ArrayList<>();
        byLabel.forEach((label, parts) -> {
            List<Part> own = ranksOf(parts);
            all.addAll(own);
            if (unknown.contains(label) && !own.isEmpty()) {
                for (int rank = own.getLast().rank() + 1; rank < most; rank++) {
                    all.add(new Part(label, rank, State.MISSING, "", "no file for this rank, which others have"));
                }
            }
            parts.stream().filter(part -> part.rank() < 0).forEach(all::add);
        });
        return new Coverage(all);
    }

    /** Number of ranks that each configuration should have, as far as known from it or from the others, by label. */
    public Map<String, Integer> expected() {
        Map<String, List<Part>> byLabel = byLabel();
        int most = mostRanks(byLabel);
        Map<String, Integer> expected = new LinkedHashMap<>();
        byLabel.forEach((label, parts) -> {
            int own = ranksOf(parts).size();
            expected.put(label, own > 0 ? own : most);
        });
        return expected;
    }

    /** Labels of the configurations, in order. */
    public List<String> labels() {
        return List.copyOf(byLabel().keySet());
    }

    private Map<String, List<Part>> byLabel() {
        Map<String, List<Part>> byLabel = new LinkedHashMap<>();
        parts.forEach(part -> byLabel.computeIfAbsent(part.configuration(), label -> new ArrayList<>())
                .add(part));
        return byLabel;
    }

    private static int mostRanks(Map<String, List<Part>> byLabel) {
        return byLabel.values().stream()
                .mapToInt(parts -> ranksOf(parts).size())
                .max()
                .orElse(0);
    }

    private static List<Part> ranksOf(List<Part> parts) {
        return parts.stream().filter(part -> part.rank() >= 0).toList();
    }

    /** Whether nothing is missing. */
    public boolean isComplete() {
        return parts.stream().allMatch(part -> part.state().isWhole());
    }

    /** Whether nothing at all could be used. */
    public boolean isEmpty() {
        return parts.stream().noneMatch(part -> part.state().isUsable());
    }

    /** The parts of which something is missing. */
    public List<Part> gaps() {
        return parts.stream().filter(part -> !part.state().isWhole()).toList();
    }

    /** One row for each part. */
    public Table table() {
        TableBuilder table = new TableBuilder("coverage", "Coverage: what was expected and found", PARTS);
        for (Part part : parts) {
            table.row(
                    part.configuration(),
                    part.rank() < 0 ? null : part.rank(),
                    part.state().toString(),
                    orNull(part.note()),
                    orNull(part.source()));
        }
        return table.build();
    }

    /** One row for each configuration. */
    public Table byConfiguration() {
        TableBuilder table =
                new TableBuilder("coverage_by_configuration", "Coverage of configurations", CONFIGURATIONS);
        Map<String, Integer> ranks = expected();
        byLabel().forEach((label, parts) -> {
            List<Part> own = ranksOf(parts);
            int expected = ranks.getOrDefault(label, 0);
            table.row(
                    label,
                    expected,
                    own.stream().filter(part -> part.state().isUsable()).count(),
                    own.isEmpty() ? expected : count(own, State.MISSING),
                    count(own, State.PARTIAL) + count(own, State.UNREADABLE),
                    orNull(which(parts)));
        });
        return table.build();
    }

    private static String which(List<Part> parts) {
        StringBuilder which = new StringBuilder();
        for (Part part : parts) {
            if (!part.state().isWhole()) {
                which.append(which.isEmpty() ? "" : ", ")
                        .append(
                                part.rank() >= 0
                                        ? "rank " + part.rank()
                                        : part.state() == State.MISSING ? "all" : "a file")
                        .append(' ')
                        .append(part.state());
            }
        }
        return which.toString();
    }

    private static long count(List<Part> parts, State state) {
        return parts.stream().filter(part -> part.state() == state).count();
    }

    private static @Nullable String orNull(String text) {
        return text.isEmpty() ? null : text;
    }

    /** Where the table is written: in a folder of analyses. */
    public static Path place(Path analysis) {
        return analysis.resolve("coverage.csv");
    }
}
