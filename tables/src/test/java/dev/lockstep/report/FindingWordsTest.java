// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.testkit.PlainWords;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Findings are said in plain words, wherever they are made: what no test makes a trace for, too. */
class FindingWordsTest {
    /** Texts that follow one another, as one. */
    private static final Pattern TEXTS = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"(\\s*\\+\\s*(?=\"))?");

    /** A format's places. */
    private static final Pattern PLACES = Pattern.compile("%[+,.\\d]*[sdf]");

    /** Tables and columns that a finding rests on. */
    private static final Pattern BASIS = Pattern.compile("^[a-zA-Z_0-9]+(?:[:,;] .*)?$");

    /** Files that hold the sentences of findings, and little else. */
    private static final Pattern SAID = Pattern.compile("\\w+(?:Findings|Power|Words)\\.java"
            + "|(?:IdleCause|RecordingTool|HostHints|SlowLinks|ScheduleFacts|StragglerReport|RankStragglerReport"
            + "|FleetReport|Unsure|RankGaps|ReplayResultFile|WholeSources|RunAnswer|Bound)\\.java");

    private static List<Path> sources() throws IOException {
        List<Path> sources = new ArrayList<>();
        try (Stream<Path> modules = Files.list(Path.of("..")).filter(Files::isDirectory)) {
            for (Path module : modules.toList()) {
                Path main = module.resolve("src/main/java");
                if (Files.isDirectory(main) && !module.endsWith("compat")) { // the words of other tools
                    try (Stream<Path> files = Files.walk(main)) {
                        files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
                    }
                }
            }
        }
        return sources;
    }

    private static List<String> texts(String source) {
        List<String> texts = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        Matcher found = TEXTS.matcher(source);
        while (found.find()) {
            text.append(found.group(1));
            if (found.group(2) == null) {
                texts.add(PLACES.matcher(text).replaceAll(PlainWords.BLANK).replace("%%", "%"));
                text.setLength(0);
            }
        }
        return texts;
    }

    @Test
    void noFindingIsSaidInRoundaboutWords() throws IOException {
        List<String> faults = new ArrayList<>();
        int read = 0;
        for (Path source : sources()) {
            if (SAID.matcher(String.valueOf(source.getFileName())).matches()) {
                read++;
                for (String text : texts(Files.readString(source))) {
                    if (!BASIS.matcher(text).matches()) {
                        PlainWords.faults(text).forEach(fault -> faults.add(source.getFileName() + ": " + fault));
                    }
                }
            }
        }
        assertThat(read).isGreaterThan(35);
        assertThat(faults).isEmpty();
    }

    @Test
    void longAndRoundaboutSentencesAreFaults() {
        assertThat(PlainWords.faults("The GPU is idle 47 % of the time (512 ms of 1.08 s)."))
                .isEmpty();
        assertThat(PlainWords.faults("It holds 3 GiB, of which 1 GiB is not given out."))
                .hasSize(1);
        assertThat(PlainWords.faults("word ".repeat(21) + "end.")).hasSize(1);
        assertThat(PlainWords.faults("word ".repeat(15) + "end. Word " + "word ".repeat(15)))
                .isEmpty();
        assertThat(PlainWords.faults("aten::mm [[1, 2], [3, 4]] " + "word ".repeat(17)))
                .isEmpty();
    }
}
