// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.xplane;

import dev.lockstep.codec.JsonOut;
import dev.lockstep.codec.ProtoCursor.Damaged;
import dev.lockstep.model.CollectiveDetails;
import dev.lockstep.model.DetailRows;
import dev.lockstep.model.Diagnostics.Weight;
import dev.lockstep.model.TraceBuilder;
import dev.lockstep.model.XlaDetails;
import dev.lockstep.read.XlaTracks;
import dev.lockstep.table.IntList;
import dev.lockstep.table.StringPool;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The compiled programs of a file, as they stand in it, until it is known which of their instructions ran. */
final class HloPrograms {
    /**
     * A program.
     *
     * @param name of its module, without its number
     * @param id its number, -1 when it states none
     */
    @SuppressWarnings("ArrayRecordComponent") // handed on as it is
    private record Program(String name, long id, byte[] hlo) {}

    /** What slices say of the program that they belong to. */
    private record Key(int module, long id) {}

    /**
     * The recording whose slices programs say something of.
     *
     * @param devices numbers of all devices, ascending
     * @param deviceOfTrack by track: the number of its device, -1 for none
     */
    @SuppressWarnings("ArrayRecordComponent") // handed on as it is
    private record Recording(TraceBuilder builder, List<Long> devices, long[] deviceOfTrack) {}

    private static final String GRAPH = "command_buffer";
    private static final String DESCRIPTOR = ".kd";

    private final List<Program> programs = new ArrayList<>();

    /**
     * Adds a program.
     *
     * @param title name of its module and its number, as in {@code jit_f(15)}
     * @param id -1 where only the title has it
     * @param hlo an {@code xla.HloProto}
     */
    void add(String title, long id, byte[] hlo) {
        int open = title.endsWith(")") ? title.lastIndexOf('(') : -1;
        String inside = open < 0 ? "" : title.substring(open + 1, title.length() - 1);
        long inTitle = inside.matches("\\d{1,18}") ? Long.parseLong(inside) : -1;
        programs.add(new Program(inTitle < 0 ? title : title.substring(0, open), id < 0 ? inTitle : id, hlo));
    }

    /**
     * Says of all slices that name an instruction what the program says of it.
     *
     * @param devices numbers of all devices of the file, in any order
     */
    void resolve(TraceBuilder builder, List<Long> devices) {
        if (programs.isEmpty()) {
            return;
        }
        DetailRows rows = builder.details(XlaDetails.KEY);
        Map<Key, Map<String, IntList>> wanted = new HashMap<>();
        for (int row = 0; row < rows.size(); row++) {
            int instruction = rows.textOf(XlaDetails.INSTRUCTION, row);
            if (instruction >= 0) {
                Key key = new Key(rows.textOf(XlaDetails.MODULE, row), rows.numberOf(XlaDetails.PROGRAM, row));
                wanted.computeIfAbsent(key, k -> new HashMap<>())
                        .computeIfAbsent(sought(builder, rows.slice(row), instruction), i -> new IntList(16))
                        .add(row);
            }
        }
        List<Long> inOrder = devices.stream().sorted().toList();
        Recording recording = new Recording(builder, inOrder, XlaTracks.devices(builder.trackList()));
        wanted.forEach((key, instructions) -> {
            Program program = program(key, builder.strings());
            if (program != null) {
                resolve(program, instructions, recording);
            }
        });
    }

    /** What launches a graph stands for all of its kernels, which have the names of their instructions. */
    private static String sought(TraceBuilder builder, int slice, int instruction) {
        String name = builder.strings().get(instruction);
        if (!name.startsWith(GRAPH)) {
            return name;
        }
        String kernel = builder.strings().get(builder.name(slice));
        int end = kernel.length() - (kernel.endsWith(DESCRIPTOR) ? DESCRIPTOR.length() : 0);
        return HloModule.KERNEL + kernel.substring(0, end);
    }

    private @Nullable Program program(Key key, StringPool strings) {
        String name = strings.orNull(key.module);
        Program found = null;
        for (Program program : programs) {
            if (key.id >= 0 && program.id == key.id && (name == null || name.equals(program.name))) {
                return program;
            }
            found = program.name.equals(name) ? program : found;
        }
        return key.id >= 0 ? null : found;
    }

    private static void resolve(Program program, Map<String, IntList> instructions, Recording recording) {
        try {
            new HloModule(program.hlo).find(instructions.keySet(), (name, instruction) -> {
                IntList rows = instructions.get(name);
                if (rows != null) {
                    say(instruction, rows, recording);
                }
            });
        } catch (Damaged e) {
            recording
                    .builder
                    .diagnostics()
                    .add(Weight.OBSERVATION, "damaged_program", "a compiled program cannot be read", -1);
        }
    }

    private static void say(HloModule.Instruction instruction, IntList of, Recording recording) {
        TraceBuilder builder = recording.builder;
        DetailRows rows = builder.details(XlaDetails.KEY);
        StringPool strings = builder.strings();
        int operands = strings.intern(JsonOut.line(instruction.operands()));
        int shape = strings.intern(instruction.shape());
        int target = word(instruction.target(), strings);
        int source = word(instruction.source(), strings);
        int operator = word(instruction.operator(), strings);
        int category = word(instruction.opcode(), strings);
        int name = word(instruction.name(), strings);
        for (int i = 0; i < of.size(); i++) {
            int row = of.get(i);
            rows.setText(XlaDetails.INSTRUCTION, row, name);
            rows.setText(XlaDetails.OPERANDS, row, operands);
            rows.setText(XlaDetails.SHAPE, row, shape);
            rows.setText(XlaDetails.TARGET, row, target);
            rows.setText(XlaDetails.SOURCE, row, source);
            if (operator >= 0) {
                rows.setText(XlaDetails.OPERATOR, row, operator);
            }
            if (rows.textOf(XlaDetails.CATEGORY, row) < 0) {
                rows.setText(XlaDetails.CATEGORY, row, category);
            }
            if (rows.numberOf(XlaDetails.FLOPS, row) < 0) {
                rows.setNumber(XlaDetails.FLOPS, row, instruction.flops());
            }
            if (rows.numberOf(XlaDetails.BYTES, row) < 0) {
                rows.setNumber(XlaDetails.BYTES, row, instruction.bytes());
            }
        }
        HloCollective collective = HloCollective.of(instruction);
        if (collective != null) {
            collective(collective, of, recording);
        }
    }

    /** A device has the number in the program that is its place among the devices, where the program runs on these alone. */
    private static void collective(HloCollective collective, IntList of, Recording recording) {
        TraceBuilder builder = recording.builder;
        int members =
                collective.groups().stream().mapToInt(group -> group.length).sum();
        for (int i = 0; i < of.size(); i++) {
            int slice = builder.details(XlaDetails.KEY).slice(of.get(i));
            long device = recording.deviceOfTrack[builder.trackOf(slice)];
            if (device >= 0) {
                int number = members == recording.devices.size() ? recording.devices.indexOf(device) : -1;
                collective.say(builder.details(CollectiveDetails.KEY), slice, number, builder.strings());
            }
        }
    }

    private static int word(@Nullable String text, StringPool strings) {
        return text == null || text.isEmpty() ? -1 : strings.intern(text);
    }
}
