// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.error.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProfileTest {
    @TempDir
    Path folder;

    private Profile profile(String text) throws IOException {
        return Profile.load(Files.writeString(folder.resolve("p.json"), text).toString());
    }

    private static List<Boolean> all(Profile profile, String stage, int times) {
        List<Boolean> found = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            found.add(profile.takes(stage));
        }
        return found;
    }

    @Test
    void anEmptyObjectEnablesEverything() throws IOException {
        assertThat(all(profile("{}"), "pipeline_barrier", 4)).containsExactly(true, true, true, true);
    }

    @Test
    void anEmptyListDisablesEverything() throws IOException {
        assertThat(profile("{\"stages\": []}").takes("normalize_phase1")).isFalse();
    }

    @Test
    void theMinimalProfileLeavesOutTheFirstOfRepeatedStages() throws IOException {
        assertThat(all(Profile.load("torch_minimal.json"), "pipeline_barrier", 4))
                .containsExactly(false, true, true, true);
        assertThat(all(Profile.load("torch_minimal.json"), "assert_ts_sequence", 3))
                .containsExactly(false, true, true);
    }

    @Test
    void aRepeatedNameWithoutOrdinalStandsForAll() throws IOException {
        Profile profile = profile("{\"stages\": [{\"normalize_phase1\": true}, {\"sort_events\": true}]}");

        assertThat(profile.takes("normalize_phase1")).isTrue();
        assertThat(all(profile, "sort_events", 4)).containsExactly(true, true, true, true);
    }

    @Test
    void anOrdinalMeansOneOccurrence() throws IOException {
        assertThat(all(profile("{\"stages\": [{\"sort_events#2\": true}]}"), "sort_events", 4))
                .containsExactly(false, true, false, false);
    }

    @Test
    void stagesOutOfOrderAreRefused() {
        assertThatThrownBy(() -> profile("{\"stages\": [{\"normalize_phase2\": true}, {\"normalize_phase1\": true}]}"))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("normalize_phase1");
    }

    @Test
    void anUnknownProfileIsRefused() {
        assertThatThrownBy(() -> Profile.load("nope.json")).isInstanceOf(UserException.class);
    }
}
