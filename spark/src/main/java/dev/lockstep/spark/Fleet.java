// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.spark;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.error.UserException;
import dev.lockstep.fleet.FleetAnalysis;
import dev.lockstep.report.Report;
import dev.lockstep.session.Registry;
import dev.lockstep.write.CellStyle;
import dev.lockstep.write.Output;
import dev.lockstep.write.ReportWriter;
import dev.lockstep.write.ScratchFolder;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.PrintStream;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspecify.annotations.Nullable;

/**
 * {@code lockstep fleet} on Spark, to be started by {@code spark-submit}. Writes the same report, and ends with the same status:
 * 0, or 4 when ranks are missing, unreadable, cut off or doubled.
 */
public final class Fleet {
    private static final int WRONG = 2;
    private static final int UNREADABLE = 3;
    private static final int GAPS = 4;

    private Fleet() {}

    /** Starts the job. */
    public static void main(String... arguments) throws IOException {
        int status = run(System.err, arguments);
        if (status != 0) {
            System.exit(status);
        }
    }

    static int run(PrintStream err, String... arguments) throws IOException {
        Path facts = null;
        try {
            FleetOptions options = FleetOptions.of(arguments);
            facts = options.facts();
            SparkConf settings = new SparkConf().setIfMissing("spark.app.name", "lockstep fleet");
            try (JavaSparkContext spark = new JavaSparkContext(settings)) {
                RemoteFiles remote = RemoteFiles.of(spark.hadoopConfiguration());
                String output = options.output();
                if (output != null && RemoteFiles.isRemote(output)) {
                    remote.demandReachable(output);
                }
                FleetJob job = new FleetJob(spark, options.inputs());
                if (facts != null) {
                    spark.sc().addSparkListener(new FilesRead(System.out, job.size()));
                }
                FleetAnalysis found = job.run(options.selection(), options.places());
                hand(facts, found);
                write(found, options, remote);
                return found.isWhole() || facts != null ? 0 : GAPS;
            }
        } catch (UserException e) {
            say(err, e.getMessage(), e.hint());
            hand(facts, e);
            return WRONG;
        } catch (TraceFormatException e) {
            say(err, e.getMessage(), e.hint());
            hand(facts, e);
            return UNREADABLE;
        } catch (IOException e) {
            String problem = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
            say(err, problem, null);
            hand(facts, new UserException(ErrorCode.OUTPUT_FAILED, problem, null));
            return WRONG;
        }
    }

    private static void say(PrintStream err, @Nullable String message, @Nullable String hint) {
        err.println("lockstep: " + message);
        if (hint != null) {
            err.println("Hint: " + hint);
        }
    }

    /** Hands what was found, or why nothing was, to the program that started this one. */
    private static void hand(@Nullable Path facts, Serializable found) throws IOException {
        if (facts != null) {
            try (ObjectOutputStream out = new ObjectOutputStream(NamedFiles.out(facts))) {
                out.writeObject(found);
            }
        }
    }

    private static void write(FleetAnalysis found, FleetOptions options, RemoteFiles remote) throws IOException {
        String folder = options.output();
        if (folder == null) {
            return;
        }
        Report report = found.report(String.join(" ", options.inputs()));
        if (RemoteFiles.isRemote(folder)) {
            try (ScratchFolder scratch = ScratchFolder.temporary()) {
                write(report, scratch.path().resolve("report"));
                remote.put(scratch.path().resolve("report"), folder);
            }
        } else {
            write(report, Path.of(folder));
        }
    }

    private static void write(Report report, Path folder) throws IOException {
        List<ReportWriter> writers = new Registry().reportWriters();
        try (Output output = new Output()) {
            for (ReportWriter writer : writers) {
                Path target = folder.resolve(writer.fileName());
                writer.write(
                        report, writer.isFolder() ? output.directory(target) : output.file(target), CellStyle.PLAIN);
            }
            output.commit();
        }
    }
}
