// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** A run of few ranks in one of the formats that are read, made by a seed, and damaged by it. */
final class DamagedRun {
    /** How ranks are recorded, and how it is known which is which. */
    enum Kind {
        TORCH,
        TORCH_PLAIN,
        STATED,
        STATED_OPEN,
        NAMED,
        FOLDERS,
        PERFETTO,
        PERFETTO_NODES,
        ROCPROF,
        ROCPROF_NODES,
        NSYS,
        FLEX
    }

    /** How a file is damaged. */
    enum Damage {
        EMPTY,
        CUT,
        CUT_EARLY,
        PAGE,
        ZERO_PAGE,
        ZEROS,
        UTF_16,
        PACKED_AND_CUT,
        LINK,
        FORBIDDEN
    }

    private static final int PAGE = 4096;
    private static final int EARLY = 200;

    private final Random random;
    private final Kind kind;
    private final Path folder;
    private final List<Path> files = new ArrayList<>();
    private final List<String> done = new ArrayList<>();

    private DamagedRun(Random random, Kind kind, Path folder) {
        this.random = random;
        this.kind = kind;
        this.folder = folder;
    }

    /** Makes a sound run in a folder, which is made. */
    static DamagedRun make(Random random, Kind kind, Path folder) throws IOException {
        DamagedRun run = new DamagedRun(random, kind, Files.createDirectories(folder));
        run.make();
        return run;
    }

    Kind kind() {
        return kind;
    }

    /** The files of ranks. */
    List<Path> files() {
        return files;
    }

    /** What was done to which files. */
    List<String> done() {
        return done;
    }

    private void make() throws IOException {
        int count = 2 + random.nextInt(3);
        boolean packed = random.nextBoolean();
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            numbers.add(i);
        }
        Collections.shuffle(numbers, random);
        for (int i = 0; i < count; i++) {
            String node = "node" + (char) ('a' + i);
            int rank = numbers.get(i);
            switch (kind) {
                case TORCH -> write(node + "_77.17000000" + (10 + i) + ".pt.trace.json", packed, torch(-1, 0, i));
                case TORCH_PLAIN -> write(node + ".json", packed, torch(-1, 0, i));
                case STATED -> write(node + "_7.1700000000.pt.trace.json", packed, torch(rank, count, i));
                case STATED_OPEN -> write(node + "_7.1700000000.pt.trace.json", packed, torch(rank, 0, i));
                case NAMED -> write("rank" + rank + "_trace.json", packed, torch(-1, 0, i));
                case FOLDERS -> write("rank" + rank + "/trace.json", packed, torch(-1, 0, i));
                case PERFETTO -> perfetto(node + ".pftrace" + (packed ? ".gz" : ""), 1, i);
                case PERFETTO_NODES -> perfetto(node + ".pftrace" + (packed ? ".gz" : ""), 2, i);
                case ROCPROF -> write(node + "_results.json", packed, rocprof(1));
                case ROCPROF_NODES -> write(node + "_results.json", packed, rocprof(2));
                case NSYS -> {
                    Path file = folder.resolve("report_" + node + ".sqlite");
                    TrainingExport.write(file);
                    files.add(file);
                }
                case FLEX ->
                    write(
                            node + ".json",
                            packed,
                            new String(resource("flex.json"), UTF_8)
                                    .replaceFirst("\"rank\": 0", "\"rank\": " + rank)
                                    .getBytes(UTF_8));
            }
        }
        if (random.nextInt(3) == 0) {
            Files.writeString(folder.resolve("aside.json"), "{\"batch\": " + random.nextInt(9) + ", \"note\": [1, 2]}");
        }
        if (random.nextInt(3) == 0) {
            Files.write(folder.resolve("executed.json"), resource("execution.json"));
        }
    }

    private void write(String name, boolean packed, byte[] content) throws IOException {
        Path file = folder.resolve(packed ? name + ".gz" : name);
        Files.createDirectories(file.getParent());
        Files.write(file, packed ? gzip(content) : content);
        files.add(file);
    }

    /** Kernels of computing and of collectives, with their launches, in two steps. */
    private byte[] torch(int rank, int world, int late) {
        StringBuilder events = new StringBuilder();
        for (int step = 0; step < 3; step++) {
            long begin = 1000 + step * 2000L;
            append(events, "user_annotation", "ProfilerStep#" + step, 1, 1, begin, 1900, "");
            for (int i = 0; i < 6; i++) {
                int id = step * 10 + i + 1;
                long at = begin + 50 + i * 300L;
                boolean reduces = i % 2 == 1;
                append(events, "cuda_runtime", "cudaLaunchKernel", 1, 1, at, 5, "\"correlation\": " + id);
                append(
                        events,
                        "kernel",
                        reduces ? "ncclDevKernel_AllReduce_Sum_f32_RING_LL(x)" : "gemm",
                        0,
                        7,
                        at + 10 + (reduces ? 0 : late * 3L),
                        reduces ? 150 : 100 + late * 7L,
                        "\"device\": 0, \"stream\": 7, \"correlation\": " + id
                                + (reduces
                                        ? ", \"Collective name\": \"allreduce\", \"In msg nelems\": 4096,"
                                                + " \"Out msg nelems\": 4096, \"dtype\": \"Float\""
                                        : ""));
            }
        }
        String facts = "\"schemaVersion\": 1, \"deviceProperties\": [{\"id\": 0, \"name\": \"X\"}], "
                + (rank < 0
                        ? ""
                        : "\"distributedInfo\": {\"backend\": \"nccl\", \"rank\": " + rank
                                + (world > 0 ? ", \"world_size\": " + world : "") + "}, ");
        return ("{" + facts + "\"traceEvents\": [" + events + "]}").getBytes(UTF_8);
    }

    private static void append(
            StringBuilder to, String cat, String name, int pid, int tid, long ts, long dur, String arguments) {
        to.append(to.isEmpty() ? "\n" : ",\n")
                .append("{\"ph\": \"X\", \"cat\": \"" + cat + "\", \"name\": \"" + name + "\", \"pid\": " + pid
                        + ", \"tid\": " + tid + ", \"ts\": " + ts + ", \"dur\": " + dur + ", \"args\": {" + arguments
                        + "}}");
    }

    /** Of files that say no ranks, so that their places are assumed. */
    private void perfetto(String name, int ranks, int late) throws IOException {
        Path parts = Files.createDirectories(folder.resolveSibling(folder.getFileName() + "-parts"));
        List<Object> words = new ArrayList<>(List.of("merge"));
        for (int i = 0; i < ranks; i++) {
            words.add(Files.write(parts.resolve("part" + (char) ('a' + i) + ".json"), torch(-1, 0, late)));
        }
        words.addAll(List.of("-o", folder.resolve(name)));
        StringWriter err = new StringWriter();
        if (TestProgram.run(new StringWriter(), err, words.toArray()) != 0) {
            throw new IllegalStateException(err.toString());
        }
        files.add(folder.resolve(name));
    }

    /** One process, or several alike. */
    private static byte[] rocprof(int processes) throws IOException {
        String one = new String(resource("rocprof.json"), UTF_8).strip();
        int from = one.indexOf('[') + 1;
        String process = one.substring(from, one.lastIndexOf(']'));
        return (one.substring(0, from) + String.join(", ", Collections.nCopies(processes, process)) + "]}")
                .getBytes(UTF_8);
    }

    private static byte[] resource(String name) throws IOException {
        try (InputStream in = FuzzTest.class.getResourceAsStream("fuzz/" + name)) {
            return in.readAllBytes();
        }
    }

    // ---- damage ----

    /** Damages some files, but not all; returns them. */
    Set<String> damage() throws IOException {
        List<Path> victims = new ArrayList<>(files);
        Collections.shuffle(victims, random);
        Set<String> damaged = new TreeSet<>();
        int count = random.nextInt(3) == 0 ? 1 + random.nextInt(files.size() - 1) : 1;
        for (Path victim : victims.subList(0, count)) {
            Damage damage = Damage.values()[random.nextInt(Damage.values().length)];
            damage(victim, damage);
            damaged.add(victim.toString());
            done.add(damage + " " + folder.relativize(victim));
        }
        return damaged;
    }

    private void damage(Path file, Damage damage) throws IOException {
        byte[] content = Files.readAllBytes(file);
        switch (damage) {
            case LINK -> {
                Files.delete(file);
                Files.createSymbolicLink(file, Path.of("gone-" + file.getFileName()));
            }
            case FORBIDDEN -> {
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));
                if (Files.isReadable(file)) { // nothing is forbidden to this user
                    Files.write(file, new byte[0]);
                }
            }
            default -> Files.write(file, damaged(content, damage));
        }
    }

    private byte[] damaged(byte[] content, Damage damage) throws IOException {
        return switch (damage) {
            case EMPTY, LINK, FORBIDDEN -> new byte[0];
            case CUT -> Arrays.copyOf(content, random.nextInt(content.length));
            case CUT_EARLY -> Arrays.copyOf(content, random.nextInt(Math.min(EARLY, content.length)));
            case ZEROS -> new byte[content.length];
            case PAGE, ZERO_PAGE -> {
                byte[] page = new byte[Math.min(PAGE, Math.max(1, content.length / 4))];
                if (damage == Damage.PAGE) {
                    random.nextBytes(page);
                }
                int pages = content.length / page.length;
                byte[] all = content.clone();
                System.arraycopy(page, 0, all, random.nextInt(pages) * page.length, page.length);
                yield all;
            }
            case UTF_16 -> {
                String text = new String(unpacked(content), ISO_8859_1);
                byte[] wide = text.getBytes(random.nextBoolean() ? UTF_16LE : UTF_16BE);
                yield content.length > 1 && content[0] == (byte) 0x1F ? gzip(wide) : wide;
            }
            case PACKED_AND_CUT -> {
                byte[] packed = gzip(unpacked(content));
                yield Arrays.copyOf(packed, random.nextInt(packed.length));
            }
        };
    }

    private static byte[] unpacked(byte[] content) throws IOException {
        boolean packed = content.length > 1 && content[0] == (byte) 0x1F && content[1] == (byte) 0x8B;
        if (!packed) {
            return content;
        }
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(content))) {
            return in.readAllBytes();
        }
    }

    private static byte[] gzip(byte[] content) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream packed = new GZIPOutputStream(bytes)) {
            packed.write(content);
        }
        return bytes.toByteArray();
    }
}
