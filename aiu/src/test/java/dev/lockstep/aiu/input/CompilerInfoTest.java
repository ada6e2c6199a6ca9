// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.input;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.aiu.pipeline.AiuLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompilerInfoTest {
    @TempDir
    Path folder;

    private final List<String> said = new ArrayList<>();

    private CompilerInfo read(String log) throws IOException {
        return read(Files.writeString(folder.resolve("c.log"), log));
    }

    private CompilerInfo read(Path path) {
        return CompilerInfo.read(path.toString(), new AiuLog(AiuLog.Level.INFO, (level, line) -> said.add(line)));
    }

    @Test
    void tablesHaveThePhaseThatWasSaidLast() throws IOException {
        CompilerInfo info = read("""
                 PREFILL\s
                [x] Ideal/Total Cycles [x]
                mm_1-opCatBmm   40000
                add_2-NA          500
                plain_3            70
                mm_1-LxPreload     9
                Precompute_1       8
                not a row
                ====== Perf Summary End ======
                outside_4         60
                 DECODING\s
                [x] Ideal/Total Cycles [x]
                mm_1-opCatBmm     300
                ====== Perf Summary End ======
                """);

        IdealTable first = info.tables().get(0);
        assertThat(info.tables()).hasSize(2);
        assertThat(info.found()).isEqualTo(2);
        assertThat(info.isAutopilot()).isFalse();
        assertThat(first.phase()).isEqualTo("TTFT");
        assertThat(info.tables().get(1).phase()).isEqualTo("ITL");
        assertThat(first.rows()).isEqualTo(3);
        assertThat(first.totalCycles()).isEqualTo(40570);
        assertThat(first.cycles("mm_1 Cmpt Exec")).isEqualTo(40000);
        assertThat(first.cycles("outside_4 Cmpt Exec")).isZero();
        assertThat(first.category("mm_1 Cmpt Exec")).isEqualTo("Bmm");
        assertThat(first.category("add_2 Cmpt Exec")).isEqualTo("NotAvailable");
        assertThat(first.category("plain_3 Cmpt Exec")).isEqualTo("Total");
        assertThat(first.category("unheard")).isEqualTo("other");
        assertThat(first.has("add_2 Cmpt Exec")).isTrue();
        assertThat(first.has("unheard")).isFalse();
        assertThat(first.categories()).containsExactly("other", "Bmm", "NotAvailable", "Total");
        assertThat(first.sequence()).containsExactly("mm_1 Cmpt Exec", "add_2 Cmpt Exec", "plain_3 Cmpt Exec");
        assertThat(said)
                .containsExactly(
                        "UTL: Adding ideal cycles table (TTFT) with 3 rows",
                        "UTL: Adding ideal cycles table (ITL) with 1 rows");
    }

    @Test
    void aTableThatWasSeenBeforeCountsOnce() throws IOException {
        String table = "x Ideal/Total Cycles x\nmm_1  40\n====== Perf Summary End ======\n";

        CompilerInfo info = read(table + table + table.replace("40", "41") + table.replace("mm_", "nn_"));

        assertThat(info.found()).isEqualTo(4);
        assertThat(info.tables()).hasSize(3);
        assertThat(said).anyMatch(line -> line.contains("Fingerprint of current table already exists"));
    }

    @Test
    void rowsThatContradictEachOtherAreSaidAndTheFirstOneCounts() throws IOException {
        CompilerInfo info = read("""
                x Ideal/Total Cycles x
                mm_1-opCatBmm   40
                mm_1-opCatBmm   50
                mm_1-opCatStcdp 40
                mm_1-opCatBmm   40
                ====== Perf Summary End ======
                """);

        assertThat(info.tables().get(0).cycles("mm_1 Cmpt Exec")).isEqualTo(40);
        assertThat(info.tables().get(0).category("mm_1 Cmpt Exec")).isEqualTo("Bmm");
        assertThat(info.tables().get(0).totalCycles()).isEqualTo(170);
        assertThat(said)
                .containsExactly(
                        "UTL: Kernel already has an entry with different cycle count: mm_1 Cmpt Exec 50 40",
                        "UTL: Kernel->Category map already has an entry with different category: mm_1 Cmpt Exec Stcdp Bmm",
                        "UTL: Adding ideal cycles table (UNKN) with 4 rows");
    }

    @Test
    void autopilotAndObsoleteSettingsAreSaidOnce() throws IOException {
        CompilerInfo info = read("DSM-AutoPilot BEGIN\nDSM-AutoPilot BEGIN\nIdeal Clock Scaling: 0.5\n");

        assertThat(info.isAutopilot()).isTrue();
        assertThat(said).hasSize(2).anyMatch(line -> line.contains("obsolete 'Ideal Cycle Scaling'"));
    }

    @Test
    void aFolderHasAFileForEachKernel() throws IOException {
        Path base = folder.resolve("inductor-spyre");
        kernel(base, "mm_1", "[{\"ideal_cycles\":40000.0,\"op_category\":\"Bmm\",\"more\":[1]},{\"ideal_cycles\":5}]");
        kernel(base, "add_2", "[{\"op_category\":\"Add\",\"ideal_cycles\":12}]");
        kernel(base, "none_3", "{}");
        Files.createDirectories(base.resolve("empty"));

        CompilerInfo info = read(folder);

        assertThat(info.found()).isEqualTo(1);
        IdealTable table = info.tables().get(0);
        assertThat(table.sequence()).containsExactly("add_2 Cmpt Exec", "mm_1 Cmpt Exec", "mm_1 Cmpt Exec");
        assertThat(table.cycles("mm_1 Cmpt Exec")).isEqualTo(40000);
        assertThat(table.totalCycles()).isEqualTo(40017);
        assertThat(table.category("add_2 Cmpt Exec")).isEqualTo("Add");
    }

    private static void kernel(Path base, String name, String json) throws IOException {
        Files.writeString(
                Files.createDirectories(base.resolve(name).resolve("perf")).resolve("ideal_cycles.json"), json);
    }

    @Test
    void whatCannotBeReadIsSaid() {
        assertThat(read(folder.resolve("none.log")).tables()).isEmpty();
        assertThat(said).singleElement().asString().startsWith("UTL: Unable to open/parse log file.");
    }

    @Test
    void onlyTheFirstFiveHundredRowsTellTablesApart() {
        IdealTable table = new IdealTable("UNKN");
        for (int i = 0; i < 501; i++) {
            table.add("k" + i, "c", 0);
        }

        assertThat(table.sequence()).hasSize(500).endsWith("k499");
        assertThat(table.rows()).isEqualTo(501);
        assertThat(table.cycles("k1")).isZero();
    }
}
