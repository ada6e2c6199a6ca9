// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.model.Packing;
import dev.lockstep.session.TraceFormats;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The script {@code lockstep}, in a distribution whose Java only writes down how it was started. */
class StartScriptTest {
    private static final String ENDINGS = "config/trace-endings";

    @TempDir
    Path folder;

    private Path script;
    private Path work;

    @BeforeEach
    void distributionWithAJavaThatWritesDownItsArguments() throws IOException {
        Path root = Files.createDirectories(folder.resolve("it's a folder"));
        script = executable(root.resolve("lockstep"), Files.readString(Path.of("../lockstep")));
        Files.createDirectories(root.resolve("config"));
        for (String file : List.of("config/find-jdk.sh", ENDINGS)) {
            Files.copy(Path.of("..", file), root.resolve(file));
        }
        Files.createDirectories(root.resolve("lib"));
        Files.createFile(root.resolve("lib/lockstep-cli-0.jar"));
        Path jdk = root.resolve("jdk");
        Files.createDirectories(jdk.resolve("bin"));
        Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"25.0.1\"\n");
        executable(jdk.resolve("bin/java"), "#!/bin/sh\nprintf '%s\\0' \"$@\" >\"$STARTED\"\n");
        work = Files.createDirectories(folder.resolve("work"));
    }

    /** Names as bash spells them; each is a folder, a packed trace in it, and an argument. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "$'rank0\\nx[$(id>PWNED)] '",
                "$'\\n9[$(id>PWNED)]'",
                "$'123\\n456'",
                "'$(id>PWNED)'",
                "'`id>PWNED`'",
                "'x[$(id>PWNED)]'",
                "'-exec'",
                "'-o'",
                "'--delete'",
                "'('",
                "'!'",
                "'*'",
                "'[a-z]?'",
                "'\"quoted'\\''twice'",
                "'a;id>PWNED;b'",
                "'a b  c'",
                "$'tab\\tbell\\a'",
                "'~'",
                "'{a,b}'",
                "'\\\\'",
                "'a=b'",
                "'=$(id>PWNED)'",
                "$'\\xff\\xfe\\xc3'",
                "'$HOME'",
                "'%s%n'",
                "'bytes'",
                "'10#x'"
            })
    void namesAreNeverRunAndArriveAsGiven(String name) throws Exception {
        List<String> shapes = List.of("$n", "./$n", "$n/$n.json.gz", "$n/*.gz", "$n/*", "--in=$n", "$PWD/$n");
        for (String shape : shapes) {
            Run run = start("n=" + name + "; mkdir -p -- \"./$n\"; printf x >\"./$n/$n.json.gz\"", "\"" + shape + "\"");
            assertThat(run.status()).as(shape).isZero();
            assertThat(run.last()).as(shape).isEqualTo(run.asked());
            assertThat(run.heapMegabytes()).as(shape).isLessThanOrEqualTo(1024);
            assertThat(files("PWNED")).isEmpty();
        }
    }

    @Test
    void namesOf255BytesAndManyOfThem() throws Exception {
        Run run = start(
                "n=$(printf '%0249d' 0); mkdir many; for i in {1..40}; do printf x >\"many/$((i % 10))${n#?}.$i.gz\";"
                        + " done",
                "many");
        assertThat(run.status()).isZero();
        assertThat(run.last()).isEqualTo("many");
    }

    @Test
    void theHeapFollowsTheSizesOfFilesFoldersAndPatterns() throws Exception {
        String prepare = "mkdir -p d/e; truncate -s 200M d/a.json; truncate -s 10M d/e/b.json.gz";
        int both = 256 + (200 + 180) * 13 / 10;
        assertThat(start(prepare, "info d").heapMegabytes()).isEqualTo(both);
        assertThat(start(prepare, "info d/a.json d/e/b.json.gz").heapMegabytes()).isEqualTo(both);
        assertThat(start(prepare, "'d/*.json' --more=d/e").heapMegabytes()).isEqualTo(both);
        assertThat(start(prepare, "info d/a.json").heapMegabytes()).isEqualTo(256 + 200 * 13 / 10);
        assertThat(start(prepare, "info d/a.json -o d/e").heapMegabytes()).isEqualTo(256 + 200 * 13 / 10);
        assertThat(start(prepare, "--help").heapMegabytes()).isEqualTo(1024);
        assertThat(start("truncate -s 200M a.json", "report a.json").heapMegabytes())
                .isEqualTo(256 + 200 * 13 / 10);
        assertThat(start("truncate -s 400M a.json", "report a.json").heapMegabytes())
                .as("with room for the graph of dependencies")
                .isEqualTo(256 + 730);
        assertThat(start("truncate -s 300M a.json", "report a.json --critical-path=all")
                        .heapMegabytes())
                .as("with room for paths as sheets, too")
                .isEqualTo(256 + 860);
    }

    @Test
    void ranksThatComeAndGoTakeTheHeapOfThoseThatAreReadTogether() throws Exception {
        String prepare = "rm -rf d; mkdir d; for i in {1..%d}; do truncate -s 1M d/rank$i.json; done";
        for (String command : List.of("dataset d -o e", "fleet d")) {
            int few = start(prepare.formatted(300), command).heapMegabytes();
            assertThat(start(prepare.formatted(500), command).heapMegabytes() - few)
                    .as(command)
                    .isEqualTo(200);
            assertThat(few).isLessThan(256 + 300 + 300);
        }
        assertThat(start("", "synth -o e --ranks 200").heapMegabytes()).isEqualTo(1124);
        assertThat(start("", "synth --ranks=300 -o e").heapMegabytes()).isEqualTo(1174);
        assertThat(start("", "synth --ranks many -o e").heapMegabytes()).isEqualTo(1024);
    }

    /** Every name that says what a file of a run is, and what its bytes are counted as. */
    static Stream<Arguments> endings() {
        TraceFormats formats = new TraceFormats();
        return formats.all().stream()
                .flatMap(format -> format.allEndings().stream()
                        .map(ending ->
                                arguments(ending, Packing.packsAny(ending) ? Packing.EXPANSION : format.expansion())))
                .distinct();
    }

    @ParameterizedTest
    @MethodSource("endings")
    void tracesOfAllFormatsCountWithTheirUnpackedSizes(String ending, int expansion) throws Exception {
        Run run = start("mkdir d; truncate -s 20M 'd/rank0" + ending + "'", "info d");
        assertThat(run.heapMegabytes()).isEqualTo(256 + 20 * expansion * 13 / 10);
    }

    /** A trace in place of a command is reported, with room for the graph; a folder that is called like a command is none. */
    @Test
    void aTraceInPlaceOfACommandGetsTheHeapOfAReport() throws Exception {
        String prepare = "truncate -s 400M a.json; mkdir -p merge; truncate -s 400M merge/a.json";
        assertThat(start(prepare, "a.json").heapMegabytes()).isEqualTo(256 + 730);
        assertThat(start(prepare, "merge merge").heapMegabytes())
                .isEqualTo(start(prepare + "; mv merge m", "merge m").heapMegabytes());
    }

    @Test
    void otherFilesOfAFolderDoNotCount() throws Exception {
        Run run = start("mkdir d; truncate -s 200M d/model.pt d/a.txt d/a.csv d/trace", "info d");
        assertThat(run.heapMegabytes()).isEqualTo(1024);
    }

    @Test
    void endingsAreThoseOfTheList() throws Exception {
        Files.writeString(
                script.resolveSibling(ENDINGS),
                "# 18 endings\n.new 7\n.x[1]$(id>PWNED) 3\n.plain 1\n.bad x\n.large 1000\n");
        String prepare = "mkdir d; truncate -s 20M d/a.new d/b.plain d/c.json d/d.gz d/e.bad d/f.large d/g.18";
        assertThat(start(prepare, "info d").heapMegabytes()).isEqualTo(256 + (20 * 7 + 20) * 13 / 10);
        assertThat(files("PWNED")).isEmpty();
    }

    @Test
    void withoutTheListEveryFileOfAFolderCounts() throws Exception {
        Files.delete(script.resolveSibling(ENDINGS));
        assertThat(start("mkdir d; truncate -s 20M d/a.new d/b.json.gz", "info d").heapMegabytes())
                .isEqualTo(256 + 40 * 13 / 10);
    }

    @Test
    void absurdSizesDoNotOverflow() throws Exception {
        Run run = start(
                "mkdir d; for i in {1..9}; do truncate -s 7P d/$i.json.gz 2>/dev/null || truncate -s 7T d/$i.json.gz;"
                        + " done",
                "info d");
        assertThat(run.status()).isZero();
        assertThat(run.heapMegabytes()).isPositive();
    }

    @ParameterizedTest
    @ValueSource(strings = {"x[$(id>PWNED)]", "8g;id", "-1", "8 g", "0", "1k", "4m", "999999999999999t", ""})
    void aHeapThatIsNoSizeIsRefused(String heap) throws Exception {
        Run run = start("", "version", Map.of("LOCKSTEP_HEAP", heap));
        assertThat(run.status()).isEqualTo(heap.isEmpty() ? 0 : 2);
        assertThat(files("PWNED")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"-XX:+UseG1GC, false", "-XX:+UseParallelGC, false", "-XX:+UseZGC, false", "-Da=b, true"})
    void aCollectorOfTheUsersIsTheOnlyOne(String option, boolean serial) throws Exception {
        List<String> java =
                start("", "version", Map.of("LOCKSTEP_JAVA_OPTS", option)).java();

        assertThat(java.contains("-XX:+UseSerialGC")).isEqualTo(serial);
        assertThat(java).contains(option);
    }

    /** As where they stand in an environment that is handed on; the shell reads them before the script. */
    @ParameterizedTest
    @CsvSource({
        "SHELLOPTS, errexit",
        "SHELLOPTS, keyword",
        "SHELLOPTS, noclobber",
        "SHELLOPTS, noglob",
        "SHELLOPTS, nounset",
        "SHELLOPTS, posix",
        "BASHOPTS, failglob",
        "BASHOPTS, nocasematch",
        "BASHOPTS, nullglob"
    })
    void optionsOfTheShellChangeNothing(String variable, String option) throws Exception {
        String prepare = "truncate -s 200M a.json";
        String arguments = "'[a].json' 'none[.]json'";
        List<String> plain = start(prepare, arguments).java();
        assertThat(plain).contains("-Xmx516m");

        for (String state : List.of("", "rm \"${SCRIPT%/*}/launch\"; ")) {
            Run run = start(state + "exec env " + variable + "=" + option + " \"$SCRIPT\" " + arguments, arguments);
            assertThat(run.java()).isEqualTo(plain);
        }
    }

    @Test
    void whatTheVirtualMachineSaysIsNoResult() throws Exception {
        assertThat(start("", "version").java())
                .containsSubsequence("-XX:+DisplayVMOutputToStderr", "-Xlog:disable")
                .filteredOn(option -> option.startsWith("-Xlog:") && option.contains("="))
                .singleElement()
                .asString()
                .endsWith(":stderr");
    }

    @Test
    void aLockThatIsNotOursHoldsNobodyUp() throws Exception {
        Assumptions.assumeTrue(isThere("flock"), "there is no flock here");
        Run run = start("mkdir -p \"${SCRIPT%/*}/.lockstep/lock\"", "version"); // a folder opens for nobody

        assertThat(run.status()).isZero();
        assertThat(latin1(folder.resolve("log"))).doesNotContain("flock", "waiting for another start");
    }

    @Test
    void furtherOptionsMayStandOnSeveralLines() throws Exception {
        Run run = start("", "version", Map.of("LOCKSTEP_JAVA_OPTS", "-Da=$(id>PWNED)\n\t-Db=* \n\n-Dc=3\n"));
        assertThat(run.status()).isZero();
        assertThat(run.java()).containsSubsequence("-Da=$(id>PWNED)", "-Db=*", "-Dc=3", "-cp");
        assertThat(files("PWNED")).isEmpty();
    }

    @Test
    void withoutAJdkThatIsNewEnoughNothingIsCalledABug() throws Exception {
        Path finder = script.resolveSibling("config/find-jdk.sh");
        Files.writeString(finder, Files.readString(finder).replace("wanted=25", "wanted=2500"));

        assertThat(start("", "version").status()).isEqualTo(ErrorCode.MODULE_MISSING.exitStatus());

        assertThat(latin1(folder.resolve("log")))
                .startsWith("lockstep: needs a JDK of release 2500 or newer; found only:\n")
                .contains("/it's a folder/jdk (JDK 25)\n", "\nHint: install one");
    }

    @ParameterizedTest
    @CsvSource({"1, MODULE_MISSING, there is no mvn on the PATH", "0, TOOL_FAILED, the build failed"})
    void aBuildThatCannotBeDoneIsNoBug(int wrapper, ErrorCode code, String message) throws Exception {
        Path root = script.getParent();
        Files.createFile(root.resolve("pom.xml"));
        Files.copy(Path.of("../config/maven.sh"), root.resolve("config/maven.sh"));
        executable(root.resolve("mvnw"), "#!/bin/sh\n[ \"$1\" != -v ] || exit " + wrapper + "\nexit 1\n");
        String tools = "mkdir tools; for t in dirname mkdir flock tee tail readlink cat sleep; do"
                + " ! command -v $t >/dev/null || cp \"$(command -v $t)\" tools/; done; cp \"$BASH\" tools/bash;"
                + " PATH=$PWD/tools";

        assertThat(start(tools, "version").status()).isEqualTo(code.exitStatus());

        assertThat(latin1(folder.resolve("log"))).contains(message, "Hint: ");
    }

    @Test
    void commandsRunWhereTheyWereStarted() throws Exception {
        executable(
                script.resolveSibling("jdk").resolve("bin/java"),
                "#!/bin/sh\nprintf '%s\\0' \"$(/bin/pwd 2>&1)\" >\"$STARTED\"\n");

        assertThat(start("mkdir d; cd d", "version").last()).endsWith("/work/d");
        assertThat(start("mkdir gone; cd gone; rmdir ../gone", "version").status())
                .isNotZero();
        assertThat(latin1(folder.resolve("log"))).contains("the folder that this was started in is gone");
    }

    @Test
    void aScriptIsFoundBehindALinkWithoutSlash() throws Exception {
        Run run = start("ln -s \"../it's a folder/lockstep\" l; SCRIPT=$BASH", "l version");

        assertThat(run.status()).isZero();
        assertThat(run.last()).isEqualTo("version");
    }

    /** Whoever unpacks an archive needs no JDK, trains nothing and writes nothing. */
    @Test
    void aRuntimeBesideTheScriptComesFirst() throws Exception {
        Path root = script.getParent();
        Path runtime = Files.createDirectories(root.resolve("runtime/bin"));
        executable(runtime.resolve("java"), "#!/bin/sh\nprintf '%s\\0' \"$0\" \"$@\" >\"$STARTED\"\n");
        Files.writeString(root.resolve("lockstep.aot"), "cache");

        Run run = start("", "version", Map.of("LOCKSTEP_JAVA_HOME", ""));

        assertThat(run.java().getFirst()).isEqualTo(runtime.resolve("java").toString());
        assertThat(run.java()).contains("-XX:AOTCache=" + root.resolve("lockstep.aot"));
        assertThat(latin1(folder.resolve("log"))).isEmpty();
        assertThat(root.resolve("launch")).doesNotExist();
        assertThat(start("", "version").java()).as("a JDK that is named").doesNotContain(run.java().getFirst());
        assertThat(Files.readString(root.resolve("lockstep.aot"))).as("the cache of the runtime").isEqualTo("cache");
    }

    @Test
    void aNamedJdkThatIsNoneIsSaid() throws Exception {
        Path finder = script.resolveSibling("config/find-jdk.sh");
        Path other = Files.createDirectories(folder.resolve("other/bin"));
        executable(other.resolve("java"), "#!/bin/sh\n");
        Files.writeString(folder.resolve("other/release"), "JAVA_VERSION=\"25\"\n");
        Files.writeString(finder, Files.readString(finder).replace("/usr/lib/jvm/*", "'" + folder.resolve("other") + "'"));

        assertThat(start("", "version", Map.of("LOCKSTEP_JAVA_HOME", "/nowhere")).status())
                .isEqualTo(ErrorCode.MODULE_MISSING.exitStatus());
        assertThat(latin1(folder.resolve("log")))
                .contains("LOCKSTEP_JAVA_HOME is no JDK of release 25 or newer: /nowhere", "Hint: ");
    }

    /** Login nodes without findutils: then the heap is as large as it may be. */
    @Test
    void withoutFindAFolderGetsAllMemory() throws Exception {
        String tools = "mkdir tools; for t in dirname mkdir flock cat sleep stat getconf readlink mv rm; do"
                + " ! command -v $t >/dev/null || ln -s \"$(command -v $t)\" tools/; done; mkdir d; PATH=$PWD/tools";
        int most = start(tools + ":$PATH; truncate -s 7T d/a.json 2>/dev/null || truncate -s 900G d/a.json", "info d")
                .heapMegabytes();
        assertThat(start("rm -r tools d; " + tools, "info d").heapMegabytes()).isEqualTo(most);
    }

    @Test
    void whatCannotStartIsSaid() throws Exception {
        assertThat(start("ulimit -n 30", "version").status()).isNotZero();
        assertThat(latin1(folder.resolve("log"))).contains("only 30 files may be open", "ulimit -n");

        assertThat(start("cp -R \"${SCRIPT%/*}\" a:b; SCRIPT=$PWD/a:b/lockstep", "version")
                        .status())
                .isNotZero();
        assertThat(latin1(folder.resolve("log"))).contains("Java cannot start from ", "a:b");
    }

    /** Eight links in each of eight folders lead to the next one: 8^8 ways, if they were followed. */
    @Test
    void linksWithinFoldersAreNotFollowed() throws Exception {
        Run run = start(
                "mkdir -p f/d{0..7}; truncate -s 200M f/d7/x.json; ln -s d7/x.json f/y.json; for i in {0..6}; do for k in {0..7};"
                        + " do ln -s ../d$((i + 1)) f/d$i/l$k; done; done",
                "info f");
        assertThat(run.heapMegabytes()).isEqualTo(256 + 2 * 200 * 13 / 10);
    }

    // ---- starting ----

    /** What a start ended with, the argument that it was to hand on, and how Java was started. */
    private record Run(int status, String asked, List<String> java) {

        String last() {
            return java.getLast();
        }

        int heapMegabytes() {
            String option =
                    java.stream().filter(o -> o.startsWith("-Xmx")).findFirst().orElseThrow();
            return Integer.parseInt(option.substring(4, option.length() - 1));
        }
    }

    @Test
    void whatAStartLeavesBehindDoesNotHoldOthersUp() throws Exception {
        Path java = script.resolveSibling("jdk").resolve("bin/java");
        executable(java, "#!/bin/sh\nsleep 20 >/dev/null 2>&1 &\nprintf '%s\\0' \"$@\" >\"$STARTED\"\n");

        start("\"$SCRIPT\"; rm \"${SCRIPT%/*}/launch\"; SECONDS=0", "version");

        assertThat(latin1(folder.resolve("log"))).doesNotContain("waiting for another start");
    }

    @Test
    void onlyALongWaitForAnotherStartIsMentionedWithWhatThatDoes() throws Exception {
        Assumptions.assumeTrue(isThere("flock"), "there is no flock here");
        String held = "mkdir -p \"${SCRIPT%/*}/.lockstep\"; echo building >\"${SCRIPT%/*}/.lockstep/doing\"\n"
                + "flock \"${SCRIPT%/*}/.lockstep/lock\" sleep SECONDS_HELD & sleep 0.3";

        start(held.replace("SECONDS_HELD", "0.6"), "version");
        assertThat(latin1(folder.resolve("log"))).doesNotContain("waiting for another start");

        Files.delete(script.resolveSibling("launch"));
        start(held.replace("SECONDS_HELD", "4"), "version");
        assertThat(latin1(folder.resolve("log"))).contains("waiting for another start that is building");
    }

    /** Else the first file that Java opens is its standard input. */
    @Test
    void whoeverGivesNoStandardInputGivesAnEmptyOne() throws Exception {
        Path java = script.resolveSibling("jdk").resolve("bin/java");
        executable(java, "#!/bin/sh\ncat >\"$STARTED.input\" && printf '%s\\0' \"$@\" >\"$STARTED\"\n");

        assertThat(start("exec <&-", "version").last()).isEqualTo("version");
        assertThat(folder.resolve("started.input")).isEmptyFile();
    }

    private static boolean isThere(String program) {
        return Arrays.stream(System.getenv("PATH").split(":"))
                .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
    }

    private Run start(String prepare, String arguments) throws Exception {
        return start(prepare, arguments, Map.of());
    }

    /** Runs {@code prepare}, then the script with {@code arguments}, both as bash reads them, in the working folder. */
    private Run start(String prepare, String arguments, Map<String, String> environment) throws Exception {
        Path driver = folder.resolve("driver.sh");
        Path started = folder.resolve("started");
        Path asked = folder.resolve("asked");
        Files.deleteIfExists(started);
        Files.writeString(
                driver,
                prepare + "\nset -- " + arguments + "\nprintf %s \"${@: -1}\" >\"$ASKED\"\nexec \"$SCRIPT\" \"$@\"\n",
                StandardCharsets.US_ASCII);
        ProcessBuilder builder = new ProcessBuilder("bash", driver.toString()).directory(work.toFile());
        builder.redirectErrorStream(true).redirectOutput(folder.resolve("log").toFile());
        Map<String, String> all = new TreeMap<>(environment);
        all.put("SCRIPT", script.toString());
        all.put("STARTED", started.toString());
        all.put("ASKED", asked.toString());
        all.putIfAbsent("LOCKSTEP_JAVA_HOME", script.resolveSibling("jdk").toString());
        builder.environment().keySet().removeIf(key -> key.startsWith("LOCKSTEP_"));
        builder.environment().putAll(all);
        Process process = builder.start();
        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        List<String> java =
                Files.exists(started) ? Arrays.asList(latin1(started).split("\0", -1)) : List.of("", "");
        return new Run(process.exitValue(), latin1(asked), java.subList(0, java.size() - 1));
    }

    /** The bytes of a file, one character for each: names need not be UTF-8. */
    private static String latin1(Path file) throws IOException {
        return Files.readString(file, StandardCharsets.ISO_8859_1);
    }

    /** The files of that name anywhere below the test's folder. */
    private List<Path> files(String name) throws IOException {
        try (var all = Files.walk(folder)) {
            return all.filter(file -> file.endsWith(name)).toList();
        }
    }

    private static Path executable(Path file, String text) throws IOException {
        Files.writeString(file, text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
