// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.lockstep.testkit.Message;
import dev.lockstep.testkit.XlaRecording;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongUnaryOperator;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * A rank that was made from nothing: operators that nest, calls in them, and the kernels that these launch, on several threads
 * and streams. What is true of it is computed here from what was made, by other means than the program's. Times are in ns; no two
 * things start at one moment. The same numbers make the same world.
 *
 * @param operators on the host
 * @param kernels by launch
 */
record MadeWorld(List<Operator> operators, List<Kernel> kernels) {
    /** The name of a kernel that communicates. */
    static final String COLLECTIVE = "ncclDevKernel_AllReduce_Sum_f32_RING_LL";

    private static final List<String> KERNELS =
            List.of("gemm", "reduce", "softmax", "elementwise", "gather", COLLECTIVE);
    private static final List<String> OPERATORS =
            List.of("aten::mm", "aten::add", "aten::linear", "aten::sum", "mine::op");
    private static final int THREADS = 2;
    private static final int STREAMS = 3;
    private static final int FIRST_STREAM = 7;
    private static final int FIRST_THREAD = 11;
    private static final long CALL = 700;

    /**
     * An operator.
     *
     * @param thread it ran on
     */
    record Operator(String name, long start, long end, int thread) {}

    /**
     * A kernel.
     *
     * @param called when the call began that launched it
     * @param thread of the call
     * @param number of the launch, from 1
     */
    record Kernel(String name, long start, long end, int stream, long called, int thread, int number) {
        long duration() {
            return end - start;
        }
    }

    /** How often something happened and how long it took, in ns. */
    record Sum(long count, long ns) {
        Sum plus(long more) {
            return new Sum(count + 1, ns + more);
        }
    }

    /** A world of some dozens of launches. */
    static MadeWorld of(RandomGenerator random) {
        List<Operator> operators = new ArrayList<>();
        List<Kernel> calls = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            // Threads differ in the last digit of all times.
            Clock clock = new Clock(random, THREADS * (1 + random.nextLong(50_000)) + thread);
            int roots = 1 + random.nextInt(8);
            for (int i = 0; i < roots; i++) {
                operator(random, clock, FIRST_THREAD + thread, 0, operators, calls);
            }
        }
        calls.sort(Comparator.comparingLong(Kernel::called));
        long[] free = new long[STREAMS];
        List<Kernel> kernels = new ArrayList<>();
        for (Kernel call : calls) {
            int stream = random.nextInt(STREAMS);
            long earliest = Math.max(free[stream], call.called + CALL);
            // Starts of streams differ in the rest that is left by the number of streams.
            long start =
                    (earliest / STREAMS + 1 + random.nextLong(random.nextBoolean() ? 3 : 20_000)) * STREAMS + stream;
            long end = start + STREAMS * (1 + random.nextLong(30_000));
            free[stream] = end;
            kernels.add(new Kernel(
                    call.name, start, end, FIRST_STREAM + stream, call.called, call.thread, kernels.size() + 1));
        }
        return new MadeWorld(List.copyOf(operators), List.copyOf(kernels));
    }

    private static final class Clock {
        private final RandomGenerator random;
        private long now;

        private Clock(RandomGenerator random, long now) {
            this.random = random;
            this.now = now;
        }

        private long tick() {
            now += THREADS * (1 + random.nextLong(2_000));
            return now;
        }
    }

    private static void operator(
            RandomGenerator random, Clock clock, int thread, int depth, List<Operator> operators, List<Kernel> calls) {
        int place = operators.size();
        long start = clock.tick();
        String name = one(random, OPERATORS);
        operators.add(new Operator(name, start, start, thread));
        for (int i = random.nextInt(4); i >= 0; i--) {
            if (depth < 4 && random.nextInt(3) == 0) {
                operator(random, clock, thread, depth + 1, operators, calls);
            } else {
                calls.add(new Kernel(one(random, KERNELS), 0, 0, 0, clock.tick(), thread, 0));
                clock.now += THREADS * CALL;
            }
        }
        operators.set(place, new Operator(name, start, clock.tick(), thread));
    }

    private static String one(RandomGenerator random, List<String> of) {
        return of.get(random.nextInt(of.size()));
    }

    /** The same at other times, which keep their order. */
    MadeWorld at(LongUnaryOperator time) {
        return new MadeWorld(
                operators.stream()
                        .map(o -> new Operator(o.name, time.applyAsLong(o.start), time.applyAsLong(o.end), o.thread))
                        .toList(),
                kernels.stream()
                        .map(k -> new Kernel(
                                k.name,
                                time.applyAsLong(k.start),
                                time.applyAsLong(k.end),
                                k.stream,
                                time.applyAsLong(k.called),
                                k.thread,
                                k.number))
                        .toList());
    }

    /** How often each kernel ran, and for how long. */
    Map<String, Sum> byKernel() {
        Map<String, Sum> sums = new TreeMap<>();
        kernels.forEach(k -> sums.merge(k.name, new Sum(1, k.duration()), (a, b) -> a.plus(b.ns)));
        return sums;
    }

    /** For how long any of the kernels ran, moment by moment between all starts and ends. */
    long busy(Predicate<Kernel> which) {
        long[] moments = kernels.stream()
                .flatMap(k -> List.of(k.start, k.end).stream())
                .mapToLong(Long::longValue)
                .sorted()
                .toArray();
        return IntStream.range(1, moments.length)
                .filter(i -> kernels.stream()
                        .anyMatch(k -> which.test(k) && k.start <= moments[i - 1] && k.end >= moments[i]))
                .mapToLong(i -> moments[i] - moments[i - 1])
                .sum();
    }

    /** From the first start of a kernel to the last end. */
    long total() {
        return kernels.stream().mapToLong(Kernel::end).max().orElse(0)
                - kernels.stream().mapToLong(Kernel::start).min().orElse(0);
    }

    /** How often operators launched something themselves, by name, and for how long any of that ran. */
    Map<String, Sum> byOperator() {
        Map<String, Sum> sums = new TreeMap<>();
        for (Operator operator : operators) {
            List<Kernel> own =
                    kernels.stream().filter(k -> innermost(k) == operator).toList();
            if (!own.isEmpty()) {
                long ns = new MadeWorld(List.of(), own).busy(k -> true);
                sums.merge(operator.name, new Sum(1, ns), (a, b) -> a.plus(b.ns));
            }
        }
        return sums;
    }

    private Operator innermost(Kernel kernel) {
        return operators.stream()
                .filter(o -> o.thread == kernel.thread && o.start <= kernel.called && o.end > kernel.called)
                .max(Comparator.comparingLong(Operator::start))
                .orElseThrow();
    }

    /** As PyTorch's profiler writes it. */
    String kineto() {
        return document(events(IntStream.rangeClosed(1, kernels.size()).boxed().toList()));
    }

    /** As PyTorch's profiler writes several that follow upon each other, each a step of its own. */
    static String kineto(List<MadeWorld> steps) {
        List<String> events = new ArrayList<>();
        int launches = 0;
        for (int i = 0; i < steps.size(); i++) {
            MadeWorld step = steps.get(i);
            long from = step.operators.stream().mapToLong(Operator::start).min().orElseThrow();
            long to = step.operators.stream().mapToLong(Operator::end).max().orElseThrow();
            events.add(slice("user_annotation", "ProfilerStep#" + i, "1", FIRST_THREAD, from - 10, to + 10, ""));
            int before = launches;
            events.addAll(step.events(IntStream.rangeClosed(1, step.kernels.size())
                    .map(number -> number + before)
                    .boxed()
                    .toList()));
            launches += step.kernels.size();
        }
        return document(events);
    }

    /** As PyTorch's profiler writes it, but with the events in any order. */
    String inAnyOrder(RandomGenerator random) {
        return shuffled(IntStream.rangeClosed(1, kernels.size()).boxed().toList(), random);
    }

    /** As PyTorch's profiler writes it, but with the events in any order and launches numbered anyhow. */
    String kineto(RandomGenerator random) {
        List<Integer> numbers =
                new ArrayList<>(IntStream.rangeClosed(1, kernels.size()).boxed().toList());
        Collections.shuffle(numbers, random);
        return shuffled(numbers, random);
    }

    private String shuffled(List<Integer> numbers, RandomGenerator random) {
        List<String> events = new ArrayList<>(events(numbers));
        Collections.shuffle(events, random);
        return document(events);
    }

    /** @param numbers how launches are numbered */
    private List<String> events(List<Integer> numbers) {
        List<String> events = new ArrayList<>();
        for (Operator o : operators) {
            events.add(slice("cpu_op", o.name, "1", o.thread, o.start, o.end, ""));
        }
        for (Kernel k : kernels) {
            String correlation = "\"correlation\": " + numbers.get(k.number - 1);
            events.add(
                    slice("cuda_runtime", "cudaLaunchKernel", "1", k.thread, k.called, k.called + CALL, correlation));
            events.add(slice(
                    "kernel",
                    k.name,
                    "0",
                    k.stream,
                    k.start,
                    k.end,
                    correlation + ", \"device\": 0, \"stream\": " + k.stream));
        }
        return events;
    }

    private static String document(List<String> events) {
        return "{\"schemaVersion\": 1, \"deviceProperties\": [{\"id\": 0, \"name\": \"NVIDIA H100\"}],\n\"traceEvents\": [\n"
                + String.join(",\n", events) + "\n]}\n";
    }

    private static String slice(String category, String name, String pid, int tid, long start, long end, String args) {
        return "{\"ph\": \"X\", \"cat\": \"" + category + "\", \"name\": \"" + name + "\", \"pid\": " + pid
                + ", \"tid\": " + tid + ", \"ts\": " + us(start) + ", \"dur\": " + us(end - start) + ", \"args\": {"
                + args + "}}";
    }

    private static String us(long ns) {
        return BigDecimal.valueOf(ns, 3).toPlainString();
    }

    /** As rocprofv3 writes it. */
    String rocprof() {
        List<String> names = kernels.stream().map(Kernel::name).distinct().toList();
        List<String> symbols = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            symbols.add("{\"kernel_id\": " + (i + 1) + ", \"kernel_name\": \"" + names.get(i)
                    + ".kd\", \"formatted_kernel_name\": \"" + names.get(i) + "\", \"truncated_kernel_name\": \""
                    + names.get(i) + "\"}");
        }
        List<String> dispatches = new ArrayList<>();
        List<String> calls = new ArrayList<>();
        for (Kernel k : kernels) {
            String correlation =
                    "\"correlation_id\": {\"internal\": " + k.number + ", \"external\": 0}, \"thread_id\": " + k.thread;
            dispatches.add("{\"size\": 184, \"kind\": 1, \"operation\": 1, " + correlation + ", \"start_timestamp\": "
                    + k.start + ", \"end_timestamp\": " + k.end
                    + ", \"dispatch_info\": {\"agent_id\": {\"handle\": 12}, \"queue_id\": {\"handle\": 1}, \"kernel_id\": "
                    + (names.indexOf(k.name) + 1)
                    + ", \"dispatch_id\": 1, \"workgroup_size\": {\"x\": 64, \"y\": 1, \"z\": 1}, \"grid_size\": {\"x\": 64, \"y\": 1, \"z\": 1}}, \"stream_id\": {\"handle\": "
                    + k.stream + "}}");
            calls.add("{\"size\": 64, \"kind\": 2, \"operation\": 0, " + correlation + ", \"start_timestamp\": "
                    + k.called + ", \"end_timestamp\": " + (k.called + CALL) + "}");
        }
        return "{\"rocprofiler-sdk-tool\": [{\"metadata\": {\"pid\": 1, \"init_time\": 0, \"fini_time\": 9000000000}, \"agents\": [{\"id\": {\"handle\": 12}, \"type\": 2, \"logical_node_type_id\": 0, \"product_name\": \"MI300X\"}], \"strings\": {\"buffer_records\": [{\"kind\": \"NONE\", \"operations\": []}, {\"kind\": \"KERNEL_DISPATCH\", \"operations\": [\"NONE\", \"COMPLETE\"]}, {\"kind\": \"HIP_RUNTIME_API\", \"operations\": [\"hipLaunchKernel\"]}]}, \"kernel_symbols\": ["
                + String.join(", ", symbols) + "], \"buffer_records\": {\"kernel_dispatch\": ["
                + String.join(", ", dispatches) + "], \"hip_api\": [" + String.join(", ", calls) + "]}}]}";
    }

    /** As PyTorch's newer recorder writes it for Perfetto: all begins of a kind and then all its ends, kernels as render stages. */
    byte[] stages() {
        Message trace = new Message();
        Message data = new Message().message(24, new Message().number(1, 1).text(2, "Kernel"));
        for (int stream = FIRST_STREAM; stream < FIRST_STREAM + STREAMS; stream++) {
            data.message(24, new Message().number(1, 100 + stream).text(2, "[00" + stream + "] stream " + stream));
        }
        trace.message(1, new Message().number(10, 1).number(13, 1).message(12, data));
        trace.message(
                1,
                track(new Message()
                        .number(1, 1)
                        .message(3, new Message().number(1, 1).text(6, "python"))));
        for (int thread = FIRST_THREAD; thread < FIRST_THREAD + THREADS; thread++) {
            Message of = new Message().number(1, 1).number(2, thread).text(5, "thread " + thread);
            trace.message(
                    1, track(new Message().number(1, 100 + thread).number(5, 1).message(4, of)));
        }
        operators.forEach(o ->
                trace.message(1, edge(o.start, o.thread, 1).message(11, begin(o.thread, "cpu_op", o.name))));
        operators.forEach(o -> trace.message(1, edge(o.end, o.thread, 2)));
        for (Kernel k : kernels) {
            Message call = begin(k.thread, "cuda_runtime", "cudaLaunchKernel")
                    .message(3000, new Message().number(1, k.number))
                    .message(4, new Message().text(10, "correlation").number(4, 5000 + k.number));
            trace.message(1, edge(k.called, k.thread, 1).message(11, call));
        }
        kernels.forEach(k -> trace.message(1, edge(k.called + CALL, k.thread, 2)));
        for (Kernel k : kernels) {
            Message stage = new Message()
                    .number(1, k.number)
                    .number(2, k.duration())
                    .number(11, 0)
                    .number(13, 100 + k.stream)
                    .number(14, 1)
                    .text(17, k.name);
            trace.message(1, new Message().number(8, k.start).number(10, 1).message(53, stage));
        }
        return trace.toBytes();
    }

    private static Message track(Message descriptor) {
        return new Message().message(60, descriptor);
    }

    private static Message begin(int thread, String category, String name) {
        return new Message()
                .number(9, 1)
                .number(11, 100 + thread)
                .text(22, category)
                .text(23, name);
    }

    /** A packet of a moment: with an end, or without an event as yet. */
    private static Message edge(long ts, int thread, int type) {
        Message packet = new Message().number(8, ts).number(10, 1);
        return type == 2 ? packet.message(11, new Message().number(9, 2).number(11, 100 + thread)) : packet;
    }

    /** As the runtime of IBM's AIU writes it: device steps whose counters say what the host's times do. */
    String flex() {
        List<String> events = new ArrayList<>();
        for (Operator o : operators) {
            events.add("{\"ph\": \"X\", \"name\": \"Compute of " + o.name + "\", \"pid\": 0, \"tid\": " + o.thread
                    + ", \"ts\": " + us(o.start) + ", \"dur\": " + us(o.end - o.start) + ", \"attr\": {}}");
        }
        for (Kernel k : kernels) {
            long[] counters = {k.start - 40, k.start - 30, k.start, k.end, k.end + 10};
            StringBuilder attr = new StringBuilder();
            for (int i = 0; i < counters.length; i++) {
                attr.append(attr.isEmpty() ? "" : ", ")
                        .append("\"TS" + (i + 1) + "\": \"" + Math.floorMod(counters[i], 1L << 32) + "\"");
            }
            events.add("{\"ph\": \"X\", \"name\": \"" + k.name + "_" + k.stream + " Cmpt Exec\", \"pid\": 0, \"tid\": "
                    + k.stream + ", \"ts\": " + us(k.start) + ", \"dur\": " + us(k.duration()) + ", \"attr\": {" + attr
                    + "}}");
        }
        return "{\"traceEvents\": [\n" + String.join(",\n", events) + "\n]}\n";
    }

    /** As JAX writes it for XProf. */
    byte[] xplane() {
        return xla().xplane();
    }

    /** As JAX writes it for browsers. */
    String jax() {
        return xla().json();
    }

    private XlaRecording xla() {
        String gpu = "/device:GPU:0";
        String cpu = "/host:CPU";
        XlaRecording recording = new XlaRecording().plane(0, gpu, Map.of("device_vendor", "Nvidia"));
        recording.line(gpu, 900, "XLA Ops", 0);
        kernels.stream()
                .map(Kernel::stream)
                .distinct()
                .forEach(stream -> recording.line(gpu, stream, "Stream #" + stream + "(Compute)", 0));
        recording.plane(0, cpu, Map.of());
        kernels.stream()
                .map(Kernel::thread)
                .distinct()
                .forEach(thread -> recording.line(cpu, thread, "Host Threads/" + thread, 0));
        for (Kernel k : kernels) {
            Map<String, Object> launch = Map.of("correlation_id", (long) k.number);
            recording.event(gpu, k.stream, k.name, k.start * 1000, k.duration() * 1000, launch);
            recording.event(gpu, 900, "fusion", k.start * 1000, k.duration() * 1000, Map.of());
            recording.event(cpu, k.thread, "cudaLaunchKernel", k.called * 1000, CALL * 1000, launch);
        }
        return recording;
    }

    /** As Nsight Systems exports it. */
    void nsys(Path file) throws IOException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file)) {
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.executeUpdate("CREATE TABLE StringIds (id INTEGER, value TEXT)");
                statement.executeUpdate("CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER,"
                        + " deviceId INTEGER, streamId INTEGER, correlationId INTEGER, globalPid INTEGER,"
                        + " demangledName INTEGER)");
                statement.executeUpdate("CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER,"
                        + " globalTid INTEGER, correlationId INTEGER, nameId INTEGER)");
                statement.executeUpdate("INSERT INTO StringIds VALUES (0, 'cudaLaunchKernel_v7000')");
            }
            List<String> names = kernels.stream().map(Kernel::name).distinct().toList();
            for (int i = 0; i < names.size(); i++) {
                insert(connection, "INSERT INTO StringIds VALUES (?, ?)", i + 1, names.get(i));
            }
            for (Kernel k : kernels) {
                insert(
                        connection,
                        "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (?, ?, 0, ?, ?, ?, ?)",
                        k.start,
                        k.end,
                        k.stream,
                        k.number,
                        1L << 24,
                        names.indexOf(k.name) + 1);
                insert(
                        connection,
                        "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (?, ?, ?, ?, 0)",
                        k.called,
                        k.called + CALL,
                        (1L << 24) + k.thread,
                        k.number);
            }
            connection.commit();
        } catch (SQLException e) {
            throw new IOException(e);
        }
    }

    /** As rocprofv3 writes it by default. */
    void rocpd(Path file) throws IOException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file)) {
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.executeUpdate("CREATE TABLE rocpd_string_a (id INTEGER PRIMARY KEY, string TEXT)");
                statement.executeUpdate("CREATE TABLE rocpd_info_process_a (id INTEGER PRIMARY KEY, pid INTEGER)");
                statement.executeUpdate("CREATE TABLE rocpd_info_agent_a (id INTEGER PRIMARY KEY, type TEXT,"
                        + " type_index INTEGER, product_name TEXT)");
                statement.executeUpdate(
                        "CREATE TABLE rocpd_info_kernel_symbol_a (id INTEGER PRIMARY KEY, display_name TEXT)");
                statement.executeUpdate("CREATE TABLE rocpd_event_a (id INTEGER PRIMARY KEY, category_id INTEGER,"
                        + " stack_id INTEGER, correlation_id INTEGER)");
                statement.executeUpdate("CREATE TABLE rocpd_kernel_dispatch_a (id INTEGER PRIMARY KEY, pid INTEGER,"
                        + " agent_id INTEGER, kernel_id INTEGER, stream_id INTEGER, start BIGINT, end BIGINT,"
                        + " grid_size_x INTEGER, workgroup_size_x INTEGER, event_id INTEGER)");
                statement.executeUpdate("CREATE TABLE rocpd_region_a (id INTEGER PRIMARY KEY, pid INTEGER, tid INTEGER,"
                        + " name_id INTEGER, start BIGINT, end BIGINT, event_id INTEGER)");
                statement.executeUpdate(
                        "INSERT INTO rocpd_string_a VALUES (1, 'hipLaunchKernel'), (2, 'HIP_RUNTIME_API')");
                statement.executeUpdate("INSERT INTO rocpd_info_process_a VALUES (5, 1)");
                statement.executeUpdate("INSERT INTO rocpd_info_agent_a VALUES (12, 'GPU', 0, 'MI300X')");
            }
            List<String> names = kernels.stream().map(Kernel::name).distinct().toList();
            for (int i = 0; i < names.size(); i++) {
                insert(connection, "INSERT INTO rocpd_info_kernel_symbol_a VALUES (?, ?)", i + 1, names.get(i));
            }
            for (Kernel k : kernels) {
                int symbol = names.indexOf(k.name) + 1;
                insert(connection, "INSERT INTO rocpd_event_a VALUES (?, 2, ?, 0)", 2 * k.number, k.number);
                insert(connection, "INSERT INTO rocpd_event_a VALUES (?, 0, ?, 0)", 2 * k.number + 1, k.number);
                insert(
                        connection,
                        "INSERT INTO rocpd_kernel_dispatch_a VALUES (?, 5, 12, ?, ?, ?, ?, 64, 64, ?)",
                        k.number,
                        symbol,
                        k.stream,
                        k.start,
                        k.end,
                        2 * k.number + 1);
                insert(
                        connection,
                        "INSERT INTO rocpd_region_a VALUES (?, 5, ?, 1, ?, ?, ?)",
                        k.number,
                        k.thread,
                        k.called,
                        k.called + CALL,
                        2 * k.number);
            }
            connection.commit();
        } catch (SQLException e) {
            throw new IOException(e);
        }
    }

    private static void insert(Connection connection, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            statement.executeUpdate();
        }
    }

    /** Writes a text. */
    static Path write(Path file, String text) throws IOException {
        return Files.write(file, text.getBytes(UTF_8));
    }
}
