// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.piep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.codec.Json;
import dev.lockstep.codec.Json.Members;
import dev.lockstep.replay.reconcile.Part;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class PiepResultsTest {
    private static Members document(String text) throws IOException {
        return (Members) Json.parse(text);
    }

    /** Below 0 it would make up for what others took. */
    @Test
    void aTimeThatCannotBeIsNotMeasured() throws IOException {
        List<Part> parts = new PiepResults()
                .isolated(
                        document(
                                "{\"kernels\":[{\"name\":\"a\",\"single_time_us\":-4},{\"name\":\"b\",\"single_time_us\":4}]}"),
                        "x")
                .parts();

        assertThat(parts).extracting(Part::isMeasured).containsExactly(false, true);
    }

    @Test
    void aWholeOfNoTimeAndNoEnergyIsNotKnown() throws IOException {
        Members stated = document("{\"full_model_inference_us\":0,\"energy_joules\":-3,\"num_runs\":10}");

        assertThat(new PiepResults().whole(stated, "x").ns()).isNaN();
        assertThat(new PiepResults().whole(stated, "x").joules()).isNaN();
    }
}
