// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.plot;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PictureWriterTest {
    private static final String KERNEL =
            "Cijk_Ailk_Bljk_BBS_BH_Bias_HAS_SAV_UserArgs_MT256x256x64_MI16x16x1_SN_LDSB1_AFC1_AFEM1";

    /** Few and many places, short and long labels, values of every size and sign, and none at all. */
    static Stream<Picture> pictures() {
        List<Picture> pictures = new ArrayList<>();
        for (int places : new int[] {0, 1, 2, 9, 64}) {
            for (String label : List.of("%d", "Rank %d", "reduce_scatter_tensor\n%d\nBFloat16", KERNEL + "%d")) {
                for (double size : new double[] {0, 1e-9, 37, -4e6, 1e300, Double.NaN}) {
                    pictures.add(picture(places, label, size));
                }
            }
        }
        return pictures.stream();
    }

    private static Picture picture(int places, String label, double size) {
        List<String> labels =
                IntStream.range(0, places).mapToObj(i -> label.formatted(i)).toList();
        Colour blue = Palette.series(0);
        List<Sample> samples = labels.stream()
                .map(name -> new Sample(name, "n = 12", values(12, size), blue))
                .toList();
        List<Series> series = List.of(
                new Series("56cu_256threads", values(places, size), blue),
                new Series(KERNEL, values(places, size), Palette.series(1), Palette.WORSE));
        double[][] cells = labels.stream().map(name -> values(places, size)).toArray(double[][]::new);
        List<Panel> panels = List.of(
                new Panel("Boxes", "x", "y, µs", new Mark.Boxes(samples, true), true),
                new Panel("Violins", "", "", new Mark.Violins(samples)),
                new Panel("", "x", "y", new Mark.Lines(labels, series)),
                new Panel(KERNEL, "x", "y", new Mark.Bars(labels, series)),
                new Panel("Rows", "x", "", new Mark.RowBars(labels, series, "%")),
                new Panel("Heat", "x", "y", new Mark.Heat(labels, labels, cells, "Change, %", true, 5)));
        return new Picture("Title of " + label.formatted(7), "How to read it", "Note", 2400, 2700, 150, 2, panels);
    }

    private static double[] values(int count, double size) {
        Random random = new Random(count);
        double[] values = new double[count];
        Arrays.setAll(values, i -> size * (0.2 + random.nextDouble()));
        return values;
    }

    @ParameterizedTest
    @MethodSource("pictures")
    void everyTextLiesInsideThePicture(Picture picture) {
        double pointsPerPixel = 72.0 / picture.dpi();
        for (SvgTexts.Box text : SvgTexts.of(PictureWriter.svg(picture))) {
            assertThat(text.left()).as(text.text()).isGreaterThanOrEqualTo(0);
            assertThat(text.top()).as(text.text()).isGreaterThanOrEqualTo(0);
            assertThat(text.right()).as(text.text()).isLessThanOrEqualTo(picture.width() * pointsPerPixel);
            assertThat(text.bottom()).as(text.text()).isLessThanOrEqualTo(picture.height() * pointsPerPixel);
        }
    }

    @ParameterizedTest
    @MethodSource("pictures")
    void noTextLiesOnAnother(Picture picture) {
        List<SvgTexts.Box> texts = SvgTexts.of(PictureWriter.svg(picture)).stream()
                .filter(text -> !text.slanted())
                .toList();
        List<String> overlapping = new ArrayList<>();
        for (int i = 0; i < texts.size(); i++) {
            for (int j = 0; j < i; j++) {
                if (texts.get(i).overlaps(texts.get(j))) {
                    overlapping.add(texts.get(i) + " on " + texts.get(j));
                }
            }
        }

        assertThat(overlapping).isEmpty();
    }

    @Test
    void aPictureHasItsSizeAndColours() throws IOException {
        byte[] png = PictureWriter.png(picture(3, "Rank %d", 37));

        BufferedImage image = ImageIO.read(new ByteArrayInputStream(png));

        assertThat(image.getWidth()).isEqualTo(2400);
        assertThat(image.getHeight()).isEqualTo(2700);
        assertThat(image.getRGB(0, 0)).isEqualTo(Color.WHITE.getRGB());
        assertThat(colours(image)).contains(0xff0072b2, 0xffe69f00);
    }

    private static List<Integer> colours(BufferedImage image) {
        int[] pixels = image.getRGB(0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth());
        return Arrays.stream(pixels).distinct().boxed().toList();
    }

    @Test
    void theSamePictureGivesTheSameBytes() {
        assertThat(PictureWriter.png(picture(9, "Rank %d", 37)))
                .isEqualTo(PictureWriter.png(picture(9, "Rank %d", 37)));
        assertThat(PictureWriter.svg(picture(9, "Rank %d", 37)))
                .isEqualTo(PictureWriter.svg(picture(9, "Rank %d", 37)));
    }

    @Test
    void aGapInterruptsALine() {
        double[] gapped = {1, 2, Double.NaN, 3, 4};
        Panel panel = new Panel(
                "",
                "",
                "",
                new Mark.Lines(List.of("a", "b", "c", "d", "e"), List.of(new Series("s", gapped, Palette.series(0)))));

        String svg = PictureWriter.svg(new Picture("t", "", "", 800, 400, 100, 1, List.of(panel)));

        // Two pieces of two points each, in one path.
        assertThat(svg)
                .containsPattern("<path d=\"M[\\d. ]+L[\\d. ]+M[\\d. ]+L[\\d. ]+\" fill=\"none\" stroke=\"#0072b2\"");
    }

    @Test
    void textIsEscaped() {
        String svg = PictureWriter.svg(new Picture("a <b> & \"c\" \u0001", "", "", 800, 400, 100, 1, List.of()));

        assertThat(SvgTexts.of(svg)).extracting(SvgTexts.Box::text).containsExactly("a <b> & \"c\"");
    }
}
