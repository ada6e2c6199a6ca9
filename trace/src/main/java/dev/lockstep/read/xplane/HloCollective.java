// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.xplane;

import dev.lockstep.model.CollectiveDetails;
import dev.lockstep.model.DetailRows;
import dev.lockstep.table.StringPool;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a collective instruction says of every time that it runs.
 *
 * @param name as in {@code all_reduce}
 * @param type of its elements as frameworks call it, null where it is not known
 * @param elements that each device puts in, -1 where they are not known
 * @param groups of devices by their numbers in the program
 */
record HloCollective(String name, @Nullable String type, long elements, List<long[]> groups) {
    private static final Pattern OPCODE = Pattern.compile(
            "(all-reduce|all-gather|reduce-scatter|all-to-all|ragged-all-to-all|collective-permute|collective-broadcast)"
                    + "(?:-start|-done)?");
    private static final Pattern ARRAY = Pattern.compile("^(\\w++)\\[([\\d,]*+)\\].*");

    private static final Map<String, String> TYPES = Map.ofEntries(
            Map.entry("pred", "Bool"),
            Map.entry("s8", "Char"),
            Map.entry("u8", "Byte"),
            Map.entry("s16", "Short"),
            Map.entry("s32", "Int"),
            Map.entry("u32", "UInt32"),
            Map.entry("s64", "Long"),
            Map.entry("u64", "UInt64"),
            Map.entry("f16", "Half"),
            Map.entry("bf16", "BFloat16"),
            Map.entry("f32", "Float"),
            Map.entry("f64", "Double"),
            Map.entry("f8e4m3fn", "Float8_e4m3fn"),
            Map.entry("f8e5m2", "Float8_e5m2"));

    /** What the instruction says; null where it is no collective. */
    static @Nullable HloCollective of(HloModule.Instruction instruction) {
        Matcher opcode = OPCODE.matcher(instruction.opcode());
        if (!opcode.matches()) {
            return null;
        }
        String type = null;
        long elements = 0;
        for (String operand : instruction.operands()) {
            Matcher array = ARRAY.matcher(operand);
            long[] dimensions = HloShape.dimensions(operand);
            if (!array.matches() || dimensions == null) {
                elements = -1;
                break;
            }
            type = TYPES.get(array.group(1));
            elements += Math.max(0, HloShape.product(dimensions)); // too many count as none
        }
        return new HloCollective(
                opcode.group(1).replace('-', '_'), type, elements > 0 ? elements : -1, instruction.groups());
    }

    /**
     * Adds the row of an activity.
     *
     * @param number of the device in the program; -1 where it is not known
     */
    void say(DetailRows rows, int slice, int number, StringPool strings) {
        rows.add(slice);
        rows.text(CollectiveDetails.COLLECTIVE, strings.intern(name));
        if (type != null) {
            rows.text(CollectiveDetails.DTYPE, strings.intern(type));
        }
        rows.number(CollectiveDetails.IN_ELEMENTS, elements);
        long[] own = groups.size() == 1 ? groups.getFirst() : null;
        for (long[] group : groups) {
            own = number >= 0 && Arrays.stream(group).anyMatch(member -> member == number) ? group : own;
        }
        if (own != null && own.length > 0) {
            rows.number(CollectiveDetails.GROUP_SIZE, own.length);
            rows.text(CollectiveDetails.GROUP_RANKS, strings.intern(Arrays.toString(own)));
        } else if (!groups.isEmpty()) {
            rows.number(CollectiveDetails.GROUP_SIZE, groups.getFirst().length);
        }
    }
}
