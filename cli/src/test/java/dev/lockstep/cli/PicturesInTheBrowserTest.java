// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.testkit.DrivenBrowser;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.imageio.ImageIO;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The pictures of the documents show what the program makes: they are taken anew and compared, roughly, since fonts differ
 * from machine to machine. {@code config/pictures} replaces them.
 */
class PicturesInTheBrowserTest {
    private static final int WIDTH = 1180;
    private static final int CELLS = 24;

    /** How far the brightness of cells may be away in the mean, of 255: other pages of ours are 9 and more apart. */
    private static final double TOLERANCE = 7;

    private static final int MOST_BYTES = 160_000;

    @TempDir
    static Path folder;

    private static DrivenBrowser browser;

    @BeforeAll
    static void pages() throws Exception {
        browser = new DrivenBrowser();
        lockstep("synth -o run --ranks 8 --steps 4 --layers 4 --straggler 3:device:1.3 --python-stacks --memory");
        lockstep("report run -o report");
        lockstep("diff run/rank0_trace.json run/rank3_trace.json --html diff.html");
        lockstep("synth -o sweep --sweep 256,512x28,42 --ranks 4 --steps 4 --layers 4");
        lockstep("sweep all sweep");
    }

    @AfterAll
    static void close() throws IOException {
        if (browser != null) { // else the tests were skipped
            browser.close();
        }
    }

    /** In a process of its own, whose current folder is the test's: pages show paths as they were given. */
    private static void lockstep(String line) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.lockstep.cli.Main"));
        command.addAll(List.of(line.split(" ")));
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue())
                .as(line + Files.readString(folder.resolve("log")))
                .isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "run.png, report/report.html, 640, ",
        "report.png, report/rank3/report.html, 720, ",
        "diff.png, diff.html, 720, diff_matched_ops",
        "sweep.png, sweep/lockstep_reports/sweep.html, 480, ",
    })
    void showsWhatTheProgramMakes(String name, String page, int height, @Nullable String marked) throws Exception {
        browser.resize(WIDTH, height);
        browser.open(folder.resolve(page).toUri().toString());
        if (marked != null) {
            browser.click(".findings a.lead[href*=\"mark=" + marked + "\"]");
        }
        browser.show(false, false);
        byte[] taken = browser.picture();
        Path stored = Documents.ROOT.resolve("docs/images").resolve(name);
        if (Boolean.getBoolean("golden.update")) {
            Files.write(stored, taken);
        }
        assertThat(browser.evaluate("document.body.innerText")).doesNotContain(folder.toString());
        assertThat(stored).exists();
        assertThat(Files.size(stored)).isLessThan(MOST_BYTES);
        assertThat(difference(ImageIO.read(stored.toFile()), ImageIO.read(new ByteArrayInputStream(taken))))
                .as("%s shows what the page no longer is; config/pictures takes it anew", name)
                .isLessThan(TOLERANCE);
    }

    /** How far the brightness of parts of two pictures is apart in the mean. */
    private static double difference(BufferedImage one, BufferedImage other) {
        double sum = 0;
        for (int row = 0; row < CELLS; row++) {
            for (int column = 0; column < CELLS; column++) {
                sum += Math.abs(brightness(one, column, row) - brightness(other, column, row));
            }
        }
        return sum / (CELLS * CELLS);
    }

    private static double brightness(BufferedImage picture, int column, int row) {
        int width = picture.getWidth() / CELLS;
        int height = picture.getHeight() / CELLS;
        double sum = 0;
        for (int y = row * height; y < (row + 1) * height; y++) {
            for (int x = column * width; x < (column + 1) * width; x++) {
                int rgb = picture.getRGB(x, y);
                sum += ((rgb >> 16 & 0xFF) + (rgb >> 8 & 0xFF) + (rgb & 0xFF)) / 3.0;
            }
        }
        return sum / (width * height);
    }
}
