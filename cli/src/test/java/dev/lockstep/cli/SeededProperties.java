// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Properties of the program that hold for every input that a seed makes. Seeds stay; {@code config/fuzz} goes on with others. */
abstract class SeededProperties {
    /** How much of the time of all doors is for the properties of a class, if no word is given. */
    private static final int SHARE = 8;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final long seeds;

    @TempDir
    Path folder;

    private int made;

    /** @param seeds how many seeds each property is tried with in every build */
    SeededProperties(long seeds) {
        this.seeds = seeds;
    }

    /** Something that holds for every input. */
    interface Property {
        void check(RandomGenerator random) throws IOException;
    }

    /** All properties by the words that {@code config/fuzz} finds them by. */
    abstract Map<String, Property> properties();

    @Test
    void propertiesHold() throws IOException {
        for (Map.Entry<String, Property> property : properties().entrySet()) {
            for (long seed = 0; seed < seeds; seed++) {
                hold(property.getKey(), property.getValue(), seed);
            }
        }
    }

    /** What {@code config/fuzz} runs. */
    @Test
    void otherSeedsForAsLongAsAsked() throws IOException {
        String wanted = System.getProperty("fuzz.door", "");
        List<Map.Entry<String, Property>> asked = properties().entrySet().stream()
                .filter(property -> property.getKey().contains(wanted))
                .toList();
        long seconds = Long.getLong("fuzz.seconds", 0) / (wanted.isEmpty() ? SHARE : 1);
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        long seed = Long.getLong("fuzz.seed", 1000);
        while (!asked.isEmpty() && System.nanoTime() < end) {
            for (Map.Entry<String, Property> property : asked) {
                hold(property.getKey(), property.getValue(), seed);
            }
            seed++;
        }
        if (seconds > 0 && !asked.isEmpty()) {
            System.out.println("fuzz: " + asked.getFirst().getKey() + " and others, seeds up to " + seed);
        }
    }

    private void hold(String name, Property property, long seed) throws IOException {
        try {
            property.check(new SplittableRandom(seed));
        } catch (AssertionError e) {
            fail(name + ", seed " + seed, e);
        }
        try (Stream<Path> walk = Files.walk(folder)) {
            for (Path path : walk.sorted(Comparator.reverseOrder()).toList()) {
                if (!path.equals(folder)) {
                    Files.delete(path);
                }
            }
        }
    }

    void run(Object... arguments) {
        int status = TestProgram.run(out, err, arguments);
        assertThat(status).as("%s: %s", List.of(arguments), err).isZero();
    }

    /** A new place for a file that is called so. */
    Path place(String name) throws IOException {
        return Files.createDirectories(folder.resolve(String.valueOf(made++))).resolve(name);
    }

    static long millis(Map<String, BigDecimal> parts, String part) {
        return parts.getOrDefault(part, BigDecimal.ZERO).movePointRight(6).longValueExact();
    }

    static long ns(BigDecimal us) {
        return us.movePointRight(3).longValueExact();
    }

    /** The sums of a column by the words of another. */
    static Map<String, BigDecimal> sums(Path sheet, String by, String of) throws IOException {
        Map<String, BigDecimal> sums = new TreeMap<>();
        for (Map<String, String> row : rows(sheet)) {
            sums.merge(cell(row, by), new BigDecimal(cell(row, of)), BigDecimal::add);
        }
        return sums;
    }

    static String cell(Map<String, String> row, String column) {
        String cell = row.get(column);
        assertThat(cell).as("%s in %s", column, row.keySet()).isNotNull();
        return cell;
    }

    /** The rows of a sheet. */
    static List<Map<String, String>> rows(Path sheet) throws IOException {
        List<String> lines = Files.readAllLines(sheet);
        List<String> heads = TestProgram.cells(lines.getFirst());
        return lines.stream()
                .skip(1)
                .map(line -> {
                    List<String> cells = TestProgram.cells(line);
                    Map<String, String> row = new TreeMap<>();
                    for (int i = 0; i < heads.size(); i++) {
                        row.put(heads.get(i), i < cells.size() ? cells.get(i) : "");
                    }
                    return row;
                })
                .toList();
    }
}
