// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.goal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.goal.schedule.TextSink;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class NestedCompositionTest {
    @Test
    void blocksBeginAndEndWithNothingToDo() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        TextSink sink = new TextSink(out, 1, 1024);
        NestedComposition blocks = new NestedComposition(sink);
        blocks.add(sink.calc(7, 0));
        blocks.parallel(3);
        blocks.sequence();
        blocks.add(sink.send(0, 1, 0, 3, 0));
        blocks.add(sink.calc(5, 3));
        blocks.close();
        blocks.parallel(3);
        blocks.close();
        blocks.close();
        sink.end();

        assertThat(out.toString(StandardCharsets.US_ASCII)).isEqualTo("""
                l0: calc 7 cpu 0
                l1: calc 0 cpu 3
                l2: send 0b to 1 tag 0 cpu 3 nic 0
                l3: calc 5 cpu 3
                l3 requires l2
                l2 requires l1
                l4: calc 0 cpu 3
                l5: calc 0 cpu 3
                l4 requires l1
                l6: calc 0 cpu 3
                l6 requires l3
                l6 requires l5
                l1 requires l0
                }
                """);
    }
}
