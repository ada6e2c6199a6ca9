// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.error.UserException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MountsTest {
    private static final String CONFIG = """
        services:
          rocm70:
            working_dir: /workspace
            volumes:
              - type: bind
                source: /no/home
                target: /home
              - type: bind
                source: /no/home/work
                target: /workspace
              - type: volume
                source: cache
                target: /cache
          old:
            volumes: ['/no/data:/data:ro']
          bare: {image: x}
        """;

    @ParameterizedTest
    @CsvSource({
        "rocm70, /no/home/work, ''",
        "rocm70, /no/home/work/aorta/x, /workspace/aorta/x",
        "rocm70, /no/home/other, /home/other",
        "old, /no/data/run, /data/run"
    })
    void theDeepestMountSaysWhereAFolderIsSeen(String service, String here, String seen) {
        assertThat(mounts(service, CONFIG).folder(Path.of(here))).isEqualTo(seen);
    }

    @Test
    void aFolderThatAServiceDoesNotSeeIsRefusedWithWhatItSees() {
        assertThatThrownBy(() -> mounts("rocm70", CONFIG).folder(Path.of("/no/homework")))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("rocm70 does not see the folder /no/homework")
                .hasMessageContaining("/no/home/work as /workspace");
        assertThatThrownBy(() -> mounts("bare", CONFIG).folder(Path.of("/no/home")))
                .hasMessageContaining("it mounts none");
    }

    @Test
    void aServiceThatIsNotThereIsNamedWithThoseThatAre() {
        assertThatThrownBy(() -> mounts("torchenv", CONFIG).folder(Path.of("/no/home")))
                .isInstanceOfSatisfying(
                        UserException.class, e -> assertThat(e.hint()).contains("known: bare, old, rocm70"))
                .hasMessageContaining("has no service torchenv");
    }

    @ParameterizedTest
    @CsvSource({"''", "'services: {}'", "'services: ['", "'- 1'"})
    void whereTheEngineDoesNotSayTheServiceStartsWhereItWould(String config) {
        assertThat(mounts("rocm70", config).folder(Path.of("/no/home"))).isEmpty();
    }

    private static Mounts mounts(String service, String config) {
        return new Mounts(new Container(Path.of("compose.yaml"), service), config);
    }
}
