// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

import dev.lockstep.table.ByteList;
import dev.lockstep.table.IntList;
import dev.lockstep.table.StringPool;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names of ranges in which PyTorch marks its operators ({@code emit_nvtx}): it writes numbers of the call behind the name. In a trace
 * slices have the name alone, so that all calls share it; {@link Trace#recordedName} is what the file says.
 */
public final class RangeNames {
    /** The key under which a trace holds names as the file has them, where they differ. */
    static final TableKey<RangeNames> KEY = new TableKey<>("range_names", RangeNames.class, 1, 0, RangeNames::new);

    private static final int RECORDED = 0;
    private static final int UNKNOWN = -2;
    private static final String ALWAYS_THERE = " = ";

    private static final Pattern NUMBERS = Pattern.compile(", (?:(?:seq|op_id) = \\d|(?:sizes|input_op_ids) = \\[)");

    private final DetailTable table;

    private RangeNames(DetailTable table) {
        this.table = table;
    }

    /**
     * {@return the name alone, which all calls share}
     *
     * @param text of a range, as it was recorded
     */
    public static String plain(String text) {
        Matcher numbers = text.contains(ALWAYS_THERE) ? NUMBERS.matcher(text) : null;
        return numbers != null && numbers.find() && numbers.start() > 0 ? text.substring(0, numbers.start()) : text;
    }

    /** Gives ranges and operators the names alone, and keeps in the table what the file says. */
    static void makePlain(TraceBuilder builder, StringPool strings, IntList names, ByteList kinds) {
        int[] plain = new int[strings.size()];
        Arrays.fill(plain, UNKNOWN);
        for (int i = 0; i < names.size(); i++) {
            int name = names.get(i);
            if (!isRange(SliceKind.of(kinds.get(i)))) {
                continue;
            }
            if (plain[name] == UNKNOWN) {
                String text = strings.get(name);
                String alone = plain(text);
                plain[name] = alone.length() == text.length() ? name : strings.intern(alone);
            }
            if (plain[name] != name) {
                names.set(i, plain[name]);
                keep(builder, i, name);
            }
        }
    }

    /** States what the file calls a slice that has another name in the trace. */
    static void keep(TraceBuilder builder, int slice, int recorded) {
        DetailRows rows = builder.details(KEY);
        rows.add(slice);
        rows.text(RECORDED, recorded);
    }

    private static boolean isRange(SliceKind kind) {
        return switch (kind) {
            case ANNOTATION, CPU_OP, HOST_OTHER, DEVICE_ANNOTATION -> true;
            default -> false;
        };
    }

    /** The pool id of the name of a slice as the file has it, -1 where the slice has that name. */
    int of(int slice) {
        int row = table.of(slice);
        return row < 0 ? -1 : table.text(RECORDED, row);
    }
}
