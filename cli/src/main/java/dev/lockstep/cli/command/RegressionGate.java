// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.ReportComparison.Compared;
import dev.lockstep.cli.ExitStatus;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.write.Numbers;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** {@code --fail-on-regression} of commands that put several runs side by side. */
final class RegressionGate {
    private RegressionGate() {}

    /**
     * {@return what was given, which is a percentage}
     *
     * @throws UserException when it is below 0
     */
    static double percent(double given) {
        if (given < 0) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID, "--fail-on-regression wants a percentage of at least 0", null);
        }
        return given;
    }

    /**
     * The exit status; says which runs are too slow.
     *
     * @param percent by how much a total time may be above that of the baseline
     * @param needs what must be there for total times to be known
     */
    static int status(double percent, Compared runs, String needs, PrintWriter err) {
        List<String> names = runs.names();
        int status = ExitStatus.COMPLETE;
        for (int i = 1; i < names.size(); i++) {
            double slower = runs.slowdown(i);
            if (Double.isNaN(slower)) {
                throw new UserException(
                        ErrorCode.DATA_MISSING,
                        names.get(i) + ": its total time or that of the baseline is unknown",
                        "--fail-on-regression needs " + needs + ".");
            }
            if (runs.isSlowerBy(i, percent)) {
                err.println(String.format(
                        Locale.ROOT,
                        "regression: %s is %.2f %% above %s in total time, more than %s %%",
                        names.get(i),
                        slower,
                        names.getFirst(),
                        Numbers.plain(percent)));
                status = ExitStatus.GATE_FAILED;
            }
        }
        return status;
    }
}
