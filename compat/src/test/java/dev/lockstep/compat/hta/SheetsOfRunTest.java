// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.hta;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows of ranks become rows of their run. */
class SheetsOfRunTest {
    @TempDir
    private Path folder;

    private void of(int rank, String sheet, String... lines) throws IOException {
        Path own = Files.createDirectories(folder.resolve("rank" + rank));
        Files.writeString(own.resolve(sheet + ".csv"), String.join("\n", lines) + "\n");
    }

    private Path joined(int... ranks) throws IOException {
        TreeMap<Integer, Path> folders = new TreeMap<>();
        for (int rank : ranks) {
            folders.put(rank, folder.resolve("rank" + rank));
        }
        Path run = Files.createDirectory(folder.resolve("run"));
        new SheetsOfRun(folders, run).write();
        return run;
    }

    @Test
    void countersThatOnlySomeRanksHaveAreMissingInTheOthers() throws IOException {
        of(0, "hta_cupti_counters", "rank,order,kernel,a,\"b,c\",op_stack", "0,0,k,1,2,\"[\"\"x\"\"]\"");
        of(7, "hta_cupti_counters", "rank,order,kernel,\"b,c\",d,op_stack", "7,0,\"k\nl\",3,4,[]");

        assertThat(joined(7, 0).resolve("hta_cupti_counters.csv")).hasContent("""
            rank,order,kernel,a,"b,c",op_stack,d
            0,0,k,1,2,"[""x""]",
            7,0,"k
            l",,3,[],4\
            """);
    }

    @Test
    void kindsAreAddedUpExactly() throws IOException {
        String head = String.join(",", KernelTypeBreakdown.HEAD);
        of(0, "hta_kernel_type_breakdown", head, "COMPUTATION,0.004,50", "MEMORY,0.004,50");
        of(1, "hta_kernel_type_breakdown", head);
        of(2, "hta_kernel_type_breakdown", head, "MEMORY,0.008,100");

        assertThat(joined(0, 1, 2).resolve("hta_kernel_type_breakdown.csv"))
                .hasContent(head + "\nMEMORY,0.012,75\nCOMPUTATION,0.004,25");
    }

    @Test
    void aSheetIsWithoutRowsWhereAllRanksAre() throws IOException {
        of(0, "hta_not_applicable", "sheet,reason", "hta_a,nothing is there", "hta_b,no such thing");
        of(1, "hta_not_applicable", "sheet,reason", "hta_b,\"no device, none\"");
        Map<Integer, String> rows = Map.of(0, "0,1", 1, "1,2");
        for (Map.Entry<Integer, String> row : rows.entrySet()) {
            of(row.getKey(), "hta_a", "rank,x", row.getValue());
        }

        Path run = joined(0, 1);
        assertThat(run.resolve("hta_not_applicable.csv"))
                .hasContent("sheet,reason\nhta_b,\"no device, none; no such thing\"");
        assertThat(run.resolve("hta_a.csv")).hasContent("rank,x\n0,1\n1,2");
    }
}
