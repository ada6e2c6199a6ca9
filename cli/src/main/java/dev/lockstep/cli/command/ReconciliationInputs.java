// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.command.ReconciliationArguments.Options;
import dev.lockstep.codec.Json.Members;
import dev.lockstep.dialect.Dialects;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.error.UserException;
import dev.lockstep.power.PowerLog;
import dev.lockstep.replay.reconcile.MeasuredParts;
import dev.lockstep.replay.reconcile.PartsPower;
import dev.lockstep.replay.reconcile.ReplayResultFile;
import dev.lockstep.replay.reconcile.ResultsDialect;
import dev.lockstep.replay.reconcile.Whole;
import dev.lockstep.replay.reconcile.WholeSources.Stated;
import dev.lockstep.report.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What {@code replay energy} and {@code replay compare} read.
 *
 * @param parts those measured alone
 * @param beside the whole, as files beside the parts state it
 * @param power what counts of the log of power
 * @param stated the whole as {@code --whole} states it; null without
 * @param claims what others say about the numbers, and what is to be said about the log
 * @param files all that were read, which must not be overwritten
 */
record ReconciliationInputs(
        MeasuredParts parts,
        Whole beside,
        PartsPower power,
        @Nullable Stated stated,
        List<Finding> claims,
        List<Path> files) {
    /** Reads what the options name; for files of another tool, the whole and its power are sought beside them. */
    static ReconciliationInputs read(Options options) throws IOException {
        Path file = Files.isDirectory(options.result()) ? known().isolated(options.result()) : options.result();
        List<Path> files = new ArrayList<>(List.of(file));
        List<Finding> claims = new ArrayList<>();
        Members document = ReplayResultFile.document(file);
        MeasuredParts parts;
        Whole beside = Whole.UNKNOWN;
        Path log = options.power();
        if (ReplayResultFile.recognises(document)) {
            parts = ReplayResultFile.read(document, file.toString());
        } else {
            ResultsDialect theirs = theirs(document, file);
            parts = theirs.isolated(document, file.toString());
            ResultsDialect.Beside found = theirs.beside(file);
            files.addAll(found.read());
            claims.addAll(found.claims());
            beside = found.whole();
            log = log == null ? found.power() : log;
        }
        PartsPower power = log == null ? PartsPower.NONE : power(log, options, parts);
        claims.addAll(power.remarks());
        files.addAll(java.util.stream.Stream.of(log, options.whole())
                .filter(java.util.Objects::nonNull)
                .toList());
        return new ReconciliationInputs(
                parts, beside, power, options.whole() == null ? null : stated(options.whole()), claims, files);
    }

    private static ResultsDialect theirs(Members document, Path file) throws TraceFormatException {
        for (ResultsDialect dialect : Dialects.parts(ResultsDialect.class)) {
            if (dialect.recognises(document)) {
                return dialect;
            }
        }
        throw new TraceFormatException(
                ErrorCode.FORMAT_UNKNOWN,
                file.toString(),
                0,
                "expected a result of lockstep replay run, or piep's times of isolated kernels",
                null);
    }

    /** The tool whose folders of results, and whose statements of the whole, are read. */
    private static ResultsDialect known() {
        return Dialects.parts(ResultsDialect.class).getFirst();
    }

    private static PartsPower power(Path log, Options options, MeasuredParts parts) throws IOException {
        return PartsPower.of(
                PowerLog.read(log, options.zone()), log.toString(), options.device(), options.idle(), parts);
    }

    private static Stated stated(Path file) throws IOException {
        Members document = ReplayResultFile.document(file);
        Stated stated = new Stated(
                known().whole(document, file.toString()), known().window(document), document.number("num_runs"));
        if (Double.isNaN(stated.whole().ns()) && Double.isNaN(stated.whole().joules()) && stated.window() == null) {
            throw new UserException(
                    ErrorCode.DATA_MISSING, file + " states neither time nor energy of the whole above 0", null);
        }
        return stated;
    }
}
