// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import dev.lockstep.model.Diagnostics.Entry;
import dev.lockstep.model.EventCounts;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.read.TraceInput;
import dev.lockstep.session.Session;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Reads every trace of the collection beside the checkout and compares what was counted with what jackson counts. The
 * collection is sought at {@code -Dlockstep.shared}, else at {@code ../shared} of the checkout.
 */
class SharedTracesTest {
    private static final Set<String> DEVICE =
            Set.of("kernel", "Kernel", "mtia_ccp_events", "gpu_memcpy", "Memcpy", "gpu_memset", "Memset");
    private static final JsonFactory JACKSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNestingDepth(100_000)
                    .build())
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .build();

    /** What jackson finds. */
    private static final class Counted {
        private boolean trace;
        private long events;
        private long complete;
        private long device;
        private final Map<String, Long> categories = new TreeMap<>();
        private final Map<String, Long> durations = new TreeMap<>();

        private void read(JsonParser json) throws IOException {
            JsonToken first = json.nextToken();
            if (first == JsonToken.START_ARRAY) {
                trace = true;
                events(json);
            } else if (first == JsonToken.START_OBJECT) {
                while (json.nextToken() == JsonToken.FIELD_NAME) {
                    boolean list = json.currentName().equals("traceEvents");
                    if (json.nextToken() == JsonToken.START_ARRAY && list) {
                        trace = true;
                        events(json);
                    } else {
                        json.skipChildren();
                    }
                }
            }
        }

        private void events(JsonParser json) throws IOException {
            while (json.nextToken() != JsonToken.END_ARRAY) {
                if (json.currentToken() == JsonToken.START_OBJECT) {
                    event(json);
                } else {
                    json.skipChildren();
                }
            }
        }

        private void event(JsonParser json) throws IOException {
            String phase = "";
            String category = null;
            BigDecimal ts = null;
            BigDecimal dur = null;
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String key = json.currentName();
                json.nextToken();
                switch (key) {
                    case "ph" -> phase = json.getText();
                    case "cat" -> category = json.currentToken() == JsonToken.VALUE_NULL ? null : json.getText();
                    case "ts" -> ts = number(json);
                    case "dur" -> dur = number(json);
                    default -> json.skipChildren();
                }
            }
            events++;
            if (category != null && phase.length() == 1) {
                categories.merge(category, 1L, Long::sum);
            }
            if (phase.equals("X") && ts != null && dur != null && dur.signum() >= 0) {
                complete++;
                device += category != null && DEVICE.contains(category) ? 1 : 0;
                long ns =
                        dur.movePointRight(3).setScale(0, RoundingMode.HALF_UP).longValueExact();
                durations.merge(category == null ? "" : category, ns, Long::sum);
            }
        }

        private static BigDecimal number(JsonParser json) throws IOException {
            try {
                return new BigDecimal(json.getText());
            } catch (NumberFormatException e) {
                json.skipChildren();
                return null;
            }
        }
    }

    private static Path shared() {
        String named = System.getProperty("lockstep.shared");
        return named != null
                ? Path.of(named)
                : Path.of(System.getProperty("basedir", "."), "..", "..", "shared")
                        .normalize();
    }

    @TestFactory
    Stream<DynamicTest> countsAreThoseOfJackson() throws IOException {
        Path data = shared().resolve("data");
        if (!Files.isDirectory(data)) {
            String absent = "no collection of traces at " + data + "; -Dlockstep.shared=DIR names another place";
            return Stream.of(DynamicTest.dynamicTest("no collection", () -> abort(absent)));
        }
        List<Path> files;
        try (Stream<Path> walk = Files.walk(data)) {
            files = walk.filter(Files::isRegularFile)
                    .filter(f -> f.toString().endsWith(".json") || f.toString().endsWith(".json.gz"))
                    .sorted()
                    .toList();
        }
        return files.stream()
                .map(file -> DynamicTest.dynamicTest(data.relativize(file).toString(), () -> check(file)));
    }

    private static void check(Path file) throws IOException {
        Counted wanted = new Counted();
        try (InputStream in = unpacked(file);
                JsonParser json = JACKSON.createParser(in)) {
            wanted.read(json);
        } catch (JsonProcessingException e) {
            abort("jackson cannot read it: " + e.getMessage());
        }
        assumeTrue(wanted.trace && wanted.complete > 0, "no trace");
        try (Session session = new Session(2)) {
            List<Trace> ranks = session.read(TraceInput.of(file), bytes -> {});
            assertThat(ranks.stream().flatMap(rank -> rank.diagnostics().problems().stream()))
                    .extracting(Entry::code)
                    .isSubsetOf("negative_duration", "dur_missing", "implausible_time");
            assertThat(sum(ranks, EventCounts::events)).isEqualTo(wanted.events);
            if (ranks.getFirst().info().format().equals("flex-json")) {
                return; // the format has its own categories, and makes events of begins and ends
            }
            assertThat(sum(ranks, EventCounts::complete)).isEqualTo(wanted.complete);
            if (wanted.durations.keySet().equals(Set.of(""))) {
                assertThat(time(ranks)).isEqualTo(wanted.durations.get("")); // readers find categories of their own
                return;
            }
            if (wanted.device > 0) { // some exporters name no categories: their devices are known by other signs
                assertThat(sum(ranks, EventCounts::device)).isEqualTo(wanted.device);
            }
            Map<String, Long> categories = new TreeMap<>();
            ranks.forEach(
                    rank -> rank.counts().byCategory().forEach((name, n) -> categories.merge(name, n, Long::sum)));
            assertThat(categories).isEqualTo(wanted.categories);
            // not with pairs of B and E, or times nobody believes
            boolean all = ranks.stream().mapToLong(rank -> rank.slices().size()).sum() == wanted.complete;
            if (all) {
                Map<String, Long> durations = new TreeMap<>();
                ranks.forEach(rank -> durations(rank).forEach((name, ns) -> durations.merge(name, ns, Long::sum)));
                assertThat(durations).isEqualTo(wanted.durations);
            }
        }
    }

    private static long sum(List<Trace> ranks, ToLongFunction<EventCounts> count) {
        return ranks.stream()
                .mapToLong(rank -> count.applyAsLong(rank.counts()))
                .sum();
    }

    private static long time(List<Trace> ranks) {
        return ranks.stream()
                .flatMap(rank -> durations(rank).values().stream())
                .mapToLong(Long::longValue)
                .sum();
    }

    private static Map<String, Long> durations(Trace trace) {
        Map<String, Long> sums = new TreeMap<>();
        Slices slices = trace.slices();
        for (int i = 0; i < slices.size(); i++) {
            String category = trace.strings().orNull(slices.category(i));
            sums.merge(category == null ? "" : category, slices.dur(i), Long::sum);
        }
        return sums;
    }

    private static InputStream unpacked(Path file) throws IOException {
        BufferedInputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
        in.mark(2);
        boolean packed = in.read() == 0x1F && in.read() == 0x8B;
        in.reset();
        return packed ? new GZIPInputStream(in, 1 << 16) : in;
    }
}
