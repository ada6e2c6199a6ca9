// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import dev.lockstep.codec.JsonCursor;
import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.LongList;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What hardware counted: in a kernel, at the moment when it starts, or at the moment of a sample. Units that count for themselves
 * are added up.
 */
final class RocpdCounters {
    private static final String VALUES = "pmc_event";
    private static final String NAMES = "info_pmc";
    private static final String CATEGORY = "pmc";

    private final RocpdTables tables;
    private final boolean any;
    private final LongIntMap momentOf = new LongIntMap(16);
    private final LongList times = new LongList(16);
    private final LongList devices = new LongList(16);
    private final List<RocmProcess> processes = new ArrayList<>();

    RocpdCounters(RocpdTables tables) throws IOException {
        this.tables = tables;
        this.any = tables.has(NAMES) && tables.any(VALUES);
    }

    /** Whether anything was counted, so that moments must be known. */
    boolean any() {
        return any;
    }

    /** States when and where the event of this number was. */
    void moment(long event, long at, RocmProcess process, long device) {
        if (any && event >= 0 && at >= 0 && at < JsonCursor.LATEST_NS) {
            momentOf.put(event, processes.size());
            times.add(at);
            devices.add(device);
            processes.add(process);
        }
    }

    /** Adds what was counted; all moments must be known. */
    void read() throws IOException {
        if (!any) {
            return;
        }
        Map<Long, String> names = names();
        Map<String, BigDecimal> sums = new LinkedHashMap<>();
        long current = -1;
        try (SqliteRows rows = tables.rows(VALUES, "event_id", "pmc_id", "value")) {
            while (rows.next()) {
                long event = rows.number(0, -1);
                if (event != current) {
                    write(current, sums);
                    current = event;
                }
                String name = names.get(rows.number(1, -1));
                @Nullable String value = rows.text(2);
                if (name != null && value != null && JsonCursor.isNumber(value)) {
                    sums.merge(name, new BigDecimal(value), BigDecimal::add);
                }
            }
        }
        write(current, sums);
    }

    private Map<Long, String> names() throws IOException {
        Map<Long, String> names = new HashMap<>();
        try (SqliteRows rows = tables.rows(NAMES, "id", "name", "symbol")) {
            while (rows.next()) {
                String symbol = rows.text(2);
                String name = symbol == null || symbol.isEmpty() ? rows.text(1) : symbol;
                if (name != null) {
                    names.put(rows.number(0, -1), name);
                }
            }
        }
        return names;
    }

    private void write(long event, Map<String, BigDecimal> sums) {
        int moment = sums.isEmpty() ? -1 : momentOf.get(event);
        if (moment >= 0) {
            RowsOfRank rows = processes.get(moment).rows();
            int track = rows.counters(devices.get(moment), "Counters");
            sums.forEach((name, value) -> rows.counter(
                    track,
                    times.get(moment),
                    name,
                    CATEGORY,
                    value.stripTrailingZeros().toPlainString()));
        }
        sums.clear();
    }
}
