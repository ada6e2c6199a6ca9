// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.torch;

import dev.lockstep.codec.JsonCursor;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** The arguments of events that mean something to the program, in every spelling that profilers have used. */
enum ArgKey {
    CORRELATION("correlation", "correlationId", "connection_id"),
    EXTERNAL_ID("External id", "External Id", "external id"),
    /** What the profiler counts its events by. */
    EVENT_NUMBER("Ev Idx", "Python id"),
    /** Elements of a collective of HCCL. */
    HCCL_COUNT("count"),
    HCCL_TYPE("data_type"),
    STREAM("stream"),
    DEVICE("device"),
    GRID("grid"),
    BLOCK("block"),
    REGISTERS("registers per thread"),
    SHARED_MEMORY("shared memory"),
    OCCUPANCY("est. achieved occupancy %"),
    BYTES("bytes"),
    MEMORY_DEVICE("Device Id"),
    MEMORY_BYTES("Bytes"),
    MEMORY_ADDRESS("Addr"),
    ALLOCATED("Total Allocated"),
    RESERVED("Total Reserved"),
    BANDWIDTH("memory bandwidth (GB/s)"),
    WAITED_STREAM("wait_on_stream"),
    WAITED_RECORD("wait_on_cuda_event_record_corr_id"),
    INPUT_DIMS("Input Dims", "Input dims"),
    INPUT_TYPE("Input type"),
    INPUT_STRIDES("Input Strides"),
    CONCRETE_INPUTS("Concrete Inputs"),
    OUTPUT_TYPE("Output type"),
    SEQUENCE("Sequence number"),
    RECORD_FUNCTION("Record function id"),
    COLLECTIVE("Collective name"),
    GROUP_NAME("Process Group Name"),
    GROUP_DESCRIPTION("Process Group Description"),
    GROUP_RANKS("Process Group Ranks"),
    GROUP_SIZE("Group size"),
    DTYPE("dtype"),
    IN_ELEMENTS("In msg nelems"),
    OUT_ELEMENTS("Out msg nelems"),
    IN_SPLIT("In split size"),
    OUT_SPLIT("Out split size"),
    COLLECTIVE_SEQUENCE("Seq"),
    SOURCE_RANK("Src Rank"),
    DESTINATION_RANK("Dst Rank"),
    RANK("Rank"),
    KERNEL("kernel"),
    NAME("name"),
    LABELS("labels");

    private static final int SLOTS = 256;
    private static final int TWO_WORDS = 2 * Long.BYTES;
    private static final ArgKey[] BY_SLOT = new ArgKey[SLOTS];
    private static final byte[][] TEXT_BY_SLOT = new byte[SLOTS][];
    private static final long[] FIRST_BY_SLOT = new long[SLOTS];
    private static final long[] LAST_BY_SLOT = new long[SLOTS];

    static {
        for (ArgKey key : values()) {
            for (String spelling : key.spellings) {
                byte[] text = spelling.getBytes(StandardCharsets.US_ASCII);
                byte[] padded = Arrays.copyOf(text, text.length + Long.BYTES);
                int slot = slot(padded, 0, text.length);
                while (TEXT_BY_SLOT[slot] != null) {
                    slot = slot + 1 & SLOTS - 1;
                }
                TEXT_BY_SLOT[slot] = text;
                FIRST_BY_SLOT[slot] = first(padded, 0, text.length);
                LAST_BY_SLOT[slot] = last(padded, text.length);
                BY_SLOT[slot] = key;
            }
        }
    }

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> spellings;

    ArgKey(String... spellings) {
        this.spellings = List.of(spellings);
    }

    /** Whether it goes into side tables alone. */
    boolean isDetail() {
        return ordinal() >= STREAM.ordinal() && this != NAME && this != LABELS;
    }

    /** The key spelt by these bytes, or null; at least eight further bytes of the array must exist. */
    static @org.jspecify.annotations.Nullable ArgKey of(byte[] bytes, int start, int end) {
        int length = end - start;
        int slot = slot(bytes, start, end);
        while (true) {
            byte[] text = TEXT_BY_SLOT[slot];
            if (text == null) {
                return null;
            }
            if (text.length == length
                    && first(bytes, start, end) == FIRST_BY_SLOT[slot]
                    && (length < Long.BYTES || last(bytes, end) == LAST_BY_SLOT[slot])
                    && (length <= TWO_WORDS || Arrays.equals(text, 0, length, bytes, start, end))) {
                return BY_SLOT[slot];
            }
            slot = slot + 1 & SLOTS - 1;
        }
    }

    private static long first(byte[] bytes, int start, int end) {
        long word = JsonCursor.word(bytes, start);
        int length = end - start;
        return length < Long.BYTES ? word & (1L << length * 8) - 1 : word;
    }

    private static long last(byte[] bytes, int end) {
        return end < Long.BYTES ? 0 : JsonCursor.word(bytes, end - Long.BYTES);
    }

    private static int slot(byte[] bytes, int start, int end) {
        long h = (first(bytes, start, end) + end - start) * 0x9E3779B97F4A7C15L;
        return (int) (h >>> 56);
    }
}
