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
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A compiled program, of which some instructions are wanted. An {@code xla.HloProto}, of which this is read:
 *
 * <pre>
 * HloProto             1 hlo_module
 * HloModuleProto       1 name  3 computations*
 * HloComputationProto  1 name  2 instructions*  5 id
 * HloInstructionProto  1 name  2 opcode  3 shape  7 metadata  28 custom_call_target  35 id  36 operand_ids*
 *                      38 called_computation_ids*  49 replica_groups*  87 collective_device_list
 *                      and what {@link HloWork} reads
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
     * @param flops floating-point operations of products of matrices and convolutions in it; -1 where there are none
     * @param groups of devices that take part, one list each; empty where the instruction names none
     */
    record Instruction(
            String name,
            String opcode,
            List<String> operands,
            String shape,
            @Nullable String target,
            @Nullable String operator,
            @Nullable String source,
            long flops,
            List<long[]> groups) {
        /** Bytes that it reads and writes at least; -1 where they are not known. */
        long bytes() {
            boolean hasRoom = target != null && target.startsWith("__"); // a library's room to work in is no result
            long sum = HloShape.bytes(hasRoom ? HloShape.first(shape) : shape);
            for (String operand : operands) {
                long more = HloShape.bytes(operand);
                sum = sum < 0 || more < 0 || sum + more < 0 ? -1 : sum + more;
            }
            return sum > 0 ? sum : -1;
        }
    }

    /** The instructions of a computation: their places in the program, and by their ids the numbers of these. */
    record Computation(LongIntMap numbers, LongList places) {}

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

    private static final int COMPUTATION_ID = 5 << 3;

    /** In front of a name that a kernel has, in which characters of the instruction's name are replaced. */
    static final String KERNEL = "\0";

    private static final int OPERATOR_NAME = 2 << 3 | 2;
    private static final int SOURCE_FILE = 3 << 3 | 2;
    private static final int SOURCE_LINE = 4 << 3;

    /** A program has no instruction with more. */
    private static final int MOST_OPERANDS = 1 << 14;

    private static final Pattern NO_WORD = Pattern.compile("\\W");

    private final byte[] hlo;
    private final ProtoCursor in = new ProtoCursor();
    private final List<Computation> computations = new ArrayList<>();
    private final LongIntMap computationNumbers = new LongIntMap(16);

    /** @param hlo an {@code xla.HloProto} */
    HloModule(byte[] hlo) {
        this.hlo = hlo;
    }

    /**
     * Passes on the instructions of these names, each once. Behind {@link #KERNEL} stands a kernel's name: that of its
     * instruction with other characters than letters, digits and underscores replaced by underscores.
     */
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
                    computations.add(computation(from, from + length));
                } else {
                    in.skipField(field);
                }
            }
            in.leave(outer);
        }
        boolean kernels = names.stream().anyMatch(name -> name.startsWith(KERNEL));
        for (Computation computation : computations) {
            for (int i = 0; i < computation.places.size(); i++) {
                String name = name(computation.places.get(i));
                String kernel = kernels ? KERNEL + NO_WORD.matcher(name).replaceAll("_") : "";
                if (names.contains(name)) {
                    into.accept(name, instruction(name, computation.places.get(i), computation));
                }
                if (kernels && names.contains(kernel)) {
                    into.accept(kernel, instruction(name, computation.places.get(i), computation));
                }
            }
        }
    }

    private Computation computation(int from, int to) throws Damaged {
        ProtoCursor c = new ProtoCursor();
        c.set(hlo, from, to);
        Computation computation = new Computation(new LongIntMap(64), new LongList(64));
        ProtoCursor one = new ProtoCursor();
        for (int tag = c.tag(); tag != 0; tag = c.tag()) {
            if (tag == COMPUTATION_ID) {
                computationNumbers.put(c.varint(), computations.size());
                continue;
            }
            if (tag != INSTRUCTION) {
                c.skipField(tag);
                continue;
            }
            int length = c.length();
            int begin = c.position();
            c.skip(length);
            one.set(hlo, begin, begin + length);
            for (int field = one.tag(); field != 0; field = one.tag()) {
                if (field == ID) {
                    computation.numbers.put(one.varint(), computation.places.size());
                } else {
                    one.skipField(field);
                }
            }
            computation.places.add((long) begin << 32 | begin + length);
        }
        return computation;
    }

    private String name(long place) throws Damaged {
        ProtoCursor c = at(place);
        String name = "";
        for (int tag = c.tag(); tag != 0; tag = c.tag()) {
            if (tag == NAME) {
                name = c.text();
            } else {
                c.skipField(tag);
            }
        }
        return name;
    }

    /** The computation of this id; null for none. */
    @Nullable
    Computation called(long id) {
        int number = computationNumbers.get(id);
        return number < 0 ? null : computations.get(number);
    }

    private Instruction instruction(String name, long place, Computation computation) throws Damaged {
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
                case OPERANDS, OPERAND -> operands(tag, c, computation, operands);
                case GROUP -> groups.add(HloGroups.group(c));
                case DEVICES -> groups.addAll(HloGroups.list(c));
                default -> c.skipField(tag);
            }
        }
        long flops = new HloWork(this).flops(place, computation, 0);
        return new Instruction(name, opcode, operands, shape, target, operator, source, flops > 0 ? flops : -1, groups);
    }

    /** The message of an instruction. */
    ProtoCursor at(long place) {
        ProtoCursor c = new ProtoCursor();
        c.set(hlo, (int) (place >>> 32), (int) place);
        return c;
    }

    /** Takes one operand, or all where they are packed into one field, and adds their types. */
    void operands(int tag, ProtoCursor in, Computation computation, List<String> into) throws Damaged {
        LongList places = new LongList(16);
        in.numbers(tag, id -> {
            int number = computation.numbers.get(id);
            if (number >= 0 && places.size() < MOST_OPERANDS) {
                places.add(computation.places.get(number));
            }
        });
        for (int i = 0; i < places.size() && into.size() < MOST_OPERANDS; i++) {
            into.add(shape(places.get(i)));
        }
    }

    private String shape(long place) throws Damaged {
        ProtoCursor c = at(place);
        String shape = "";
        for (int tag = c.tag(); tag != 0; tag = c.tag()) {
            if (tag == SHAPE) {
                shape = HloShape.read(c);
            } else {
                c.skipField(tag);
            }
        }
        return shape;
    }
}
