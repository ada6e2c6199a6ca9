// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.runs;

import dev.lockstep.analyze.TableNames;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What the folder of reports is called, and the files on matrix multiplications in it.
 *
 * @param folder its name in a run's or a sweep's folder
 * @param variance how names of the files begin that list matrix multiplications whose time varies
 */
public record ReportNames(String folder, String variance) {
    /** The program's own names. */
    public static final ReportNames OWN = new ReportNames("lockstep_reports", TableNames.GEMM_VARIANCE);

    /** The names of AORTA's scripts, under which finished reports are found, too. */
    public static final ReportNames AORTA = new ReportNames("tracelens_analysis", "top5_gemm_kernels_time_variance");

    private static final List<ReportNames> KNOWN = List.of(OWN, AORTA);

    /** Whether a folder is called as folders of reports are, under any of their names. */
    public static boolean areOf(Path folder) {
        String name = String.valueOf(folder.toAbsolutePath().normalize().getFileName());
        return KNOWN.stream().anyMatch(names -> names.folder.equals(name));
    }

    /** The folder in which reports of a run or a sweep are written. */
    public Path in(Path home) {
        return home.resolve(folder);
    }

    /** The folder in which reports of a run or a sweep lie: under this name if there is one, else under another; or where they would lie. */
    public Path existingIn(Path home) {
        if (Files.isDirectory(in(home))) {
            return in(home);
        }
        return KNOWN.stream()
                .map(names -> names.in(home))
                .filter(Files::isDirectory)
                .findFirst()
                .orElse(in(home));
    }

    /** The names that the files on matrix multiplications in a folder of reports have: these, unless there are only others. */
    ReportNames usedIn(Path analysis) {
        if (Files.isRegularFile(analysis.resolve(variance + ".csv"))) {
            return this;
        }
        return KNOWN.stream()
                .filter(names -> Files.isRegularFile(analysis.resolve(names.variance + ".csv")))
                .findFirst()
                .orElse(this);
    }
}
