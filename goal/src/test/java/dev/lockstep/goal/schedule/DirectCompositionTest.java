// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DirectCompositionTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final TextSink sink = new TextSink(bytes, 1, 1024);
    private final DirectComposition blocks = new DirectComposition(sink);

    @BeforeEach
    void begin() throws IOException {
        sink.begin(0);
    }

    private void calc() throws IOException {
        blocks.add(sink.calc(1, 0));
    }

    private List<String> edges() throws IOException {
        sink.end();
        return bytes.toString(StandardCharsets.US_ASCII)
                .lines()
                .filter(line -> line.contains("requires"))
                .toList();
    }

    @Test
    void partsOfASequenceFollowEachOther() throws IOException {
        calc();
        calc();
        calc();

        assertThat(edges()).containsExactly("l1 requires l0", "l2 requires l1");
    }

    @Test
    void partsOfAParallelBlockWaitForWhatCameBeforeAndWhatFollowsWaitsForThemAll() throws IOException {
        calc();
        blocks.parallel(0);
        calc();
        blocks.sequence();
        calc();
        calc();
        blocks.close();
        blocks.close();
        calc();

        assertThat(edges())
                .containsExactly(
                        "l1 requires l0", "l2 requires l0", "l3 requires l2", "l4 requires l1", "l4 requires l3");
    }

    @Test
    void emptyBlocksChangeNothing() throws IOException {
        calc();
        blocks.parallel(0);
        blocks.sequence();
        blocks.close();
        blocks.parallel(0);
        blocks.close();
        blocks.close();
        calc();

        assertThat(edges()).containsExactly("l1 requires l0");
    }

    @Test
    void manyAreBroughtTogetherBeforeManyWaitForThem() throws IOException {
        blocks.parallel(0);
        for (int i = 0; i < 4; i++) {
            calc();
        }
        blocks.close();
        blocks.parallel(0);
        calc();
        calc();
        blocks.close();

        assertThat(edges())
                .containsExactly(
                        "l4 requires l0",
                        "l4 requires l1",
                        "l4 requires l2",
                        "l4 requires l3",
                        "l5 requires l4",
                        "l6 requires l4");
    }

    @Test
    void afterARestartNothingIsWaitedForButWhatIsNamed() throws IOException {
        calc();
        blocks.restart();
        calc();
        blocks.restart();
        blocks.await(0);
        blocks.await(1);
        calc();

        assertThat(edges()).containsExactly("l2 requires l0", "l2 requires l1");
    }
}
