// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.power.PowerSeries;
import dev.lockstep.replay.reconcile.AccountReport;
import dev.lockstep.replay.reconcile.Accounting;
import dev.lockstep.replay.reconcile.EnergyAccount;
import dev.lockstep.replay.reconcile.Isolated;
import dev.lockstep.report.Report;
import dev.lockstep.session.Session;
import dev.lockstep.write.CellStyle;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;

/** {@code lockstep replay energy RESULT --power LOG}: windows of a replay joined with power. */
public final class ReplayEnergyCommand implements Command {
    private final ReplayAccount account = new ReplayAccount();
    private final ReportTargets targets = new ReportTargets();

    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    @Override
    public void declare(Arguments arguments) {
        global = arguments.global();
        account.declare(arguments);
        targets.declare(arguments, "RESULT's name with _energy");
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        ReplayAccount.Parts parts = account.parts();
        Isolated isolated = parts.isolated();
        if (parts.power() == null) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID,
                    "there is no log of power",
                    "--power FILE.csv names one; lockstep replay power records one.");
        }
        List<PowerSeries> series = account.series(parts.power(), isolated);
        EnergyAccount energy = EnergyAccount.of(isolated, series, account.idleWatts());
        if (energy.rows().isEmpty()) {
            throw new UserException(
                    ErrorCode.DATA_MISSING,
                    "no part has a window in which power was sampled",
                    "The log must be from the same clock. Its times are taken for UTC where they state no zone;"
                            + " --zone names another."
                            + (series.size() > 1 ? " All devices must be sampled; --gpu takes one." : ""));
        }
        Report report = AccountReport.energy(
                new Accounting(
                        isolated, account.whole(parts.whole(), series), isolated.forwards(account.forwards()), energy),
                account.claims());
        try (Session session = new Session(1)) {
            List<Path> written = targets.write(
                    session,
                    report,
                    account.read(),
                    Path.of(Inputs.stem(account.result()) + "_energy"),
                    CellStyle.PLAIN);
            if (!global.quiet()) {
                Summary.print(report, written, out);
            }
        }
        return global.status(energy.unmeasured() == 0);
    }
}
