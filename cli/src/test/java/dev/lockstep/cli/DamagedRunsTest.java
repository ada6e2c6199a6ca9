// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.cli.DamagedRun.Kind;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Of runs in all formats some files are damaged, by seeds that stay. Whatever command reads the run, no rank vanishes with
 * status 0, none gets the number of another, and the file that cannot be read is named. {@code config/fuzz SECONDS runs} goes
 * on with others.
 */
class DamagedRunsTest {
    private static final int SEEDS = Kind.values().length;
    private static final int COMMANDS = 2;

    /** Where all kinds take turns, damaged runs get such a part of the time. */
    private static final int SHARE = 10;

    /** How many ranks were read of how many, as summaries say it. */
    private static final Pattern COUNT =
            Pattern.compile("(?i)ranks? (?:[\\d, -]+ of|(\\d+) of) (\\d+)|: (\\d+) of (\\d+) ranks");

    /** Command lines, and the sheet from which it is seen which rank is which file; none where nothing says it. */
    private static final Map<String, String> COMMANDS_OF_RUNS = new LinkedHashMap<>();

    static {
        COMMANDS_OF_RUNS.put("collectives RUN --csv OUT/c", "c/coverage.csv");
        COMMANDS_OF_RUNS.put("report RUN --csv OUT/r", "r/coverage.csv");
        COMMANDS_OF_RUNS.put("fleet RUN --csv OUT/f", "f/fleet_ranks.csv");
        COMMANDS_OF_RUNS.put("config report BASE", "BASE");
        COMMANDS_OF_RUNS.put("merge RUN -o OUT/m.json", "");
        COMMANDS_OF_RUNS.put("merge RUN -o OUT/m.pftrace --align collectives", "");
        COMMANDS_OF_RUNS.put("dataset RUN -o OUT/d", "d");
        COMMANDS_OF_RUNS.put("dataset RUN -o OUT/d && fleet OUT/d --csv OUT/f", "f/fleet_ranks.csv");
        COMMANDS_OF_RUNS.put(
                "report WHOLE --csv OUT/w && report RUN --csv OUT/r && compare OUT/w OUT/r --csv OUT/c", "");
        COMMANDS_OF_RUNS.put("sweep report SWEEP", "");
        COMMANDS_OF_RUNS.put("stragglers RUN --csv OUT/s", "");
        COMMANDS_OF_RUNS.put("info RUN", "");
        COMMANDS_OF_RUNS.put("diff WHOLE RUN --csv OUT/x", "");
        COMMANDS_OF_RUNS.put("kernels gantt RUN -o OUT/g.svg", "");
        COMMANDS_OF_RUNS.put("goal -i RUN -o OUT/goal", "");
        COMMANDS_OF_RUNS.put("report RUN --compat tracelens --csv OUT/t", "");
    }

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final List<String> findings = new ArrayList<>();
    private final Map<Kind, List<String>> applicable = new EnumMap<>(Kind.class);
    private int runs;
    private int commands;

    @Test
    void noRankVanishes() throws IOException {
        for (int seed = 0; seed < SEEDS; seed++) {
            check(seed, COMMANDS);
        }
        assertThat(findings).isEmpty();
    }

    /** What {@code config/fuzz} runs. */
    @Test
    void otherSeedsForAsLongAsAsked() throws IOException {
        String wanted = System.getProperty("fuzz.door", "");
        if (!"runs".contains(wanted)) {
            return;
        }
        long seconds = Long.getLong("fuzz.seconds", 0) / (wanted.isEmpty() ? SHARE : 1);
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        long seed = Long.getLong("fuzz.seed", 1000);
        int most = Integer.getInteger("fuzz.runs", Integer.MAX_VALUE);
        while (System.nanoTime() < end && runs < most) {
            check(seed++, Integer.getInteger("fuzz.commands", COMMANDS_OF_RUNS.size()));
            if (runs % 50 == 0) {
                System.out.println("fuzz: " + this);
            }
        }
        if (runs > 0) {
            System.out.println("fuzz: " + this);
        }
        assertThat(findings).isEmpty();
    }

    @Override
    public String toString() {
        return runs + " damaged runs, " + commands + " commands, " + findings.size() + " findings";
    }

    private void check(long seed, int most) throws IOException {
        Random random = new Random(seed);
        Kind kind = Kind.values()[(int) (seed % Kind.values().length)];
        Path sweep = folder.resolve("s" + seed);
        Path base = sweep.resolve("256thread").resolve("nccl_28channels");
        DamagedRun run = DamagedRun.make(random, kind, base.resolve("torch_profiler"));
        copy(base.resolve("torch_profiler"), base.resolve("whole"));
        Map<Integer, String> whole = new TreeMap<>();
        if (asked(base.resolve("torch_profiler"), whole) != 0) {
            findings.add("seed " + seed + " " + kind + ": a sound run: " + err);
        }
        List<String> lines = new ArrayList<>(applicable(kind, base));
        Collections.shuffle(lines, random);
        Set<String> damaged = run.damage();
        runs++;
        String what = "seed " + seed + " " + kind + " " + run.done();
        Map<Integer, String> left = new TreeMap<>();
        int status = asked(base.resolve("torch_profiler"), left);
        judge(what + ": sql", status, left, whole, damaged);
        boolean complete = status == 0;
        for (String line : lines.subList(0, Math.min(most, lines.size()))) {
            int ended = run(line, base);
            String said = what + ": " + line;
            String sheet = COMMANDS_OF_RUNS.get(line);
            Map<Integer, String> seen = left;
            if (ended == ExitStatus.COMPLETE || ended == ExitStatus.PARTIAL) {
                seen = switch (sheet) {
                    case "" -> left;
                    case "d" -> {
                        String error = err.toString();
                        String output = out.toString();
                        Map<Integer, String> found = new TreeMap<>();
                        asked(base.resolve("out/d"), found);
                        out.getBuffer().setLength(0);
                        out.getBuffer().append(output);
                        err.getBuffer().append(error);
                        yield found;
                    }
                    case "BASE" -> ranks(coverage(base));
                    default -> ranks(base.resolve("out").resolve(sheet));
                };
            }
            judge(said, ended, seen, whole, damaged);
            if (complete != (ended == 0)) {
                findings.add(said + ": ends with " + ended + ", sql with " + status + "\n" + err);
            }
            clear(base.resolve("out"));
        }
        clear(sweep);
    }

    /** The command lines that have something to do with a run of a kind. */
    private List<String> applicable(Kind kind, Path base) throws IOException {
        if (!applicable.containsKey(kind)) {
            List<String> lines = new ArrayList<>();
            for (String line : COMMANDS_OF_RUNS.keySet()) {
                if (run(line, base) == 0) {
                    lines.add(line);
                }
                clear(base.resolve("out"));
            }
            applicable.put(kind, lines);
        }
        return applicable.get(kind);
    }

    private void judge(
            String what, int status, Map<Integer, String> seen, Map<Integer, String> whole, Set<String> damaged) {
        String said = "\n  seen " + seen + "\n  whole " + whole + "\n" + err + out;
        // what is left may not suffice: one rank has no others, and what was cut holds nothing
        boolean few = status == ExitStatus.NOTHING && what.matches("(?s).*: (goal|stragglers|diff|kernels) .*");
        if (status != ExitStatus.COMPLETE && status != ExitStatus.PARTIAL && !few) {
            findings.add(what + ": status " + status + said);
        }
        if (status == ExitStatus.COMPLETE && !seen.equals(whole)) {
            findings.add(what + ": a rank is lost with status 0" + said);
        }
        seen.forEach((rank, file) -> {
            if (!file.equals(whole.get(rank))) {
                findings.add(what + ": rank " + rank + " is another" + said);
            }
        });
        Set<String> lost = new TreeSet<>(whole.values());
        lost.removeAll(seen.values());
        for (String file : lost) {
            if (!err.toString().contains(file)) {
                findings.add(what + ": " + file + " is not named" + said);
            }
            if (!damaged.contains(file)) {
                findings.add(what + ": " + file + " is sound, and lost" + said);
            }
        }
        Matcher count = COUNT.matcher(out.toString().lines().limit(2).reduce("", (a, b) -> a + "\n" + b));
        if (count.find()) {
            int all = Integer.parseInt(count.group(2) == null ? count.group(4) : count.group(2));
            if (all != whole.size()) {
                findings.add(what + ": " + count.group() + said);
            }
        }
    }

    /** Takes which rank is which file of those that were read, asked in SQL; returns the status. */
    private int asked(Path input, Map<Integer, String> ranks) {
        commands++;
        int status = TestProgram.run(
                out,
                err,
                "sql",
                input,
                "SELECT rank, file FROM ranks WHERE status IN ('read', 'partial') ORDER BY ALL",
                "--csv");
        out.toString().lines().skip(1).forEach(row -> {
            String[] cells = row.split(",");
            ranks.put(Integer.parseInt(cells[0]), cells[1]);
        });
        return status;
    }

    private static Path coverage(Path base) throws IOException {
        try (Stream<Path> files = Files.walk(base)) {
            return files.filter(file -> file.endsWith("coverage.csv"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** The same, from a sheet with columns of these names. */
    private static Map<Integer, String> ranks(Path sheet) throws IOException {
        List<List<String>> rows = new ArrayList<>();
        for (String line : Files.readAllLines(sheet)) {
            rows.add(TestProgram.cells(line));
        }
        List<String> head = rows.getFirst();
        int rank = head.indexOf("rank");
        int status = head.indexOf("status");
        int file = head.contains("file") ? head.indexOf("file") : head.indexOf("source");
        Map<Integer, String> ranks = new TreeMap<>();
        for (List<String> row : rows.subList(1, rows.size())) {
            if (Set.of("read", "partial", "complete").contains(row.get(status))) {
                ranks.put(Integer.parseInt(row.get(rank)), row.get(file));
            }
        }
        return ranks;
    }

    /** Runs command lines one after the other; returns the status of the last. The writer holds what all say is wrong. */
    private int run(String lines, Path base) {
        int status = ExitStatus.COMPLETE;
        StringBuilder said = new StringBuilder();
        for (String line : lines.split(" && ")) {
            status = runOne(line, base);
            said.append(err);
        }
        err.getBuffer().setLength(0);
        err.getBuffer().append(said);
        return status;
    }

    private int runOne(String line, Path base) {
        commands++;
        Object[] words = Arrays.stream(line.split(" "))
                .map(word -> switch (word) {
                    case "RUN" -> base.resolve("torch_profiler").toString();
                    case "WHOLE" -> base.resolve("whole").toString();
                    case "BASE" -> base.toString();
                    case "SWEEP" -> base.resolveSibling("..").normalize().toString();
                    default -> word.replaceFirst("^OUT\\b", base + "/out");
                })
                .toArray();
        return TestProgram.run(out, err, words);
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> walk = Files.walk(from)) {
            for (Path path : walk.sorted().toList()) {
                Files.copy(path, to.resolve(from.relativize(path).toString()));
            }
        }
    }

    private static void clear(@Nullable Path folder) throws IOException {
        if (folder == null || !Files.isDirectory(folder)) {
            return;
        }
        try (Stream<Path> walk = Files.walk(folder)) {
            for (Path path : walk.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
