// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import dev.lockstep.write.Output;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * Writes the logs of NCCL's Inspector of a job, one for each rank, and beside them the truth. Tensor parallel ranks share a node;
 * stages send to each other, replicas reduce. Every transfer scatters, neighbours in time are alike, and ranks arrive one after the
 * other: the time of a rank holds its wait.
 */
public final class InspectorRun {
    private static final long START_US = 1_790_000_000_000_000L;
    private static final double HOURS_US = 6 * 3.6e9;
    private static final double SCATTER = 0.02;
    private static final double ALIKE = 0.5;
    private static final double LASTING = 0.005;
    private static final double HICCUP = 0.01;
    private static final double LATE = 0.3;

    /**
     * What is wrong.
     *
     * @param kind as {@code links} names it; {@code none} for nothing
     * @param ranks where
     */
    public record Truth(InspectorRecipe recipe, String kind, List<Integer> ranks) {
        /** Copies the list. */
        public Truth {
            ranks = List.copyOf(ranks);
        }
    }

    /** What the members of a group transfer in each step. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Traffic(
            int number, String id, String name, String operation, long bytes, double gbs, int[] ranks, boolean across) {
        boolean isMessage() {
            return operation.equals("SendRecv");
        }

        /** Bytes on the wire for one of the message. */
        double wire() {
            int n = ranks.length;
            return switch (operation) {
                case "AllReduce" -> 2.0 * (n - 1) / n;
                case "AllGather", "ReduceScatter" -> n - 1;
                default -> 1;
            };
        }
    }

    private final InspectorRecipe recipe;
    private final int tensor;
    private final int stages;
    private final int replicas;
    private final List<Traffic> all = new ArrayList<>();
    private final List<List<Traffic>> ofRank = new ArrayList<>();
    private final double[][] factors;
    private final Truth truth;

    private InspectorRun(InspectorRecipe recipe) {
        this.recipe = recipe;
        SplitMix random = new SplitMix(recipe.seed(), recipe.fault().ordinal());
        tensor = recipe.ranks() % 16 == 0 && recipe.ranks() >= 64 ? 8 : recipe.ranks() >= 32 ? 4 : 2;
        int nodes = recipe.ranks() / tensor;
        stages = nodes % 8 == 0 ? 4 : nodes % 4 == 0 ? 2 : 1;
        replicas = nodes / stages;
        for (int rank = 0; rank < recipe.ranks(); rank++) {
            ofRank.add(new ArrayList<>());
        }
        build();
        truth = plant(random);
        factors = factors();
    }

    private int rank(int stage, int replica, int part) {
        return (stage * replicas + replica) * tensor + part;
    }

    private void build() {
        for (int node = 0; node < stages * replicas; node++) {
            int first = node * tensor;
            int[] members = IntStream.range(first, first + tensor).toArray();
            add("TP", "AllReduce", 33_554_432, 310, members, false);
        }
        for (int stage = 0; stage < stages; stage++) {
            for (int part = 0; part < tensor; part++) {
                int at = stage;
                int of = part;
                int[] members = IntStream.range(0, replicas)
                        .map(replica -> rank(at, replica, of))
                        .toArray();
                if (replicas > 1) {
                    add("DP", "ReduceScatter", 4_194_304, 42, members, true);
                    add("DP", "AllGather", 4_194_304, 44, members, true);
                }
                for (int replica = 0; stage + 1 < stages && replica < replicas; replica++) {
                    int[] pair = {rank(stage, replica, part), rank(stage + 1, replica, part)};
                    add("PP", "SendRecv", 16_777_216, 23, pair, true);
                    add("PP", "SendRecv", 16_777_216, 23, new int[] {pair[1], pair[0]}, true);
                }
            }
        }
    }

    /** Ranks of a pipeline share a communicator of the whole job; each group has one of its own. */
    private void add(String group, String operation, long bytes, double gbs, int[] ranks, boolean across) {
        boolean message = operation.equals("SendRecv");
        String id = message ? "0x1" : String.format(Locale.ROOT, "0x%x", group.hashCode() * 1000L + ranks[0]);
        String name = message ? "WORLD" : group + " Group " + ranks[0];
        Traffic one = new Traffic(all.size(), id, name, operation, bytes, gbs, ranks, across);
        all.add(one);
        for (int rank : ranks) {
            ofRank.get(rank).add(one);
        }
    }

    private Truth plant(SplitMix random) {
        int rank = (int) (random.uniform() * recipe.ranks());
        return switch (recipe.fault()) {
            case NONE -> new Truth(recipe, "none", List.of());
            case SLOW_NETWORK -> new Truth(recipe, "slow_network", List.of());
            case LATE_RANK -> new Truth(recipe, "late_rank", List.of(rank));
            case SLOW_NIC, SLOW_NIC_LATER -> new Truth(recipe, "slow_nic", List.of(rank));
            case SLOW_NODE ->
                new Truth(
                        recipe,
                        "slow_node",
                        IntStream.range(rank / tensor * tensor, rank / tensor * tensor + tensor)
                                .boxed()
                                .toList());
            case SLOW_LINK, SLOW_GROUP -> {
                boolean message = recipe.fault() == InspectorFault.SLOW_LINK;
                List<Traffic> fitting = all.stream()
                        .filter(one -> one.across && one.isMessage() == message)
                        .toList();
                if (fitting.isEmpty()) {
                    throw new IllegalArgumentException("a job of " + recipe.ranks() + " ranks has no such link");
                }
                Traffic one = fitting.get((int) (random.uniform() * fitting.size()));
                yield new Truth(
                        recipe,
                        message ? "slow_link" : "slow_group",
                        IntStream.of(one.ranks).sorted().boxed().toList());
            }
        };
    }

    private boolean isSlow(Traffic one, int step) {
        if (!one.across) {
            return false;
        }
        List<Integer> members = IntStream.of(one.ranks).boxed().toList();
        return switch (recipe.fault()) {
            case NONE, LATE_RANK -> false;
            case SLOW_NETWORK -> step >= recipe.steps() / 2 && step < recipe.steps() * 3 / 4;
            case SLOW_NIC_LATER -> step >= recipe.steps() / 2 && members.containsAll(truth.ranks);
            case SLOW_NIC -> members.containsAll(truth.ranks);
            case SLOW_NODE -> truth.ranks.stream().anyMatch(members::contains);
            case SLOW_LINK, SLOW_GROUP ->
                one.isMessage() == (recipe.fault() == InspectorFault.SLOW_LINK)
                        && truth.ranks.size() == members.size()
                        && truth.ranks.containsAll(members);
        };
    }

    /** By how much each transfer takes longer than without any scatter. */
    private double[][] factors() {
        double[][] made = new double[all.size()][recipe.steps()];
        for (Traffic one : all) {
            SplitMix random = new SplitMix(recipe.seed(), 1_000_000L + one.number);
            double lasting = 1 + LASTING * random.bell();
            double course = random.bell();
            for (int step = 0; step < recipe.steps(); step++) {
                double slow = isSlow(one, step) ? 1 / (1 - recipe.loss()) : 1;
                double hiccup = random.uniform() < HICCUP ? 1 + random.uniform() : 1;
                made[one.number][step] = lasting * slow * hiccup * Math.max(0.5, 1 + SCATTER * course);
                course = ALIKE * course + Math.sqrt(1 - ALIKE * ALIKE) * random.bell();
            }
        }
        return made;
    }

    /** Writes the logs and the truth into a folder. */
    public static Truth write(Path directory, InspectorRecipe recipe, Workers workers) throws IOException {
        return new InspectorRun(recipe).write(directory, workers);
    }

    private Truth write(Path directory, Workers workers) throws IOException {
        try (Output output = new Output()) {
            Map<Integer, OutputStream> files = new HashMap<>();
            List<Integer> ranks = IntStream.range(0, recipe.ranks()).boxed().toList();
            for (int rank : ranks) {
                files.put(rank, OutputFile.createClosed(output, directory, host(rank) + "-pid" + pid(rank) + ".log"));
            }
            workers.forEach(ranks, rank -> {
                try (Writer out = new BufferedWriter(new OutputStreamWriter(
                        Objects.requireNonNull(files.get(rank), "one for each"), StandardCharsets.UTF_8))) {
                    log(rank, out);
                }
            });
            TruthJson.write(output, directory, json());
            output.commit();
        }
        return truth;
    }

    private Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("inspector", recipe.fault().word());
        json.put("seed", recipe.seed());
        json.put("ranks", recipe.ranks());
        json.put("tensor", tensor);
        json.put("stages", stages);
        json.put("replicas", replicas);
        json.put("loss", recipe.loss());
        json.put("kind", truth.kind);
        json.put("where", truth.ranks);
        return json;
    }

    private String host(int rank) {
        return String.format(Locale.ROOT, "node%04d", rank / tensor);
    }

    private static int pid(int rank) {
        return 10_000 + rank;
    }

    private void log(int rank, Writer out) throws IOException {
        SplitMix lost = new SplitMix(recipe.seed(), 2_000_000L + rank);
        boolean named = recipe.seed() % 2 == 0;
        long messages = 0;
        for (int step = 0; step < recipe.steps(); step++) {
            long time = START_US + Math.round(HOURS_US * step / recipe.steps());
            for (Traffic one : ofRank.get(rank)) {
                boolean drops = lost.uniform() < recipe.lost();
                long sequence = one.isMessage() ? messages++ : step;
                if (!drops) {
                    record(rank, one, step, sequence, time, named, out);
                }
            }
        }
    }

    private void record(int rank, Traffic one, int step, long sequence, long time, boolean named, Writer out)
            throws IOException {
        double transferUs = one.bytes * one.wire() / one.gbs / 1000 * factors[one.number][step];
        double mine = 0;
        double last = 0;
        for (int member : one.ranks) {
            double arrives = arrival(one, step, member) * transferUs;
            last = Math.max(last, arrives);
            mine = member == rank ? arrives : mine;
        }
        long us = Math.round(transferUs + last - mine);
        boolean message = one.isMessage();
        double algorithmBandwidth =
                one.bytes * (message || one.operation.equals("AllReduce") ? 1 : one.ranks.length) / 1000.0 / us;
        double bus = one.bytes * one.wire() / 1000.0 / us;
        int place = message
                ? rank
                : IntStream.range(0, one.ranks.length)
                        .filter(i -> one.ranks[i] == rank)
                        .findFirst()
                        .orElseThrow();
        int size = message ? recipe.ranks() : one.ranks.length;
        int nodes = one.across ? message ? stages * replicas : replicas : 1;
        String kind = message ? "p2p" : "coll";
        String operation = !message ? one.operation : one.ranks[0] == rank ? "Send" : "Recv";
        String detail = message
                ? ",\"p2p_peer\":" + (one.ranks[0] == rank ? one.ranks[1] : one.ranks[0])
                : named ? ",\"coll_algo\":\"RING\",\"coll_proto\":\"SIMPLE\"" : "";
        out.write(String.format(
                Locale.ROOT,
                "{\"header\":{\"id\":\"%s\",\"comm_name\":\"%s\",\"rank\":%d,\"n_ranks\":%d,\"nnodes\":%d},"
                        + "\"metadata\":{\"inspector_output_format_version\":\"%s\",\"git_rev\":\"\","
                        + "\"rec_mechanism\":\"nccl_profiler_interface\",\"dump_timestamp_us\":%d,\"hostname\":\"%s\","
                        + "\"pid\":%d},\"%s_perf\":{\"%s\":\"%s\"%s,\"%s_sn\":%d,\"%s_msg_size_bytes\":%d,"
                        + "\"%s_exec_time_us\":%d,\"%s_timing_source\":\"kernel_gpu\",\"%s_algobw_gbs\":%.6f,"
                        + "\"%s_busbw_gbs\":%.6f}}\n",
                one.id,
                one.name,
                place,
                size,
                nodes,
                named ? "v4.2" : "v4.0",
                time,
                host(rank),
                pid(rank),
                kind,
                kind,
                operation,
                detail,
                kind,
                sequence,
                kind,
                one.bytes,
                kind,
                us,
                kind,
                kind,
                algorithmBandwidth,
                kind,
                bus));
    }

    /** When a member calls, as a share of the transfer. */
    private double arrival(Traffic one, int step, int member) {
        double random = new SplitMix(recipe.seed() ^ (long) one.number << 40 ^ (long) step << 20, member).uniform();
        boolean late = recipe.fault() == InspectorFault.LATE_RANK && truth.ranks.contains(member);
        return 0.05 * -StrictMath.log(1 - random) + (late && !one.isMessage() ? LATE : 0);
    }
}
