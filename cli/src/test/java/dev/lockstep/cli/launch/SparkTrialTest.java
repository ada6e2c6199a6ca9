// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.Lockstep;
import dev.lockstep.fleet.FleetAnalysis;
import dev.lockstep.fleet.FleetPlaces;
import dev.lockstep.session.RankSelection;
import dev.lockstep.sql.FleetTables;
import dev.lockstep.sql.QuerySources;
import dev.lockstep.synth.Layout;
import dev.lockstep.synth.Straggler;
import dev.lockstep.synth.SyntheticRun;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.synth.TraceRecipe;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SparkTrialTest {
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

    /** A module of ours that a POM needs to compile, by name. */
    private static final Pattern DEPENDENCY = Pattern.compile("<dependency>\\s*<groupId>dev\\.lockstep</groupId>"
            + "\\s*<artifactId>lockstep-([a-z-]+)</artifactId>\\s*</dependency>");

    private static List<String> jars() throws IOException {
        return Arrays.stream(SparkTrial.known().getProperty("jars").split(","))
                .map(String::strip)
                .toList();
    }

    @Test
    void everyLibraryHasAVersionASizeAndASum() throws IOException {
        assertThat(jars())
                .hasSizeGreaterThan(100)
                .doesNotHaveDuplicates()
                .allSatisfy(jar -> assertThat(jar)
                        .matches("[a-zA-Z0-9._-]+:[a-zA-Z0-9._-]+:[a-zA-Z0-9._-]+:[a-z0-9_-]+ [0-9]+ [0-9a-f]{64}"));
    }

    /** A trial hands executors what the module stands on, and the document tells users to do the same. */
    @Test
    void executorsGetEveryModuleThatTheJobStandsOn() throws IOException {
        Set<String> needed = new TreeSet<>();
        List<String> left = new ArrayList<>(List.of("spark"));
        while (!left.isEmpty()) {
            String pom = Files.readString(ROOT.resolve(left.removeLast() + "/pom.xml"));
            DEPENDENCY
                    .matcher(pom)
                    .results()
                    .map(found -> found.group(1))
                    .filter(needed::add)
                    .forEach(left::add);
        }
        assertThat(needed).contains("ranks", "trace");

        assertThat(SparkTrial.program().stream().map(Path::toString))
                .map(path -> path.replaceFirst(".*?([^/]+)/target/.*", "$1"))
                .containsExactlyInAnyOrderElementsOf(needed);
        String document = Files.readString(ROOT.resolve("docs/how-to/analyse-a-fleet-on-spark.md"));
        assertThat(needed).allSatisfy(module -> assertThat(document).contains("lib/lockstep-" + module + "-"));
    }

    /** Beside the program, not in a folder of that name above: in a shared one that may be anybody's. */
    @Test
    void theModuleLiesBesideTheProgram(@TempDir Path shared) throws IOException {
        Path lib = Files.createDirectories(shared.resolve("lockstep/lib"));
        Path program = Files.createFile(lib.resolve("lockstep-ranks-1.jar"));
        Files.createFile(Files.createDirectories(shared.resolve("spark")).resolve("lockstep-spark-1.0.jar"));
        assertThatThrownBy(() -> SparkTrial.module(program)).hasMessageContaining("is not beside this program");

        Path spark = Files.createDirectories(shared.resolve("lockstep/spark"));
        Files.createFile(spark.resolve("lockstep-spark-1.0.jar"));
        Path later = Files.createFile(spark.resolve("lockstep-spark-1.1.jar"));
        assertThat(SparkTrial.module(program)).isEqualTo(later);

        Path classes = Files.createDirectories(shared.resolve("tree/ranks/target/classes"));
        Path built = Files.createFile(
                Files.createDirectories(shared.resolve("tree/spark/target")).resolve("lockstep-spark-1.0.jar"));
        assertThat(SparkTrial.module(classes)).isEqualTo(built);
    }

    /** Others of the machine can connect to its loopback interface. What a command line holds they can read: no secret does. */
    @Test
    void sparkListensOnThisMachineToWhoKnowsItsSecret(@TempDir Path scratch) {
        assertThat(SparkTrial.settings(scratch))
                .contains(
                        "spark.authenticate=true",
                        "spark.driver.host=127.0.0.1",
                        "spark.driver.bindAddress=127.0.0.1",
                        "spark.ui.enabled=false",
                        "spark.local.dir=" + scratch)
                .noneMatch(setting -> setting.contains("secret"));
    }

    /** Only classes of findings are taken from the job, wherever they lie; all that findings consist of is. */
    @Test
    void whatTheJobFoundIsTaken(@TempDir Path folder) throws IOException {
        TraceRecipe recipe = SyntheticTraces.smallRecipe(24)
                .withStraggler(TraceRecipe.NO_STRAGGLER, 1)
                .withModel(new TraceRecipe.Model(1, 1024, 1024, 2))
                .withSteps(5)
                .withStraggler(new Straggler(2, Straggler.Kind.DEVICE, 1.5));
        SyntheticRun.write(folder.resolve("run"), recipe, Layout.flat());
        Path facts = folder.resolve("facts");
        try (Lockstep lockstep = Lockstep.open();
                QuerySources sources = QuerySources.fleet(
                        lockstep.read(List.of(folder.resolve("run").toString()), RankSelection.any()))) {
            FleetAnalysis found =
                    FleetAnalysis.of(FleetTables.of(sources.database(), null), new FleetPlaces(null, 4), List.of());
            try (ObjectOutputStream out = new ObjectOutputStream(Files.newOutputStream(facts))) {
                out.writeObject(found);
            }
            assertThat(found.run().kernels()).isNotEmpty();
            FleetAnalysis taken = SparkTrial.read(facts);
            assertThat(taken.run()).isEqualTo(found.run());
            assertThat(taken.steps().ranks()).isEqualTo(found.steps().ranks());
        }
    }

    /** The module is compiled against the Spark that a trial fetches. */
    @Test
    void itIsTheSparkOfTheBuild() throws IOException {
        String version = SparkTrial.known().getProperty("version");
        assertThat(Path.of("..", "pom.xml")).content().contains("<spark.version>" + version + "</spark.version>");
        assertThat(jars()).anyMatch(jar -> jar.startsWith("org.apache.spark:spark-core_2.13:" + version + ":- "));
    }

    @Test
    void withoutLibrariesItIsSaidWhatToPutWhere() throws IOException {
        assertThat(SparkTrial.libraries().byHand())
                .startsWith("Set SPARK_HOME to the folder of a Spark 4.2 that is here. Without a way to Maven Central");
    }
}
