// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.output;

import dev.lockstep.aiu.input.IdealTable;
import dev.lockstep.aiu.pipeline.AiuLog;
import dev.lockstep.aiu.pipeline.AiuOption;
import dev.lockstep.aiu.pipeline.AiuOptions;
import dev.lockstep.aiu.pipeline.DeviceTimes;
import dev.lockstep.aiu.pipeline.Rounding;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Kernels by category in cycles, as acelyzer's table was before it counted time: cycles of the counters from TS3 to TS4, and
 * the compiler's ideal ones. All ranks stand in one file.
 */
public final class CycleTable {
    private static final List<String> HEAD = List.of(
            "Pid", "Category", "Cycles", "Frac_Cycle", "Calls", "Cycles(core)", "Ideal_Cyc", "Frac_Ideal", "PT_Util");
    private static final String TOTAL = "Total";
    private static final int EXEC_BEGIN = 2;

    private static final class Sum {
        long cycles;
        long ideal;
        long calls;

        void add(long counted, long idealCycles) {
            cycles += counted;
            ideal += idealCycles;
            calls++;
        }
    }

    private final AiuOptions options;
    private final Output output;
    private final Map<Long, Map<String, Sum>> sums = new TreeMap<>();

    public CycleTable(AiuOptions options, Output output) {
        this.options = options;
        this.output = output;
    }

    /** Takes a kernel. */
    public void add(long pid, IdealTable table, String kernel, DeviceTimes times) {
        Map<String, Sum> categories = sums.computeIfAbsent(pid, p -> new HashMap<>());
        long cycles = times.cycles[EXEC_BEGIN + 1] - times.cycles[EXEC_BEGIN];
        long ideal = table.cycles(kernel);
        String category = table.category(kernel);
        Sum total = categories.computeIfAbsent(TOTAL, name -> new Sum());
        Sum own = categories.computeIfAbsent(category, name -> new Sum());
        total.add(cycles, ideal);
        if (own != total) {
            own.add(cycles, ideal);
        }
    }

    /** Writes the table when there is anything in it. */
    public void write(AiuLog log) throws IOException {
        if (sums.isEmpty()) {
            return;
        }
        PandasTable table = new PandasTable(HEAD, true);
        sums.forEach((pid, categories) -> {
            Sum total = categories.getOrDefault(TOTAL, new Sum());
            List<String> names = new ArrayList<>(categories.keySet());
            names.sort(Comparator.comparing((String name) -> name.equals(TOTAL))
                    .thenComparingLong(name -> categories.getOrDefault(name, total).cycles)
                    .thenComparing(Comparator.naturalOrder()));
            names.forEach(name -> table.add(cells(pid, name, categories.getOrDefault(name, total), total)));
        });
        String csv = SideFiles.name(options.target(), "categories_cycles", "csv");
        String text = SideFiles.name(options.target(), "categories_cycles", "txt");
        NamedFiles.write(output.file(Path.of(csv)), table.csv());
        NamedFiles.write(output.file(Path.of(text)), table.text() + "\n");
        log.info("UTL: category table(s) in cycles created as CSV: " + csv);
        log.info("UTL: category table(s) in cycles created as TXT: " + text);
    }

    private List<Object> cells(long pid, String category, Sum sum, Sum total) {
        long core = (long) (sum.cycles * options.get(AiuOption.CORE_MHZ) / options.get(AiuOption.SOC_MHZ));
        return List.of(
                pid,
                category,
                sum.cycles,
                ratio(sum.cycles, total.cycles),
                sum.calls,
                core,
                sum.ideal,
                ratio(sum.ideal, total.ideal),
                ratio(sum.ideal, core));
    }

    private static double ratio(long part, long whole) {
        return whole == 0 ? 0 : Rounding.of((double) part / whole, 4);
    }
}
