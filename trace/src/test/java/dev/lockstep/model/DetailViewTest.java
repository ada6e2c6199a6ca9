// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DetailViewTest {
    static List<TableKey<? extends DetailView>> keys() {
        return List.of(
                CollectiveDetails.KEY,
                DeviceDetails.KEY,
                Grafts.KEY,
                GraphDetails.KEY,
                LaunchDetails.KEY,
                OpDetails.KEY,
                StepDetails.KEY,
                SyncDetails.KEY);
    }

    /** Slices come latest first, so that rows are renumbered; every second has a row. */
    @ParameterizedTest
    @MethodSource("keys")
    void aViewKnowsTheSlicesOfItsRows(TableKey<? extends DetailView> key) {
        TraceBuilder builder = new TraceBuilder(8);
        int track =
                builder.track(builder.strings().intern("p"), builder.strings().intern("t"));
        for (int i = 0; i < 8; i++) {
            int slice = builder.slice(100 - 10 * i, 5, builder.strings().intern("s" + i), track, SliceKind.KERNEL);
            builder.source(slice, builder.strings().intern("cat"), i);
            if (i % 2 == 0) {
                builder.details(key).add(slice);
            }
        }
        Trace trace = builder.build(
                new TraceInfo("t.json", "test", new Rank(0, Rank.Origin.ORDER), -1, List.of(), 0, Map.of()));
        DetailView view = Objects.requireNonNull(trace.view(key));

        assertThat(view.size()).isEqualTo(4);
        for (int slice = 0; slice < 8; slice++) {
            boolean has = (7 - slice) % 2 == 0;
            assertThat(view.of(slice) >= 0).isEqualTo(has);
            if (has) {
                assertThat(view.slice(view.of(slice))).isEqualTo(slice);
            }
        }
    }
}
