// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.xplane;

import dev.lockstep.codec.ProtoCursor;
import dev.lockstep.codec.ProtoCursor.Damaged;
import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.LongList;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A compiled program, of which some instructions are wanted. An {@code xla.HloProto}, of which this is read:
 *
 * <pre>
 * HloProto             1 hlo_module
 * HloModuleProto       1 name  3 computations*
 * HloComputationProto  1 name  2 instructions*
 * HloInstructionProto  1 name  2 opcode  3 shape  7 metadata  28 custom_call_target  35 id  36 operand_ids*
 *                      49 replica_groups*  87 collective_device_list
 * OpMetadata           1 op_type  2 op_name  3 source_file  4 source_line
 * ShapeProto           2 element_type  3 dimensions*  4 tuple_shapes*  5 layout (1 minor_to_major*)
 * </pre>
 */
final class HloModule {
    /**
     * An instruction.
     *
     * @param operands types of what it works on, as in {@code bf16[8,128]{1,0}}
     * @param shape type of what comes out
     * @param target the function of a library that it calls, null for none
     * @param operator of the user's program that it was made of, null where it is not said
     * @param source place in the user's program, as in {@code model.py:77}; null where it is not said
     * @param groups of devices that take part, one list each; empty where the instruction names none
     */
    record Instruction(
            String opcode,
            List<String> operands,
            String shape,
            @Nullable String target,
            @Nullable String operator,
            @Nullable String source,
            List<long[]> groups) {}

    private static final int MODULE = 1 << 3 | 2;
    private static final int COMPUTATION = 3 << 3 | 2;
    private static final int INSTRUCTION = 2 << 3 | 2;
    private static final int NAME = 1 << 3 | 2;
    private static final int OPCODE = 2 << 3 | 2;
    private static final int SHAPE = 3 << 3 | 2;
    private static final int METADATA = 7 << 3 | 2;
    private static final int TARGET = 28 << 3 | 2;
    private static final int ID = 35 << 3;
    private static final int OPERANDS = 36 << 3 | 2;
    private static final int OPERAND = 36 << 3;
    private static final int GROUP = 49 << 3 | 2;
    private static final int DEVICES = 87 << 3 | 2;

    private static final int OPERATOR_NAME = 2 << 3 | 2;
    private static final int SOURCE_FILE = 3 << 3 | 2;
    private static final int SOURCE_LINE = 4 << 3;

    /** A program has no instruction with more. */
    private static final int MOST_OPERANDS = 1 << 14;

    private final byte[] hlo;
    private final ProtoCursor in = new ProtoCursor();

    /** @param hlo an {@code xla.HloProto} */
    HloModule(byte[] hlo) {
        this.hlo = hlo;
    }

    /** Hands out the instructions of these names, each once. */
    void find(Set<String> names, BiConsumer<String, Instruction> into) throws Damaged {
        in.set(hlo, 0, hlo.length);
        for (int tag = in.tag(); tag != 0; tag = in.tag()) {
            if (tag != MODULE) {
                in.skipField(tag);
                continue;
            }
            int outer = in.enter();
            for (int field = in.tag(); field != 0; field = in.tag()) {
                if (field == COMPUTATION) {
                    int length = in.length();
                    int from = in.position();
                    in.skip(length);
                    computation(from, from + length, names, into);
                } else {
                    in.skipField(field);
                }
            }
            in.leave(outer);
        }
    }

    private void computation(int from, int to, Set<String> names, BiConsumer<String, Instruction> into) throws Damaged {
        ProtoCursor c = new ProtoCursor();
        c.set(hlo, from, to);
        LongIntMap numbers = new LongIntMap(64);
        LongList places = new LongList(64);
        List<String> wanted = new ArrayList<>();
        List<Long> wantedPlaces = new ArrayList<>();
        ProtoCursor one = new ProtoCursor();
        for (int tag = c.tag(); tag != 0; tag = c.tag()) {
            if (tag != INSTRUCTION) {
                c.skipField(tag);
                continue;
            }
            int length = c.length();
            int begin = c.position();
            c.skip(length);
            long place = (long) begin << 32 | begin + length;
            one.set(hlo, begin, begin + length);
            for (int field = one.tag(); field != 0; field = one.tag()) {
                if (field == ID) {
                    numbers.put(one.varint(), places.size());
                } else if (field == NAME) {
                    String name = one.text();
                    if (names.contains(name)) {
                        wanted.add(name);
                        wantedPlaces.add(place);
                    }
                } else {
                    one.skipField(field);
                }
            }
            places.add(place);
        }
        for (int i = 0; i < wanted.size(); i++) {
            into.accept(wanted.get(i), instruction(wantedPlaces.get(i), numbers, places));
        }
    }

    private Instruction instruction(long place, LongIntMap numbers, LongList places) throws Damaged {
        ProtoCursor c = at(place);
        String opcode = "";
        String shape = "";
        String target = null;
        String operator = null;
        String source = null;
        List<String> operands = new ArrayList<>();
        List<long[]> groups = new ArrayList<>();
        for (int tag = c.tag(); tag != 0; tag = c.tag()) {
            switch (tag) {
                case OPCODE -> opcode = c.text();
                case SHAPE -> shape = HloShape.read(c);
                case TARGET -> target = c.text();
                case METADATA -> {
                    int outer = c.enter();
                    String file = null;
                    long line = 0;
                    for (int field = c.tag(); field != 0; field = c.tag()) {
                        switch (field) {
                            case OPERATOR_NAME -> operator = c.text();
                            case SOURCE_FILE -> file = c.text();
                            case SOURCE_LINE -> line = c.varint();
                            default -> c.skipField(field);
                        }
                    }
                    c.leave(outer);
                    source = file == null ? source : file + ":" + line;
                }
                case OPERANDS -> {
                    int outer = c.enter();
                    while (!c.isAtEnd()) {
                        operand(c.varint(), numbers, places, operands);
                    }
                    c.leave(outer);
                }
                case OPERAND -> operand(c.varint(), numbers, places, operands);
                case GROUP -> groups.add(HloGroups.group(c));
                case DEVICES -> groups.addAll(HloGroups.list(c));
                default -> c.skipField(tag);
            }
        }
        return new Instruction(opcode, operands, shape, target, operator, source, groups);
    }

    private ProtoCursor at(long place) {
        ProtoCursor c = new ProtoCursor();
        c.set(hlo, (int) (place >>> 32), (int) place);
        return c;
    }

    private void operand(long id, LongIntMap numbers, LongList places, List<String> into) throws Damaged {
        int number = numbers.get(id);
        if (number < 0 || into.size() == MOST_OPERANDS) {
            return;
        }
        ProtoCursor c = at(places.get(number));
        String shape = "";
        for (int tag = c.tag(); tag != 0; tag = c.tag()) {
            if (tag == SHAPE) {
                shape = HloShape.read(c);
            } else {
                c.skipField(tag);
            }
        }
        into.add(shape);
    }
}
