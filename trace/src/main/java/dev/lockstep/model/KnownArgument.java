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
    CORRELATION("correlation"),
    EXTERNAL_ID("External id"),
    INPUT_DIMS("Input Dims", OpDetails.KEY, Form.STRUCTURE, OpDetails.INPUT_DIMS),
    INPUT_TYPE("Input type", OpDetails.KEY, Form.STRUCTURE, OpDetails.INPUT_TYPES),
    INPUT_STRIDES("Input Strides", OpDetails.KEY, Form.STRUCTURE, OpDetails.INPUT_STRIDES),
    CONCRETE_INPUTS("Concrete Inputs", OpDetails.KEY, Form.STRUCTURE, OpDetails.CONCRETE_INPUTS),
    OUTPUT_TYPE("Output type", OpDetails.KEY, Form.STRUCTURE, OpDetails.OUTPUT_TYPES),
    SEQUENCE("Sequence number", OpDetails.KEY, Form.NUMBER, OpDetails.SEQUENCE),
    DEVICE("device", DeviceDetails.KEY, Form.NUMBER, DeviceDetails.DEVICE),
    STREAM("stream", DeviceDetails.KEY, Form.NUMBER, DeviceDetails.STREAM),
    GRID("grid", DeviceDetails.KEY, Form.STRUCTURE, DeviceDetails.GRID),
    BLOCK("block", DeviceDetails.KEY, Form.STRUCTURE, DeviceDetails.BLOCK),
    REGISTERS("registers per thread", DeviceDetails.KEY, Form.NUMBER, DeviceDetails.REGISTERS),
    SHARED_MEMORY("shared memory", DeviceDetails.KEY, Form.NUMBER, DeviceDetails.SHARED_MEMORY),
    MOVED_BYTES("bytes", DeviceDetails.KEY, Form.NUMBER, DeviceDetails.BYTES),
    COLLECTIVE("Collective name", CollectiveDetails.KEY, Form.TEXT, CollectiveDetails.COLLECTIVE),
    GROUP_NAME("Process Group Name", CollectiveDetails.KEY, Form.TEXT, CollectiveDetails.GROUP_NAME),
    GROUP_DESCRIPTION(
            "Process Group Description", CollectiveDetails.KEY, Form.TEXT, CollectiveDetails.GROUP_DESCRIPTION),
    GROUP_RANKS("Process Group Ranks", CollectiveDetails.KEY, Form.TEXT, CollectiveDetails.GROUP_RANKS),
    GROUP_SIZE("Group size", CollectiveDetails.KEY, Form.NUMBER, CollectiveDetails.GROUP_SIZE),
    DTYPE("dtype", CollectiveDetails.KEY, Form.TEXT, CollectiveDetails.DTYPE),
    IN_ELEMENTS("In msg nelems", CollectiveDetails.KEY, Form.NUMBER, CollectiveDetails.IN_ELEMENTS),
    OUT_ELEMENTS("Out msg nelems", CollectiveDetails.KEY, Form.NUMBER, CollectiveDetails.OUT_ELEMENTS),
    IN_SPLIT("In split size", CollectiveDetails.KEY, Form.TEXT, CollectiveDetails.IN_SPLIT),
    OUT_SPLIT("Out split size", CollectiveDetails.KEY, Form.TEXT, CollectiveDetails.OUT_SPLIT),
    COLLECTIVE_SEQUENCE("Seq", CollectiveDetails.KEY, Form.NUMBER, CollectiveDetails.SEQUENCE),
    PEER("Dst Rank", CollectiveDetails.KEY, Form.NUMBER, CollectiveDetails.PEER),
    RANK("Rank", CollectiveDetails.KEY, Form.NUMBER, CollectiveDetails.RANK);

    private enum Form {
        NUMBER,
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

    /** The argument of this name, or null. */
    public static @Nullable KnownArgument spelt(String name) {
        return BY_SPELLING.get(name);
    }

    public String spelling() {
        return spelling;
    }

    /** The side table that has it; null for those that are columns of the slices themselves. */
    public @Nullable TableKey<?> table() {
        return table;
    }

    /** Place among the numbers, or among the texts, of its table. */
    public int column() {
        return column;
    }

    public boolean isNumber() {
        return form == Form.NUMBER;
    }

    /** Whether its text is always JSON text. */
    public boolean isStructure() {
        return form == Form.STRUCTURE;
    }
}
