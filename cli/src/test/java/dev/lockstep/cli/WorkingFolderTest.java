// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.error.UserException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkingFolderTest {
    @TempDir
    Path folder;

    @Test
    void itIsTheOneOfTheSystem() throws Exception {
        Path actual = Files.createDirectory(folder.resolve("cw_\u00fc"));
        Path another = Files.createDirectory(folder.resolve("cw_??"));

        assertThatCode(() -> WorkingFolder.demand(actual.toString(), actual)).doesNotThrowAnyException();
        assertThatCode(() -> WorkingFolder.demand("anything", folder.resolve("unknown")))
                .as("a system that does not say")
                .doesNotThrowAnyException();
        for (Path known : new Path[] {another, folder.resolve("cw_?")}) {
            assertThatThrownBy(() -> WorkingFolder.demand(known.toString(), actual))
                    .isInstanceOf(UserException.class)
                    .hasMessageContaining(known.toString());
        }
    }
}
