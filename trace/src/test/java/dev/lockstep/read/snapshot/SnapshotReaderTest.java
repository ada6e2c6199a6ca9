// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.snapshot;

import static dev.lockstep.testkit.Pickled.change;
import static dev.lockstep.testkit.Pickled.frame;
import static dev.lockstep.testkit.Pickled.segment;
import static dev.lockstep.testkit.Pickled.snapshot;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.error.TraceFormatException;
import dev.lockstep.model.MemoryDetails;
import dev.lockstep.model.SegmentDetails;
import dev.lockstep.model.Trace;
import dev.lockstep.read.TraceReader;
import dev.lockstep.testkit.Pickled;
import dev.lockstep.testkit.TraceReaderContract;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

public class SnapshotReaderTest extends TraceReaderContract {
    private static final List<Object> STACK = List.of(
            frame("linear", "/x/site-packages/torch/nn/linear.py", 5), frame("forward", "/home/u/model.py", 42));

    /** 300 bytes were allocated before; 1000 come, 100 of the old go. */
    private static Map<String, Object> sound() {
        return snapshot(
                List.of(segment(0, 4096, 1200)),
                List.of(
                        change("segment_alloc", 1 << 20, 2048, 1, List.of()),
                        change("alloc", 1L << 40, 1000, 2, STACK),
                        change("free_requested", 64, 100, 3, STACK),
                        change("free_completed", 64, 100, 4, STACK)),
                List.of());
    }

    @Override
    protected TraceReader reader() {
        return new SnapshotReader();
    }

    @Override
    protected List<Sample> samples() {
        return List.of(sample(0), sample(2), sample(4));
    }

    private static Sample sample(int protocol) {
        return new Sample("protocol " + protocol, Pickled.of(sound(), protocol), new int[0]);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5})
    void totalsFollowFromTheEnd(int protocol) throws IOException {
        Trace trace = read(Pickled.of(sound(), protocol), 1).getFirst();
        MemoryDetails memory = Objects.requireNonNull(trace.view(MemoryDetails.KEY));

        assertThat(memory.size()).isEqualTo(2);
        assertThat(List.of(memory.bytes(0), memory.allocated(0), memory.reserved(0), memory.address(0)))
                .containsExactly(1000L, 1300L, 4096L, 1L << 40);
        assertThat(List.of(memory.bytes(1), memory.allocated(1), memory.reserved(1), memory.address(1)))
                .containsExactly(-100L, 1200L, 4096L, 64L);
        assertThat(trace.marks().ts(memory.mark(1))).isEqualTo(4000);
        assertThat(trace.strings().get(memory.frames(0)))
                .isEqualTo("linear /x/site-packages/torch/nn/linear.py:5\nforward /home/u/model.py:42");
        assertThat(trace.info().metadata()).containsEntry("history_entries", "[4, 0]");
        SegmentDetails segments = Objects.requireNonNull(trace.view(SegmentDetails.KEY));
        assertThat(List.of(segments.total(0), segments.free(0), segments.largestFree(0)))
                .containsExactly(4096L, 2896L, 2896L);
        assertThat(trace.isEmpty()).isFalse();
    }

    @Test
    void poolsThatAreNoPairAreRefused() throws IOException {
        Map<String, Object> held = new LinkedHashMap<>(Pickled.segment(0, 4096, 1200));
        held.put("segment_pool_id", List.of(7L, 0L));
        Trace trace = read(Pickled.of(Pickled.snapshot(List.of(held), List.of()), 4), 1)
                .getFirst();
        assertThat(Objects.requireNonNull(trace.view(SegmentDetails.KEY)).pool(0))
                .isEqualTo(7);

        for (Object id : List.of(List.of(1L), List.of(0L, "1"), 5L)) {
            held.put("segment_pool_id", id);
            byte[] bytes = Pickled.of(Pickled.snapshot(List.of(held), List.of()), 4);
            assertThatThrownBy(() -> read(bytes, 1)).hasMessageContaining("expected two numbers 'segment_pool_id'");
        }
    }

    /** Every instruction that can name or call something, used or not, in front, behind, and in place of an entry. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "cos\nsystem\n",
                "\u008c\u0005posix\u008c\u0006system\u0093",
                "))R",
                "}}b",
                "(S'x'\nios\nsystem\n",
                "(}o",
                "})\u0081",
                "})}\u0092",
                "\u0082\u0001",
                "\u0083\u0001\u0000",
                "\u0084\u0001\u0000\u0000\u0000",
                "Phello\n",
                "K\u0001Q",
                "K\u00012",
                "\u0096\u0001\u0000\u0000\u0000\u0000\u0000\u0000\u0000x",
                "\u0097"
            })
    void whatCouldRunIsRefusedWithItsPlace(String program) {
        byte[] good = Pickled.of(sound(), 2);
        String body = new String(good, 2, good.length - 3, ISO_8859_1);
        for (String pickle : List.of(program + "0" + body + ".", body + program + "0.", program + ".")) {
            byte[] bytes = ("\u0080\u0002" + pickle).getBytes(ISO_8859_1);
            assertThatThrownBy(() -> read(bytes, 1))
                    .isInstanceOf(TraceFormatException.class)
                    .hasMessageContaining("the file.json: byte ")
                    .hasMessageContaining("only plain data is read");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ".",
                "a.",
                "t.",
                "h\u0007.",
                "g5\n.",
                "s.",
                "]K\u0001u.",
                "(K\u0001}u.",
                "}(K\u0001u.",
                "}]K\u0001s.",
                "]]",
                "]].",
                "}(.",
                "}.x",
                "\u008d\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0010abc.",
                "B\u00f0\u00ff\u00ff\u00ffabc.",
                "\u008b\u00fb\u00ff\u00ff\u00ff.",
                "\u008b\u00ff\u00ff\u00ff\u007f\u0001.",
                "\u0095\u0000\u0000\u0000\u0000\u0000\u0000\u0004\u0000}.",
                "\u0080c}.",
                "\u00ff.",
                "I12x\n.",
                "L\n.",
                "Fabc\n.",
                "S'abc\n.",
                "}q\u0000(X\u0001\u0000\u0000\u0000ah\u0000u.",
                "]q\u0000h\u0000a.",
                "]K\u0001a.",
                "}."
            })
    void whatIsNoSnapshotIsRefused(String pickle) {
        byte[] bytes = ("\u0080\u0004" + pickle).getBytes(ISO_8859_1);
        assertThatThrownBy(() -> read(bytes, 1))
                .isInstanceOf(TraceFormatException.class)
                .hasMessageContaining("the file.json");
    }

    @Test
    void aCutIsRefusedWhereverItIs() {
        for (int protocol : new int[] {0, 2, 4}) {
            byte[] good = Pickled.of(sound(), protocol);
            for (int cut = 0; cut < good.length; cut++) {
                byte[] bytes = Arrays.copyOf(good, cut);
                assertThatThrownBy(() -> read(bytes, 1))
                        .as("protocol %d cut at %d", protocol, cut)
                        .isInstanceOf(TraceFormatException.class);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"]", "(", "}", ")"})
    void nestingWithoutEndIsRefused(String opener) {
        String closer = opener.equals("]") ? "a" : opener.equals(")") ? "" : "0";
        String deep =
                opener.equals(")") ? ")" + "\u0085".repeat(300_000) : opener.repeat(300_000) + closer.repeat(299_999);
        assertThatThrownBy(() -> read(("\u0080\u0002" + deep + ".").getBytes(ISO_8859_1), 1))
                .isInstanceOf(TraceFormatException.class);
    }

    /** A list that stands a thousand times in a list costs as much as a thousand references, not as its copies. */
    @Test
    void whatIsSharedIsNotTakenApartAgain() {
        List<Object> one = new ArrayList<>(Collections.nCopies(20_000, change("alloc", 1, 1, 1, STACK)));
        Map<String, Object> shared = snapshot(List.of());
        shared.put("device_traces", Collections.nCopies(1000, one));
        assertThatThrownBy(() -> read(Pickled.of(shared, 2), 1))
                .isInstanceOf(TraceFormatException.class)
                .hasMessageContaining("of its own");

        StringBuilder laughs = new StringBuilder("\u0080\u0002}(X\u0001\u0000\u0000\u0000a]q\u0000");
        for (int i = 0; i < 60; i++) {
            laughs.append('(')
                    .append(("h" + (char) i).repeat(16))
                    .append('l')
                    .append('q')
                    .append((char) (i + 1));
        }
        assertThatThrownBy(() -> read(laughs.append("0u.").toString().getBytes(ISO_8859_1), 1))
                .isInstanceOf(TraceFormatException.class);
    }

    @Test
    void valuesOfTheWrongKindAreNamed() {
        Map<String, Object> entry = new LinkedHashMap<>(change("alloc", 1, 1, 1, STACK));
        for (Map.Entry<String, Object> wrong : Map.<String, Object>of(
                        "action", 1L, "addr", "1", "size", "1", "time_us", "x", "frames", 1L)
                .entrySet()) {
            Map<String, Object> bad = new LinkedHashMap<>(entry);
            bad.put(wrong.getKey(), wrong.getValue());
            assertThatThrownBy(() -> read(Pickled.of(snapshot(List.of(), List.of(bad)), 4), 1))
                    .as(wrong.getKey())
                    .hasMessageContaining("no snapshot");
        }
        assertThatThrownBy(() -> read(Pickled.of(snapshot(List.of(), List.of(change("alloc", 1, -5, 1, STACK))), 4), 1))
                .hasMessageContaining("found -5");
        assertThatThrownBy(() -> read(Pickled.of(snapshot(List.of(segment(7, 10, 5)), List.of()), 4), 1))
                .hasMessageContaining("device 7");
    }

    @Test
    void sumsThatNoDeviceHoldsAreRefused() {
        long half = 1L << 52;
        Map<String, Object> blocks = new LinkedHashMap<>(segment(0, 1, 0));
        blocks.put(
                "blocks",
                Collections.nCopies(3, Map.of("state", "active_allocated", "size", half, "requested_size", half)));
        for (Map<String, Object> odd : List.of(
                snapshot(List.of(), Collections.nCopies(3, change("alloc", 1, half, 1, STACK))),
                snapshot(List.of(), Collections.nCopies(3, change("segment_free", 1, half, 1, STACK))),
                snapshot(List.of(segment(0, half, 0), segment(0, half, 0), segment(0, half, 0)), List.of()),
                snapshot(List.of(blocks), List.of()))) {
            assertThatThrownBy(() -> read(Pickled.of(odd, 4), 1)).hasMessageContaining("add up to");
        }
    }

    /** A frame is written once and may stand in any number of stacks. */
    @Test
    @Timeout(30)
    void aLongNameCostsOnceForEachStack() throws IOException {
        Map<String, Object> frame = frame("f".repeat(200_000), "x.py", 1);
        Map<String, Object> other = frame("g", "x.py", 2);
        List<Object> changes = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            changes.add(change("alloc", i, 1, i, new ArrayList<>(i == 7 ? List.of(other, frame) : List.of(frame))));
        }
        MemoryDetails memory = Objects.requireNonNull(read(Pickled.of(snapshot(List.of(), changes), 2), 1)
                .getFirst()
                .view(MemoryDetails.KEY));

        assertThat(memory.size()).isEqualTo(20_000);
        assertThat(memory.frames(0)).isEqualTo(memory.frames(19_999)).isNotEqualTo(memory.frames(7));
    }

    @Test
    void aSnapshotWithoutHistorySaysSo() throws IOException {
        Trace trace = read(Pickled.of(snapshot(List.of(), List.of()), 4), 1).getFirst();

        assertThat(trace.isEmpty()).isTrue();
        assertThat(trace.diagnostics().observations()).anyMatch(e -> e.code().equals("no_memory_history"));
    }
}
