// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.output;

import dev.lockstep.aiu.input.IdealTable;
import dev.lockstep.aiu.output.PageTables.CategoryRow;
import dev.lockstep.aiu.pipeline.AiuLog;
import dev.lockstep.aiu.pipeline.AiuOption;
import dev.lockstep.aiu.pipeline.AiuOptions;
import dev.lockstep.aiu.pipeline.AiuRules.Addition;
import dev.lockstep.aiu.pipeline.Rounding;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Time of kernels by category: measured, and what it would be at the full rate of the device. */
public final class CategoryTable {
    private static final List<String> HEAD = List.of(
            "Pid",
            "Phase",
            "Category",
            "Kernel_Time",
            "Frac_Time",
            "Calls",
            "Ideal_Time",
            "Ideal_Cyc",
            "Frac_Ideal",
            "PT_Util");
    private static final String TOTAL = "Total";

    private record Key(long pid, IdealTable table) {}

    private static final class Sum {
        double time;
        double ideal;
        long calls;

        void add(double us, double idealUs) {
            time += us;
            ideal += idealUs;
            calls++;
        }
    }

    private final AiuOptions options;
    private final Output output;
    private final PageTables page;
    private final Map<Key, Map<String, Sum>> sums = new LinkedHashMap<>();

    /** @param page takes the rows, too */
    public CategoryTable(AiuOptions options, Output output, PageTables page) {
        this.page = page;
        this.options = options;
        this.output = output;
    }

    /** Takes a kernel; returns its category. An ideal time above the measured one does not count. */
    public String add(long pid, IdealTable table, String kernel, double idealUs, double us) {
        Map<String, Sum> categories = sums.computeIfAbsent(new Key(pid, table), CategoryTable::empty);
        String category = table.category(kernel);
        double counted = idealUs > us ? 0 : idealUs;
        Sum total = categories.computeIfAbsent(TOTAL, name -> new Sum());
        Sum own = categories.computeIfAbsent(category, name -> new Sum());
        own.add(us, counted);
        if (own != total || options.rules().tables().countsTotalTwice()) {
            total.add(us, counted);
        }
        return category;
    }

    private static Map<String, Sum> empty(Key key) {
        Map<String, Sum> categories = new LinkedHashMap<>();
        categories.put(TOTAL, new Sum());
        categories.put("StcdpHbm", new Sum());
        for (String category : key.table.categories()) {
            categories.putIfAbsent(category, new Sum());
        }
        return categories;
    }

    /** Writes the table when there is anything in it. */
    public void write(AiuLog log) throws IOException {
        if (sums.isEmpty()) {
            return;
        }
        List<CategoryRow> rows = page.categories;
        sums.forEach((key, categories) -> {
            Sum total = categories.getOrDefault(TOTAL, new Sum());
            categories.forEach((name, sum) -> rows.add(row(key, name, sum, total)));
        });
        rows.sort(Comparator.comparingLong(CategoryRow::pid)
                .thenComparing(CategoryRow::phase)
                .thenComparingDouble(CategoryRow::us));
        PandasTable table = new PandasTable(HEAD, options.rules().result().has(Addition.ALL_DIGITS));
        rows.forEach(row -> table.add(cells(row)));
        String csv = SideFiles.name(options.target(), "categories", "csv");
        String text = SideFiles.name(options.target(), "categories", "txt");
        NamedFiles.write(output.file(Path.of(csv)), table.csv());
        NamedFiles.write(output.file(Path.of(text)), table.text() + "\n");
        log.info("UTL: category table(s) created as CSV: " + csv);
        log.info("UTL: category table(s) created as TXT: " + text);
    }

    private CategoryRow row(Key key, String category, Sum sum, Sum total) {
        return new CategoryRow(
                key.pid,
                key.table.phase(),
                category,
                sum.time,
                ratio(sum.time, total.time),
                sum.calls,
                Rounding.of(sum.ideal, 4),
                idealCycles(sum),
                ratio(sum.ideal, total.ideal),
                ratio(sum.ideal, sum.time));
    }

    private long idealCycles(Sum sum) {
        double mhz = options.get(AiuOption.CORE_MHZ);
        return options.rules().tables().cutsCycles() ? (long) (sum.ideal / (1 / mhz)) : Math.round(sum.ideal * mhz);
    }

    private static List<Object> cells(CategoryRow row) {
        return List.of(
                row.pid(),
                row.phase(),
                row.category(),
                row.us(),
                row.share(),
                row.calls(),
                row.idealUs(),
                row.idealCycles(),
                row.idealShare(),
                row.utilization());
    }

    private static double ratio(double part, double whole) {
        return Math.abs(whole) <= 1e-9 ? 0 : Rounding.of(part / whole, 4);
    }
}
