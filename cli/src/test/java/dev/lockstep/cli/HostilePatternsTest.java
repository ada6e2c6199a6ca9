// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * No pattern of the program takes time with the square of a text that it is sought in: a name in a file may have 100,000
 * characters. What is looked at is counted, not timed.
 */
class HostilePatternsTest {
    /** Patterns that only whole texts are held against, from their beginning, or texts whose length is limited before. */
    private static final Set<String> NOT_SOUGHT = Set.of(
            "CompilerInfo.PHASE",
            "CompilerInfo.ROW",
            "LogFile.TIME",
            "PrepareFlows.SENDS",
            "AllocationOwners.BACKWARD",
            "StackOwner.BACKWARD",
            "StackOwner.OPTIMIZER",
            "GanttWindow.WINDOW",
            "Secrets.SPEAKING_WORDS",
            "Secrets.COUNTING",
            "GemmSheet.FLOAT",
            "PandasNumber.SHAPE",
            "HtaPath.INSTANCE",
            "HostNames.IN_FILE_NAME",
            "RankWork.BLOCKING",
            "Steps.NUMBER",
            "TimelineTracks.HOST",
            "CommunicatorLog.MEMBER",
            "ProfilerOpNames.NUMBERED",
            "GivenTime.TIME",
            "IterationAnnotation.SGLANG_BARE",
            "PathRequest.ONE",
            "Questions.PLACE",
            "PowerLog.UNIT",
            "NodeStream.NODE",
            "OperatorNames.AUTOGRAD",
            "SweepGrid.THREAD_FOLDER",
            "SweepGrid.CHANNEL_FOLDER",
            "SweepGrid.PERFORMANCE",
            "SweepGrid.COLLECTIVES",
            "NsysDocument.OPERATOR",
            "ReadOnlyQuery.EXPLAIN",
            "ReadOnlyQuery.UNSEEN",
            "WorkbookFormat.NEXT",
            "WorkbookParts.EXTENT",
            "NamedFiles.ADDRESS",
            "CellKind.NUMBER");

    private static final List<String> COMMON = List.of("1", "a", "_", " ", "_1", "A", "(", "#", "x=1 ", ".");
    private static final int SHORT = 250;
    private static final int LONG = 5_000;
    private static final int LITTLE_STACK = 1 << 18;
    private static final long ENOUGH = 1 << 20;

    /** Steps for each character that a linear pattern may take, alternatives and bounded repetitions among them. */
    private static final int STEPS = 400;

    private static final class Counted implements CharSequence {
        private final String text;
        private final long most;
        private long steps;

        private Counted(String text, long most) {
            this.text = text;
            this.most = most;
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public char charAt(int at) {
            if (++steps > most) {
                throw new IllegalStateException("enough was looked at");
            }
            return text.charAt(at);
        }

        @Override
        public CharSequence subSequence(int from, int to) {
            return text.substring(from, to);
        }

        @Override
        public String toString() {
            return text;
        }
    }

    @Test
    void seekingTakesTimeInProportionToTheText() throws Exception {
        Set<String> slow = new TreeSet<>();
        patterns().forEach((name, pattern) -> {
            String worst = NOT_SOUGHT.contains(name) ? "" : slow(pattern);
            if (!worst.isEmpty()) {
                slow.add(name + " " + pattern + " on " + worst);
            }
        });

        assertThat(slow).isEmpty();
    }

    /** Repeated alternatives take some of the stack for each repetition; here there is little of it. */
    @Test
    void theStackSufficesForLongTexts() throws Exception {
        Map<String, Pattern> patterns = patterns();
        patterns.put("too deep", Pattern.compile("(?:a|b)*c"));
        Set<String> deep = new TreeSet<>();
        Thread little = new Thread(
                null,
                () -> patterns.forEach((name, pattern) -> texts(pattern, LONG).stream()
                        .filter(text -> overflows(pattern, text))
                        .forEach(text -> deep.add(name + " on " + text.substring(0, 20)))),
                "little stack",
                LITTLE_STACK);
        little.start();
        little.join();

        assertThat(deep).isNotEmpty().allMatch(found -> found.startsWith("too deep on "));
    }

    private static boolean overflows(Pattern pattern, String text) {
        try {
            pattern.matcher(new Counted(text, ENOUGH)).matches();
            return false;
        } catch (IllegalStateException enough) {
            return false;
        } catch (StackOverflowError e) {
            return true;
        }
    }

    private Map<String, Pattern> patterns() throws Exception {
        Map<String, Pattern> patterns = new LinkedHashMap<>();
        for (String name : classes()) {
            for (Field field :
                    Class.forName(name, false, getClass().getClassLoader()).getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers()) && field.getType() == Pattern.class) {
                    field.setAccessible(true);
                    patterns.put(name.replaceAll(".*[.$]", "") + "." + field.getName(), (Pattern) field.get(null));
                }
            }
        }
        assertThat(patterns).hasSizeGreaterThan(100).containsKey("TraceNames.STAMP");
        rules(patterns, "/dev/lockstep/derive/kernel-classes.txt", 2);
        rules(patterns, "/dev/lockstep/analyze/op-categories.txt", 2);
        rules(patterns, "/dev/lockstep/analyze/idle-causes.txt", 2);
        rules(patterns, "/dev/lockstep/kernels/kernel-categories.txt", 1);
        return patterns;
    }

    /** Texts that repeat what a pattern speaks of, behind what it may begin with. */
    private static List<String> texts(Pattern pattern, int length) {
        Set<String> words = words(pattern);
        return Stream.concat(Stream.of(""), words.stream())
                .flatMap(head -> Stream.concat(words.stream(), COMMON.stream())
                        .map(word -> head + word.repeat(1 + length / word.length()) + "!"))
                .toList();
    }

    private static Set<String> words(Pattern pattern) {
        Set<String> words = new LinkedHashSet<>();
        Matcher literal = Pattern.compile("[A-Za-z0-9_:=/\" -]+")
                .matcher(pattern.pattern().replaceAll("\\\\[a-zA-Z]", "\n"));
        while (literal.find() && words.size() < 8) {
            words.add(literal.group());
        }
        return words;
    }

    /** The text on which the pattern is slow; nothing when none was found. */
    private static String slow(Pattern pattern) {
        Set<String> words = words(pattern);
        List<String> repeated = Stream.concat(words.stream(), COMMON.stream()).toList();
        List<String> first = Stream.concat(Stream.of(""), words.stream()).toList();
        for (String head : first) {
            for (String word : repeated) {
                int times = 1 + SHORT / word.length();
                long once = steps(pattern, head + word.repeat(times) + "!");
                String text = head + word.repeat(4 * times) + "!";
                long more = steps(pattern, text);
                if (more > 8 * once && more > 10L * text.length() || more > (long) STEPS * text.length()) {
                    return "'" + head + "' '" + word + "'*";
                }
            }
        }
        return "";
    }

    private static long steps(Pattern pattern, String text) {
        Counted counted = new Counted(text, Long.MAX_VALUE);
        Matcher matcher = pattern.matcher(counted);
        while (matcher.find()) {
            // to the end
        }
        return counted.steps;
    }

    /** @param column where the pattern stands in a line, which is the last */
    private static void rules(Map<String, Pattern> into, String resource, int column) throws IOException {
        try (InputStream in = HostilePatternsTest.class.getResourceAsStream(resource)) {
            for (String line : new String(Objects.requireNonNull(in, resource).readAllBytes(), UTF_8).split("\n")) {
                String[] parts = line.strip().split("\\s+", column + 1);
                if (!line.startsWith("#") && parts.length > column && parts[column].matches(".*[|(\\[].*")) {
                    into.put(resource + " " + parts[column], Pattern.compile(parts[column]));
                }
            }
        }
    }

    private static List<String> classes() throws IOException {
        List<String> names = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path path = Path.of(entry);
            if (Files.isDirectory(path)) {
                names(path, names);
            } else if (path.getFileName().toString().matches("lockstep-[a-z-]+.*\\.jar")) {
                try (FileSystem jar = FileSystems.newFileSystem(path)) {
                    names(jar.getPath("/"), names);
                }
            }
        }
        return names;
    }

    private static void names(Path root, List<String> into) throws IOException {
        try (Stream<Path> walk = Files.walk(root)) {
            walk.map(file -> root.relativize(file).toString().replace('/', '.'))
                    .filter(name -> name.startsWith("dev.lockstep.") && name.endsWith(".class"))
                    .map(name -> name.substring(0, name.length() - ".class".length()))
                    .filter(name ->
                            !name.matches(".*(?:Test|IT|Contract)(?:\\$.*)?|.*libtorch.*|.*lockstep\\.spark.*|.*-info"))
                    .sorted()
                    .forEach(into::add);
        }
    }
}
