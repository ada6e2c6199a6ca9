// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.analyze.work.ModuleSummary;
import dev.lockstep.analyze.work.ModuleSummary.Kind;
import dev.lockstep.report.Evidence;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Finding.Severity;
import dev.lockstep.words.Words;
import java.util.List;
import java.util.Locale;

/** What is said about modules: the class that takes most of the devices' time, where one takes much. */
final class ModuleFindings {
    private static final double MUCH = 0.10;

    private ModuleFindings() {}

    static List<Finding> of(ModuleSummary.Result modules) {
        if (modules.kinds().isEmpty() || modules.device() == 0) {
            return List.of();
        }
        Kind most = modules.kinds().getFirst();
        double share = (double) most.own().device() / modules.device();
        if (share < MUCH) {
            return List.of();
        }
        return List.of(new Finding(
                        Severity.INFO,
                        "top_module_class",
                        String.format(
                                Locale.ROOT,
                                "%s modules take %s of the time of all device activity (%s%s, %d instance%s).",
                                most.name(),
                                Words.share(most.own().device(), modules.device()),
                                Words.time(most.own().device()),
                                modules.rows().stream()
                                                .anyMatch(row -> row.backward().device() > 0)
                                        ? ", forward and backward"
                                        : "",
                                most.instances(),
                                most.instances() == 1 ? "" : "s"),
                        "module_classes: own device ms")
                .on(Evidence.Rows.first("module_classes", 1)));
    }
}
