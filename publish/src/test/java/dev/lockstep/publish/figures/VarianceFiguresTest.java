// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.figures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.publish.plot.Mark;
import dev.lockstep.publish.plot.Panel;
import dev.lockstep.publish.plot.Sample;
import dev.lockstep.publish.plot.Series;
import java.util.List;
import org.junit.jupiter.api.Test;

class VarianceFiguresTest {
    /** 512 threads ran with 42 channels only, 256 threads with 30 and 42. */
    private static final VarianceFile FILE = new VarianceFile(
            List.of(
                    new GemmRange(256, 30, 0, "k", 10),
                    new GemmRange(256, 30, 1, "k", 20),
                    new GemmRange(256, 42, 0, "k", 30),
                    new GemmRange(512, 42, 1, "k", 50)),
            0);

    private static Panel panel(VarianceLook look, int figure) {
        return VarianceFigures.of(FILE, look).get(figure).picture().panels().getFirst();
    }

    private static List<Series> lines(VarianceLook look) {
        return ((Mark.Lines) panel(look, 4).mark()).series();
    }

    @Test
    void filesHaveTheirNamesAndSizes() {
        List<Figure> figures = VarianceFigures.of(FILE, VarianceLook.RIGHT);

        assertThat(figures).extracting(Figure::file).containsExactlyElementsOf(VarianceFigures.FILES);
        assertThat(figures).extracting(f -> f.picture().width()).containsExactly(2895, 3495, 4095, 5894, 3496);
        assertThat(figures).extracting(f -> f.picture().height()).containsExactly(1698, 1698, 1698, 1814, 1998);
    }

    @Test
    void groupsSayHowManyValuesTheyHave() {
        List<Sample> samples = ((Mark.Boxes) panel(VarianceLook.RIGHT, 0).mark()).samples();

        assertThat(samples).extracting(Sample::label).containsExactly("256 threads", "512 threads");
        assertThat(samples).extracting(Sample::note).containsExactly("n = 3", "n = 1");
        assertThat(samples.getFirst().values()).containsExactly(10, 20, 30);
    }

    @Test
    void aCombinationThatWasNotRunIsAGap() {
        assertThat(((Mark.Lines) panel(VarianceLook.RIGHT, 4).mark()).places()).containsExactly("30", "42");
        assertThat(lines(VarianceLook.RIGHT).getFirst().values()).containsExactly(15, 30);
        assertThat(lines(VarianceLook.RIGHT).getLast().values()).containsExactly(Double.NaN, 50);
    }

    @Test
    void aortaKnowsFourChannelCountsAndDrawsZeroForWhatWasNotRun() {
        assertThat(((Mark.Lines) panel(VarianceLook.AORTA, 4).mark()).places()).containsExactly("28", "42", "56", "70");
        assertThat(lines(VarianceLook.AORTA).getFirst().values()).containsExactly(0, 30, 0, 0);
        assertThat(lines(VarianceLook.AORTA).getLast().values()).containsExactly(0, 50, 0, 0);
        assertThat(panel(VarianceLook.AORTA, 0).y()).isEqualTo("Time Difference (us)");
    }

    @Test
    void valuesOfManySizesHaveALogarithmicAxis() {
        VarianceFile wide = new VarianceFile(
                List.of(
                        new GemmRange(256, 28, 0, "k", 0.1),
                        new GemmRange(256, 28, 1, "k", 1),
                        new GemmRange(256, 28, 2, "k", 900)),
                0);
        Panel own = VarianceFigures.of(wide, VarianceLook.RIGHT)
                .getFirst()
                .picture()
                .panels()
                .getFirst();
        Panel other = VarianceFigures.of(wide, VarianceLook.AORTA)
                .getFirst()
                .picture()
                .panels()
                .getFirst();

        assertThat(own.logarithmic()).isTrue();
        assertThat(own.y()).endsWith("logarithmic");
        assertThat(other.logarithmic()).isFalse();
    }

    @Test
    void numbersSayWhatPicturesShow() {
        assertThat(VarianceFigures.lines(FILE))
                .contains("threads     256: mean 20.00 us, median 20.00 us, max 30.00 us, n = 3")
                .hasSize(6);
    }
}
