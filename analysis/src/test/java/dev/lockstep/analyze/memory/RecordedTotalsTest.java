// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.memory;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.model.MemoryDetails;
import dev.lockstep.synth.MemoryPlan;
import dev.lockstep.synth.SyntheticRun;
import dev.lockstep.synth.TraceRecipe;
import dev.lockstep.testkit.TestTraces;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/**
 * The totals of the replay are those that were recorded, at every event: compared with the events as a plain JSON parser sees
 * them. On real traces where they are at hand; what then runs is said.
 */
class RecordedTotalsTest {
    private static final Path REAL = Path.of(System.getProperty("basedir", "."), "..", "..", "shared", "data");
    private static final long LARGEST = 40 << 20;

    private record Event(BigDecimal ts, long device, long bytes, long total) {}

    @Test
    void madeTracesAddUp() throws IOException {
        for (int seed = 1; seed <= 6; seed++) {
            TraceRecipe recipe = TraceRecipe.standard()
                    .withSeed(seed)
                    .withRanks(2)
                    .withLayers(1)
                    .withMemory(new MemoryPlan(seed << 20, 0, 0, 1));
            assertThat(compare(SyntheticRun.bytes(recipe, seed % 2))).isPositive();
        }
    }

    @Test
    void realTracesAddUp() throws IOException {
        Assumptions.assumeTrue(Files.isDirectory(REAL), "no real traces at hand: only made ones were compared");
        List<Path> files;
        try (Stream<Path> walk = Files.walk(REAL)) {
            files = walk.filter(file -> file.toString().matches(".*\\.json(\\.gz)?"))
                    .sorted()
                    .toList();
        }
        int traces = 0;
        int events = 0;
        for (Path file : files) {
            byte[] content = content(file);
            int compared = content.length == 0 ? 0 : compare(content);
            traces += compared > 0 ? 1 : 0;
            events += compared;
        }
        System.out.println("recorded totals compared at " + events + " events of " + traces + " real traces");
        assertThat(traces).isPositive();
    }

    /** Empty for files without memory events, and for those too large for a test. */
    private static byte[] content(Path file) throws IOException {
        if (Files.size(file) > LARGEST) {
            return new byte[0];
        }
        try (InputStream raw = new BufferedInputStream(Files.newInputStream(file));
                InputStream in = file.toString().endsWith(".gz") ? new GZIPInputStream(raw) : raw) {
            byte[] all = in.readAllBytes();
            String text = new String(all, StandardCharsets.ISO_8859_1);
            return text.contains("\"[memory]\"") ? all : new byte[0];
        } catch (IOException e) {
            return new byte[0]; // damaged on purpose
        }
    }

    /** The number of events whose totals were compared. */
    private static int compare(byte[] content) throws IOException {
        Map<Long, List<Event>> expected = new TreeMap<>();
        for (Event event : events(content)) {
            expected.computeIfAbsent(event.device, device -> new ArrayList<>()).add(event);
        }
        List<AllocatorLog> logs = new DerivedCache(TestTraces.read(content)).get(new AllocatorLog.Key());
        assertThat(logs.stream().map(AllocatorLog::device)).containsExactlyElementsOf(expected.keySet());
        int compared = 0;
        for (AllocatorLog log : logs) {
            List<Event> mine = expected.get(log.device());
            mine.sort(Comparator.comparing(Event::ts));
            assertThat(log.size()).isEqualTo(mine.size());
            long sum = mine.getFirst().total - mine.getFirst().bytes;
            for (int i = 0; i < mine.size(); i++) {
                sum += mine.get(i).bytes;
                if (log.device() != MemoryDetails.HOST) {
                    assertThat(log.level(i)).isEqualTo(mine.get(i).total).isEqualTo(sum);
                    compared++;
                }
            }
        }
        return compared;
    }

    private static List<Event> events(byte[] content) throws IOException {
        List<Event> events = new ArrayList<>();
        try (JsonParser parser = new JsonFactory().createParser(new ByteArrayInputStream(content))) {
            String name = "";
            BigDecimal ts = BigDecimal.ZERO;
            Map<String, Long> arguments = new TreeMap<>();
            int depth = 0;
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
                if (token == JsonToken.START_OBJECT && depth == 3) {
                    name = "";
                    arguments.clear();
                } else if (token == JsonToken.END_OBJECT && depth == 2) {
                    if (name.equals("[memory]") && arguments.containsKey("Bytes")) {
                        events.add(new Event(
                                ts,
                                arguments.get("Device Id"),
                                arguments.get("Bytes"),
                                arguments.getOrDefault("Total Allocated", 0L)));
                    }
                } else if (token == JsonToken.VALUE_STRING && depth == 3 && "name".equals(parser.currentName())) {
                    name = parser.getText();
                } else if (token.isNumeric() && depth == 3 && "ts".equals(parser.currentName())) {
                    ts = parser.getDecimalValue();
                } else if (token == JsonToken.VALUE_NUMBER_INT && depth == 4) {
                    arguments.put(parser.currentName(), parser.getLongValue());
                }
            }
        }
        return events;
    }
}
