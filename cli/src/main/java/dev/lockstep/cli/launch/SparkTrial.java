// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.error.UserException;
import dev.lockstep.fetch.FetchedLibraries;
import dev.lockstep.fleet.FleetAnalysis;
import dev.lockstep.model.Trace;
import dev.lockstep.options.CollectiveOptions;
import dev.lockstep.write.ScratchFolder;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Analyses a run on Spark, on this machine: by the Spark that {@code SPARK_HOME} names, else by libraries that are fetched when they
 * are first needed. The module that runs there lies beside the program.
 */
public final class SparkTrial {
    private static final String HOME = "SPARK_HOME";
    private static final String MAIN = "dev.lockstep.spark.Fleet";
    private static final Pattern READ = Pattern.compile("read (\\d{1,9}) of (\\d{1,9}) files");
    private static final ObjectInputFilter KNOWN = ObjectInputFilter.Config.createFilter(
            "dev.lockstep.error.*;dev.lockstep.fleet.*;dev.lockstep.analyze.comm.*;dev.lockstep.report.Trust;"
                    + "dev.lockstep.report.Trust$*;dev.lockstep.report.Topic;java.lang.*;java.util.*;java.io.*;!*");
    private static final long LEAST_HEAP = 2L << 30;
    private static final int LAST_LINES = 12;
    private static final String LOOPBACK = "127.0.0.1";

    /** What Spark opens of the platform, as far as this job needs it. */
    private static final List<String> OPEN = List.of(
            "java.base/java.lang",
            "java.base/java.lang.invoke",
            "java.base/java.nio",
            "java.base/java.util",
            "java.base/sun.nio.ch");

    private final Consumer<String> say;
    private final int jobs;

    /**
     * A trial.
     *
     * @param jobs number of tasks at a time
     * @param say takes what is fetched, line by line
     */
    public SparkTrial(int jobs, Consumer<String> say) {
        this.jobs = jobs;
        this.say = say;
    }

    /**
     * Analyses a run.
     *
     * @param arguments what is asked of the job: traces and options
     * @param progress takes the number of files, and gives what takes how many were read
     * @throws UserException when it cannot be started, or what was asked cannot be done
     * @throws IOException when the run cannot be read
     */
    public FleetAnalysis run(List<String> arguments, IntFunction<IntConsumer> progress) throws IOException {
        try (ScratchFolder scratch = ScratchFolder.temporary()) {
            Path facts = scratch.path().resolve("facts");
            Path log = scratch.path().resolve("log");
            List<String> command = new ArrayList<>(command(scratch.path()));
            command.addAll(arguments);
            command.addAll(List.of("--facts", facts.toString()));
            int status = start(command, log, progress);
            if (!Files.exists(facts)) {
                throw new UserException(
                        ErrorCode.TOOL_FAILED, "Spark ended with status " + status, lastLines(NamedFiles.text(log)));
            }
            return read(facts);
        }
    }

    /** What the job handed back: its findings, or why it has none. */
    static FleetAnalysis read(Path facts) throws IOException {
        try (ObjectInputStream in = new ObjectInputStream(NamedFiles.in(facts))) {
            in.setObjectInputFilter(KNOWN);
            return switch (in.readObject()) {
                case FleetAnalysis found -> found;
                case UserException wrong -> throw wrong;
                case TraceFormatException unreadable -> throw unreadable;
                default -> throw new IOException("Spark gave an answer of another version of this program");
            };
        } catch (ClassNotFoundException e) {
            throw new IOException("Spark gave an answer of another version of this program", e);
        }
    }

    private static int start(List<String> command, Path log, IntFunction<IntConsumer> progress) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(log.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("SPARK_LOCAL_IP", LOOPBACK);
        Process process = builder.start();
        Thread end = new Thread(process::destroy, "lockstep-spark-end");
        Runtime.getRuntime().addShutdownHook(end);
        process.getOutputStream().close();
        try (BufferedReader said =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            IntConsumer done = null;
            for (String line = said.readLine(); line != null; line = said.readLine()) {
                Matcher read = READ.matcher(line);
                if (read.matches()) {
                    done = done == null ? progress.apply(Integer.parseInt(read.group(2))) : done;
                    done.accept(Integer.parseInt(read.group(1)));
                }
            }
            int status = process.waitFor();
            Runtime.getRuntime().removeShutdownHook(end);
            return status;
        } catch (InterruptedException e) {
            process.destroy();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static String lastLines(String log) {
        List<String> lines = log.lines().toList();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
    }

    /** Jars, or folders of classes, of the modules that the job stands on. */
    static List<Path> program() {
        return Stream.of(UserException.class, Trace.class, CollectiveOptions.class, FleetAnalysis.class)
                .map(SparkTrial::home)
                .toList();
    }

    private List<String> command(Path scratch) throws IOException {
        Path module = module();
        List<String> program = program().stream().map(Path::toString).toList();
        long heap = Math.max(LEAST_HEAP, Runtime.getRuntime().maxMemory()) >> 20;
        List<String> settings = settings(scratch);
        String spark = System.getenv(HOME);
        if (spark != null && !spark.isBlank()) {
            List<String> command = new ArrayList<>(List.of(
                    submit(Path.of(spark)).toString(),
                    "--master",
                    "local[" + jobs + "]",
                    "--driver-memory",
                    heap + "m"));
            settings.forEach(setting -> command.addAll(List.of("--conf", setting)));
            command.addAll(List.of("--class", MAIN, "--jars", String.join(",", program), module.toString()));
            return command;
        }
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(List.of(
                "-Xmx" + heap + "m",
                "-XX:-UsePerfData",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Dspark.master=local[" + jobs + "]"));
        settings.forEach(setting -> command.add("-D" + setting));
        OPEN.forEach(open -> command.add("--add-opens=" + open + "=ALL-UNNAMED"));
        List<String> classPath = new ArrayList<>(List.of(module.toString()));
        classPath.addAll(program);
        libraries().classPath(say).forEach(jar -> classPath.add(jar.toString()));
        command.addAll(List.of("-cp", String.join(File.pathSeparator, classPath), MAIN));
        return command;
    }

    /**
     * What Spark is told of itself. It listens on two ports: on this machine alone, and only to who knows its secret. That is a
     * random one of 256 bits, which Spark makes for each run on one machine and keeps in memory; it takes none from a file there.
     *
     * @param scratch where it puts what it does not keep in memory
     */
    static List<String> settings(Path scratch) {
        return List.of(
                "spark.ui.enabled=false",
                "spark.local.dir=" + scratch,
                "spark.authenticate=true",
                "spark.driver.host=" + LOOPBACK,
                "spark.driver.bindAddress=" + LOOPBACK);
    }

    private static Path submit(Path spark) {
        Path submit = spark.resolve("bin").resolve(File.separatorChar == '/' ? "spark-submit" : "spark-submit.cmd");
        if (!Files.isExecutable(submit)) {
            throw new UserException(
                    ErrorCode.MODULE_MISSING,
                    submit + ": there is no such program",
                    HOME + " must name the folder of Spark 4.2 or newer, or be unset: then it is fetched.");
        }
        return submit;
    }

    /** The libraries that the program knows. */
    static FetchedLibraries libraries() throws IOException {
        Properties known = known();
        return new FetchedLibraries(
                        known.getProperty("jars"),
                        FetchedLibraries.repository(),
                        "a trial needs Spark " + known.getProperty("version"))
                .saying("", "Set " + HOME + " to the folder of a Spark 4.2 that is here. ");
    }

    static Properties known() throws IOException {
        Properties known = new Properties();
        try (InputStream in = Objects.requireNonNull(SparkTrial.class.getResourceAsStream("spark.properties"))) {
            known.load(in);
        }
        return known;
    }

    private static Path module() throws IOException {
        return module(home(FleetAnalysis.class));
    }

    /**
     * The jar that runs on Spark, in spark/ beside lib/; in a source tree, where it was built. What lies in folders above the program
     * may be anybody's.
     *
     * @param own the jar or folder of this program's classes
     */
    static Path module(Path own) throws IOException {
        List<Path> folders = new ArrayList<>();
        int levels = Files.isDirectory(own) ? 3 : 2;
        for (Path above = own.getParent(); above != null && folders.size() < levels; above = above.getParent()) {
            folders.add(above.resolve("spark"));
        }
        for (Path folder : folders) {
            Path jar = jarIn(folder);
            jar = jar == null ? jarIn(folder.resolve("target")) : jar;
            if (jar != null) {
                return jar;
            }
        }
        throw new UserException(
                ErrorCode.MODULE_MISSING,
                "lockstep-spark is not beside this program",
                "It belongs into " + folders.get(Math.min(1, folders.size() - 1)) + ".");
    }

    private static @Nullable Path jarIn(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return null;
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().matches("lockstep-spark-[0-9.]+\\.jar"))
                    .max(Comparator.naturalOrder())
                    .orElse(null);
        }
    }

    /** The jar or folder that a class comes from. */
    private static Path home(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
