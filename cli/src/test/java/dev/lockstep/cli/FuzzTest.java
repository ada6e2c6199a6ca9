// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever is read is damaged at random, or means something else, by seeds that stay: no command may fail as a bug, show where in the program it
 * failed, write what does not parse, leave anything behind or change what it read. {@code config/fuzz} goes on for as long as
 * it is told, with other seeds.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FuzzTest {
    private static final int SEEDS = 2;
    private static final long BETWEEN_REPORTS = 300_000_000_000L; // ns
    private static final Pattern QUALIFIED = Pattern.compile("\\b[a-z]+\\.\\w+(\\.\\w+)*(Exception|Error)\\b");

    /** What moves a terminal's cursor, hides what stands there, or turns it round. */
    private static final Pattern UNSHOWABLE =
            Pattern.compile("[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u202a-\\u202e\\u2066-\\u2069]");

    /** Not damaged, but made: a trace of a few events. */
    private static final String TINY = "tiny.json";

    /** Where the rows of a table of a dataset lie. */
    private static final String PART = "/run=ranks/rank_block=00000/part-0.parquet";

    /** What is damaged, and the command lines that read it, by FUZZ; TRACE and OTHER stand for sound traces. */
    private static final List<List<String>> DOORS = List.of(
            List.of(
                    "trace.json",
                    "report FUZZ -o OUT",
                    "info --json FUZZ",
                    "merge FUZZ -o OUT/m.json",
                    "merge FUZZ OTHER -o OUT/m.pftrace --align collectives",
                    "merge FUZZ OTHER -o OUT/m.json --compat aorta",
                    "collectives FUZZ OTHER -o OUT",
                    "report FUZZ --compat tracelens -o OUT --html OUT/r.html --xlsx OUT/r.xlsx",
                    "report FUZZ --compat hta --csv OUT --overlay OUT/o.json",
                    "split FUZZ -o OUT",
                    "diff FUZZ OTHER -o OUT",
                    "kernels extract FUZZ -o OUT",
                    "kernels gantt FUZZ -o OUT/g.svg",
                    "replay plan FUZZ -o OUT/p.json",
                    "aiu -i FUZZ -o OUT/a.json",
                    "goal -i FOLDER -o OUT"),
            List.of(
                    "merged.pftrace",
                    "report FUZZ --rank 0 -o OUT",
                    "info --json FUZZ",
                    "merge FUZZ -o OUT/m.json",
                    "aiu -i FUZZ -o OUT/a.json"),
            List.of("merged.json.gz", "info --json FUZZ", "report FUZZ --rank 0 -o OUT"),
            List.of(
                    "host.xplane.pb",
                    "report FUZZ -o OUT",
                    "info --json FUZZ",
                    "merge FUZZ -o OUT/m.json",
                    "merge FUZZ -o OUT/m.pftrace"),
            List.of("rocprof.json", "report FUZZ -o OUT", "info --json FUZZ", "merge FUZZ -o OUT/m.json"),
            List.of(
                    "flex.json",
                    "report FUZZ -o OUT",
                    "merge FUZZ -o OUT/m.json",
                    "aiu -i FUZZ -o OUT/a.json",
                    "aiu -i FUZZ -o OUT/a.json --compat acelyzer"),
            List.of("catapult.json", "report FUZZ -o OUT", "merge FUZZ -o OUT/m.pftrace", "split FUZZ -o OUT"),
            List.of("ascend.json", "report FUZZ -o OUT", "collectives FUZZ OTHER -o OUT"),
            List.of("memory.json", "report FUZZ -o OUT", "memory FUZZ -o OUT"),
            List.of("snapshot.pickle", "memory FUZZ -o OUT", "info --json FUZZ"),
            List.of("nccl_trace_rank_3", "hangs FUZZ IN/dumps/nccl_trace_rank_[0-2] -o OUT"),
            List.of("python_trace_rank_3", "hangs FUZZ IN/dumps/nccl_trace_rank_[0-2] -o OUT"),
            List.of("dump_rank_3.json", "hangs FUZZ IN/dumps/nccl_trace_rank_[0-2] -o OUT"),
            List.of(
                    "node0000-pid10000.log",
                    "links FUZZ IN/logs/node0000-pid10001.log IN/logs/node000[1-3]-*.log -o OUT"),
            List.of("ops.parquet", "stragglers --table FUZZ -o OUT"),
            List.of(
                    "execution.json",
                    "info --json FUZZ",
                    "kernels extract FUZZ -o OUT",
                    "kernels extract TRACE --execution-trace FUZZ -o OUT",
                    "replay plan FUZZ -o OUT/p.json",
                    "replay plan TRACE --execution-trace FUZZ -o OUT/p.json"),
            List.of(
                    "nsys.sqlite",
                    "report FUZZ --rank 0 -o OUT",
                    "merge FUZZ -o OUT/m.pftrace",
                    "info --json FUZZ",
                    "goal -i FOLDER -o OUT"),
            List.of("ascend.db", "report FUZZ -o OUT", "info --json FUZZ"),
            List.of("rank.0.et", "report FUZZ -o OUT", "goal export --chakra FUZZ -o OUT", "info --json FUZZ"),
            List.of("rank.0.json", "report FUZZ -o OUT", "info --json FUZZ"),
            List.of("rocpd.db", "report FUZZ -o OUT", "merge FUZZ -o OUT/m.pftrace", "info --json FUZZ"),
            List.of("stages.pftrace", "report FUZZ -o OUT", "merge FUZZ -o OUT/m.json", "info --json FUZZ"),
            List.of("data/_lockstep.json", "fleet DATA -o OUT", "sql DATA -f SOUND/query.sql"),
            List.of("data/_runs/ranks.json", "fleet DATA -o OUT"),
            List.of("data/ranks" + PART, "fleet DATA -o OUT", "sql DATA -f SOUND/query.sql"),
            List.of("data/steps" + PART, "fleet DATA -o OUT"),
            List.of("data/collectives" + PART, "fleet DATA -o OUT"),
            List.of("data/findings" + PART, "fleet DATA -o OUT"),
            List.of("costs.json", "goal -i NSYS -o OUT -s FUZZ -l FUZZ"),
            List.of("arch.json", "report TRACE -o OUT --arch FUZZ"),
            List.of("arch.yaml", "report TRACE -o OUT --arch FUZZ"),
            List.of("models.json", "report TRACE -o OUT --models FUZZ"),
            List.of("profile.json", "aiu -i TRACE -o OUT/a.json --profile FUZZ"),
            List.of("categories.txt", "kernels extract TRACE -o OUT --categories FUZZ"),
            List.of("connections.txt", "goal -i RANKS -o OUT --topology FUZZ"),
            List.of("schedule.goal", "goal simulate FUZZ", "goal verify FUZZ", "goal report FUZZ -o OUT"),
            List.of("schedule.bin", "goal simulate FUZZ", "goal verify FUZZ"),
            List.of(
                    "report.xlsx",
                    "compare FUZZ REPORT --names a,b -o OUT",
                    "compare REPORT FUZZ --names a,b --html OUT/c.html"),
            List.of("ops_summary.csv", "compare FOLDER REPORT --names a,b -o OUT"),
            List.of("plan.json", "replay export FUZZ --to python -o OUT/p.py"),
            List.of(
                    "unique.jsonl",
                    "kernels extract FUZZ -o OUT",
                    "kernels extract SOUND/unique.jsonl --compute-csvs FUZZ -o OUT"),
            List.of("timeline.json", "memory FUZZ -o OUT", "report FUZZ -o OUT", "info --json FUZZ"),
            List.of("meta.yaml", "stragglers --table SOUND/ops.parquet --meta FUZZ --json OUT/s.json"),
            List.of("compiler.log", "aiu -i SOUND/flex.json -c FUZZ -o OUT/a.json"),
            List.of("nccl.log", "goal -i NSYS --nccl_log FUZZ -o OUT"),
            List.of(
                    "variance.csv",
                    "gemm plot --csv-path FUZZ --output-dir OUT",
                    "gemm timestamps --input-csv FUZZ --base-path RANKS --output-csv OUT/t.csv",
                    "gemm overlap --input-csv FUZZ --reports RANKS --output-csv OUT/o.csv"),
            List.of("power.csv", "replay energy SOUND/result.json --power FUZZ -o OUT"),
            List.of(
                    "result.json",
                    "replay energy FUZZ --power SOUND/power.csv -o OUT",
                    "replay compare FUZZ -o OUT",
                    "replay compare SOUND/result.json --whole FUZZ -o OUT"),
            List.of("trainer.yaml", "config run -c FUZZ --dry-run -o OUT"),
            List.of("mine.steps", "goal algorithms --algorithm FUZZ", "goal -i RANKS -o OUT --algorithm FUZZ"),
            List.of("hosts.csv", "fleet IN/data -o OUT --hosts FUZZ"),
            List.of("query.sql", "sql TRACE -f FUZZ", "sql IN/data -f FUZZ --parquet OUT/rows.parquet"),
            List.of(
                    "ops_summary.parquet",
                    "sql FOLDER -f SOUND/query.sql --parquet OUT/rows.parquet",
                    "compare FOLDER REPORT --names a,b -o OUT"),
            List.of("capture.json", "report TRACE -o OUT --capture FOLDER"),
            List.of(
                    TINY,
                    "report FUZZ -o OUT --critical-path --what-if class:computation=x0.5",
                    "report FUZZ --overlay OUT/o.json --folded OUT/f.txt --speedscope OUT/s.json",
                    "report FUZZ --compat tracelens --csv OUT",
                    "report FUZZ --compat hta --csv OUT",
                    "report FUZZ OTHER -o OUT",
                    "report FUZZ --baseline OTHER -o OUT",
                    "info --json FUZZ",
                    "merge FUZZ OTHER -o OUT/m.json --critical-path",
                    "merge FUZZ -o OUT/m.pftrace",
                    "collectives FUZZ OTHER -o OUT --critical-path",
                    "collectives FUZZ FUZZ -o OUT",
                    "stragglers FUZZ OTHER -o OUT",
                    "fleet FUZZ OTHER -o OUT",
                    "dataset FUZZ OTHER -o OUT/data",
                    "diff FUZZ OTHER -o OUT",
                    "diff OTHER FUZZ -o OUT",
                    "diff FUZZ FUZZ -o OUT",
                    "memory FUZZ -o OUT",
                    "split FUZZ -o OUT",
                    "kernels extract FUZZ -o OUT",
                    "kernels gantt FUZZ -o OUT/g.svg",
                    "replay plan FUZZ -o OUT/p.json",
                    "aiu -i FUZZ -o OUT/a.json",
                    "goal -i FOLDER -o OUT",
                    "sql FUZZ -f SOUND/query.sql"));

    /** Strict, but for sizes: values that are long or deep are JSON. */
    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .build();

    /** As Python writes it, which {@code --compat acelyzer} reproduces. */
    private static final JsonFactory PYTHON =
            JSON.rebuild().enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS).build();

    private static final String OPERATIONS = "SELECT 0::TINYINT AS dp_rank, 0::TINYINT AS stage, 0::SMALLINT AS rank,"
            + " s.step::BIGINT AS step, optype, began::FLOAT AS start_ts, 0.01::FLOAT AS duration, greatest(mb,"
            + " 0)::INTEGER AS seq_id, 0::TINYINT AS mc, mb::TINYINT AS mb_id, 0::SMALLINT AS gmc FROM (VALUES"
            + " ('forward-compute', 0, 0.0), ('backward-compute', 0, 0.02), ('optimizer', -1, 0.06)) o(optype, mb, began),"
            + " (VALUES (2), (4)) s(step)";

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private static Path folder;

    private Path sound = Path.of("");
    private Path damaged = Path.of("");

    @BeforeAll
    void prepare() throws IOException, SQLException {
        sound = Files.createDirectory(folder.resolve("sound"));
        run("synth -o RANKS --ranks 2 --size 40kB");
        dumps();
        run("goal -i RANKS -o IN/goal --format binary");
        for (String form : List.of("et", "json")) {
            run("goal export --chakra RANKS -o IN/chakra --format " + form);
            Files.copy(folder.resolve("in/chakra/rank.0." + form), sound.resolve("rank.0." + form));
        }
        Files.copy(folder.resolve("in/goal/output.bin"), sound.resolve("schedule.bin"));
        Files.copy(folder.resolve("ranks/rank0_trace.json"), sound.resolve("trace.json"));
        Files.copy(folder.resolve("ranks/rank0_trace.json"), sound.resolve(TINY));
        run("merge RANKS -o SOUND/merged.pftrace");
        run("merge RANKS -o SOUND/merged.json.gz");
        run("report TRACE -o IN/report --parquet IN/parquet --csv IN/report/csv --xlsx IN/report/report.xlsx");
        Files.copy(folder.resolve("in/parquet/ops_summary.parquet"), sound.resolve("ops_summary.parquet"));
        Files.copy(sound.resolve("trace.json"), sound.resolve("capture.json"));
        run("dataset RANKS -o IN/data --run ranks");
        run("dataset RANKS -o DATA --run ranks");
        Files.copy(folder.resolve("in/report/report.xlsx"), sound.resolve("report.xlsx"));
        Files.copy(folder.resolve("in/report/csv/ops_summary.csv"), sound.resolve("ops_summary.csv"));
        run("replay plan TRACE -o SOUND/plan.json");
        run("kernels extract TRACE -o IN/kernels");
        TrainingExport.write(sound.resolve("nsys.sqlite"));
        TrainingExport.writeCosts(sound.resolve("costs.json"));
        MadeWorld world = MadeWorld.of(new SplittableRandom(1));
        world.rocpd(sound.resolve("rocpd.db"));
        ascend(sound.resolve("ascend.db"));
        Files.write(sound.resolve("stages.pftrace"), world.stages());
        Files.copy(
                sound.resolve("nsys.sqlite"),
                Files.createDirectory(folder.resolve("nsys")).resolve("nsys.sqlite"));
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            statement.execute("COPY (" + OPERATIONS + ") TO '" + sound.resolve("ops.parquet") + "' (FORMAT parquet)");
        }
        resources();
        Files.write(
                sound.resolve("host.xplane.pb"),
                new MadeWorld(List.of(), MadeWorld.of(new Random(7)).kernels()).xplane());
    }

    /** A dump of each form. */
    private void dumps() throws IOException {
        run("synth -o IN/dumps --ranks 8 --hang skipped --entries 100 --mixed");
        for (int rank = 7; rank >= 0; rank--) {
            byte[] dump = Files.readAllBytes(folder.resolve("in/dumps/nccl_trace_rank_" + rank));
            String name =
                    dump[0] == '{' ? "dump_rank_3.json" : dump[1] == 2 ? "nccl_trace_rank_3" : "python_trace_rank_3";
            Files.write(sound.resolve(name), dump);
        }
        run("synth -o IN/logs --ranks 8 --inspector slow-nic --steps 12");
        Files.copy(folder.resolve("in/logs/node0000-pid10000.log"), sound.resolve("node0000-pid10000.log"));
    }

    private static void ascend(Path file) throws IOException, SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement();
                InputStream in = FuzzTest.class.getResourceAsStream("fuzz/ascend.sql")) {
            statement.executeUpdate(new String(Objects.requireNonNull(in).readAllBytes(), UTF_8));
        }
    }

    /** Files of the formats that the program does not write, and settings. */
    private void resources() throws IOException {
        for (String name : List.of(
                "rocprof.json",
                "flex.json",
                "catapult.json",
                "ascend.json",
                "memory.json",
                "execution.json",
                "arch.json",
                "arch.yaml",
                "models.json",
                "profile.json",
                "categories.txt",
                "connections.txt",
                "schedule.goal",
                "snapshot.pickle",
                "unique.jsonl",
                "timeline.json",
                "meta.yaml",
                "compiler.log",
                "nccl.log",
                "variance.csv",
                "power.csv",
                "result.json",
                "trainer.yaml",
                "mine.steps",
                "hosts.csv",
                "query.sql")) {
            try (InputStream in = FuzzTest.class.getResourceAsStream("fuzz/" + name)) {
                Files.copy(Objects.requireNonNull(in, name), sound.resolve(name));
            }
        }
    }

    @Test
    void soundFilesAreReadAndDamagedOnesRefusedOrRead() throws IOException {
        List<String> findings = new ArrayList<>();
        for (List<String> door : DOORS) {
            for (String line : door.subList(1, door.size())) {
                byte[] bytes = Files.readAllBytes(sound(door.getFirst()));
                int status = check(line, door.getFirst(), bytes, findings);
                if (status == ExitStatus.USAGE || status == ExitStatus.UNREADABLE) {
                    findings.add("a sound file is refused: " + line + ": " + err);
                }
                int seeds = door.getFirst().equals(TINY) ? 1 : SEEDS; // many commands
                for (int seed = 0; seed < seeds; seed++) {
                    check(line, door.getFirst(), hostile(door.getFirst(), bytes, seed), findings);
                }
            }
        }
        assertThat(findings).isEmpty();
    }

    /** Files that were found to break something, in folders called as what they are damaged forms of. */
    @Test
    void whatWasFoundStaysMended() throws Exception {
        Path found = Path.of(
                Objects.requireNonNull(FuzzTest.class.getResource("fuzz/found")).toURI());
        List<String> findings = new ArrayList<>();
        int files = 0;
        for (List<String> door : DOORS) {
            Path below = found.resolve(door.getFirst());
            try (Stream<Path> walk = Files.isDirectory(below) ? Files.list(below) : Stream.empty()) {
                for (Path file : walk.sorted().toList()) {
                    files++;
                    for (String line : door.subList(1, door.size())) {
                        check(line, door.getFirst(), Files.readAllBytes(file), findings);
                    }
                }
            }
        }
        assertThat(findings).isEmpty();
        assertThat(files).isPositive();
    }

    /**
     * What {@code config/fuzz} runs: for so many seconds, the doors whose names contain a word. The door that has had least of the
     * processor is next, so that all have equally much of it. Which input of a door took most of it is said, too, and kept: what
     * takes hundreds of times as long as others ends as it should, and no check finds it.
     */
    @Test
    void otherSeedsForAsLongAsAsked() throws IOException {
        long seconds = Long.getLong("fuzz.seconds", 0);
        String wanted = System.getProperty("fuzz.door", "");
        List<Turn> turns = DOORS.stream()
                .filter(door -> door.toString().contains(wanted))
                .map(door -> new Turn(door, Long.getLong("fuzz.seed", 1000)))
                .toList();
        List<String> findings = new ArrayList<>();
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        long said = System.nanoTime();
        while (!turns.isEmpty() && System.nanoTime() < end) {
            Turn turn = Collections.min(turns, Comparator.comparing(each -> each.processor));
            Duration before = processor();
            String name = turn.door.getFirst();
            byte[] bytes = hostile(name, Files.readAllBytes(sound(name)), turn.seed++);
            int found = findings.size();
            for (String line : turn.door.subList(1, turn.door.size())) {
                check(line, name, bytes, findings);
                turn.commands++;
            }
            turn.findings += findings.size() - found;
            turn.took(processor().minus(before), bytes);
            if (System.nanoTime() - said > BETWEEN_REPORTS) {
                said = System.nanoTime();
                turns.forEach(each -> System.out.println("fuzz: " + each));
            }
        }
        if (seconds > 0) {
            turns.forEach(turn -> System.out.println("fuzz: " + turn));
        }
        assertThat(findings).isEmpty();
    }

    /** Damaged bytes, and every other time, of formats that are understood here, sound bytes that mean something else. */
    private static byte[] hostile(String name, byte[] sound, long seed) throws IOException {
        if (name.equals(TINY)) {
            return TinyTrace.bytes(seed);
        }
        String format = name.substring(name.lastIndexOf('.') + 1);
        return switch (seed % 2 == 0 ? format : "") {
            case "json", "jsonl" -> new HostileMeaning(seed).of(sound);
            case "yaml" -> new HostileMeaning(seed).ofYaml(sound);
            case "sqlite" -> new HostileTables(seed, folder).sqlite(sound);
            case "parquet", "csv" -> new HostileTables(seed, folder).table(sound, format);
            case "pftrace" -> new HostileFields(seed).of(sound);
            case "goal" -> TinySchedule.bytes(seed);
            default -> new HostileBytes(seed).of(sound);
        };
    }

    private static Duration processor() {
        return ProcessHandle.current().info().totalCpuDuration().orElseThrow();
    }

    /** What a door has had so far. */
    private static final class Turn {
        private final List<String> door;
        private long seed;
        private Duration processor = Duration.ZERO;
        private Duration longest = Duration.ZERO;
        private int commands;
        private int findings;

        private Turn(List<String> door, long seed) {
            this.door = door;
            this.seed = seed;
        }

        /** What the commands of an input took. */
        private void took(Duration taken, byte[] bytes) throws IOException {
            processor = processor.plus(taken);
            if (taken.compareTo(longest) > 0) {
                longest = taken;
                keep("longest-" + door.getFirst().replace('/', '_'), bytes);
            }
        }

        @Override
        public String toString() {
            return String.format(
                    "%-18s %7d commands %6d s of processor, %d ms at most for one input, %4d findings, seeds up to %d",
                    door.getFirst(), commands, processor.toSeconds(), longest.toMillis(), findings, seed);
        }
    }

    private int check(String line, String name, byte[] bytes, List<String> findings) throws IOException {
        boolean part = name.startsWith("data/"); // beside the other files of a dataset, which stays
        Path file = part
                ? folder.resolve(name)
                : Files.createDirectories(folder.resolve("fuzz")).resolve(name);
        damaged = file;
        Files.write(file, bytes);
        int status = run(line);
        @Nullable String problem = problem(status, line);
        if (problem == null && !Arrays.equals(Files.readAllBytes(file), bytes)) {
            problem = "the input was changed";
        }
        if (problem != null) {
            String called = findings.size() + "-" + name.replace('/', '_');
            keep(called, bytes);
            findings.add(called + " " + line + ": " + problem);
            System.out.println("fuzz: " + findings.getLast());
        }
        clear(folder.resolve("out"));
        if (part) {
            Files.write(file, Files.readAllBytes(sound(name)));
        } else {
            Files.delete(file);
        }
        return status;
    }

    private static void keep(String called, byte[] bytes) throws IOException {
        Files.write(Files.createDirectories(Path.of("target", "fuzz")).resolve(called), bytes);
    }

    private Path sound(String name) {
        return (name.startsWith("data/") ? folder.resolve("in") : sound).resolve(name);
    }

    private @Nullable String problem(int status, String line) throws IOException {
        String said = err.toString();
        if (status == ExitStatus.BUG) {
            return "status 70: " + said;
        }
        if (said.contains("\tat ") || QUALIFIED.matcher(said).find()) {
            return said;
        }
        if (status == ExitStatus.UNREADABLE
                && !said.contains(String.valueOf(damaged.getFileName()))
                && !said.contains(String.valueOf(damaged.getParent()))) {
            return "status 3, and does not name the file: " + said;
        }
        boolean data = line.startsWith("info --json"); // as it is
        if (UNSHOWABLE.matcher(data ? said : said + out).find()) {
            return "controls the terminal: " + said + out;
        }
        boolean whole = status == ExitStatus.COMPLETE || status == ExitStatus.PARTIAL;
        if (data && whole) {
            try {
                WrittenFiles.demandJson(out.toString().getBytes(UTF_8), JSON);
            } catch (IOException e) {
                return "no JSON: " + e + out;
            }
        }
        Path to = folder.resolve("out");
        if (!Files.isDirectory(to)) {
            return null;
        }
        JsonFactory manner = line.endsWith("--compat acelyzer") ? PYTHON : JSON;
        try (Stream<Path> walk = Files.walk(to)) {
            List<Path> written = walk.filter(Files::isRegularFile).toList();
            if (status == ExitStatus.UNREADABLE && !written.isEmpty()) {
                return "status 3, and left " + written;
            }
            for (Path one : written) {
                if (one.toString().contains("/.lockstep-")) {
                    return "left " + one;
                }
                String problem = WrittenFiles.problem(one, manner);
                if (problem != null) {
                    return one + ": " + problem;
                }
            }
        }
        return null;
    }

    private static void clear(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (Stream<Path> walk = Files.walk(folder)) {
            for (Path path : walk.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    private int run(String line) {
        Object[] words = Arrays.stream(line.split(" "))
                .map(word -> switch (word) {
                    case "FUZZ" -> damaged.toString();
                    case "OTHER" -> folder.resolve("ranks/rank1_trace.json").toString();
                    case "TRACE" -> sound.resolve("trace.json").toString();
                    case "NSYS" -> folder.resolve("nsys").toString();
                    case "RANKS" -> folder.resolve("ranks").toString();
                    case "REPORT" -> sound.resolve("report.xlsx").toString();
                    case "DATA" -> folder.resolve("data").toString();
                    case "FOLDER" -> folder.resolve("fuzz").toString();
                    default -> word;
                })
                .map(word -> word.replaceFirst("^IN\\b", folder + "/in")
                        .replaceFirst("^OUT\\b", folder + "/out")
                        .replaceFirst("^SOUND\\b", sound.toString()))
                .toArray();
        return TestProgram.run(out, err, words);
    }
}
