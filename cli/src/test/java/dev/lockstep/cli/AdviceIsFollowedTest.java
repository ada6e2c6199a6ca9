// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.cli.AdvisedTrace.Part;
import dev.lockstep.derive.RecordingTool;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each advice on recording is tried: a trace that lacks something gets it, the same trace recorded as advised does not, and has the thing. */
class AdviceIsFollowedTest {
    private static final Pattern SAID = Pattern.compile("\"(text|reason|advice|code)\" *: *\"((?:[^\"\\\\]|\\\\.)*)\"");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    /** An advice that there is, of a recorder on a part of what it can record. */
    record Advice(RecordingTool tool, Part part, String text) {
        @Override
        public String toString() {
            return tool + " " + part;
        }
    }

    /** Every text of the table of recorders. */
    static List<Advice> advice() {
        return Arrays.stream(RecordingTool.values())
                .flatMap(tool -> texts().map(text ->
                        new Advice(tool, Part.valueOf(text.getName().toUpperCase(Locale.ROOT)), invoke(text, tool))))
                .filter(advice -> !advice.text.isEmpty())
                .toList();
    }

    private static Stream<Method> texts() {
        return Arrays.stream(RecordingTool.class.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()))
                .filter(method -> method.getReturnType() == String.class && method.getParameterCount() == 0)
                .filter(method -> !method.getName().equals("toString"));
    }

    private static String invoke(Method text, RecordingTool tool) {
        try {
            return ((String) text.invoke(tool)).strip();
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void everyKindOfAdviceHasATraceThatLacksIt() {
        Set<String> kinds = texts().map(Method::getName).collect(Collectors.toCollection(TreeSet::new));
        assertThat(kinds)
                .isEqualTo(Arrays.stream(Part.values())
                        .map(part -> part.name().toLowerCase(Locale.ROOT))
                        .collect(Collectors.toCollection(TreeSet::new)));
        assertThat(advice()).hasSizeGreaterThan(15);
    }

    private String said(AdvisedTrace trace, String name, boolean marked) throws IOException, SQLException {
        Path file = trace.write(Files.createDirectory(folder.resolve(name)));
        Path json = folder.resolve(name + ".json");
        Object[] command = {"report", file, "--json", json, "--csv", folder.resolve(name + "_csv"), "--allow-partial"};
        Object[] steps = {"--step-annotation", "step"};
        int status = TestProgram.run(
                out,
                err,
                marked
                        ? Stream.concat(Arrays.stream(command), Arrays.stream(steps))
                                .toArray()
                        : command);
        assertThat(status).as(err.toString()).isZero();
        return SAID.matcher(Files.readString(json))
                .results()
                .map(text -> text.group(1) + " " + text.group(2))
                .collect(Collectors.joining("\n"));
    }

    @ParameterizedTest
    @MethodSource("advice")
    void followedAdviceIsNotGivenAgain(Advice advice) throws IOException, SQLException {
        boolean marked = advice.part == Part.STEPS && advice.text.contains("pattern");
        String lacking = said(new AdvisedTrace(advice.tool).without(advice.part), "lacking", false);
        String following = said(new AdvisedTrace(advice.tool), "following", marked);

        assertThat(lacking).contains(advice.text);
        assertThat(following).doesNotContain(advice.text);
        String csv = folder.resolve("following_csv") + "/";
        switch (advice.part) {
            case HOST ->
                assertThat(Files.readString(Path.of(csv + "idle_causes.csv"))).doesNotContain("no_host");
            case WAITS -> assertThat(following).doesNotContain("waits_not_recorded");
            case STEPS -> assertThat(Path.of(csv + "gpu_timeline_by_step.csv")).exists();
            case DEVICES -> assertThat(Path.of(csv + "kernel_summary.csv")).exists();
            case LOST -> assertThat(following).doesNotContain("lost_activity");
        }
    }

    @ParameterizedTest
    @MethodSource("advice")
    void nobodyIsToldOptionsOfAnotherProfiler(Advice advice) throws IOException, SQLException {
        String lacking = said(new AdvisedTrace(advice.tool).without(advice.part), "lacking", false);
        if (!advice.tool.isTorch()) {
            assertThat(lacking)
                    .doesNotContain("ProfilerActivity", "with_stack", "record_shapes", "profile_memory", "prof.step");
        }
        if (advice.tool != RecordingTool.NSYS) {
            assertThat(lacking).doesNotContain("nsys ", "--trace=");
        }
        if (advice.tool != RecordingTool.ROCPROF) {
            assertThat(lacking).doesNotContain("rocprofv3");
        }
        if (advice.tool != RecordingTool.TORCH) {
            assertThat(lacking).doesNotContain("enable_cuda_sync_events");
        }
    }
}
