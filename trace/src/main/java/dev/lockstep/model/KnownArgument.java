// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The arguments of events that have a column in the model, under the name by which PyTorch's profiler knows them. */
public enum KnownArgument {
    /** The number that joins a launch and its device activity: a column of {@link Slices}. */
    CORRELATION("correlation"),
    /** The number that joins an operator and the launches inside it: a column of {@link Slices}. */
    EXTERNAL_ID("External id"),
    /** Becomes {@link OpDetails#inputDims}. */
    INPUT_DIMS("Input Dims", OpDetails.KEY, Form.STRUCTURE, OpDetails.INPUT_DIMS),
    /** Becomes {@link OpDetails#inputTypes}. */
    INPUT_TYPE("Input type", OpDetails.KEY, Form.STRUCTURE, OpDetails.INPUT_TYPES),
    /** Becomes {@link OpDetails#inputStrides}. */
    INPUT_STRIDES("Input Strides", OpDetails.KEY, Form.STRUCTURE, OpDetails.INPUT_STRIDES),
    /** Becomes {@link OpDetails#concreteInputs}. */
    CONCRETE_INPUTS("Concrete Inputs", OpDetails.KEY, Form.STRUCTURE, OpDetails.CONCRETE_INPUTS),
    /** Becomes {@link OpDetails#outputTypes}. */
    OUTPUT_TYPE("Output type", OpDetails.KEY, Form.STRUCTURE, OpDetails.OUTPUT_TYPES),
    /** Becomes {@link OpDetails#sequence}. */
    SEQUENCE("Sequence number", OpDetails.KEY, Form.NUMBER, OpDetails.SEQUENCE),
    /** Becomes {@link DeviceDetails#device}. */
    DEVICE("device", DeviceDetails.KEY, Form.NUMBER, DeviceDetails.DEVICE),
    /** Becomes {@link DeviceDetails#stream}. */
    STREAM("stream", DeviceDetails.KEY, Form.NUMBER, DeviceDetails.STREAM),
    /** Becomes {@link DeviceDetails#grid}. */
    GRID("grid", DeviceDetails.KEY, Form.STRUCTURE, DeviceDetails.GRID),
    /** Becomes {@link DeviceDetails#block}. */
    BLOCK("block", DeviceDetails.KEY, Form.STRUCTURE, DeviceDetails.BLOCK),
    /** Becomes {@link DeviceDetails#registers}. */
    REGISTERS("registers per thread", DeviceDetails.KEY, Form.NUMBER, DeviceDetails.REGISTERS),
    /** Becomes {@link DeviceDetails#sharedMemory}. */
    SHARED_MEMORY("shared memory", DeviceDetails.KEY, Form.NUMBER, DeviceDetails.SHARED_MEMORY),
    /** Becomes {@link DeviceDetails#occupancy}. */
    OCCUPANCY("est. achieved occupancy %", DeviceDetails.KEY, Form.NUMBER, DeviceDetails.OCCUPANCY),
    /** Becomes {@link DeviceDetails#bytes}. */
    MOVED_BYTES("bytes", DeviceDetails.KEY, Form.NUMBER, DeviceDetails.BYTES),
    /** Becomes {@link DeviceDetails#bandwidth}. */
    BANDWIDTH("memory bandwidth (GB/s)", DeviceDetails.KEY, Form.REAL, DeviceDetails.BANDWIDTH),
    /** Becomes part of a copy's name, as {@link CopyDetails} says; so the next two. */
    COPY_KIND("copy kind", CopyDetails.KEY, Form.TEXT, CopyDetails.KIND),
    /** The memory that was read. */
    COPY_SOURCE("src kind", CopyDetails.KEY, Form.TEXT, CopyDetails.SOURCE),
    /** The memory that was written. */
    COPY_TARGET("dst kind", CopyDetails.KEY, Form.TEXT, CopyDetails.TARGET),
    /** Becomes {@link SyncDetails#stream}. */
    WAITED_STREAM("wait_on_stream", SyncDetails.KEY, Form.NUMBER, SyncDetails.STREAM),
    /** Becomes {@link SyncDetails#record}. */
    WAITED_RECORD("wait_on_cuda_event_record_corr_id", SyncDetails.KEY, Form.NUMBER, SyncDetails.RECORD),
    /** Becomes {@link GraphDetails#graph}. */
    GRAPH("graph id", GraphDetails.KEY, Form.NUMBER, GraphDetails.GRAPH),
    /** Becomes {@link GraphDetails#node}. */
    GRAPH_NODE("graph node id", GraphDetails.KEY, Form.NUMBER, GraphDetails.NODE),
    /** Becomes {@link StepDetails#number}. */
    STEP_NUMBER("step_num", StepDetails.KEY, Form.NUMBER, StepDetails.NUMBER),
    /** Becomes {@link XlaDetails#instruction}. */
    HLO_INSTRUCTION("hlo_op", XlaDetails.KEY, Form.TEXT, XlaDetails.INSTRUCTION),
    /** Becomes {@link XlaDetails#module}. */
    HLO_MODULE("hlo_module", XlaDetails.KEY, Form.TEXT, XlaDetails.MODULE),
    /** Becomes {@link XlaDetails#category}. */
    HLO_CATEGORY("hlo_category", XlaDetails.KEY, Form.TEXT, XlaDetails.CATEGORY),
    /** Becomes {@link XlaDetails#launch}. */
    XLA_LAUNCH("kernel_details", XlaDetails.KEY, Form.TEXT, XlaDetails.LAUNCH),
    /** Becomes {@link XlaDetails#copy}. */
    XLA_COPY("memcpy_details", XlaDetails.KEY, Form.TEXT, XlaDetails.COPY),
    /** Becomes {@link ModuleDetails#hierarchy}. */
    MODULES("Module Hierarchy", ModuleDetails.KEY, Form.TEXT, ModuleDetails.HIERARCHY),
    /** Becomes {@link CollectiveDetails#collective}. */
    COLLECTIVE("Collective name", CollectiveDetails.KEY, Form.TEXT, CollectiveDetails.COLLECTIVE),
    /** Becomes {@link CollectiveDetails#groupName}. */
    GROUP_NAME("Process Group Name", CollectiveDetails.KEY, Form.TEXT, CollectiveDetails.GROUP_NAME),
    /** Becomes {@link CollectiveDetails#groupDescription}. */
    GROUP_DESCRIPTION(
            "Process Group Description", CollectiveDetails.KEY, Form.TEXT, CollectiveDetails.GROUP_DESCRIPTION),
    /** Becomes {@link CollectiveDetails#groupRanks}. */
    GROUP_RANKS("Process Group Ranks", CollectiveDetails.KEY, Form.TEXT, CollectiveDetails.GROUP_RANKS),
    /** Becomes {@link CollectiveDetails#groupSize}. */
    GROUP_SIZE("Group size", CollectiveDetails.KEY, Form.NUMBER, CollectiveDetails.GROUP_SIZE),
    /** Becomes {@link CollectiveDetails#dtype}. */
    DTYPE("dtype", CollectiveDetails.KEY, Form.TEXT, CollectiveDetails.DTYPE),
    /** Becomes {@link CollectiveDetails#inElements}. */
    IN_ELEMENTS("In msg nelems", CollectiveDetails.KEY, Form.NUMBER, CollectiveDetails.IN_ELEMENTS),
    /** Becomes {@link CollectiveDetails#outElements}. */
    OUT_ELEMENTS("Out msg nelems", CollectiveDetails.KEY, Form.NUMBER, CollectiveDetails.OUT_ELEMENTS),
    /** Becomes {@link CollectiveDetails#inSplit}. */
    IN_SPLIT("In split size", CollectiveDetails.KEY, Form.TEXT, CollectiveDetails.IN_SPLIT),
    /** Becomes {@link CollectiveDetails#outSplit}. */
    OUT_SPLIT("Out split size", CollectiveDetails.KEY, Form.TEXT, CollectiveDetails.OUT_SPLIT),
    /** Becomes {@link CollectiveDetails#sequence}. */
    COLLECTIVE_SEQUENCE("Seq", CollectiveDetails.KEY, Form.NUMBER, CollectiveDetails.SEQUENCE),
    /** Becomes {@link CollectiveDetails#peer}. */
    PEER("Dst Rank", CollectiveDetails.KEY, Form.NUMBER, CollectiveDetails.PEER),
    /** Becomes {@link CollectiveDetails#rank}. */
    RANK("Rank", CollectiveDetails.KEY, Form.NUMBER, CollectiveDetails.RANK),
    /** Becomes {@link MemoryDetails#device}; of marks, as the following ones. */
    MEMORY_DEVICE("Device Id", MemoryDetails.KEY, Form.NUMBER, MemoryDetails.DEVICE),
    /** Becomes {@link MemoryDetails#bytes}. */
    MEMORY_BYTES("Bytes", MemoryDetails.KEY, Form.NUMBER, MemoryDetails.BYTES),
    /** Becomes {@link MemoryDetails#address}. */
    MEMORY_ADDRESS("Addr", MemoryDetails.KEY, Form.NUMBER, MemoryDetails.ADDRESS),
    /** Becomes {@link MemoryDetails#allocated}. */
    ALLOCATED("Total Allocated", MemoryDetails.KEY, Form.NUMBER, MemoryDetails.ALLOCATED),
    /** Becomes {@link MemoryDetails#reserved}. */
    RESERVED("Total Reserved", MemoryDetails.KEY, Form.NUMBER, MemoryDetails.RESERVED);

    private enum Form {
        NUMBER,
        /** The bits of a double. */
        REAL,
        /** As JSON text. */
        STRUCTURE,
        /** A string as it is, anything else as JSON text. */
        TEXT
    }

    /** Those that stand in side tables. */
    public static final List<KnownArgument> OF_TABLES =
            Arrays.stream(values()).filter(a -> a.table != null).toList();

    private static final Map<String, KnownArgument> BY_SPELLING =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(KnownArgument::spelling, Function.identity()));

    private final String spelling;

    @SuppressWarnings("ImmutableEnumChecker") // a record of constants
    private final @Nullable TableKey<?> table;

    private final Form form;
    private final int column;

    KnownArgument(String spelling) {
        this(spelling, null, Form.NUMBER, -1);
    }

    KnownArgument(String spelling, @Nullable TableKey<?> table, Form form, int column) {
        this.spelling = spelling;
        this.table = table;
        this.form = form;
        this.column = column;
    }

    /**
     * {@return the argument of this name, or null}
     *
     * @param name key of an argument, letter by letter
     */
    public static @Nullable KnownArgument spelt(String name) {
        return BY_SPELLING.get(name);
    }

    /** {@return the key under which PyTorch's profiler writes it} */
    public String spelling() {
        return spelling;
    }

    /** {@return the side table that has it; null for those that are columns of the slices themselves} */
    public @Nullable TableKey<?> table() {
        return table;
    }

    /** {@return place among the numbers, or among the texts, of its table} */
    public int column() {
        return column;
    }

    /** {@return whether its value is a whole number} */
    public boolean isNumber() {
        return form == Form.NUMBER;
    }

    /** {@return whether its value is a double, of which the table holds the bits} */
    public boolean isReal() {
        return form == Form.REAL;
    }

    /** {@return whether its text is always JSON text} */
    public boolean isStructure() {
        return form == Form.STRUCTURE;
    }
}
