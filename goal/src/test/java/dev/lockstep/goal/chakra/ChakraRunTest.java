// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.chakra;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.codec.ProtoCursor;
import dev.lockstep.codec.ProtoCursor.Damaged;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.goal.GoalInput;
import dev.lockstep.goal.GoalOptions.Reading;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.read.TraceInput;
import dev.lockstep.session.Session;
import dev.lockstep.synth.SyntheticRun;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.synth.TraceRecipe;
import dev.lockstep.testkit.EventText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What simulators must find in execution traces, checked on the bytes by another decoding. */
class ChakraRunTest {
    private static final int COMPUTE = 4;
    private static final int COLLECTIVE = 7;

    @TempDir
    Path folder;

    /** A node as the bytes have it. */
    private record Decoded(
            long id, String name, long type, List<Long> before, long startUs, long micros, Map<String, Object> facts) {}

    private static List<Decoded> decode(Path file) throws IOException, Damaged {
        byte[] bytes = Files.readAllBytes(file);
        ProtoCursor all = new ProtoCursor();
        all.set(bytes, 0, bytes.length);
        List<Decoded> nodes = new ArrayList<>();
        for (boolean first = true; !all.isAtEnd(); first = false) {
            int outer = all.enter();
            if (first) {
                assertThat(all.tag()).isEqualTo(1 << 3 | 2);
                assertThat(all.text()).isEqualTo("0.0.4");
            } else {
                nodes.add(node(all));
            }
            all.leave(outer);
        }
        return nodes;
    }

    private static Decoded node(ProtoCursor in) throws Damaged {
        Map<Integer, Long> numbers = new HashMap<>();
        Map<String, Object> facts = new TreeMap<>();
        List<Long> before = new ArrayList<>();
        String name = "";
        for (int tag = in.tag(); tag != 0; tag = in.tag()) {
            switch (tag >>> 3) {
                case 2 -> name = in.text();
                case 5 -> in.numbers(tag, before::add);
                case 10 -> {
                    int outer = in.enter();
                    assertThat(in.tag()).isEqualTo(1 << 3 | 2);
                    String fact = in.text();
                    int kind = in.tag();
                    facts.put(fact, (kind & 7) == 2 ? in.text() : (Object) in.varint());
                    assertThat(in.isAtEnd()).isTrue();
                    in.leave(outer);
                }
                default -> numbers.put(tag >>> 3, in.varint());
            }
        }
        return new Decoded(numbers.get(1), name, numbers.get(3), before, numbers.get(6), numbers.get(7), facts);
    }

    private ChakraRun.Written export(TraceRecipe recipe) throws IOException {
        List<Path> files = new ArrayList<>();
        for (int rank = 0; rank < 2; rank++) {
            files.add(Files.write(folder.resolve("rank" + rank + ".json"), SyntheticRun.bytes(recipe, rank)));
        }
        ChakraRun run = ChakraRun.read(new GoalInput.PyTorch("run", files), Reading.DEFAULT);
        assertThat(run.isWhole()).isTrue();
        return run.writeTo(folder.resolve("et"), false);
    }

    private List<Decoded> rank(int rank) throws IOException, Damaged {
        return decode(folder.resolve("et").resolve(ChakraRun.PREFIX + rank + ".et"));
    }

    @Test
    void graphsHaveNoCirclesAndLoseNothing() throws IOException, Damaged {
        TraceRecipe recipe = SyntheticTraces.smallRecipe(2);
        ChakraRun.Written written = export(recipe);
        long all = 0;
        List<String> met = new ArrayList<>();
        for (int rank = 0; rank < 2; rank++) {
            List<Decoded> nodes = rank(rank);
            all += nodes.size();
            Set<Long> earlier = new HashSet<>();
            Map<String, Long> onDevice = new TreeMap<>();
            StringBuilder collectives = new StringBuilder();
            for (Decoded node : nodes) {
                assertThat(node.id()).isPositive();
                assertThat(earlier).containsAll(node.before());
                assertThat(earlier.add(node.id())).isTrue();
                if (node.type() == COLLECTIVE) {
                    collectives
                            .append(node.facts().get("comm_type"))
                            .append(':')
                            .append(node.facts().get("comm_size"))
                            .append(':')
                            .append(node.facts().get("pg_name"))
                            .append(' ');
                }
                if (node.facts().get("is_cpu_op").equals(0L)) {
                    onDevice.merge((String) node.facts().get("track"), node.micros(), Long::sum);
                } else {
                    assertThat(node.type()).isEqualTo(COMPUTE);
                }
            }
            Map<String, Long> recorded = recorded(SyntheticTraces.synthetic(recipe, rank));
            assertThat(onDevice.keySet()).isEqualTo(recorded.keySet());
            recorded.forEach(
                    (stream, ns) -> assertThat(onDevice.get(stream) * 1000).isBetween(ns - 500, ns + 500));
            met.add(collectives.toString());
        }
        assertThat(all).isEqualTo(written.nodes());
        assertThat(met.getFirst()).isEqualTo(met.getLast()).isNotEmpty();
        assertThat(Files.readString(folder.resolve("et").resolve(ChakraRun.GROUPS)))
                .contains("[ 0, 1 ]");
    }

    /** By stream: how long its activities took. */
    private static Map<String, Long> recorded(Trace trace) {
        Map<String, Long> recorded = new TreeMap<>();
        Slices slices = trace.slices();
        for (int i = 0; i < slices.size(); i++) {
            if (slices.kind(i).isDeviceActivity()) {
                String stream = trace.tracks().get(slices.track(i)).thread();
                recorded.merge("stream " + stream, slices.dur(i), Long::sum);
            }
        }
        return recorded;
    }

    /** Of what ran before a collective and ends before it on its own stream, all is among its ancestors. */
    @Test
    void communicationFollowsAllThatItsDeviceDidBefore() throws IOException, Damaged {
        TraceRecipe recipe = SyntheticTraces.smallRecipe(2);
        export(recipe);
        List<Decoded> nodes = rank(0);
        Map<Long, Set<Long>> ancestors = new HashMap<>();
        Map<String, Long> lastOnStream = new HashMap<>();
        for (Decoded node : nodes) {
            Set<Long> known = new HashSet<>(node.before());
            node.before().forEach(one -> known.addAll(ancestors.get(one)));
            ancestors.put(node.id(), known);
            String track = (String) node.facts().get("track");
            if (node.facts().get("is_cpu_op").equals(0L)) {
                Long last = lastOnStream.put(track, node.id());
                if (last != null) {
                    assertThat(known).as(node.name()).contains(last);
                }
            }
        }
        assertThat(nodes.stream().filter(node -> node.type() == COLLECTIVE).count())
                .isEqualTo(communication(SyntheticTraces.synthetic(recipe, 0)));
    }

    private static long communication(Trace trace) {
        Slices slices = trace.slices();
        long count = 0;
        for (int i = 0; i < slices.size(); i++) {
            count += slices.kind(i) == SliceKind.KERNEL && trace.name(i).contains("nccl") ? 1 : 0;
        }
        return count;
    }

    /** What is read again has the same activities and collectives, in either form. */
    @Test
    void whatWasWrittenIsReadAgain() throws IOException {
        TraceRecipe recipe = SyntheticTraces.smallRecipe(2);
        export(recipe);
        List<Path> files = List.of(folder.resolve("rank0.json"), folder.resolve("rank1.json"));
        ChakraRun.read(new GoalInput.PyTorch("run", files), Reading.DEFAULT).writeTo(folder.resolve("json"), true);
        for (String form : List.of("et", "json")) {
            try (Session session = new Session(1)) {
                Trace trace = session.read(
                                TraceInput.of(folder.resolve(form).resolve(ChakraRun.PREFIX + "1." + form)), n -> {})
                        .getFirst();
                assertThat(trace.info().rank().index()).isEqualTo(1);
                assertThat(activities(trace)).isEqualTo(activities(SyntheticTraces.synthetic(recipe, 1)));
            }
        }
    }

    private static List<String> activities(Trace trace) {
        List<String> found = new ArrayList<>();
        Slices slices = trace.slices();
        RankCollectives collectives = new DerivedCache(trace).get(RankCollectives.Key.standard());
        long first = Long.MAX_VALUE;
        for (int i = 0; i < slices.size(); i++) {
            if (slices.kind(i).isDeviceActivity()) {
                first = Math.min(first, slices.ts(i));
                found.add(trace.name(i) + " " + slices.kind(i) + " " + (slices.ts(i) - first) + "+" + slices.dur(i)
                        + " on " + trace.tracks().get(slices.track(i)).thread());
            }
        }
        for (int i = 0; i < collectives.size(); i++) {
            found.add(collectives.call(i).kind() + " " + collectives.dur(i) + " "
                    + collectives.call(i).groupSize());
        }
        found.sort(null);
        return found;
    }

    /** Both sides of a message name the same ranks and number. */
    @Test
    void messagesNameBothSides() throws IOException, Damaged {
        List<Path> files = new ArrayList<>();
        for (int rank = 0; rank < 2; rank++) {
            EventText events = new EventText();
            for (int i = 0; i < 3; i++) {
                boolean sends = rank == i % 2;
                events.raw(message(sends, 1 - rank, 10 + 100 * i));
            }
            files.add(Files.writeString(
                    folder.resolve("rank" + rank + ".json"),
                    "{\"distributedInfo\": {\"rank\": " + rank + ", \"world_size\": 2}, \"traceEvents\": ["
                            + String.join(",", events.events()) + "]}"));
        }
        ChakraRun.read(new GoalInput.PyTorch("run", files), Reading.DEFAULT).writeTo(folder.resolve("et"), false);
        List<String> sent = new ArrayList<>();
        List<String> received = new ArrayList<>();
        for (int rank = 0; rank < 2; rank++) {
            for (Decoded node : rank(rank)) {
                String what = node.facts().get("comm_src") + ">" + node.facts().get("comm_dst") + "#"
                        + node.facts().get("comm_tag") + " " + node.facts().get("comm_size");
                (node.type() == 5 ? sent : received).add(what);
            }
        }
        assertThat(sent).containsExactlyInAnyOrder("0>1#0 400", "0>1#1 400", "1>0#0 400");
        assertThat(received).containsExactlyInAnyOrderElementsOf(sent);
    }

    private static String message(boolean sends, int peer, long ts) {
        return "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"ncclDevKernel_SendRecv\", \"ts\": " + ts
                + ", \"dur\": 50, \"pid\": 0, \"tid\": 20, \"args\": {\"device\": 0, \"stream\": 20, \"Collective name\": \""
                + (sends ? "send" : "recv") + "\", \"In msg nelems\": 100, \"Out msg nelems\": 100, \"Group size\": 2,"
                + " \"dtype\": \"Float\", \"Process Group Name\": \"0\", \"Process Group Ranks\": \"[0, 1]\", \""
                + (sends ? "Dst Rank" : "Src Rank") + "\": " + peer + "}}";
    }
}
