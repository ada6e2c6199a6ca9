// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class SparkTrialTest {
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
