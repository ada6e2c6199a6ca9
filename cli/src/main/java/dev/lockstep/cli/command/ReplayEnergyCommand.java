// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.replay.Replay;
import dev.lockstep.replay.reconcile.PartsEnergy;
import dev.lockstep.replay.reconcile.Reconciliation;
import dev.lockstep.replay.reconcile.ReconciliationReport;
import dev.lockstep.replay.reconcile.WholeSources;
import dev.lockstep.report.Report;
import dev.lockstep.session.Session;
import dev.lockstep.write.CellStyle;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;

/** {@code lockstep replay energy RESULT --power LOG}: windows of a replay joined with power. */
public final class ReplayEnergyCommand implements Command {
    private final ReconciliationArguments arguments = new ReconciliationArguments();
    private final ReportTargets targets = new ReportTargets();

    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    @Override
    public void declare(Arguments declared) {
        declared.examples(
                "lockstep replay energy result.json --power power.csv -o energy",
                "lockstep replay energy result.json --power power.csv --idle auto");
        global = declared.global();
        arguments.declare(declared);
        targets.declare(declared, "RESULT's name with _energy");
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        ReconciliationArguments.Options options = arguments.options();
        ReconciliationInputs inputs = ReconciliationInputs.read(options);
        if (!inputs.power().isKnown()) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID,
                    "there is no log of power",
                    "--power FILE.csv names one; lockstep replay power records one.");
        }
        Reconciliation reconciled = Replay.compare(
                inputs.parts(),
                new WholeSources(inputs.beside(), null, inputs.stated(), Double.NaN, options.forwards()),
                inputs.power());
        PartsEnergy energy = reconciled.energy();
        if (energy == null || energy.rows().isEmpty()) {
            throw new UserException(
                    ErrorCode.DATA_MISSING,
                    "no part has a window in which power was sampled",
                    "The log must be from the same clock. Its times are taken for UTC where they state no zone;"
                            + " --zone names another."
                            + (inputs.power().series().size() > 1
                                    ? " All devices must be sampled; --gpu takes one."
                                    : ""));
        }
        Report report = ReconciliationReport.energy(reconciled, inputs.claims());
        try (Session session = new Session(1)) {
            List<Path> written = targets.write(
                    session,
                    report,
                    inputs.files(),
                    Path.of(Inputs.stem(options.result()) + "_energy"),
                    CellStyle.PLAIN);
            if (!global.quiet()) {
                Summary.print(report, written, out);
            }
        }
        return global.status(energy.unmeasured() == 0);
    }
}
