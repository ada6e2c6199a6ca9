// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.torch;

import dev.lockstep.codec.JsonCursor;
import dev.lockstep.model.CollectiveDetails;
import dev.lockstep.model.CopyDetails;
import dev.lockstep.model.DetailRows;
import dev.lockstep.model.DeviceDetails;
import dev.lockstep.model.GraphDetails;
import dev.lockstep.model.LaunchDetails;
import dev.lockstep.model.MemoryDetails;
import dev.lockstep.model.ModuleDetails;
import dev.lockstep.model.OpDetails;
import dev.lockstep.model.StepDetails;
import dev.lockstep.model.SyncDetails;
import dev.lockstep.model.TableKey;
import dev.lockstep.model.XlaDetails;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of events that mean something to the program: in every spelling that profilers have used, how their values are
 * taken, and the column of a side table where they go. At most as many as a long has bits.
 */
enum ArgKey {
    CORRELATION(Reading.NUMBER, "correlation", "correlationId", "connection_id", "correlation_id"),
    EXTERNAL_ID(Reading.NUMBER, "External id", "External Id", "external id"),
    /** What the profiler counts its events by. */
    EVENT_NUMBER(Reading.NUMBER, "Ev Idx", "Python id"),
    /** Elements of a collective of HCCL. */
    HCCL_COUNT(Reading.NUMBER, "count"),
    HCCL_TYPE(Reading.TEXT, "data_type"),
    /** The operator that a node of ONNX Runtime runs. */
    NODE_OPERATOR(Reading.TEXT, "op_name"),
    NAME(Reading.TEXT, "name"),
    LABELS(Reading.TEXT, "labels"),

    STREAM(DeviceDetails.KEY, DeviceDetails.STREAM, Reading.NUMBER, "stream"),
    DEVICE(DeviceDetails.KEY, DeviceDetails.DEVICE, Reading.NUMBER, "device"),
    GRID(DeviceDetails.KEY, DeviceDetails.GRID, Reading.STRUCTURE, "grid"),
    BLOCK(DeviceDetails.KEY, DeviceDetails.BLOCK, Reading.STRUCTURE, "block"),
    REGISTERS(DeviceDetails.KEY, DeviceDetails.REGISTERS, Reading.NUMBER, "registers per thread"),
    SHARED_MEMORY(DeviceDetails.KEY, DeviceDetails.SHARED_MEMORY, Reading.NUMBER, "shared memory"),
    OCCUPANCY(DeviceDetails.KEY, DeviceDetails.OCCUPANCY, Reading.NUMBER, "est. achieved occupancy %"),
    BYTES(DeviceDetails.KEY, DeviceDetails.BYTES, Reading.NUMBER, "bytes"),
    BANDWIDTH(DeviceDetails.KEY, DeviceDetails.BANDWIDTH, Reading.REAL, "memory bandwidth (GB/s)"),

    COPY_KIND(CopyDetails.KEY, CopyDetails.KIND, Reading.LOOSE, "copy kind"),
    COPY_SOURCE(CopyDetails.KEY, CopyDetails.SOURCE, Reading.LOOSE, "src kind"),
    COPY_TARGET(CopyDetails.KEY, CopyDetails.TARGET, Reading.LOOSE, "dst kind"),

    MEMORY_DEVICE(MemoryDetails.KEY, MemoryDetails.DEVICE, Reading.NUMBER, "Device Id"),
    MEMORY_BYTES(MemoryDetails.KEY, MemoryDetails.BYTES, Reading.SIGNED, "Bytes"),
    MEMORY_ADDRESS(MemoryDetails.KEY, MemoryDetails.ADDRESS, Reading.NUMBER, "Addr"),
    ALLOCATED(MemoryDetails.KEY, MemoryDetails.ALLOCATED, Reading.NUMBER, "Total Allocated"),
    RESERVED(MemoryDetails.KEY, MemoryDetails.RESERVED, Reading.NUMBER, "Total Reserved"),

    WAITED_STREAM(SyncDetails.KEY, SyncDetails.STREAM, Reading.NUMBER, "wait_on_stream"),
    WAITED_RECORD(SyncDetails.KEY, SyncDetails.RECORD, Reading.NUMBER, "wait_on_cuda_event_record_corr_id"),

    INPUT_DIMS(OpDetails.KEY, OpDetails.INPUT_DIMS, Reading.LISTS, "Input Dims", "Input dims"),
    INPUT_TYPE(OpDetails.KEY, OpDetails.INPUT_TYPES, Reading.LISTS, "Input type"),
    INPUT_STRIDES(OpDetails.KEY, OpDetails.INPUT_STRIDES, Reading.LISTS, "Input Strides"),
    CONCRETE_INPUTS(OpDetails.KEY, OpDetails.CONCRETE_INPUTS, Reading.LISTS, "Concrete Inputs"),
    OUTPUT_TYPE(OpDetails.KEY, OpDetails.OUTPUT_TYPES, Reading.LISTS, "Output type"),
    SEQUENCE(OpDetails.KEY, OpDetails.SEQUENCE, Reading.NUMBER, "Sequence number"),
    /** 0 where no execution trace was recorded at the same time. */
    RECORD_FUNCTION(OpDetails.KEY, OpDetails.RECORD_FUNCTION, Reading.POSITIVE, "Record function id"),

    /** Empty outside of TorchScript. */
    MODULES(ModuleDetails.KEY, ModuleDetails.HIERARCHY, Reading.LOOSE, "Module Hierarchy"),

    COLLECTIVE(CollectiveDetails.KEY, CollectiveDetails.COLLECTIVE, Reading.LOOSE, "Collective name"),
    GROUP_NAME(CollectiveDetails.KEY, CollectiveDetails.GROUP_NAME, Reading.LOOSE, "Process Group Name"),
    GROUP_DESCRIPTION(
            CollectiveDetails.KEY, CollectiveDetails.GROUP_DESCRIPTION, Reading.LOOSE, "Process Group Description"),
    GROUP_RANKS(CollectiveDetails.KEY, CollectiveDetails.GROUP_RANKS, Reading.LOOSE, "Process Group Ranks"),
    GROUP_SIZE(CollectiveDetails.KEY, CollectiveDetails.GROUP_SIZE, Reading.NUMBER, "Group size"),
    DTYPE(CollectiveDetails.KEY, CollectiveDetails.DTYPE, Reading.LOOSE, "dtype"),
    IN_ELEMENTS(CollectiveDetails.KEY, CollectiveDetails.IN_ELEMENTS, Reading.NUMBER, "In msg nelems"),
    OUT_ELEMENTS(CollectiveDetails.KEY, CollectiveDetails.OUT_ELEMENTS, Reading.NUMBER, "Out msg nelems"),
    IN_SPLIT(CollectiveDetails.KEY, CollectiveDetails.IN_SPLIT, Reading.LOOSE, "In split size"),
    OUT_SPLIT(CollectiveDetails.KEY, CollectiveDetails.OUT_SPLIT, Reading.LOOSE, "Out split size"),
    COLLECTIVE_SEQUENCE(CollectiveDetails.KEY, CollectiveDetails.SEQUENCE, Reading.NUMBER, "Seq"),
    /** Of a transfer between two ranks; the rank that sends goes before. */
    DESTINATION_RANK(CollectiveDetails.KEY, CollectiveDetails.PEER, Reading.NUMBER, "Dst Rank"),
    SOURCE_RANK(CollectiveDetails.KEY, CollectiveDetails.PEER, Reading.NUMBER, "Src Rank"),
    /** Stands on other events, too, and alone says nothing of a collective. */
    RANK(CollectiveDetails.KEY, CollectiveDetails.RANK, Reading.NUMBER, "Rank"),

    KERNEL(LaunchDetails.KEY, LaunchDetails.KERNEL, Reading.TEXT, "kernel"),

    /** 0 of work that belongs to no graph, as the next. */
    GRAPH(GraphDetails.KEY, GraphDetails.GRAPH, Reading.POSITIVE, "graph id", "cuda_graph_id", "cuda_graph_exec_id"),
    GRAPH_NODE(GraphDetails.KEY, GraphDetails.NODE, Reading.POSITIVE, "graph node id", "cuda_graph_node_id"),

    /** Of an activity that an instruction of XLA launched, as the next four. */
    HLO_INSTRUCTION(XlaDetails.KEY, XlaDetails.INSTRUCTION, Reading.TEXT, "hlo_op"),
    HLO_MODULE(XlaDetails.KEY, XlaDetails.MODULE, Reading.TEXT, "hlo_module"),
    XLA_LAUNCH(XlaDetails.KEY, XlaDetails.LAUNCH, Reading.TEXT, "kernel_details"),
    XLA_COPY(
            XlaDetails.KEY,
            XlaDetails.COPY,
            Reading.TEXT,
            "memcpy_details",
            "Memcpy_details",
            "memset_details",
            "Memset_details"),
    HLO_CATEGORY(XlaDetails.KEY, XlaDetails.CATEGORY, Reading.TEXT, "hlo_category"),

    /** Of a range of XLA that is a step. */
    STEP_NUMBER(StepDetails.KEY, StepDetails.NUMBER, Reading.NUMBER, "step_num");

    /** How a value is taken. Of what is not of the kind, -1 is kept. */
    enum Reading {
        /** An integer. */
        NUMBER,
        /** An integer that may be negative: {@link JsonCursor#NOT_A_NUMBER} of anything else. */
        SIGNED,
        /** An integer above 0; another counts as absent. */
        POSITIVE,
        /** The bits of a double. */
        REAL,
        /** A text, or a number as text. */
        TEXT,
        /** Any value as compact JSON. */
        STRUCTURE,
        /** As {@link #STRUCTURE}, with a value for each argument of an operator; see {@link ArgumentList}. */
        LISTS,
        /** A text that is not empty, or any other value as compact JSON. */
        LOOSE;

        private boolean isText() {
            return ordinal() >= TEXT.ordinal();
        }
    }

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

    private static final ArgKey[] ALL = values();

    /** How its values are taken. */
    final Reading reading;

    private final boolean text;

    @SuppressWarnings("ImmutableEnumChecker") // a record of the model
    private final @Nullable TableKey<?> table;

    private final int column;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> spellings;

    ArgKey(Reading reading, String... spellings) {
        this(null, -1, reading, spellings);
    }

    ArgKey(@Nullable TableKey<?> table, int column, Reading reading, String... spellings) {
        this.table = table;
        this.column = column;
        this.reading = reading;
        this.text = reading.isText();
        this.spellings = List.of(spellings);
    }

    /** Whether it goes into a side table. */
    boolean isDetail() {
        return table != null;
    }

    /** The bits, by {@link #ordinal}, of the arguments that go into a side table. */
    static long bits(TableKey<?> table) {
        long bits = 0;
        for (ArgKey key : ALL) {
            bits |= table.equals(key.table) ? 1L << key.ordinal() : 0;
        }
        return bits;
    }

    /** Adds a row of a side table. */
    static void addRow(DetailRows rows, int slice, EventFields fields, long bits) {
        rows.add(slice);
        for (long rest = fields.present & bits; rest != 0; rest &= rest - 1) {
            ArgKey key = ALL[Long.numberOfTrailingZeros(rest)];
            long value = fields.get(key);
            if (value == -1) {
                continue; // as a row that is not filled
            }
            if (key.text) {
                rows.text(key.column, (int) value);
            } else {
                rows.number(key.column, value);
            }
        }
    }

    /** The key spelt by these bytes, or null; at least eight further bytes of the array must exist. */
    static @Nullable ArgKey of(byte[] bytes, int start, int end) {
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
