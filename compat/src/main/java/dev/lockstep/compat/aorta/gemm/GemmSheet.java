// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.aorta.gemm;

import dev.lockstep.write.Numbers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The rows that AORTA takes from the sheet {@code GEMM} of a report. Columns are sought where the layout for ROCm has them,
 * and a sheet with others there is refused; rows without a name in single quotes or without times are passed over.
 */
public final class GemmSheet {
    /** The sheet's name. */
    public static final String NAME = "GEMM";

    private static final int KERNELS = 23;
    private static final int MIN = 32;
    private static final int MAX = 33;
    private static final Map<Integer, String> EXPECTED = Map.of(
            KERNELS, "kernel_details__summarize_kernel_stats",
            MIN, "Kernel Time (µs)_min",
            MAX, "Kernel Time (µs)_max");
    private static final Pattern KERNEL_NAME = Pattern.compile("'name':\\s*'([^']+)'");
    private static final Pattern FLOAT = Pattern.compile("[+-]?(?:\\d++(?:\\.\\d*+)?|\\.\\d+)(?:[eE][+-]?\\d+)?");

    /**
     * An operator with its arguments.
     *
     * @param kernel name of the first kernel
     * @param min shortest time as the sheet spells it
     * @param max longest time likewise
     * @param difference longest less shortest
     * @param cells all cells by the heads of their columns
     */
    record Row(String kernel, String min, String max, double difference, Map<String, String> cells) {}

    private final List<Row> rows = new ArrayList<>();
    private @Nullable List<String> head;
    private @Nullable String refusal;

    /** Takes the next row of the sheet; the first is the head. */
    public void row(List<String> cells) {
        if (head == null) {
            head = List.copyOf(cells);
            refusal = refusal(head);
        } else if (refusal == null) {
            add(head, cells);
        }
    }

    /** Why the sheet is refused, or null. */
    public @Nullable String refusal() {
        return head == null ? "the sheet is empty" : refusal;
    }

    List<Row> rows() {
        return rows;
    }

    private static @Nullable String refusal(List<String> head) {
        List<String> wrong = new ArrayList<>();
        EXPECTED.entrySet().stream().sorted(Map.Entry.comparingByKey()).forEach(column -> {
            String found = column.getKey() < head.size() ? head.get(column.getKey()) : "nothing";
            if (!found.equals(column.getValue())) {
                wrong.add("'" + column.getValue() + "' in column " + (column.getKey() + 1) + ", found " + found);
            }
        });
        return wrong.isEmpty() ? null : "expected " + String.join("; ", wrong);
    }

    private void add(List<String> names, List<String> cells) {
        String kernel = kernel(at(cells, KERNELS));
        String min = at(cells, MIN);
        String max = at(cells, MAX);
        if (kernel == null || !isFloat(min) || !isFloat(max)) {
            return;
        }
        Map<String, String> byName = new LinkedHashMap<>();
        for (int i = 0; i < names.size(); i++) {
            if (!names.get(i).isEmpty()) {
                byName.put(names.get(i), spelled(at(cells, i)));
            }
        }
        double difference = Double.parseDouble(max) - Double.parseDouble(min);
        rows.add(new Row(kernel, spelled(min), spelled(max), difference, byName));
    }

    private static @Nullable String kernel(String details) {
        Matcher matcher = KERNEL_NAME.matcher(details);
        return matcher.find() ? matcher.group(1) : null;
    }

    private static String at(List<String> cells, int place) {
        return place < cells.size() ? cells.get(place) : "";
    }

    private static boolean isFloat(String cell) {
        return FLOAT.matcher(cell).matches();
    }

    /** As Python prints what it reads from a cell. */
    private static String spelled(String cell) {
        return switch (cell) {
            case "true" -> "True";
            case "false" -> "False";
            default -> isFraction(cell) ? Numbers.python(Double.parseDouble(cell)) : cell;
        };
    }

    private static boolean isFraction(String cell) {
        return isFloat(cell) && (cell.indexOf('.') >= 0 || cell.indexOf('e') >= 0 || cell.indexOf('E') >= 0);
    }
}
