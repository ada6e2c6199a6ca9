// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.cli.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AiuCommandTest {
    @TempDir
    Path folder;

    private String input = "";
    private String said = "";

    @BeforeEach
    void makeInput() throws IOException {
        input = Files.writeString(
                        folder.resolve("in.json"),
                        "[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":2,\"pid\":0,\"tid\":1}]")
                .toString();
    }

    private int run(String... arguments) {
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        List<String> all = new ArrayList<>(List.of("aiu"));
        all.addAll(List.of(arguments));
        int status = Main.run(out, out, all.toArray(String[]::new));
        said = text.toString();
        return status;
    }

    @Test
    void writesTheTraceAndItsTables() {
        assertThat(run("-i", input, "-o", folder + "/out.json", "--compat", "acelyzer"))
                .isZero();

        assertThat(folder.resolve("out.json")).content().contains("\"displayTimeUnit\": \"ns\"");
        assertThat(folder.resolve("out_summary.csv")).exists();
        assertThat(said).contains("INFO Starting Test parser").contains("Exported events:  7");
    }

    @Test
    void longOptionsMayBeCutShort() {
        assertThat(run("--inp", input, "--outp", folder + "/out.json", "--no_s"))
                .isZero();

        assertThat(folder.resolve("out_summary.csv")).doesNotExist();
    }

    @Test
    void countersMayBeNoneAtAll() {
        assertThat(run("-i", input, "-o", folder + "/out.json", "-C")).isZero();

        assertThat(folder.resolve("out.json")).content().contains("\"counter\": []");
    }

    @ParameterizedTest
    @ValueSource(strings = {"abcd", "560:defg", "560.0:-800", "-500.0"})
    void frequenciesArePositiveNumbers(String frequency) {
        assertThat(run("-i", input, "-o", folder + "/out.json", "--freq", frequency))
                .isEqualTo(2);

        assertThat(folder.resolve("out.json")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"bad\":1}", "{\"skip\":\"x\"}", "[]", "{", "{} {}"})
    void limitsAreObjectsOfKnownMembers(String limit) {
        assertThat(run("-i", input, "--event_limit", limit)).isEqualTo(2);
    }

    @Test
    void eventsOutsideOfTheWindowAreLeftOut() {
        assertThat(run("-i", input, "-o", folder + "/out.json", "--event_limit", "{\"ts_start\": 4}"))
                .isZero();

        assertThat(folder.resolve("out.json")).content().contains("\"traceEvents\": []");
    }

    @Test
    void needsAnInput() {
        assertThat(run("-o", "x.json")).isEqualTo(2);
        assertThat(run("-i", input, "--version")).isEqualTo(2);
        assertThat(run("--version")).isZero();
    }

    @Test
    void countersOfPowerExcludeEachOther() {
        assertThat(run("-i", input, "-C", "power_ts3", "power_ts4")).isEqualTo(2);
        assertThat(run("-i", input, "-C", "power_ts3,power_ts4")).isEqualTo(2);
    }

    @Test
    void aFileThatIsNotThereIsNamed() {
        assertThat(run("-i", folder + "/none.json")).isEqualTo(3);

        assertThat(said).contains("no input files found");
    }

    @Test
    void anUnknownFormatIsRefused() {
        assertThat(run("-i", input, "-o", folder + "/out.pb", "-f", "protobuf")).isEqualTo(2);
        assertThat(run("-i", input, "-o", folder + "/out.pb", "-f", "protobuf", "--compat", "acelyzer"))
                .isZero();
    }
}
